//! Places and digits: this is where we say what a Sudoku is.
//!
//! The size is a value inside a [`Grid`]: its [`Order`] knows the houses and the peers of every cell. A grid may
//! break the rules (a player's grid often does); [`Grid::conflict`] says where.

mod blanks;
mod candidates;
mod cell_set;
mod digit;
pub mod marks;
mod order;
mod position;
#[cfg(feature = "serde")]
mod serial;
mod solutions;
mod symmetry;
pub mod text;

pub use candidates::{Candidates, Places};
pub(crate) use cell_set::CellSet;
pub use digit::{Digit, DigitError, DigitSet};
pub use order::{Cell, House, Order, OrderError};
pub use position::{DifferentSizes, Position};
pub use solutions::Solutions;
pub use symmetry::Symmetry;
pub use text::ParseGridError;

use std::fmt;
use std::ops::Index;

/// A Sudoku of any size: each cell holds a digit or is empty.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Grid {
    order: Order,
    digits: Box<[Option<Digit>]>,
}

/// Two equal digits in one house.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The size of the grid, needed to name the cells.
    pub order: Order,
    /// The digit that stands twice.
    pub digit: Digit,
    /// The house that holds it twice.
    pub house: House,
    /// The earlier of the two cells in reading order.
    pub first: Cell,
    /// The later of the two cells in reading order.
    pub second: Cell,
}

impl Grid {
    /// A grid of the given order without any digit.
    pub fn empty(order: Order) -> Grid {
        Grid { order, digits: vec![None; order.cell_count()].into() }
    }

    /// A grid from numbers in reading order, 0 for an empty cell; `None` if the count or a number does not fit.
    pub fn from_numbers(order: Order, numbers: &[u8]) -> Option<Grid> {
        let fits = numbers.len() == order.cell_count()
            && numbers.iter().all(|&n| usize::from(n) <= order.side());
        fits.then(|| Grid { order, digits: numbers.iter().map(|&n| Digit::new(n)).collect() })
    }

    /// The numbers in reading order, 0 for an empty cell.
    pub fn numbers(&self) -> impl Iterator<Item = u8> + '_ {
        self.digits.iter().map(|digit| digit.map_or(0, Digit::number))
    }

    /// The size and the shape of the boxes.
    pub fn order(&self) -> Order {
        self.order
    }

    /// Writes a digit into a cell, or clears it.
    ///
    /// # Panics
    /// If the cell or the digit does not belong to a grid of this order.
    pub fn set(&mut self, cell: Cell, digit: Option<Digit>) {
        if let Some(digit) = digit {
            assert!(
                digit.index() < self.order.side(),
                "{digit} does not fit into a grid of {}",
                self.order
            );
        }
        self.digits[cell.index()] = digit;
    }

    /// This grid with one more digit.
    #[must_use]
    pub fn with(&self, cell: Cell, digit: Digit) -> Grid {
        let mut grid = self.clone();
        grid.set(cell, Some(digit));
        grid
    }

    /// This grid with one cell cleared.
    #[must_use]
    pub fn without(&self, cell: Cell) -> Grid {
        let mut grid = self.clone();
        grid.set(cell, None);
        grid
    }

    /// The filled cells with their digits, in reading order.
    pub fn clues(&self) -> impl Iterator<Item = (Cell, Digit)> + '_ {
        self.order.cells().filter_map(|cell| self[cell].map(|digit| (cell, digit)))
    }

    /// The empty cells, in reading order.
    pub fn empty_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.order.cells().filter(|&cell| self[cell].is_none())
    }

    /// How many cells are filled.
    pub fn clue_count(&self) -> usize {
        self.digits.iter().flatten().count()
    }

    /// Is every cell filled?
    pub fn is_full(&self) -> bool {
        self.digits.iter().all(Option::is_some)
    }

    /// The first pair of equal digits in one house, if there is one.
    pub fn conflict(&self) -> Option<Conflict> {
        for house in self.order.houses() {
            let mut holder: [Option<Cell>; Order::MAX_SIDE] = [None; Order::MAX_SIDE];
            for &second in self.order.cells_in(house) {
                let Some(digit) = self[second] else { continue };
                if let Some(first) = holder[digit.index()].replace(second) {
                    return Some(Conflict { order: self.order, digit, house, first, second });
                }
            }
        }
        None
    }

    /// Is this a complete grid that keeps all rules?
    pub fn is_solved(&self) -> bool {
        self.is_full() && self.conflict().is_none()
    }

    /// Is this a complete grid that keeps all rules and all digits of `puzzle`?
    pub fn solves(&self, puzzle: &Grid) -> bool {
        self.order == puzzle.order
            && puzzle.clues().all(|(cell, digit)| self[cell] == Some(digit))
            && self.is_solved()
    }
}

impl Index<Cell> for Grid {
    type Output = Option<Digit>;

    fn index(&self, cell: Cell) -> &Option<Digit> {
        &self.digits[cell.index()]
    }
}

/// One line, cell by cell; `{:#}` draws the grid with its boxes.
impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() { f.write_str(&text::drawn(self)) } else { f.write_str(&text::line(self)) }
    }
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Grid({}: {})", self.order, text::line(self))
    }
}

/// Reads a line, a drawn grid or numbers; see [`text::read`]. Equal digits in one house are an error here.
impl std::str::FromStr for Grid {
    type Err = ParseGridError;

    fn from_str(text: &str) -> Result<Grid, ParseGridError> {
        text::read(text, None)
    }
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Conflict { order, digit, house, first, second } = *self;
        write!(
            f,
            "row {}, column {}: a second {} in {house}, the first is in row {}, column {}",
            order.row_of(second) + 1,
            order.column_of(second) + 1,
            text::symbol(order, digit),
            order.row_of(first) + 1,
            order.column_of(first) + 1,
        )
    }
}

impl std::error::Error for Conflict {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conflict_names_the_house_and_both_cells() {
        let mut grid = Grid::empty(Order::NINE);
        grid.set(Order::NINE.cell(0, 0), Digit::new(5));
        grid.set(Order::NINE.cell(1, 2), Digit::new(5));
        let conflict = grid.conflict().expect("two fives in box 1");
        assert_eq!(conflict.house, House::Box(0));
        assert_eq!(
            conflict.to_string(),
            "row 2, column 3: a second 5 in box 1, the first is in row 1, column 1"
        );
    }

    #[test]
    fn a_grid_solves_only_a_puzzle_whose_digits_it_keeps() {
        let solution =
            Grid::from_numbers(Order::FOUR, &[1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1])
                .unwrap();
        assert!(solution.is_solved());
        assert!(solution.solves(&Grid::empty(Order::FOUR)));
        let other = Grid::empty(Order::FOUR).with(Order::FOUR.cell(0, 0), Digit::new(2).unwrap());
        assert!(!solution.solves(&other));
        assert!(!solution.without(Order::FOUR.cell(3, 3)).is_solved());
    }

    #[test]
    fn numbers_that_do_not_fit_make_no_grid() {
        assert_eq!(Grid::from_numbers(Order::FOUR, &[5; 16]), None);
        assert_eq!(Grid::from_numbers(Order::FOUR, &[0; 15]), None);
    }
}
