//! Backtracking as in Kocherzhenko 2020 (function `fillSolveGrid`). It is slow but simple, so tests
//! compare the other solvers with it.
//!
//! It takes the first empty cell in reading order, tries every digit that its row, column and box
//! do not contain yet, and continues with the next empty cell. If no digit fits, it goes back. It
//! deduces nothing and stores nothing, so there is little that could be wrong.

use super::watch::Action;
use super::{Meter, StopReason, Visit, Walk};
use crate::grid::{Cell, Digit, Grid, Order};
use std::ops::ControlFlow;

/// Kocherzhenko's backtracking solver.
pub struct Backtrack;

impl Walk for Backtrack {
    fn name(&self) -> &'static str {
        "backtrack"
    }

    fn idea(&self) -> &'static str {
        "fill the first empty cell with each digit that fits, go back when none does (Kocherzhenko 2020)"
    }

    fn supports(&self, _order: Order) -> bool {
        true
    }

    fn can_be_watched(&self) -> bool {
        true
    }

    fn walk(
        &self,
        puzzle: &Grid,
        meter: &mut Meter<'_>,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<StopReason> {
        meter.node()?;
        if puzzle.conflict().is_some() {
            return ControlFlow::Continue(());
        }
        let empty: Vec<Cell> = puzzle.empty_cells().collect();
        fill(&mut puzzle.clone(), &empty, meter, visit)
    }
}

fn fill(
    grid: &mut Grid,
    empty: &[Cell],
    meter: &mut Meter<'_>,
    visit: &mut Visit<'_>,
) -> ControlFlow<StopReason> {
    let Some((&cell, rest)) = empty.split_first() else {
        return visit(grid.clone());
    };
    for digit in grid.order().digits() {
        if fits(grid, cell, digit) {
            meter.node()?;
            meter.guess();
            grid.set(cell, Some(digit));
            if meter.is_watched() {
                let choices =
                    grid.order().digits().filter(|&other| fits(grid, cell, other)).count();
                meter.show(Action::Place { cell, digit, choices }, grid)?;
            }
            fill(grid, rest, meter, visit)?;
            grid.set(cell, None);
            meter.show(Action::Undo { cell, digit }, grid)?;
        }
    }
    ControlFlow::Continue(())
}

fn fits(grid: &Grid, cell: Cell, digit: Digit) -> bool {
    grid.order().peers_of(cell).iter().all(|&peer| grid[peer] != Some(digit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Limits, Solver};

    #[test]
    fn finds_288_grids_of_4x4() {
        let (count, effort) =
            Backtrack.count(&Grid::empty(Order::FOUR), 1_000, &Limits::none()).unwrap();
        assert_eq!(count, 288);
        assert_eq!(effort.stop, None);
    }
}
