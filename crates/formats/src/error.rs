//! Errors in puzzle files, with their location.

use ninefold::grid::marks::ParseMarksError;
use ninefold::grid::{Cell, Order, ParseGridError};
use std::fmt;

/// An error in a puzzle file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[error("{location}: {kind}")]
pub struct ReadError {
    /// The location of the record.
    pub location: Location,
    /// The kind of error.
    pub kind: ReadErrorKind,
}

/// The location of a record in its stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Location {
    /// The first line of the record, counted from 1.
    Line(u64),
    /// A row of a Parquet table.
    Row {
        /// The row group, counted from 1.
        group: usize,
        /// The row within the table, counted from 1.
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

/// The kinds of errors in a record.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// The puzzle is invalid; the message contains the row and the column.
    #[error(transparent)]
    Puzzle(#[from] ParseGridError),
    /// The pencil marks are invalid.
    #[error(transparent)]
    Marks(#[from] ParseMarksError),
    /// The position is invalid.
    #[error("position: {0}")]
    Position(ParseGridError),
    /// The solution is invalid.
    #[error("solution: {0}")]
    Solution(ParseGridError),
    /// The solution does not solve the puzzle.
    #[error("the solution breaks the rules or contradicts the clues")]
    WrongSolution,
    /// A rule of the puzzle is invalid.
    #[error(transparent)]
    Rules(#[from] crate::rules::ReadRulesError),
    /// A cell is invalid.
    #[error("row {row}, column {column}: {message}")]
    Cell {
        /// The row, counted from 1.
        row: usize,
        /// The column, counted from 1.
        column: usize,
        /// The problem with the cell.
        message: String,
    },
    /// The record does not follow the syntax of its format.
    #[error("{0}")]
    Syntax(String),
    /// The bytes are not UTF-8.
    #[error("invalid UTF-8")]
    NotText,
    /// The input line or JSON object is longer than any puzzle.
    #[error("input line or JSON object is longer than {limit} bytes")]
    TooLong {
        /// The maximum length in bytes.
        limit: usize,
    },
    /// Reading failed, or the stream is damaged; no further records follow.
    #[error("read error: {0}")]
    Stream(std::io::Error),
    /// A Parquet file does not contain a table of puzzles; no further records follow.
    #[cfg(feature = "parquet")]
    #[error(transparent)]
    Table(#[from] crate::parquet::TableError),
}

impl ReadErrorKind {
    pub(crate) fn syntax(message: impl Into<String>) -> ReadErrorKind {
        ReadErrorKind::Syntax(message.into())
    }

    pub(crate) fn cell(order: Order, cell: Cell, message: impl Into<String>) -> ReadErrorKind {
        ReadErrorKind::Cell {
            row: order.row_of(cell) + 1,
            column: order.column_of(cell) + 1,
            message: message.into(),
        }
    }

    pub(crate) fn at_line(self, line: u64) -> ReadError {
        ReadError { location: Location::Line(line), kind: self }
    }
}

impl ReadError {
    /// Whether reading the stream itself failed, so that no further records follow.
    pub fn is_fatal(&self) -> bool {
        match self.kind {
            ReadErrorKind::Stream(_) => true,
            #[cfg(feature = "parquet")]
            ReadErrorKind::Table(_) => true,
            _ => false,
        }
    }
}
