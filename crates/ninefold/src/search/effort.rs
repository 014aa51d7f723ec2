//! What a search may cost and what it did cost.

use super::watch::{Moment, Watcher, What};
use crate::clock::Instant;
use crate::grid::Grid;
use crate::limits::{Limits, Stop};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// What a search cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Positions looked at, the first one included.
    pub nodes: u64,
    /// Times a choice was tried out without proof; 0 means that propagation alone gave the answer.
    pub guesses: u64,
    /// Wall time.
    pub elapsed: Duration,
    /// Why it ended early; `None` when the whole tree was seen.
    pub stop: Option<Stop>,
}

impl Effort {
    /// No effort at all.
    #[must_use]
    pub const fn none(stop: Option<Stop>) -> Effort {
        Effort { nodes: 0, guesses: 0, elapsed: Duration::ZERO, stop }
    }
}

/// Counts nodes and guesses while a search runs and says when a limit is reached.
pub struct Meter<'a> {
    limits: Limits<'a>,
    watcher: Option<&'a mut Watcher<'a>>,
    /// `None` where nobody will ask for the time.
    started: Option<Instant>,
    nodes: u64,
    guesses: u64,
    /// The clock and the cancel flag are read when the node count gets here.
    next_look: u64,
}

/// Reading the clock costs as much as several nodes of a fast solver, so it is read once in so many nodes.
const NODES_BETWEEN_LOOKS: u64 = 256;

impl<'a> Meter<'a> {
    /// A meter that starts now.
    pub(super) fn start(limits: &Limits<'a>) -> Meter<'a> {
        Meter {
            limits: *limits,
            watcher: None,
            started: Some(Instant::now()),
            nodes: 0,
            guesses: 0,
            next_look: 0,
        }
    }

    /// The same for a search that somebody watches.
    pub(super) fn watched(limits: &Limits<'a>, watcher: &'a mut Watcher<'a>) -> Meter<'a> {
        Meter { watcher: Some(watcher), ..Meter::start(limits) }
    }

    /// Does anybody watch? Then it is worth making a board to show.
    #[inline]
    #[must_use]
    pub fn is_watched(&self) -> bool {
        self.watcher.is_some()
    }

    /// Shows a moment, if anybody watches; breaks when the watcher has seen enough.
    #[inline]
    pub fn show(&mut self, what: What, board: &Grid) -> ControlFlow<Stop> {
        match &mut self.watcher {
            Some(watcher) => watcher(Moment { what, board }),
            None => ControlFlow::Continue(()),
        }
    }

    /// A meter without limits that never reads the clock, which takes as long as half an easy puzzle.
    pub(super) fn without_clock() -> Meter<'a> {
        Meter {
            limits: Limits::none(),
            watcher: None,
            started: None,
            nodes: 0,
            guesses: 0,
            next_look: u64::MAX,
        }
    }

    fn elapsed(&self) -> Duration {
        self.started.map_or(Duration::ZERO, |started| started.elapsed())
    }

    /// Counts one node; breaks when a limit is reached. A node limit of n lets n nodes through.
    #[inline]
    pub fn node(&mut self) -> ControlFlow<Stop> {
        self.nodes_done(1)
    }

    /// Counts several nodes at once.
    #[inline]
    pub fn nodes_done(&mut self, nodes: u64) -> ControlFlow<Stop> {
        self.nodes += nodes;
        if self.limits.nodes.is_some_and(|limit| self.nodes > limit) {
            return ControlFlow::Break(Stop::Nodes);
        }
        if self.nodes >= self.next_look { self.look() } else { ControlFlow::Continue(()) }
    }

    /// Reads the clock and the cancel flag now; for solvers whose single node takes long.
    #[cold]
    pub fn look(&mut self) -> ControlFlow<Stop> {
        self.next_look = self.nodes + NODES_BETWEEN_LOOKS;
        if self.limits.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return ControlFlow::Break(Stop::Cancelled);
        }
        if self.limits.time.is_some_and(|limit| self.elapsed() >= limit) {
            return ControlFlow::Break(Stop::Time);
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

    /// Time left before the time limit, if there is one.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        self.limits.time.map(|limit| limit.saturating_sub(self.elapsed()))
    }

    /// The limits it watches.
    #[must_use]
    pub fn limits(&self) -> &Limits<'a> {
        &self.limits
    }

    pub(super) fn finish(self, end: ControlFlow<Stop>) -> Effort {
        let stop = match end {
            ControlFlow::Continue(()) => None,
            ControlFlow::Break(stop) => Some(stop),
        };
        Effort { nodes: self.nodes, guesses: self.guesses, elapsed: self.elapsed(), stop }
    }
}
