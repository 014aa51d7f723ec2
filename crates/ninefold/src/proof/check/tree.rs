//! Checks a tree: replays its statements, and then each of its branches with what is known so far.

use super::{Flaw, Literal, World};
use crate::grid::{Cell, DigitSet};
use crate::proof::step::{Candidate, Count, Inference, Node, OneOf, Why};
use crate::proof::tree::{Ending, Tree};

/// The true statements from the root of a tree to where we are.
#[derive(Clone, Default)]
struct Supposed {
    on: Vec<Node>,
}

impl World<'_> {
    /// The tree must suppose the opposite of the goal and fail.
    pub(super) fn tree(&self, tree: &Tree, goal: Literal) -> Result<bool, Flaw> {
        if goal.holds || tree.assumed != goal.candidate {
            return Ok(false);
        }
        self.must_fail(tree, Supposed::default())?;
        Ok(true)
    }

    fn must_fail(&self, tree: &Tree, mut supposed: Supposed) -> Result<(), Flaw> {
        if !self.is_open(&supposed, tree.assumed) {
            return Err(Flaw::FalsePremise("a tree supposes what is already known to be false"));
        }
        supposed.on.push(Node::single(tree.assumed));
        for inference in &tree.inferences {
            if !self.states(inference, &supposed)? {
                return Err(Flaw::FalsePremise(
                    "a statement of the tree does not follow from the earlier ones",
                ));
            }
            supposed.on.push(inference.node.clone());
        }
        match &tree.end {
            Ending::Nothing(of) if self.open_members(*of, &supposed)?.is_empty() => Ok(()),
            Ending::Nothing(_) => Err(Flaw::FalsePremise("the tree ends where something is left")),
            Ending::Split(of, branches) => self.all_must_fail(*of, branches, &supposed),
            Ending::NoRoom(count) if self.lacks_room(count, &supposed)? => Ok(()),
            Ending::NoRoom(_) => {
                Err(Flaw::FalsePremise("the tree ends where there is room enough"))
            }
        }
    }

    /// Each choice that is open needs a tree of its own, in order, and there must be no others.
    fn all_must_fail(&self, of: OneOf, branches: &[Tree], supposed: &Supposed) -> Result<(), Flaw> {
        let open = self.open_members(of, supposed)?;
        if open.len() < 2 || !open.iter().eq(branches.iter().map(|branch| &branch.assumed)) {
            return Err(Flaw::FalsePremise(
                "the branches of a tree are not the choices that are left",
            ));
        }
        branches.iter().try_for_each(|branch| self.must_fail(branch, supposed.clone()))
    }

    /// Does a statement follow? It must name exactly the candidates that are left.
    fn states(&self, inference: &Inference, supposed: &Supposed) -> Result<bool, Flaw> {
        let node = &inference.node;
        Ok(inference.holds
            && match &inference.why {
                Why::LastIn(of) => {
                    let left = self.open_members(*of, supposed)?;
                    !left.is_empty() && left.iter().copied().eq(node.candidates())
                }
                Why::LockedIn(cells) => self.subset(cells, node, supposed)?,
                Why::Assumed | Why::Seen => false,
            })
    }

    /// Have these n cells of one house only n digits left, the node's among them?
    fn subset(&self, cells: &[Cell], node: &Node, supposed: &Supposed) -> Result<bool, Flaw> {
        let order = self.candidates.order();
        let in_one_house =
            order.houses().any(|house| cells.iter().all(|&c| order.houses_of(c).contains(&house)));
        let is_empty = |cell: &Cell| self.candidates.grid()[*cell].is_none();
        if !in_one_house || !cells.is_sorted_by(|a, b| a < b) || !cells.iter().all(is_empty) {
            return Err(Flaw::FalsePremise("a subset of the tree does not lie in one house"));
        }
        let left = |cell: Cell| {
            let open = |&digit: &_| self.is_open(supposed, Candidate::new(cell, digit));
            self.candidates.at(cell).filter(open).collect::<DigitSet>()
        };
        let digits = cells.iter().fold(DigitSet::EMPTY, |digits, &cell| digits | left(cell));
        let places = cells.iter().copied().filter(|&cell| left(cell).contains(node.digit));
        Ok(digits.count() == cells.len()
            && digits.contains(node.digit)
            && places.eq(node.cells.iter().copied()))
    }

    fn lacks_room(&self, count: &Count, supposed: &Supposed) -> Result<bool, Flaw> {
        let single = |node: &Node| {
            (node.cells.len() == 1).then(|| Candidate::new(node.cells[0], node.digit))
        };
        let known: Vec<Candidate> = supposed.on.iter().filter_map(single).collect();
        self.no_room(count, &known, &|candidate| !self.is_open(supposed, candidate))
    }

    fn open_members(&self, of: OneOf, supposed: &Supposed) -> Result<Vec<Candidate>, Flaw> {
        Ok(self.members(of)?.into_iter().filter(|&member| self.is_open(supposed, member)).collect())
    }

    /// A candidate is open until it sees a true statement: all cells of one.
    fn is_open(&self, supposed: &Supposed, candidate: Candidate) -> bool {
        self.candidates.at(candidate.cell).contains(candidate.digit)
            && !supposed
                .on
                .iter()
                .any(|node| node.candidates().all(|member| self.conflict(member, candidate)))
    }
}
