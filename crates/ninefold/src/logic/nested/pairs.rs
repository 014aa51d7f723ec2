//! Table of candidate pairs that cannot both be true, updated from step to step.
//!
//! A single split (trying all candidates of a cell, or all places of a digit in a house) refutes a
//! candidate if none of the choices is compatible with it. So it is enough to know the compatible
//! pairs. Compatibility is symmetric, which halves the work. Refuted pairs stay refuted. The other
//! pairs keep their state and are tested again only if one of their candidates was removed. These
//! tests take most of the time, so they are postponed as long as the known pairs already provide a
//! short refutation.

use super::plan::Plan;
use super::state::{Mask, Queue, State};
use super::trace::Trace;
use super::{MAX_CANDIDATES_FOR_PAIRS, SearchSpace};
use crate::grid::{Cell, CellSet, Digit};
use crate::limits::{Deadline, StopReason};
use crate::logic::board::{Board, Geometry};
use crate::proof::{Candidate, OneOf};

/// The pair is not used, because one of its candidates is removed or decided.
const IRRELEVANT: u32 = u32::MAX;
/// The two cannot both be true.
const INCOMPATIBLE: u32 = u32::MAX - 1;
/// The pair is not tested yet, because neither candidate leaves the other in a small choice.
const UNTESTED: u32 = u32::MAX - 2;

/// Splits with more choices produce long trees. Pairs that are only useful for such splits are
/// postponed.
const SMALL_CHOICE: usize = 3;

pub struct Pairs<D, const W: usize, const S: usize, const C: usize> {
    geometry: &'static Geometry<W>,
    /// Position before any singles were followed.
    base: State<D, W, S, C>,
    candidates: Vec<Candidate>,
    /// State after assuming each candidate; `None` if it is removed or refuted by singles.
    single_states: Vec<Option<State<D, W, S, C>>>,
    /// For the pair i < j, at i · n + j: its index in `states`, or `INCOMPATIBLE`, `IRRELEVANT` or
    /// `UNTESTED`.
    pair_status: Vec<u32>,
    states: Vec<State<D, W, S, C>>,
    free: Vec<u32>,
    /// Candidates that were removed since the pairs were last tested.
    pending: Vec<Candidate>,
    /// Size of the refutation of the pair i, j; 0 if not computed yet.
    sizes: Vec<u16>,
    queue: Queue,
}

/// Refuted candidate, the cell or house that it leaves without a choice, and the estimated length
/// of the proof.
pub struct Refutation {
    pub index: usize,
    pub of: OneOf,
    pub cost: usize,
}

impl<D: Mask, const W: usize, const S: usize, const C: usize> Pairs<D, W, S, C> {
    /// Tests all pairs of a position. Returns `None` if there are too many.
    pub fn new(board: &Board<W>, deadline: &Deadline<'_>) -> Result<Option<Self>, StopReason> {
        let space = SearchSpace::<D, W, S, C>::new(board);
        if space.candidates.len() > MAX_CANDIDATES_FOR_PAIRS {
            return Ok(None);
        }
        let single_states: Vec<_> =
            space.candidates.iter().map(|&candidate| space.state_after(candidate)).collect();
        let n = single_states.len();
        let mut pairs = Pairs {
            geometry: space.geometry,
            base: space.base,
            candidates: space.candidates,
            single_states,
            pair_status: vec![UNTESTED; n * n],
            states: Vec::new(),
            free: Vec::new(),
            pending: Vec::new(),
            sizes: vec![0; n * n],
            queue: Queue::default(),
        };
        pairs.test_pairs(&[], deadline)?;
        Ok(Some(pairs))
    }

    /// Tests all undecided pairs after these candidates were removed.
    fn test_pairs(
        &mut self,
        removed: &[Candidate],
        deadline: &Deadline<'_>,
    ) -> Result<(), StopReason> {
        let n = self.candidates.len();
        for i in 0..n {
            if let Some(stop) = deadline.reached() {
                return Err(stop);
            }
            for j in i + 1..n {
                match self.pair_status[i * n + j] {
                    IRRELEVANT | INCOMPATIBLE => {}
                    UNTESTED => self.pair_status[i * n + j] = self.test_pair(i, j),
                    slot => self.retest_pair(i, j, slot, removed),
                }
            }
        }
        Ok(())
    }

    /// Returns the position before any singles were followed.
    pub fn base(&self) -> &State<D, W, S, C> {
        &self.base
    }

    pub fn geometry(&self) -> &'static Geometry<W> {
        self.geometry
    }

    /// Returns the remaining candidates that singles alone refute.
    pub fn refuted_by_singles(&self) -> Vec<Candidate> {
        let with_state = self.candidates.iter().zip(&self.single_states);
        let dead =
            with_state.filter(|(candidate, state)| state.is_none() && self.is_open(**candidate));
        dead.map(|(candidate, _)| *candidate).collect()
    }

    fn is_open(&self, candidate: Candidate) -> bool {
        !self.base.is_followed(candidate.cell) && self.base.has(candidate.cell, candidate.digit)
    }

    /// Returns the candidates by index.
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    fn test_pair(&mut self, i: usize, j: usize) -> u32 {
        let (Some(with_i), Some(with_j)) = (&self.single_states[i], &self.single_states[j]) else {
            return IRRELEVANT;
        };
        let (a, b) = (self.candidates[i], self.candidates[j]);
        if !with_i.has(b.cell, b.digit) || !with_j.has(a.cell, a.digit) {
            return INCOMPATIBLE;
        }
        // A candidate that already follows from the other one adds nothing.
        if with_i.is_followed(b.cell) || with_j.is_followed(a.cell) {
            return IRRELEVANT;
        }
        if !with_i.is_in_choice_of(SMALL_CHOICE, self.geometry, b)
            && !with_j.is_in_choice_of(SMALL_CHOICE, self.geometry, a)
        {
            return UNTESTED;
        }
        // Start from the state with more consequences; the other candidate has less to add.
        let i_is_larger = with_i.followed_count() >= with_j.followed_count();
        let mut state = if i_is_larger { with_i.clone() } else { with_j.clone() };
        self.queue.start(if i_is_larger { b } else { a });
        if state.follow(self.geometry, &mut self.queue).is_err() {
            return INCOMPATIBLE;
        }
        match self.free.pop() {
            Some(slot) => {
                self.states[slot as usize] = state;
                slot
            }
            None => {
                self.states.push(state);
                self.states.len() as u32 - 1
            }
        }
    }

    /// Updates the state of each candidate after candidates were removed from the position. The
    /// pairs are updated by [`Pairs::retest_pending`].
    pub fn update(&mut self, board: &Board<W>) {
        let now = State::new(board);
        let gone = |candidate: &Candidate| !now.has(candidate.cell, candidate.digit);
        let all = self.geometry.order().cells();
        let removed: Vec<Candidate> = all
            .flat_map(|cell| self.base.at(cell).map(move |digit| Candidate::new(cell, digit)))
            .filter(|candidate| gone(candidate))
            .collect();
        self.base = now;
        for i in 0..self.candidates.len() {
            let alive = !removed.contains(&self.candidates[i]);
            if let Some(state) = &mut self.single_states[i]
                && (!alive || !remove_candidates(state, &removed, self.geometry, &mut self.queue))
            {
                self.single_states[i] = None;
            }
        }
        self.pending.extend(removed);
    }

    /// Tests all pairs again that lost a candidate. Returns false if there are none.
    pub fn retest_pending(&mut self, deadline: &Deadline<'_>) -> Result<bool, StopReason> {
        let removed = std::mem::take(&mut self.pending);
        if !removed.is_empty() {
            self.test_pairs(&removed, deadline)?;
        }
        Ok(!removed.is_empty())
    }

    fn retest_pair(&mut self, i: usize, j: usize, slot: u32, removed: &[Candidate]) {
        let n = self.candidates.len();
        let (Some(with_i), Some(with_j)) = (&self.single_states[i], &self.single_states[j]) else {
            self.pair_status[i * n + j] = IRRELEVANT;
            self.free.push(slot);
            return;
        };
        let (a, b) = (self.candidates[i], self.candidates[j]);
        let known = if !with_i.has(b.cell, b.digit) || !with_j.has(a.cell, a.digit) {
            INCOMPATIBLE
        } else if with_i.is_followed(b.cell) || with_j.is_followed(a.cell) {
            IRRELEVANT
        } else if remove_candidates(
            &mut self.states[slot as usize],
            removed,
            self.geometry,
            &mut self.queue,
        ) {
            return;
        } else {
            INCOMPATIBLE
        };
        self.pair_status[i * n + j] = known;
        self.free.push(slot);
    }

    fn is_incompatible(&self, i: usize, j: usize) -> bool {
        let (i, j) = (i.min(j), i.max(j));
        self.pair_status[i * self.candidates.len() + j] == INCOMPATIBLE
    }

    /// Returns all candidates that a single split refutes, shortest first.
    pub fn refutations(&mut self) -> Vec<Refutation> {
        let mut refutations = Vec::new();
        let n = self.candidates.len();
        for index in 0..n {
            let Some(state) = &self.single_states[index] else { continue };
            let mut left = state.clone();
            for other in
                (0..n).filter(|&other| other != index && self.is_incompatible(index, other))
            {
                let Candidate { cell, digit } = self.candidates[other];
                left.strike(cell, digit);
            }
            let empty: Vec<OneOf> = emptied(self.geometry, state, &left);
            refutations.extend(empty.into_iter().map(|of| Refutation { index, of, cost: 0 }));
        }
        self.compute_costs(&mut refutations);
        refutations.sort_by_key(|refutation| refutation.cost);
        refutations
    }

    /// Sets the cost of each refutation: the sum of the sizes of its branches, each including the
    /// shared part.
    fn compute_costs(&mut self, refutations: &mut [Refutation]) {
        let n = self.candidates.len();
        let mut number = vec![usize::MAX; C * S];
        let slot = |candidate: Candidate| candidate.cell.index() * S + candidate.digit.index();
        for (index, &candidate) in self.candidates.iter().enumerate() {
            number[slot(candidate)] = index;
        }
        let root = Trace::new(self.geometry, &self.base);
        // The candidate assumed last, its trace, and a trace with one more assumption.
        let (mut last_assumed, mut known, mut trace) = (None, root.clone(), root.clone());
        for refutation in refutations {
            let Some(state) = &self.single_states[refutation.index] else { continue };
            for choice in choices(self.geometry, state, refutation.of) {
                let size = &mut self.sizes[refutation.index * n + number[slot(choice)]];
                if *size == 0 {
                    if last_assumed.replace(refutation.index) != Some(refutation.index) {
                        known.copy(&root);
                        known.assume(self.candidates[refutation.index]);
                    }
                    trace.copy(&known);
                    *size = trace
                        .assume(choice)
                        .map_or(u16::MAX, |constraint| trace.size_of(constraint) as u16);
                }
                refutation.cost += usize::from(*size);
            }
        }
    }

    /// Returns the plan of a refutation.
    pub fn plan(&self, refutation: &Refutation) -> Plan {
        let state =
            self.single_states[refutation.index].as_ref().expect("a refuted candidate has a state");
        Plan::split(
            refutation.of,
            choices(self.geometry, state, refutation.of)
                .into_iter()
                .map(|choice| (choice, Plan::contradiction()))
                .collect(),
        )
    }
}

/// Removes candidates that the state still has and follows the singles. Returns false at a
/// contradiction.
fn remove_candidates<D: Mask, const W: usize, const S: usize, const C: usize>(
    state: &mut State<D, W, S, C>,
    removed: &[Candidate],
    geometry: &Geometry<W>,
    queue: &mut Queue,
) -> bool {
    queue.clear();
    for &Candidate { cell, digit } in removed {
        if state.has(cell, digit) && state.rule_out(geometry, cell, digit, queue).is_err() {
            return false;
        }
    }
    state.follow(geometry, queue).is_ok()
}

/// Returns the cells and houses that have choices in `state` but none in `left`.
fn emptied<D: Mask, const W: usize, const S: usize, const C: usize>(
    geometry: &Geometry<W>,
    state: &State<D, W, S, C>,
    left: &State<D, W, S, C>,
) -> Vec<OneOf> {
    let mut empty = Vec::new();
    for cell in geometry.order().cells() {
        if left.at(cell).is_empty() && !state.at(cell).is_empty() {
            empty.push(OneOf::Cell(cell));
        }
    }
    for digit in geometry.order().digits() {
        for house in 0..geometry.house_count() {
            let cells = geometry.cells(house);
            if !left.places(digit).intersects(&cells) && state.places(digit).intersects(&cells) {
                empty.push(OneOf::House(geometry.house(house), digit));
            }
        }
    }
    empty
}

/// Returns the candidates of a cell or a house that are possible in a state.
pub fn choices<D: Mask, const W: usize, const S: usize, const C: usize>(
    geometry: &Geometry<W>,
    state: &State<D, W, S, C>,
    of: OneOf,
) -> Vec<Candidate> {
    let (cells, digits): (CellSet<W>, _) = geometry.cells_and_digits(of);
    let all = cells
        .into_iter()
        .flat_map(|cell: Cell| digits.map(move |digit: Digit| Candidate::new(cell, digit)));
    all.filter(|candidate| state.has(candidate.cell, candidate.digit)).collect()
}
