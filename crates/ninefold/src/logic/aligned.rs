//! Aligned pair and triple exclusion: two or three cells, and other cells that do not leave them every choice of digits.
//!
//! Why it is sound: suppose the first cell holds `a`. Whatever the second cell then holds, `b`, must not be `a` if the
//! two see each other, and must not leave a cell that sees both and has only `a` and `b` without a digit. If that
//! excludes every `b`, the first cell does not hold `a`. With three cells the same is tried for every choice of the other
//! two, and a cell with two or three digits may be left without any.

use super::board::Board;
use super::{Found, Technique};
use crate::grid::{Cell, CellSet, Digit, DigitSet};
use crate::proof::{Because, Candidate, Ending, Inference, Node, OneOf, Step, Tree, Why};
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
            let mut branch =
                vec![Inference { node: node(other, case), holds: true, why: Why::Assumed }];
            let seen = case == digit && self.position.peers(cell).contains(other);
            if !seen {
                // With both digits taken from it, this cell would be left empty.
                let pair = DigitSet::of(digit).with(case);
                let third = self
                    .between
                    .iter()
                    .find(|&third| case != digit && self.position.at(third) == pair)?;
                branch.push(Inference { node: node(third, case), holds: false, why: Why::Seen });
                branch.push(Inference {
                    node: node(third, digit),
                    holds: true,
                    why: Why::LastIn(OneOf::Cell(third)),
                });
            }
            branches.push(branch);
        }
        Some(Because::Cases(OneOf::Cell(other), branches))
    }
}

/// All aligned triples: three cells with cells of two or three digits that see all of them, or two of them.
pub fn triples<const W: usize>(position: &Board<W>, found: &mut Found<'_>) -> ControlFlow<()> {
    let few = position.cells_with(2) | position.cells_with(3);
    let cells = position.empty().to_vec();
    for (index, &first) in cells.iter().enumerate() {
        for (offset, &second) in cells[index + 1..].iter().enumerate() {
            let see_both = few & position.peers(first) & position.peers(second);
            if see_both.is_empty() {
                continue;
            }
            for &third in &cells[index + offset + 2..] {
                // Unless several cells see all three, a pair says the same.
                if (see_both & position.peers(third)).count() > 1 {
                    Triple { position, few, cells: [first, second, third] }.report(found)?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

struct Triple<'a, const W: usize> {
    position: &'a Board<'a, W>,
    /// The cells with two or three digits.
    few: CellSet<W>,
    cells: [Cell; 3],
}

impl<const W: usize> Triple<'_, W> {
    fn report(&self, found: &mut Found<'_>) -> ControlFlow<()> {
        let [a, b, c] = self.cells;
        let (mut removes, mut parts) = (Vec::new(), Vec::new());
        for (cell, others) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
            for digit in self.position.at(cell) {
                let assumed = Candidate::new(cell, digit);
                // Where one other cell is enough, it is a pair.
                if let Some(tree) =
                    self.tree(assumed, &[], &others).filter(|tree| tree.depth() == 3)
                {
                    removes.push(assumed);
                    parts.push(Because::Tree(tree));
                }
            }
        }
        let because = if parts.len() == 1 { parts.remove(0) } else { Because::Together(parts) };
        if removes.is_empty() {
            return ControlFlow::Continue(());
        }
        found(Step::remove(Technique::AlignedTripleExclusion, removes, because))
    }

    /// The tree that tries all digits of the other cells, if each choice leaves some cell without a digit.
    fn tree(&self, assumed: Candidate, before: &[Candidate], others: &[Cell]) -> Option<Tree> {
        let supposed = [before, &[assumed]].concat();
        if let Some(cell) = self.emptied(&supposed) {
            return Some(Tree {
                assumed,
                inferences: Vec::new(),
                end: Ending::Nothing(OneOf::Cell(cell)),
            });
        }
        let (&next, rest) = others.split_first()?;
        let open = self.left(next, &supposed);
        let branch = |digit: Digit| self.tree(Candidate::new(next, digit), &supposed, rest);
        // One choice alone would be a single, not a split.
        let branches: Vec<Tree> = open.map(branch).collect::<Option<_>>()?;
        let end = Ending::Split(OneOf::Cell(next), branches);
        (open.count() > 1).then_some(Tree { assumed, inferences: Vec::new(), end })
    }

    /// The digits that a cell has left.
    fn left(&self, cell: Cell, supposed: &[Candidate]) -> DigitSet {
        let seen = supposed.iter().filter(|other| self.position.peers(cell).contains(other.cell));
        seen.fold(self.position.at(cell), |left, other| left.without(other.digit))
    }

    fn emptied(&self, supposed: &[Candidate]) -> Option<Cell> {
        let others = self.few.iter().chain(self.cells);
        let mut others =
            others.filter(|cell| supposed.iter().all(|candidate| candidate.cell != *cell));
        others.find(|&cell| self.left(cell, supposed).is_empty())
    }
}
