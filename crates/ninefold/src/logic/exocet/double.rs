//! Double exocets: two exocets in one band with four digits between them and the same cross-lines.
//!
//! Why it is sound: a digit of a base comes back in a target. The targets of one exocet see the base of the other, so a
//! digit in both bases could come back nowhere: the two bases take all four digits. Each of these is in the cross-lines
//! once inside the band, in a target, and twice outside. So it fills both houses that cover it there, and it goes from their
//! other cells; and it goes from the cells that see both bases.
//!
//! The proof is a tree for each conclusion, which tries the digits of both bases.

use super::trees::{Failure, Trees, is_open};
use super::{Exocet, because};
use crate::grid::{CellSet, Digit};
use crate::logic::board::Board;
use crate::logic::{Found, Technique};
use crate::proof::{Candidate, Ending, Inference, Node, OneOf, Step, Tree, Why};
use std::ops::ControlFlow;

/// All double exocets that remove something.
pub fn find<const W: usize>(position: &Board<W>, found: &mut Found<'_>) -> ControlFlow<()> {
    let all = position.exocets();
    for (index, first) in all.iter().enumerate() {
        position.go_on()?;
        for second in all[index + 1..].iter().filter(|second| fit(first, second)) {
            let double = Double { position, exocets: [first, second] };
            let trees: Vec<Tree> =
                double.suspects().into_iter().filter_map(|wrong| double.refuted(wrong)).collect();
            let mut cells: Vec<_> = trees.iter().flat_map(Tree::tried_cells).collect();
            cells.sort_unstable();
            cells.dedup();
            // The words name all four cells of the bases, so they must be part of the proof.
            if cells.len() == 4 {
                let removes = trees.iter().map(|tree| tree.assumed).collect();
                found(Step::remove(Technique::DoubleExocet, removes, because(trees)))?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Have two exocets the same cross-lines, bases in different rows and boxes of one band, and four digits between them?
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
    /// Candidates that may go: in cells that see both bases, and outside the cross-lines in the houses that cover a digit.
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
            let covered = covers
                .fold(CellSet::EMPTY, |all, cover| all | position.geometry().crossing(*cover).0);
            let cells = position.places(digit) & (seen | (covered - lines));
            all.extend(Board::candidates_of(cells, digit));
        }
        all
    }

    fn refuted(&self, wrong: Candidate) -> Option<Tree> {
        let [first, second] = self.exocets;
        let trees = Trees::new(self.position, first)
            .following(|supposed| self.follow(wrong.digit, supposed))
            .failing(|supposed| self.failure(wrong.digit, supposed));
        let cells = [first.base[0], first.base[1], second.base[0], second.base[1]];
        trees.refuted(wrong, &cells)
    }

    /// A digit of a base that neither target can take, or a cross-line without a place for the digit in question.
    fn failure(&self, digit: Digit, supposed: &[Candidate]) -> Option<Failure> {
        let open = |cell, digit| is_open(self.position, Candidate::new(cell, digit), supposed);
        for exocet in self.exocets {
            let mut held = exocet.digits.filter(|&digit| exocet.base_has(digit, supposed));
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

    /// A cross-line in which the digit in question has one place left.
    fn follow(&self, digit: Digit, supposed: &[Candidate]) -> Option<Inference> {
        if !self.exocets.into_iter().any(|exocet| exocet.base_has(digit, supposed)) {
            return None;
        }
        self.exocets[0].crossing.into_iter().find_map(|line| {
            let is_left = |&cell: &_| is_open(self.position, Candidate::new(cell, digit), supposed);
            let left: CellSet<W> =
                self.position.places_in(digit, line).iter().filter(is_left).collect();
            let candidate = left.only().map(|cell| Candidate::new(cell, digit))?;
            let why = Why::LastIn(OneOf::House(self.position.house(line), digit));
            (!supposed.contains(&candidate)).then(|| Inference {
                node: Node::single(candidate),
                holds: true,
                why,
            })
        })
    }
}
