//! Forcing chains and nets: try all cases, or refute one.
//!
//! Why they are sound: one digit of a cell is true, and one place of a digit in a house. If each of these cases leads,
//! link by link, to the same, then that holds. A forcing net assumes one candidate and follows all singles, with as
//! many premises as they need, until a cell has no digit left or a digit no place; then the candidate is false.

use super::board::Board;
use super::chains::grouped;
use super::links::Graph;
use super::{Found, Technique};
use crate::grid::{Cell, CellSet, Digit, DigitSet};
use crate::proof::{Because, Candidate, Inference, Node, OneOf, Step, Why};
use std::ops::ControlFlow;

/// All digits of a cell lead to the same.
pub fn cells<const W: usize>(position: &Board<W>, found: &mut Found<'_>) -> ControlFlow<()> {
    let worlds = Worlds::of(position);
    for cell in position.empty() {
        position.go_on()?;
        let cases: Vec<Candidate> =
            position.at(cell).map(|digit| Candidate::new(cell, digit)).collect();
        worlds.report(position, Technique::CellForcingChain, OneOf::Cell(cell), &cases, found)?;
    }
    ControlFlow::Continue(())
}

/// All places of a digit in a house lead to the same.
pub fn houses<const W: usize>(position: &Board<W>, found: &mut Found<'_>) -> ControlFlow<()> {
    let worlds = Worlds::of(position);
    for house in 0..position.house_count() {
        position.go_on()?;
        for digit in position.digits_in(position.cells(house)) {
            let cases: Vec<Candidate> =
                Board::candidates_of(position.places_in(digit, house), digit).collect();
            let of = OneOf::House(position.house(house), digit);
            worlds.report(position, Technique::HouseForcingChain, of, &cases, found)?;
        }
    }
    ControlFlow::Continue(())
}

/// What follows from each candidate.
pub(super) struct Worlds<const W: usize> {
    /// For each candidate's node and each digit, the cells that cannot hold the digit any more.
    out: Vec<CellSet<W>>,
}

impl<const W: usize> Worlds<W> {
    /// The worlds of a position, made when they are first asked for.
    pub fn of<'a>(position: &'a Board<'_, W>) -> &'a Worlds<W> {
        position.cache().worlds.get_or_init(|| Worlds::new(position))
    }

    /// The cells that cannot hold the digit if the candidate is true.
    pub fn ruled_out(&self, position: &Board<W>, candidate: Candidate, digit: Digit) -> CellSet<W> {
        let node = grouped(position).node_of(candidate).expect("every candidate is a node");
        self.out[node as usize * position.order().side() + digit.index()]
    }

    fn new(position: &Board<W>) -> Worlds<W> {
        let graph = grouped(position);
        let side = position.order().side();
        let range = |node: u32| node as usize * side..(node as usize + 1) * side;
        // What a node rules out by itself.
        let mut at_once = vec![CellSet::EMPTY; graph.len() as usize * side];
        for node in 0..graph.len() {
            graph.rule_out(node, &mut at_once[range(node)]);
        }
        let mut out = at_once.clone();
        let singles = (0..graph.len()).filter(|&node| graph.single(node).is_some());
        for node in singles.take_while(|_| position.stopped().is_none()) {
            let out = &mut out[range(node)];
            let mut add = |on: u32| {
                out.iter_mut().zip(&at_once[range(on)]).for_each(|(out, more)| *out |= *more)
            };
            match graph.following().from(graph, node) {
                Some(on) => on.for_each(&mut add),
                None => graph.reach(node, true).on.into_iter().for_each(&mut add),
            }
        }
        Worlds { out }
    }

    fn report(
        &self,
        position: &Board<W>,
        technique: Technique,
        of: OneOf,
        cases: &[Candidate],
        found: &mut Found<'_>,
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
                found(Step::remove(technique, vec![target], Because::Cases(of, branches)))?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// The inferences from a case to the nearest node that rules out the target.
fn branch<const W: usize>(graph: &Graph<W>, case: u32, target: Candidate) -> Vec<Inference> {
    let candidate = graph.single(case).expect("a case is one candidate");
    let mut branch =
        vec![Inference { node: Node::single(candidate), holds: true, why: Why::Assumed }];
    if !graph.rules_out(case, target) {
        let reach = graph.reach(case, true);
        let rules_out = |&&node: &&u32| graph.rules_out(node, target);
        let last = reach.on.iter().find(rules_out).expect("the case rules the target out");
        branch.extend(graph.inferences_to(&reach, *last));
    }
    branch
}

/// A candidate whose consequences contradict each other; of all such candidates the one with the shortest proof first.
pub fn nets<const W: usize>(position: &Board<W>, found: &mut Found<'_>) -> ControlFlow<()> {
    let mut refuted: Vec<(Candidate, Vec<Inference>)> = Vec::new();
    let start = Net::new(position);
    let mut net = start.clone();
    // Most candidates are not refuted, and that is seen without any reasons in a fraction of the time.
    for candidate in position.with_nested(|memory| memory.refuted_alone(position)) {
        position.go_on()?;
        net.clone_from(&start);
        refuted.extend(net.refute(candidate).map(|branch| (candidate, branch)));
    }
    refuted.sort_by_key(|(_, branch)| branch.len());
    for (candidate, branch) in refuted {
        found(Step::remove(
            Technique::ForcingNet,
            vec![candidate],
            Because::Contradiction(branch),
        ))?;
    }
    ControlFlow::Continue(())
}

/// Singles that follow from one assumption.
struct Net<'a, const W: usize> {
    position: &'a Board<'a, W>,
    digits: Vec<DigitSet>,
    places: Vec<CellSet<W>>,
    /// What was inferred, in order.
    log: Vec<Entry>,
    /// For each cell and digit, the inference that made the candidate false.
    off_at: Vec<u32>,
    /// For each cell and digit, whether the candidate has become true.
    on: Vec<bool>,
    next: usize,
}

/// One inference: the candidate, and why it is true or false.
#[derive(Clone, Copy)]
struct Entry {
    candidate: Candidate,
    why: Reason,
}

#[derive(Clone, Copy)]
enum Reason {
    /// True, because it is assumed.
    Assumed,
    /// False, because it sees what this earlier inference made true.
    Seen(u32),
    /// True, because all others of this are false.
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

    /// Keeps the room of the old net.
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

    /// The inferences that lead from the candidate to a contradiction, if there is one.
    fn refute(&mut self, candidate: Candidate) -> Option<Vec<Inference>> {
        self.log.push(Entry { candidate, why: Reason::Assumed });
        while self.next < self.log.len() {
            let index = self.next as u32;
            self.next += 1;
            let Entry { candidate: Candidate { cell, digit }, why } = self.log[index as usize];
            if !matches!(why, Reason::Seen(_)) {
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

    fn cross_out(&mut self, candidate: Candidate, because: u32) {
        self.digits[candidate.cell.index()].remove(candidate.digit);
        self.places[candidate.digit.index()].remove(candidate.cell);
        let slot = self.slot(candidate);
        self.off_at[slot] = self.log.len() as u32;
        self.log.push(Entry { candidate, why: Reason::Seen(because) });
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
            self.log.push(Entry { candidate, why: Reason::LastIn(of) });
        }
    }

    /// The inferences that crossed out the candidates of a cell or a house.
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

    /// Only what the contradiction rests on, in order.
    fn proof(&self, empty: OneOf) -> Vec<Inference> {
        let mut needed = vec![false; self.log.len()];
        let mut open = self.offs_of(empty);
        while let Some(index) = open.pop() {
            if !std::mem::replace(&mut needed[index as usize], true) {
                match self.log[index as usize].why {
                    Reason::Assumed => {}
                    Reason::Seen(because) => open.push(because),
                    // What was crossed out later is not a reason.
                    Reason::LastIn(of) => {
                        open.extend(self.offs_of(of).into_iter().filter(|&off| off < index))
                    }
                }
            }
        }
        let kept = self.log.iter().zip(needed).filter(|(_, needed)| *needed);
        kept.map(|(entry, _)| {
            let (holds, why) = match entry.why {
                Reason::Assumed => (true, Why::Assumed),
                Reason::Seen(_) => (false, Why::Seen),
                Reason::LastIn(of) => (true, Why::LastIn(of)),
            };
            Inference { node: Node::single(entry.candidate), holds, why }
        })
        .collect()
    }
}
