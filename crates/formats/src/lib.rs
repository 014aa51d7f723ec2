//! Formats: this is where we read and write puzzles, in every text and table format, from bytes to bytes.
//!
//! ```text
//! bytes ─▶ unpack ─▶ Format::detect ─▶ Records ─▶ Record ─▶ Entry { puzzle, position, solution … } ─▶ Writer ─▶ bytes
//! ```
//! Nothing here opens a file, so a browser can use it as well. A stream is read record by record and written entry by
//! entry, so files of any length take the same memory. A [`Record`] is the text of one puzzle, found but not yet
//! understood; whoever reads understands it, on any thread, as an [`Entry`] or a [`ReadError`] that names the line and, where
//! a cell is wrong, its row and column.
//!
//! | name | one puzzle is | position |
//! |---|---|---|
//! | `line` | a line with a character for each cell; `.`, `0`, `_`, `*`, `x` and blanks are empty; a note may follow after a blank | |
//! | `sdm` | the same, written with `0` (SadMan collections) | |
//! | `drawn` | several lines, with or without bars; an empty line or a title such as `Grid 01` stands between puzzles | |
//! | `numbers` | a line of numbers separated by blanks; [`Pairs`] joins a file of puzzles and one of their solutions | |
//! | `csv` | a row of a table whose first line names the columns, such as Kaggle's `quizzes,solutions` | read |
//! | `tsv`, `semicolon` | the same with tabs or semicolons, written with all columns | yes |
//! | `extreme` | the same; written as `source,question,answer,rating` | read |
//! | `json` | an object with a puzzle in it, in a list or one per line | yes |
//! | `sdk` | a whole file of SadMan Sudoku: `[Puzzle]`, `[State]`, `[PencilMarks]` | yes |
//! | `ss` | a whole file of Simple Sudoku: the clues drawn, then perhaps the digits so far, then the candidates | yes |
//! | `hodoku` | a line of HoDoKu's library: `:code:digits:givens:deleted candidates:…` | yes |
//! | `marks` | a drawn grid with all candidates of each cell | yes |
//! | `sudokuwiki` | a link to the solver of sudokuwiki.org | yes |
//! | `fpuzzles` | a link to f-puzzles.com | yes |
//! | `sudokupad` | a link to sudokupad.app | yes |
//! | `parquet` | a row of a Parquet file, with the feature of that name | yes |
//!
//! `line`, `sdm`, `drawn` and `numbers` share one reader, which takes lists in which all of them and links are mixed. In tables
//! that are only read, a column called `position` is understood. The features `gzip`, `zstd` and `xz` unpack such files.
#![forbid(unsafe_code)]

mod boards;
mod entry;
mod error;
mod format;
pub mod hodoku;
mod json;
mod lines;
mod links;
mod list;
pub mod lz_string;
mod marks;
mod pairs;
#[cfg(feature = "parquet")]
pub mod parquet;
mod record;
mod relaxed_json;
mod sections;
mod table;
mod unpack;
mod write;

pub use entry::Entry;
pub use error::{Location, ReadError, Reason};
pub use format::{Format, UnknownFormat};
pub use pairs::Pairs;
pub use record::{Entries, Record, Records, Unpacked, read, read_any};
pub use unpack::{Packing, unpack};
pub use write::{WriteError, Writer, solution_numbers};
