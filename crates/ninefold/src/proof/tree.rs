//! Proof trees: assume a candidate, follow the implications, and if necessary split, that is, try
//! every candidate of a cell or every place of a digit in a house.
//!
//! For every candidate that is in no solution, there is a tree that refutes it. Several other
//! proofs are special trees: a contradiction is a tree without a split, a kraken fish is a tree
//! that ends in a count, and a proof by cases is a tree that starts with a split.

use super::step::{Candidate, Combined, Count, Inference, InferenceReason, OneOf};
use crate::grid::Cell;

/// An assumption and its refutation.
///
/// The inferences are the true statements, and the candidates that a rule of the puzzle refutes;
/// other candidates that see a true statement are false implicitly. Each inference follows from the earlier ones and from those of the enclosing trees.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tree {
    /// The candidate that is assumed to be true.
    pub assumed: Candidate,
    /// The true statements that follow.
    pub inferences: Vec<Inference>,
    /// The contradiction or the split at the end.
    pub end: Ending,
}

/// The end of a tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The cell has no candidate left, or the digit no place in the house.
    Nothing(OneOf),
    /// One of these must be true, and a tree refutes each of them.
    Split(OneOf, Vec<Tree>),
    /// There are more truths than covers.
    NoRoom(Count),
    /// No filling of the rule is left.
    NoFilling(Combined),
}

impl Tree {
    /// The trees of the split at the end.
    pub fn branches(&self) -> &[Tree] {
        match &self.end {
            Ending::Split(_, branches) => branches,
            Ending::Nothing(_) | Ending::NoRoom(_) | Ending::NoFilling(_) => &[],
        }
    }

    /// The cells whose candidates the tree uses for inferences or splits.
    pub fn tried_cells(&self) -> Vec<Cell> {
        let inferred = self.inferences.iter().filter_map(|inference| match inference.reason {
            InferenceReason::LastIn(OneOf::Cell(cell)) => Some(cell),
            _ => None,
        });
        let split = match self.end {
            Ending::Split(OneOf::Cell(cell), _) => Some(cell),
            _ => None,
        };
        inferred.chain(split).chain(self.branches().iter().flat_map(Tree::tried_cells)).collect()
    }

    /// The number of true statements, including assumptions.
    pub fn statements(&self) -> usize {
        1 + self.inferences.len() + self.branches().iter().map(Tree::statements).sum::<usize>()
    }

    /// The number of splits.
    pub fn splits(&self) -> usize {
        let inner: usize = self.branches().iter().map(Tree::splits).sum();
        inner + usize::from(matches!(self.end, Ending::Split(..)))
    }

    /// The maximum number of nested assumptions; 1 without a split.
    pub fn depth(&self) -> usize {
        1 + self.branches().iter().map(Tree::depth).max().unwrap_or(0)
    }
}
