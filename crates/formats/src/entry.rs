//! The parsed form of a record: a puzzle and what its file contains about it.

use crate::boards::with_rules;
use crate::error::ReadErrorKind;
use ninefold::grid::{Candidates, Digit, DigitSet, Grid, Order, ParseGridError, text};

/// A puzzle with everything else that its record contains.
///
/// ```
/// use ninefold_formats::Entry;
///
/// let entry = Entry::new("1..4..1..3..4..3".parse()?).with_rating("easy".to_string());
/// let (puzzle, candidates) = entry.start();
/// assert_eq!(candidates.grid(), &puzzle, "without a position, solving starts from the clues");
/// # Ok::<(), ninefold::grid::ParseGridError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// The clues.
    pub puzzle: Grid,
    /// A partly solved grid with its candidates; digits that a player placed may break the rules.
    pub position: Option<Candidates>,
    /// The solution, checked against the clues.
    pub solution: Option<Grid>,
    /// A rating, as written in the file.
    pub rating: Option<String>,
    /// The origin of the puzzle, as written in the file.
    pub source: Option<String>,
    /// The author of the puzzle.
    pub author: Option<String>,
    /// The rules in words, as written in the file.
    pub ruleset: Option<String>,
    /// Rules in the file that Ninefold does not understand: unknown kinds, drawings, and sentences
    /// of the text. If there are any, solutions ignore them.
    pub unknown_rules: Vec<String>,
}

impl Entry {
    /// An entry that contains only a puzzle.
    pub fn new(puzzle: Grid) -> Entry {
        Entry {
            puzzle,
            position: None,
            solution: None,
            rating: None,
            source: None,
            author: None,
            ruleset: None,
            unknown_rules: Vec::new(),
        }
    }

    /// Sets the position.
    #[must_use]
    pub fn with_position(self, position: impl Into<Option<Candidates>>) -> Entry {
        Entry { position: position.into(), ..self }
    }

    /// Sets the solution, which is not checked.
    #[must_use]
    pub fn with_solution(self, solution: impl Into<Option<Grid>>) -> Entry {
        Entry { solution: solution.into(), ..self }
    }

    /// Sets the rating.
    #[must_use]
    pub fn with_rating(self, rating: impl Into<Option<String>>) -> Entry {
        Entry { rating: rating.into(), ..self }
    }

    /// Sets the source.
    #[must_use]
    pub fn with_source(self, source: impl Into<Option<String>>) -> Entry {
        Entry { source: source.into(), ..self }
    }

    /// Sets the author.
    #[must_use]
    pub fn with_author(self, author: impl Into<Option<String>>) -> Entry {
        Entry { author: author.into(), ..self }
    }

    /// Sets the rules in words.
    #[must_use]
    pub fn with_ruleset(self, ruleset: impl Into<Option<String>>) -> Entry {
        Entry { ruleset: ruleset.into(), ..self }
    }

    /// Sets the rules that are not understood.
    #[must_use]
    pub fn with_unknown_rules(self, unknown_rules: Vec<String>) -> Entry {
        Entry { unknown_rules, ..self }
    }

    /// The clues, and the position to continue from. If the entry stores no position, it consists
    /// of the clues and all candidates that they leave.
    pub fn start(&self) -> (Grid, Candidates) {
        let position = self.position.clone().unwrap_or_else(|| candidates_for(&self.puzzle));
        (self.puzzle.clone(), position)
    }
}

/// Options for parsing a record.
#[derive(Clone, Copy)]
pub(crate) struct ParseOptions {
    /// The size; required only where the boxes are ambiguous or unusual.
    pub(crate) order: Option<Order>,
    /// Whether clues may break the rules.
    pub(crate) allow_conflicts: bool,
}

impl ParseOptions {
    /// Parses a grid, using the fast path if possible.
    pub(crate) fn grid(self, text: &str) -> Result<Grid, ParseGridError> {
        match plain_grid(text, self.order) {
            Some(grid) => Ok(grid),
            None if self.allow_conflicts => text::parse_position(text, self.order),
            None => text::parse(text, self.order),
        }
    }

    /// Returns the grid, or an error if it breaks the rules and that is not allowed.
    pub(crate) fn checked(self, grid: Grid) -> Result<Grid, ReadErrorKind> {
        match grid.conflict().filter(|_| !self.allow_conflicts) {
            Some(conflict) => Err(ParseGridError::from(conflict).into()),
            None => Ok(grid),
        }
    }
}

/// Fast path for plain grids up to 9×9 with one byte per cell; `None` if anything is unusual.
///
/// Measured on 17-clue puzzles: 372,000 lines per second through [`text::parse`] alone.
fn plain_grid(word: &str, order: Option<Order>) -> Option<Grid> {
    let order =
        order.or_else(|| Order::from_cell_count(word.len())).filter(|order| order.side() <= 9)?;
    let mut numbers = [0u8; 81];
    let numbers = numbers.get_mut(..word.len())?;
    // For each row, column and box, a bit set of the digits found so far, to detect duplicates.
    let mut seen = [[0u16; 9]; 3];
    for (cell, (number, symbol)) in order.cells().zip(numbers.iter_mut().zip(word.bytes())) {
        match symbol {
            b'.' | b'0' | b'_' | b'*' | b'x' | b'X' => {}
            b'1'..=b'9' => {
                *number = symbol - b'0';
                let houses = [order.row_of(cell), order.column_of(cell), order.box_of(cell)];
                for (kind, house) in houses.into_iter().enumerate() {
                    if seen[kind][house] >> *number & 1 == 1 {
                        return None;
                    }
                    seen[kind][house] |= 1 << *number;
                }
            }
            _ => return None,
        }
    }
    Grid::from_numbers(order, numbers)
}

/// Parses a solution and checks it against the puzzle. A text that is too short to be a grid is
/// ignored, because some tables store a number there.
pub(crate) fn parse_solution(text: &str, puzzle: &Grid) -> Result<Option<Grid>, ReadErrorKind> {
    if text.trim().len() < 16 {
        return Ok(None);
    }
    let solution = text::parse(text, Some(puzzle.order())).map_err(ReadErrorKind::Solution)?;
    let solution = puzzle.rules().map_or(solution.clone(), |rules| with_rules(solution, rules));
    if solution.solves(puzzle) { Ok(Some(solution)) } else { Err(ReadErrorKind::WrongSolution) }
}

/// The candidates that the digits of a grid leave, even if these break the rules.
pub(crate) fn candidates_for(grid: &Grid) -> Candidates {
    Candidates::new(grid).unwrap_or_else(|_| {
        let mut candidates = Candidates::empty(grid);
        for cell in grid.empty_cells() {
            candidates.set(cell, digits_left(grid, cell));
        }
        candidates
    })
}

/// The digits that occur in no peer of a cell.
pub(crate) fn digits_left(grid: &Grid, cell: ninefold::grid::Cell) -> DigitSet {
    let order = grid.order();
    let seen: DigitSet = order.peers_of(cell).iter().filter_map(|&peer| grid[peer]).collect();
    order.digits() - seen
}

/// The first clue that is missing or different in a position.
pub(crate) fn changed_clue(
    puzzle: &Grid,
    position: &Grid,
) -> Option<(ninefold::grid::Cell, Digit)> {
    puzzle.clues().find(|&(cell, digit)| position[cell] != Some(digit))
}
