//! Kraken fish: chains from one candidate, the target, rule out so many places of a digit that n
//! rows have fewer than n columns left for it. This refutes the target.
//!
//! Why they are sound: suppose the target is true. Its consequences, link by link, make some places
//! of a digit false, so that the remaining places of n rows are in n − 1 columns (or with rows and
//! columns exchanged). The rows need the digit n times, so the target is false.
//!
//! - Type 1: the target has the digit of the fish and is in one of its n columns, so it rules out
//!   this column without a chain. The chains remove the fins.
//! - Type 2: the target is any candidate, and the chains also remove one complete column.

use super::board::Board;
use super::chains::grouped;
use super::forcing::Consequences;
use super::subsets::each_combination;
use super::{StepSink, Technique};
use crate::grid::{Cell, CellSet, Digit};
use crate::proof::{
    Candidate, Count, Inference, InferenceReason, Node, OneOf, OneOrTwo, Reason, Step, Truth,
};
use std::ops::ControlFlow;

/// Larger fish are not searched for.
const MAX_LINES: usize = 4;

/// Finds kraken fish of one type, smallest first.
pub fn find<const W: usize>(
    position: &Board<W>,
    kind: OneOrTwo,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    let consequences = Consequences::cached(position);
    for size in 2..=MAX_LINES.min(position.order().side() - 1) {
        for cell in position.empty() {
            for target in position.at(cell).map(|digit| Candidate::new(cell, digit)) {
                for digit in position
                    .all_digits()
                    .filter(|&digit| kind == OneOrTwo::Two || digit == target.digit)
                {
                    position.check_limits()?;
                    let kraken = Kraken {
                        position,
                        kind,
                        target,
                        digit,
                        out: consequences.ruled_out(position, target, digit),
                    };
                    kraken.fish(size, emit)?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

struct Kraken<'a, const W: usize> {
    position: &'a Board<'a, W>,
    kind: OneOrTwo,
    target: Candidate,
    digit: Digit,
    /// Cells that cannot take the digit if the target is true.
    out: CellSet<W>,
}

impl<const W: usize> Kraken<'_, W> {
    /// Searches for lines whose remaining places are in one fewer crossing lines.
    fn fish(&self, size: usize, emit: &mut StepSink<'_>) -> ControlFlow<()> {
        let side = self.position.order().side();
        for (bases, crossing) in [(0..side, 1), (side..2 * side, 0)] {
            let is_base = |house: &usize| {
                let places = self.position.places_in(self.digit, *house);
                let left = (places - self.out).count();
                // A line without any place left is a forcing chain. A line with all its places
                // gains nothing from chains.
                places.count() > 1
                    && (1..size).contains(&left)
                    && !self.position.cells(*house).contains(self.target.cell)
            };
            let bases: Vec<usize> = bases.filter(is_base).collect();
            let join = |covers: u64, house: usize| {
                let left = self.position.places_in(self.digit, house) - self.out;
                let covers =
                    left.iter().fold(covers, |all, cell| all | 1 << self.line_of(cell, crossing));
                ((covers.count_ones() as usize) < size).then_some(covers)
            };
            each_combination(&bases, size, 0u64, &mut Vec::new(), &join, &mut |covers, chosen| {
                if self.kind_of(chosen) != Some(self.kind)
                    || covers.count_ones() as usize != size - 1
                {
                    return ControlFlow::Continue(());
                }
                let lines: Vec<usize> = (0..side).filter(|line| covers >> line & 1 == 1).collect();
                let reason = self.proof(
                    chosen,
                    &lines.iter().map(|line| crossing * side + line).collect::<Vec<_>>(),
                );
                emit(Step::remove(Technique::KrakenFish(self.kind), vec![self.target], reason))
            })?;
        }
        ControlFlow::Continue(())
    }

    /// Returns the number of the line in this direction (0 for rows, 1 for columns) through a cell.
    fn line_of(&self, cell: Cell, direction: usize) -> usize {
        self.position.houses_of(cell)[direction] % self.position.order().side()
    }

    /// Returns the type of the fish. The target of type 1 has the same digit and sees places of the
    /// fish directly. A fish that needs no chains is a plain finned fish and has no type.
    fn kind_of(&self, bases: &[usize]) -> Option<OneOrTwo> {
        let seen = self.position.peers(self.target.cell);
        let places = bases
            .iter()
            .fold(CellSet::EMPTY, |all, &base| all | self.position.places_in(self.digit, base));
        let same = self.digit == self.target.digit;
        let needs_chains = !same || !(places & self.out).is_subset(&seen);
        match (same && places.intersects(&seen), needs_chains) {
            (_, false) => None,
            (true, true) => Some(OneOrTwo::One),
            (false, true) => Some(OneOrTwo::Two),
        }
    }

    fn proof(&self, bases: &[usize], covers: &[usize]) -> Reason {
        let one_of = |house: &usize| OneOf::House(self.position.house(*house), self.digit);
        let count = Count {
            truths: bases.iter().map(one_of).map(Truth::OneOf).collect(),
            covers: covers.iter().map(one_of).collect(),
        };
        let covered =
            covers.iter().fold(CellSet::EMPTY, |all, &cover| all | self.position.cells(cover));
        let places = bases
            .iter()
            .fold(CellSet::EMPTY, |all, &base| all | self.position.places_in(self.digit, base));
        Reason::NoRoomAfter(self.branch(places - covered), count)
    }

    /// Returns the inferences from the target until all these places are false.
    fn branch(&self, places: CellSet<W>) -> Vec<Inference> {
        let graph = grouped(self.position);
        let start = graph.node_of(self.target).expect("every candidate is a node");
        let reach = graph.reach(start, true);
        let mut branch = vec![Inference {
            node: Node::single(self.target),
            holds: true,
            reason: InferenceReason::Assumed,
        }];
        for place in Board::candidates_of(places, self.digit) {
            if !graph.rules_out(start, place) {
                let rules_out = |&&node: &&u32| graph.rules_out(node, place);
                let last =
                    reach.on.iter().find(rules_out).expect("the target rules these places out");
                for inference in graph.inferences_to(&reach, *last) {
                    if !branch.contains(&inference) {
                        branch.push(inference);
                    }
                }
            }
            branch.push(Inference {
                node: Node::single(place),
                holds: false,
                reason: InferenceReason::Seen,
            });
        }
        branch
    }
}
