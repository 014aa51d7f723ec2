//! The result of a complete search for solutions.

use super::Grid;

/// Whether a puzzle has no solution, one or several. `Many` contains two different ones, so the
/// result can be verified.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Solutions {
    /// The puzzle has no solution.
    Zero,
    /// The puzzle has exactly this solution.
    One(Grid),
    /// The puzzle has at least these two solutions.
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

    /// A reference to the solution, if there is exactly one.
    #[must_use]
    pub fn only(&self) -> Option<&Grid> {
        match self {
            Solutions::One(only) => Some(only),
            Solutions::Zero | Solutions::Many(..) => None,
        }
    }
}
