//! Limits: this is where we say how long work may go on, and why it ended early.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Bounds on a search or an explanation; without any it runs to the end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// The longest time.
    pub time: Option<Duration>,
    /// The largest number of nodes of a search; an explanation has none.
    pub nodes: Option<u64>,
    /// Another thread sets this to true to stop the work.
    pub cancel: Option<&'a AtomicBool>,
}

impl<'a> Limits<'a> {
    /// No bounds.
    #[must_use]
    pub const fn none() -> Limits<'a> {
        Limits { time: None, nodes: None, cancel: None }
    }

    /// Is there no bound at all?
    pub(crate) fn are_none(&self) -> bool {
        self.time.is_none() && self.nodes.is_none() && self.cancel.is_none()
    }

    /// Stop after this time.
    pub const fn time(time: Duration) -> Limits<'a> {
        Limits { time: Some(time), nodes: None, cancel: None }
    }

    /// Stop after so many nodes.
    pub const fn nodes(nodes: u64) -> Limits<'a> {
        Limits { time: None, nodes: Some(nodes), cancel: None }
    }

    /// Stop when the flag is set.
    pub const fn cancelled_by(flag: &'a AtomicBool) -> Limits<'a> {
        Limits { time: None, nodes: None, cancel: Some(flag) }
    }
}

/// Why work ended before it was complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// The caller had seen enough.
    Enough,
    /// The time was up.
    Time,
    /// The nodes were used up.
    Nodes,
    /// Another thread asked to stop.
    Cancelled,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stop::Enough => "the caller",
            Stop::Time => "the time limit",
            Stop::Nodes => "the node limit",
            Stop::Cancelled => "a request to cancel",
        })
    }
}

/// Looks at the clock and at the cancel flag of some limits, from the moment it is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline<'a> {
    until: Option<Instant>,
    cancel: Option<&'a AtomicBool>,
}

impl<'a> Deadline<'a> {
    /// The time of these limits runs from now on.
    pub fn of(limits: &Limits<'a>) -> Deadline<'a> {
        // A time too long for the clock is no limit.
        let until = limits.time.and_then(|time| Instant::now().checked_add(time));
        Deadline { until, cancel: limits.cancel }
    }

    /// The reason to stop, once there is one.
    pub fn reached(&self) -> Option<Stop> {
        if self.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(Stop::Cancelled);
        }
        self.until.filter(|until| Instant::now() >= *until).map(|_| Stop::Time)
    }
}
