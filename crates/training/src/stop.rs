//! When a run has to stop before it is complete: its time is up, or somebody asked for it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A request to stop and a deadline. The default never stops.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stop<'a> {
    flag: Option<&'a AtomicBool>,
    deadline: Option<Instant>,
}

impl<'a> Stop<'a> {
    /// Stops when the flag becomes true, or after this time from now.
    pub fn new(flag: Option<&'a AtomicBool>, time: Option<Duration>) -> Stop<'a> {
        // A time beyond the end of the clock is no limit.
        Stop { flag, deadline: time.and_then(|time| Instant::now().checked_add(time)) }
    }

    /// Whether somebody asked to stop.
    pub fn is_requested(&self) -> bool {
        self.flag.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Whether the time is up.
    pub fn is_time_up(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Whether either is the case.
    pub fn is_due(&self) -> bool {
        self.is_requested() || self.is_time_up()
    }

    /// The time until the deadline.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The flag.
    pub fn flag(&self) -> Option<&'a AtomicBool> {
        self.flag
    }
}
