//! A line of HoDoKu's library: `:code:digits:givens:deleted:eliminations:placements:extra`.
//!
//! In `givens` a `+` before a digit means that it was placed and is no clue. `deleted` lists candidates that are gone
//! beside those that placed digits rule out, each as digit, row and column: `436` is the 4 in row 3, column 6.

use super::{BadEntry, Entry, Item, bad_cell};
use crate::grid::{Candidates, Digit, Grid, Order, ParseGridError};

pub(super) fn read_line(number: u64, line: &str, order: Option<Order>) -> Option<Item> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    Some(read(number, line, order))
}

fn read(number: u64, line: &str, order: Option<Order>) -> Item {
    if order.is_some_and(|order| order != Order::NINE) {
        return Err(BadEntry::syntax(number, "HoDoKu's library holds 9×9 puzzles only"));
    }
    let fields: Vec<&str> = line.split(':').collect();
    let ["", code, _, givens, ..] = fields[..] else {
        return Err(BadEntry::syntax(number, "a library line has the form :code:digits:givens:deleted:…"));
    };
    let (puzzle, position) = read_givens(number, givens)?;
    let mut candidates = Candidates::of(&position).map_err(|c| BadEntry::new(number, ParseGridError::from(c)))?;
    for triple in fields.get(4).copied().unwrap_or("").split_whitespace() {
        let [digit, row, column] = triple.bytes().collect::<Vec<_>>()[..] else {
            return Err(BadEntry::syntax(number, format!("{triple:?} is no digit, row and column")));
        };
        let value = |byte: u8| (b'1'..=b'9').contains(&byte).then(|| usize::from(byte - b'1'));
        let (Some(digit), Some(row), Some(column)) = (value(digit), value(row), value(column)) else {
            return Err(BadEntry::syntax(number, format!("{triple:?} is no digit, row and column")));
        };
        candidates.remove(Order::NINE.cell(row, column), Digit::from_index(digit));
    }
    Ok(Entry { position: Some(candidates), source: Some(code.to_string()), ..Entry::new(puzzle) })
}

/// The clues alone, and the clues with the digits placed.
fn read_givens(number: u64, givens: &str) -> Result<(Grid, Grid), BadEntry> {
    let order = Order::NINE;
    let (mut puzzle, mut position) = (Grid::empty(order), Grid::empty(order));
    let mut cells = order.cells();
    let mut is_placed = false;
    for sign in givens.chars() {
        if sign == '+' {
            is_placed = true;
            continue;
        }
        let Some(cell) = cells.next() else {
            let found = givens.chars().filter(|&sign| sign != '+').count();
            return Err(BadEntry::new(number, ParseGridError::WrongLengthFor { found, order }));
        };
        match sign {
            '1'..='9' => {
                let digit = super::digit_of(sign, order);
                position.set(cell, digit);
                if !is_placed {
                    puzzle.set(cell, digit);
                }
            }
            '.' | '0' => {}
            _ => return Err(bad_cell(number, order, cell, format!("{sign:?} is neither a digit nor an empty cell"))),
        }
        is_placed = false;
    }
    if cells.next().is_some() {
        let found = givens.chars().filter(|&sign| sign != '+').count();
        return Err(BadEntry::new(number, ParseGridError::WrongLengthFor { found, order }));
    }
    Ok((puzzle, position))
}

/// The library line of an entry, or `None` if it is not 9×9.
pub(super) fn line_of(entry: &Entry) -> Option<String> {
    let order = entry.puzzle.order();
    if order != Order::NINE {
        return None;
    }
    let position = entry.position.as_ref();
    let mut givens = String::new();
    let mut deleted = Vec::new();
    // What the placed digits leave, to compare with what is left.
    let untouched = position.and_then(|position| Candidates::of(position.grid()).ok());
    for cell in order.cells() {
        let placed = position.and_then(|position| position.grid()[cell]);
        match (entry.puzzle[cell], placed) {
            (Some(digit), _) => givens += &digit.to_string(),
            (None, Some(digit)) => givens += &format!("+{digit}"),
            (None, None) => givens.push('.'),
        }
        if let (Some(position), Some(untouched)) = (position, &untouched) {
            for digit in untouched.at(cell) - position.at(cell) {
                deleted.push(format!("{digit}{}{}", order.row_of(cell) + 1, order.column_of(cell) + 1));
            }
        }
    }
    let code =
        entry.source.as_deref().filter(|code| code.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'));
    Some(format!(":{}:x:{givens}:{}::", code.unwrap_or("0000"), deleted.join(" ")))
}
