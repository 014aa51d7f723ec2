//! Proof trees for exocets: refute a candidate by trying the digits of base and targets.
//!
//! The cells of the pattern are tried one after the other until a base cell has a digit that
//! neither target has and that does not fit into the cross-lines. Mirrors and links add further
//! contradictions.

use super::Exocet;
use crate::grid::{Cell, Digit, DigitSet};
use crate::logic::board::Board;
use crate::proof::{
    Candidate, Ending, Inference, InferenceReason, Node, OneOf, Reason, Step, Technique, Tree,
    check,
};

/// Consequences of assumptions and the contradiction they lead to.
pub(super) type Failure = (Vec<Inference>, Ending);

/// Rule that returns a consequence of the assumptions, if there is one.
type Rule<'a, T> = Box<dyn Fn(&[Candidate]) -> Option<T> + 'a>;

/// Builds the proof trees of an exocet.
pub(super) struct TreeBuilder<'a, const W: usize> {
    position: &'a Board<'a, W>,
    exocet: &'a Exocet,
    /// Returns the next inference from the assumptions.
    follows: Rule<'a, Inference>,
    /// Additional contradiction, besides a base digit that no target has.
    fails: Rule<'a, Failure>,
}

impl<'a, const W: usize> TreeBuilder<'a, W> {
    /// Creates a builder that uses the exocet alone.
    pub fn new(position: &'a Board<'a, W>, exocet: &'a Exocet) -> Self {
        TreeBuilder { position, exocet, follows: Box::new(|_| None), fails: Box::new(|_| None) }
    }

    /// Adds a rule that derives further inferences.
    pub fn with_rule(self, follows: impl Fn(&[Candidate]) -> Option<Inference> + 'a) -> Self {
        TreeBuilder { follows: Box::new(follows), ..self }
    }

    /// Adds a further contradiction.
    pub fn with_failure(self, fails: impl Fn(&[Candidate]) -> Option<Failure> + 'a) -> Self {
        TreeBuilder { fails: Box::new(fails), ..self }
    }

    /// Returns a tree that refutes the candidate by trying the digits of these cells in order, or
    /// `None` if it does not refute it.
    pub fn refute(&self, assumed: Candidate, cells: &[Cell]) -> Option<Tree> {
        self.choose(assumed, Vec::new(), &[], cells)
    }

    /// Like [`TreeBuilder::refute`], with an inference that already follows from the candidate.
    pub fn refute_after(
        &self,
        assumed: Candidate,
        first: Inference,
        cells: &[Cell],
    ) -> Option<Tree> {
        self.choose(assumed, vec![first], &[], cells)
    }

    fn choose(
        &self,
        assumed: Candidate,
        mut inferences: Vec<Inference>,
        before: &[Candidate],
        cells: &[Cell],
    ) -> Option<Tree> {
        let mut assumptions = [before, &[assumed]].concat();
        assumptions.extend(inferences.iter().flat_map(|inference| inference.node.candidates()));
        let mut rest = cells;
        let end = loop {
            if let Some(digit) = self.exocet.missing_digit(&assumptions) {
                break self.exocet.no_room(digit);
            }
            if let Some((mut more, ending)) = (self.fails)(&assumptions) {
                inferences.append(&mut more);
                break ending;
            }
            if let Some(next) = (self.follows)(&assumptions) {
                assumptions.extend(next.node.candidates());
                inferences.push(next);
                continue;
            }
            let (&next, after) = rest.split_first()?;
            rest = after;
            let open = left(self.position, next, &assumptions);
            match (open.count(), open.first()) {
                (0, _) => break Ending::Nothing(OneOf::Cell(next)),
                (1, Some(digit)) => {
                    let node = Node::single(Candidate::new(next, digit));
                    inferences.push(Inference {
                        node,
                        holds: true,
                        reason: InferenceReason::LastIn(OneOf::Cell(next)),
                    });
                    assumptions.push(Candidate::new(next, digit));
                }
                _ => {
                    let branch = |digit| {
                        self.choose(Candidate::new(next, digit), Vec::new(), &assumptions, rest)
                    };
                    break Ending::Split(
                        OneOf::Cell(next),
                        open.map(branch).collect::<Option<_>>()?,
                    );
                }
            }
        };
        Some(Tree { assumed, inferences, end })
    }
}

impl Exocet {
    /// Returns the contradiction for a base digit that neither target has: the cross-lines have no
    /// place for it.
    pub fn no_room(&self, digit: Digit) -> Ending {
        Ending::NoRoom(self.count(digit).clone())
    }

    /// Returns a base digit that neither target has, once both are known.
    fn missing_digit(&self, assumptions: &[Candidate]) -> Option<Digit> {
        let targets =
            [digit_at(self.targets[0], assumptions)?, digit_at(self.targets[1], assumptions)?];
        self.base
            .into_iter()
            .filter_map(|cell| digit_at(cell, assumptions))
            .find(|digit| !targets.contains(digit))
    }

    /// Returns true if the digit is assumed to be in the base.
    pub fn base_has(&self, digit: Digit, assumptions: &[Candidate]) -> bool {
        self.base.into_iter().any(|cell| digit_at(cell, assumptions) == Some(digit))
    }
}

/// Returns the digit that is assumed for a cell.
pub(super) fn digit_at(cell: Cell, assumptions: &[Candidate]) -> Option<Digit> {
    assumptions.iter().find(|candidate| candidate.cell == cell).map(|candidate| candidate.digit)
}

/// Returns the digits that a cell can still take.
fn left<const W: usize>(position: &Board<W>, cell: Cell, assumptions: &[Candidate]) -> DigitSet {
    let seen = assumptions.iter().filter(|other| position.peers(cell).contains(other.cell));
    seen.fold(position.at(cell), |left, other| left.without(other.digit))
}

/// Returns true if the assumptions do not exclude the candidate.
pub(super) fn is_open<const W: usize>(
    position: &Board<W>,
    candidate: Candidate,
    assumptions: &[Candidate],
) -> bool {
    let Candidate { cell, digit } = candidate;
    assumptions.iter().all(|other| match other.digit == digit {
        true => !position.peers(cell).contains(other.cell),
        false => other.cell != cell,
    })
}

/// Removes unnecessary inferences from a tree, one at a time, as long as the proof remains valid.
pub(super) fn shortened<const W: usize>(
    position: &Board<W>,
    technique: Technique,
    tree: Tree,
) -> Tree {
    let (grid, candidates) = (position.grid(), position.candidates());
    let mut best = tree;
    let mut kept = 0;
    while let Some(shorter) = without(&best, &mut { kept }) {
        let step = Step::remove(technique, vec![shorter.assumed], Reason::Tree(shorter.clone()));
        if check(&step, grid, &candidates).is_ok() {
            best = shorter;
        } else {
            // A statement that is needed now is also needed in a smaller proof.
            kept += 1;
        }
    }
    best
}

/// Returns the tree without the inference at index `before` in reading order, or `None` if there
/// are fewer inferences.
fn without(tree: &Tree, before: &mut usize) -> Option<Tree> {
    let mut less = tree.clone();
    if *before < tree.inferences.len() {
        less.inferences.remove(*before);
        return Some(less);
    }
    *before -= tree.inferences.len();
    let Ending::Split(_, branches) = &mut less.end else { return None };
    let (branch, shorter) =
        branches.iter().enumerate().find_map(|(n, branch)| Some((n, without(branch, before)?)))?;
    branches[branch] = shorter;
    Some(less)
}

/// Returns true if any branch of the tree ends with [`Ending::NoRoom`].
pub(super) fn lacks_room(tree: &Tree) -> bool {
    matches!(tree.end, Ending::NoRoom(_)) || tree.branches().iter().any(lacks_room)
}
