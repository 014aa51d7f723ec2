//! Mirrors of an exocet: two cells in the box of one target that must repeat the digit of the other.
//!
//! Why it is sound: the targets hold the digits of the base. So the digit of a target stands in two rows of the band, that of
//! the base and its own. In the box of the other target it stands in the third row then; there the cross-line has the other
//! target or a companion, which leaves the two cells beside it, the mirror. A base digit that the mirror cannot take goes
//! from the target. If one cell of the mirror can take no digit of the target, or must take another digit, the other one
//! takes the digit of the target and nothing else.

use super::trees::{Failure, Trees, digit_at, is_open, lacks_room};
use super::{Exocet, because};
use crate::grid::Cell;
use crate::logic::board::Board;
use crate::logic::{Found, Technique};
use crate::proof::{Candidate, Ending, Inference, Node, OneOf, Step, Tree, Why};
use std::ops::ControlFlow;

/// One step for each target whose mirror removes something.
pub fn find<const W: usize>(position: &Board<W>, found: &mut Found<'_>) -> ControlFlow<()> {
    for exocet in position.exocets() {
        for side in [0, 1] {
            let mirror = Mirror { position, exocet, side };
            let (trees, others) = (mirror.in_target(), mirror.in_mirror());
            let trees: Vec<Tree> = trees.into_iter().chain(others).filter(lacks_room).collect();
            if !trees.is_empty() {
                let removes = trees.iter().map(|tree| tree.assumed).collect();
                found(Step::remove(Technique::ExocetMirror, removes, because(trees)))?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// One of the targets and its mirror.
struct Mirror<'a, const W: usize> {
    position: &'a Board<'a, W>,
    exocet: &'a Exocet,
    side: usize,
}

impl<'a, const W: usize> Mirror<'a, W> {
    fn target(&self) -> Cell {
        self.exocet.targets[self.side]
    }

    /// Trees that fail where the box of the mirror has no place for the digit of the target.
    fn trees(&self) -> Trees<'a, W> {
        let &Mirror { position, exocet, side } = self;
        let (target, house) = (exocet.targets[side], exocet.mirror_boxes[side]);
        Trees::new(position, exocet).failing(move |supposed: &[Candidate]| -> Option<Failure> {
            let digit =
                digit_at(target, supposed).filter(|&digit| exocet.base_has(digit, supposed))?;
            let places = position.places_in(digit, house);
            let has_place =
                places.iter().any(|cell| is_open(position, Candidate::new(cell, digit), supposed));
            let end = Ending::Nothing(OneOf::House(position.house(house), digit));
            (!places.is_empty() && !has_place).then_some((Vec::new(), end))
        })
    }

    /// Base digits of the target that its mirror cannot take.
    fn in_target(&self) -> Vec<Tree> {
        let [one, other] = self.exocet.base;
        let partner = self.exocet.targets[1 - self.side];
        let digits = self.position.at(self.target()) & self.exocet.digits;
        let wrong = digits.map(|digit| Candidate::new(self.target(), digit));
        let trees = self.trees();
        wrong.filter_map(|wrong| trees.refuted(wrong, &[one, other, partner])).collect()
    }

    /// Digits of the mirror that leave it no room for the digit of the target.
    fn in_mirror(&self) -> Vec<Tree> {
        let [one, other] = self.exocet.base;
        let cells = [self.target(), one, other, self.exocet.targets[1 - self.side]];
        let [first, second] = self.exocet.mirrors[self.side];
        let trees = self.trees();
        let mut all = Vec::new();
        for (cell, beside) in [(first, second), (second, first)] {
            for wrong in self.position.at(cell).map(|digit| Candidate::new(cell, digit)) {
                let forced = || self.forced_into(beside, wrong);
                let tree = trees.refuted(wrong, &cells);
                all.extend(tree.or_else(|| trees.refuted_after(wrong, forced()?, &cells)));
            }
        }
        all
    }

    /// A digit whose last place in a house is this cell of the mirror once the other one has another digit.
    fn forced_into(&self, cell: Cell, wrong: Candidate) -> Option<Inference> {
        let digits = self.position.at(cell) - self.exocet.digits;
        let [row, column, square] = self.position.houses_of(cell);
        let line = [row, column]
            .into_iter()
            .find(|&house| self.position.cells(house).contains(wrong.cell))?;
        digits.without(wrong.digit).find_map(|digit| {
            let is_last = |&house: &usize| {
                let places = self.position.places_in(digit, house);
                places.contains(wrong.cell) && places.count() == 2
            };
            let house = [square, line].into_iter().find(is_last)?;
            let why = Why::LastIn(OneOf::House(self.position.house(house), digit));
            Some(Inference { node: Node::single(Candidate::new(cell, digit)), holds: true, why })
        })
    }
}
