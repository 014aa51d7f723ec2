//! Tables with named columns: Kaggle's `quizzes,solutions`, Sudoku-Extreme's `source,question,answer,rating`, and any
//! other table in which one column is called after a puzzle.

use super::lines::Lines;
use super::{BadEntry, Entry, Item};
use crate::grid::Order;
use std::io::BufRead;

const PUZZLES: [&str; 7] = ["quizzes", "question", "puzzle", "puzzles", "quiz", "sudoku", "grid"];
const SOLUTIONS: [&str; 4] = ["solutions", "answer", "solution", "solved"];
const RATINGS: [&str; 4] = ["rating", "difficulty", "score", "level"];
const SOURCES: [&str; 2] = ["source", "name"];

/// Does a line name the columns of a table of puzzles?
pub(super) fn is_header(line: &str) -> bool {
    Columns::of(line).is_some()
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
}

impl Columns {
    fn of(header: &str) -> Option<Columns> {
        let names = fields_of(header)?;
        Columns::named(&names.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// The columns with these names; `None` if none is called after a puzzle.
    pub fn named(names: &[&str]) -> Option<Columns> {
        let names: Vec<String> = names.iter().map(|name| name.trim().to_ascii_lowercase()).collect();
        let find = |known: &[&str]| names.iter().position(|name| known.contains(&name.as_str()));
        Some(Columns {
            puzzle: find(&PUZZLES)?,
            solution: find(&SOLUTIONS),
            rating: find(&RATINGS),
            source: find(&SOURCES),
        })
    }
}

pub(super) struct Rows<R> {
    lines: Lines<R>,
    order: Option<Order>,
    columns: Option<Columns>,
}

impl<R: BufRead> Rows<R> {
    pub(super) fn new(lines: Lines<R>, order: Option<Order>) -> Rows<R> {
        Rows { lines, order, columns: None }
    }

    pub(super) fn next(&mut self) -> Option<Item> {
        loop {
            let (number, line) = match self.lines.next()? {
                Ok(numbered) => numbered,
                Err(bad) => return Some(Err(bad)),
            };
            if line.trim().is_empty() {
                continue;
            }
            let Some(columns) = &self.columns else {
                match Columns::of(&line) {
                    Some(columns) => self.columns = Some(columns),
                    None => {
                        let what = "no column is called quizzes, question or puzzle";
                        return Some(Err(BadEntry::syntax(number, what)));
                    }
                }
                continue;
            };
            return Some(read_row(number, &line, columns, self.order));
        }
    }
}

fn read_row(number: u64, line: &str, columns: &Columns, order: Option<Order>) -> Item {
    let fields = fields_of(line).ok_or_else(|| BadEntry::syntax(number, "a quotation mark is not closed"))?;
    let field = |column: Option<usize>| column.and_then(|column| fields.get(column)).map(|field| field.trim());
    let written = field(Some(columns.puzzle))
        .ok_or_else(|| BadEntry::syntax(number, format!("there is no column {}", columns.puzzle + 1)))?;
    let answer = field(columns.solution).unwrap_or("");
    let entry = Entry::read(written, answer, order).map_err(|reason| BadEntry { line: number, reason })?;
    let text = |column| field(column).filter(|text| !text.is_empty()).map(str::to_string);
    Ok(Entry { rating: text(columns.rating), source: text(columns.source), ..entry })
}

/// The fields of a row; a field in quotation marks may hold commas, and doubled marks stand for one. `None` if a mark
/// is not closed.
fn fields_of(line: &str) -> Option<Vec<String>> {
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
            ',' if !is_quoted => fields.push(String::new()),
            other => field.push(other),
        }
    }
    (!is_quoted).then_some(fields)
}

/// A field as it is written into a row.
pub(super) fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\"").replace(['\n', '\r'], " "))
    } else {
        field.to_string()
    }
}
