//! Limits: how much one question may ask for, and how long the answer may take.

use ninefold::Limits;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The largest side that is answered; larger grids belong to the command line.
pub const MOST_SIDE: usize = 25;

/// The largest side of puzzles that are made.
pub const MOST_SIDE_MADE: usize = 16;

/// More puzzles than this are left out when pasted text is read.
pub const MOST_PUZZLES_READ: usize = 1000;

/// The longest time for a hint, an explanation, a rating or a new puzzle.
pub const LONGEST: Duration = Duration::from_secs(30);

/// The longest search for a solution, and the longest show: Kocherzhenko's limit of 2 minutes.
pub const LONGEST_SEARCH: Duration = Duration::from_secs(120);

/// Where the host may have no clock, a search ends after so many nodes at the latest: minutes, in a browser.
const MOST_NODES: Option<u64> = if cfg!(target_family = "wasm") { Some(50_000_000) } else { None };

/// A time, and an end as soon as nobody waits any more.
pub fn within(time: Duration, gone: &AtomicBool) -> Limits<'_> {
    Limits { time: Some(time), nodes: MOST_NODES, cancel: Some(gone) }
}

/// How long work of unknown length may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// For a moment; what is not finished then is tried again with more time.
    First(Duration),
    /// For so long and no longer: whatever has been found then is the answer.
    Last(Duration),
}

impl Time {
    /// The time itself.
    #[must_use]
    pub fn limit(self) -> Duration {
        match self {
            Time::First(time) | Time::Last(time) => time,
        }
    }

    /// Is there more time when this is over?
    #[must_use]
    pub fn is_first(self) -> bool {
        matches!(self, Time::First(_))
    }
}
