//! Limits: this is where we say how long work may go on, and why it ended early.

use crate::clock::Instant;
use std::cell::Cell;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

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

    /// What is left of the time, as limits for a part of the work that may take so many nodes.
    pub fn limits(&self, nodes: Option<u64>) -> Limits<'a> {
        let time = self.until.map(|until| until.saturating_duration_since(Instant::now()));
        Limits { time, nodes, cancel: self.cancel }
    }

    /// Is there nothing to look at?
    fn is_none(&self) -> bool {
        self.until.is_none() && self.cancel.is_none()
    }

    /// The reason to stop, once there is one.
    pub fn reached(&self) -> Option<Stop> {
        self.cancelled()
            .or_else(|| self.until.filter(|until| Instant::now() >= *until).map(|_| Stop::Time))
    }

    /// The same without a look at the clock.
    fn cancelled(&self) -> Option<Stop> {
        self.cancel.filter(|flag| flag.load(Ordering::Relaxed)).map(|_| Stop::Cancelled)
    }
}

/// A deadline for loops that turn millions of times a second: the flag is read in every round, the clock in few of them.
/// Once reached it stays so.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pulse<'a> {
    /// Nothing where there is no limit: then a round costs one comparison.
    deadline: Option<Deadline<'a>>,
    rounds: Cell<u32>,
    stop: Cell<Option<Stop>>,
}

impl<'a> Pulse<'a> {
    /// Rounds between two looks at the clock.
    const ROUNDS: u32 = 16;

    /// Ends with this deadline.
    pub fn of(deadline: Deadline<'a>) -> Pulse<'a> {
        Pulse { deadline: (!deadline.is_none()).then_some(deadline), ..Pulse::default() }
    }

    /// The reason to stop, once there is one.
    #[inline]
    pub fn stopped(&self) -> Option<Stop> {
        match &self.deadline {
            None => None,
            Some(deadline) => self.look(deadline),
        }
    }

    fn look(&self, deadline: &Deadline<'a>) -> Option<Stop> {
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
