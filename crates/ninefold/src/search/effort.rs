//! The cost of a search, and the meter that measures it and checks the limits.

use super::watch::{Action, Event, Watcher};
use crate::grid::Grid;
use crate::limits::{Limits, StopReason, Stopwatch};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The cost of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Effort {
    /// Visited search nodes, including the root.
    pub nodes: u64,
    /// Choices made without proof; 0 means that propagation alone solved the puzzle.
    pub guesses: u64,
    /// Wall time.
    pub elapsed: Duration,
    /// Why the search ended early; `None` if it was complete.
    pub stop: Option<StopReason>,
}

impl Effort {
    /// No work, with this stop reason.
    #[must_use]
    pub const fn none(stop: Option<StopReason>) -> Effort {
        Effort { nodes: 0, guesses: 0, elapsed: Duration::ZERO, stop }
    }

    /// The total cost of this search and the next one, with the stop reason of the next one.
    #[must_use]
    pub fn then(self, next: Effort) -> Effort {
        Effort {
            nodes: self.nodes + next.nodes,
            guesses: self.guesses + next.guesses,
            elapsed: self.elapsed + next.elapsed,
            stop: next.stop,
        }
    }
}

/// Counts nodes and guesses while a search runs, and tells it to stop when a limit is reached.
pub struct Meter<'a> {
    limits: Limits<'a>,
    watcher: Option<&'a mut Watcher<'a>>,
    /// `None` if the elapsed time is not needed.
    started: Option<Stopwatch<'a>>,
    nodes: u64,
    guesses: u64,
    /// The node count at which the clock and the cancel flag are read next.
    next_check: u64,
}

/// Reading the clock costs as much as several nodes of a fast solver, so it is read once per this
/// many nodes.
const NODES_BETWEEN_CHECKS: u64 = 256;

impl<'a> Meter<'a> {
    /// A meter that starts now.
    pub(super) fn start(limits: &Limits<'a>) -> Meter<'a> {
        Meter {
            limits: *limits,
            watcher: None,
            started: Some(Stopwatch::start(limits.pause)),
            nodes: 0,
            guesses: 0,
            next_check: 0,
        }
    }

    /// A meter that starts now and passes events to a watcher.
    pub(super) fn watched(limits: &Limits<'a>, watcher: &'a mut Watcher<'a>) -> Meter<'a> {
        Meter { watcher: Some(watcher), ..Meter::start(limits) }
    }

    /// Whether there is a watcher. If not, there is no need to build boards for
    /// [`show`](Meter::show).
    #[inline]
    #[must_use]
    pub fn is_watched(&self) -> bool {
        self.watcher.is_some()
    }

    /// Passes an event to the watcher, if there is one. Breaks if the watcher asks to stop.
    #[inline]
    pub fn show(&mut self, action: Action, board: &Grid) -> ControlFlow<StopReason> {
        match &mut self.watcher {
            Some(watcher) => watcher(Event { action, board }),
            None => ControlFlow::Continue(()),
        }
    }

    /// A meter without limits that never reads the clock, because that takes as long as half an
    /// easy puzzle.
    pub(super) fn without_clock() -> Meter<'a> {
        Meter {
            limits: Limits::none(),
            watcher: None,
            started: None,
            nodes: 0,
            guesses: 0,
            next_check: u64::MAX,
        }
    }

    fn elapsed(&self) -> Duration {
        self.started.map_or(Duration::ZERO, |started| started.elapsed())
    }

    /// Counts one node. Breaks if a limit is reached; a node limit of n allows n nodes.
    #[inline]
    pub fn node(&mut self) -> ControlFlow<StopReason> {
        self.nodes_done(1)
    }

    /// Counts several nodes. Breaks if a limit is reached.
    #[inline]
    pub fn nodes_done(&mut self, nodes: u64) -> ControlFlow<StopReason> {
        self.nodes += nodes;
        if self.limits.nodes.is_some_and(|limit| self.nodes > limit) {
            return ControlFlow::Break(StopReason::Nodes);
        }
        if self.nodes >= self.next_check { self.check_limits() } else { ControlFlow::Continue(()) }
    }

    /// Reads the clock and the cancel flag now, for solvers with expensive nodes.
    #[cold]
    pub fn check_limits(&mut self) -> ControlFlow<StopReason> {
        self.next_check = self.nodes + NODES_BETWEEN_CHECKS;
        if let Some(pause) = self.limits.pause {
            pause.wait();
        }
        if self.limits.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return ControlFlow::Break(StopReason::Cancelled);
        }
        if self.limits.time.is_some_and(|limit| self.elapsed() >= limit) {
            return ControlFlow::Break(StopReason::Time);
        }
        ControlFlow::Continue(())
    }

    /// Counts one guess.
    #[inline]
    pub fn guess(&mut self) {
        self.guesses += 1;
    }

    /// Counts several guesses at once.
    #[inline]
    pub fn guesses_done(&mut self, guesses: u64) {
        self.guesses += guesses;
    }

    /// The remaining time, if there is a time limit.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        self.limits.time.map(|limit| limit.saturating_sub(self.elapsed()))
    }

    /// The nodes counted so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The limits of the search.
    #[must_use]
    pub fn limits(&self) -> &Limits<'a> {
        &self.limits
    }

    pub(super) fn finish(self, end: ControlFlow<StopReason>) -> Effort {
        let stop = match end {
            ControlFlow::Continue(()) => None,
            ControlFlow::Break(stop) => Some(stop),
        };
        Effort { nodes: self.nodes, guesses: self.guesses, elapsed: self.elapsed(), stop }
    }
}
