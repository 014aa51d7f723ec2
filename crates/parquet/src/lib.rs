//! Parquet: this is where we read and write tables of puzzles as Parquet files.
//!
//! The columns are those of the CSV tables: one is called after a puzzle (`question`, `puzzle`, `quizzes` …), others
//! perhaps after its solution, its rating and its source. A file is read page by page and written row group by row
//! group, so files of any length take the same memory.
//!
//! It is a crate of its own because the library opens no files and depends on nothing that does.
#![forbid(unsafe_code)]

mod read;
mod write;

pub use parquet::file::reader::ChunkReader;
pub use read::{BadRow, Rows, open};
pub use write::{ROWS_PER_GROUP, Writer};

/// The four bytes that every Parquet file begins and ends with.
pub const MAGIC: &[u8; 4] = b"PAR1";

/// Why a file is no table of puzzles, or cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The file is cut off, damaged, or of another kind.
    #[error("no Parquet file, or one that is cut off or damaged: {0}")]
    Damaged(String),
    /// No column is called after a puzzle.
    #[error("no column is called quizzes, question or puzzle; there is {found}")]
    NoPuzzles {
        /// The columns of the table.
        found: String,
    },
    /// A column holds something else than one text or number in each row.
    #[error("the column {column} holds {found}, not one text in each row")]
    NotText {
        /// The column.
        column: String,
        /// What it holds.
        found: String,
    },
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] std::io::Error),
}

impl From<TableError> for std::io::Error {
    fn from(error: TableError) -> std::io::Error {
        match error {
            TableError::Write(error) => error,
            other => std::io::Error::other(other),
        }
    }
}
