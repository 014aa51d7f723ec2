//! Writes rules under the keys of f-puzzles.

use ninefold::grid::rules::{
    Constraint, Diagonal, Direction, Dot, Indexer, LineRule, Negative, Outside, Place, Rules,
};
use ninefold::grid::{Cell, Order};
use serde_json::{Map, Value, json};

/// The constraints under the keys of f-puzzles, as [`read_rules`](super::read_rules) reads them.
/// Regions are not among them, because f-puzzles stores them in the cells.
///
/// A primitive ([`Constraint::Rule`]) has no key; the second value contains those in words.
pub fn write_rules(rules: &Rules) -> (Map<String, Value>, Vec<String>) {
    let mut keys = Map::new();
    let mut left = Vec::new();
    for constraint in rules.constraints() {
        match item(constraint, rules.order()) {
            Some((key, Value::Bool(true))) => drop(keys.insert(key.to_string(), json!(true))),
            Some((key, item)) => {
                let list = keys.entry(key.to_string()).or_insert_with(|| json!([]));
                if let Value::Array(list) = list {
                    list.push(item);
                }
            }
            None => left.push(constraint.describe(rules.order())),
        }
    }
    (keys, left)
}

/// The key under which f-puzzles stores a constraint.
pub(crate) fn key_of(constraint: &Constraint, order: Order) -> Option<&'static str> {
    item(constraint, order).map(|(key, _)| key)
}

/// The key of a constraint and its item in the list under this key; `true` instead of a list.
fn item(constraint: &Constraint, order: Order) -> Option<(&'static str, Value)> {
    let name = |cell: &Cell| format!("R{}C{}", order.row_of(*cell) + 1, order.column_of(*cell) + 1);
    let names = |cells: &[Cell]| cells.iter().map(name).collect::<Vec<String>>();
    let flag = json!(true);
    Some(match constraint {
        Constraint::Diagonal(Diagonal::Rising) => ("diagonal+", flag),
        Constraint::Diagonal(Diagonal::Falling) => ("diagonal-", flag),
        Constraint::Windoku => ("windoku", flag),
        Constraint::DisjointGroups => ("disjointgroups", flag),
        Constraint::AntiKnight => ("antiknight", flag),
        Constraint::AntiKing => ("antiking", flag),
        Constraint::Nonconsecutive => ("nonconsecutive", flag),
        Constraint::UsualBoxes => ("boxes_too", flag),
        Constraint::Negative(kind) => ("negative", json!(negative(*kind)?)),
        Constraint::Candidates { cell, digits } => {
            let values: Vec<u8> = digits.map(|digit| digit.number()).collect();
            ("givenPencilMarks", json!({ "cell": name(cell), "values": values }))
        }
        Constraint::Even(cell) => ("even", json!({ "cell": name(cell) })),
        Constraint::Odd(cell) => ("odd", json!({ "cell": name(cell) })),
        Constraint::Maximum(cell) => ("maximum", json!({ "cell": name(cell) })),
        Constraint::Minimum(cell) => ("minimum", json!({ "cell": name(cell) })),
        Constraint::Indexer { kind, cells } => {
            let key = match kind {
                Indexer::Row => "rowindexer",
                Indexer::Column => "columnindexer",
                Indexer::Box => "boxindexer",
                _ => return None,
            };
            (key, json!({ "cells": names(cells) }))
        }
        Constraint::ExtraRegion(cells) => ("extraregion", json!({ "cells": names(cells) })),
        Constraint::Cage { cells, sum: None } => ("killercage", json!({ "cells": names(cells) })),
        Constraint::Cage { cells, sum: Some(sum) } => {
            ("killercage", json!({ "cells": names(cells), "value": sum.to_string() }))
        }
        Constraint::Clone { cells, clones } => {
            ("clone", json!({ "cells": names(cells), "cloneCells": names(clones) }))
        }
        Constraint::Quadruple { cells, digits } => {
            let values: Vec<u8> = digits.iter().map(|digit| digit.number()).collect();
            ("quadruple", json!({ "cells": names(cells), "values": values }))
        }
        Constraint::CountingCircles(cells) => ("countingcircles", json!({ "cells": names(cells) })),
        Constraint::Dot { kind, cells } => {
            let (key, value) = match kind {
                Dot::Difference(number) => ("difference", number.to_string()),
                Dot::Ratio(number) => ("ratio", number.to_string()),
                Dot::Total(10) => ("xv", "X".to_string()),
                Dot::Total(5) => ("xv", "V".to_string()),
                Dot::Total(sum) => ("xv", sum.to_string()),
                _ => return None,
            };
            (key, json!({ "cells": names(cells), "value": value }))
        }
        Constraint::GreaterThan(cells) => ("greaterthan", json!({ "cells": names(cells) })),
        Constraint::Line { kind, cells } => {
            let (key, number) = line(*kind)?;
            match number {
                Some(number) => {
                    (key, json!({ "lines": [names(cells)], "value": number.to_string() }))
                }
                None => (key, json!({ "lines": [names(cells)] })),
            }
        }
        Constraint::Arrow { circle, lines } => {
            let lines: Vec<Vec<String>> = lines.iter().map(|line| names(line)).collect();
            ("arrow", json!({ "cells": names(circle), "lines": lines }))
        }
        Constraint::Outside { kind, place, value } => {
            let key = match kind {
                Outside::Sandwich => "sandwichsum",
                Outside::XSum => "xsum",
                Outside::Skyscraper => "skyscraper",
                Outside::NumberedRoom => "numberedroom",
                _ => return None,
            };
            (key, json!({ "cell": outside(*place), "value": value.to_string() }))
        }
        Constraint::LittleKiller { place, direction, sum } => {
            let direction_key = match direction {
                Direction::DownRight => "DR",
                Direction::DownLeft => "DL",
                Direction::UpRight => "UR",
                Direction::UpLeft => "UL",
            };
            let cells = place.diagonal(*direction, order);
            let item = json!({
                "cell": outside(*place),
                "cells": names(&cells),
                "direction": direction_key,
                "value": sum.to_string(),
            });
            ("littlekillersum", item)
        }
        Constraint::Sum { terms, total } => {
            let cells: Vec<Cell> = terms.iter().map(|term| term.1).collect();
            let coefficients: Vec<i32> = terms.iter().map(|term| term.0).collect();
            let mut item = json!({ "cells": names(&cells), "value": total.to_string() });
            if coefficients.iter().any(|coefficient| *coefficient != 1) {
                item["coefficients"] = json!(coefficients);
            }
            ("sum", item)
        }
        _ => return None,
    })
}

fn outside(place: Place) -> String {
    format!("R{}C{}", place.row, place.column)
}

fn negative(kind: Negative) -> Option<&'static str> {
    Some(match kind {
        Negative::Difference => "difference",
        Negative::Ratio => "ratio",
        Negative::Kropki => "kropki",
        Negative::Xv => "xv",
        _ => return None,
    })
}

fn line(kind: LineRule) -> Option<(&'static str, Option<u8>)> {
    Some(match kind {
        LineRule::Thermometer => ("thermometer", None),
        LineRule::SlowThermometer => ("slowthermometer", None),
        LineRule::Whispers(distance) => ("whispers", Some(distance)),
        LineRule::Palindrome => ("palindrome", None),
        LineRule::Renban => ("renban", None),
        LineRule::Nabner => ("nabner", None),
        LineRule::Entropic => ("entropicline", None),
        LineRule::Modular(number) => ("modularline", Some(number)),
        LineRule::Between => ("betweenline", None),
        LineRule::Lockout(distance) => ("lockout", Some(distance)),
        LineRule::RegionSum => ("regionsumline", None),
        LineRule::Zipper => ("zipperline", None),
        LineRule::DoubleArrow => ("doublearrow", None),
        _ => return None,
    })
}
