//! JSON: objects that hold a puzzle, in a list, one per line, or in a list inside an object.
//!
//! The data set of paper 4's authors is such a list, with the puzzle, its source, its number of clues and of solutions
//! and the consistency that solves it in each object. Since everybody names these fields differently, a puzzle is taken
//! from a field with a telling name, or else from the first text that is a grid. Grids may also be lists of numbers.

use super::lines::LIMIT;
use super::{BadEntry, Entry, Item, Reason, grid_of, solution_of};
use crate::grid::{Grid, Order};
use std::io::BufRead;

const PUZZLES: [&str; 9] = ["puzzle", "quiz", "question", "sudoku", "grid", "board", "instance", "givens", "string"];
const SOLUTIONS: [&str; 3] = ["solution", "answer", "solved"];
const RATINGS: [&str; 5] = ["rating", "difficulty", "level", "consistency", "algorithm"];
const SOURCES: [&str; 3] = ["source", "name", "id"];

pub(super) struct Objects<R> {
    source: R,
    order: Option<Order>,
    line: u64,
}

impl<R: BufRead> Objects<R> {
    pub(super) fn new(source: R, order: Option<Order>) -> Objects<R> {
        Objects { source, order, line: 1 }
    }

    pub(super) fn next(&mut self) -> Option<Item> {
        match self.next_object() {
            Ok(Some((line, object))) => Some(read_object(line, &object, self.order)),
            Ok(None) => None,
            Err(bad) => Some(Err(bad)),
        }
    }

    fn next_byte(&mut self) -> Result<Option<u8>, BadEntry> {
        let bytes = self.source.fill_buf().map_err(|error| BadEntry::new(self.line, Reason::Stream(error)))?;
        let Some(&byte) = bytes.first() else { return Ok(None) };
        self.source.consume(1);
        self.line += u64::from(byte == b'\n');
        Ok(Some(byte))
    }

    /// The text of the next object, braces included, and the line it begins in.
    fn next_object(&mut self) -> Result<Option<(u64, String)>, BadEntry> {
        let mut object = Vec::new();
        let mut first_line = self.line;
        let (mut depth, mut in_text, mut escaped) = (0, false, false);
        let mut last = 0;
        while let Some(byte) = self.next_byte()? {
            if depth == 0 && byte != b'{' {
                continue;
            }
            // A list of objects inside an object: the outer one is only a wrapper, and its list is what counts.
            if !in_text && byte == b'{' && (depth == 0 || last == b'[') {
                object.clear();
                (depth, first_line) = (0, self.line);
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
                last = byte;
            }
            if depth == 0 {
                if object.len() > LIMIT {
                    return Err(BadEntry::new(first_line, Reason::TooLong { limit: LIMIT }));
                }
                let text = String::from_utf8(object).map_err(|_| BadEntry::new(first_line, Reason::NotText))?;
                return Ok(Some((first_line, text)));
            }
        }
        if object.is_empty() { Ok(None) } else { Err(BadEntry::syntax(first_line, "the object is not closed")) }
    }
}

fn read_object(line: u64, object: &str, order: Option<Order>) -> Item {
    let fields = Scanner { rest: object }.object().map_err(|what| BadEntry::syntax(line, what))?;
    let by_name = |names: &[&str]| {
        // The list of names decides, not the order of the fields.
        names.iter().find_map(|name| fields.iter().find(|(key, _)| key.to_ascii_lowercase().contains(name)))
    };
    let is_solution = |key: &str| SOLUTIONS.iter().any(|name| key.to_ascii_lowercase().contains(name));
    let named = by_name(&PUZZLES).filter(|(key, value)| !is_solution(key) && value.is_grid());
    let unnamed = || fields.iter().find(|(key, value)| !is_solution(key) && value.is_grid());
    let Some((_, written)) = named.or_else(unnamed) else {
        return Err(BadEntry::syntax(line, "the object holds no puzzle"));
    };
    let puzzle = written.grid(order).map_err(|error| BadEntry::new(line, error))?;
    let solution = match by_name(&SOLUTIONS).filter(|(_, value)| value.is_grid()) {
        Some((_, value)) => solution_of(&value.written(), &puzzle).map_err(|reason| BadEntry { line, reason })?,
        None => None,
    };
    let text = |names: &[&str]| by_name(names).map(|(_, value)| value.written()).filter(|text| !text.is_empty());
    Ok(Entry { solution, rating: text(&RATINGS), source: text(&SOURCES), ..Entry::new(puzzle) })
}

/// As much of a JSON value as a puzzle needs.
enum Value {
    Text(String),
    Number(String),
    /// The numbers of a list, also of lists inside it.
    Numbers(Vec<String>),
    Other,
}

impl Value {
    fn written(&self) -> String {
        match self {
            Value::Text(text) | Value::Number(text) => text.clone(),
            Value::Numbers(numbers) => numbers.join(" "),
            Value::Other => String::new(),
        }
    }

    fn is_grid(&self) -> bool {
        let cells = match self {
            Value::Text(text) => text.chars().filter(|sign| !sign.is_whitespace()).count(),
            Value::Numbers(numbers) => numbers.len(),
            _ => 0,
        };
        cells >= 16 && Order::of_cell_count(cells).is_some()
    }

    fn grid(&self, order: Option<Order>) -> Result<Grid, crate::grid::ParseGridError> {
        grid_of(&self.written(), order)
    }
}

/// Reads an object from left to right.
struct Scanner<'a> {
    rest: &'a str,
}

impl Scanner<'_> {
    fn object(mut self) -> Result<Vec<(String, Value)>, String> {
        let mut fields = Vec::new();
        self.expect('{')?;
        if self.skip('}') {
            return Ok(fields);
        }
        loop {
            let key = self.text()?;
            self.expect(':')?;
            fields.push((key, self.value()?));
            if self.skip('}') {
                return Ok(fields);
            }
            self.expect(',')?;
        }
    }

    fn value(&mut self) -> Result<Value, String> {
        self.rest = self.rest.trim_start();
        match self.rest.chars().next() {
            Some('"') => Ok(Value::Text(self.text()?)),
            Some('[' | '{') => self.list(),
            Some(_) => {
                let word = self.word();
                if word.is_empty() {
                    return Err(format!("a value is missing before {:?}", shortened(self.rest)));
                }
                let is_number = word.parse::<f64>().is_ok();
                Ok(if is_number { Value::Number(word) } else { Value::Other })
            }
            None => Err("the object ends in the middle of a field".to_string()),
        }
    }

    /// Everything up to the bracket that closes this one; numbers are kept.
    fn list(&mut self) -> Result<Value, String> {
        let mut depth = 0usize;
        let mut numbers = Vec::new();
        loop {
            self.rest = self.rest.trim_start();
            match self.rest.chars().next() {
                None => return Err("a list is not closed".to_string()),
                Some('"') => _ = self.text()?,
                Some(sign @ ('[' | '{' | ']' | '}' | ',' | ':')) => {
                    self.rest = &self.rest[1..];
                    match sign {
                        '[' | '{' => depth += 1,
                        ']' | '}' => depth -= 1,
                        _ => {}
                    }
                    if depth == 0 {
                        return Ok(Value::Numbers(numbers));
                    }
                }
                Some(_) => {
                    let word = self.word();
                    if word.is_empty() {
                        return Err(format!("{:?} does not belong into a list", shortened(self.rest)));
                    }
                    numbers.push(if word == "null" { "0".to_string() } else { word });
                }
            }
        }
    }

    fn word(&mut self) -> String {
        let is_part = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '+' | '-' | '.');
        let end = self.rest.find(|sign| !is_part(sign)).unwrap_or(self.rest.len());
        let word = self.rest[..end].to_string();
        self.rest = &self.rest[end..];
        word
    }

    fn text(&mut self) -> Result<String, String> {
        self.expect('"')?;
        let mut text = String::new();
        let mut signs = self.rest.char_indices();
        while let Some((at, sign)) = signs.next() {
            match sign {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(text);
                }
                '\\' => match signs.next() {
                    Some((_, 'n' | 'r' | 't')) => text.push(' '),
                    Some((_, 'u')) => {
                        let code: String = signs.by_ref().take(4).map(|(_, sign)| sign).collect();
                        let sign = u32::from_str_radix(&code, 16).ok().and_then(char::from_u32);
                        text.push(sign.unwrap_or('\u{fffd}'));
                    }
                    Some((_, other)) => text.push(other),
                    None => break,
                },
                other => text.push(other),
            }
        }
        Err("a quotation mark is not closed".to_string())
    }

    fn skip(&mut self, sign: char) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, sign: char) -> Result<(), String> {
        if self.skip(sign) { Ok(()) } else { Err(format!("{sign:?} is missing before {:?}", shortened(self.rest))) }
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(12).collect()
}

/// A text as JSON writes it.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for sign in text.chars() {
        match sign {
            '"' | '\\' => quoted.extend(['\\', sign]),
            control if control.is_control() => quoted += &format!("\\u{:04x}", control as u32),
            other => quoted.push(other),
        }
    }
    quoted + "\""
}
