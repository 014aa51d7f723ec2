//! Which candidates cannot both be true: one bit for each pair, kept from step to step.
//!
//! A candidate is refuted by a single split if some cell or house has no candidate left that goes together with it. So it
//! is enough to know the pairs, and a pair says the same whichever of the two is supposed first: half the work. What was
//! refuted once stays refuted, and what was not is looked at again only where a candidate has gone that it still had: the
//! state of each pair is kept. That takes most of the time, so it waits as long as the pairs known already show a short way.

use super::plan::Plan;
use super::state::{Mask, Quiet, State};
use super::trace::Trace;
use super::{MOST_PAIRED, Space};
use crate::grid::{Cell, CellSet, Digit};
use crate::limits::{Deadline, Stop};
use crate::logic::board::{Board, Geometry};
use crate::proof::{Candidate, OneOf};

/// Nothing is known of the pair, as one of the two is gone or decided.
const NEVER: u32 = u32::MAX;
/// The two cannot both be true.
const DEAD: u32 = u32::MAX - 1;
/// Nobody has looked at the pair, as neither leaves the other in a small choice.
const UNSEEN: u32 = u32::MAX - 2;

/// Splits of more choices make long trees; pairs that are good for nothing else wait.
const SMALL_CHOICE: usize = 3;

/// The pairs of a position.
pub struct Pairs<D, const W: usize, const S: usize, const C: usize> {
    geometry: &'static Geometry<W>,
    /// The position, nothing followed.
    base: State<D, W, S, C>,
    candidates: Vec<Candidate>,
    /// What follows from each candidate; nothing if it is gone or refuted by itself.
    one: Vec<Option<State<D, W, S, C>>>,
    /// For the pair i < j, at i · n + j: its state among `states`, `DEAD`, `NEVER` or `UNSEEN`.
    two: Vec<u32>,
    states: Vec<State<D, W, S, C>>,
    free: Vec<u32>,
    /// Candidates that have gone since the pairs were last looked at.
    pending: Vec<Candidate>,
    /// For the pair i, j the size of its refutation; 0 if nobody has asked.
    sizes: Vec<u16>,
    quiet: Quiet,
}

/// A candidate, a cell or a house that it leaves nothing, and how long that takes to say.
pub struct Hit {
    pub index: usize,
    pub of: OneOf,
    pub cost: usize,
}

impl<D: Mask, const W: usize, const S: usize, const C: usize> Pairs<D, W, S, C> {
    /// Looks at all pairs of a position; `None` if there are too many.
    pub fn new(board: &Board<W>, deadline: &Deadline<'_>) -> Result<Option<Self>, Stop> {
        let space = Space::<D, W, S, C>::new(board);
        if space.candidates.len() > MOST_PAIRED {
            return Ok(None);
        }
        let one: Vec<_> =
            space.candidates.iter().map(|&candidate| space.supposing(candidate)).collect();
        let n = one.len();
        let mut pairs = Pairs {
            geometry: space.geometry,
            base: space.base,
            candidates: space.candidates,
            one,
            two: vec![UNSEEN; n * n],
            states: Vec::new(),
            free: Vec::new(),
            pending: Vec::new(),
            sizes: vec![0; n * n],
            quiet: Quiet::default(),
        };
        pairs.look_around(&[], deadline)?;
        Ok(Some(pairs))
    }

    /// Looks at all pairs that are not settled, after these candidates have gone.
    fn look_around(&mut self, removed: &[Candidate], deadline: &Deadline<'_>) -> Result<(), Stop> {
        let n = self.candidates.len();
        for i in 0..n {
            if let Some(stop) = deadline.reached() {
                return Err(stop);
            }
            for j in i + 1..n {
                match self.two[i * n + j] {
                    NEVER | DEAD => {}
                    UNSEEN => self.two[i * n + j] = self.look_at(i, j),
                    slot => self.look_again(i, j, slot, removed),
                }
            }
        }
        Ok(())
    }

    /// The position, nothing followed.
    pub fn base(&self) -> &State<D, W, S, C> {
        &self.base
    }

    /// The houses and peers.
    pub fn geometry(&self) -> &'static Geometry<W> {
        self.geometry
    }

    /// The candidates that are still there and refuted by singles alone.
    pub fn refuted_alone(&self) -> Vec<Candidate> {
        let with_state = self.candidates.iter().zip(&self.one);
        let dead =
            with_state.filter(|(candidate, state)| state.is_none() && self.is_open(**candidate));
        dead.map(|(candidate, _)| *candidate).collect()
    }

    fn is_open(&self, candidate: Candidate) -> bool {
        !self.base.is_followed(candidate.cell) && self.base.has(candidate.cell, candidate.digit)
    }

    /// The candidates by number.
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    fn look_at(&mut self, i: usize, j: usize) -> u32 {
        let (Some(with_i), Some(with_j)) = (&self.one[i], &self.one[j]) else { return NEVER };
        let (a, b) = (self.candidates[i], self.candidates[j]);
        if !with_i.has(b.cell, b.digit) || !with_j.has(a.cell, a.digit) {
            return DEAD;
        }
        // What one implies adds nothing to it.
        if with_i.is_followed(b.cell) || with_j.is_followed(a.cell) {
            return NEVER;
        }
        if !with_i.is_in_choice_of(SMALL_CHOICE, self.geometry, b)
            && !with_j.is_in_choice_of(SMALL_CHOICE, self.geometry, a)
        {
            return UNSEEN;
        }
        // The one that implies less has less to add.
        let i_is_larger = with_i.followed_count() >= with_j.followed_count();
        let mut state = if i_is_larger { with_i.clone() } else { with_j.clone() };
        self.quiet.start(if i_is_larger { b } else { a });
        if state.follow(self.geometry, &mut self.quiet).is_err() {
            return DEAD;
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

    /// Follows a position that has lost candidates, each candidate by itself; the pairs wait for [`Pairs::catch_up`].
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
            if let Some(state) = &mut self.one[i]
                && (!alive || !lose(state, &removed, self.geometry, &mut self.quiet))
            {
                self.one[i] = None;
            }
        }
        self.pending.extend(removed);
    }

    /// Looks at all pairs again that have lost a candidate; false if none has.
    pub fn catch_up(&mut self, deadline: &Deadline<'_>) -> Result<bool, Stop> {
        let removed = std::mem::take(&mut self.pending);
        if !removed.is_empty() {
            self.look_around(&removed, deadline)?;
        }
        Ok(!removed.is_empty())
    }

    fn look_again(&mut self, i: usize, j: usize, slot: u32, removed: &[Candidate]) {
        let n = self.candidates.len();
        let (Some(with_i), Some(with_j)) = (&self.one[i], &self.one[j]) else {
            self.two[i * n + j] = NEVER;
            self.free.push(slot);
            return;
        };
        let (a, b) = (self.candidates[i], self.candidates[j]);
        let known = if !with_i.has(b.cell, b.digit) || !with_j.has(a.cell, a.digit) {
            DEAD
        } else if with_i.is_followed(b.cell) || with_j.is_followed(a.cell) {
            NEVER
        } else if lose(&mut self.states[slot as usize], removed, self.geometry, &mut self.quiet) {
            return;
        } else {
            DEAD
        };
        self.two[i * n + j] = known;
        self.free.push(slot);
    }

    fn is_dead(&self, i: usize, j: usize) -> bool {
        let (i, j) = (i.min(j), i.max(j));
        self.two[i * self.candidates.len() + j] == DEAD
    }

    /// All candidates that a single split refutes, the shortest first.
    pub fn hits(&mut self) -> Vec<Hit> {
        let mut hits = Vec::new();
        let n = self.candidates.len();
        for index in 0..n {
            let Some(state) = &self.one[index] else { continue };
            let mut left = state.clone();
            for other in (0..n).filter(|&other| other != index && self.is_dead(index, other)) {
                let Candidate { cell, digit } = self.candidates[other];
                left.strike(cell, digit);
            }
            let found: Vec<OneOf> = emptied(self.geometry, state, &left);
            hits.extend(found.into_iter().map(|of| Hit { index, of, cost: 0 }));
        }
        self.measure(&mut hits);
        hits.sort_by_key(|hit| hit.cost);
        hits
    }

    /// Puts a cost on each hit: the sizes of its branches, each with its share of what is common.
    fn measure(&mut self, hits: &mut [Hit]) {
        let n = self.candidates.len();
        let mut number = vec![usize::MAX; C * S];
        let slot = |candidate: Candidate| candidate.cell.index() * S + candidate.digit.index();
        for (index, &candidate) in self.candidates.iter().enumerate() {
            number[slot(candidate)] = index;
        }
        let root = Trace::new(self.geometry, &self.base);
        // What was supposed last, and a trace in which more is supposed.
        let (mut supposed, mut known, mut trace) = (None, root.clone(), root.clone());
        for hit in hits {
            let Some(state) = &self.one[hit.index] else { continue };
            for choice in choices(self.geometry, state, hit.of) {
                let size = &mut self.sizes[hit.index * n + number[slot(choice)]];
                if *size == 0 {
                    if supposed.replace(hit.index) != Some(hit.index) {
                        known.copy(&root);
                        known.suppose(self.candidates[hit.index]);
                    }
                    trace.copy(&known);
                    *size =
                        trace.suppose(choice).map_or(u16::MAX, |room| trace.size_of(room) as u16);
                }
                hit.cost += usize::from(*size);
            }
        }
    }

    /// The plan of a hit.
    pub fn plan(&self, hit: &Hit) -> Plan {
        let state = self.one[hit.index].as_ref().expect("a hit has a state");
        Plan::split(
            hit.of,
            choices(self.geometry, state, hit.of)
                .into_iter()
                .map(|choice| (choice, Plan::dead()))
                .collect(),
        )
    }
}

/// Takes candidates out of a state that still has them, and follows; false at a contradiction.
fn lose<D: Mask, const W: usize, const S: usize, const C: usize>(
    state: &mut State<D, W, S, C>,
    removed: &[Candidate],
    geometry: &Geometry<W>,
    quiet: &mut Quiet,
) -> bool {
    quiet.clear();
    for &Candidate { cell, digit } in removed {
        if state.has(cell, digit) && state.rule_out(geometry, cell, digit, quiet).is_err() {
            return false;
        }
    }
    state.follow(geometry, quiet).is_ok()
}

/// The cells and houses in which the state has choices and what is left has none.
fn emptied<D: Mask, const W: usize, const S: usize, const C: usize>(
    geometry: &Geometry<W>,
    state: &State<D, W, S, C>,
    left: &State<D, W, S, C>,
) -> Vec<OneOf> {
    let mut found = Vec::new();
    for cell in geometry.order().cells() {
        if left.at(cell).is_empty() && !state.at(cell).is_empty() {
            found.push(OneOf::Cell(cell));
        }
    }
    for digit in geometry.order().digits() {
        for house in 0..geometry.house_count() {
            let cells = geometry.cells(house);
            if !left.places(digit).meets(&cells) && state.places(digit).meets(&cells) {
                found.push(OneOf::House(geometry.house(house), digit));
            }
        }
    }
    found
}

/// The candidates of a cell or a house that a state leaves open.
pub fn choices<D: Mask, const W: usize, const S: usize, const C: usize>(
    geometry: &Geometry<W>,
    state: &State<D, W, S, C>,
    of: OneOf,
) -> Vec<Candidate> {
    let (cells, digits): (CellSet<W>, _) = geometry.crossing(of);
    let all = cells
        .into_iter()
        .flat_map(|cell: Cell| digits.map(move |digit: Digit| Candidate::new(cell, digit)));
    all.filter(|candidate| state.has(candidate.cell, candidate.digit)).collect()
}
