//! What is wrong with a file, and where.

use ninefold::grid::marks::ParseMarksError;
use ninefold::grid::{Cell, Order, ParseGridError};
use std::fmt;

/// Something in a file that is not a puzzle.
#[derive(Debug, thiserror::Error)]
#[error("{location}: {reason}")]
pub struct ReadError {
    /// Where it stands.
    pub location: Location,
    /// What is wrong.
    pub reason: Reason,
}

/// Where a record stands in its stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// The line at which it starts, counted from 1.
    Line(u64),
    /// The row of a Parquet table.
    Row {
        /// The row group, counted from 1.
        group: usize,
        /// The row of the whole table, counted from 1.
        row: u64,
    },
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::Line(line) => write!(f, "line {line}"),
            Location::Row { group, row } => write!(f, "row group {group}, row {row}"),
        }
    }
}

/// What can be wrong with a record.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The puzzle cannot be read; the message names the row and the column.
    #[error(transparent)]
    Puzzle(#[from] ParseGridError),
    /// The pencil marks cannot be read.
    #[error(transparent)]
    Marks(#[from] ParseMarksError),
    /// The position cannot be read.
    #[error("the position: {0}")]
    Position(ParseGridError),
    /// The solution cannot be read.
    #[error("the solution: {0}")]
    Solution(ParseGridError),
    /// The solution does not solve the puzzle.
    #[error("the solution breaks the rules or does not keep the clues")]
    WrongSolution,
    /// A cell is wrong in its format's own way.
    #[error("row {row}, column {column}: {what}")]
    Cell {
        /// The row, counted from 1.
        row: usize,
        /// The column, counted from 1.
        column: usize,
        /// What is wrong with it.
        what: String,
    },
    /// The format asks for something that is not there.
    #[error("{0}")]
    Syntax(String),
    /// The bytes are not text.
    #[error("the line is not UTF-8 text")]
    NotText,
    /// The line or object is longer than any puzzle.
    #[error("more than {limit} bytes without an end")]
    TooLong {
        /// The longest that is read.
        limit: usize,
    },
    /// The stream broke off, or is damaged; nothing more can be read.
    #[error("the stream cannot be read: {0}")]
    Stream(std::io::Error),
    /// A Parquet file is not a table of puzzles; nothing more can be read.
    #[cfg(feature = "parquet")]
    #[error(transparent)]
    Table(#[from] crate::parquet::TableError),
}

impl Reason {
    pub(crate) fn syntax(what: impl Into<String>) -> Reason {
        Reason::Syntax(what.into())
    }

    pub(crate) fn cell(order: Order, cell: Cell, what: impl Into<String>) -> Reason {
        Reason::Cell {
            row: order.row_of(cell) + 1,
            column: order.column_of(cell) + 1,
            what: what.into(),
        }
    }

    pub(crate) fn at_line(self, line: u64) -> ReadError {
        ReadError { location: Location::Line(line), reason: self }
    }
}

impl ReadError {
    /// Did the stream itself fail? Then nothing more can be read.
    pub fn is_fatal(&self) -> bool {
        match self.reason {
            Reason::Stream(_) => true,
            #[cfg(feature = "parquet")]
            Reason::Table(_) => true,
            _ => false,
        }
    }
}
