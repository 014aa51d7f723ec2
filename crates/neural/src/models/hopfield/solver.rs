//! [`Hopfield`]: the system of Sharaf, Marathe and Nguyen as a solver.

use super::{Config, Kind, Outcome, solve};
use ninefold::grid::{Grid, Order};
use ninefold::search::{self, Meter, StopReason, Visit, Walk};
use std::ops::ControlFlow;

/// The system of Sharaf, Marathe and Nguyen as an implementation of [`Walk`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hopfield {
    kind: Kind,
}

impl Hopfield {
    /// The system of the paper, and the variant with a real Hopfield network.
    pub const ALL: &[Hopfield] =
        &[Hopfield { kind: Kind::TwoUpdates }, Hopfield { kind: Kind::Dynamics }];

    /// The system with this name.
    pub fn by_name(name: &str) -> Option<Hopfield> {
        Hopfield::ALL.iter().copied().find(|system| system.name() == name)
    }

    /// The settings of the paper with this network.
    pub const fn config(self) -> Config {
        Config { kind: self.kind, ..Config::paper() }
    }
}

impl Walk for Hopfield {
    fn name(&self) -> &'static str {
        match self.kind {
            Kind::TwoUpdates => "hopfield",
            Kind::Dynamics => "hopfield-dynamics",
        }
    }

    fn idea(&self) -> &'static str {
        match self.kind {
            Kind::TwoUpdates => {
                "a network of two updates with hints from A* (Sharaf, Marathe and Nguyen)"
            }
            Kind::Dynamics => {
                "the same with a real Hopfield network, which settles in a state of low energy"
            }
        }
    }

    fn supports(&self, _order: Order) -> bool {
        true
    }

    /// The system solves puzzles with at most one solution. If there are several, the fast solver
    /// of this size enumerates them.
    fn walk(
        &self,
        puzzle: &Grid,
        meter: &mut Meter<'_>,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<StopReason> {
        let trace = solve(puzzle, &self.config(), &meter.limits().with_time(meter.time_left()));
        meter.guesses_done(trace.effort.guesses);
        let counted = meter.nodes_done(trace.effort.nodes);
        match trace.outcome {
            Outcome::Solved(only) => visit(only),
            Outcome::NoSolution(_) => ControlFlow::Continue(()),
            Outcome::Several(..) => {
                counted?;
                search::default_for(puzzle).walk(puzzle, meter, visit)
            }
            Outcome::Unfinished { found, stop } => {
                if let Some(found) = found {
                    visit(found)?;
                }
                ControlFlow::Break(stop)
            }
        }
    }
}
