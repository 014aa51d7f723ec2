//! Grids, cells, digits and candidates: the basic types of a Sudoku.
//!
//! Every [`Grid`] contains its size as an [`Order`], which lists the houses (rows, columns and
//! boxes) and the peers of every cell (the cells that share a house with it). A grid may also have
//! [`rules`] of its own: irregular regions, cages, thermometers and more. A grid may break its
//! rules, as a player's grid often does; [`Grid::violation`] returns the first violation.

mod blanks;
mod candidates;
mod cell_set;
mod digit;
pub mod marks;
mod order;
mod position;
pub mod rules;
#[cfg(feature = "serde")]
mod serial;
mod solutions;
mod symmetry;
pub mod text;
mod violation;

pub use candidates::{Candidates, Places};
pub(crate) use cell_set::CellSet;
pub use digit::{Digit, DigitError, DigitSet};
pub use order::{Cell, House, Order, OrderError};
pub use position::{DifferentSizesError, Position};
pub use solutions::Solutions;
pub use symmetry::Symmetry;
pub use text::ParseGridError;
pub use violation::{ClassicOnlyError, Violation};

use rules::Rules;
use std::fmt;
use std::ops::Index;
use std::sync::Arc;

/// A Sudoku grid of any size. Each cell contains a digit or is empty.
///
/// Most grids follow the classic rules. A grid with other rules carries them
/// ([`Grid::with_rules`]), so a grid that solves it, or one that is compared with it, has the same
/// rules.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Grid {
    order: Order,
    /// `None` for the classic rules.
    rules: Option<Arc<Rules>>,
    digits: Box<[Option<Digit>]>,
}

/// Two equal digits in one house.
///
/// Functions that require clues that follow the rules return it as an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conflict {
    /// The size of the grid, needed to name the cells.
    pub order: Order,
    /// The repeated digit.
    pub digit: Digit,
    /// The house that contains it twice.
    pub house: House,
    /// The first of the two cells in reading order.
    pub first: Cell,
    /// The second of the two cells in reading order.
    pub second: Cell,
}

impl Grid {
    /// An empty grid of this order, with the classic rules if the order has boxes.
    pub fn empty(order: Order) -> Grid {
        let digits = vec![None; order.cell_count()].into();
        Grid { order, rules: rules_without_boxes(order), digits }
    }

    /// An empty grid with these rules.
    pub fn empty_with(rules: Arc<Rules>) -> Grid {
        let order = rules.order();
        Grid { rules: None, ..Grid::empty(order) }.with_rules(rules)
    }

    /// The same digits with other rules.
    ///
    /// ```
    /// use ninefold::grid::rules::{Constraint, Diagonal, Rules};
    /// use ninefold::grid::{Grid, Order};
    /// use std::sync::Arc;
    ///
    /// let rules = Rules::classic(Order::FOUR).with(Constraint::Diagonal(Diagonal::Rising))?;
    /// let puzzle: Grid = "1...............".parse()?;
    /// let puzzle = puzzle.with_rules(Arc::new(rules));
    /// assert!(puzzle.rules().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the rules are for another side.
    #[must_use]
    pub fn with_rules(self, rules: Arc<Rules>) -> Grid {
        let order = rules.order();
        assert_eq!(order.side(), self.order.side(), "the rules are for a grid of another side");
        let rules = (!rules.is_classic()).then_some(rules);
        Grid { order, rules, ..self }
    }

    /// The rules of the grid; `None` means rows, columns and rectangular boxes and nothing else.
    pub fn rules(&self) -> Option<&Arc<Rules>> {
        self.rules.as_ref()
    }

    /// The cells of a house in reading order, including the houses that rules add.
    pub fn cells_in(&self, house: House) -> &[Cell] {
        match (&self.rules, house) {
            (Some(rules), House::Region(_) | House::Extra(_)) => rules.links().cells_in(house),
            _ => self.order.cells_in(house),
        }
    }

    /// All houses: rows, columns, boxes, and those that rules add.
    pub fn houses(&self) -> impl Iterator<Item = House> + '_ {
        let added = self.rules.iter().flat_map(|rules| rules.links().houses());
        self.order.houses().chain(added)
    }

    /// An error if the grid has other rules than the classic ones. `what` is named in the error as
    /// the subject, for example "SE ratings are".
    pub fn require_classic(&self, what: &'static str) -> Result<(), ClassicOnlyError> {
        match &self.rules {
            None => Ok(()),
            Some(rules) => Err(ClassicOnlyError::new(what, rules)),
        }
    }

    /// Creates a grid from numbers in reading order, 0 for an empty cell. Returns `None` if the
    /// length or a number does not fit the order.
    pub fn from_numbers(order: Order, numbers: &[u8]) -> Option<Grid> {
        let fits = numbers.len() == order.cell_count()
            && numbers.iter().all(|&n| usize::from(n) <= order.side());
        fits.then(|| {
            let digits = numbers.iter().map(|&n| Digit::new(n)).collect();
            Grid { order, rules: rules_without_boxes(order), digits }
        })
    }

    /// The numbers in reading order, 0 for an empty cell.
    pub fn numbers(&self) -> impl Iterator<Item = u8> + '_ {
        self.digits.iter().map(|digit| digit.map_or(0, Digit::number))
    }

    /// The size of the grid and the shape of its boxes.
    pub fn order(&self) -> Order {
        self.order
    }

    /// Writes a digit into a cell, or clears the cell.
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

    /// A copy of this grid with one more digit.
    #[must_use]
    pub fn with(&self, cell: Cell, digit: Digit) -> Grid {
        let mut grid = self.clone();
        grid.set(cell, Some(digit));
        grid
    }

    /// A copy of this grid with one cell cleared.
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

    /// The number of filled cells.
    pub fn clue_count(&self) -> usize {
        self.digits.iter().flatten().count()
    }

    /// Whether every cell is filled.
    pub fn is_full(&self) -> bool {
        self.digits.iter().all(Option::is_some)
    }

    /// The first pair of equal digits in one row, column or rectangular box, if any.
    ///
    /// [`Grid::violation`] also finds violations of other rules.
    pub fn conflict(&self) -> Option<Conflict> {
        for house in self.order.houses() {
            let mut first_cell: [Option<Cell>; Order::MAX_SIDE] = [None; Order::MAX_SIDE];
            for &second in self.order.cells_in(house) {
                let Some(digit) = self[second] else { continue };
                if let Some(first) = first_cell[digit.index()].replace(second) {
                    return Some(Conflict { order: self.order, digit, house, first, second });
                }
            }
        }
        None
    }

    /// Whether the grid is full and follows its rules.
    pub fn is_solved(&self) -> bool {
        match &self.rules {
            None => self.is_full() && self.conflict().is_none(),
            Some(rules) => {
                let digits: Option<Vec<Digit>> = self.digits.iter().copied().collect();
                digits.is_some_and(|digits| rules.hold_for(&digits))
            }
        }
    }

    /// Whether the grid is full, has the rules of `puzzle`, follows them and contains all digits of
    /// `puzzle`.
    pub fn solves(&self, puzzle: &Grid) -> bool {
        self.order == puzzle.order
            && self.has_rules_of(puzzle)
            && puzzle.clues().all(|(cell, digit)| self[cell] == Some(digit))
            && self.is_solved()
    }

    fn has_rules_of(&self, other: &Grid) -> bool {
        match (&self.rules, &other.rules) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a == b,
            _ => false,
        }
    }
}

/// The rules of a new grid. A grid without boxes has only rows and columns, which is not classic.
fn rules_without_boxes(order: Order) -> Option<Arc<Rules>> {
    if order.has_boxes() {
        return None;
    }
    let rules = Rules::without_regions(order.side()).expect("every order has a valid side");
    Some(Arc::new(rules))
}

impl Index<Cell> for Grid {
    type Output = Option<Digit>;

    fn index(&self, cell: Cell) -> &Option<Digit> {
        &self.digits[cell.index()]
    }
}

/// Formats the grid as one line, cell by cell; `{:#}` formats it as a diagram with its boxes.
impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            f.write_str(&text::diagram(self))
        } else {
            f.write_str(&text::line(self))
        }
    }
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Grid({}: {})", self.order, text::line(self))
    }
}

/// Parses a line, a diagram or numbers; see [`text::parse`]. Equal digits in one house are an
/// error.
impl std::str::FromStr for Grid {
    type Err = ParseGridError;

    fn from_str(text: &str) -> Result<Grid, ParseGridError> {
        text::parse(text, None)
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
    fn conflict_contains_the_house_and_both_cells() {
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
    fn solves_only_puzzles_whose_digits_it_contains() {
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
    fn from_numbers_rejects_numbers_that_do_not_fit() {
        assert_eq!(Grid::from_numbers(Order::FOUR, &[5; 16]), None);
        assert_eq!(Grid::from_numbers(Order::FOUR, &[0; 15]), None);
    }
}
