//! Forcing chains and nets: try all cases of a cell or house, or refute one candidate.
//!
//! Why they are sound: one digit of a cell is true, and one place of a digit in a house is true. If
//! each of these cases leads, link by link, to the same conclusion, the conclusion holds. A forcing
//! net assumes one candidate and follows all singles until a cell has no digit left or a digit has
//! no place. The candidate is then false. Unlike a link of a chain, a single in a net may depend on
//! several earlier conclusions.

use super::board::Board;
use super::chains::grouped;
use super::links::Graph;
use super::{StepSink, Technique};
use crate::grid::{Cell, CellSet, Digit, DigitSet};
use crate::proof::{Candidate, Inference, InferenceReason, Node, OneOf, Reason, Step};
use std::ops::ControlFlow;

/// Finds conclusions that follow from every digit of a cell.
pub fn cells<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    let consequences = Consequences::cached(position);
    for cell in position.empty() {
        position.check_limits()?;
        let cases: Vec<Candidate> =
            position.at(cell).map(|digit| Candidate::new(cell, digit)).collect();
        consequences.report(
            position,
            Technique::CellForcingChain,
            OneOf::Cell(cell),
            &cases,
            emit,
        )?;
    }
    ControlFlow::Continue(())
}

/// Finds conclusions that follow from every place of a digit in a house.
pub fn houses<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    let consequences = Consequences::cached(position);
    for house in 0..position.house_count() {
        position.check_limits()?;
        for digit in position.digits_in(position.cells(house)) {
            let cases: Vec<Candidate> =
                Board::candidates_of(position.places_in(digit, house), digit).collect();
            let of = OneOf::House(position.house(house), digit);
            consequences.report(position, Technique::HouseForcingChain, of, &cases, emit)?;
        }
    }
    ControlFlow::Continue(())
}

/// Consequences of each candidate.
pub(super) struct Consequences<const W: usize> {
    /// For the node of each candidate and each digit, the cells that can no longer take the digit.
    out: Vec<CellSet<W>>,
}

impl<const W: usize> Consequences<W> {
    /// Returns the consequences for a position, computing them on first use.
    pub fn cached<'a>(position: &'a Board<'_, W>) -> &'a Consequences<W> {
        position.cache().consequences.get_or_init(|| Consequences::new(position))
    }

    /// Returns the cells that cannot take the digit if the candidate is true.
    pub fn ruled_out(&self, position: &Board<W>, candidate: Candidate, digit: Digit) -> CellSet<W> {
        let node = grouped(position).node_of(candidate).expect("every candidate is a node");
        self.out[node as usize * position.order().side() + digit.index()]
    }

    fn new(position: &Board<W>) -> Consequences<W> {
        let graph = grouped(position);
        let side = position.order().side();
        let range = |node: u32| node as usize * side..(node as usize + 1) * side;
        // What a node rules out directly.
        let mut at_once = vec![CellSet::EMPTY; graph.len() as usize * side];
        for node in 0..graph.len() {
            graph.rule_out(node, &mut at_once[range(node)]);
        }
        let mut out = at_once.clone();
        let singles = (0..graph.len()).filter(|&node| graph.single(node).is_some());
        for node in singles.take_while(|_| position.stop_reason().is_none()) {
            let out = &mut out[range(node)];
            let mut add = |on: u32| {
                out.iter_mut().zip(&at_once[range(on)]).for_each(|(out, more)| *out |= *more)
            };
            match graph.implications().from(graph, node) {
                Some(on) => on.for_each(&mut add),
                None => graph.reach(node, true).on.into_iter().for_each(&mut add),
            }
        }
        Consequences { out }
    }

    fn report(
        &self,
        position: &Board<W>,
        technique: Technique,
        of: OneOf,
        cases: &[Candidate],
        emit: &mut StepSink<'_>,
    ) -> ControlFlow<()> {
        let graph = grouped(position);
        let nodes: Vec<u32> = cases.iter().filter_map(|&case| graph.node_of(case)).collect();
        if nodes.len() != cases.len() || cases.len() < 2 {
            return ControlFlow::Continue(());
        }
        for digit in position.all_digits() {
            let out =
                |node: &u32| self.out[*node as usize * position.order().side() + digit.index()];
            let hit = nodes.iter().map(out).fold(position.places(digit), |hit, out| hit & out);
            for target in Board::candidates_of(hit, digit).filter(|target| !cases.contains(target))
            {
                let branches = nodes.iter().map(|&node| branch(graph, node, target)).collect();
                emit(Step::remove(technique, vec![target], Reason::Cases(of, branches)))?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Returns the inferences from a case to the nearest node that rules out the target.
fn branch<const W: usize>(graph: &Graph<W>, case: u32, target: Candidate) -> Vec<Inference> {
    let candidate = graph.single(case).expect("a case is one candidate");
    let mut branch = vec![Inference {
        node: Node::single(candidate),
        holds: true,
        reason: InferenceReason::Assumed,
    }];
    if !graph.rules_out(case, target) {
        let reach = graph.reach(case, true);
        let rules_out = |&&node: &&u32| graph.rules_out(node, target);
        let last = reach.on.iter().find(rules_out).expect("the case rules the target out");
        branch.extend(graph.inferences_to(&reach, *last));
    }
    branch
}

/// Finds candidates whose consequences contradict each other, shortest proof first.
pub fn nets<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    let mut refuted: Vec<(Candidate, Vec<Inference>)> = Vec::new();
    let start = Net::new(position);
    let mut net = start.clone();
    // Most candidates are not refuted. A search without reasons detects this in a fraction of the
    // time.
    for candidate in position.with_nested(|search| search.refuted_by_singles(position)) {
        position.check_limits()?;
        net.clone_from(&start);
        refuted.extend(net.refute(candidate).map(|branch| (candidate, branch)));
    }
    refuted.sort_by_key(|(_, branch)| branch.len());
    for (candidate, branch) in refuted {
        emit(Step::remove(Technique::ForcingNet, vec![candidate], Reason::Contradiction(branch)))?;
    }
    ControlFlow::Continue(())
}

/// Singles that follow from one assumption.
struct Net<'a, const W: usize> {
    position: &'a Board<'a, W>,
    digits: Vec<DigitSet>,
    places: Vec<CellSet<W>>,
    /// Inferences in the order in which they were made.
    log: Vec<Entry>,
    /// For each cell and digit, the inference that made the candidate false.
    off_at: Vec<u32>,
    /// For each cell and digit, whether the candidate is known to be true.
    on: Vec<bool>,
    next: usize,
}

/// An inference: the candidate, and why it is true or false.
#[derive(Clone, Copy)]
struct Entry {
    candidate: Candidate,
    reason: EntryReason,
}

#[derive(Clone, Copy)]
enum EntryReason {
    /// True, because it is assumed.
    Assumed,
    /// False, because it sees a candidate that this earlier inference made true.
    Seen(u32),
    /// True, because all other candidates of this cell or house are false.
    LastIn(OneOf),
}

impl<const W: usize> Clone for Net<'_, W> {
    fn clone(&self) -> Self {
        Net {
            position: self.position,
            digits: self.digits.clone(),
            places: self.places.clone(),
            log: self.log.clone(),
            off_at: self.off_at.clone(),
            on: self.on.clone(),
            next: self.next,
        }
    }

    /// Reuses the memory of the old net.
    fn clone_from(&mut self, other: &Self) {
        self.digits.clone_from(&other.digits);
        self.places.clone_from(&other.places);
        self.log.clone_from(&other.log);
        self.off_at.clone_from(&other.off_at);
        self.on.clone_from(&other.on);
        self.next = other.next;
    }
}

impl<'a, const W: usize> Net<'a, W> {
    fn new(position: &'a Board<'a, W>) -> Net<'a, W> {
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

    /// Returns the inferences that lead from the candidate to a contradiction, if there is one.
    fn refute(&mut self, candidate: Candidate) -> Option<Vec<Inference>> {
        self.log.push(Entry { candidate, reason: EntryReason::Assumed });
        while self.next < self.log.len() {
            let index = self.next as u32;
            self.next += 1;
            let Entry { candidate: Candidate { cell, digit }, reason } = self.log[index as usize];
            if !matches!(reason, EntryReason::Seen(_)) {
                self.follow_true(index, cell, digit);
            } else if let Some(empty) = self.follow_false(cell, digit) {
                return Some(self.proof(empty));
            }
        }
        None
    }

    fn follow_true(&mut self, index: u32, cell: Cell, digit: Digit) {
        for other in self.digits[cell.index()].without(digit) {
            self.cross_out(Candidate::new(cell, other), index);
        }
        for peer in self.places[digit.index()] & self.position.peers(cell) {
            self.cross_out(Candidate::new(peer, digit), index);
        }
    }

    fn cross_out(&mut self, candidate: Candidate, reason: u32) {
        self.digits[candidate.cell.index()].remove(candidate.digit);
        self.places[candidate.digit.index()].remove(candidate.cell);
        let slot = self.slot(candidate);
        self.off_at[slot] = self.log.len() as u32;
        self.log.push(Entry { candidate, reason: EntryReason::Seen(reason) });
    }

    /// Checks, after a candidate became false, whether its cell or one of its houses has at most
    /// one possibility left.
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
            self.log.push(Entry { candidate, reason: EntryReason::LastIn(of) });
        }
    }

    /// Returns the inferences that removed the candidates of a cell or a house.
    fn offs_of(&self, of: OneOf) -> Vec<u32> {
        let members: Vec<Candidate> = match of {
            OneOf::Cell(cell) => {
                self.position.at(cell).map(|digit| Candidate::new(cell, digit)).collect()
            }
            OneOf::House(house, digit) => {
                let cells = self.position.order().cells_in(house).iter();
                cells
                    .map(|&cell| Candidate::new(cell, digit))
                    .filter(|&c| self.position.has(c))
                    .collect()
            }
        };
        members
            .into_iter()
            .map(|member| self.off_at[self.slot(member)])
            .filter(|&off| off != u32::MAX)
            .collect()
    }

    fn slot(&self, candidate: Candidate) -> usize {
        candidate.cell.index() * self.position.order().side() + candidate.digit.index()
    }

    /// Returns only the inferences that the contradiction depends on, in order.
    fn proof(&self, empty: OneOf) -> Vec<Inference> {
        let mut needed = vec![false; self.log.len()];
        let mut open = self.offs_of(empty);
        while let Some(index) = open.pop() {
            if !std::mem::replace(&mut needed[index as usize], true) {
                match self.log[index as usize].reason {
                    EntryReason::Assumed => {}
                    EntryReason::Seen(reason) => open.push(reason),
                    // A candidate that was removed later is not a reason.
                    EntryReason::LastIn(of) => {
                        open.extend(self.offs_of(of).into_iter().filter(|&off| off < index))
                    }
                }
            }
        }
        let kept = self.log.iter().zip(needed).filter(|(_, needed)| *needed);
        kept.map(|(entry, _)| {
            let (holds, reason) = match entry.reason {
                EntryReason::Assumed => (true, InferenceReason::Assumed),
                EntryReason::Seen(_) => (false, InferenceReason::Seen),
                EntryReason::LastIn(of) => (true, InferenceReason::LastIn(of)),
            };
            Inference { node: Node::single(entry.candidate), holds, reason }
        })
        .collect()
    }
}
