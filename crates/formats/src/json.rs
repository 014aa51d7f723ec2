//! JSON objects with a puzzle: in a list, one per line, or in a list inside an object.
//!
//! Field names vary between programs. The puzzle is the field with a known name, or else the first
//! value that is a grid. A grid is a string, a list of numbers or a list of rows. A position (a
//! partly solved grid) is a second grid in the field `position` or `state`, optionally with a field
//! `candidates` that has one list per cell. A puzzle with rules beside the classic ones has them in
//! the field `rules`, in the form of [`Rules`].
//!
//! The reader splits the input at the braces of the objects, so memory use does not depend on the
//! length of a list. `serde_json` parses each object.

use crate::boards::{self, with_rules};
use crate::entry::{Entry, ParseOptions, candidates_for, parse_solution};
use crate::error::{ReadError, ReadErrorKind};
use crate::record::RecordText;
use crate::ruleset;
use crate::sections::check_clues;
use ninefold::grid::rules::Rules;
use ninefold::grid::{Candidates, DigitSet, Grid, Order, ParseGridError, text};
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
const RULES: &str = "rules";
const AUTHOR: &str = "author";
const RULES_IN_WORDS: &str = "ruleset";

/// The maximum size of an object in bytes; the candidates of the largest grid fit.
const LIMIT: usize = 2 * 1024 * 1024;

pub(crate) struct Objects<R> {
    pub(crate) source: R,
    line: u64,
}

impl<R: BufRead> Objects<R> {
    pub(crate) fn new(source: R) -> Objects<R> {
        Objects { source, line: 1 }
    }

    pub(crate) fn next(&mut self) -> Option<Result<(u64, RecordText), ReadError>> {
        self.next_object()
            .map(|object| object.map(|(line, text)| (line, RecordText::Object(text))))
            .transpose()
    }

    fn next_byte(&mut self) -> Result<Option<u8>, ReadError> {
        let bytes = self
            .source
            .fill_buf()
            .map_err(|error| ReadErrorKind::Stream(error).at_line(self.line))?;
        let Some(&byte) = bytes.first() else { return Ok(None) };
        self.source.consume(1);
        self.line += u64::from(byte == b'\n');
        Ok(Some(byte))
    }

    /// The text of the next object with its braces, and its first line.
    fn next_object(&mut self) -> Result<Option<(u64, String)>, ReadError> {
        let mut object = Vec::new();
        let mut first_line = self.line;
        let (mut depth, mut in_text, mut escaped, mut is_puzzle) = (0, false, false, false);
        let mut last = [0; 2];
        while let Some(byte) = self.next_byte()? {
            if depth == 0 && byte != b'{' {
                continue;
            }
            // In a list of objects inside an object, the outer object is only a wrapper: discard
            // it. Three kinds of puzzles contain lists of objects themselves: a board whose cells
            // are objects, `[[{`, one with `"rules": {`, and one with a rule such as `"arrow": [{`.
            if !in_text && byte == b'{' {
                is_puzzle |= depth > 0
                    && (last == *b"[["
                        || key_before(&object) == Some(RULES)
                        || (last[1] == b'[' && key_before(&object).is_some_and(is_board_key)));
                if depth == 0 || (last[1] == b'[' && !is_puzzle) {
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
                    return Err(ReadErrorKind::TooLong { limit: LIMIT }.at_line(first_line));
                }
                let text = String::from_utf8(object)
                    .map_err(|_| ReadErrorKind::NotText.at_line(first_line))?;
                return Ok(Some((first_line, text)));
            }
        }
        if object.is_empty() {
            Ok(None)
        } else {
            Err(ReadErrorKind::syntax("the JSON object is incomplete").at_line(first_line))
        }
    }
}

/// The key of the value or list that follows this part of an object.
fn key_before(part: &[u8]) -> Option<&str> {
    let part = part.trim_ascii_end();
    let part = part.strip_suffix(b"[").unwrap_or(part).trim_ascii_end();
    let part = part.strip_suffix(b":")?.trim_ascii_end().strip_suffix(b"\"")?;
    let start = part.iter().rposition(|byte| *byte == b'"')? + 1;
    str::from_utf8(&part[start..]).ok()
}

/// Whether a board of f-puzzles has a list of objects under this key.
fn is_board_key(key: &str) -> bool {
    const OTHERS: [&str; 6] = ["givenPencilMarks", "cage", "circle", "line", "rectangle", "text"];
    OTHERS.contains(&key) || ruleset::explains(key)
}

/// The fields of an object in file order.
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
    /// The field whose name contains one of `names`. Earlier names take precedence, regardless of
    /// field order. Fields with positions and candidates are ignored.
    fn containing(&self, names: &[&str]) -> Option<(&str, &Value)> {
        let is_reserved = |key: &str| POSITIONS.contains(&key) || CANDIDATES.contains(&key);
        names.iter().find_map(|name| {
            self.0.iter().map(|(key, value)| (key.as_str(), value)).find(|(key, _)| {
                let key = key.to_ascii_lowercase();
                !is_reserved(&key) && key.contains(name)
            })
        })
    }

    /// The field with exactly one of these names.
    fn with_name(&self, names: &[&str]) -> Option<&Value> {
        self.0
            .iter()
            .find(|(key, _)| names.contains(&key.to_ascii_lowercase().as_str()))
            .map(|(_, value)| value)
    }

    fn text(&self, names: &[&str]) -> Option<String> {
        self.containing(names).map(|(_, value)| grid_text(value)).filter(|text| !text.is_empty())
    }
}

pub(crate) fn read(object: &str, options: ParseOptions) -> Result<Entry, ReadErrorKind> {
    let fields: Fields =
        serde_json::from_str(object).map_err(|error| ReadErrorKind::syntax(error.to_string()))?;
    if let Some(board) = boards::in_object(&fields.0) {
        return boards::read(&board, options);
    }
    if let Some(rules) = fields.with_name(&[RULES]).filter(|rules| rules.is_object()) {
        return read_with_rules(&fields, rules, options);
    }
    let is_solution =
        |key: &str| SOLUTIONS.iter().any(|name| key.to_ascii_lowercase().contains(name));
    let is_position = |key: &str| POSITIONS.contains(&key.to_ascii_lowercase().as_str());
    let is_puzzle =
        |key: &str, value: &Value| !is_solution(key) && !is_position(key) && is_grid(value);
    let by_name = fields.containing(&PUZZLES).filter(|(key, value)| is_puzzle(key, value));
    // Without a known name, prefer values that parse: a title can be as long as a small grid.
    let by_content = || {
        let likely = || {
            fields
                .0
                .iter()
                .map(|(key, value)| (key.as_str(), value))
                .filter(|(key, value)| is_puzzle(key, value))
        };
        likely()
            .find(|(_, value)| options.grid(&grid_text(value)).is_ok())
            .or_else(|| likely().next())
    };
    let Some((_, puzzle)) = by_name.or_else(by_content) else {
        return Err(ReadErrorKind::syntax("the object contains no puzzle"));
    };
    let puzzle = options.grid(&grid_text(puzzle))?;
    let solution = match fields.containing(&SOLUTIONS).filter(|(_, value)| is_grid(value)) {
        Some((_, value)) => parse_solution(&grid_text(value), &puzzle)?,
        None => None,
    };
    let position = parse_position(&fields, &puzzle)?;
    let entry = Entry::new(puzzle).with_solution(solution).with_position(position);
    Ok(entry.with_rating(fields.text(&RATINGS)).with_source(fields.text(&SOURCES)))
}

/// Reads an object with the field `rules`. Its sizes are those of the rules, so a grid may have any
/// side, and the other grids are checked against the rules.
fn read_with_rules(
    fields: &Fields,
    rules: &Value,
    options: ParseOptions,
) -> Result<Entry, ReadErrorKind> {
    let rules = Rules::deserialize(rules)
        .map_err(|error| ReadErrorKind::syntax(format!("{RULES}: {error}")))?;
    let order = rules.order();
    let Some((_, puzzle)) = fields.containing(&PUZZLES) else {
        return Err(ReadErrorKind::syntax("the object contains no puzzle"));
    };
    let puzzle = text::parse_position(&grid_text(puzzle), Some(order))?;
    if let Some(expected) = options.order.filter(|expected| *expected != order) {
        let found = order.cell_count();
        return Err(ParseGridError::WrongLengthFor { found, order: expected }.into());
    }
    let puzzle = options.checked(with_rules(puzzle, &rules))?;
    let solution = match fields.containing(&SOLUTIONS) {
        Some((_, value)) => parse_solution(&grid_text(value), &puzzle)?,
        None => None,
    };
    let position = parse_position(fields, &puzzle)?;
    let text = |name: &str| fields.with_name(&[name]).and_then(Value::as_str).map(str::to_string);
    let ruleset = text(RULES_IN_WORDS);
    let unknown = ruleset.as_deref().map(|text| boards::unknown_in_words(text, &rules));
    Ok(Entry::new(puzzle)
        .with_solution(solution)
        .with_position(position)
        .with_rating(fields.text(&RATINGS))
        .with_source(fields.text(&SOURCES))
        .with_author(text(AUTHOR))
        .with_ruleset(ruleset)
        .with_unknown_rules(unknown.unwrap_or_default()))
}

fn parse_position(fields: &Fields, puzzle: &Grid) -> Result<Option<Candidates>, ReadErrorKind> {
    let order = puzzle.order();
    let digits =
        fields.with_name(&POSITIONS).filter(|value| puzzle.rules().is_some() || is_grid(value));
    let lists = fields
        .with_name(&CANDIDATES)
        .and_then(Value::as_array)
        .filter(|lists| lists.len() == order.cell_count());
    if digits.is_none() && lists.is_none() {
        return Ok(None);
    }
    let filled = match digits {
        Some(value) => {
            let filled = text::parse_position(&grid_text(value), Some(order));
            let filled = filled.map_err(ReadErrorKind::Position)?;
            puzzle.rules().map_or(filled.clone(), |rules| with_rules(filled, rules))
        }
        None => puzzle.clone(),
    };
    check_clues(puzzle, &filled)?;
    let mut position = candidates_for(&filled);
    for (cell, list) in order.cells().zip(lists.into_iter().flatten()) {
        if filled[cell].is_none() && !list.is_null() {
            let digits = parse_digits(list, order);
            let digits = digits.ok_or_else(|| {
                ReadErrorKind::cell(order, cell, format!("expected a list of digits, found {list}"))
            })?;
            position.set(cell, digits);
        }
    }
    Ok(Some(position))
}

/// The digits in a list of numbers or strings, or in a string with one character per digit.
pub(crate) fn parse_digits(list: &Value, order: Order) -> Option<DigitSet> {
    let digit = |value: &Value| text::digit(order, &scalar(value)?);
    match list {
        Value::Array(values) => values.iter().map(digit).collect(),
        Value::String(symbols) => {
            symbols.chars().map(|symbol| text::digit(order, &symbol.to_string())).collect()
        }
        single => digit(single).map(DigitSet::from_digit),
    }
}

/// A string or number as plain text.
pub(crate) fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A value as the text of a grid: the items of (nested) lists, separated by spaces.
fn grid_text(value: &Value) -> String {
    match value {
        Value::Array(values) => {
            let item =
                |value: &Value| if value.is_null() { "0".to_string() } else { grid_text(value) };
            values.iter().map(item).filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
        }
        other => scalar(other).unwrap_or_default(),
    }
}

fn is_grid(value: &Value) -> bool {
    let text = match value {
        Value::String(_) | Value::Array(_) => grid_text(value),
        _ => return false,
    };
    let is_grid_size = |cells: usize| cells >= 16 && Order::from_cell_count(cells).is_some();
    is_grid_size(text.split_whitespace().count())
        || is_grid_size(text.chars().filter(|symbol| !symbol.is_whitespace()).count())
        || (is_digits_and_spaces(&text) && is_grid_size(text.chars().count()))
}

/// Whether a text can be a grid with spaces for empty cells, unlike a title of the same length.
fn is_digits_and_spaces(text: &str) -> bool {
    text.chars().all(|symbol| symbol == ' ' || symbol.is_ascii_digit())
}

/// Formats an entry as an object on one line.
pub(crate) fn format_object(entry: &Entry, grid: fn(&Grid) -> String) -> String {
    let mut fields =
        vec![("puzzle", json!(grid(&entry.puzzle))), ("clues", json!(entry.puzzle.clue_count()))];
    if let Some(rules) = entry.puzzle.rules() {
        fields.push((RULES, serde_json::to_value(&**rules).expect("rules have names as keys")));
    }
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
    if entry.puzzle.rules().is_some() {
        let texts = [(AUTHOR, &entry.author), (RULES_IN_WORDS, &entry.ruleset)];
        let texts = texts.into_iter().filter_map(|(name, text)| Some((name, text.as_ref()?)));
        fields.extend(texts.map(|(name, text)| (name, json!(text))));
    }
    let fields: Vec<String> =
        fields.into_iter().map(|(name, value)| format!("\"{name}\": {value}")).collect();
    format!("{{{}}}", fields.join(", "))
}
