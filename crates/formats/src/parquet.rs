//! Reads and writes tables of puzzles as Parquet files.
//!
//! The columns are the same as in CSV tables: one for the puzzle (`puzzle`, `quizzes`, `question`
//! …), and optional ones for solution, rating, source and position. Files are read page by page and
//! written row group by row group, so memory use does not depend on the file size.

mod read;
mod source;
mod write;

pub use ::parquet::file::reader::ChunkReader;
pub use read::{Rows, panics_are_errors, read};
pub use write::ROWS_PER_GROUP;
pub(crate) use write::TableWriter;

/// The error for a file that is not a table of puzzles.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The file is incomplete, damaged, or not a Parquet file.
    #[error("not a Parquet file, or an incomplete or damaged one: {0}")]
    Damaged(String),
    /// No column has a name for puzzles.
    #[error("expected a column puzzle, quizzes or question, found {found}")]
    NoPuzzles {
        /// The column names of the table.
        found: String,
    },
    /// A column does not contain one string or number per row.
    #[error("column {column}: expected one string or number per row, found {found}")]
    NotText {
        /// The name of the column.
        column: String,
        /// The contents of the column.
        found: String,
    },
}
