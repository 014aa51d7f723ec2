//! The JSON boards in f-puzzles and SudokuPad links, with one object per cell.
//!
//! | | f-puzzles | SudokuPad |
//! |---|---|---|
//! | rows of cells | `grid` | `cells`, or `ce` |
//! | a clue | `{"value": 5, "given": true}` | `{"value": "5"}`, or `{v: 5}` |
//! | a digit placed by the player | `{"value": 5}` | |
//! | candidates | `centerPencilMarks` | `centremarks` |
//! | boxes | `region` in each cell | `regions`, or `re` |
//!
//! Corner marks (small digits in the corners of cells) list possible places of a digit in a box,
//! not the candidates of a cell, so they are ignored. Boards with variant rules, such as
//! thermometers or cages, are rejected, because without these rules they would be different
//! puzzles.

use crate::entry::{Entry, ParseOptions, candidates_for, parse_solution};
use crate::error::ReadErrorKind;
use crate::json::{parse_digits, scalar};
use ninefold::grid::{Cell, DigitSet, Grid, Order, text};
use serde_json::{Map, Value, json};

/// Fields of f-puzzles for variant rules.
const FPUZZLES_RULES: [&str; 34] = [
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

/// Fields of SudokuPad for variant rules, long and short names.
const SUDOKUPAD_RULES: [&str; 5] = ["arrows", "a", "lines", "l", "thermos"];

/// The fields as one JSON object, if they are a board of f-puzzles or SudokuPad.
pub(crate) fn in_object(fields: &[(String, Value)]) -> Option<Value> {
    let is_board = |(key, value): &(String, Value)| {
        matches!(key.as_str(), "grid" | "cells" | "ce")
            && value.pointer("/0/0").is_some_and(Value::is_object)
    };
    fields.iter().any(is_board).then(|| Value::Object(fields.iter().cloned().collect()))
}

pub(crate) fn read(board: &Value, options: ParseOptions) -> Result<Entry, ReadErrorKind> {
    let is_fpuzzles = board.get("grid").is_some();
    let rows =
        ["grid", "cells", "ce"].iter().find_map(|key| board.get(key)).and_then(Value::as_array);
    let rows = rows.ok_or_else(|| ReadErrorKind::syntax("the board has no cells"))?;
    let cells: Vec<&Value> = rows.iter().filter_map(Value::as_array).flatten().collect();
    reject_variants(board)?;
    let order = detect_order(board, rows.len(), &cells, options)?;
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
    let puzzle = options.checked(puzzle)?;
    let solution = board.get("solution").and_then(Value::as_array).map(|list| {
        list.iter()
            .map(|value| scalar(value).unwrap_or(".".to_string()))
            .collect::<Vec<_>>()
            .join(" ")
    });
    let is_full = |text: &String| !text.contains('.');
    let solution =
        solution.filter(is_full).map_or(Ok(None), |text| parse_solution(&text, &puzzle))?;
    let mut position = None;
    if filled != puzzle || !marks.is_empty() {
        let mut candidates = candidates_for(&filled);
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

fn reject_variants(board: &Value) -> Result<(), ReadErrorKind> {
    let is_there = |name: &&&str| match board.get(**name) {
        Some(Value::Bool(is_on)) => *is_on,
        Some(Value::Array(list)) => !list.is_empty(),
        _ => false,
    };
    if let Some(rule) = FPUZZLES_RULES.iter().chain(&SUDOKUPAD_RULES).find(is_there) {
        return Err(ReadErrorKind::syntax(format!(
            "the variant rule {rule} is not supported; only standard Sudoku rules are"
        )));
    }
    // Cages with sums are Killer Sudoku. Cages without cells contain the title and the author.
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
        return Err(ReadErrorKind::syntax(
            "cages with sums are not supported; only standard Sudoku rules are",
        ));
    }
    Ok(())
}

/// The size and box shape of a board. Boxes must be rectangles.
fn detect_order(
    board: &Value,
    side: usize,
    cells: &[&Value],
    options: ParseOptions,
) -> Result<Order, ReadErrorKind> {
    let wrong_size = || {
        ReadErrorKind::syntax(format!(
            "{} cells in {side} rows do not form a square grid",
            cells.len()
        ))
    };
    if side * side != cells.len() {
        return Err(wrong_size());
    }
    let usual = match options.order {
        Some(order) if order.side() == side => order,
        Some(order) => {
            return Err(ninefold::grid::ParseGridError::WrongLengthFor {
                found: cells.len(),
                order,
            }
            .into());
        }
        None => Order::from_side(side).ok_or_else(wrong_size)?,
    };
    let Some(regions) = parse_regions(board, side, cells) else { return Ok(usual) };
    let shapes = (2..side)
        .filter(|rows| side.is_multiple_of(*rows))
        .filter_map(|rows| Order::new(rows, side / rows).ok());
    // Linear in cells, because a request can contain hundreds of links with large boards.
    let is_shape = |order: &Order| {
        let mut region_of_box = vec![None; side];
        let fits = order.cells().all(|cell| {
            let region = regions[cell.index()];
            *region_of_box[order.box_of(cell)].get_or_insert(region) == region
        });
        fits && region_of_box.iter().collect::<std::collections::BTreeSet<_>>().len() == side
    };
    let fits = std::iter::once(usual).chain(shapes).find(is_shape);
    fits.ok_or_else(|| ReadErrorKind::syntax("boxes that are not rectangles are not supported"))
}

/// The box number of each cell, if the board contains regions.
fn parse_regions(board: &Value, side: usize, cells: &[&Value]) -> Option<Vec<i64>> {
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
    // In f-puzzles, only cells outside their usual box have a region.
    let usual = Order::from_side(side)?;
    let has_regions = cells.iter().any(|content| content.get("region").is_some());
    has_regions.then(|| {
        let number = |(cell, content): (Cell, &&Value)| {
            content.get("region").and_then(Value::as_i64).unwrap_or(usual.box_of(cell) as i64)
        };
        usual.cells().zip(cells).map(number).collect()
    })
}

/// The board of an entry as f-puzzles JSON.
pub(crate) fn fpuzzles_json(entry: &Entry) -> String {
    let order = entry.puzzle.order();
    let usual = Order::from_side(order.side());
    let untouched = entry.position.as_ref().map(|position| candidates_for(position.grid()));
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
