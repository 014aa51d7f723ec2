//! Applies a symmetry to a step. The result is the same deduction in the position to which the
//! symmetry was applied.

use super::step::{
    Candidate, Chain, Cluster, Combined, Count, Deadly, Impossible, Inference, InferenceReason,
    Node, OneOf, Part, Reason, Step, Strong, Truth,
};
use super::tree::{Ending, Tree};
use crate::grid::{Cell, Symmetry};

/// A part of a step that a symmetry can be applied to.
trait Image {
    fn image_by(&self, by: &Symmetry) -> Self;
}

impl Step {
    /// The same step in the image of its position.
    #[must_use]
    pub fn image(&self, by: &Symmetry) -> Step {
        let mut places = self.places.image_by(by);
        places.sort_unstable();
        let mut removes = self.removes.image_by(by);
        removes.sort_unstable_by_key(|candidate| (candidate.digit, candidate.cell));
        Step { technique: self.technique, reason: self.reason.image_by(by), places, removes }
    }
}

impl<T: Image> Image for Vec<T> {
    fn image_by(&self, by: &Symmetry) -> Vec<T> {
        self.iter().map(|one| one.image_by(by)).collect()
    }
}

impl Image for Cell {
    fn image_by(&self, by: &Symmetry) -> Cell {
        by.cell(*self)
    }
}

impl Image for Candidate {
    fn image_by(&self, by: &Symmetry) -> Candidate {
        Candidate::new(by.cell(self.cell), by.digit(self.digit))
    }
}

impl Image for OneOf {
    fn image_by(&self, by: &Symmetry) -> OneOf {
        match *self {
            OneOf::Cell(cell) => OneOf::Cell(by.cell(cell)),
            OneOf::House(house, digit) => OneOf::House(by.house(house), by.digit(digit)),
        }
    }
}

/// The images of cells, in reading order.
fn sorted(cells: &[Cell], by: &Symmetry) -> Vec<Cell> {
    let mut image: Vec<Cell> = cells.iter().map(|&cell| by.cell(cell)).collect();
    image.sort_unstable();
    image
}

impl Image for Node {
    fn image_by(&self, by: &Symmetry) -> Node {
        Node { digit: by.digit(self.digit), cells: sorted(&self.cells, by) }
    }
}

/// Symmetries apply to classic puzzles only, so the rules keep their indices.
impl Image for Combined {
    fn image_by(&self, by: &Symmetry) -> Combined {
        let part = |part: Part| match part {
            Part::House(house) => Part::House(by.house(house)),
            Part::Rule(index) => Part::Rule(index),
        };
        Combined { parts: self.parts.iter().map(|&(one, factor)| (part(one), factor)).collect() }
    }
}

impl Image for Truth {
    fn image_by(&self, by: &Symmetry) -> Truth {
        match self {
            Truth::OneOf(of) => Truth::OneOf(of.image_by(by)),
            Truth::Guardians(deadly) => {
                let cells = deadly
                    .cells
                    .iter()
                    .map(|&(cell, pair)| (by.cell(cell), pair.map(|d| by.digit(d)).collect()));
                Truth::Guardians(Deadly { cells: cells.collect() })
            }
            Truth::Escape(Impossible { cells, digits }) => Truth::Escape(Impossible {
                cells: sorted(cells, by),
                digits: digits.map(|digit| by.digit(digit)).collect(),
            }),
            Truth::Needs(combined, digit) => Truth::Needs(combined.image_by(by), by.digit(*digit)),
        }
    }
}

impl Image for Count {
    fn image_by(&self, by: &Symmetry) -> Count {
        Count { truths: self.truths.image_by(by), covers: self.covers.image_by(by) }
    }
}

impl Image for Strong {
    fn image_by(&self, by: &Symmetry) -> Strong {
        match self {
            Strong::OneOf(of) => Strong::OneOf(of.image_by(by)),
            Strong::AlmostLockedSet(cells) => Strong::AlmostLockedSet(sorted(cells, by)),
        }
    }
}

impl Image for Chain {
    fn image_by(&self, by: &Symmetry) -> Chain {
        Chain {
            nodes: self.nodes.image_by(by),
            strong: self.strong.image_by(by),
            closed: self.closed,
        }
    }
}

impl Image for Cluster {
    fn image_by(&self, by: &Symmetry) -> Cluster {
        let links = self
            .links
            .iter()
            .map(|(from, to, of)| (from.image_by(by), to.image_by(by), of.image_by(by)))
            .collect();
        Cluster { green: self.green.image_by(by), blue: self.blue.image_by(by), links }
    }
}

impl Image for Inference {
    fn image_by(&self, by: &Symmetry) -> Inference {
        let reason = match &self.reason {
            InferenceReason::Assumed => InferenceReason::Assumed,
            InferenceReason::Seen => InferenceReason::Seen,
            InferenceReason::LastIn(of) => InferenceReason::LastIn(of.image_by(by)),
            InferenceReason::LockedIn(cells) => InferenceReason::LockedIn(sorted(cells, by)),
            InferenceReason::Rule(combined) => InferenceReason::Rule(combined.image_by(by)),
        };
        Inference { node: self.node.image_by(by), holds: self.holds, reason }
    }
}

impl Image for Tree {
    fn image_by(&self, by: &Symmetry) -> Tree {
        let end = match &self.end {
            Ending::Nothing(of) => Ending::Nothing(of.image_by(by)),
            Ending::NoRoom(count) => Ending::NoRoom(count.image_by(by)),
            Ending::NoFilling(combined) => Ending::NoFilling(combined.image_by(by)),
            Ending::Split(of, branches) => {
                // Branches are ordered by cell or by digit.
                let mut branches = branches.image_by(by);
                branches.sort_unstable_by_key(|branch| branch.assumed);
                Ending::Split(of.image_by(by), branches)
            }
        };
        Tree { assumed: self.assumed.image_by(by), inferences: self.inferences.image_by(by), end }
    }
}

impl Image for Reason {
    fn image_by(&self, by: &Symmetry) -> Reason {
        match self {
            Reason::LastDigit => Reason::LastDigit,
            Reason::LastPlaceIn(house) => Reason::LastPlaceIn(by.house(*house)),
            Reason::Count(count) => Reason::Count(count.image_by(by)),
            Reason::Chain(chain) => Reason::Chain(chain.image_by(by)),
            Reason::Colours(clusters) => Reason::Colours(clusters.image_by(by)),
            Reason::Cases(of, branches) => Reason::Cases(of.image_by(by), branches.image_by(by)),
            Reason::Contradiction(branch) => Reason::Contradiction(branch.image_by(by)),
            Reason::NoRoomAfter(branch, count) => {
                Reason::NoRoomAfter(branch.image_by(by), count.image_by(by))
            }
            Reason::Tree(tree) => Reason::Tree(tree.image_by(by)),
            Reason::Templates(digit, first) => {
                Reason::Templates(by.digit(*digit), first.image_by(by))
            }
            Reason::Rule(combined) => Reason::Rule(combined.image_by(by)),
            Reason::Together(parts) => Reason::Together(parts.image_by(by)),
        }
    }
}
