//! Parquet: this is where we read and write tables of puzzles as Parquet files.
//!
//! The columns are those of the CSV tables: one is called after a puzzle (`question`, `puzzle`, `quizzes` …), others
//! perhaps after its solution, its rating, its source and a position. A file is read page by page and written row group by
//! row group, so files of any length take the same memory.

mod read;
mod write;

pub use ::parquet::file::reader::ChunkReader;
pub use read::{Rows, read};
pub use write::ROWS_PER_GROUP;
pub(crate) use write::TableWriter;

/// Why a file is not a table of puzzles.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The file is cut off, damaged, or of another kind.
    #[error("not a Parquet file, or one that is cut off or damaged: {0}")]
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
}
