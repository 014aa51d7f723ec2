//! Trees for exocets: this is where we refute a candidate by trying the digits of base and targets.
//!
//! Cell after cell of the pattern is tried until a base cell has a digit that neither target has, for which the
//! cross-lines have no room. Mirrors and links add further ways to fail.

use super::Exocet;
use crate::grid::{Cell, Digit, DigitSet};
use crate::logic::board::Board;
use crate::proof::{
    Because, Candidate, Ending, Inference, Node, OneOf, Step, Technique, Tree, Why, check,
};

/// What follows from suppositions, up to where they fail.
pub(super) type Failure = (Vec<Inference>, Ending);

/// What can be said of suppositions, if anything.
type Says<'a, T> = Box<dyn Fn(&[Candidate]) -> Option<T> + 'a>;

/// How trees of an exocet are made.
pub(super) struct Trees<'a, const W: usize> {
    position: &'a Board<'a, W>,
    exocet: &'a Exocet,
    /// What follows next from what is supposed.
    follows: Says<'a, Inference>,
    /// Another way to fail than a digit of the base that no target has.
    fails: Says<'a, Failure>,
}

impl<'a, const W: usize> Trees<'a, W> {
    /// Trees that rest on the exocet alone.
    pub fn new(position: &'a Board<'a, W>, exocet: &'a Exocet) -> Self {
        Trees { position, exocet, follows: Box::new(|_| None), fails: Box::new(|_| None) }
    }

    /// Trees in which this follows, too.
    pub fn following(self, follows: impl Fn(&[Candidate]) -> Option<Inference> + 'a) -> Self {
        Trees { follows: Box::new(follows), ..self }
    }

    /// Trees that may also fail in this way.
    pub fn failing(self, fails: impl Fn(&[Candidate]) -> Option<Failure> + 'a) -> Self {
        Trees { fails: Box::new(fails), ..self }
    }

    /// The tree of a candidate, trying the digits of these cells one after the other; nothing if that does not refute it.
    pub fn refuted(&self, assumed: Candidate, cells: &[Cell]) -> Option<Tree> {
        self.choose(assumed, Vec::new(), &[], cells)
    }

    /// The same with something that follows from the candidate already.
    pub fn refuted_after(
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
        let mut supposed = [before, &[assumed]].concat();
        supposed.extend(inferences.iter().flat_map(|inference| inference.node.candidates()));
        let mut rest = cells;
        let end = loop {
            if let Some(digit) = self.exocet.left_over(&supposed) {
                break self.exocet.no_room(digit);
            }
            if let Some((mut more, ending)) = (self.fails)(&supposed) {
                inferences.append(&mut more);
                break ending;
            }
            if let Some(next) = (self.follows)(&supposed) {
                supposed.extend(next.node.candidates());
                inferences.push(next);
                continue;
            }
            let (&next, after) = rest.split_first()?;
            rest = after;
            let open = left(self.position, next, &supposed);
            match (open.count(), open.first()) {
                (0, _) => break Ending::Nothing(OneOf::Cell(next)),
                (1, Some(digit)) => {
                    let node = Node::single(Candidate::new(next, digit));
                    inferences.push(Inference {
                        node,
                        holds: true,
                        why: Why::LastIn(OneOf::Cell(next)),
                    });
                    supposed.push(Candidate::new(next, digit));
                }
                _ => {
                    let branch = |digit| {
                        self.choose(Candidate::new(next, digit), Vec::new(), &supposed, rest)
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
    /// For this base digit, which no target has, the cross-lines have no room.
    pub fn no_room(&self, digit: Digit) -> Ending {
        Ending::NoRoom(self.count(digit).clone())
    }

    /// A digit of the base that neither target has, once both are known.
    fn left_over(&self, supposed: &[Candidate]) -> Option<Digit> {
        let targets = [digit_at(self.targets[0], supposed)?, digit_at(self.targets[1], supposed)?];
        self.base
            .into_iter()
            .filter_map(|cell| digit_at(cell, supposed))
            .find(|digit| !targets.contains(digit))
    }

    /// Is this digit supposed to be in the base?
    pub fn base_has(&self, digit: Digit, supposed: &[Candidate]) -> bool {
        self.base.into_iter().any(|cell| digit_at(cell, supposed) == Some(digit))
    }
}

/// The digit that a cell is supposed to have.
pub(super) fn digit_at(cell: Cell, supposed: &[Candidate]) -> Option<Digit> {
    supposed.iter().find(|candidate| candidate.cell == cell).map(|candidate| candidate.digit)
}

/// The digits that a cell has left.
fn left<const W: usize>(position: &Board<W>, cell: Cell, supposed: &[Candidate]) -> DigitSet {
    let seen = supposed.iter().filter(|other| position.peers(cell).contains(other.cell));
    seen.fold(position.at(cell), |left, other| left.without(other.digit))
}

/// Is a candidate left by what is supposed?
pub(super) fn is_open<const W: usize>(
    position: &Board<W>,
    candidate: Candidate,
    supposed: &[Candidate],
) -> bool {
    let Candidate { cell, digit } = candidate;
    supposed.iter().all(|other| match other.digit == digit {
        true => !position.peers(cell).contains(other.cell),
        false => other.cell != cell,
    })
}

/// Leaves out statements, one after the other, as long as the proof holds without them: in the end each is needed.
pub(super) fn shortened<const W: usize>(
    position: &Board<W>,
    technique: Technique,
    tree: Tree,
) -> Tree {
    let (grid, candidates) = (position.grid(), position.candidates());
    let mut best = tree;
    let mut kept = 0;
    while let Some(shorter) = without(&best, &mut { kept }) {
        let step = Step::remove(technique, vec![shorter.assumed], Because::Tree(shorter.clone()));
        if check(&step, grid, &candidates).is_ok() {
            best = shorter;
        } else {
            // What is needed now is needed with less beside it, too.
            kept += 1;
        }
    }
    best
}

/// A tree without one of its inferences, after so many others in the order of reading; `None` if there are not so many.
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

/// Does a tree end somewhere for want of room?
pub(super) fn lacks_room(tree: &Tree) -> bool {
    matches!(tree.end, Ending::NoRoom(_)) || tree.branches().iter().any(lacks_room)
}
