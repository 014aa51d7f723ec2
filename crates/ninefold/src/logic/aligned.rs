//! Aligned pair exclusion: two cells, and third cells that do not leave them every pair of digits.
//!
//! Why it is sound: suppose the first cell holds `a`. Whatever the second cell then holds, `b`, must not be `a` if the
//! two see each other, and must not leave a cell that sees both and has only `a` and `b` without a digit. If that
//! excludes every `b`, the first cell does not hold `a`.

use super::board::Board;
use super::{Found, Technique};
use crate::grid::{Cell, CellSet, Digit, DigitSet};
use crate::proof::{Because, Candidate, Inference, Node, OneOf, Step, Why};
use std::ops::ControlFlow;

/// All aligned pairs; each step removes what the pair excludes from both of its cells.
pub fn pairs<const W: usize>(position: &Board<W>, found: &mut Found<'_>) -> ControlFlow<()> {
    let bivalue = position.cells_with(2);
    let cells = position.empty().to_vec();
    for (index, &first) in cells.iter().enumerate() {
        position.go_on()?;
        for &second in &cells[index + 1..] {
            let between = bivalue & position.peers(first) & position.peers(second);
            if between.is_empty() {
                continue;
            }
            let pair = Pair { position, between };
            let (mut removes, mut parts) = (Vec::new(), Vec::new());
            for (cell, other) in [(first, second), (second, first)] {
                for digit in position.at(cell) {
                    if let Some(because) = pair.excludes(cell, digit, other) {
                        removes.push(Candidate::new(cell, digit));
                        parts.push(because);
                    }
                }
            }
            let because = if parts.len() == 1 { parts.remove(0) } else { Because::Together(parts) };
            if !removes.is_empty() {
                found(Step::remove(Technique::AlignedPairExclusion, removes, because))?;
            }
        }
    }
    ControlFlow::Continue(())
}

struct Pair<'a, const W: usize> {
    position: &'a Board<'a, W>,
    /// The cells with two digits that see both cells of the pair.
    between: CellSet<W>,
}

impl<const W: usize> Pair<'_, W> {
    /// The proof, if every digit of the other cell keeps this digit out of this cell.
    fn excludes(&self, cell: Cell, digit: Digit, other: Cell) -> Option<Because> {
        let mut branches = Vec::new();
        for case in self.position.at(other) {
            let node = |cell, digit| Node::single(Candidate::new(cell, digit));
            let mut branch = vec![Inference { node: node(other, case), holds: true, why: Why::Assumed }];
            let seen = case == digit && self.position.peers(cell).contains(other);
            if !seen {
                // With both digits taken from it, this cell would be left empty.
                let pair = DigitSet::of(digit).with(case);
                let third = self.between.iter().find(|&third| case != digit && self.position.at(third) == pair)?;
                branch.push(Inference { node: node(third, case), holds: false, why: Why::Seen });
                branch.push(Inference { node: node(third, digit), holds: true, why: Why::LastIn(OneOf::Cell(third)) });
            }
            branches.push(branch);
        }
        Some(Because::Cases(OneOf::Cell(other), branches))
    }
}
