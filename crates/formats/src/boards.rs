//! Boards whose cells are objects: the JSON behind the links of f-puzzles and SudokuPad.
//!
//! | | f-puzzles | SudokuPad |
//! |---|---|---|
//! | rows of cells | `grid` | `cells`, or `ce` |
//! | a clue | `{"value": 5, "given": true}` | `{"value": "5"}`, or `{v: 5}` |
//! | a digit of the player | `{"value": 5}` | |
//! | candidates | `centerPencilMarks` | `centremarks` |
//! | boxes | `region` in each cell | `regions`, or `re` |
//!
//! Marks in the corners of cells say where in a box a digit may go, not what a cell may hold, so they take nothing away.
//! A board with rules beyond those of the game is refused: without them it would be another puzzle.

use crate::entry::{Entry, Reading, candidates_of, solution_of};
use crate::error::Reason;
use crate::json::{digits_of, scalar};
use ninefold::grid::{Cell, DigitSet, Grid, Order, text};
use serde_json::{Map, Value, json};

/// Fields of f-puzzles that stand for rules of variants.
const RULES: [&str; 34] = [
    "diagonal+",
    "diagonal-",
    "antiknight",
    "antiking",
    "nonconsecutive",
    "disjointgroups",
    "arrow",
    "killercage",
    "littlekillersum",
    "sandwichsum",
    "difference",
    "ratio",
    "xv",
    "thermometer",
    "slowthermometer",
    "palindrome",
    "renban",
    "whispers",
    "regionsumline",
    "entropicline",
    "modularline",
    "nabner",
    "zipperline",
    "betweenline",
    "lockout",
    "doublearrow",
    "minimum",
    "maximum",
    "odd",
    "even",
    "extraregion",
    "clone",
    "quadruple",
    "skyscraper",
];

/// Fields of SudokuPad that stand for rules of variants, short and long.
const DRAWN_RULES: [&str; 5] = ["arrows", "a", "lines", "l", "thermos"];

/// The object, if it is such a board.
pub(crate) fn in_object(fields: &[(String, Value)]) -> Option<Value> {
    let is_board = |(key, value): &(String, Value)| {
        matches!(key.as_str(), "grid" | "cells" | "ce")
            && value.pointer("/0/0").is_some_and(Value::is_object)
    };
    fields.iter().any(is_board).then(|| Value::Object(fields.iter().cloned().collect()))
}

pub(crate) fn read(board: &Value, reading: Reading) -> Result<Entry, Reason> {
    let is_fpuzzles = board.get("grid").is_some();
    let rows =
        ["grid", "cells", "ce"].iter().find_map(|key| board.get(key)).and_then(Value::as_array);
    let rows = rows.ok_or_else(|| Reason::syntax("the board has no cells"))?;
    let cells: Vec<&Value> = rows.iter().filter_map(Value::as_array).flatten().collect();
    refuse_variants(board)?;
    let order = order_of(board, rows.len(), &cells, reading)?;
    let (mut puzzle, mut filled) = (Grid::empty(order), Grid::empty(order));
    for (cell, content) in order.cells().zip(&cells) {
        let Some(value) =
            field(content, &["value", "v"]).and_then(scalar).filter(|value| !value.is_empty())
        else {
            continue;
        };
        let digit = text::digit(order, &value).ok_or_else(|| {
            Reason::cell(order, cell, format!("{value:?} is not a digit of a {order} grid"))
        })?;
        filled.set(cell, Some(digit));
        if !is_fpuzzles || content.get("given").and_then(Value::as_bool).unwrap_or(false) {
            puzzle.set(cell, Some(digit));
        }
    }
    let marks = marks_of(order, &cells, &filled)?;
    let puzzle = reading.checked(puzzle)?;
    let solution = board.get("solution").and_then(Value::as_array).map(|list| {
        list.iter()
            .map(|value| scalar(value).unwrap_or(".".to_string()))
            .collect::<Vec<_>>()
            .join(" ")
    });
    let is_full = |written: &String| !written.contains('.');
    let solution =
        solution.filter(is_full).map_or(Ok(None), |written| solution_of(&written, &puzzle))?;
    let mut position = None;
    if filled != puzzle || !marks.is_empty() {
        let mut candidates = candidates_of(&filled);
        marks.into_iter().for_each(|(cell, digits)| candidates.set(cell, digits));
        position = Some(candidates);
    }
    let source =
        field(board, &["title", "t"]).and_then(Value::as_str).filter(|title| !title.is_empty());
    Ok(Entry::new(puzzle)
        .with_position(position)
        .with_solution(solution)
        .with_source(source.map(str::to_string)))
}

/// The candidates that empty cells list.
fn marks_of(
    order: Order,
    cells: &[&Value],
    filled: &Grid,
) -> Result<Vec<(Cell, DigitSet)>, Reason> {
    let mut marks = Vec::new();
    for (cell, content) in order.cells().zip(cells).filter(|(cell, _)| filled[*cell].is_none()) {
        let Some(list) = field(content, &["centerPencilMarks", "centremarks"]) else { continue };
        let digits = digits_of(list, order);
        marks.push((
            cell,
            digits.ok_or_else(|| {
                Reason::cell(order, cell, format!("{list} is not a list of digits"))
            })?,
        ));
    }
    Ok(marks)
}

fn field<'a>(object: &'a Value, names: &[&str]) -> Option<&'a Value> {
    names.iter().find_map(|name| object.get(name)).filter(|value| !value.is_null())
}

fn refuse_variants(board: &Value) -> Result<(), Reason> {
    let is_there = |name: &&&str| match board.get(**name) {
        Some(Value::Bool(is_on)) => *is_on,
        Some(Value::Array(list)) => !list.is_empty(),
        _ => false,
    };
    if let Some(rule) = RULES.iter().chain(&DRAWN_RULES).find(is_there) {
        return Err(Reason::syntax(format!(
            "the puzzle has a rule of its own, {rule}; only the usual rules are known here"
        )));
    }
    // A cage with a sum belongs to a killer; cages without cells hold the title and the author.
    let has_sum = |cage: &Value| {
        let has_cells = field(cage, &["cells", "ce"])
            .and_then(Value::as_array)
            .is_some_and(|cells| !cells.is_empty());
        has_cells
            && field(cage, &["value", "v", "sum"])
                .and_then(scalar)
                .is_some_and(|sum| sum.parse::<u32>().is_ok())
    };
    let cages = field(board, &["cages", "ca"]).and_then(Value::as_array);
    if cages.is_some_and(|cages| cages.iter().any(has_sum)) {
        return Err(Reason::syntax(
            "the puzzle has cages with sums; only the usual rules are known here",
        ));
    }
    Ok(())
}

/// The size and the boxes, which must be rectangles.
fn order_of(
    board: &Value,
    side: usize,
    cells: &[&Value],
    reading: Reading,
) -> Result<Order, Reason> {
    let wrong_size =
        || Reason::syntax(format!("{} cells in {side} rows are not a grid", cells.len()));
    if side * side != cells.len() {
        return Err(wrong_size());
    }
    let usual = match reading.order {
        Some(order) if order.side() == side => order,
        Some(order) => {
            return Err(ninefold::grid::ParseGridError::WrongLengthFor {
                found: cells.len(),
                order,
            }
            .into());
        }
        None => Order::of_side(side).ok_or_else(wrong_size)?,
    };
    let Some(regions) = regions_of(board, side, cells) else { return Ok(usual) };
    let shapes = (2..side)
        .filter(|rows| side.is_multiple_of(*rows))
        .filter_map(|rows| Order::boxes(rows, side / rows).ok());
    let is_shape = |order: &Order| {
        let partner =
            |cell: Cell| order.cells().find(|&other| order.box_of(other) == order.box_of(cell));
        order.cells().all(|cell| {
            let first = partner(cell).unwrap_or(cell);
            regions[first.index()] == regions[cell.index()]
        }) && (0..side)
            .map(|number| regions[first_of_box(*order, number)])
            .collect::<std::collections::BTreeSet<_>>()
            .len()
            == side
    };
    let fits = std::iter::once(usual).chain(shapes).find(is_shape);
    fits.ok_or_else(|| {
        Reason::syntax("the boxes are not rectangles; only the usual rules are known here")
    })
}

fn first_of_box(order: Order, number: usize) -> usize {
    order.cells().find(|&cell| order.box_of(cell) == number).map_or(0, Cell::index)
}

/// The number of each cell's box, if the board says it.
fn regions_of(board: &Value, side: usize, cells: &[&Value]) -> Option<Vec<i64>> {
    if let Some(regions) =
        field(board, &["regions", "re"]).and_then(Value::as_array).filter(|list| list.len() == side)
    {
        let mut numbers = vec![-1; cells.len()];
        for (number, region) in (0..).zip(regions) {
            for place in region.as_array()? {
                let at =
                    |index: usize| place.get(index).and_then(Value::as_u64).map(|at| at as usize);
                *numbers.get_mut(at(0)?.checked_mul(side)?.checked_add(at(1)?)?)? = number;
            }
        }
        return Some(numbers);
    }
    // In f-puzzles only cells outside their usual box have a region.
    let usual = Order::of_side(side)?;
    let has_regions = cells.iter().any(|content| content.get("region").is_some());
    has_regions.then(|| {
        let number = |(cell, content): (Cell, &&Value)| {
            content.get("region").and_then(Value::as_i64).unwrap_or(usual.box_of(cell) as i64)
        };
        usual.cells().zip(cells).map(number).collect()
    })
}

/// The board of an entry as f-puzzles knows it.
pub(crate) fn fpuzzles_of(entry: &Entry) -> String {
    let order = entry.puzzle.order();
    let usual = Order::of_side(order.side());
    let untouched = entry.position.as_ref().map(|position| candidates_of(position.grid()));
    let content = |cell: Cell| {
        let mut content = Map::new();
        let position = entry.position.as_ref();
        let placed = position.and_then(|position| position.grid()[cell]);
        if let Some(digit) = entry.puzzle[cell].or(placed) {
            content.insert("value".to_string(), json!(digit.number()));
        }
        if entry.puzzle[cell].is_some() {
            content.insert("given".to_string(), json!(true));
        }
        if let (Some(position), Some(untouched)) = (position, &untouched)
            && position.at(cell) != untouched.at(cell)
        {
            let marks: Vec<u8> = position.at(cell).map(|digit| digit.number()).collect();
            content.insert("centerPencilMarks".to_string(), json!(marks));
        }
        if usual != Some(order) {
            content.insert("region".to_string(), json!(order.box_of(cell)));
        }
        Value::Object(content)
    };
    let cells: Vec<Value> = order.cells().map(content).collect();
    let grid: Vec<&[Value]> = cells.chunks(order.side()).collect();
    let mut board = Map::new();
    board.insert("size".to_string(), json!(order.side()));
    if let Some(source) = &entry.source {
        board.insert("title".to_string(), json!(source));
    }
    board.insert("grid".to_string(), json!(grid));
    if let Some(solution) = &entry.solution {
        board.insert("solution".to_string(), json!(solution.numbers().collect::<Vec<u8>>()));
    }
    Value::Object(board).to_string()
}
