//! The rules of f-puzzles boards, read and written as [`Rules`].
//!
//! f-puzzles stores each kind of rule under its own key: `killercage`, `thermometer`, `xv` and so
//! on. `rules/read.rs` maps the keys to constraints and `rules/write.rs` constraints to keys. A key
//! or a field that is not understood is reported in [`BoardRules::unknown`], never dropped, because
//! a puzzle without one of its rules is another puzzle.
//!
//! Beyond f-puzzles' own keys there are `regions` (one sign per cell), `noboxes`, `boxes_too`,
//! `windoku`, `sum`, `greaterthan` and `countingcircles`; outside clues may have `cells` instead of
//! a position.

mod read;
#[cfg(test)]
mod tests;
mod write;

pub use read::read_rules;
pub(crate) use read::{read_rules_into, regions, shorten};
pub(crate) use write::key_of;
pub use write::write_rules;

use ninefold::grid::rules::{Rules, RulesError};

/// The rules of a board, and what could not be understood.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BoardRules {
    /// The rules that were understood.
    pub rules: Rules,
    /// Rules that Ninefold does not know. If there are any, a solution ignores them.
    pub unknown: Vec<String>,
}

/// A rule that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadRulesError {
    /// A value has the wrong type or is missing.
    #[error("{key}: expected {expected}, found {found}")]
    WrongValue {
        /// The key of the rule.
        key: String,
        /// What would be valid.
        expected: &'static str,
        /// The value.
        found: String,
    },
    /// A cell is outside the grid.
    #[error("{key}: {cell} is outside a {side}×{side} grid")]
    OutsideGrid {
        /// The key of the rule.
        key: String,
        /// The name of the cell.
        cell: String,
        /// The side of the grid.
        side: usize,
    },
    /// A rule is impossible.
    #[error(transparent)]
    Rule(#[from] RulesError),
}
