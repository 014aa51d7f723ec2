//! How things of the library are told in JSON: cells count from 0 in reading order, digits from 1.

use ninefold::grid::{Candidates, Cell, Conflict, Digit, Order};
use ninefold::logic::picture::{Ink, Picture};
use ninefold::logic::{Candidate, Level, Node, Step};
use serde_json::{Value, json};

/// `[cell, digit]`.
pub fn pair((cell, digit): (Cell, Digit)) -> Value {
    json!([cell.index(), digit.number()])
}

/// Two equal digits in one state.
pub fn conflict(conflict: &Conflict) -> Value {
    json!({
        "digit": conflict.digit.number(),
        "cells": [conflict.first.index(), conflict.second.index()],
        "text": conflict.to_string(),
    })
}

/// The candidates of every cell.
pub fn candidates(candidates: &Candidates) -> Value {
    let at = |cell| candidates.at(cell).map(Digit::number).collect::<Vec<u8>>();
    candidates.order().cells().map(at).collect::<Vec<_>>().into()
}

/// A step in a position: its name, its words, its conclusions and its picture.
pub fn step(step: &Step, position: &Candidates) -> Value {
    let order = position.order();
    let conclusions = |list: &[Candidate]| list.iter().map(|&c| pair((c.cell, c.digit))).collect::<Vec<_>>();
    json!({
        "technique": step.technique.to_string(),
        "slug": step.technique.slug(),
        "line": step.one_line(position),
        "where": step.explain(position, Level::Hint),
        "what": step.explain(position, Level::Technique),
        "why": step.explain(position, Level::Full),
        "places": conclusions(&step.places),
        "removes": conclusions(&step.removes),
        "picture": picture(&Picture::of(step, position), order),
    })
}

fn picture(picture: &Picture, order: Order) -> Value {
    let indices = |cells: &[Cell]| cells.iter().map(|cell| cell.index()).collect::<Vec<_>>();
    let node = |node: &Node| node.candidates().map(|c| pair((c.cell, c.digit))).collect::<Vec<_>>();
    json!({
        "houses": picture.houses.iter().map(|&house| indices(order.cells_in(house))).collect::<Vec<_>>(),
        "cells": indices(&picture.cells),
        "candidates": picture.candidates.iter().map(|&(candidate, ink)| json!({
            "cell": candidate.cell.index(), "digit": candidate.digit.number(), "ink": ink_name(ink),
        })).collect::<Vec<_>>(),
        "arrows": picture.arrows.iter().map(|arrow| json!({
            "from": node(&arrow.from), "to": node(&arrow.to), "strong": arrow.strong,
        })).collect::<Vec<_>>(),
    })
}

fn ink_name(ink: Ink) -> &'static str {
    match ink {
        Ink::Green => "green",
        Ink::Blue => "blue",
        Ink::Removed => "removed",
        Ink::Placed => "placed",
    }
}
