//! Double exocets: two exocets in one band with the same cross-lines and four base digits in total.
//!
//! Why it is sound: a digit of a base is repeated in a target. The targets of one exocet see the
//! base of the other, so a digit in both bases would have no target; the two bases therefore
//! contain all four digits. In the cross-lines, each of these digits is once inside the band, in a
//! target, and twice outside. It fills both houses that cover it there, so it is removed from their
//! other cells and from the cells that see both bases.
//!
//! Each conclusion is proven by a tree that tries the digits of both bases.

use super::trees::{Failure, TreeBuilder, is_open};
use super::{Exocet, reason};
use crate::grid::{CellSet, Digit};
use crate::logic::board::Board;
use crate::logic::{StepSink, Technique};
use crate::proof::{Candidate, Ending, Inference, InferenceReason, Node, OneOf, Step, Tree};
use std::ops::ControlFlow;

/// Finds all double exocets that remove something.
pub fn find<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    let all = position.exocets();
    for (index, first) in all.iter().enumerate() {
        position.check_limits()?;
        for second in all[index + 1..].iter().filter(|second| fit(first, second)) {
            let double = Double { position, exocets: [first, second] };
            let trees: Vec<Tree> =
                double.suspects().into_iter().filter_map(|wrong| double.refute(wrong)).collect();
            let mut cells: Vec<_> = trees.iter().flat_map(Tree::tried_cells).collect();
            cells.sort_unstable();
            cells.dedup();
            // The explanation names all four cells of the bases, so they must be part of the proof.
            if cells.len() == 4 {
                let removes = trees.iter().map(|tree| tree.assumed).collect();
                emit(Step::remove(Technique::DoubleExocet, removes, reason(trees)))?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Returns true if two exocets have the same cross-lines, bases in different rows and boxes of one
/// band, and four digits in total.
fn fit(first: &Exocet, second: &Exocet) -> bool {
    let has_same_lines = second.crossing.iter().all(|line| first.crossing.contains(line));
    has_same_lines
        && first.line / 3 == second.line / 3
        && first.line != second.line
        && first.crossing[2] != second.crossing[2]
        && (first.digits | second.digits).count() == 4
}

struct Double<'a, const W: usize> {
    position: &'a Board<'a, W>,
    exocets: [&'a Exocet; 2],
}

impl<const W: usize> Double<'_, W> {
    /// Returns the candidates to test: those in cells that see both bases, and those outside the
    /// cross-lines in houses that cover a digit.
    fn suspects(&self) -> Vec<Candidate> {
        let position = self.position;
        let lines = self.exocets[0]
            .crossing
            .into_iter()
            .fold(CellSet::EMPTY, |all, line| all | position.cells(line));
        let bases = self.exocets.into_iter().flat_map(|exocet| exocet.base).collect();
        let seen = position.common_peers(bases);
        let mut all = Vec::new();
        for digit in self.exocets[0].digits | self.exocets[1].digits {
            let of = self.exocets.into_iter().find(|exocet| exocet.digits.contains(digit));
            let covers = of.into_iter().flat_map(|exocet| &exocet.count(digit).covers);
            let covered = covers.fold(CellSet::EMPTY, |all, cover| {
                all | position.geometry().cells_and_digits(*cover).0
            });
            let cells = position.places(digit) & (seen | (covered - lines));
            all.extend(Board::candidates_of(cells, digit));
        }
        all
    }

    fn refute(&self, wrong: Candidate) -> Option<Tree> {
        let [first, second] = self.exocets;
        let trees = TreeBuilder::new(self.position, first)
            .with_rule(|assumptions| self.follow(wrong.digit, assumptions))
            .with_failure(|assumptions| self.failure(wrong.digit, assumptions));
        let cells = [first.base[0], first.base[1], second.base[0], second.base[1]];
        trees.refute(wrong, &cells)
    }

    /// Returns a contradiction: a base digit that neither target can take, or a cross-line without
    /// a place for the digit.
    fn failure(&self, digit: Digit, assumptions: &[Candidate]) -> Option<Failure> {
        let open = |cell, digit| is_open(self.position, Candidate::new(cell, digit), assumptions);
        for exocet in self.exocets {
            let mut held = exocet.digits.filter(|&digit| exocet.base_has(digit, assumptions));
            if let Some(digit) =
                held.find(|&digit| !exocet.targets.into_iter().any(|target| open(target, digit)))
            {
                return Some((Vec::new(), exocet.no_room(digit)));
            }
        }
        let empty = |&line: &usize| {
            let places = self.position.places_in(digit, line);
            !places.is_empty() && !places.iter().any(|cell| open(cell, digit))
        };
        let line = self.exocets[0].crossing.into_iter().find(empty)?;
        Some((Vec::new(), Ending::Nothing(OneOf::House(self.position.house(line), digit))))
    }

    /// Returns a cross-line in which the digit has one place left.
    fn follow(&self, digit: Digit, assumptions: &[Candidate]) -> Option<Inference> {
        if !self.exocets.into_iter().any(|exocet| exocet.base_has(digit, assumptions)) {
            return None;
        }
        self.exocets[0].crossing.into_iter().find_map(|line| {
            let is_left =
                |&cell: &_| is_open(self.position, Candidate::new(cell, digit), assumptions);
            let left: CellSet<W> =
                self.position.places_in(digit, line).iter().filter(is_left).collect();
            let candidate = left.only().map(|cell| Candidate::new(cell, digit))?;
            let reason = InferenceReason::LastIn(OneOf::House(self.position.house(line), digit));
            (!assumptions.contains(&candidate)).then(|| Inference {
                node: Node::single(candidate),
                holds: true,
                reason,
            })
        })
    }
}
