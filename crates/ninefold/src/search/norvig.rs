//! Norvig's solver (Peter Norvig, "Solving Every Sudoku Puzzle", 2006): propagate what is certain, then search.
//!
//! Every cell keeps the set of digits it may still take. Two rules carry each change onwards:
//!
//! 1. A cell with one digit left holds it, so all its peers lose that digit (naked single).
//! 2. A digit with one place left in a house goes there, so that cell loses its other digits (hidden single).
//!
//! When both rules fall silent, the search tries the digits of a cell with the fewest left, each on a copy.
//! Norvig's two functions call each other; here a list of removals still to be looked at takes the place of the
//! call stack, because one clue in a 64×64 grid may set off a chain of many thousand removals.

use super::watch::What;
use super::{Meter, Solver, Stop, Visit};
use crate::grid::{Cell, Digit, DigitSet, Grid, Order};
use std::ops::ControlFlow;

/// Norvig's propagate-and-search solver.
pub struct Norvig;

impl Solver for Norvig {
    fn name(&self) -> &'static str {
        "norvig"
    }

    fn idea(&self) -> &'static str {
        "propagate naked and hidden singles, then try the digits of a cell with the fewest left (Norvig 2006)"
    }

    fn takes(&self, _order: Order) -> bool {
        true
    }

    fn can_be_watched(&self) -> bool {
        true
    }

    fn walk(&self, puzzle: &Grid, meter: &mut Meter<'_>, visit: &mut Visit<'_>) -> ControlFlow<Stop> {
        meter.node()?;
        match Board::of(puzzle) {
            Ok(board) => search(board, meter, visit),
            Err(Contradiction) => ControlFlow::Continue(()),
        }
    }
}

fn search(board: Board, meter: &mut Meter<'_>, visit: &mut Visit<'_>) -> ControlFlow<Stop> {
    let Some(cell) = board.cell_with_fewest_digits() else {
        return visit(board.grid());
    };
    for digit in board.at(cell) {
        meter.node()?;
        meter.guess();
        let mut next = board.clone();
        let works = next.assign(cell, digit).is_ok();
        if meter.is_watched() {
            // A board on which the rules have clashed is no board to show: the one before it is, with the digit.
            let shown = if works { next.grid() } else { board.grid().with(cell, digit) };
            meter.show(What::Write { cell, digit, choices: board.at(cell).count() }, &shown)?;
        }
        if works {
            search(next, meter, visit)?;
        }
        if meter.is_watched() {
            meter.show(What::Retreat { cell, digit }, &board.grid())?;
        }
    }
    ControlFlow::Continue(())
}

/// The digits each cell may still take; a cell with a single one is filled.
///
/// Invariant between calls: both rules have been carried to their end, so no two peers hold the same single digit
/// and a board on which every cell has one digit is a solution.
#[derive(Clone)]
struct Board {
    order: Order,
    open: Box<[DigitSet]>,
}

/// A cell without a digit or a digit without a place.
#[derive(Debug)]
struct Contradiction;

impl Board {
    /// The board after all clues and what follows from them by the two rules.
    fn of(puzzle: &Grid) -> Result<Board, Contradiction> {
        let order = puzzle.order();
        let mut board = Board { order, open: vec![order.digits(); order.cell_count()].into() };
        for (cell, digit) in puzzle.clues() {
            board.assign(cell, digit)?;
        }
        Ok(board)
    }

    fn at(&self, cell: Cell) -> DigitSet {
        self.open[cell.index()]
    }

    /// Fills a cell by removing all its other digits.
    fn assign(&mut self, cell: Cell, digit: Digit) -> Result<(), Contradiction> {
        let mut removed = Vec::new();
        self.keep_only(digit, cell, &mut removed)?;
        while let Some((cell, digit)) = removed.pop() {
            self.follow_naked_single(cell, &mut removed)?;
            self.follow_hidden_singles(digit, cell, &mut removed)?;
        }
        Ok(())
    }

    /// Rule 1, after `cell` has lost a digit.
    fn follow_naked_single(&mut self, cell: Cell, removed: &mut Vec<(Cell, Digit)>) -> Result<(), Contradiction> {
        let Some(digit) = self.at(cell).only() else {
            return Ok(());
        };
        for &peer in self.order.peers_of(cell) {
            if self.open[peer.index()].remove(digit) {
                if self.at(peer).is_empty() {
                    return Err(Contradiction);
                }
                removed.push((peer, digit));
            }
        }
        Ok(())
    }

    /// Rule 2, after `cell` has lost `digit`: only the three houses of the cell have a place less for it.
    fn follow_hidden_singles(
        &mut self,
        digit: Digit,
        cell: Cell,
        removed: &mut Vec<(Cell, Digit)>,
    ) -> Result<(), Contradiction> {
        for house in self.order.houses_of(cell) {
            let mut places = self.order.cells_in(house).iter().filter(|&&place| self.at(place).contains(digit));
            match (places.next(), places.next()) {
                (None, _) => return Err(Contradiction),
                (Some(&only), None) => self.keep_only(digit, only, removed)?,
                (Some(_), Some(_)) => {}
            }
        }
        Ok(())
    }

    /// Removes all other digits from a cell and notes each removal.
    fn keep_only(&mut self, digit: Digit, cell: Cell, removed: &mut Vec<(Cell, Digit)>) -> Result<(), Contradiction> {
        let open = self.at(cell);
        if !open.contains(digit) {
            return Err(Contradiction);
        }
        self.open[cell.index()] = DigitSet::of(digit);
        removed.extend(open.without(digit).map(|other| (cell, other)));
        Ok(())
    }

    /// The first cell in reading order among those with the fewest digits above one; `None` when all are filled.
    fn cell_with_fewest_digits(&self) -> Option<Cell> {
        let mut best = None;
        let mut fewest = usize::MAX;
        for cell in self.order.cells() {
            let count = self.at(cell).count();
            if count == 2 {
                return Some(cell);
            }
            if count > 2 && count < fewest {
                fewest = count;
                best = Some(cell);
            }
        }
        best
    }

    /// The filled cells.
    fn grid(&self) -> Grid {
        let mut grid = Grid::empty(self.order);
        for cell in self.order.cells() {
            grid.set(cell, self.at(cell).only());
        }
        grid
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Limits;

    #[test]
    fn an_easy_puzzle_needs_no_guess() {
        let puzzle: Grid =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse().unwrap();
        let (count, effort) = Norvig.count(&puzzle, 2, &Limits::none()).unwrap();
        assert_eq!((count, effort.guesses, effort.nodes), (1, 0, 1));
    }

    #[test]
    fn the_last_place_in_a_house_is_found_without_a_guess() {
        // The 1 of the first row fits only into its last cell, which itself could still take 1, 3 and 4.
        let puzzle: Grid = "2....1....1.....".parse().unwrap();
        let board = Board::of(&puzzle).unwrap();
        assert_eq!(board.at(Order::FOUR.cell(0, 3)).only(), Digit::new(1));
    }

    #[test]
    fn the_largest_grid_fits_on_the_stack() {
        let order = Order::boxes(8, 8).unwrap();
        let shifted = |row: usize, column: usize| ((row * 8 + row / 8 + column) % 64 + 1) as u8;
        let full: Vec<u8> = (0..64).flat_map(|row| (0..64).map(move |column| shifted(row, column))).collect();
        let mut puzzle = Grid::from_numbers(order, &full).unwrap();
        for cell in order.cells().filter(|cell| cell.index() % 3 == 0) {
            puzzle.set(cell, None);
        }
        let (solution, _) = Norvig.first(&puzzle, &Limits::nodes(10_000)).unwrap();
        assert!(solution.is_some());
    }
}
