//! A fast check of which candidates can have chains. Only those are then searched link by link.
//!
//! In a chain, a candidate that is on (true) turns another one off (false), which turns the next
//! one on. These two links together are called a *step*. For each candidate, this module stores the
//! set of all candidates that one step turns on. The candidates that are on after 1, 2, 3 … steps
//! are unions of such sets, which are fast to compute.
//!
//! A chain starts at a candidate, its *source*. If one of the unions contains a candidate that the
//! source turns off, then that candidate also turns off the source, because links hold in both
//! directions. There is then a chain from the source being on to the source being off.

use super::board::Board;
use super::candidate_set::CandidateSet;
use super::links::{StrongLinks, WeakLinks};
use super::tables::{CANDIDATES, cells, ones};

/// The links of a position as sets.
pub(super) struct Reach {
    /// The candidates that are on after one step.
    step: Vec<CandidateSet>,
    /// The candidates that are off if the candidate is on.
    weak: Vec<CandidateSet>,
    /// The candidates from which one more step turns the candidate on.
    before: Vec<CandidateSet>,
    present: Vec<u16>,
    /// The number of inferences of the shortest chain from on to off; 0 if there is none.
    to_off: Vec<u32>,
    /// Candidates that may be part of a cycle with removals.
    pub in_cycles: CandidateSet,
    /// The minimum number of inferences of such a cycle.
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

    /// Computes the sets for a position.
    pub fn read(&mut self, board: &Board, weak: &WeakLinks, strong: &StrongLinks, in_cells: bool) {
        self.present.clear();
        for cell in cells(board.empty) {
            self.present.extend(ones(board.digits[cell]).map(|digit| (cell * 9 + digit) as u16));
        }
        for &candidate in &self.present {
            let (mut off, mut step) = (CandidateSet::new(), CandidateSet::new());
            for &other in weak.targets(candidate, in_cells) {
                off.insert(other);
                strong.targets(other).iter().for_each(|&(target, _)| step.insert(target));
            }
            self.weak[usize::from(candidate)] = off;
            self.step[usize::from(candidate)] = step;
        }
        for &candidate in &self.present {
            let mut before = CandidateSet::new();
            for &(other, _) in strong.targets(candidate) {
                before.add_all(&self.weak[usize::from(other)]);
            }
            self.before[usize::from(candidate)] = before;
        }
    }

    /// Searches from every candidate for the shortest chain from on to off, and collects the
    /// candidates that may be part of cycles.
    ///
    /// If a cycle removes a candidate, then this candidate, when it is on, implies along the cycle
    /// that it is off. So only candidates with a chain from on to off can be removed by cycles, and
    /// cycles with removals contain only candidates that follow from such a candidate being on.
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

    /// The number of inferences of the shortest chain from `source` on to `source` off.
    pub fn to_off(&self, source: u16) -> Option<u32> {
        Some(self.to_off[usize::from(source)]).filter(|&complexity| complexity > 0)
    }

    /// Whether `source` may be part of a cycle with removals and at most `bound` inferences.
    pub fn may_cycle(&self, source: u16, bound: u32) -> bool {
        let is_possible = self.in_cycles.has(source) && self.shortest_cycle <= bound;
        is_possible && self.shortest(source, &self.before[usize::from(source)], bound).is_some()
    }

    /// The number of inferences until a candidate of `wanted` is on, starting with `source` on.
    /// Includes the inferences that lead from that candidate back to `source`.
    fn shortest(&self, source: u16, wanted: &CandidateSet, bound: u32) -> Option<u32> {
        let mut seen = CandidateSet::new();
        seen.insert(source);
        let mut front = self.step[usize::from(source)].without(&seen);
        let mut complexity = 4;
        while !front.is_empty() && complexity <= bound {
            if front.intersects(wanted) {
                return Some(complexity);
            }
            front = self.next(&front, &mut seen);
            complexity += 2;
        }
        None
    }

    /// The number of inferences of the shortest chain from `source` off to `source` on.
    pub fn way_from_off(&self, source: u16, strong: &StrongLinks, bound: u32) -> Option<u32> {
        let mut seen = CandidateSet::new();
        let mut front = CandidateSet::new();
        strong.targets(source).iter().for_each(|&(target, _)| front.insert(target));
        let mut steps = 1;
        while !front.is_empty() && 2 * steps + 2 <= bound {
            if front.intersects(&self.before[usize::from(source)]) {
                return Some(2 * steps + 2);
            }
            front = self.next(&front, &mut seen);
            steps += 1;
        }
        None
    }

    /// The new candidates that are on one step after those of `front`.
    fn next(&self, front: &CandidateSet, seen: &mut CandidateSet) -> CandidateSet {
        seen.add_all(front);
        let mut next = CandidateSet::new();
        front.iter().for_each(|candidate| next.add_all(&self.step[usize::from(candidate)]));
        next.without(seen)
    }

    /// Whether a chain or cycle could use the strong link between two candidates. If not, the link
    /// adds nothing to a position without chains.
    pub fn matters(&self, one: u16, other: u16) -> bool {
        let [(on, off), (other_on, other_off)] = [one, other].map(|source| self.closure(source));
        let mut others = on;
        others.keep_only(&self.weak[usize::from(other)]);
        // The candidate itself is linked to the other one.
        others.iter().any(|candidate| candidate != one)
            || off.intersects(&other_off)
            || on.intersects(&other_on)
    }

    /// All candidates that are on and off if a candidate is on.
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
