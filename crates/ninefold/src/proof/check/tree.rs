//! Checks a proof tree: verifies its statements and then each of its branches.

use super::{Literal, ProofError, World};
use crate::grid::{Cell, DigitSet};
use crate::proof::step::{Candidate, Count, Inference, InferenceReason, Node, OneOf};
use crate::proof::tree::{Ending, Tree};

/// The true statements from the root of the tree to the current node.
#[derive(Clone, Default)]
struct Assumptions {
    on: Vec<Node>,
}

impl World<'_> {
    /// Whether the tree assumes the opposite of the goal and refutes it.
    pub(super) fn tree(&self, tree: &Tree, goal: Literal) -> Result<bool, ProofError> {
        if goal.holds || tree.assumed != goal.candidate {
            return Ok(false);
        }
        self.must_fail(tree, Assumptions::default())?;
        Ok(true)
    }

    fn must_fail(&self, tree: &Tree, mut assumptions: Assumptions) -> Result<(), ProofError> {
        if !self.is_open(&assumptions, tree.assumed) {
            return Err(ProofError::FalsePremise(
                "a tree assumes a candidate that is already false",
            ));
        }
        assumptions.on.push(Node::single(tree.assumed));
        for inference in &tree.inferences {
            if !self.follows_in_tree(inference, &assumptions)? {
                return Err(ProofError::FalsePremise(
                    "a statement of the tree does not follow from the earlier ones",
                ));
            }
            assumptions.on.push(inference.node.clone());
        }
        match &tree.end {
            Ending::Nothing(of) if self.open_members(*of, &assumptions)?.is_empty() => Ok(()),
            Ending::Nothing(_) => {
                Err(ProofError::FalsePremise("a tree ends without a contradiction"))
            }
            Ending::Split(of, branches) => self.all_must_fail(*of, branches, &assumptions),
            Ending::NoRoom(count) if self.lacks_room(count, &assumptions)? => Ok(()),
            Ending::NoRoom(_) => {
                Err(ProofError::FalsePremise("a tree ends with a count that is no contradiction"))
            }
        }
    }

    /// Checks a split: there must be one branch for each open choice, in order.
    fn all_must_fail(
        &self,
        of: OneOf,
        branches: &[Tree],
        assumptions: &Assumptions,
    ) -> Result<(), ProofError> {
        let open = self.open_members(of, assumptions)?;
        if open.len() < 2 || !open.iter().eq(branches.iter().map(|branch| &branch.assumed)) {
            return Err(ProofError::FalsePremise(
                "the branches of a tree are not the open choices",
            ));
        }
        branches.iter().try_for_each(|branch| self.must_fail(branch, assumptions.clone()))
    }

    /// Whether a statement follows. Its node must contain exactly the open candidates.
    fn follows_in_tree(
        &self,
        inference: &Inference,
        assumptions: &Assumptions,
    ) -> Result<bool, ProofError> {
        let node = &inference.node;
        Ok(inference.holds
            && match &inference.reason {
                InferenceReason::LastIn(of) => {
                    let left = self.open_members(*of, assumptions)?;
                    !left.is_empty() && left.iter().copied().eq(node.candidates())
                }
                InferenceReason::LockedIn(cells) => self.subset(cells, node, assumptions)?,
                InferenceReason::Assumed | InferenceReason::Seen => false,
            })
    }

    /// Whether these n cells of one house have only n digits left, including the digit of the node.
    fn subset(
        &self,
        cells: &[Cell],
        node: &Node,
        assumptions: &Assumptions,
    ) -> Result<bool, ProofError> {
        let order = self.candidates.order();
        let in_one_house =
            order.houses().any(|house| cells.iter().all(|&c| order.houses_of(c).contains(&house)));
        let is_empty = |cell: &Cell| self.candidates.grid()[*cell].is_none();
        if !in_one_house || !cells.is_sorted_by(|a, b| a < b) || !cells.iter().all(is_empty) {
            return Err(ProofError::FalsePremise("a subset of a tree is not in one house"));
        }
        let left = |cell: Cell| {
            let open = |&digit: &_| self.is_open(assumptions, Candidate::new(cell, digit));
            self.candidates.at(cell).filter(open).collect::<DigitSet>()
        };
        let digits = cells.iter().fold(DigitSet::EMPTY, |digits, &cell| digits | left(cell));
        let places = cells.iter().copied().filter(|&cell| left(cell).contains(node.digit));
        Ok(digits.count() == cells.len()
            && digits.contains(node.digit)
            && places.eq(node.cells.iter().copied()))
    }

    fn lacks_room(&self, count: &Count, assumptions: &Assumptions) -> Result<bool, ProofError> {
        let single = |node: &Node| {
            (node.cells.len() == 1).then(|| Candidate::new(node.cells[0], node.digit))
        };
        let known: Vec<Candidate> = assumptions.on.iter().filter_map(single).collect();
        self.no_room(count, &known, &|candidate| !self.is_open(assumptions, candidate))
    }

    fn open_members(
        &self,
        of: OneOf,
        assumptions: &Assumptions,
    ) -> Result<Vec<Candidate>, ProofError> {
        Ok(self
            .members(of)?
            .into_iter()
            .filter(|&member| self.is_open(assumptions, member))
            .collect())
    }

    /// Whether a candidate is open: it does not see all cells of a true statement.
    fn is_open(&self, assumptions: &Assumptions, candidate: Candidate) -> bool {
        self.candidates.at(candidate.cell).contains(candidate.digit)
            && !assumptions
                .on
                .iter()
                .any(|node| node.candidates().all(|member| self.conflict(member, candidate)))
    }
}
