//! A line of HoDoKu's library: `:code:digits:givens:deleted:eliminations:placements:extra`.
//!
//! In `givens`, a `+` marks the next digit as placed instead of given. `deleted` lists removed
//! candidates that the placed digits do not rule out, as digit, row and column: `436` is the 4 in
//! row 3, column 6. HoDoKu also uses such lines as regression tests of its techniques. There,
//! `eliminations` and `placements` are the expected result of one step; for plain puzzles they are
//! empty.

use crate::entry::{Entry, candidates_for};
use crate::error::ReadErrorKind;
use ninefold::grid::{Candidates, Cell, Digit, Grid, Order, ParseGridError};
use std::str::FromStr;

/// A parsed library line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LibraryLine {
    /// HoDoKu's technique code, optionally with a variant: `0901`, `0000-x`.
    pub code: String,
    /// The digits of the step, as written.
    pub digits: String,
    /// The clues.
    pub puzzle: Grid,
    /// The clues and placed digits, and the candidates without the deleted ones. Digits may break
    /// the rules.
    pub position: Candidates,
    /// The candidates that the step removes, in file order.
    pub eliminations: Vec<(Cell, Digit)>,
    /// The digits that the step places.
    pub placements: Vec<(Cell, Digit)>,
}

impl FromStr for LibraryLine {
    type Err = ReadErrorKind;

    fn from_str(line: &str) -> Result<LibraryLine, ReadErrorKind> {
        let fields: Vec<&str> = line.trim().split(':').collect();
        let ["", code, digits, givens, ..] = fields[..] else {
            return Err(ReadErrorKind::syntax(
                "expected a line of the form :code:digits:givens:deleted:…",
            ));
        };
        let (puzzle, filled) = read_givens(givens)?;
        let list = |field: usize| triples(fields.get(field).copied().unwrap_or(""));
        let mut position = candidates_for(&filled);
        for (cell, digit) in list(4)? {
            position.remove(cell, digit);
        }
        let (code, digits) = (code.to_string(), digits.to_string());
        Ok(LibraryLine {
            code,
            digits,
            puzzle,
            position,
            eliminations: list(5)?,
            placements: list(6)?,
        })
    }
}

fn triples(list: &str) -> Result<Vec<(Cell, Digit)>, ReadErrorKind> {
    let triple = |word: &str| {
        let value = |byte: u8| (b'1'..=b'9').contains(&byte).then(|| usize::from(byte - b'1'));
        let [digit, row, column] = word.bytes().map(value).collect::<Option<Vec<_>>>()?[..] else {
            return None;
        };
        Some((Order::NINE.cell(row, column), Digit::from_index(digit)))
    };
    list.split_whitespace()
        .map(|word| {
            triple(word).ok_or_else(|| {
                ReadErrorKind::syntax(format!(
                    "expected a digit, a row and a column, found {word:?}"
                ))
            })
        })
        .collect()
}

/// The clues alone, and the clues with the placed digits.
fn read_givens(givens: &str) -> Result<(Grid, Grid), ReadErrorKind> {
    let order = Order::NINE;
    let (mut puzzle, mut filled) = (Grid::empty(order), Grid::empty(order));
    let found = givens.chars().filter(|&symbol| symbol != '+').count();
    if found != order.cell_count() {
        return Err(ParseGridError::WrongLengthFor { found, order }.into());
    }
    let mut cells = order.cells();
    let mut is_placed = false;
    for symbol in givens.chars() {
        if symbol == '+' {
            is_placed = true;
            continue;
        }
        let Some(cell) = cells.next() else { break };
        match symbol {
            '1'..='9' => {
                let digit = Some(Digit::from_index(symbol as usize - '1' as usize));
                filled.set(cell, digit);
                if !is_placed {
                    puzzle.set(cell, digit);
                }
            }
            '.' | '0' => {}
            _ => {
                return Err(ReadErrorKind::cell(
                    order,
                    cell,
                    format!("expected a digit or '.', found {symbol:?}"),
                ));
            }
        }
        is_placed = false;
    }
    Ok((puzzle, filled))
}

/// Formats an entry as a library line; `None` if it is not 9×9.
pub(crate) fn format_line(entry: &Entry) -> Option<String> {
    let order = entry.puzzle.order();
    if order != Order::NINE {
        return None;
    }
    let position = entry.position.as_ref();
    let mut givens = String::new();
    let mut deleted = Vec::new();
    // The candidates that the placed digits leave, to find those removed by other means.
    let untouched = position.map(|position| candidates_for(position.grid()));
    for cell in order.cells() {
        let placed = position.and_then(|position| position.grid()[cell]);
        match (entry.puzzle[cell], placed) {
            (Some(digit), _) => givens += &digit.to_string(),
            (None, Some(digit)) => givens += &format!("+{digit}"),
            (None, None) => givens.push('.'),
        }
        if let (Some(position), Some(untouched)) = (position, &untouched) {
            for digit in untouched.at(cell) - position.at(cell) {
                deleted.push(format!(
                    "{digit}{}{}",
                    order.row_of(cell) + 1,
                    order.column_of(cell) + 1
                ));
            }
        }
    }
    let code = entry
        .source
        .as_deref()
        .filter(|code| code.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'));
    Some(format!(":{}:x:{givens}:{}::", code.unwrap_or("0000"), deleted.join(" ")))
}
