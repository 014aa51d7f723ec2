//! What a search says about each puzzle of a column: this is where rows go through the batch solver.
//!
//! Plain 9×9 lines are solved together, in the lanes of a vector; whatever else stands in a row is read as a grid and goes the
//! ordinary way.

use arrow::array::{Array, StringViewArray};
use ninefold::grid::{Grid, Solutions, text};
use ninefold::search::batch::Batch;
use ninefold::search::nine::{self, Line};
use ninefold::{Limits, solutions_within};
use std::ops::ControlFlow;

/// Searches of grids that are not 9×9 end after so many nodes, so that one row cannot hold up a billion. Nodes and no
/// clock: a row has the same answer on every machine.
pub const NODES: u64 = 1_000_000;

/// Bytes in a plain 9×9 line.
pub const LINE: usize = 81;

/// What is known about the rows of a column.
pub struct Outcomes {
    /// About each row.
    pub rows: Vec<Outcome>,
    /// The solutions of plain 9×9 lines, 81 digits for each row; any digits where a row has no [`Outcome::Line`].
    pub lines: Vec<u8>,
}

/// What is known about a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The row is NULL.
    Null,
    /// It is not a puzzle, and why.
    Unreadable(String),
    /// No grid solves it.
    NoSolution,
    /// A plain 9×9 line has one solution; it stands in the lines.
    Line,
    /// The only solution of another grid.
    Grid(Box<Grid>),
    /// There is more than one solution.
    Several,
    /// The search was given up.
    Unfinished,
}

impl Outcome {
    /// Is there exactly one solution?
    pub fn is_proper(&self) -> bool {
        matches!(self, Outcome::Line | Outcome::Grid(_))
    }

    /// Why there is not exactly one solution; nothing if there is, or if nothing was asked.
    pub fn reason(&self) -> Option<String> {
        match self {
            Outcome::Null | Outcome::Line | Outcome::Grid(_) => None,
            Outcome::Unreadable(reason) => Some(reason.clone()),
            Outcome::NoSolution => Some("there is no solution".to_string()),
            Outcome::Several => Some("there is more than one solution".to_string()),
            Outcome::Unfinished => Some(format!("the search was given up after {NODES} nodes")),
        }
    }
}

/// The bytes of a 9×9 puzzle with a byte for each cell.
pub fn plain(puzzle: &str) -> Option<&Line> {
    let line: &Line = puzzle.as_bytes().try_into().ok()?;
    let is_cell = |byte: u8| matches!(byte, b'0'..=b'9' | b'.' | b'_' | b'*' | b'x' | b'X');
    // Almost all lines are plain. Looking at all bytes is faster than stopping at the first that is not: it takes no branches.
    line.iter().fold(true, |so_far, &byte| so_far & is_cell(byte)).then_some(line)
}

/// The grid of a row, whose clues keep the rules; otherwise what is wrong with it.
pub fn grid(puzzle: &str) -> Result<Grid, String> {
    let Some(line) = plain(puzzle) else {
        return text::read(puzzle, None).map_err(|error| error.to_string());
    };
    let grid = nine::grid(line);
    match grid.conflict() {
        Some(conflict) => Err(conflict.to_string()),
        None => Ok(grid),
    }
}

/// The plain lines of a column and their rows.
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

/// What is known about every row.
pub fn of(puzzles: &StringViewArray) -> Outcomes {
    let (rows, lines) = lines(puzzles);
    let mut outcomes = vec![Outcome::Null; puzzles.len()];
    let mut solutions = vec![b'0'; LINE * puzzles.len()];
    // The second solution of a puzzle overwrites the first; the tallies tell which there was.
    let mut visit = |place: usize, solution: &Line| {
        solutions[LINE * rows[place]..][..LINE].copy_from_slice(solution);
        ControlFlow::Continue(())
    };
    let (tallies, _) = Batch::BEST.solve_all(&lines, 2, &Limits::none(), &mut visit);
    for (&row, tally) in rows.iter().zip(&tallies) {
        outcomes[row] = match tally.solutions {
            0 => grid(puzzles.value(row)).map_or_else(Outcome::Unreadable, |_| Outcome::NoSolution),
            1 => Outcome::Line,
            _ => Outcome::Several,
        }
    }
    if rows.len() < puzzles.len() {
        for (outcome, puzzle) in outcomes.iter_mut().zip(puzzles) {
            if let Some(puzzle) = puzzle.filter(|puzzle| plain(puzzle).is_none()) {
                *outcome = grid(puzzle).map_or_else(Outcome::Unreadable, |grid| of_grid(&grid));
            }
        }
    }
    Outcomes { rows: outcomes, lines: solutions }
}

/// What is known about one grid.
pub fn of_grid(puzzle: &Grid) -> Outcome {
    match solutions_within(puzzle, &Limits::nodes(NODES)) {
        Some(Solutions::Zero) => Outcome::NoSolution,
        Some(Solutions::One(only)) => Outcome::Grid(Box::new(only)),
        Some(Solutions::Many(..)) => Outcome::Several,
        None => Outcome::Unfinished,
    }
}
