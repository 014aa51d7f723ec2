//! A step: one deduction together with its proof.
//!
//! There are few ways to reason, though there are many techniques. [`Because`] has one form for each way: a last
//! candidate, a count that cannot come out even, a chain of links, colours, cases, a contradiction. Whatever is said
//! or drawn about a step comes from here, and [`check`](super::check()) replays it.

use super::Technique;
use super::tree::Tree;
use crate::grid::{Candidates, Cell, Digit, DigitSet, House};

/// A digit that may go into a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Candidate {
    /// The cell.
    pub cell: Cell,
    /// The digit.
    pub digit: Digit,
}

/// Candidates of which the rules of Sudoku make exactly one true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OneOf {
    /// The digits of a cell.
    Cell(Cell),
    /// The places of a digit in a house.
    House(House, Digit),
}

/// Cells, each with two digits, such that the puzzle would have a second solution if every cell held one of its two:
/// exchange the two digits in all of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Deadly {
    /// The cells with their two digits.
    pub cells: Vec<(Cell, DigitSet)>,
}

/// Cells that cannot all do with these digits: however they are filled with them, two equal ones see each other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Impossible {
    /// The cells, in reading order.
    pub cells: Vec<Cell>,
    /// The digits.
    pub digits: DigitSet,
}

/// Candidates of which at least one must be true.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Truth {
    /// By the rules.
    OneOf(OneOf),
    /// The candidates that keep a deadly pattern from appearing; this rests on uniqueness.
    Guardians(Deadly),
    /// The other candidates of cells that cannot do with some digits; this rests on the rules alone.
    Escape(Impossible),
}

/// Truths that need more room than there is.
///
/// If an eliminated candidate were true, the truths it leaves open would have to find place in fewer covers than
/// there are truths, while each cover takes one of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Count {
    /// At least one candidate of each is true.
    pub truths: Vec<Truth>,
    /// At most one candidate of each is true.
    pub covers: Vec<OneOf>,
}

/// "One of these cells holds the digit."
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node {
    /// The digit.
    pub digit: Digit,
    /// The cells, in reading order.
    pub cells: Vec<Cell>,
}

/// Why two nodes cannot both be false.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Strong {
    /// Together they hold all candidates of a cell or all places of a digit in a house.
    OneOf(OneOf),
    /// Together they hold all places of two digits in an almost locked set: n cells with n + 1 digits.
    AlmostLockedSet(Vec<Cell>),
}

/// Nodes joined by strong and weak links in turn: nodes 0 and 1 are not both false, 1 and 2 not both true, and so on.
/// So the first or the last node is true; in a closed chain exactly one of them is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Chain {
    /// The nodes, an even number.
    pub nodes: Vec<Node>,
    /// The reason of each strong link: between nodes 0 and 1, between 2 and 3 …
    pub strong: Vec<Strong>,
    /// Are the last and the first node joined by a weak link?
    pub closed: bool,
}

/// Candidates in two colours: either all of one or all of the other are true.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Cluster {
    /// One colour.
    pub green: Vec<Candidate>,
    /// The other colour.
    pub blue: Vec<Candidate>,
    /// The pairs of which exactly one is true, the earlier candidate first reached.
    pub links: Vec<(Candidate, Candidate, OneOf)>,
}

/// One thing that follows from the earlier ones of its branch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Inference {
    /// What it is about.
    pub node: Node,
    /// Is the node true (one of its cells holds the digit) or false (none does)?
    pub holds: bool,
    /// The reason.
    pub why: Why,
}

/// Why an inference follows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// It is what the branch assumes.
    Assumed,
    /// False, because it sees an earlier true node.
    Seen,
    /// True, because all other candidates of this are false.
    LastIn(OneOf),
    /// True, because these n cells have only n digits left.
    LockedIn(Vec<Cell>),
}

impl From<Strong> for Why {
    fn from(reason: Strong) -> Why {
        match reason {
            Strong::OneOf(of) => Why::LastIn(of),
            Strong::AlmostLockedSet(cells) => Why::LockedIn(cells),
        }
    }
}

/// Why a step is right.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Because {
    /// Its cell has no other digit left.
    LastDigit,
    /// Its digit has no other place left in the house.
    LastPlaceIn(House),
    /// The truths would need more room than the covers have.
    Count(Count),
    /// One end of the chain is true.
    Chain(Chain),
    /// Whichever colours are true.
    Colours(Vec<Cluster>),
    /// Whichever of these candidates is true; one branch for each.
    Cases(OneOf, Vec<Vec<Inference>>),
    /// The opposite, which the branch assumes, leads to a contradiction.
    Contradiction(Vec<Inference>),
    /// The opposite, which the branch assumes, leaves the truths less room than they need.
    NoRoomAfter(Vec<Inference>, Count),
    /// The opposite leads to a contradiction, whichever choice is made on the way.
    Tree(Tree),
    /// No way to place all instances of a digit does otherwise. The candidates listed are shown first, one after the
    /// other, in the same way; the ways of other digits keep off their cells.
    Templates(Digit, Vec<Candidate>),
    /// Each conclusion follows from one of these.
    Together(Vec<Because>),
}

/// One deduction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The name of the pattern.
    pub technique: Technique,
    /// The proof.
    pub because: Because,
    /// Candidates that are true, in reading order.
    pub places: Vec<Candidate>,
    /// Candidates that are false, in order of digit and cell.
    pub removes: Vec<Candidate>,
}

impl Candidate {
    /// This digit in this cell.
    pub const fn new(cell: Cell, digit: Digit) -> Candidate {
        Candidate { cell, digit }
    }
}

impl Node {
    /// A node of one candidate.
    pub fn single(candidate: Candidate) -> Node {
        Node { digit: candidate.digit, cells: vec![candidate.cell] }
    }

    /// Its candidates.
    pub fn candidates(&self) -> impl Iterator<Item = Candidate> + '_ {
        self.cells.iter().map(|&cell| Candidate::new(cell, self.digit))
    }
}

impl Step {
    /// Draws the conclusions.
    pub fn apply_to(&self, candidates: &mut Candidates) {
        for place in &self.places {
            candidates.place(place.cell, place.digit);
        }
        for candidate in &self.removes {
            candidates.remove(candidate.cell, candidate.digit);
        }
    }

    /// A digit goes into a cell.
    pub fn place(technique: Technique, cell: Cell, digit: Digit, because: Because) -> Step {
        Step { technique, because, places: vec![Candidate::new(cell, digit)], removes: Vec::new() }
    }

    /// Candidates go out.
    pub fn remove(technique: Technique, mut removes: Vec<Candidate>, because: Because) -> Step {
        removes.sort_unstable_by_key(|candidate| (candidate.digit, candidate.cell));
        removes.dedup();
        Step { technique, because, places: Vec::new(), removes }
    }
}
