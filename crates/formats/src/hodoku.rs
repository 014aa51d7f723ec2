//! A line of HoDoKu's library: `:code:digits:givens:deleted:eliminations:placements:extra`.
//!
//! In `givens` a `+` before a digit means that it was placed and is not a clue. `deleted` lists candidates that are gone
//! beside those that placed digits rule out, each as digit, row and column: `436` is the 4 in row 3, column 6. The lists after
//! it say what the step of a regression case does; a puzzle has none.

use crate::entry::{Entry, candidates_of};
use crate::error::Reason;
use ninefold::grid::{Candidates, Cell, Digit, Grid, Order, ParseGridError};
use std::str::FromStr;

/// A library line, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LibraryLine {
    /// HoDoKu's code, perhaps with a variant: `0901`, `0000-x`.
    pub code: String,
    /// The digits that the case is about, as written.
    pub digits: String,
    /// The clues.
    pub puzzle: Grid,
    /// The clues, the placed digits, and the candidates without those deleted; the digits may break the rules.
    pub position: Candidates,
    /// The candidates that the step of the case removes, in the order in which they are listed.
    pub removes: Vec<(Cell, Digit)>,
    /// The digits that the step of the case places.
    pub places: Vec<(Cell, Digit)>,
}

impl FromStr for LibraryLine {
    type Err = Reason;

    fn from_str(line: &str) -> Result<LibraryLine, Reason> {
        let fields: Vec<&str> = line.trim().split(':').collect();
        let ["", code, digits, givens, ..] = fields[..] else {
            return Err(Reason::syntax(
                "a library line has the form :code:digits:givens:deleted:…",
            ));
        };
        let (puzzle, filled) = read_givens(givens)?;
        let list = |field: usize| triples(fields.get(field).copied().unwrap_or(""));
        let mut position = candidates_of(&filled);
        for (cell, digit) in list(4)? {
            position.remove(cell, digit);
        }
        let (code, digits) = (code.to_string(), digits.to_string());
        Ok(LibraryLine { code, digits, puzzle, position, removes: list(5)?, places: list(6)? })
    }
}

fn triples(list: &str) -> Result<Vec<(Cell, Digit)>, Reason> {
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
                Reason::syntax(format!("{word:?} is not a digit, a row and a column"))
            })
        })
        .collect()
}

/// The clues alone, and the clues with the digits placed.
fn read_givens(givens: &str) -> Result<(Grid, Grid), Reason> {
    let order = Order::NINE;
    let (mut puzzle, mut filled) = (Grid::empty(order), Grid::empty(order));
    let found = givens.chars().filter(|&sign| sign != '+').count();
    if found != order.cell_count() {
        return Err(ParseGridError::WrongLengthFor { found, order }.into());
    }
    let mut cells = order.cells();
    let mut is_placed = false;
    for sign in givens.chars() {
        if sign == '+' {
            is_placed = true;
            continue;
        }
        let Some(cell) = cells.next() else { break };
        match sign {
            '1'..='9' => {
                let digit = Some(Digit::from_index(sign as usize - '1' as usize));
                filled.set(cell, digit);
                if !is_placed {
                    puzzle.set(cell, digit);
                }
            }
            '.' | '0' => {}
            _ => {
                return Err(Reason::cell(
                    order,
                    cell,
                    format!("{sign:?} is neither a digit nor an empty cell"),
                ));
            }
        }
        is_placed = false;
    }
    Ok((puzzle, filled))
}

/// The library line of an entry, or `None` if it is not 9×9.
pub(crate) fn line_of(entry: &Entry) -> Option<String> {
    let order = entry.puzzle.order();
    if order != Order::NINE {
        return None;
    }
    let position = entry.position.as_ref();
    let mut givens = String::new();
    let mut deleted = Vec::new();
    // What the placed digits leave, to compare with what is left.
    let untouched = position.map(|position| candidates_of(position.grid()));
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
