//! Checks a proof tree: verifies its statements and then each of its branches.

use super::{Literal, ProofError, World};
use crate::grid::{Cell, DigitSet};
use crate::proof::step::{Candidate, Combined, Count, Inference, InferenceReason, Node, OneOf};
use crate::proof::tree::{Ending, Tree};

/// The statements from the root of the tree to the current node.
#[derive(Clone, Default)]
struct Assumptions {
    on: Vec<Node>,
    /// Candidates that a rule of the puzzle refutes.
    off: Vec<Candidate>,
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
            if inference.holds {
                assumptions.on.push(inference.node.clone());
            } else {
                assumptions.off.extend(inference.node.candidates());
            }
        }
        match &tree.end {
            Ending::Nothing(of) if self.open_members(*of, &assumptions)?.is_empty() => Ok(()),
            Ending::Nothing(_) => {
                Err(ProofError::FalsePremise("a tree ends without a contradiction"))
            }
            Ending::Split(of, branches) => self.all_must_fail(*of, branches, &assumptions),
            Ending::NoRoom(count) if self.lacks_room(count, &assumptions)? => Ok(()),
            Ending::NoFilling(combined) if !self.can_be_satisfied(combined, &assumptions)? => {
                Ok(())
            }
            Ending::NoFilling(_) => {
                Err(ProofError::FalsePremise("a tree ends with a rule that can be satisfied"))
            }
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
        if let InferenceReason::Rule(combined) = &inference.reason {
            let open = |cell| self.open_digits(assumptions, cell);
            return self.rule_implies(combined, node, inference.holds, &open);
        }
        Ok(inference.holds
            && match &inference.reason {
                InferenceReason::LastIn(of) => {
                    let left = self.open_members(*of, assumptions)?;
                    !left.is_empty() && left.iter().copied().eq(node.candidates())
                }
                InferenceReason::LockedIn(cells) => self.subset(cells, node, assumptions)?,
                InferenceReason::Assumed | InferenceReason::Seen | InferenceReason::Rule(_) => {
                    false
                }
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
            order.houses().any(|house| cells.iter().all(|&c| order.houses_of(c).contains(&house)))
                || self.rules().is_some() && self.all_differ(cells);
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

    fn can_be_satisfied(
        &self,
        combined: &Combined,
        assumptions: &Assumptions,
    ) -> Result<bool, ProofError> {
        self.can_hold(combined, &|cell| self.open_digits(assumptions, cell))
    }

    /// The digit of a filled cell, or the open candidates of an empty one.
    fn open_digits(&self, assumptions: &Assumptions, cell: Cell) -> DigitSet {
        if self.candidates.grid()[cell].is_some() {
            return self.digits_of(cell);
        }
        let open = |&digit: &_| self.is_open(assumptions, Candidate::new(cell, digit));
        self.digits_of(cell).filter(open).collect()
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

    /// Whether a candidate is open: no rule refutes it, and it does not see all cells of a true
    /// statement.
    fn is_open(&self, assumptions: &Assumptions, candidate: Candidate) -> bool {
        self.candidates.at(candidate.cell).contains(candidate.digit)
            && !assumptions.off.contains(&candidate)
            && !assumptions
                .on
                .iter()
                .any(|node| node.candidates().all(|member| self.conflict(member, candidate)))
    }
}
