//! The system of paper 5 as one solver among others.

use super::{Config, Outcome, solve};
use ninefold::grid::{Grid, Order};
use ninefold::search::{self, Limits, Meter, Solver, Stop, Visit};
use std::ops::ControlFlow;

/// The whole system of paper 5, behind the same door as every search.
pub struct Hopfield;

impl Solver for Hopfield {
    fn name(&self) -> &'static str {
        "hopfield"
    }

    fn idea(&self) -> &'static str {
        "a Hopfield network with hints from A* (paper 5)"
    }

    fn takes(&self, _order: Order) -> bool {
        true
    }

    /// The network and its co-processor answer for none or one solution; where there are several, the fast solver of
    /// this size walks through them.
    fn walk(&self, puzzle: &Grid, meter: &mut Meter<'_>, visit: &mut Visit<'_>) -> ControlFlow<Stop> {
        let Limits { nodes, cancel, .. } = *meter.limits();
        let trace = solve(puzzle, &Config::paper(), &Limits { time: meter.time_left(), nodes, cancel });
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
