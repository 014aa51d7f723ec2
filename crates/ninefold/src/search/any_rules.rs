//! The solver for every puzzle, whatever its rules: [`rules`] behind the interface of the others.

use super::{Meter, StopReason, Visit, Walk, rules};
use crate::grid::rules::Rules;
use crate::grid::{Digit, Grid, Order};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The number of solutions that the first search looks for: enough for a proof of uniqueness.
const FIRST_ROUND: usize = 2;
/// Each further search looks for this many times as many solutions.
const GROWTH: usize = 16;

/// Solves puzzles with any rules: irregular regions, cages, lines and all others, and classic ones.
#[derive(Clone, Copy, Debug)]
pub struct AnyRules;

impl Walk for AnyRules {
    fn name(&self) -> &'static str {
        "rules"
    }

    fn idea(&self) -> &'static str {
        "any rules: propagation, then clause learning on groups of candidates"
    }

    fn supports(&self, _order: Order) -> bool {
        true
    }

    fn supports_rules(&self) -> bool {
        true
    }

    fn walk(
        &self,
        puzzle: &Grid,
        meter: &mut Meter<'_>,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<StopReason> {
        let rules = match puzzle.rules() {
            Some(rules) => Arc::clone(rules),
            None => Arc::new(Rules::classic(puzzle.order())),
        };
        let givens: Vec<Option<Digit>> = puzzle.order().cells().map(|cell| puzzle[cell]).collect();
        let mut visited: HashSet<Vec<Digit>> = HashSet::new();
        let mut most = FIRST_ROUND;
        loop {
            let nodes = meter.limits().nodes.map(|nodes| nodes.saturating_sub(meter.nodes()));
            let limits = meter.limits().with_nodes(nodes).with_time(meter.time_left());
            let found = rules::solve(&rules, &givens, most, &limits);
            let is_complete = found.effort.stop.is_none() && found.solutions.len() < most;
            // Before the solutions, because the caller can stop at any of them.
            meter.guesses_done(found.effort.guesses);
            let within_limits = meter.nodes_done(found.effort.nodes);
            for solution in found.solutions {
                if visited.contains(&solution) {
                    continue;
                }
                let mut grid = puzzle.clone();
                for (cell, &digit) in puzzle.order().cells().zip(&solution) {
                    grid.set(cell, Some(digit));
                }
                visited.insert(solution);
                visit(grid)?;
            }
            if let Some(stop) = found.effort.stop {
                return ControlFlow::Break(stop);
            }
            within_limits?;
            if is_complete {
                return ControlFlow::Continue(());
            }
            most = most.saturating_mul(GROWTH);
        }
    }
}
