//! Formats: how puzzles are written down in files, ours and everybody's.
//!
//! A reader works on any stream of bytes, line by line, and holds one puzzle at a time, so files of any length are
//! read in constant memory. Each item is an [`Entry`] or a [`BadEntry`] that names the line and, where a cell is wrong,
//! its row and column; whoever reads decides whether to stop or to go on. Parquet tables, which are no streams, belong
//! to `crates/parquet`.
//!
//! | name | one puzzle is |
//! |---|---|
//! | `line` | a line with a character for each cell; `.`, `0`, `_`, `*` and `x` are empty; a note may follow after a blank |
//! | `sdm` | the same, written with `0` (SadMan collections) |
//! | `drawn` | several lines, with or without bars; an empty line or a title such as `Grid 01` stands between puzzles |
//! | `numbers` | a line of numbers separated by blanks (paper 2); [`Pairs`] joins its two files |
//! | `csv` | a row of a table whose first line names the columns, such as Kaggle's `quizzes,solutions` |
//! | `extreme` | the same; written as `source,question,answer,rating` |
//! | `json` | an object with a puzzle in it, in a list or one per line |
//! | `sdk` | a whole file of SadMan Sudoku: `[Puzzle]`, nine rows, `[State]` |
//! | `hodoku` | a line of HoDoKu's library: `:code:digits:givens:deleted candidates:…` |
//! | `marks` | a drawn grid with all candidates of each cell |

mod blocks;
mod csv;
mod hodoku;
mod json;
mod lines;
mod pairs;
mod write;

pub use csv::Columns;
pub use pairs::Pairs;
pub use write::{Writer, solution_numbers};

use crate::grid::{Candidates, Cell, Digit, Grid, Order, ParseGridError, text};
use lines::Lines;
use std::io::BufRead;

/// A way to write puzzles down; the table above explains each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the table at the head of this file explains every name")]
pub enum Format {
    Line,
    Sdm,
    Drawn,
    Numbers,
    Csv,
    Extreme,
    Json,
    Sdk,
    Hodoku,
    Marks,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 10] = [
        Format::Line,
        Format::Sdm,
        Format::Drawn,
        Format::Numbers,
        Format::Csv,
        Format::Extreme,
        Format::Json,
        Format::Sdk,
        Format::Hodoku,
        Format::Marks,
    ];

    /// The name to ask for it by.
    pub fn name(self) -> &'static str {
        match self {
            Format::Line => "line",
            Format::Sdm => "sdm",
            Format::Drawn => "drawn",
            Format::Numbers => "numbers",
            Format::Csv => "csv",
            Format::Extreme => "extreme",
            Format::Json => "json",
            Format::Sdk => "sdk",
            Format::Hodoku => "hodoku",
            Format::Marks => "marks",
        }
    }

    /// The format with this name.
    pub fn by_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The format that a text in this beginning is most likely written in.
    ///
    /// ```
    /// use ninefold::puzzles::format::Format;
    ///
    /// assert_eq!(Format::of(b"quizzes,solutions\n0043..."), Format::Csv);
    /// assert_eq!(Format::of(b"1..4..1..3..4..3\n"), Format::Line);
    /// ```
    pub fn of(beginning: &[u8]) -> Format {
        let text = String::from_utf8_lossy(&beginning[..beginning.len().min(16 * 1024)]);
        let text = text.trim_start_matches('\u{feff}');
        if ["[Puzzle]", "[State]", "[puzzle]"].iter().any(|section| text.contains(section)) {
            return Format::Sdk;
        }
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let Some(first) = lines.next() else { return Format::Line };
        if first.starts_with(['{', '[']) {
            return Format::Json;
        }
        if first.starts_with(':') && first.matches(':').count() >= 4 {
            return Format::Hodoku;
        }
        if csv::is_header(first) {
            return if first.to_ascii_lowercase().starts_with("source,") { Format::Extreme } else { Format::Csv };
        }
        let words: Vec<&str> = first.split([' ', '\t', ',', ';']).filter(|word| !word.is_empty()).collect();
        let is_number = |word: &&str| word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit());
        if words.len() >= 16 && Order::of_cell_count(words.len()).is_some() && words.iter().all(is_number) {
            return Format::Numbers;
        }
        let first_word = words.first().map_or("", |word| word);
        if is_a_whole_puzzle(first_word) {
            return Format::Line;
        }
        if blocks::has_marks(text) { Format::Marks } else { Format::Drawn }
    }
}

/// Could this word be a puzzle by itself, and not just a row of a larger one?
fn is_a_whole_puzzle(word: &str) -> bool {
    let count = word.chars().count();
    let Some(order) = Order::of_cell_count(count) else { return false };
    let largest = word.chars().filter_map(|sign| sign.to_digit(36)).filter(|&digit| digit != 33).max().unwrap_or(0);
    // A row of a 16×16 grid is as long as a whole 4×4 one, but uses larger digits.
    !word.contains(['|', '+']) && (count > 64 || largest as usize <= order.side())
}

/// What a file says about one puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The clues.
    pub puzzle: Grid,
    /// A position on the way to the solution, with its candidates.
    pub position: Option<Candidates>,
    /// The solution, checked against the clues.
    pub solution: Option<Grid>,
    /// A rating, as it was written.
    pub rating: Option<String>,
    /// Where it comes from, as it was written.
    pub source: Option<String>,
}

impl Entry {
    /// An entry that holds a puzzle and nothing else.
    pub fn new(puzzle: Grid) -> Entry {
        Entry { puzzle, position: None, solution: None, rating: None, source: None }
    }

    /// The puzzle and the solution of a row of a table. Where `solution` is too short to be a grid it is a number, as in
    /// some tables, or nothing.
    pub fn read(puzzle: &str, solution: &str, order: Option<Order>) -> Result<Entry, Reason> {
        let puzzle = grid_of(puzzle, order)?;
        let solution = if solution.len() < 16 { None } else { solution_of(solution, &puzzle)? };
        Ok(Entry { solution, ..Entry::new(puzzle) })
    }
}

/// Something in a file that is no puzzle.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct BadEntry {
    /// The line, counted from 1, at which the entry starts.
    pub line: u64,
    /// What is wrong.
    pub reason: Reason,
}

/// What can be wrong with an entry.
#[derive(Debug, thiserror::Error)]
pub enum Reason {
    /// The puzzle cannot be read; the message names the row and the column.
    #[error(transparent)]
    Puzzle(#[from] ParseGridError),
    /// The solution cannot be read.
    #[error("the solution: {0}")]
    Solution(ParseGridError),
    /// The solution does not solve the puzzle.
    #[error("the solution breaks the rules or does not keep the clues")]
    WrongSolution,
    /// A cell that is a clue and a candidate list that does not hold it, or the like.
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
    /// The bytes are no text.
    #[error("the line is not UTF-8 text")]
    NotText,
    /// The line or object is longer than any puzzle.
    #[error("more than {limit} bytes without an end")]
    TooLong {
        /// The longest that is read.
        limit: usize,
    },
    /// The stream broke off.
    #[error("the stream cannot be read: {0}")]
    Stream(std::io::Error),
}

impl BadEntry {
    fn new(line: u64, reason: impl Into<Reason>) -> BadEntry {
        BadEntry { line, reason: reason.into() }
    }

    fn syntax(line: u64, what: impl Into<String>) -> BadEntry {
        BadEntry { line, reason: Reason::Syntax(what.into()) }
    }

    /// Did the stream itself fail? Then nothing more can be read.
    pub fn is_fatal(&self) -> bool {
        matches!(self.reason, Reason::Stream(_))
    }
}

/// What each format's reader yields.
type Item = Result<Entry, BadEntry>;

/// The entries of a stream, one by one.
pub struct Entries<R> {
    reader: Reader<R>,
    ended: bool,
}

enum Reader<R> {
    PerLine { lines: Lines<R>, read_line: fn(u64, &str, Option<Order>) -> Option<Item>, order: Option<Order> },
    Csv(csv::Rows<R>),
    Json(json::Objects<R>),
    Blocks(blocks::Blocks<R>),
}

/// Reads a stream in a known format. `order` settles the size where boxes are not the usual ones.
///
/// ```
/// use ninefold::puzzles::format::{self, Format};
///
/// let file = "1..4..1..3..4..3\n1..4..q..3..4..3\n".as_bytes();
/// let items: Vec<_> = format::read(Format::Line, file, None).collect();
/// assert!(items[0].is_ok());
/// let bad = items[1].as_ref().unwrap_err();
/// assert_eq!(bad.to_string(), "line 2: row 2, column 3: \"q\" is neither a digit nor an empty cell");
/// ```
pub fn read<R: BufRead>(format: Format, source: R, order: Option<Order>) -> Entries<R> {
    let lines = Lines::new(source);
    let reader = match format {
        Format::Line | Format::Sdm => Reader::PerLine { lines, read_line: puzzle_line, order },
        Format::Numbers => Reader::PerLine { lines, read_line: number_line, order },
        Format::Hodoku => Reader::PerLine { lines, read_line: hodoku::read_line, order },
        Format::Csv | Format::Extreme => Reader::Csv(csv::Rows::new(lines, order)),
        Format::Json => Reader::Json(json::Objects::new(lines.into_source(), order)),
        Format::Drawn => Reader::Blocks(blocks::Blocks::new(lines, blocks::Kind::Drawn, order)),
        Format::Marks => Reader::Blocks(blocks::Blocks::new(lines, blocks::Kind::Marks, order)),
        Format::Sdk => Reader::Blocks(blocks::Blocks::new(lines, blocks::Kind::Sdk, order)),
    };
    Entries { reader, ended: false }
}

/// Reads a stream in the format that its beginning suggests.
pub fn read_any<R: BufRead>(mut source: R, order: Option<Order>) -> std::io::Result<(Format, Entries<R>)> {
    let format = Format::of(source.fill_buf()?);
    Ok((format, read(format, source, order)))
}

impl<R: BufRead> Iterator for Entries<R> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        if self.ended {
            return None;
        }
        let item = match &mut self.reader {
            Reader::PerLine { lines, read_line, order } => loop {
                match lines.next() {
                    None => break None,
                    Some(Err(bad)) => break Some(Err(bad)),
                    Some(Ok((number, line))) => {
                        if let Some(item) = read_line(number, &line, *order) {
                            break Some(item);
                        }
                    }
                }
            },
            Reader::Csv(rows) => rows.next(),
            Reader::Json(objects) => objects.next(),
            Reader::Blocks(blocks) => blocks.next(),
        };
        self.ended = match &item {
            None => true,
            Some(Err(bad)) => bad.is_fatal(),
            Some(Ok(_)) => false,
        };
        item
    }
}

/// A line with a character for each cell; what follows after a blank, comma or bar is a note.
fn puzzle_line(number: u64, line: &str, order: Option<Order>) -> Option<Item> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let (word, note) = match line.find([' ', '\t', ',', ';']) {
        Some(end) => (&line[..end], line[end + 1..].trim()),
        None => (line, ""),
    };
    let is_puzzle = match order {
        Some(order) => word.chars().count() == order.cell_count(),
        None => Order::of_cell_count(word.chars().count()).is_some() && word.chars().count() > 9,
    };
    // A line without such a word may still hold rows or cells separated by blanks.
    let (text, note) = if is_puzzle { (word, note) } else { (line, "") };
    let entry = grid_of(text, order)
        .map(|puzzle| Entry { source: (!note.is_empty()).then(|| note.to_string()), ..Entry::new(puzzle) });
    Some(entry.map_err(|error| BadEntry::new(number, error)))
}

fn number_line(number: u64, line: &str, order: Option<Order>) -> Option<Item> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    Some(text::read(line, order).map(Entry::new).map_err(|error| BadEntry::new(number, error)))
}

/// A word of a small grid, read without the detours that the general reader takes; `None` if anything is unusual.
///
/// Measured on 17-clue puzzles: 372,000 lines per second through [`text::read`] alone.
fn plain_grid(word: &str, order: Option<Order>) -> Option<Grid> {
    let order = order.or_else(|| Order::of_cell_count(word.len())).filter(|order| order.side() <= 9)?;
    let mut numbers = [0u8; 81];
    let numbers = numbers.get_mut(..word.len())?;
    // For each row, column and box the digits met so far, so that two equal ones are found at once.
    let mut met = [[0u16; 9]; 3];
    for (cell, (number, sign)) in order.cells().zip(numbers.iter_mut().zip(word.bytes())) {
        match sign {
            b'.' | b'0' | b'_' | b'*' | b'x' | b'X' => {}
            b'1'..=b'9' => {
                *number = sign - b'0';
                let houses = [order.row_of(cell), order.column_of(cell), order.box_of(cell)];
                for (kind, house) in houses.into_iter().enumerate() {
                    if met[kind][house] >> *number & 1 == 1 {
                        return None;
                    }
                    met[kind][house] |= 1 << *number;
                }
            }
            _ => return None,
        }
    }
    Grid::from_numbers(order, numbers)
}

/// Reads a grid, the short way where that is possible.
fn grid_of(text: &str, order: Option<Order>) -> Result<Grid, ParseGridError> {
    plain_grid(text, order).map_or_else(|| text::read(text, order), Ok)
}

/// The solution, if one is written and solves the puzzle.
fn solution_of(written: &str, puzzle: &Grid) -> Result<Option<Grid>, Reason> {
    if written.trim().is_empty() {
        return Ok(None);
    }
    let solution = text::read(written, Some(puzzle.order())).map_err(Reason::Solution)?;
    if solution.solves(puzzle) { Ok(Some(solution)) } else { Err(Reason::WrongSolution) }
}

fn bad_cell(line: u64, order: Order, cell: Cell, what: impl Into<String>) -> BadEntry {
    let (row, column) = (order.row_of(cell) + 1, order.column_of(cell) + 1);
    BadEntry::new(line, Reason::Cell { row, column, what: what.into() })
}

/// The digit a character stands for in a grid of this order.
fn digit_of(sign: char, order: Order) -> Option<Digit> {
    let value = match sign {
        '1'..='9' => sign as usize - '0' as usize,
        'A'..='Z' => sign as usize - 'A' as usize + 10,
        'a'..='z' if order.side() > 35 => sign as usize - 'a' as usize + 36,
        'a'..='z' => sign as usize - 'a' as usize + 10,
        _ => return None,
    };
    (value <= order.side()).then(|| Digit::from_index(value - 1))
}
