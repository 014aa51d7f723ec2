//! Limits: how long a computation may run, and why it stopped early.
//!
//! Searches, explanations and ratings take [`Limits`] and report a [`StopReason`] when they end
//! before they are complete.

use crate::clock::Instant;
use std::cell::Cell;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Bounds on a search or an explanation. Without limits, the computation runs to completion.
///
/// ```
/// use ninefold::Limits;
/// use std::time::Duration;
///
/// let limits = Limits::none().with_time(Duration::from_millis(50)).with_nodes(100_000);
/// assert_eq!(limits.nodes, Some(100_000));
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Limits<'a> {
    /// The maximum time.
    pub time: Option<Duration>,
    /// The maximum number of search nodes: boards that the search examines. Explanations ignore it.
    pub nodes: Option<u64>,
    /// Another thread sets this flag to true to stop the computation.
    pub cancel: Option<&'a AtomicBool>,
    /// Another thread uses this to pause the computation and to resume it.
    pub pause: Option<&'a Pause>,
}

impl<'a> Limits<'a> {
    /// No limits.
    #[must_use]
    pub const fn none() -> Limits<'a> {
        Limits { time: None, nodes: None, cancel: None, pause: None }
    }

    /// Whether no limit is set.
    pub(crate) fn is_none(&self) -> bool {
        self.time.is_none() && self.nodes.is_none() && self.cancel.is_none() && self.pause.is_none()
    }

    /// Stops after this time; `None` removes the time limit.
    #[must_use]
    pub fn with_time(mut self, time: impl Into<Option<Duration>>) -> Limits<'a> {
        self.time = time.into();
        self
    }

    /// Stops after this number of nodes; `None` removes the node limit.
    #[must_use]
    pub fn with_nodes(mut self, nodes: impl Into<Option<u64>>) -> Limits<'a> {
        self.nodes = nodes.into();
        self
    }

    /// Stops once the flag is set; `None` removes the flag.
    #[must_use]
    pub fn with_cancel(mut self, flag: impl Into<Option<&'a AtomicBool>>) -> Limits<'a> {
        self.cancel = flag.into();
        self
    }

    /// Waits while this is paused; `None` removes it.
    #[must_use]
    pub fn with_pause(mut self, pause: impl Into<Option<&'a Pause>>) -> Limits<'a> {
        self.pause = pause.into();
        self
    }
}

/// Pauses a computation on another thread. Time limits do not count the time spent paused.
///
/// The computation pauses at its next check of the time limit, so it may run on for a moment. To
/// end a paused computation, set the cancel flag and then call [`resume`](Pause::resume).
#[derive(Debug, Default)]
pub struct Pause {
    /// Whether the computation has to wait; read without the lock at every check.
    is_paused: AtomicBool,
    clock: Mutex<PauseClock>,
    resumed: Condvar,
}

#[derive(Debug, Default)]
struct PauseClock {
    paused_since: Option<Instant>,
    /// The total of all pauses that have ended.
    total: Duration,
}

impl Pause {
    /// Not paused.
    #[must_use]
    pub fn new() -> Pause {
        Pause::default()
    }

    /// Makes the computation wait until [`resume`](Pause::resume) is called.
    pub fn pause(&self) {
        let mut clock = self.clock();
        clock.paused_since.get_or_insert_with(Instant::now);
        self.is_paused.store(true, Ordering::Relaxed);
    }

    /// Lets the computation continue.
    pub fn resume(&self) {
        let mut clock = self.clock();
        if let Some(since) = clock.paused_since.take() {
            clock.total += since.elapsed();
        }
        self.is_paused.store(false, Ordering::Relaxed);
        self.resumed.notify_all();
    }

    /// The total time spent paused.
    fn total(&self) -> Duration {
        let clock = self.clock();
        clock.total + clock.paused_since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// Returns as soon as the computation may continue.
    pub fn wait(&self) {
        if self.is_paused.load(Ordering::Relaxed) {
            let is_paused = |clock: &mut PauseClock| clock.paused_since.is_some();
            let waited = self.resumed.wait_while(self.clock(), is_paused);
            drop(waited.unwrap_or_else(PoisonError::into_inner));
        }
    }

    fn clock(&self) -> MutexGuard<'_, PauseClock> {
        self.clock.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Measures the time since its creation, without the time spent paused.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch<'a> {
    started: Instant,
    pause: Option<&'a Pause>,
    paused_before: Duration,
}

impl<'a> Stopwatch<'a> {
    /// Starts at zero.
    #[must_use]
    pub fn start(pause: Option<&'a Pause>) -> Stopwatch<'a> {
        let paused_before = pause.map_or(Duration::ZERO, Pause::total);
        Stopwatch { started: Instant::now(), pause, paused_before }
    }

    /// The time since the start that was not spent paused.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        let elapsed = self.started.elapsed();
        match self.pause {
            None => elapsed,
            Some(pause) => elapsed.saturating_sub(pause.total().saturating_sub(self.paused_before)),
        }
    }
}

/// Why a computation ended before it was complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StopReason {
    /// A callback of the caller asked to stop.
    Enough,
    /// The time limit was reached.
    Time,
    /// The node limit was reached.
    Nodes,
    /// The cancel flag was set.
    Cancelled,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StopReason::Enough => "the caller",
            StopReason::Time => "the time limit",
            StopReason::Nodes => "the node limit",
            StopReason::Cancelled => "a request to cancel",
        })
    }
}

/// Checks the clock and the cancel flag of some limits. The time starts when it is created.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline<'a> {
    time: Option<(Stopwatch<'a>, Duration)>,
    cancel: Option<&'a AtomicBool>,
    pause: Option<&'a Pause>,
}

impl<'a> Deadline<'a> {
    /// Starts the time limit now.
    pub fn new(limits: &Limits<'a>) -> Deadline<'a> {
        let time = limits.time.map(|time| (Stopwatch::start(limits.pause), time));
        Deadline { time, cancel: limits.cancel, pause: limits.pause }
    }

    /// Limits for a part of the work: the remaining time, and this many nodes.
    pub fn limits(&self, nodes: Option<u64>) -> Limits<'a> {
        let time = self.time.map(|(stopwatch, time)| time.saturating_sub(stopwatch.elapsed()));
        Limits { time, nodes, cancel: self.cancel, pause: self.pause }
    }

    /// Whether there is nothing to check.
    fn is_none(&self) -> bool {
        self.time.is_none() && self.cancel.is_none() && self.pause.is_none()
    }

    /// The reason to stop, if a limit has been reached. Waits here while the work is paused.
    pub fn reached(&self) -> Option<StopReason> {
        if let Some(pause) = self.pause {
            pause.wait();
        }
        self.cancelled().or_else(|| {
            self.time
                .filter(|(stopwatch, time)| stopwatch.elapsed() >= *time)
                .map(|_| StopReason::Time)
        })
    }

    /// Like [`reached`](Self::reached), but checks only the cancel flag.
    fn cancelled(&self) -> Option<StopReason> {
        self.cancel.filter(|flag| flag.load(Ordering::Relaxed)).map(|_| StopReason::Cancelled)
    }
}

/// A deadline for loops with millions of iterations per second. It reads the cancel flag in every
/// iteration but the clock only in one of [`Pulse::ROUNDS`]. Once reached, it stays reached.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pulse<'a> {
    /// `None` without limits, so that an iteration costs one comparison.
    deadline: Option<Deadline<'a>>,
    rounds: Cell<u32>,
    stop: Cell<Option<StopReason>>,
}

impl<'a> Pulse<'a> {
    /// Iterations between two reads of the clock.
    const ROUNDS: u32 = 16;

    pub fn new(deadline: Deadline<'a>) -> Pulse<'a> {
        Pulse { deadline: (!deadline.is_none()).then_some(deadline), ..Pulse::default() }
    }

    /// The reason to stop, if the deadline has been reached.
    #[inline]
    pub fn stopped(&self) -> Option<StopReason> {
        match &self.deadline {
            None => None,
            Some(deadline) => self.look(deadline),
        }
    }

    fn look(&self, deadline: &Deadline<'a>) -> Option<StopReason> {
        if self.stop.get().is_none() {
            self.rounds.set(self.rounds.get().wrapping_add(1));
            let stop = if self.rounds.get() % Self::ROUNDS == 1 {
                deadline.reached()
            } else {
                deadline.cancelled()
            };
            self.stop.set(stop);
        }
        self.stop.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paused_work_waits_until_it_is_resumed() {
        let pause = Pause::new();
        let deadline = Deadline::new(&Limits::none().with_pause(&pause));
        pause.pause();
        std::thread::scope(|scope| {
            let work = scope.spawn(|| deadline.reached());
            std::thread::sleep(Duration::from_millis(20));
            assert!(!work.is_finished());
            pause.resume();
            assert_eq!(work.join().expect("the work does not panic"), None);
        });
    }

    #[test]
    fn a_stopwatch_does_not_count_pauses() {
        let (pause, slept) = (Pause::new(), Duration::from_millis(20));
        let before = Instant::now();
        let stopwatch = Stopwatch::start(Some(&pause));
        pause.pause();
        std::thread::sleep(slept);
        pause.resume();
        assert!(stopwatch.elapsed() + slept <= before.elapsed());
    }
}
