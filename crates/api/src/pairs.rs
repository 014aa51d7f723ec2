//! Entries and conflicts as JSON: cells count from 0 in reading order, digits from 1.

use ninefold::grid::{Cell, Conflict, Digit};
use serde_json::{Value, json};

/// `[cell, digit]`.
pub fn pair((cell, digit): (Cell, Digit)) -> Value {
    json!([cell.index(), digit.number()])
}

/// Two equal digits in one house.
pub fn conflict(conflict: &Conflict) -> Value {
    json!({
        "digit": conflict.digit.number(),
        "cells": [conflict.first.index(), conflict.second.index()],
        "text": conflict.to_string(),
    })
}
