//! Bidirectional cycles and forcing chains: a candidate that implies itself or its opposite.
//!
//! The search makes three rounds over all candidates: with links in houses only (X-links), with
//! links in cells only (Y-links), and with both. Each round searches for cycles through the
//! candidate. Rounds with X-links also search for chains from the candidate being on to it being
//! off, and for the reverse. Breadth-first search finds the shortest chain. It ends early when all
//! remaining chains are longer than a better hint that is already known.

use super::board::Board;
use super::candidate_set::CandidateSet;
use super::chain::{Fingerprint, Inner, Preference};
use super::hint::{Hint, Technique};
use super::links::{Cause, StrongLinks, WeakLinks, each_gone, weak_cause};
use super::reach::Reach;
use super::tables::{CANDIDATES, CELLS_OF, PEERS, cells, count, ones};

/// The minimum number of inferences of a chain.
const SHORTEST: u32 = 4;

/// The maximum number of inferences of a chain.
const LONGEST: u32 = 2 * CANDIDATES as u32;

/// One step back in a chain: a candidate that is on follows from `off`, and `off` follows from
/// `from`.
#[derive(Clone, Copy)]
struct Back {
    off: u16,
    cause: Cause,
    from: u16,
}

/// No candidate: marks the start of a chain.
const START: u16 = u16::MAX;

/// The links that a round uses.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Round {
    in_cells: bool,
    in_houses: bool,
}

/// A chain with its candidates from the end to the start, alternately on and off.
struct Found {
    round: Round,
    is_cycle: bool,
    complexity: u32,
    /// The candidates with their states and the causes of these states, the last one first.
    path: Vec<(u16, bool, Cause)>,
    removes: Vec<(u8, u16)>,
}

impl Found {
    fn preference(&self) -> Preference {
        let base = match (self.round.in_cells && self.round.in_houses, self.is_cycle) {
            (true, _) => 7.0,
            (false, true) => 6.5,
            (false, false) => 6.6,
        };
        Preference::new(base, self.complexity, self.kind())
    }

    fn kind(&self) -> u8 {
        match (self.round.in_cells, self.round.in_houses) {
            (true, true) => 4,
            (true, false) => 3,
            _ => 2,
        }
    }

    fn hint(&self) -> Hint {
        let technique = match (self.is_cycle, self.kind()) {
            (true, 4) => Technique::Cycle,
            (true, 3) => Technique::YCycle,
            (true, _) => Technique::XCycle,
            (false, 4) => Technique::ForcingChain,
            (false, _) => Technique::ForcingXChain,
        };
        let (target, is_on, _) = self.path[0];
        let places =
            (!self.is_cycle && is_on).then_some((usize::from(target / 9), usize::from(target % 9)));
        let removes =
            self.removes.iter().map(|&(cell, digits)| (usize::from(cell), digits)).collect();
        Hint { technique, rating: self.preference().rating, removes, places }
    }

    /// Converts the chain to one inside an outer chain that began at the position `start`.
    fn inner(&self, board: &Board, start: &Board) -> Inner {
        let mut parents = Vec::new();
        let mut seen = CandidateSet::new();
        let mut add = |on: u16, cause: Cause| {
            each_gone(board, start, on, cause, |gone| {
                if !seen.has(gone) {
                    seen.insert(gone);
                    parents.push(gone);
                }
            });
        };
        self.path.iter().filter(|(_, is_on, _)| *is_on).for_each(|&(on, _, cause)| add(on, cause));
        let mut signature = Fingerprint::new();
        self.path
            .iter()
            .for_each(|&(candidate, is_on, _)| signature.add_potential(candidate, is_on));
        if self.is_cycle {
            // The reversed cycle has on and off swapped, with the same causes.
            self.path
                .iter()
                .filter(|(_, is_on, _)| !*is_on)
                .for_each(|&(off, _, cause)| add(off, cause));
            self.path
                .iter()
                .rev()
                .for_each(|&(candidate, is_on, _)| signature.add_potential(candidate, !is_on));
        }
        let signature = signature.value();
        Inner { preference: self.preference(), removes: self.removes.clone(), parents, signature }
    }
}

/// The search for cycles and forcing chains. It reuses its memory.
pub(super) struct Search {
    weak: WeakLinks,
    strong: StrongLinks,
    back: Box<[Back; CANDIDATES]>,
    queue: Vec<(u16, u32)>,
    reach: Reach,
    found: Vec<Found>,
    /// The last position in which the search found nothing.
    in_vain: Option<Box<Board>>,
    /// Whether only the best chain is needed.
    best_only: bool,
    /// The maximum number of inferences of chains and of cycles in this round.
    bounds: [u32; 2],
}

impl Search {
    pub fn new() -> Search {
        Search {
            weak: WeakLinks::new(),
            strong: StrongLinks::new(),
            back: Box::new([Back { off: 0, cause: Cause::None, from: START }; CANDIDATES]),
            queue: Vec::new(),
            reach: Reach::new(),
            found: Vec::new(),
            in_vain: None,
            best_only: true,
            bounds: [LONGEST; 2],
        }
    }

    /// The best hint.
    pub fn best(&mut self, board: &Board) -> Option<Hint> {
        self.best_only = true;
        self.found.clear();
        if self.may_have_chains(board) {
            self.all_rounds(board);
        }
        self.in_vain = self.found.is_empty().then(|| Box::new(board.clone()));
        self.found.first().map(Found::hint)
    }

    /// Whether the position has any chain or cycle.
    pub fn has_any(&mut self, board: &Board) -> bool {
        self.best_only = true;
        self.all_rounds(board);
        !self.found.is_empty()
    }

    /// All chains inside an outer chain that began at `start`, the best first. Of chains with the
    /// same removals, only the best is returned. If the start had no chains (`start_is_clear`),
    /// only new strong links can create some.
    pub fn all_inner(&mut self, board: &Board, start: &Board, start_is_clear: bool) -> Vec<Inner> {
        if start_is_clear && !self.may_have_new_chains(board, start) {
            return Vec::new();
        }
        self.best_only = false;
        self.all_rounds(board);
        let mut found = std::mem::take(&mut self.found);
        found.sort_by(|a, b| a.preference().compare(&b.preference()));
        let mut inner: Vec<Inner> = Vec::new();
        let mut known: Vec<Vec<(u8, u16)>> = Vec::new();
        for chain in &found {
            let mut removes = chain.removes.clone();
            removes.sort_unstable();
            if !known.contains(&removes) {
                known.push(removes);
                inner.push(chain.inner(board, start));
            }
        }
        inner
    }

    fn all_rounds(&mut self, board: &Board) {
        self.found.clear();
        self.weak.read(board);
        for (in_cells, in_houses) in [(false, true), (true, false), (true, true)] {
            let round = Round { in_cells, in_houses };
            self.set_bounds(round);
            if self.bounds.iter().all(|&bound| bound < SHORTEST) {
                continue;
            }
            self.strong.read(board, in_cells, in_houses);
            self.reach.read(board, &self.weak, &self.strong, in_cells);
            self.reach.survey();
            for cell in cells(board.empty).filter(|&cell| count(board.digits[cell]) > 1) {
                if in_houses || count(board.digits[cell]) == 2 {
                    ones(board.digits[cell])
                        .for_each(|digit| self.around(board, (cell * 9 + digit) as u16, round));
                }
            }
        }
    }

    /// Searches for cycles and chains from one source if they are possible.
    fn around(&mut self, board: &Board, source: u16, round: Round) {
        if self.reach.may_cycle(source, self.bound(true)) {
            self.cycles(board, source, round);
        }
        let bound = self.bound(false);
        if round.in_houses
            && self.reach.to_off(source).is_some_and(|complexity| complexity <= bound)
        {
            self.close_off(source, round);
        }
        if round.in_houses
            && self.reach.way_from_off(source, &self.strong, self.bound(false)).is_some()
        {
            self.close_on(board, source, round);
        }
    }

    /// Whether the position has a new strong link that could be part of a chain since the last
    /// position without chains.
    fn may_have_chains(&mut self, board: &Board) -> bool {
        let Some(before) = self.in_vain.take() else { return true };
        let may_have = self.may_have_new_chains(board, &before);
        self.in_vain = Some(before);
        may_have
    }

    /// Whether the board has a strong link that `before` did not have and that could be part of a
    /// chain.
    fn may_have_new_chains(&mut self, board: &Board, before: &Board) -> bool {
        self.weak.read(board);
        self.strong.read(board, true, true);
        self.reach.read(board, &self.weak, &self.strong, true);
        let cells_now = cells(board.empty)
            .filter(|&cell| count(board.digits[cell]) == 2 && count(before.digits[cell]) > 2);
        let in_cells = cells_now.map(|cell| {
            let candidates: Vec<u16> =
                ones(board.digits[cell]).map(|digit| (cell * 9 + digit) as u16).collect();
            (candidates[0], candidates[1])
        });
        let in_houses = (0..27 * 9).map(|n| (n / 9, n % 9)).filter(|&(house, digit)| {
            count(board.places[house][digit]) == 2 && count(before.places[house][digit]) > 2
        });
        let in_houses = in_houses.map(|(house, digit)| {
            let at = |place: usize| u16::from(CELLS_OF[house][place]) * 9 + digit as u16;
            let candidates: Vec<u16> = ones(board.places[house][digit]).map(at).collect();
            (candidates[0], candidates[1])
        });
        in_cells.chain(in_houses).any(|(one, other)| self.reach.matters(one, other))
    }

    /// The maximum number of inferences of a chain that is better than the best known one.
    fn bound(&self, is_cycle: bool) -> u32 {
        self.bounds[usize::from(is_cycle)]
    }

    /// Computes the bounds for a round.
    fn set_bounds(&mut self, round: Round) {
        let Some(best) = self.found.first().filter(|_| self.best_only).map(Found::preference)
        else {
            self.bounds = [LONGEST; 2];
            return;
        };
        for is_cycle in [false, true] {
            let mut trial =
                Found { round, is_cycle, complexity: 0, path: Vec::new(), removes: Vec::new() };
            while trial.preference().compare(&best).is_lt() {
                trial.complexity += 1;
            }
            self.bounds[usize::from(is_cycle)] = trial.complexity.saturating_sub(1);
        }
    }

    fn add(&mut self, found: Found) {
        if self.best_only {
            let is_better = |best: &Found| found.preference().compare(&best.preference()).is_lt();
            if self.found.first().is_none_or(is_better) {
                let round = found.round;
                self.found.clear();
                self.found.push(found);
                self.set_bounds(round);
            }
        } else {
            self.found.push(found);
        }
    }

    /// Searches for cycles through `source`, which is on at the start and at the end.
    fn cycles(&mut self, board: &Board, source: u16, round: Round) {
        let mut bound = self.bound(true);
        let mut on = CandidateSet::new();
        on.insert(source);
        self.back[usize::from(source)].from = START;
        self.queue.clear();
        self.queue.push((source, 0));
        let mut next = 0;
        while let Some(&(from, depth)) = self.queue.get(next) {
            next += 1;
            if depth + 2 > bound {
                break;
            }
            for n in 0..self.weak.targets(from, round.in_cells).len() {
                let off = self.weak.targets(from, round.in_cells)[n];
                if self.strong.targets(off).is_empty() || self.is_behind(from, off) {
                    continue;
                }
                for n in 0..self.strong.targets(off).len() {
                    let (target, cause) = self.strong.targets(off)[n];
                    if target == source && depth + 2 >= 4 {
                        self.close(board, source, round, Back { off, cause, from }, depth + 2);
                        bound = self.bound(true);
                    }
                    if !on.has(target) {
                        on.insert(target);
                        self.back[usize::from(target)] = Back { off, cause, from };
                        self.queue.push((target, depth + 2));
                    }
                }
            }
        }
    }

    /// Whether `off` is on the path to `from`.
    fn is_behind(&self, from: u16, off: u16) -> bool {
        let mut at = from;
        while self.back[usize::from(at)].from != START {
            if self.back[usize::from(at)].off == off {
                return true;
            }
            at = self.back[usize::from(at)].from;
        }
        false
    }

    /// The path from `last` back to the start, with the cause of every state.
    fn path(&self, target: u16, last: Back) -> Vec<(u16, bool, Cause)> {
        let mut path = vec![(target, true, last.cause)];
        let mut step = last;
        loop {
            path.push((step.off, false, weak_cause(step.from, step.off)));
            let back = self.back[usize::from(step.from)];
            if back.from == START {
                return path;
            }
            path.push((step.from, true, back.cause));
            step = back;
        }
    }

    /// Adds a closed cycle. A candidate outside of the cycle is removed if it sees an on and an off
    /// candidate of its digit.
    fn close(&mut self, board: &Board, source: u16, round: Round, last: Back, complexity: u32) {
        let path = self.path(source, last);
        let (mut seen_on, mut seen_off, mut inside) = ([0_u128; 9], [0_u128; 9], 0_u128);
        for &(candidate, is_on, _) in &path {
            let (cell, digit) = (usize::from(candidate / 9), usize::from(candidate % 9));
            inside |= 1 << cell;
            let seen = if is_on { &mut seen_on } else { &mut seen_off };
            seen[digit] |= PEERS[cell];
        }
        let mut gone = [0_u16; 81];
        let mut losing = 0_u128;
        for digit in 0..9 {
            for cell in cells(seen_on[digit] & seen_off[digit] & board.empty & !inside) {
                if board.has(cell, digit) {
                    gone[cell] |= 1 << digit;
                    losing |= 1 << cell;
                }
            }
        }
        if losing != 0 {
            let removes = cells(losing).map(|cell| (cell as u8, gone[cell])).collect();
            self.add(Found { round, is_cycle: true, complexity, path, removes });
        }
    }

    /// Searches for the shortest chain from `source` on to `source` off.
    fn close_off(&mut self, source: u16, round: Round) {
        let bound = self.bound(false);
        self.back[usize::from(source)].from = START;
        self.queue.clear();
        self.queue.push((source, 0));
        let (mut on, mut off) = (CandidateSet::new(), CandidateSet::new());
        on.insert(source);
        let mut next = 0;
        while let Some(&(from, depth)) = self.queue.get(next) {
            next += 1;
            // The number of inferences is the number of links plus one.
            if depth + 2 > bound {
                return;
            }
            for n in 0..self.weak.targets(from, round.in_cells).len() {
                let other = self.weak.targets(from, round.in_cells)[n];
                if other == source {
                    let mut path = vec![(source, false, Cause::None)];
                    if self.back[usize::from(from)].from != START {
                        path.extend(self.path(from, self.back[usize::from(from)]));
                    }
                    path.push((source, true, Cause::None));
                    let removes = vec![((source / 9) as u8, 1 << (source % 9))];
                    self.add(Found {
                        round,
                        is_cycle: false,
                        complexity: depth + 2,
                        path,
                        removes,
                    });
                    return;
                }
                if !off.has(other) {
                    off.insert(other);
                    self.spread(other, from, depth + 2, &mut on);
                }
            }
        }
    }

    /// Adds the candidates that `off` turns on.
    fn spread(&mut self, off: u16, from: u16, depth: u32, on: &mut CandidateSet) {
        for n in 0..self.strong.targets(off).len() {
            let (target, cause) = self.strong.targets(off)[n];
            if !on.has(target) {
                on.insert(target);
                self.back[usize::from(target)] = Back { off, cause, from };
                self.queue.push((target, depth));
            }
        }
    }

    /// Searches for the shortest chain from `source` off to `source` on.
    fn close_on(&mut self, board: &Board, source: u16, round: Round) {
        let bound = self.bound(false);
        let (mut on, mut off) = (CandidateSet::new(), CandidateSet::new());
        off.insert(source);
        self.queue.clear();
        self.spread(source, START, 1, &mut on);
        let mut next = 0;
        while let Some(&(from, depth)) = self.queue.get(next) {
            next += 1;
            if depth + 3 > bound {
                return;
            }
            for n in 0..self.weak.targets(from, round.in_cells).len() {
                let other = self.weak.targets(from, round.in_cells)[n];
                if off.has(other) {
                    continue;
                }
                off.insert(other);
                let back = self.strong.targets(other).iter().find(|&&(target, _)| target == source);
                if let Some(&(_, cause)) = back {
                    let removes = board.digits[usize::from(source / 9)] & !(1 << (source % 9));
                    let path = self.path_from_off(source, Back { off: other, cause, from });
                    let removes = vec![((source / 9) as u8, removes)];
                    self.add(Found {
                        round,
                        is_cycle: false,
                        complexity: depth + 3,
                        path,
                        removes,
                    });
                    return;
                }
                self.spread(other, from, depth + 2, &mut on);
            }
        }
    }

    /// The path from `source` on back to `source` off.
    fn path_from_off(&self, source: u16, last: Back) -> Vec<(u16, bool, Cause)> {
        let mut path = vec![(source, true, last.cause)];
        let mut step = last;
        while step.from != START {
            path.push((step.off, false, weak_cause(step.from, step.off)));
            let back = self.back[usize::from(step.from)];
            path.push((step.from, true, back.cause));
            step = back;
        }
        path.push((source, false, Cause::None));
        path
    }
}
