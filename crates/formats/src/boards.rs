//! The JSON boards in f-puzzles and SudokuPad links, with one object per cell.
//!
//! | | f-puzzles | SudokuPad |
//! |---|---|---|
//! | rows of cells | `grid` | `cells`, or `ce` |
//! | a clue | `{"value": 5, "given": true}` | `{"value": "5"}`, or `{v: 5}` |
//! | a digit placed by the player | `{"value": 5}` | |
//! | candidates | `centerPencilMarks` | `centremarks` |
//! | regions | `region` in each cell | `regions`, or `re` |
//! | rules | a key for each kind (`rules.rs`) | `cages`, or `ca` |
//!
//! Corner marks (small digits in the corners of cells) list possible places of a digit in a box,
//! not the candidates of a cell, so they are ignored. Rules that Ninefold does not know, drawings
//! of SudokuPad, and rules in the text `ruleset` are reported in the entry.

mod fpuzzles;
mod sudokupad;

pub(crate) use fpuzzles::write as fpuzzles_json;

use crate::entry::{Entry, ParseOptions, candidates_for, parse_solution};
use crate::error::ReadErrorKind;
use crate::json::{parse_digits, scalar};
use crate::ruleset;
use ninefold::grid::rules::Rules;
use ninefold::grid::{Cell, DigitSet, Grid, Order, text};
use serde_json::{Map, Value};

/// The fields as one JSON object, if they are a board of f-puzzles or SudokuPad.
pub(crate) fn in_object(fields: &[(String, Value)]) -> Option<Value> {
    let is_board = |(key, value): &(String, Value)| {
        matches!(key.as_str(), "grid" | "cells" | "ce")
            && value.pointer("/0/0").is_some_and(Value::is_object)
    };
    fields.iter().any(is_board).then(|| Value::Object(fields.iter().cloned().collect()))
}

/// What a board contains beside its cells.
struct Parts {
    rules: Rules,
    /// Rules that are not understood.
    unknown: Vec<String>,
    title: Option<String>,
    author: Option<String>,
    ruleset: Option<String>,
    /// Digits separated by spaces; `.` for an unknown one.
    solution: Option<String>,
}

pub(crate) fn read(board: &Value, options: ParseOptions) -> Result<Entry, ReadErrorKind> {
    let Value::Object(board) = board else {
        return Err(ReadErrorKind::syntax("the board is not an object"));
    };
    let is_fpuzzles = board.contains_key("grid");
    let rows =
        ["grid", "cells", "ce"].iter().find_map(|key| board.get(*key)).and_then(Value::as_array);
    let rows = rows.ok_or_else(|| ReadErrorKind::syntax("the board has no cells"))?;
    let cells: Vec<&Value> = rows.iter().filter_map(Value::as_array).flatten().collect();
    let boxes = usual_boxes(rows.len(), cells.len(), options)?;
    let parts = if is_fpuzzles {
        fpuzzles::read(board, rows.len(), boxes, &cells)?
    } else {
        sudokupad::read(board, rows.len(), boxes)?
    };
    let order = parts.rules.order();
    let (mut puzzle, mut filled) = (Grid::empty(order), Grid::empty(order));
    for (cell, content) in order.cells().zip(&cells) {
        let Some(value) =
            field(content, &["value", "v"]).and_then(scalar).filter(|value| !value.is_empty())
        else {
            continue;
        };
        let digit = text::digit(order, &value).ok_or_else(|| {
            ReadErrorKind::cell(
                order,
                cell,
                format!("expected a digit of a {order} grid, found {value:?}"),
            )
        })?;
        filled.set(cell, Some(digit));
        if !is_fpuzzles || content.get("given").and_then(Value::as_bool).unwrap_or(false) {
            puzzle.set(cell, Some(digit));
        }
    }
    let marks = parse_marks(order, &cells, &filled)?;
    let (puzzle, filled) = (with_rules(puzzle, &parts.rules), with_rules(filled, &parts.rules));
    let puzzle = options.checked(puzzle)?;
    let is_full = |text: &String| !text.contains('.');
    let solution = match parts.solution.filter(is_full) {
        Some(text) => parse_solution(&text, &puzzle)?,
        None => None,
    };
    let mut position = None;
    if filled != puzzle || !marks.is_empty() {
        let mut candidates = candidates_for(&filled);
        marks.into_iter().for_each(|(cell, digits)| candidates.set(cell, digits));
        position = Some(candidates);
    }
    let mut unknown = parts.unknown;
    if let Some(text) = &parts.ruleset {
        unknown.extend(unknown_in_words(text, &parts.rules));
    }
    Ok(Entry::new(puzzle)
        .with_position(position)
        .with_solution(solution)
        .with_source(parts.title)
        .with_author(parts.author)
        .with_ruleset(parts.ruleset)
        .with_unknown_rules(unknown))
}

/// The quoted sentences of a text that describe other rules than these.
pub(crate) fn unknown_in_words(ruleset: &str, rules: &Rules) -> Vec<String> {
    let sentences =
        ruleset::unknown_sentences(ruleset, &ruleset::keys(rules), rules.order().side());
    sentences.into_iter().map(|sentence| format!("{sentence:?}")).collect()
}

/// A grid with these rules, unless they are the classic ones.
pub(crate) fn with_rules(grid: Grid, rules: &Rules) -> Grid {
    if rules.is_classic() { grid } else { grid.with_rules(std::sync::Arc::new(rules.clone())) }
}

/// The boxes that a board without regions has; `None` if its size has no rectangular boxes.
fn usual_boxes(
    side: usize,
    cells: usize,
    options: ParseOptions,
) -> Result<Option<Order>, ReadErrorKind> {
    if !(2..=Order::MAX_SIDE).contains(&side) || side * side != cells {
        let message = format!("{cells} cells in {side} rows do not form a square grid");
        return Err(ReadErrorKind::syntax(message));
    }
    match options.order {
        Some(order) if order.side() != side => {
            Err(ninefold::grid::ParseGridError::WrongLengthFor { found: cells, order }.into())
        }
        Some(order) => Ok(Some(order)),
        None => Ok(Order::from_side(side)),
    }
}

fn rules_of_size(side: usize, boxes: Option<Order>) -> Result<Rules, ReadErrorKind> {
    Ok(match boxes {
        Some(order) => Rules::classic(order),
        None => Rules::without_regions(side)?,
    })
}

/// The candidates listed in empty cells.
fn parse_marks(
    order: Order,
    cells: &[&Value],
    filled: &Grid,
) -> Result<Vec<(Cell, DigitSet)>, ReadErrorKind> {
    let mut marks = Vec::new();
    for (cell, content) in order.cells().zip(cells).filter(|(cell, _)| filled[*cell].is_none()) {
        let Some(list) = field(content, &["centerPencilMarks", "centremarks"]) else { continue };
        let digits = parse_digits(list, order);
        marks.push((
            cell,
            digits.ok_or_else(|| {
                ReadErrorKind::cell(order, cell, format!("expected a list of digits, found {list}"))
            })?,
        ));
    }
    Ok(marks)
}

fn field<'a>(object: &'a Value, names: &[&str]) -> Option<&'a Value> {
    names.iter().find_map(|name| object.get(name)).filter(|value| !value.is_null())
}

/// The text under one of these keys, unless it is empty.
fn text_of(board: &Map<String, Value>, names: &[&str]) -> Option<String> {
    let text = names.iter().find_map(|name| board.get(*name)?.as_str())?;
    (!text.trim().is_empty()).then(|| text.to_string())
}

/// A list of digits as text; missing ones are `.`.
fn digits_of(list: &Value) -> Option<String> {
    match list {
        Value::Array(list) => {
            let digit = |value: &Value| scalar(value).unwrap_or(".".to_string());
            Some(list.iter().map(digit).collect::<Vec<_>>().join(" "))
        }
        Value::String(text) => Some(text.clone()),
        _ => None,
    }
}
