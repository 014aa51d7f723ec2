//! Entries and conflicts as JSON: cells count from 0 in reading order, digits from 1.

use ninefold::grid::{Cell, Digit, Violation};
use serde_json::{Value, json};

/// `[cell, digit]`.
pub fn pair((cell, digit): (Cell, Digit)) -> Value {
    json!([cell.index(), digit.number()])
}

/// A rule that the digits break. `digit` is null unless two equal digits share a house or a region.
pub fn conflict(violation: &Violation) -> Value {
    json!({
        "digit": violation.digit().map(Digit::number),
        "cells": violation.cells().into_iter().map(Cell::index).collect::<Vec<_>>(),
        "text": violation.to_string(),
    })
}
