//! Tables with named columns: Kaggle's `quizzes,solutions`, Sudoku-Extreme's `source,question,answer,rating`, and any
//! other table in which one column is called after a puzzle. The line of names shows what separates the columns: commas, tabs
//! or semicolons.

use crate::entry::{Entry, Reading, solution_of};
use crate::error::{ReadError, Reason};
use crate::format::Format;
use crate::lines::Lines;
use crate::marks;
use crate::record::Written;
use std::io::BufRead;

const PUZZLES: [&str; 7] = ["quizzes", "question", "puzzle", "puzzles", "quiz", "sudoku", "grid"];
const SOLUTIONS: [&str; 4] = ["solutions", "answer", "solution", "solved"];
const RATINGS: [&str; 4] = ["rating", "difficulty", "score", "level"];
const SOURCES: [&str; 2] = ["source", "name"];
const POSITIONS: [&str; 2] = ["position", "state"];
const SEPARATORS: [char; 3] = [',', '\t', ';'];

/// The format of a table whose columns this line names.
pub(crate) fn format_of(line: &str) -> Option<Format> {
    let (separator, _) = header_of(line)?;
    Some(match separator {
        '\t' => Format::Tsv,
        ';' => Format::Semicolon,
        _ if line.to_ascii_lowercase().starts_with("source,") => Format::Extreme,
        _ => Format::Csv,
    })
}

/// What separates the columns, and which are known. A column alone is not a table: `puzzle` may be a title.
fn header_of(line: &str) -> Option<(char, Columns)> {
    SEPARATORS.into_iter().filter(|&separator| line.contains(separator)).find_map(|separator| {
        let names = fields_of(line, separator)?;
        let columns = Columns::named(&names.iter().map(String::as_str).collect::<Vec<_>>())?;
        Some((separator, columns))
    })
}

/// Which column of a table says what, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    /// The puzzle.
    pub puzzle: usize,
    /// Its solution.
    pub solution: Option<usize>,
    /// A rating.
    pub rating: Option<usize>,
    /// Where it comes from.
    pub source: Option<usize>,
    /// A position on the way.
    pub position: Option<usize>,
}

impl Columns {
    /// The columns with these names; `None` if none is called after a puzzle.
    pub fn named(names: &[&str]) -> Option<Columns> {
        let names: Vec<String> =
            names.iter().map(|name| name.trim().to_ascii_lowercase()).collect();
        let find = |known: &[&str]| names.iter().position(|name| known.contains(&name.as_str()));
        Some(Columns {
            puzzle: find(&PUZZLES)?,
            solution: find(&SOLUTIONS),
            rating: find(&RATINGS),
            source: find(&SOURCES),
            position: find(&POSITIONS),
        })
    }
}

/// The texts of one row; `None` where there is nothing, or bytes that are not text.
#[derive(Default, Debug)]
pub(crate) struct Fields {
    pub(crate) puzzle: Option<String>,
    pub(crate) solution: Option<String>,
    pub(crate) rating: Option<String>,
    pub(crate) source: Option<String>,
    pub(crate) position: Option<String>,
}

impl Fields {
    pub(crate) fn read(&self, reading: Reading) -> Result<Entry, Reason> {
        let written = self.puzzle.as_deref().ok_or_else(|| Reason::syntax("there is no puzzle"))?;
        let puzzle = reading.grid(written)?;
        let solution = solution_of(self.solution.as_deref().unwrap_or(""), &puzzle)?;
        let position = marks::position_beside(&puzzle, self.position.as_deref().unwrap_or(""))?;
        let entry = Entry::new(puzzle).with_solution(solution).with_position(position);
        Ok(entry.with_rating(self.rating.clone()).with_source(self.source.clone()))
    }
}

pub(crate) struct Rows<R> {
    pub(crate) lines: Lines<R>,
    header: Option<(char, Columns)>,
}

impl<R: BufRead> Rows<R> {
    pub(crate) fn new(lines: Lines<R>) -> Rows<R> {
        Rows { lines, header: None }
    }

    pub(crate) fn next(&mut self) -> Option<Result<(u64, Written), ReadError>> {
        loop {
            let (number, line) = match self.lines.next_text()? {
                Ok(numbered) => numbered,
                Err(error) => return Some(Err(error)),
            };
            if line.trim().is_empty() {
                continue;
            }
            let Some((separator, columns)) = &self.header else {
                self.header = header_of(&line);
                if self.header.is_none() {
                    let what = "no column is called quizzes, question or puzzle";
                    return Some(Err(Reason::syntax(what).at_line(number)));
                }
                continue;
            };
            let row = row_of(&line, *separator, columns);
            return Some(
                row.map(|fields| (number, Written::Row(Box::new(fields))))
                    .map_err(|e| e.at_line(number)),
            );
        }
    }
}

fn row_of(line: &str, separator: char, columns: &Columns) -> Result<Fields, Reason> {
    let mut fields = fields_of(line, separator)
        .ok_or_else(|| Reason::syntax("a quotation mark is not closed"))?;
    if fields.len() <= columns.puzzle {
        return Err(Reason::syntax(format!("there is no column {}", columns.puzzle + 1)));
    }
    let mut field = |column: Option<usize>| {
        let text = std::mem::take(fields.get_mut(column?)?);
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

/// The fields of a row; a field in quotation marks may hold separators, and doubled marks stand for one. `None` if a mark is
/// not closed.
fn fields_of(line: &str, separator: char) -> Option<Vec<String>> {
    let mut fields = vec![String::new()];
    let mut signs = line.chars().peekable();
    let mut is_quoted = false;
    while let Some(sign) = signs.next() {
        let field = fields.last_mut()?;
        match sign {
            '"' if is_quoted && signs.peek() == Some(&'"') => {
                field.push('"');
                signs.next();
            }
            '"' if is_quoted => is_quoted = false,
            '"' if field.is_empty() => is_quoted = true,
            other if other == separator && !is_quoted => fields.push(String::new()),
            other => field.push(other),
        }
    }
    (!is_quoted).then_some(fields)
}

/// A row of these fields.
pub(crate) fn row(fields: &[&str], separator: char) -> String {
    let fields: Vec<String> = fields.iter().map(|field| quoted(field, separator)).collect();
    fields.join(&separator.to_string()) + "\n"
}

/// A field as it is written into a row.
fn quoted(field: &str, separator: char) -> String {
    if field.contains([separator, '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\"").replace(['\n', '\r'], " "))
    } else {
        field.to_string()
    }
}
