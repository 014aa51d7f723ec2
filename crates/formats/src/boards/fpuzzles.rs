//! Boards of f-puzzles: regions in the cells, rules under their own keys.

use super::{Parts, digits_of, rules_of_size, text_of};
use crate::entry::{Entry, candidates_for};
use crate::error::ReadErrorKind;
use crate::rules::{read_rules_into, regions, write_rules};
use ninefold::grid::rules::{Constraint, Rules, RulesError};
use ninefold::grid::{Cell, Digit, DigitSet, Order};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

pub(super) fn read(
    board: &Map<String, Value>,
    side: usize,
    boxes: Option<Order>,
    cells: &[&Value],
) -> Result<Parts, ReadErrorKind> {
    let mut rules = rules_of_size(side, boxes)?;
    let is_set = |key: &str| board.get(key).is_some_and(|value| *value == Value::Bool(true));
    if let Some(layout) = board.get("regions").and_then(Value::as_str) {
        rules = Rules::jigsaw(side, regions(layout))?;
    } else if is_set("noboxes") {
        rules = Rules::without_regions(side)?;
    } else if cells.iter().any(|cell| cell.get("region").is_some()) {
        rules = Rules::jigsaw(side, regions_of_cells(side, boxes, cells)?)?;
    }
    let mut marks = Vec::new();
    for (index, content) in cells.iter().enumerate() {
        let list = content.get("givenPencilMarks").filter(|list| !list.is_null());
        if let Some(list) = list.filter(|list| list.as_array().is_none_or(|list| !list.is_empty()))
        {
            let cell = Cell::new(index);
            let digits = given_marks(list).ok_or_else(|| {
                let message = format!("expected a list of digits, found {list}");
                ReadErrorKind::cell(rules.order(), cell, message)
            })?;
            marks.push(Constraint::Candidates { cell, digits });
        }
    }
    rules.extend(marks)?;
    let read = read_rules_into(rules, board, &[])?;
    Ok(Parts {
        rules: read.rules,
        unknown: read.unknown,
        title: text_of(board, &["title"]),
        author: text_of(board, &["author"]),
        ruleset: text_of(board, &["ruleset"]),
        solution: board.get("solution").and_then(digits_of),
    })
}

/// The region of each cell. A cell without `region` is in its usual box; `null` is no region.
fn regions_of_cells(
    side: usize,
    boxes: Option<Order>,
    cells: &[&Value],
) -> Result<Vec<Option<u8>>, ReadErrorKind> {
    let mut numbers: BTreeMap<i64, u8> = BTreeMap::new();
    let mut regions = Vec::with_capacity(cells.len());
    for (index, content) in cells.iter().enumerate() {
        let region = match content.get("region") {
            Some(Value::Null) => None,
            Some(region) => Some(region.as_i64().ok_or_else(|| {
                let message = format!("expected the number of a region, found {region}");
                let (row, column) = (index / side + 1, index % side + 1);
                ReadErrorKind::Cell { row, column, message }
            })?),
            None => boxes.map(|order| order.box_of(Cell::new(index)) as i64),
        };
        let next = numbers.len();
        let number = |region| *numbers.entry(region).or_insert(next.min(255) as u8);
        regions.push(region.map(number));
    }
    if numbers.len() > 256 {
        let found = numbers.len();
        return Err(ReadErrorKind::syntax(format!("expected up to 256 regions, found {found}")));
    }
    Ok(regions)
}

fn given_marks(list: &Value) -> Option<DigitSet> {
    let digit = |value: &Value| {
        let number = match value {
            Value::String(text) => text.trim().parse().ok()?,
            value => value.as_u64()?,
        };
        u8::try_from(number).ok().and_then(Digit::new)
    };
    list.as_array()?.iter().map(digit).collect()
}

/// The board of an entry as f-puzzles JSON; an error names a rule that f-puzzles cannot store.
pub(crate) fn write(entry: &Entry) -> Result<String, String> {
    let order = entry.puzzle.order();
    let classic = Rules::classic(order);
    let rules = entry.puzzle.rules().map_or(&classic, |rules| rules);
    let (mut keys, left) = write_rules(rules);
    if let Some(rule) = left.into_iter().next() {
        return Err(rule);
    }
    // f-puzzles stores given pencil marks in the cells. A second rule for the same cell stays in
    // the list.
    let mut marks: BTreeMap<Cell, Vec<u8>> = BTreeMap::new();
    if let Some(Value::Array(list)) = keys.remove("givenPencilMarks") {
        let mut more = Vec::new();
        let mut items = list.into_iter();
        for constraint in rules.constraints() {
            let Constraint::Candidates { cell, digits } = constraint else { continue };
            let item = items.next();
            if marks.contains_key(cell) {
                more.extend(item);
            } else {
                marks.insert(*cell, digits.map(Digit::number).collect());
            }
        }
        if !more.is_empty() {
            keys.insert("givenPencilMarks".to_string(), Value::Array(more));
        }
    }
    // A side without usual boxes still needs its regions, unless it has none.
    let has_usual_regions = match Order::from_side(order.side()) {
        Some(usual) => usual == order,
        None => rules.regions().is_empty(),
    };
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
        if let Some(marks) = marks.get(&cell) {
            content.insert("givenPencilMarks".to_string(), json!(marks));
        }
        if !has_usual_regions {
            content.insert("region".to_string(), json!(rules.region_of(cell)));
        }
        Value::Object(content)
    };
    let cells: Vec<Value> = order.cells().map(content).collect();
    let grid: Vec<&[Value]> = cells.chunks(order.side()).collect();
    let mut board = Map::new();
    board.insert("size".to_string(), json!(order.side()));
    let texts = [("title", &entry.source), ("author", &entry.author), ("ruleset", &entry.ruleset)];
    for (key, text) in texts {
        if let Some(text) = text {
            board.insert(key.to_string(), json!(text));
        }
    }
    board.insert("grid".to_string(), json!(grid));
    board.append(&mut keys);
    if let Some(solution) = &entry.solution {
        board.insert("solution".to_string(), json!(solution.numbers().collect::<Vec<u8>>()));
    }
    Ok(Value::Object(board).to_string())
}

impl From<RulesError> for ReadErrorKind {
    fn from(error: RulesError) -> ReadErrorKind {
        ReadErrorKind::Rules(error.into())
    }
}
