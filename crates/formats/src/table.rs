//! Tables with named columns: ours (`puzzle,solution`), Kaggle's `quizzes,solutions`,
//! Sudoku-Extreme's `source,question,answer,rating`, and other tables with a known column name for
//! puzzles. The separator (comma, tab or semicolon) is detected from the heading.

use crate::entry::{Entry, ParseOptions, parse_solution};
use crate::error::{ReadError, ReadErrorKind};
use crate::format::Format;
use crate::lines::Lines;
use crate::marks;
use crate::record::RecordText;
use std::io::BufRead;

/// Names of the column with puzzles in tables of other programs, and ours, in order of preference.
pub const PUZZLES: [&str; 7] =
    ["puzzle", "puzzles", "quizzes", "question", "quiz", "sudoku", "grid"];
/// Names of the column with solutions, ours first.
pub const SOLUTIONS: [&str; 4] = ["solution", "solutions", "answer", "solved"];
const RATINGS: [&str; 4] = ["rating", "difficulty", "score", "level"];
const SOURCES: [&str; 2] = ["source", "name"];
const POSITIONS: [&str; 2] = ["position", "state"];
const SEPARATORS: [char; 3] = [',', '\t', ';'];

/// The format of a table with this heading; `None` if the line is not a heading.
pub(crate) fn detect_format(line: &str) -> Option<Format> {
    Some(match parse_header(line)?.separator {
        '\t' => Format::Tsv,
        ';' => Format::Semicolon,
        _ if line.to_ascii_lowercase().starts_with("source,") => Format::Extreme,
        _ => Format::Csv,
    })
}

/// The layout of a table with this heading. A single column is not a table, because `puzzle` may be
/// a title.
fn parse_header(line: &str) -> Option<Layout> {
    SEPARATORS.into_iter().filter(|&separator| line.contains(separator)).find_map(|separator| {
        let names = split_row(line, separator)?;
        let columns = Columns::from_names(&names.iter().map(String::as_str).collect::<Vec<_>>())?;
        Some(Layout { separator, columns })
    })
}

/// The indices of the known columns of a table. They are small, because every record of a text
/// table contains them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    pub puzzle: u16,
    pub solution: Option<u16>,
    pub rating: Option<u16>,
    pub source: Option<u16>,
    pub position: Option<u16>,
}

impl Columns {
    /// Finds the known columns; `None` if there is no column for puzzles.
    pub fn from_names(names: &[&str]) -> Option<Columns> {
        let names: Vec<String> =
            names.iter().map(|name| name.trim().to_ascii_lowercase()).collect();
        let find = |known: &[&str]| {
            let place = names.iter().position(|name| known.contains(&name.as_str()));
            place.and_then(|place| u16::try_from(place).ok())
        };
        Some(Columns {
            puzzle: find(&PUZZLES)?,
            solution: find(&SOLUTIONS),
            rating: find(&RATINGS),
            source: find(&SOURCES),
            position: find(&POSITIONS),
        })
    }
}

/// How the rows of a text table are divided into fields.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    separator: char,
    columns: Columns,
}

impl Layout {
    pub(crate) fn read(&self, line: &str, options: ParseOptions) -> Result<Entry, ReadErrorKind> {
        parse_row(line, self.separator, &self.columns)?.read(options)
    }

    /// See [`Record::plain_nine`](crate::Record::plain_nine).
    pub(crate) fn plain_nine<'a>(&self, line: &'a str) -> Option<&'a [u8; 81]> {
        if line.contains('"') {
            return None;
        }
        let (mut puzzle, mut solution) = (None, "");
        for (column, field) in (0..=u16::MAX).zip(line.split(self.separator)) {
            if column == self.columns.puzzle {
                puzzle = Some(field.trim());
            } else if Some(column) == self.columns.solution {
                solution = field.trim();
            } else if Some(column) == self.columns.position && !field.trim().is_empty() {
                return None;
            }
        }
        plain_nine(puzzle?, solution)
    }
}

/// The cells of a plain 9×9 puzzle whose solution, if the table has one, is right.
fn plain_nine<'a>(puzzle: &'a str, solution: &str) -> Option<&'a [u8; 81]> {
    let line = crate::record::plain_nine(puzzle)?;
    (solution.is_empty() || is_solution(line, solution)).then_some(line)
}

/// Whether a text is a solution of a plain 9×9 puzzle, with one byte per cell.
fn is_solution(puzzle: &[u8; 81], solution: &str) -> bool {
    let Ok(solution) = <&[u8; 81]>::try_from(solution.as_bytes()) else { return false };
    // For each row, column and box, a bit set of its digits.
    let mut seen = [[0u16; 9]; 3];
    for (cell, (&clue, &digit)) in puzzle.iter().zip(solution).enumerate() {
        let is_kept = clue == digit || !matches!(clue, b'1'..=b'9');
        if !is_kept || !digit.is_ascii_digit() {
            return false;
        }
        let (row, column) = (cell / 9, cell % 9);
        for (kind, house) in [row, column, row / 3 * 3 + column / 3].into_iter().enumerate() {
            seen[kind][house] |= 1 << (digit - b'0');
        }
    }
    seen.as_flattened().iter().all(|&digits| digits == 0b11_1111_1110)
}

/// The fields of one row that belong to known columns; `None` if empty.
#[derive(Default, Debug)]
pub(crate) struct Fields {
    pub(crate) puzzle: Option<String>,
    pub(crate) solution: Option<String>,
    pub(crate) rating: Option<String>,
    pub(crate) source: Option<String>,
    pub(crate) position: Option<String>,
}

impl Fields {
    /// See [`Record::plain_nine`](crate::Record::plain_nine).
    pub(crate) fn plain_nine(&self) -> Option<&[u8; 81]> {
        if self.position.is_some() {
            return None;
        }
        plain_nine(self.puzzle.as_deref()?, self.solution.as_deref().unwrap_or(""))
    }

    pub(crate) fn read(&self, options: ParseOptions) -> Result<Entry, ReadErrorKind> {
        let text =
            self.puzzle.as_deref().ok_or_else(|| ReadErrorKind::syntax("the puzzle is missing"))?;
        let puzzle = options.grid(text)?;
        let solution = parse_solution(self.solution.as_deref().unwrap_or(""), &puzzle)?;
        let position = marks::parse_position(&puzzle, self.position.as_deref().unwrap_or(""))?;
        let entry = Entry::new(puzzle).with_solution(solution).with_position(position);
        Ok(entry.with_rating(self.rating.clone()).with_source(self.source.clone()))
    }
}

pub(crate) struct Rows<R> {
    pub(crate) lines: Lines<R>,
    layout: Option<Layout>,
}

impl<R: BufRead> Rows<R> {
    pub(crate) fn new(lines: Lines<R>) -> Rows<R> {
        Rows { lines, layout: None }
    }

    pub(crate) fn next(&mut self) -> Option<Result<(u64, RecordText), ReadError>> {
        loop {
            let (number, line) = match self.lines.next_text()? {
                Ok(numbered) => numbered,
                Err(error) => return Some(Err(error)),
            };
            if line.trim().is_empty() {
                continue;
            }
            let Some(layout) = self.layout else {
                self.layout = parse_header(&line);
                if self.layout.is_none() {
                    let message = "expected a column puzzle, quizzes or question";
                    return Some(Err(ReadErrorKind::syntax(message).at_line(number)));
                }
                continue;
            };
            return Some(Ok((number, RecordText::TableLine(line, layout))));
        }
    }
}

fn parse_row(line: &str, separator: char, columns: &Columns) -> Result<Fields, ReadErrorKind> {
    let mut fields = split_row(line, separator)
        .ok_or_else(|| ReadErrorKind::syntax("unclosed quotation mark"))?;
    if fields.len() <= usize::from(columns.puzzle) {
        return Err(ReadErrorKind::syntax(format!(
            "expected at least {} columns, found {}",
            usize::from(columns.puzzle) + 1,
            fields.len()
        )));
    }
    let mut field = |column: Option<u16>| {
        let text = std::mem::take(fields.get_mut(usize::from(column?))?);
        Some(text.trim().to_string()).filter(|text| !text.is_empty())
    };
    Ok(Fields {
        puzzle: Some(field(Some(columns.puzzle)).unwrap_or_default()),
        solution: field(columns.solution),
        rating: field(columns.rating),
        source: field(columns.source),
        position: field(columns.position),
    })
}

/// Splits a row into fields. A quoted field may contain separators and doubled quotation marks.
/// `None` if a quotation mark is not closed.
fn split_row(line: &str, separator: char) -> Option<Vec<String>> {
    let mut fields = vec![String::new()];
    let mut symbols = line.chars().peekable();
    let mut is_quoted = false;
    while let Some(symbol) = symbols.next() {
        let field = fields.last_mut()?;
        match symbol {
            '"' if is_quoted && symbols.peek() == Some(&'"') => {
                field.push('"');
                symbols.next();
            }
            '"' if is_quoted => is_quoted = false,
            '"' if field.is_empty() => is_quoted = true,
            other if other == separator && !is_quoted => fields.push(String::new()),
            other => field.push(other),
        }
    }
    (!is_quoted).then_some(fields)
}

/// Formats a row.
pub(crate) fn row(fields: &[&str], separator: char) -> String {
    let fields: Vec<String> = fields.iter().map(|field| quoted(field, separator)).collect();
    fields.join(&separator.to_string()) + "\n"
}

/// Quotes a field if necessary.
fn quoted(field: &str, separator: char) -> String {
    if field.contains([separator, '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\"").replace(['\n', '\r'], " "))
    } else {
        field.to_string()
    }
}
