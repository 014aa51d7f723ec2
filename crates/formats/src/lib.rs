//! Reads and writes Sudoku puzzles in text, table and link formats.
//!
//! ```text
//! bytes ─▶ decompress ─▶ Format::detect ─▶ Records ─▶ Record ─▶ Entry ─▶ Writer ─▶ bytes
//! ```
//! This crate opens no files, so it also works in a browser. It reads one record and writes one
//! entry at a time, so memory use does not depend on the file size. A [`Record`] is the unparsed
//! text of one puzzle. Callers parse it, on any thread. The result is an [`Entry`], or a
//! [`ReadError`] that names the line and, for an invalid cell, its row and column.
//!
//! | name | one puzzle is | position |
//! |---|---|---|
//! | `line` | a line with one character per cell; `.`, `0`, `_`, `*`, `x` and spaces are empty cells; a note may follow after a space | |
//! | `sdm` | the same, written with `0` (SadMan collections) | |
//! | `drawn` | several lines, with or without bars; puzzles are separated by an empty line or a title such as `Grid 01` | |
//! | `numbers` | a line of numbers separated by spaces; [`Pairs`] joins a file of puzzles with a file of solutions | |
//! | `csv` | a row of a table whose first line contains the column names, such as Kaggle's `quizzes,solutions` | read |
//! | `tsv`, `semicolon` | the same with tabs or semicolons, written with all columns | yes |
//! | `extreme` | the same; written as `source,question,answer,rating` | read |
//! | `json` | an object that contains a puzzle, in a list or one per line | yes |
//! | `sdk` | a complete SadMan Sudoku file: `[Puzzle]`, `[State]`, `[PencilMarks]` | yes |
//! | `ss` | a complete Simple Sudoku file: the clues, optionally the digits so far, optionally the candidates | yes |
//! | `hodoku` | a line of HoDoKu's library: `:code:digits:givens:deleted candidates:…` | yes |
//! | `marks` | a drawn grid with all candidates of each cell | yes |
//! | `sudokuwiki` | a link to the solver of sudokuwiki.org | yes |
//! | `fpuzzles` | a link to f-puzzles.com | yes |
//! | `sudokupad` | a link to sudokupad.app | yes |
//! | `jigsaw` | a line with the digits and then a sign for the region of each cell | |
//! | `sumocue` | a SumoCue line of a killer; also reads charts of signs that point to cages | |
//! | `iss` | a line in the notation of Interactive Sudoku Solver: `.Cage~17~R1C1~R1C2` | |
//! | `parquet` | a row of a Parquet file (feature `parquet`) | yes |
//!
//! The column "position" shows whether a format stores a partly solved grid with its candidates;
//! "read" means that a column named `position` is read but not written. `line`, `sdm`, `drawn` and
//! `numbers` share one reader, which also accepts lists that mix these formats and links. The
//! features `gzip`, `zstd` and `xz` enable reading compressed files.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

/// Compiles the examples of the README as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;

mod boards;
mod compression;
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
mod notation;
mod pairs;
#[cfg(feature = "parquet")]
pub mod parquet;
mod record;
mod relaxed_json;
pub mod rules;
mod ruleset;
mod sections;
mod table;
mod write;

pub use compression::{Compression, decompress};
pub use entry::Entry;
pub use error::{Location, ReadError, ReadErrorKind};
pub use format::{Format, UnknownFormatError};
pub use pairs::Pairs;
pub use record::{DecompressedReader, Entries, Record, Records, read, read_any};
pub use table::{PUZZLES as PUZZLE_COLUMNS, SOLUTIONS as SOLUTION_COLUMNS};
pub use write::{WriteError, Writer, solution_numbers};
