//! Boards of SudokuPad (`scl` and `ctc` links): cages and regions have a meaning, everything else is a
//! drawing.
//!
//! Short and long names are accepted: `ce` and `cells`, `ca` and `cages`. A cage without cells whose
//! value begins with `title:`, `author:`, `rules:` or `solution:` contains this text.

use super::{Parts, digits_of, field, rules_of_size};
use crate::error::ReadErrorKind;
use crate::json::scalar;
use ninefold::grid::rules::{Constraint, Rules};
use ninefold::grid::{Cell, Order};
use serde_json::{Map, Value};

/// Keys whose content is drawn, and what it is called.
const DRAWINGS: [(&str, &str); 10] = [
    ("arrows", "arrow"),
    ("a", "arrow"),
    ("lines", "line"),
    ("l", "line"),
    ("overlays", "overlay"),
    ("o", "overlay"),
    ("thermos", "thermometer"),
    ("underlays", "underlay"),
    ("u", "underlay"),
    ("svgs", "picture"),
];

/// Keys without a rule.
const NO_RULES: [&str; 21] = [
    "author", "ca", "cages", "ce", "cells", "cellSize", "cs", "foglight", "fogofwar", "id",
    "metadata", "md", "n", "re", "regions", "rules", "s", "settings", "solution", "t", "title",
];

pub(super) fn read(
    board: &Map<String, Value>,
    side: usize,
    boxes: Option<Order>,
) -> Result<Parts, ReadErrorKind> {
    let list = |names: &[&str]| names.iter().find_map(|name| board.get(*name)?.as_array());
    let mut rules = rules_of_size(side, boxes)?;
    if let Some(regions) = list(&["regions", "re"]).filter(|regions| !regions.is_empty()) {
        rules = Rules::jigsaw(side, regions_of(side, regions)?)?;
    }
    let mut parts = Parts {
        rules: rules.clone(),
        unknown: Vec::new(),
        title: None,
        author: None,
        ruleset: None,
        solution: None,
    };
    for source in [Some(board), board.get("metadata").and_then(Value::as_object)] {
        let text = |names: &[&str]| source.and_then(|source| super::text_of(source, names));
        parts.title = parts.title.or_else(|| text(&["title", "t"]));
        parts.author = parts.author.or_else(|| text(&["author"]));
        parts.ruleset = parts.ruleset.or_else(|| text(&["rules"]));
        let solution = || source.and_then(|source| digits_of(source.get("solution")?));
        parts.solution = parts.solution.or_else(solution);
    }
    let mut constraints = Vec::new();
    let mut drawn_cages = 0;
    for cage in list(&["cages", "ca"]).into_iter().flatten() {
        let cells = field(cage, &["cells", "ce"]).and_then(Value::as_array);
        let value = field(cage, &["value", "v", "sum"]).and_then(scalar).unwrap_or_default();
        let Some(cells) = cells.filter(|cells| !cells.is_empty()) else {
            parts.read_text(&value);
            continue;
        };
        let cells = cells.iter().map(|place| cell_at(side, place)).collect::<Result<_, _>>()?;
        // The rows, columns and boxes of a board may be listed as hidden cages.
        let kind = field(cage, &["type"]).and_then(Value::as_str);
        let is_unique = field(cage, &["unique"]).and_then(Value::as_bool) == Some(true);
        match value.trim().parse() {
            Ok(sum) => constraints.push(Constraint::Cage { cells, sum: Some(sum) }),
            Err(_) if value.trim().is_empty() && (is_unique || kind == Some("rowcol")) => {
                constraints.push(Constraint::Cage { cells, sum: None });
            }
            Err(_) => drawn_cages += 1,
        }
    }
    let repeats_a_house = |constraint: &Constraint| {
        let Constraint::Cage { cells, sum: None } = constraint else { return false };
        let mut sorted = cells.clone();
        sorted.sort_unstable();
        is_line(side, &sorted) || rules.regions().contains(&sorted)
    };
    constraints.retain(|constraint| !repeats_a_house(constraint));
    parts.rules.extend(constraints)?;
    if drawn_cages > 0 {
        parts.unknown.push(count(drawn_cages, "cage without a sum"));
    }
    for (key, value) in board {
        let drawing = DRAWINGS.iter().find(|(name, _)| name == key);
        let items = value.as_array().map_or(0, Vec::len);
        match drawing {
            Some((_, name)) if items > 0 => {
                parts.unknown.push(count(items, &format!("drawn {name}")));
            }
            Some(_) => {}
            None if NO_RULES.contains(&key.as_str()) => {}
            None if matches!(value, Value::Null | Value::Bool(false)) => {}
            None => parts.unknown.push(key.clone()),
        }
    }
    Ok(parts)
}

impl Parts {
    /// Reads a text that is stored as the value of a cage.
    fn read_text(&mut self, value: &str) {
        let Some((name, text)) = value.split_once(':') else { return };
        let text = Some(text.trim().to_string()).filter(|text| !text.is_empty());
        match name.trim() {
            "title" => self.title = text,
            "author" => self.author = text,
            "rules" => self.ruleset = text,
            "solution" => self.solution = text,
            _ => {}
        }
    }
}

fn count(number: usize, name: &str) -> String {
    match number {
        1 => format!("1 {name}"),
        _ => match name.split_once(" without") {
            Some((noun, rest)) => format!("{number} {noun}s without{rest}"),
            None => format!("{number} {name}s"),
        },
    }
}

/// Whether sorted cells are a complete row or column.
fn is_line(side: usize, cells: &[Cell]) -> bool {
    let Some(first) = cells.first().filter(|_| cells.len() == side) else { return false };
    let steps = |step: usize| {
        cells.iter().enumerate().all(|(at, cell)| cell.index() == first.index() + at * step)
    };
    (steps(1) && first.index() % side == 0) || steps(side)
}

fn regions_of(side: usize, list: &[Value]) -> Result<Vec<Option<u8>>, ReadErrorKind> {
    if list.len() > 256 {
        let found = list.len();
        return Err(ReadErrorKind::syntax(format!("expected up to 256 regions, found {found}")));
    }
    let mut regions = vec![None; side * side];
    for (number, region) in list.iter().enumerate() {
        let cells = region.as_array().ok_or_else(|| {
            ReadErrorKind::syntax(format!("region {}: expected a list of cells", number + 1))
        })?;
        for place in cells {
            let cell = cell_at(side, place)?;
            if let Some(other) = regions[cell.index()].replace(number as u8) {
                return Err(ReadErrorKind::syntax(format!(
                    "r{}c{} is in region {} and in region {}",
                    cell.index() / side + 1,
                    cell.index() % side + 1,
                    usize::from(other) + 1,
                    number + 1
                )));
            }
        }
    }
    Ok(regions)
}

/// The cell of `[row, column]`, counted from 0.
fn cell_at(side: usize, place: &Value) -> Result<Cell, ReadErrorKind> {
    let at = |index: usize| {
        let number = place.get(index)?.as_u64().and_then(|at| usize::try_from(at).ok());
        number.filter(|at| *at < side)
    };
    match (at(0), at(1)) {
        (Some(row), Some(column)) => Ok(Cell::new(row * side + column)),
        _ => {
            let found = crate::rules::shorten(place);
            Err(ReadErrorKind::syntax(format!(
                "expected a cell of a {side}×{side} grid such as [0, 3], found {found}"
            )))
        }
    }
}
