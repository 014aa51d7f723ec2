//! Mirrors of an exocet: two cells in the box of one target that must repeat the digit of the other
//! target.
//!
//! Why it is sound, for a base in a row: the targets contain the digits of the base. So the digit
//! of a target is in two rows of the band, the base row and its own row. In the box of the other
//! target it must be in the third row. There, the cross-line contains the other target or a
//! companion, which leaves the two cells beside it, the mirror. A base digit that the mirror cannot
//! take is removed from the target. If one cell of the mirror cannot take any digit of the target,
//! or must take another digit, the other cell contains the digit of the target. `exocet.rs`
//! explains the terms.

use super::trees::{Failure, TreeBuilder, digit_at, is_open, lacks_room};
use super::{Exocet, reason};
use crate::grid::Cell;
use crate::logic::board::Board;
use crate::logic::{StepSink, Technique};
use crate::proof::{Candidate, Ending, Inference, InferenceReason, Node, OneOf, Step, Tree};
use std::ops::ControlFlow;

/// Finds one step for each target whose mirror removes something.
pub fn find<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    for exocet in position.exocets() {
        for side in [0, 1] {
            let mirror = Mirror { position, exocet, side };
            let (trees, others) = (mirror.in_target(), mirror.in_mirror());
            let trees: Vec<Tree> = trees.into_iter().chain(others).filter(lacks_room).collect();
            if !trees.is_empty() {
                let removes = trees.iter().map(|tree| tree.assumed).collect();
                emit(Step::remove(Technique::ExocetMirror, removes, reason(trees)))?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Target with its mirror.
struct Mirror<'a, const W: usize> {
    position: &'a Board<'a, W>,
    exocet: &'a Exocet,
    side: usize,
}

impl<'a, const W: usize> Mirror<'a, W> {
    fn target(&self) -> Cell {
        self.exocet.targets[self.side]
    }

    /// Returns a tree builder that fails if the box of the mirror has no place for the digit of the
    /// target.
    fn trees(&self) -> TreeBuilder<'a, W> {
        let &Mirror { position, exocet, side } = self;
        let (target, house) = (exocet.targets[side], exocet.mirror_boxes[side]);
        TreeBuilder::new(position, exocet).with_failure(
            move |assumptions: &[Candidate]| -> Option<Failure> {
                let digit = digit_at(target, assumptions)
                    .filter(|&digit| exocet.base_has(digit, assumptions))?;
                let places = position.places_in(digit, house);
                let has_place = places
                    .iter()
                    .any(|cell| is_open(position, Candidate::new(cell, digit), assumptions));
                let end = Ending::Nothing(OneOf::House(position.house(house), digit));
                (!places.is_empty() && !has_place).then_some((Vec::new(), end))
            },
        )
    }

    /// Refutes base digits of the target that its mirror cannot take.
    fn in_target(&self) -> Vec<Tree> {
        let [one, other] = self.exocet.base;
        let partner = self.exocet.targets[1 - self.side];
        let digits = self.position.at(self.target()) & self.exocet.digits;
        let wrong = digits.map(|digit| Candidate::new(self.target(), digit));
        let trees = self.trees();
        wrong.filter_map(|wrong| trees.refute(wrong, &[one, other, partner])).collect()
    }

    /// Refutes digits of the mirror that leave no place for the digit of the target.
    fn in_mirror(&self) -> Vec<Tree> {
        let [one, other] = self.exocet.base;
        let cells = [self.target(), one, other, self.exocet.targets[1 - self.side]];
        let [first, second] = self.exocet.mirrors[self.side];
        let trees = self.trees();
        let mut all = Vec::new();
        for (cell, beside) in [(first, second), (second, first)] {
            for wrong in self.position.at(cell).map(|digit| Candidate::new(cell, digit)) {
                let forced = || self.forced_into(beside, wrong);
                let tree = trees.refute(wrong, &cells);
                all.extend(tree.or_else(|| trees.refute_after(wrong, forced()?, &cells)));
            }
        }
        all
    }

    /// Returns a digit whose last place in a house is this mirror cell if the other one has a
    /// different digit.
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
            let reason = InferenceReason::LastIn(OneOf::House(self.position.house(house), digit));
            Some(Inference { node: Node::single(Candidate::new(cell, digit)), holds: true, reason })
        })
    }
}
