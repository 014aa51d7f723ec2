//! A step: one deduction together with its proof.
//!
//! There are many techniques but few forms of proof. [`Reason`] has one variant per form: a last
//! candidate, a count, a chain of links, colours, cases, a contradiction. All texts and pictures of
//! a step are derived from it, and [`check`](super::check()) verifies it.

use super::Technique;
use super::tree::Tree;
use crate::grid::{Candidates, Cell, Digit, DigitSet, House};

/// A cell and a digit that it may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Candidate {
    /// The cell that may contain the digit.
    pub cell: Cell,
    /// The digit that the cell may contain.
    pub digit: Digit,
}

/// Candidates of which exactly one is true by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OneOf {
    /// All candidates of a cell.
    Cell(Cell),
    /// All places of a digit in a house.
    House(House, Digit),
}

/// A deadly pattern: cells with two digits each. If every cell contained one of its two digits,
/// exchanging them in all cells would give a second solution.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Deadly {
    /// The cells with their two digits each.
    pub cells: Vec<(Cell, DigitSet)>,
}

/// Cells that cannot be filled with these digits alone, because two equal digits would always see
/// each other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Impossible {
    /// The cells, in reading order.
    pub cells: Vec<Cell>,
    /// The digits that are not enough.
    pub digits: DigitSet,
}

/// A part of a [`Combined`] rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// The rule with this index in [`Rules::rules`](crate::grid::rules::Rules::rules).
    Rule(usize),
    /// All digits of a house, which have a known sum.
    House(House),
}

/// A rule of the puzzle, or several rules and houses whose sums are added up, each multiplied by a
/// number.
///
/// A single rule with the factor 1 means everything that the rule says. Several parts mean the
/// equation that results, in which cells that cancel out do not matter: the sum of a house minus
/// the sums of the cages inside is the sum of the other cells.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Combined {
    /// The parts with their factors.
    pub parts: Vec<(Part, i32)>,
}

/// Candidates of which at least one must be true.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Truth {
    /// One of these is true by the rules.
    OneOf(OneOf),
    /// The candidates that prevent a deadly pattern. Assumes that the puzzle has one solution.
    Guardians(Deadly),
    /// The other candidates of cells that cannot be filled with some digits. Follows from the
    /// rules.
    Escape(Impossible),
    /// The places of a digit that every filling of a rule contains.
    Needs(Combined, Digit),
}

/// A counting argument: more truths than covers. A truth contains at least one true candidate, a
/// cover at most one.
///
/// If an eliminated candidate were true, the remaining truths would have to fit into fewer covers
/// than there are truths.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Count {
    /// At least one candidate of each is true.
    pub truths: Vec<Truth>,
    /// At most one candidate of each is true.
    pub covers: Vec<OneOf>,
}

/// The statement that one of these cells contains the digit.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node {
    /// The digit that one of the cells contains.
    pub digit: Digit,
    /// The cells, in reading order.
    pub cells: Vec<Cell>,
}

/// The reason of a strong link: two nodes are not both false.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Strong {
    /// Together they contain all candidates of a cell or all places of a digit in a house.
    OneOf(OneOf),
    /// Together they contain all places of two digits in an almost locked set: n cells with n + 1
    /// digits.
    AlmostLockedSet(Vec<Cell>),
}

/// Nodes joined by alternating strong and weak links: nodes 0 and 1 are not both false, 1 and 2 not
/// both true, and so on. So the first or the last node is true. In a closed chain exactly one of
/// them is true.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Chain {
    /// The nodes; their number is even.
    pub nodes: Vec<Node>,
    /// The reason of each strong link: between nodes 0 and 1, between 2 and 3 …
    pub strong: Vec<Strong>,
    /// Whether a weak link joins the last and the first node.
    pub closed: bool,
}

/// Candidates in two colours. All candidates of one colour are true and all of the other are false.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Cluster {
    /// The candidates of the first colour.
    pub green: Vec<Candidate>,
    /// The candidates of the second colour.
    pub blue: Vec<Candidate>,
    /// Pairs of which exactly one is true. The first candidate of a pair occurs in an earlier pair.
    pub links: Vec<(Candidate, Candidate, OneOf)>,
}

/// A statement that follows from the earlier statements of its branch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Inference {
    /// The node that is true or false.
    pub node: Node,
    /// Whether the node is true (one of its cells contains the digit) or false (none does).
    pub holds: bool,
    /// Why it follows.
    pub reason: InferenceReason,
}

/// The reason of an inference.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum InferenceReason {
    /// The assumption of the branch.
    Assumed,
    /// It is false because it sees an earlier true node.
    Seen,
    /// It is true because all other candidates of this are false.
    LastIn(OneOf),
    /// It is true because these n cells have only n digits left.
    LockedIn(Vec<Cell>),
    /// Otherwise the rule could not be satisfied.
    Rule(Combined),
}

impl From<Strong> for InferenceReason {
    fn from(reason: Strong) -> InferenceReason {
        match reason {
            Strong::OneOf(of) => InferenceReason::LastIn(of),
            Strong::AlmostLockedSet(cells) => InferenceReason::LockedIn(cells),
        }
    }
}

/// The proof of a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The cell has no other candidate.
    LastDigit,
    /// The digit has no other place in the house.
    LastPlaceIn(House),
    /// There are more truths than covers.
    Count(Count),
    /// At least one end of the chain is true.
    Chain(Chain),
    /// It follows for every choice of the true colours.
    Colours(Vec<Cluster>),
    /// It follows from each of these candidates; one branch for each.
    Cases(OneOf, Vec<Vec<Inference>>),
    /// The branch assumes the opposite and leads to a contradiction.
    Contradiction(Vec<Inference>),
    /// The branch assumes the opposite and leaves more truths than covers.
    NoRoomAfter(Vec<Inference>, Count),
    /// The tree assumes the opposite and leads to a contradiction in every branch.
    Tree(Tree),
    /// It is true of every template of the digit, that is, of every way to place all its instances.
    /// The listed candidates are proved first, one after the other, in the same way. Templates of
    /// other digits avoid the cells of these candidates.
    Templates(Digit, Vec<Candidate>),
    /// Otherwise the rule could not be satisfied.
    Rule(Combined),
    /// Each conclusion follows from one of these proofs.
    Together(Vec<Reason>),
}

/// A deduction with its proof.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The technique that found it.
    pub technique: Technique,
    /// The proof.
    pub reason: Reason,
    /// The candidates that it proves true, in reading order.
    pub places: Vec<Candidate>,
    /// The candidates that it proves false, ordered by digit and cell.
    pub removes: Vec<Candidate>,
}

impl Combined {
    /// A single rule of the puzzle, by its index.
    pub fn rule(index: usize) -> Combined {
        Combined { parts: vec![(Part::Rule(index), 1)] }
    }

    /// The index of the rule, if this is a single rule.
    pub fn single(&self) -> Option<usize> {
        match self.parts[..] {
            [(Part::Rule(index), 1)] => Some(index),
            _ => None,
        }
    }

    /// The houses among the parts.
    pub fn houses(&self) -> impl Iterator<Item = House> + '_ {
        self.parts.iter().filter_map(|(part, _)| match part {
            Part::House(house) => Some(*house),
            Part::Rule(_) => None,
        })
    }

    /// The indices of the rules among the parts.
    pub fn rules(&self) -> impl Iterator<Item = usize> + '_ {
        self.parts.iter().filter_map(|(part, _)| match part {
            Part::Rule(index) => Some(*index),
            Part::House(_) => None,
        })
    }
}

impl Candidate {
    /// Creates a candidate.
    pub const fn new(cell: Cell, digit: Digit) -> Candidate {
        Candidate { cell, digit }
    }
}

impl Node {
    /// A node of one candidate.
    pub fn single(candidate: Candidate) -> Node {
        Node { digit: candidate.digit, cells: vec![candidate.cell] }
    }

    /// The candidates of the node.
    pub fn candidates(&self) -> impl Iterator<Item = Candidate> + '_ {
        self.cells.iter().map(|&cell| Candidate::new(cell, self.digit))
    }
}

impl Step {
    /// Applies the conclusions to a position.
    pub fn apply_to(&self, candidates: &mut Candidates) {
        for place in &self.places {
            candidates.place(place.cell, place.digit);
        }
        for candidate in &self.removes {
            candidates.remove(candidate.cell, candidate.digit);
        }
    }

    /// A step that places a digit.
    pub fn place(technique: Technique, cell: Cell, digit: Digit, reason: Reason) -> Step {
        Step { technique, reason, places: vec![Candidate::new(cell, digit)], removes: Vec::new() }
    }

    /// A step that removes candidates.
    pub fn remove(technique: Technique, mut removes: Vec<Candidate>, reason: Reason) -> Step {
        removes.sort_unstable_by_key(|candidate| (candidate.digit, candidate.cell));
        removes.dedup();
        Step { technique, reason, places: Vec::new(), removes }
    }
}
