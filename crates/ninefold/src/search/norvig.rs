//! Norvig's solver (Peter Norvig, "Solving Every Sudoku Puzzle", 2006): propagate singles, then
//! search.
//!
//! Naked and hidden singles are applied until nothing changes (`singles/board.rs`). Then the search
//! tries the digits of a cell with the fewest candidates, each on a copy of the board. In Norvig's
//! program two functions call each other recursively; here a list of filled cells replaces the call
//! stack, because one clue in a 64×64 grid may fill many thousand cells.

use super::singles::Board;
use super::watch::{Action, show_singles};
use super::{Meter, StopReason, Visit, Walk};
use crate::grid::{Grid, Order};
use std::ops::ControlFlow;

/// Norvig's propagate-and-search solver.
pub struct Norvig;

impl Walk for Norvig {
    fn name(&self) -> &'static str {
        "norvig"
    }

    fn idea(&self) -> &'static str {
        "propagate naked and hidden singles, then try the digits of a cell with the fewest left (Norvig 2006)"
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
        let Ok(board) = Board::new(puzzle) else { return ControlFlow::Continue(()) };
        if meter.is_watched() {
            show_singles(puzzle, &board.grid(), meter)?;
        }
        search(board, meter, visit)
    }
}

fn search(board: Board, meter: &mut Meter<'_>, visit: &mut Visit<'_>) -> ControlFlow<StopReason> {
    let Some(cell) = board.cell_with_fewest_digits() else {
        return visit(board.grid());
    };
    for digit in board.at(cell) {
        meter.node()?;
        meter.guess();
        let mut next = board.clone();
        let works = next.assign(cell, digit).is_ok();
        if meter.is_watched() {
            let tried = board.grid().with(cell, digit);
            meter.show(Action::Place { cell, digit, choices: board.at(cell).count() }, &tried)?;
            // A contradictory board has no meaningful steps to report.
            if works {
                show_singles(&tried, &next.grid(), meter)?;
            }
        }
        if works {
            search(next, meter, visit)?;
        }
        if meter.is_watched() {
            meter.show(Action::Undo { cell, digit }, &board.grid())?;
        }
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Limits, Solver};

    #[test]
    fn easy_puzzle_needs_no_guess() {
        let puzzle: Grid =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        let (count, effort) = Norvig.count(&puzzle, 2, &Limits::none()).unwrap();
        assert_eq!((count, effort.guesses, effort.nodes), (1, 0, 1));
    }

    #[test]
    fn largest_grid_does_not_overflow_the_stack() {
        let order = Order::new(8, 8).unwrap();
        let shifted = |row: usize, column: usize| ((row * 8 + row / 8 + column) % 64 + 1) as u8;
        let full: Vec<u8> =
            (0..64).flat_map(|row| (0..64).map(move |column| shifted(row, column))).collect();
        let mut puzzle = Grid::from_numbers(order, &full).unwrap();
        for cell in order.cells().filter(|cell| cell.index() % 3 == 0) {
            puzzle.set(cell, None);
        }
        let (solution, _) = Norvig.first(&puzzle, &Limits::none().with_nodes(10_000)).unwrap();
        assert!(solution.is_some());
    }
}
