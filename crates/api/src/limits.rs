//! Limits on requests: the largest grids, and how long computing an answer may take.

use crate::error::ApiError;
use ninefold::Limits;
use ninefold::limits::Stopwatch;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The largest side of a grid. Larger grids need the command line.
pub const MAX_SIDE: usize = 25;

/// The largest side of a generated puzzle.
pub const MAX_GENERATED_SIDE: usize = 16;

/// The largest number of puzzles read from pasted text. The rest is left out.
pub const MAX_PUZZLES_READ: usize = 1000;

/// Time limit for a hint, an explanation, a rating or a new puzzle.
pub const MAX_TIME: Duration = Duration::from_secs(30);

/// Time limit for finding a solution and for watching a system: 2 minutes, the limit in
/// Kocherzhenko's paper.
pub const MAX_SEARCH_TIME: Duration = Duration::from_secs(120);

/// Node limit of a search in WebAssembly, where the host may have no clock for a time limit. A
/// browser takes some minutes for this many nodes.
const MAX_NODES: Option<u64> = if cfg!(target_family = "wasm") { Some(50_000_000) } else { None };

/// The time that the computation of one answer may still use. It starts to run when the budget is
/// created and stops while the computation is paused.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'a> {
    time: Duration,
    stopwatch: Stopwatch<'a>,
    limits: Limits<'a>,
}

impl<'a> Budget<'a> {
    /// A budget of this time. The cancel flag and the pause of `limits` apply to it.
    #[must_use]
    pub fn new(time: Duration, limits: Limits<'a>) -> Budget<'a> {
        let limits = limits.with_nodes(MAX_NODES);
        Budget { time, stopwatch: Stopwatch::start(limits.pause), limits }
    }

    /// Limits for a computation that may use all of the remaining time.
    #[must_use]
    pub fn limits(&self) -> Limits<'a> {
        self.limits.with_time(self.time.saturating_sub(self.stopwatch.elapsed()))
    }

    /// Limits for a computation that may use at most this much of the remaining time.
    #[must_use]
    pub fn limits_within(&self, time: Duration) -> Limits<'a> {
        let left = self.time.saturating_sub(self.stopwatch.elapsed());
        self.limits.with_time(left.min(time))
    }

    /// Waits while the computation is paused. An error if the time is up or the computation is
    /// cancelled. For work that consists of many short parts and takes no [`Limits`].
    pub fn check(&self) -> Result<(), ApiError> {
        if let Some(pause) = self.limits.pause {
            pause.wait();
        }
        let is_cancelled = self.limits.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed));
        if is_cancelled || self.stopwatch.elapsed() >= self.time {
            let error = format!("there is no answer after {} seconds", self.time.as_secs());
            return Err(ApiError::unavailable(error, "send less at once"));
        }
        Ok(())
    }

    /// The complete time of the budget.
    #[must_use]
    pub fn time(&self) -> Duration {
        self.time
    }
}
