//! Solutions: what is known of the grids that solve a puzzle.

use super::Grid;

/// What a complete search found. `Many` carries two different grids, so the claim can be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Solutions {
    /// No grid solves the puzzle.
    Zero,
    /// Exactly one grid solves it.
    One(Grid),
    /// At least two grids solve it; here are two.
    Many(Grid, Grid),
}

impl Solutions {
    /// The solution, if there is exactly one.
    #[must_use]
    pub fn into_only(self) -> Option<Grid> {
        match self {
            Solutions::One(only) => Some(only),
            Solutions::Zero | Solutions::Many(..) => None,
        }
    }

    /// The same without taking it.
    #[must_use]
    pub fn only(&self) -> Option<&Grid> {
        match self {
            Solutions::One(only) => Some(only),
            Solutions::Zero | Solutions::Many(..) => None,
        }
    }
}
