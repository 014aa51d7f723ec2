//! Kraken fish: a fish whose fins, and perhaps more, are taken away by chains.
//!
//! Why they are sound: suppose the candidate in question is true. Followed link by link it makes so many places of a
//! digit false that what is left of n rows lies in n − 1 columns (or the other way round). The rows need the digit n
//! times, so the candidate is false. Type 1: it is of the digit of the fish and would see one of the columns anyway;
//! the chains take the fins away. Type 2: it is any candidate, and the chains take one whole column away as well.

use super::board::Board;
use super::chains::grouped;
use super::forcing::Worlds;
use super::subsets::each_combination;
use super::{Found, Technique};
use crate::grid::{Cell, CellSet, Digit};
use crate::proof::{Because, Candidate, Count, Inference, Node, OneOf, OneOrTwo, Step, Truth, Why};
use std::ops::ControlFlow;

/// Larger fish are not looked for.
const MOST_LINES: usize = 4;

/// Kraken fish of one type, the small ones first.
pub fn find<const W: usize>(
    position: &Board<W>,
    kind: OneOrTwo,
    found: &mut Found<'_>,
) -> ControlFlow<()> {
    let worlds = Worlds::of(position);
    for size in 2..=MOST_LINES.min(position.order().side() - 1) {
        for cell in position.empty() {
            for target in position.at(cell).map(|digit| Candidate::new(cell, digit)) {
                for digit in position
                    .all_digits()
                    .filter(|&digit| kind == OneOrTwo::Two || digit == target.digit)
                {
                    position.go_on()?;
                    let kraken = Kraken {
                        position,
                        kind,
                        target,
                        digit,
                        out: worlds.ruled_out(position, target, digit),
                    };
                    kraken.fish(size, found)?;
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
    /// The cells that cannot hold the digit if the target is true.
    out: CellSet<W>,
}

impl<const W: usize> Kraken<'_, W> {
    /// Looks for lines whose places left lie in one crossing line less.
    fn fish(&self, size: usize, found: &mut Found<'_>) -> ControlFlow<()> {
        let side = self.position.order().side();
        for (bases, crossing) in [(0..side, 1), (side..2 * side, 0)] {
            let is_base = |house: &usize| {
                let places = self.position.places_in(self.digit, *house);
                let left = (places - self.out).count();
                // A line without a place left is a forcing chain, one with all its places gains nothing by chains alone.
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
                let because = self.proof(
                    chosen,
                    &lines.iter().map(|line| crossing * side + line).collect::<Vec<_>>(),
                );
                found(Step::remove(Technique::KrakenFish(self.kind), vec![self.target], because))
            })?;
        }
        ControlFlow::Continue(())
    }

    /// The number of the line in this direction (0 for rows, 1 for columns) through a cell.
    fn line_of(&self, cell: Cell, direction: usize) -> usize {
        self.position.houses_of(cell)[direction] % self.position.order().side()
    }

    /// Type 1 has a target of the same digit that sees places of the fish by itself; what needs no chains is a plain
    /// finned fish and has no type.
    fn kind_of(&self, bases: &[usize]) -> Option<OneOrTwo> {
        let seen = self.position.peers(self.target.cell);
        let places = bases
            .iter()
            .fold(CellSet::EMPTY, |all, &base| all | self.position.places_in(self.digit, base));
        let same = self.digit == self.target.digit;
        let needs_chains = !same || !(places & self.out).is_inside(&seen);
        match (same && places.meets(&seen), needs_chains) {
            (_, false) => None,
            (true, true) => Some(OneOrTwo::One),
            (false, true) => Some(OneOrTwo::Two),
        }
    }

    fn proof(&self, bases: &[usize], covers: &[usize]) -> Because {
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
        Because::NoRoomAfter(self.branch(places - covered), count)
    }

    /// What follows from the target until all these places are false.
    fn branch(&self, places: CellSet<W>) -> Vec<Inference> {
        let graph = grouped(self.position);
        let start = graph.node_of(self.target).expect("every candidate is a node");
        let reach = graph.reach(start, true);
        let mut branch =
            vec![Inference { node: Node::single(self.target), holds: true, why: Why::Assumed }];
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
            branch.push(Inference { node: Node::single(place), holds: false, why: Why::Seen });
        }
        branch
    }
}
