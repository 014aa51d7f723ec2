//! The first rule that a grid breaks, and the error of functions that require classic rules.

use super::rules::{Constraint, Rules};
use super::{Cell, Conflict, Digit, Grid, Order, text};
use std::fmt;

/// A rule that the digits of a grid break, full or not.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Violation {
    /// Two equal digits in a row, a column or a rectangular box.
    House(Conflict),
    /// Two equal digits in an irregular region.
    Region {
        /// The size of the grid, needed to name the cells.
        order: Order,
        /// The repeated digit.
        digit: Digit,
        /// The first of the two cells in reading order.
        first: Cell,
        /// The second of the two cells in reading order.
        second: Cell,
    },
    /// Digits that break a constraint: all its cells are filled, or a part of it is already broken.
    Constraint {
        /// The size of the grid, needed to name the cells.
        order: Order,
        /// The constraint.
        constraint: Constraint,
    },
}

impl Grid {
    /// The first rule that the digits break, if any: a digit twice in a house or a region, or a
    /// constraint whose digits are wrong.
    ///
    /// A constraint with empty cells is reported only if one of its parts, such as a step of a
    /// thermometer, is full and broken. [`search::prove`](crate::search::prove) finds all others.
    pub fn violation(&self) -> Option<Violation> {
        if let Some(conflict) = self.conflict() {
            return Some(Violation::House(conflict));
        }
        let rules = self.rules()?;
        let order = self.order();
        for region in rules.regions() {
            let clues = region.iter().filter_map(|&cell| Some((cell, self[cell]?)));
            let mut seen: Vec<(Cell, Digit)> = Vec::new();
            for (second, digit) in clues {
                if let Some(&(first, _)) = seen.iter().find(|(_, other)| *other == digit) {
                    return Some(Violation::Region { order, digit, first, second });
                }
                seen.push((second, digit));
            }
        }
        let broken = rules.first_broken(|cell| self[cell])?;
        Some(Violation::Constraint { order, constraint: rules.constraints()[broken].clone() })
    }
}

impl Violation {
    /// The repeated digit, if the violation is one.
    pub fn digit(&self) -> Option<Digit> {
        match self {
            Violation::House(conflict) => Some(conflict.digit),
            Violation::Region { digit, .. } => Some(*digit),
            Violation::Constraint { .. } => None,
        }
    }

    /// The two cells of a repeated digit, or the cells of the broken constraint.
    pub fn cells(&self) -> Vec<Cell> {
        match self {
            Violation::House(conflict) => vec![conflict.first, conflict.second],
            Violation::Region { first, second, .. } => vec![*first, *second],
            Violation::Constraint { constraint, .. } => constraint.cells(),
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Violation::House(conflict) => conflict.fmt(f),
            Violation::Region { order, digit, first, second } => write!(
                f,
                "{}: a second {} in its region, the first is in {}",
                order.name_of(*second),
                text::symbol(*order, *digit),
                order.name_of(*first),
            ),
            Violation::Constraint { order, constraint } => {
                write!(f, "the digits break a rule: {}", constraint.describe(*order))
            }
        }
    }
}

impl std::error::Error for Violation {}

/// A puzzle with other rules was passed to a function that only knows the classic rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} only defined for classic Sudoku, and this puzzle has other rules: {rules}")]
#[non_exhaustive]
pub struct ClassicOnlyError {
    /// What requires classic rules.
    pub what: &'static str,
    /// The names of the other rules, separated by commas.
    pub rules: String,
}

impl ClassicOnlyError {
    pub(super) fn new(what: &'static str, rules: &Rules) -> ClassicOnlyError {
        ClassicOnlyError { what, rules: rules.names().join(", ") }
    }
}
