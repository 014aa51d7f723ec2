//! Aligned pair and triple exclusion: other cells rule out some combinations of digits in two or
//! three cells.
//!
//! Why it is sound: suppose the first cell contains `a`. The second cell cannot then contain a
//! digit `b` that equals `a` if the two cells see each other, or that would leave no digit for a
//! cell that sees both and has only the candidates `a` and `b`. If this excludes every `b`, the
//! first cell cannot contain `a`. For triples, the same test is applied to every choice of digits
//! in the other two cells, and the excluding cells may have two or three candidates.

use super::board::Board;
use super::{StepSink, Technique};
use crate::grid::{Cell, CellSet, Digit, DigitSet};
use crate::proof::{
    Candidate, Ending, Inference, InferenceReason, Node, OneOf, Reason, Step, Tree,
};
use std::ops::ControlFlow;

/// Finds all aligned pairs. Each step removes what the pair excludes from both of its cells.
pub fn pairs<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    let bivalue = position.cells_with(2);
    let cells = position.empty().to_vec();
    for (index, &first) in cells.iter().enumerate() {
        position.check_limits()?;
        for &second in &cells[index + 1..] {
            let between = bivalue & position.peers(first) & position.peers(second);
            if between.is_empty() {
                continue;
            }
            let pair = Pair { position, between };
            let (mut removes, mut parts) = (Vec::new(), Vec::new());
            for (cell, other) in [(first, second), (second, first)] {
                for digit in position.at(cell) {
                    if let Some(reason) = pair.excludes(cell, digit, other) {
                        removes.push(Candidate::new(cell, digit));
                        parts.push(reason);
                    }
                }
            }
            let reason = if parts.len() == 1 { parts.remove(0) } else { Reason::Together(parts) };
            if !removes.is_empty() {
                emit(Step::remove(Technique::AlignedPairExclusion, removes, reason))?;
            }
        }
    }
    ControlFlow::Continue(())
}

struct Pair<'a, const W: usize> {
    position: &'a Board<'a, W>,
    /// Cells with two candidates that see both cells of the pair.
    between: CellSet<W>,
}

impl<const W: usize> Pair<'_, W> {
    /// Returns the proof if every digit of the other cell excludes this digit from this cell.
    fn excludes(&self, cell: Cell, digit: Digit, other: Cell) -> Option<Reason> {
        let mut branches = Vec::new();
        for case in self.position.at(other) {
            let node = |cell, digit| Node::single(Candidate::new(cell, digit));
            let mut branch = vec![Inference {
                node: node(other, case),
                holds: true,
                reason: InferenceReason::Assumed,
            }];
            let seen = case == digit && self.position.peers(cell).contains(other);
            if !seen {
                // Both of its digits are taken, so this cell would have none left.
                let pair = DigitSet::from_digit(digit).with(case);
                let third = self
                    .between
                    .iter()
                    .find(|&third| case != digit && self.position.at(third) == pair)?;
                branch.push(Inference {
                    node: node(third, case),
                    holds: false,
                    reason: InferenceReason::Seen,
                });
                branch.push(Inference {
                    node: node(third, digit),
                    holds: true,
                    reason: InferenceReason::LastIn(OneOf::Cell(third)),
                });
            }
            branches.push(branch);
        }
        Some(Reason::Cases(OneOf::Cell(other), branches))
    }
}

/// Finds all aligned triples: three cells, excluded by cells with two or three candidates that see
/// all of them or two of them.
pub fn triples<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    let few = position.cells_with(2) | position.cells_with(3);
    let cells = position.empty().to_vec();
    for (index, &first) in cells.iter().enumerate() {
        for (offset, &second) in cells[index + 1..].iter().enumerate() {
            let see_both = few & position.peers(first) & position.peers(second);
            if see_both.is_empty() {
                continue;
            }
            for &third in &cells[index + offset + 2..] {
                // Unless several cells see all three, an aligned pair gives the same result.
                if (see_both & position.peers(third)).count() > 1 {
                    Triple { position, few, cells: [first, second, third] }.report(emit)?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

struct Triple<'a, const W: usize> {
    position: &'a Board<'a, W>,
    /// Cells with two or three candidates.
    few: CellSet<W>,
    cells: [Cell; 3],
}

impl<const W: usize> Triple<'_, W> {
    fn report(&self, emit: &mut StepSink<'_>) -> ControlFlow<()> {
        let [a, b, c] = self.cells;
        let (mut removes, mut parts) = (Vec::new(), Vec::new());
        for (cell, others) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
            for digit in self.position.at(cell) {
                let assumed = Candidate::new(cell, digit);
                // If one other cell is enough, this is an aligned pair.
                if let Some(tree) =
                    self.tree(assumed, &[], &others).filter(|tree| tree.depth() == 3)
                {
                    removes.push(assumed);
                    parts.push(Reason::Tree(tree));
                }
            }
        }
        let reason = if parts.len() == 1 { parts.remove(0) } else { Reason::Together(parts) };
        if removes.is_empty() {
            return ControlFlow::Continue(());
        }
        emit(Step::remove(Technique::AlignedTripleExclusion, removes, reason))
    }

    /// Returns the tree that tries all digits of the other cells, if each choice leaves some cell
    /// without a digit.
    fn tree(&self, assumed: Candidate, before: &[Candidate], others: &[Cell]) -> Option<Tree> {
        let assumptions = [before, &[assumed]].concat();
        if let Some(cell) = self.emptied(&assumptions) {
            return Some(Tree {
                assumed,
                inferences: Vec::new(),
                end: Ending::Nothing(OneOf::Cell(cell)),
            });
        }
        let (&next, rest) = others.split_first()?;
        let open = self.left(next, &assumptions);
        let branch = |digit: Digit| self.tree(Candidate::new(next, digit), &assumptions, rest);
        // A single choice is a naked single, not a split.
        let branches: Vec<Tree> = open.map(branch).collect::<Option<_>>()?;
        let end = Ending::Split(OneOf::Cell(next), branches);
        (open.count() > 1).then_some(Tree { assumed, inferences: Vec::new(), end })
    }

    /// Returns the digits that a cell can still take.
    fn left(&self, cell: Cell, assumptions: &[Candidate]) -> DigitSet {
        let seen =
            assumptions.iter().filter(|other| self.position.peers(cell).contains(other.cell));
        seen.fold(self.position.at(cell), |left, other| left.without(other.digit))
    }

    fn emptied(&self, assumptions: &[Candidate]) -> Option<Cell> {
        let others = self.few.iter().chain(self.cells);
        let mut others =
            others.filter(|cell| assumptions.iter().all(|candidate| candidate.cell != *cell));
        others.find(|&cell| self.left(cell, assumptions).is_empty())
    }
}
