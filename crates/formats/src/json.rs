//! JSON: objects that hold a puzzle, in a list, one per line, or in a list inside an object.
//!
//! Everybody names the fields differently, so a puzzle is taken from a field with a telling name, or else from the first
//! text that is a grid. Grids may also be lists of numbers or of rows. A position is a second grid of digits, called `position` or
//! `state`, and perhaps a list of `candidates` with one list for each cell.
//!
//! Objects are found by their braces, one at a time, so that a list of any length takes the same memory; `serde_json`
//! reads each of them.

use crate::boards;
use crate::entry::{Entry, Reading, candidates_of, solution_of};
use crate::error::{ReadError, Reason};
use crate::record::Written;
use crate::sections::keeps_clues;
use ninefold::grid::{Candidates, DigitSet, Grid, Order, text};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Value, json};
use std::fmt;
use std::io::BufRead;

const PUZZLES: [&str; 9] =
    ["puzzle", "quiz", "question", "sudoku", "grid", "board", "instance", "givens", "string"];
const SOLUTIONS: [&str; 3] = ["solution", "answer", "solved"];
const RATINGS: [&str; 5] = ["rating", "difficulty", "level", "consistency", "algorithm"];
const SOURCES: [&str; 3] = ["source", "name", "id"];
const POSITIONS: [&str; 2] = ["position", "state"];
const CANDIDATES: [&str; 2] = ["candidates", "marks"];

/// The longest object: the candidates of the largest grid fit.
const LIMIT: usize = 2 * 1024 * 1024;

pub(crate) struct Objects<R> {
    pub(crate) source: R,
    line: u64,
}

impl<R: BufRead> Objects<R> {
    pub(crate) fn new(source: R) -> Objects<R> {
        Objects { source, line: 1 }
    }

    pub(crate) fn next(&mut self) -> Option<Result<(u64, Written), ReadError>> {
        self.next_object()
            .map(|object| object.map(|(line, text)| (line, Written::Object(text))))
            .transpose()
    }

    fn next_byte(&mut self) -> Result<Option<u8>, ReadError> {
        let bytes =
            self.source.fill_buf().map_err(|error| Reason::Stream(error).at_line(self.line))?;
        let Some(&byte) = bytes.first() else { return Ok(None) };
        self.source.consume(1);
        self.line += u64::from(byte == b'\n');
        Ok(Some(byte))
    }

    /// The text of the next object, braces included, and the line it begins in.
    fn next_object(&mut self) -> Result<Option<(u64, String)>, ReadError> {
        let mut object = Vec::new();
        let mut first_line = self.line;
        let (mut depth, mut in_text, mut escaped, mut is_board) = (0, false, false, false);
        let mut last = [0; 2];
        while let Some(byte) = self.next_byte()? {
            if depth == 0 && byte != b'{' {
                continue;
            }
            // A list of objects inside an object: the outer one is only a wrapper, and its list is what counts. Rows of
            // objects, `[[{`, are a board whose cells are objects.
            if !in_text && byte == b'{' {
                is_board |= depth > 0 && last == *b"[[";
                if depth == 0 || (last[1] == b'[' && !is_board) {
                    object.clear();
                    (depth, first_line) = (0, self.line);
                }
            }
            if object.len() <= LIMIT {
                object.push(byte);
            }
            match byte {
                _ if escaped => escaped = false,
                b'\\' if in_text => escaped = true,
                b'"' => in_text = !in_text,
                b'{' if !in_text => depth += 1,
                b'}' if !in_text => depth -= 1,
                _ => {}
            }
            if !byte.is_ascii_whitespace() {
                last = [last[1], byte];
            }
            if depth == 0 {
                if object.len() > LIMIT {
                    return Err(Reason::TooLong { limit: LIMIT }.at_line(first_line));
                }
                let text =
                    String::from_utf8(object).map_err(|_| Reason::NotText.at_line(first_line))?;
                return Ok(Some((first_line, text)));
            }
        }
        if object.is_empty() {
            Ok(None)
        } else {
            Err(Reason::syntax("the object is not closed").at_line(first_line))
        }
    }
}

/// The fields of an object in the order in which they are written.
struct Fields(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Fields, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

impl Fields {
    /// The list of names decides, not the order of the fields. Positions and candidates go by their own names.
    fn named(&self, names: &[&str]) -> Option<(&str, &Value)> {
        let is_own = |key: &str| POSITIONS.contains(&key) || CANDIDATES.contains(&key);
        names.iter().find_map(|name| {
            self.0.iter().map(|(key, value)| (key.as_str(), value)).find(|(key, _)| {
                let key = key.to_ascii_lowercase();
                !is_own(&key) && key.contains(name)
            })
        })
    }

    fn called(&self, names: &[&str]) -> Option<&Value> {
        self.0
            .iter()
            .find(|(key, _)| names.contains(&key.to_ascii_lowercase().as_str()))
            .map(|(_, value)| value)
    }

    fn text(&self, names: &[&str]) -> Option<String> {
        self.named(names).map(|(_, value)| written(value)).filter(|text| !text.is_empty())
    }
}

pub(crate) fn read(object: &str, reading: Reading) -> Result<Entry, Reason> {
    let fields: Fields =
        serde_json::from_str(object).map_err(|error| Reason::syntax(error.to_string()))?;
    if let Some(board) = boards::in_object(&fields.0) {
        return boards::read(&board, reading);
    }
    let is_solution =
        |key: &str| SOLUTIONS.iter().any(|name| key.to_ascii_lowercase().contains(name));
    let is_position = |key: &str| POSITIONS.contains(&key.to_ascii_lowercase().as_str());
    let is_puzzle =
        |key: &str, value: &Value| !is_solution(key) && !is_position(key) && is_grid(value);
    let named = fields.named(&PUZZLES).filter(|(key, value)| is_puzzle(key, value));
    // Without a name that says so the puzzle is what reads as one: a title can be as long as a small grid.
    let unnamed = || {
        let likely = || {
            fields
                .0
                .iter()
                .map(|(key, value)| (key.as_str(), value))
                .filter(|(key, value)| is_puzzle(key, value))
        };
        likely()
            .find(|(_, value)| reading.grid(&written(value)).is_ok())
            .or_else(|| likely().next())
    };
    let Some((_, puzzle)) = named.or_else(unnamed) else {
        return Err(Reason::syntax("the object holds no puzzle"));
    };
    let puzzle = reading.grid(&written(puzzle))?;
    let solution = match fields.named(&SOLUTIONS).filter(|(_, value)| is_grid(value)) {
        Some((_, value)) => solution_of(&written(value), &puzzle)?,
        None => None,
    };
    let position = position_of(&fields, &puzzle)?;
    let entry = Entry::new(puzzle).with_solution(solution).with_position(position);
    Ok(entry.with_rating(fields.text(&RATINGS)).with_source(fields.text(&SOURCES)))
}

fn position_of(fields: &Fields, puzzle: &Grid) -> Result<Option<Candidates>, Reason> {
    let order = puzzle.order();
    let digits = fields.called(&POSITIONS).filter(|value| is_grid(value));
    let lists = fields
        .called(&CANDIDATES)
        .and_then(Value::as_array)
        .filter(|lists| lists.len() == order.cell_count());
    if digits.is_none() && lists.is_none() {
        return Ok(None);
    }
    let filled = match digits {
        Some(value) => {
            text::read_position(&written(value), Some(order)).map_err(Reason::Position)?
        }
        None => puzzle.clone(),
    };
    keeps_clues(puzzle, &filled)?;
    let mut position = candidates_of(&filled);
    for (cell, list) in order.cells().zip(lists.into_iter().flatten()) {
        if filled[cell].is_none() && !list.is_null() {
            let digits = digits_of(list, order);
            let digits = digits.ok_or_else(|| {
                Reason::cell(order, cell, format!("{list} is not a list of digits"))
            })?;
            position.set(cell, digits);
        }
    }
    Ok(Some(position))
}

/// The digits of a list of numbers or texts, or of a text with a sign for each.
pub(crate) fn digits_of(list: &Value, order: Order) -> Option<DigitSet> {
    let digit = |value: &Value| text::digit(order, &scalar(value)?);
    match list {
        Value::Array(values) => values.iter().map(digit).collect(),
        Value::String(signs) => {
            signs.chars().map(|sign| text::digit(order, &sign.to_string())).collect()
        }
        single => digit(single).map(DigitSet::of),
    }
}

/// A text or number, as it would be written outside of JSON.
pub(crate) fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A value as the text of a grid: the items of a list, also of lists inside it, with a blank between them.
fn written(value: &Value) -> String {
    match value {
        Value::Array(values) => {
            let item =
                |value: &Value| if value.is_null() { "0".to_string() } else { written(value) };
            values.iter().map(item).filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
        }
        other => scalar(other).unwrap_or_default(),
    }
}

fn is_grid(value: &Value) -> bool {
    let text = match value {
        Value::String(_) | Value::Array(_) => written(value),
        _ => return false,
    };
    let makes_a_grid = |cells: usize| cells >= 16 && Order::of_cell_count(cells).is_some();
    makes_a_grid(text.split_whitespace().count())
        || makes_a_grid(text.chars().filter(|sign| !sign.is_whitespace()).count())
        || (is_digits_and_blanks(&text) && makes_a_grid(text.chars().count()))
}

/// A line in which a blank is an empty cell; a title of as many letters is none.
fn is_digits_and_blanks(text: &str) -> bool {
    text.chars().all(|sign| sign == ' ' || sign.is_ascii_digit())
}

/// The object of an entry, in one line.
pub(crate) fn object_of(entry: &Entry, grid: fn(&Grid) -> String) -> String {
    let mut fields =
        vec![("puzzle", json!(grid(&entry.puzzle))), ("clues", json!(entry.puzzle.clue_count()))];
    if let Some(position) = &entry.position {
        let list = |cell| position.at(cell).map(|digit| digit.number()).collect::<Vec<u8>>();
        fields.push(("position", json!(grid(position.grid()))));
        fields.push(("candidates", json!(position.order().cells().map(list).collect::<Vec<_>>())));
    }
    if let Some(solution) = &entry.solution {
        fields.push(("solution", json!(grid(solution))));
    }
    if let Some(rating) = &entry.rating {
        fields.push(("rating", json!(rating)));
    }
    if let Some(source) = &entry.source {
        fields.push(("source", json!(source)));
    }
    let fields: Vec<String> =
        fields.into_iter().map(|(name, value)| format!("\"{name}\": {value}")).collect();
    format!("{{{}}}", fields.join(", "))
}
