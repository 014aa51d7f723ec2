//! How far chains reach, for all candidates at once: a quick look before a chain is followed link by link.
//!
//! A step leads from a candidate that is on, over one that is off, to the next that is on. With all steps of a candidate in
//! one set, the candidates on after 1, 2, 3 … steps are unions of sets; and since links hold in both directions, a chain
//! comes back to its source as soon as such a union meets what the source itself is linked to.

use super::board::Board;
use super::candidate_set::CandidateSet;
use super::links::{StrongLinks, WeakLinks};
use super::tables::{CANDIDATES, cells, ones};

/// The links of a position as sets.
pub(super) struct Reach {
    /// On after one step.
    step: Vec<CandidateSet>,
    /// Off when the candidate is on.
    weak: Vec<CandidateSet>,
    /// On candidates from which one more step turns the candidate on.
    before: Vec<CandidateSet>,
    present: Vec<u16>,
    /// The inferences of the shortest chain from on to off, 0 if there is none.
    to_off: Vec<u32>,
    /// Candidates that a cycle which removes something may run through.
    pub in_cycles: CandidateSet,
    /// The fewest inferences that such a cycle can have.
    pub shortest_cycle: u32,
}

impl Reach {
    pub fn new() -> Reach {
        let empty = || vec![CandidateSet::new(); CANDIDATES];
        Reach {
            step: empty(),
            weak: empty(),
            before: empty(),
            present: Vec::new(),
            to_off: vec![0; CANDIDATES],
            in_cycles: CandidateSet::new(),
            shortest_cycle: u32::MAX,
        }
    }

    /// Reads the links of a position.
    pub fn read(&mut self, board: &Board, weak: &WeakLinks, strong: &StrongLinks, in_cells: bool) {
        self.present.clear();
        for cell in cells(board.empty) {
            self.present.extend(ones(board.digits[cell]).map(|digit| (cell * 9 + digit) as u16));
        }
        for &candidate in &self.present {
            let (mut off, mut step) = (CandidateSet::new(), CandidateSet::new());
            for &other in weak.of(candidate, in_cells) {
                off.insert(other);
                strong.of(other).iter().for_each(|&(target, _)| step.insert(target));
            }
            self.weak[usize::from(candidate)] = off;
            self.step[usize::from(candidate)] = step;
        }
        for &candidate in &self.present {
            let mut before = CandidateSet::new();
            for &(other, _) in strong.of(candidate) {
                before.add_all(&self.weak[usize::from(other)]);
            }
            self.before[usize::from(candidate)] = before;
        }
    }

    /// Looks at all candidates. What a cycle removes would turn the cycle round and so itself off: without a chain from on
    /// to off there is nothing to remove, and a cycle runs only through what such a candidate turns off.
    pub fn survey(&mut self) {
        self.in_cycles = CandidateSet::new();
        self.shortest_cycle = u32::MAX;
        for n in 0..self.present.len() {
            let source = self.present[n];
            let complexity = self.shortest(source, &self.weak[usize::from(source)], u32::MAX);
            self.to_off[usize::from(source)] = complexity.unwrap_or(0);
            if let Some(complexity) = complexity {
                self.in_cycles.add_all(&self.closure(source).1);
                self.shortest_cycle = self.shortest_cycle.min(complexity - 2);
            }
        }
    }

    /// The inferences of the shortest chain from `source` on to `source` off.
    pub fn to_off(&self, source: u16) -> Option<u32> {
        Some(self.to_off[usize::from(source)]).filter(|&complexity| complexity > 0)
    }

    /// Can a cycle of at most `bound` inferences run through `source` and remove something?
    pub fn may_cycle(&self, source: u16, bound: u32) -> bool {
        let is_possible = self.in_cycles.has(source) && self.shortest_cycle <= bound;
        is_possible && self.shortest(source, &self.before[usize::from(source)], bound).is_some()
    }

    /// The inferences until something `wanted` is on, with `source` on at first and one more step at the end.
    fn shortest(&self, source: u16, wanted: &CandidateSet, bound: u32) -> Option<u32> {
        let mut seen = CandidateSet::new();
        seen.insert(source);
        let mut front = self.step[usize::from(source)].without(&seen);
        let mut complexity = 4;
        while !front.is_empty() && complexity <= bound {
            if front.meets(wanted) {
                return Some(complexity);
            }
            front = self.next(&front, &mut seen);
            complexity += 2;
        }
        None
    }

    /// The shortest way from `source` off to `source` on.
    pub fn way_from_off(&self, source: u16, strong: &StrongLinks, bound: u32) -> Option<u32> {
        let mut seen = CandidateSet::new();
        let mut front = CandidateSet::new();
        strong.of(source).iter().for_each(|&(target, _)| front.insert(target));
        let mut steps = 1;
        while !front.is_empty() && 2 * steps + 2 <= bound {
            if front.meets(&self.before[usize::from(source)]) {
                return Some(2 * steps + 2);
            }
            front = self.next(&front, &mut seen);
            steps += 1;
        }
        None
    }

    /// What is on one step after the front.
    fn next(&self, front: &CandidateSet, seen: &mut CandidateSet) -> CandidateSet {
        seen.add_all(front);
        let mut next = CandidateSet::new();
        front.iter().for_each(|candidate| next.add_all(&self.step[usize::from(candidate)]));
        next.without(seen)
    }

    /// Could a chain or cycle rest on the strong link between two candidates? If not, it adds nothing to a position
    /// without chains.
    pub fn matters(&self, one: u16, other: u16) -> bool {
        let [(on, off), (other_on, other_off)] = [one, other].map(|source| self.closure(source));
        let mut others = on;
        others.keep_only(&self.weak[usize::from(other)]);
        // The candidate itself is linked to the other one.
        others.iter().any(|candidate| candidate != one)
            || off.meets(&other_off)
            || on.meets(&other_on)
    }

    /// All that is on and off when a candidate is on.
    fn closure(&self, source: u16) -> (CandidateSet, CandidateSet) {
        let (mut on, mut off) = (CandidateSet::new(), CandidateSet::new());
        let mut front = CandidateSet::new();
        front.insert(source);
        while !front.is_empty() {
            front.iter().for_each(|candidate| off.add_all(&self.weak[usize::from(candidate)]));
            front = self.next(&front, &mut on);
        }
        (on, off)
    }
}
