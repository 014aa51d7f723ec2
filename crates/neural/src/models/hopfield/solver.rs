//! The system of Sharaf, Marathe and Nguyen as one solver among others.

use super::{Config, Kind, Outcome, solve};
use ninefold::grid::{Grid, Order};
use ninefold::search::{self, Limits, Meter, Stop, Visit, Walk};
use std::ops::ControlFlow;

/// The whole system of Sharaf, Marathe and Nguyen, behind the same trait as every search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hopfield {
    kind: Kind,
}

impl Hopfield {
    /// The paper's network, and a real Hopfield network in its place.
    pub const ALL: &[Hopfield] =
        &[Hopfield { kind: Kind::TwoUpdates }, Hopfield { kind: Kind::Dynamics }];

    /// The system with this name.
    pub fn by_name(name: &str) -> Option<Hopfield> {
        Hopfield::ALL.iter().copied().find(|system| system.name() == name)
    }

    /// How it solves: as in the paper, but for the network.
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

    fn takes(&self, _order: Order) -> bool {
        true
    }

    /// The network and its co-processor answer for none or one solution; where there are several, the fast solver of
    /// this size walks through them.
    fn walk(
        &self,
        puzzle: &Grid,
        meter: &mut Meter<'_>,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<Stop> {
        let Limits { nodes, cancel, .. } = *meter.limits();
        let trace =
            solve(puzzle, &self.config(), &Limits { time: meter.time_left(), nodes, cancel });
        meter.guesses_done(trace.effort.guesses);
        let counted = meter.nodes_done(trace.effort.nodes);
        match trace.outcome {
            Outcome::Solved(only) => visit(only),
            Outcome::NoSolution(_) => ControlFlow::Continue(()),
            Outcome::Several(..) => {
                counted?;
                search::default_for(puzzle.order()).walk(puzzle, meter, visit)
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
