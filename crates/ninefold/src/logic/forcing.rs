//! Forcing chains and nets: try all cases, or refute one.
//!
//! Why they are sound: one digit of a cell is true, and one place of a digit in a house. If each of these cases leads,
//! link by link, to the same, then that holds. A forcing net assumes one candidate and follows all singles, with as
//! many premises as they need, until a cell has no digit left or a digit no place; then the candidate is false.

use super::links::{Graph, Kinds, Reach};
use super::position::Position;
use super::step::{Because, Candidate, Inference, Node, OneOf, Step, Why};
use super::{Found, Technique};
use crate::grid::{Cell, CellSet, Digit, DigitSet};
use std::ops::ControlFlow;

/// All digits of a cell lead to the same.
pub fn cells<const W: usize>(position: &Position<W>, found: &mut Found<'_>) -> ControlFlow<()> {
    let worlds = Worlds::new(position);
    for cell in position.empty() {
        let cases: Vec<Candidate> = position.at(cell).map(|digit| Candidate::new(cell, digit)).collect();
        worlds.report(Technique::CellForcingChain, OneOf::Cell(cell), &cases, found)?;
    }
    ControlFlow::Continue(())
}

/// All places of a digit in a house lead to the same.
pub fn houses<const W: usize>(position: &Position<W>, found: &mut Found<'_>) -> ControlFlow<()> {
    let worlds = Worlds::new(position);
    for house in 0..position.house_count() {
        for digit in position.digits_in(position.cells(house)) {
            let cases: Vec<Candidate> = Position::candidates_of(position.places_in(digit, house), digit).collect();
            let of = OneOf::House(position.house(house), digit);
            worlds.report(Technique::HouseForcingChain, of, &cases, found)?;
        }
    }
    ControlFlow::Continue(())
}

/// What follows from each candidate.
struct Worlds<'a, const W: usize> {
    graph: Graph<'a, W>,
    reaches: Vec<Option<Reach>>,
    /// For each candidate's node and each digit, the cells that cannot hold the digit any more.
    out: Vec<Vec<CellSet<W>>>,
}

impl<'a, const W: usize> Worlds<'a, W> {
    fn new(position: &'a Position<W>) -> Worlds<'a, W> {
        let kinds = Kinds { cells: true, houses: true, groups: true, ..Kinds::default() };
        let graph = Graph::new(position, kinds);
        let reach = |node: u32| graph.single(node).map(|_| graph.reach(node, true));
        let reaches: Vec<Option<Reach>> = (0..graph.len()).map(reach).collect();
        let side = position.order().side();
        let mut out = vec![Vec::new(); reaches.len()];
        for (node, reach) in reaches.iter().enumerate() {
            if let Some(reach) = reach {
                let mut ruled_out = vec![CellSet::EMPTY; side];
                for &on in reach.on.iter().chain([&(node as u32)]) {
                    graph.rule_out(on, &mut ruled_out);
                }
                out[node] = ruled_out;
            }
        }
        Worlds { graph, reaches, out }
    }

    fn report(&self, technique: Technique, of: OneOf, cases: &[Candidate], found: &mut Found<'_>) -> ControlFlow<()> {
        let nodes: Vec<u32> = cases.iter().filter_map(|&case| self.graph.node_of(case)).collect();
        if nodes.len() != cases.len() || cases.len() < 2 {
            return ControlFlow::Continue(());
        }
        let position = self.graph.position;
        for digit in position.all_digits() {
            let out = |node: &u32| self.out[*node as usize][digit.index()];
            let hit = nodes.iter().map(out).fold(position.places(digit), |hit, out| hit & out);
            for target in Position::candidates_of(hit, digit).filter(|target| !cases.contains(target)) {
                let branches = nodes.iter().map(|&node| self.branch(node, target)).collect();
                found(Step::remove(technique, vec![target], Because::Cases(of, branches)))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The inferences from a case to the nearest node that rules out the target.
    fn branch(&self, case: u32, target: Candidate) -> Vec<Inference> {
        let candidate = self.graph.single(case).expect("a case is one candidate");
        let mut branch = vec![Inference { node: Node::single(candidate), holds: true, why: Why::Assumed }];
        let reach = self.reaches[case as usize].as_ref().expect("a case has been followed");
        if !self.graph.rules_out(case, target) {
            let rules_out = |&&node: &&u32| self.graph.rules_out(node, target);
            let last = reach.on.iter().find(rules_out).expect("the case rules the target out");
            let chain = self.graph.chain_to(reach, *last, false);
            for (pair, reason) in chain.nodes.chunks(2).zip(chain.strong) {
                branch.push(Inference { node: pair[0].clone(), holds: false, why: Why::Seen });
                branch.push(Inference { node: pair[1].clone(), holds: true, why: reason.into() });
            }
        }
        branch
    }
}

/// A candidate whose consequences contradict each other; of all such candidates the one with the shortest proof first.
pub fn nets<const W: usize>(position: &Position<W>, found: &mut Found<'_>) -> ControlFlow<()> {
    let mut refuted: Vec<(Candidate, Vec<Inference>)> = Vec::new();
    for cell in position.empty() {
        for digit in position.at(cell) {
            let candidate = Candidate::new(cell, digit);
            if let Some(branch) = Net::new(position).refute(candidate) {
                refuted.push((candidate, branch));
            }
        }
    }
    refuted.sort_by_key(|(_, branch)| branch.len());
    for (candidate, branch) in refuted {
        found(Step::remove(Technique::ForcingNet, vec![candidate], Because::Contradiction(branch)))?;
    }
    ControlFlow::Continue(())
}

/// Singles that follow from one assumption, with what each rests on.
struct Net<'a, const W: usize> {
    position: &'a Position<W>,
    digits: Vec<DigitSet>,
    places: Vec<CellSet<W>>,
    /// What was inferred, in order: the candidate, whether it is true, why, and the earlier inferences it rests on.
    log: Vec<(Candidate, bool, Why, Vec<u32>)>,
    /// For each cell and digit, the inference that made the candidate false.
    off_at: Vec<u32>,
    /// For each cell and digit, whether the candidate has become true.
    on: Vec<bool>,
    next: usize,
}

impl<'a, const W: usize> Net<'a, W> {
    fn new(position: &'a Position<W>) -> Net<'a, W> {
        let order = position.order();
        Net {
            position,
            digits: order.cells().map(|cell| position.at(cell)).collect(),
            places: order.digits().map(|digit| position.places(digit)).collect(),
            log: Vec::new(),
            off_at: vec![u32::MAX; order.cell_count() * order.side()],
            on: vec![false; order.cell_count() * order.side()],
            next: 0,
        }
    }

    /// The inferences that lead from the candidate to a contradiction, if there is one.
    fn refute(mut self, candidate: Candidate) -> Option<Vec<Inference>> {
        self.log.push((candidate, true, Why::Assumed, Vec::new()));
        while self.next < self.log.len() {
            let index = self.next as u32;
            self.next += 1;
            let (Candidate { cell, digit }, holds, _, _) = self.log[index as usize];
            let broken = if holds { self.follow_true(index, cell, digit) } else { self.follow_false(cell, digit) };
            if let Some(empty) = broken {
                return Some(self.proof(empty));
            }
        }
        None
    }

    fn follow_true(&mut self, index: u32, cell: Cell, digit: Digit) -> Option<OneOf> {
        for other in self.digits[cell.index()].without(digit) {
            self.cross_out(Candidate::new(cell, other), index);
        }
        for peer in self.places[digit.index()] & self.position.peers(cell) {
            self.cross_out(Candidate::new(peer, digit), index);
        }
        None
    }

    fn cross_out(&mut self, candidate: Candidate, because: u32) {
        self.digits[candidate.cell.index()].remove(candidate.digit);
        self.places[candidate.digit.index()].remove(candidate.cell);
        let slot = self.slot(candidate);
        self.off_at[slot] = self.log.len() as u32;
        self.log.push((candidate, false, Why::Seen, vec![because]));
    }

    /// After a candidate went out: is its cell or its digit in one of its houses left with one or no possibility?
    fn follow_false(&mut self, cell: Cell, digit: Digit) -> Option<OneOf> {
        let left = self.digits[cell.index()];
        match left.count() {
            0 => return Some(OneOf::Cell(cell)),
            1 => self.conclude(Candidate::new(cell, left.first()?), OneOf::Cell(cell)),
            _ => {}
        }
        for house in self.position.houses_of(cell) {
            let left = self.places[digit.index()] & self.position.cells(house);
            let of = OneOf::House(self.position.house(house), digit);
            match left.count() {
                0 => return Some(of),
                1 => self.conclude(Candidate::new(left.first()?, digit), of),
                _ => {}
            }
        }
        None
    }

    fn conclude(&mut self, candidate: Candidate, of: OneOf) {
        let slot = self.slot(candidate);
        if !std::mem::replace(&mut self.on[slot], true) {
            let premises = self.offs_of(of);
            self.log.push((candidate, true, Why::LastIn(of), premises));
        }
    }

    /// The inferences that crossed out the candidates of a cell or a house.
    fn offs_of(&self, of: OneOf) -> Vec<u32> {
        let members: Vec<Candidate> = match of {
            OneOf::Cell(cell) => self.position.at(cell).map(|digit| Candidate::new(cell, digit)).collect(),
            OneOf::House(house, digit) => {
                let cells = self.position.order().cells_in(house).iter();
                cells.map(|&cell| Candidate::new(cell, digit)).filter(|&c| self.position.has(c)).collect()
            }
        };
        members.into_iter().map(|member| self.off_at[self.slot(member)]).filter(|&off| off != u32::MAX).collect()
    }

    fn slot(&self, candidate: Candidate) -> usize {
        candidate.cell.index() * self.position.order().side() + candidate.digit.index()
    }

    /// Only what the contradiction rests on, in order.
    fn proof(&self, empty: OneOf) -> Vec<Inference> {
        let mut needed = vec![false; self.log.len()];
        let mut open = self.offs_of(empty);
        while let Some(index) = open.pop() {
            if !std::mem::replace(&mut needed[index as usize], true) {
                open.extend(&self.log[index as usize].3);
            }
        }
        let kept = self.log.iter().zip(needed).filter(|(_, needed)| *needed);
        kept.map(|((candidate, holds, why, _), _)| Inference {
            node: Node::single(*candidate),
            holds: *holds,
            why: why.clone(),
        })
        .collect()
    }
}
