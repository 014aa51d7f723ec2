//! A tree: suppose a candidate, follow what it implies, and if need be try every choice of a cell or of a house.
//!
//! This is the form that always suffices: however hard a puzzle is, a wrong candidate is refuted by a tree that is deep
//! enough. A contradiction is a tree without a split, a kraken fish one that ends in a count, and a proof by cases one
//! whose first statement is already a split.

use super::step::{Candidate, Count, Inference, OneOf, Why};
use crate::grid::Cell;

/// A supposition and how it fails.
///
/// What a true statement sees is false at once and is not written down; the inferences are the true statements alone, in
/// an order in which each follows from the earlier ones and from those of the trees around this one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tree {
    /// What is supposed to be true.
    pub assumed: Candidate,
    /// What follows.
    pub inferences: Vec<Inference>,
    /// How it ends.
    pub end: Ending,
}

/// How a tree ends.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// Nothing is left in this cell, or no place in this house.
    Nothing(OneOf),
    /// One of these must be true, and each is refuted by a tree of its own.
    Split(OneOf, Vec<Tree>),
    /// The truths would need more room than the covers have.
    NoRoom(Count),
}

impl Tree {
    /// The trees for the choices at its end.
    pub fn branches(&self) -> &[Tree] {
        match &self.end {
            Ending::Split(_, branches) => branches,
            Ending::Nothing(_) | Ending::NoRoom(_) => &[],
        }
    }

    /// The cells whose digits it tries.
    pub fn tried_cells(&self) -> Vec<Cell> {
        let inferred = self.inferences.iter().filter_map(|inference| match inference.why {
            Why::LastIn(OneOf::Cell(cell)) => Some(cell),
            _ => None,
        });
        let split = match self.end {
            Ending::Split(OneOf::Cell(cell), _) => Some(cell),
            _ => None,
        };
        inferred.chain(split).chain(self.branches().iter().flat_map(Tree::tried_cells)).collect()
    }

    /// How many true statements it writes down, suppositions included.
    pub fn statements(&self) -> usize {
        1 + self.inferences.len() + self.branches().iter().map(Tree::statements).sum::<usize>()
    }

    /// How many splits it has.
    pub fn splits(&self) -> usize {
        let inner: usize = self.branches().iter().map(Tree::splits).sum();
        inner + usize::from(matches!(self.end, Ending::Split(..)))
    }

    /// How many suppositions stand inside each other at most; 1 without a split.
    pub fn depth(&self) -> usize {
        1 + self.branches().iter().map(Tree::depth).max().unwrap_or(0)
    }
}
