//! Steps seen in a mirror: the image of a step is the same deduction in the image of its position.

use super::step::{
    Because, Candidate, Chain, Cluster, Count, Deadly, Impossible, Inference, Node, OneOf, Step,
    Strong, Truth, Why,
};
use super::tree::{Ending, Tree};
use crate::grid::{Cell, Symmetry};

/// Something that can be rearranged.
trait Turn {
    fn turn(&self, by: &Symmetry) -> Self;
}

impl Step {
    /// The same step in the rearranged position.
    #[must_use]
    pub fn image(&self, by: &Symmetry) -> Step {
        let mut places = self.places.turn(by);
        places.sort_unstable();
        let mut removes = self.removes.turn(by);
        removes.sort_unstable_by_key(|candidate| (candidate.digit, candidate.cell));
        Step { technique: self.technique, because: self.because.turn(by), places, removes }
    }
}

impl<T: Turn> Turn for Vec<T> {
    fn turn(&self, by: &Symmetry) -> Vec<T> {
        self.iter().map(|one| one.turn(by)).collect()
    }
}

impl Turn for Cell {
    fn turn(&self, by: &Symmetry) -> Cell {
        by.cell(*self)
    }
}

impl Turn for Candidate {
    fn turn(&self, by: &Symmetry) -> Candidate {
        Candidate::new(by.cell(self.cell), by.digit(self.digit))
    }
}

impl Turn for OneOf {
    fn turn(&self, by: &Symmetry) -> OneOf {
        match *self {
            OneOf::Cell(cell) => OneOf::Cell(by.cell(cell)),
            OneOf::House(house, digit) => OneOf::House(by.house(house), by.digit(digit)),
        }
    }
}

/// Cells in reading order.
fn sorted(cells: &[Cell], by: &Symmetry) -> Vec<Cell> {
    let mut image: Vec<Cell> = cells.iter().map(|&cell| by.cell(cell)).collect();
    image.sort_unstable();
    image
}

impl Turn for Node {
    fn turn(&self, by: &Symmetry) -> Node {
        Node { digit: by.digit(self.digit), cells: sorted(&self.cells, by) }
    }
}

impl Turn for Truth {
    fn turn(&self, by: &Symmetry) -> Truth {
        match self {
            Truth::OneOf(of) => Truth::OneOf(of.turn(by)),
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
        }
    }
}

impl Turn for Count {
    fn turn(&self, by: &Symmetry) -> Count {
        Count { truths: self.truths.turn(by), covers: self.covers.turn(by) }
    }
}

impl Turn for Strong {
    fn turn(&self, by: &Symmetry) -> Strong {
        match self {
            Strong::OneOf(of) => Strong::OneOf(of.turn(by)),
            Strong::AlmostLockedSet(cells) => Strong::AlmostLockedSet(sorted(cells, by)),
        }
    }
}

impl Turn for Chain {
    fn turn(&self, by: &Symmetry) -> Chain {
        Chain { nodes: self.nodes.turn(by), strong: self.strong.turn(by), closed: self.closed }
    }
}

impl Turn for Cluster {
    fn turn(&self, by: &Symmetry) -> Cluster {
        let links = self
            .links
            .iter()
            .map(|(from, to, of)| (from.turn(by), to.turn(by), of.turn(by)))
            .collect();
        Cluster { green: self.green.turn(by), blue: self.blue.turn(by), links }
    }
}

impl Turn for Inference {
    fn turn(&self, by: &Symmetry) -> Inference {
        let why = match &self.why {
            Why::Assumed => Why::Assumed,
            Why::Seen => Why::Seen,
            Why::LastIn(of) => Why::LastIn(of.turn(by)),
            Why::LockedIn(cells) => Why::LockedIn(sorted(cells, by)),
        };
        Inference { node: self.node.turn(by), holds: self.holds, why }
    }
}

impl Turn for Tree {
    fn turn(&self, by: &Symmetry) -> Tree {
        let end = match &self.end {
            Ending::Nothing(of) => Ending::Nothing(of.turn(by)),
            Ending::NoRoom(count) => Ending::NoRoom(count.turn(by)),
            Ending::Split(of, branches) => {
                // The choices stand in reading order, or in the order of the digits.
                let mut branches = branches.turn(by);
                branches.sort_unstable_by_key(|branch| branch.assumed);
                Ending::Split(of.turn(by), branches)
            }
        };
        Tree { assumed: self.assumed.turn(by), inferences: self.inferences.turn(by), end }
    }
}

impl Turn for Because {
    fn turn(&self, by: &Symmetry) -> Because {
        match self {
            Because::LastDigit => Because::LastDigit,
            Because::LastPlaceIn(house) => Because::LastPlaceIn(by.house(*house)),
            Because::Count(count) => Because::Count(count.turn(by)),
            Because::Chain(chain) => Because::Chain(chain.turn(by)),
            Because::Colours(clusters) => Because::Colours(clusters.turn(by)),
            Because::Cases(of, branches) => Because::Cases(of.turn(by), branches.turn(by)),
            Because::Contradiction(branch) => Because::Contradiction(branch.turn(by)),
            Because::NoRoomAfter(branch, count) => {
                Because::NoRoomAfter(branch.turn(by), count.turn(by))
            }
            Because::Tree(tree) => Because::Tree(tree.turn(by)),
            Because::Templates(digit, first) => {
                Because::Templates(by.digit(*digit), first.turn(by))
            }
            Because::Together(parts) => Because::Together(parts.turn(by)),
        }
    }
}
