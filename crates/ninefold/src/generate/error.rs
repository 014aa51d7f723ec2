//! Errors of puzzle generation: invalid options, no puzzle found, or a limit reached.

use super::PatternSymmetry;
use crate::grid::{Grid, Order};
use crate::limits::StopReason;
use crate::proof::Technique;
use std::fmt;

/// Why no puzzle was generated.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// No puzzle can satisfy the options.
    #[error(transparent)]
    InvalidOptions(#[from] InvalidOptionsError),
    /// All attempts failed.
    #[error(transparent)]
    NotFound(#[from] NotFoundError),
    /// A limit was reached before a puzzle was found.
    #[error(transparent)]
    Interrupted(#[from] InterruptedError),
}

/// A limit was reached before a puzzle was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped by {stop} before a puzzle was found")]
#[non_exhaustive]
pub struct InterruptedError {
    /// The limit that was reached.
    pub stop: StopReason,
    /// The work done until then.
    pub so_far: NotFoundError,
}

/// Options that no puzzle can satisfy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidOptionsError {
    /// The range of clue counts is empty or exceeds the number of cells.
    #[error("invalid number of clues {first}-{last} for a grid of {} cells", order.cell_count())]
    Clues {
        /// The start of the range.
        first: usize,
        /// The end of the range.
        last: usize,
        /// The size of the grid.
        order: Order,
    },
    /// The range of clue counts is below the minimum for a unique solution.
    #[error(
        "at most {most} clues requested, but {order} puzzles with one solution have at least \
         {fewest} clues ({reason})"
    )]
    TooFewClues {
        /// The largest requested number of clues.
        most: usize,
        /// The smallest possible number of clues.
        fewest: usize,
        /// How the minimum is known.
        reason: &'static str,
        /// The size of the grid.
        order: Order,
    },
    /// The pattern or the solution has another size than the puzzle.
    #[error("the pattern or solution is a {found} grid, but {order} was requested")]
    WrongSize {
        /// The size of the pattern or solution.
        found: Order,
        /// The requested size.
        order: Order,
    },
    /// The given solution has empty cells or breaks a rule.
    #[error("the given solution is incomplete or breaks the rules")]
    InvalidSolution,
    /// The given pattern does not have the requested symmetry.
    #[error("the pattern does not have the symmetry {symmetry}")]
    PatternSymmetry {
        /// The requested symmetry.
        symmetry: PatternSymmetry,
    },
    /// The number of cells in the given pattern is outside the requested range of clues.
    #[error("the pattern has {count} clues, which is outside the requested range")]
    PatternClues {
        /// The number of cells in the pattern.
        count: usize,
    },
    /// A technique is both required and forbidden.
    #[error("{technique} is both required and forbidden")]
    RequiredAndForbidden {
        /// The technique.
        technique: Technique,
    },
    /// A required technique is harder than the hardest allowed technique.
    #[error("{technique} is required, but it is harder than the hardest allowed step, {hardest}")]
    HarderThanHardest {
        /// The required technique.
        technique: Technique,
        /// The hardest allowed technique.
        hardest: Technique,
    },
    /// A required technique is not in the list of allowed techniques.
    #[error("{technique} is required, but not among the allowed techniques")]
    NotAllowed {
        /// The technique.
        technique: Technique,
    },
    /// A technique is required, but the puzzle must be solvable with singles alone.
    #[error("{technique} is required, but the puzzle must be solvable with singles only")]
    BeyondSingles {
        /// The technique.
        technique: Technique,
    },
    /// A required technique assumes a unique solution, but such techniques are disabled.
    #[error("{technique} is required, but it assumes a unique solution, which is disabled")]
    AssumesUniqueness {
        /// The technique.
        technique: Technique,
    },
}

/// No puzzle that satisfies the options was found in the given number of attempts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotFoundError {
    /// The number of complete grids tried.
    pub attempts: usize,
    /// The number of uniqueness proofs.
    pub proofs: u64,
    /// The number of proofs that reached their limit.
    pub unfinished: u64,
    /// The number of puzzles checked against the requirements.
    pub measured: u64,
    /// The puzzle that came closest to the options.
    pub nearest: Option<NearestPuzzle>,
}

/// The puzzle that came closest to the options.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NearestPuzzle {
    /// The puzzle. It has one solution unless `mismatches` says otherwise.
    pub puzzle: Grid,
    /// Descriptions of the options that it does not satisfy.
    pub mismatches: Vec<String>,
}

impl std::error::Error for NotFoundError {}

impl fmt::Display for NotFoundError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "no matching puzzle found in {} complete grids with {} proofs",
            self.attempts, self.proofs
        )?;
        if self.unfinished > 0 {
            write!(f, ", {} of them unfinished", self.unfinished)?;
        }
        if self.measured > 0 {
            write!(f, ", and {} puzzles checked against the requirements", self.measured)?;
        }
        match &self.nearest {
            Some(nearest) => {
                let mismatches = nearest.mismatches.join(", ");
                write!(f, "; the nearest puzzle is {}: {mismatches}", nearest.puzzle)
            }
            None => Ok(()),
        }
    }
}
