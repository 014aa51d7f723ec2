//! Solves all puzzles of a column.
//!
//! Rows that are plain 9×9 lines (81 bytes, one per cell) are solved by the batch solver, which
//! handles many puzzles at a time. All other rows are parsed as grids and solved one by one.

use arrow::array::{Array, StringViewArray};
use ninefold::grid::{Grid, Solutions, text};
use ninefold::search::batch::Batch;
use ninefold::search::nine::{self, Line};
use ninefold::{Limits, solutions_within};
use std::ops::ControlFlow;

/// The node limit for grids that are not 9×9, so that one row cannot block a query. A node limit
/// gives the same results on every machine, unlike a time limit.
pub const NODES: u64 = 1_000_000;

/// The length of a plain 9×9 line in bytes.
pub const LINE: usize = 81;

/// The outcomes of all rows of a column.
pub struct Outcomes {
    pub rows: Vec<Outcome>,
    /// The solutions of plain 9×9 lines, 81 digits per row; arbitrary digits in rows that are not
    /// [`Outcome::Line`].
    pub lines: Vec<u8>,
}

/// The outcome of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Null,
    /// The row is not a valid puzzle, with the reason.
    Invalid(String),
    NoSolution,
    /// A plain 9×9 line with one solution, which is in [`Outcomes::lines`].
    Line,
    /// Another grid, with its unique solution.
    Grid(Box<Grid>),
    Several,
    /// The search reached the node limit.
    Unfinished,
}

impl Outcome {
    /// Whether there is exactly one solution.
    pub fn is_proper(&self) -> bool {
        matches!(self, Outcome::Line | Outcome::Grid(_))
    }

    /// Why there is not exactly one solution; `None` if there is, or if the row is NULL.
    pub fn reason(&self) -> Option<String> {
        match self {
            Outcome::Null | Outcome::Line | Outcome::Grid(_) => None,
            Outcome::Invalid(reason) => Some(reason.clone()),
            Outcome::NoSolution => Some("there is no solution".to_string()),
            Outcome::Several => Some("there is more than one solution".to_string()),
            Outcome::Unfinished => Some(format!("the search was given up after {NODES} nodes")),
        }
    }
}

/// A plain 9×9 puzzle with one byte per cell; `None` for all other texts.
pub fn plain(puzzle: &str) -> Option<&Line> {
    let line: &Line = puzzle.as_bytes().try_into().ok()?;
    let is_cell = |byte: u8| matches!(byte, b'0'..=b'9' | b'.' | b'_' | b'*' | b'x' | b'X');
    // Almost all lines are plain, so checking all bytes without branches is faster than stopping
    // early.
    line.iter().fold(true, |so_far, &byte| so_far & is_cell(byte)).then_some(line)
}

/// Parses a puzzle whose clues satisfy the rules; returns the error message otherwise. JSON objects
/// and links may contain rules of the puzzle's own.
pub fn grid(puzzle: &str) -> Result<Grid, String> {
    let Some(line) = plain(puzzle) else {
        if puzzle.trim_start().starts_with('{') || puzzle.contains("://") {
            return with_rules(puzzle);
        }
        return text::parse(puzzle, None).map_err(|error| error.to_string());
    };
    let grid = nine::grid(line);
    match grid.conflict() {
        Some(conflict) => Err(conflict.to_string()),
        None => Ok(grid),
    }
}

/// Parses a puzzle for a function that is only defined for classic Sudoku. `what` is named in the
/// error, for example "ratings are".
pub fn classic_grid(puzzle: &str, what: &'static str) -> Result<Grid, String> {
    let grid = grid(puzzle)?;
    grid.require_classic(what).map_err(|error| error.to_string())?;
    Ok(grid)
}

fn with_rules(puzzle: &str) -> Result<Grid, String> {
    let (_, mut records) =
        ninefold_formats::read_any(puzzle.as_bytes(), None).map_err(|error| error.to_string())?;
    let record = records.next().ok_or("the text contains no puzzle")?;
    let entry = record.and_then(|record| record.entry()).map_err(|error| error.to_string())?;
    match entry.unknown_rules.is_empty() {
        true => Ok(entry.puzzle),
        false => Err(format!(
            "this board has rules that Ninefold does not know: {}",
            entry.unknown_rules.join("; ")
        )),
    }
}

/// The plain lines of a column and their row indices.
pub fn lines(puzzles: &StringViewArray) -> (Vec<usize>, Vec<Line>) {
    let (mut rows, mut lines) =
        (Vec::with_capacity(puzzles.len()), Vec::with_capacity(puzzles.len()));
    for (row, puzzle) in puzzles.iter().enumerate() {
        if let Some(line) = puzzle.and_then(plain) {
            rows.push(row);
            lines.push(*line);
        }
    }
    (rows, lines)
}

/// Solves every row of a column.
pub fn solve_column(puzzles: &StringViewArray) -> Outcomes {
    let (rows, lines) = lines(puzzles);
    let mut outcomes = vec![Outcome::Null; puzzles.len()];
    let mut solutions = vec![b'0'; LINE * puzzles.len()];
    // A second solution overwrites the first. The tallies contain the number of solutions.
    let mut visit = |place: usize, solution: &Line| {
        solutions[LINE * rows[place]..][..LINE].copy_from_slice(solution);
        ControlFlow::Continue(())
    };
    let (tallies, _) = Batch::BEST.solve_all(&lines, 2, &Limits::none(), &mut visit);
    for (&row, tally) in rows.iter().zip(&tallies) {
        outcomes[row] = match tally.solutions {
            0 => grid(puzzles.value(row)).map_or_else(Outcome::Invalid, |_| Outcome::NoSolution),
            1 => Outcome::Line,
            _ => Outcome::Several,
        }
    }
    if rows.len() < puzzles.len() {
        for (outcome, puzzle) in outcomes.iter_mut().zip(puzzles) {
            if let Some(puzzle) = puzzle.filter(|puzzle| plain(puzzle).is_none()) {
                *outcome = grid(puzzle).map_or_else(Outcome::Invalid, |grid| solve_grid(&grid));
            }
        }
    }
    Outcomes { rows: outcomes, lines: solutions }
}

/// Solves one grid.
pub fn solve_grid(puzzle: &Grid) -> Outcome {
    match solutions_within(puzzle, &Limits::none().with_nodes(NODES)) {
        Some(Solutions::Zero) => Outcome::NoSolution,
        Some(Solutions::One(only)) => Outcome::Grid(Box::new(only)),
        Some(Solutions::Many(..)) => Outcome::Several,
        None => Outcome::Unfinished,
    }
}
