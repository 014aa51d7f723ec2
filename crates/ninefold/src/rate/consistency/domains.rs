//! Candidate domains of all cells and the propagation rules of the consistency levels.
//!
//! Propagation works on two lists: cells with one remaining digit, and houses in which a cell has
//! lost a candidate. Propagation ends when both are empty. Every method leaves them empty unless a
//! cell has no candidates left.

use crate::grid::{Candidates, Cell, DigitSet, Grid, House, Order};
use crate::limits::{Deadline, Pulse};

/// How the rule of a house is modelled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Model {
    /// Any two cells of a house differ.
    Plain,
    /// All cells of a house differ at once.
    Global,
}

/// A contradiction: a cell without candidates, or a house that cannot be filled.
pub(super) struct Empty;

/// The candidates of each cell. A filled cell has one.
#[derive(Clone)]
pub(super) struct Domains<'a> {
    order: Order,
    sets: Box<[u64]>,
    /// Cells with one digit that has not been removed from their peers yet.
    fixed: Vec<Cell>,
    /// Houses to propagate: one bit per row, column and box.
    touched: [u64; 3],
    /// Digits of solutions found so far. No sound rule can remove them.
    proven: Box<[u64]>,
    /// The time limit of trials.
    pulse: Pulse<'a>,
}

impl<'a> Domains<'a> {
    pub(super) fn new(puzzle: &Grid) -> Domains<'a> {
        let order = puzzle.order();
        let all = order.digits().bits();
        let sets: Box<[u64]> = order
            .cells()
            .map(|cell| puzzle[cell].map_or(all, |digit| DigitSet::from_digit(digit).bits()))
            .collect();
        Domains {
            order,
            fixed: puzzle.clues().map(|(cell, _)| cell).collect(),
            touched: [all; 3],
            proven: vec![0; sets.len()].into(),
            sets,
            pulse: Pulse::default(),
        }
    }

    /// The domains of a position with candidates.
    pub(super) fn from_candidates(candidates: &Candidates) -> Domains<'a> {
        let mut domains = Domains::new(candidates.grid());
        for cell in candidates.grid().empty_cells() {
            domains.sets[cell.index()] = candidates.at(cell).bits();
        }
        domains
    }

    /// Sets the deadline of trials.
    pub(super) fn with_deadline(self, deadline: Deadline<'a>) -> Domains<'a> {
        Domains { pulse: Pulse::new(deadline), ..self }
    }

    pub(super) fn at(&self, cell: Cell) -> DigitSet {
        DigitSet::from_bits(self.sets[cell.index()])
    }

    pub(super) fn are_solved(&self) -> bool {
        self.sets.iter().all(|set| set.is_power_of_two())
    }

    /// Removes the candidates that `other` does not have.
    pub(super) fn keep_only(&mut self, other: &Domains) -> Result<(), Empty> {
        for (proven, &others) in self.proven.iter_mut().zip(&other.proven) {
            *proven |= others;
        }
        self.order.cells().try_for_each(|cell| self.remove(cell, !other.sets[cell.index()]))
    }

    /// AC in the plain model, GAC in the global one.
    pub(super) fn propagate(&mut self, model: Model) -> Result<(), Empty> {
        loop {
            while let Some(cell) = self.fixed.pop() {
                let digit = self.sets[cell.index()];
                for &peer in self.order.peers_of(cell) {
                    self.remove(peer, digit)?;
                }
            }
            if model == Model::Plain {
                return Ok(());
            }
            let Some(house) = self.next_touched() else { return Ok(()) };
            self.all_different(house)?;
        }
    }

    /// S(G)AC for depth 1: removes each candidate that leads to a contradiction. For depth 2 and
    /// more, trials use the singleton consistency of one depth less.
    pub(super) fn singleton(&mut self, model: Model, depth: usize) -> Result<(), Empty> {
        if depth == 0 {
            return self.propagate(model);
        }
        self.singleton(model, depth - 1)?;
        let mut trial = self.clone();
        let mut unchanged = 0;
        // Visit all cells until a complete round changes nothing.
        for cell in self.order.cells().cycle() {
            if unchanged == self.sets.len() || self.pulse.stopped().is_some() {
                break;
            }
            unchanged += 1;
            for digit in self.doubtful(cell) {
                if self.sets[cell.index()] & digit == 0 || self.sets[cell.index()] == digit {
                    continue; // The trial of an earlier digit of this cell has decided this one.
                }
                trial.become_copy_with(self, cell, digit);
                if trial.singleton(model, depth - 1).is_err() {
                    self.remove(cell, digit)?;
                    self.singleton(model, depth - 1)?;
                    unchanged = 0;
                } else {
                    self.learn_from(&trial);
                }
            }
        }
        Ok(())
    }

    /// PO(G)AC: also removes candidates that every digit of some cell removes.
    pub(super) fn partition_one(&mut self, model: Model) -> Result<(), Empty> {
        self.singleton(model, 1)?;
        let mut trial = self.clone();
        let mut possible = vec![0; self.sets.len()];
        let mut unchanged = 0;
        for cell in self.order.cells().cycle() {
            if unchanged == self.sets.len() || self.pulse.stopped().is_some() {
                break;
            }
            unchanged += 1;
            if self.sets[cell.index()].is_power_of_two() {
                continue;
            }
            possible.fill(0);
            for digit in bits(self.sets[cell.index()]) {
                trial.become_copy_with(self, cell, digit);
                if trial.propagate(model).is_ok() {
                    possible.iter_mut().zip(&trial.sets).for_each(|(union, &set)| *union |= set);
                }
            }
            let before: u32 = self.sets.iter().map(|set| set.count_ones()).sum();
            for other in self.order.cells() {
                self.remove(other, !possible[other.index()])?;
            }
            self.propagate(model)?;
            if self.sets.iter().map(|set| set.count_ones()).sum::<u32>() < before {
                unchanged = 0;
            }
        }
        Ok(())
    }

    /// BiS(G)AC: also removes a candidate if removing all candidates that would remove it leads to
    /// a contradiction.
    pub(super) fn bidirectional(&mut self, model: Model) -> Result<(), Empty> {
        loop {
            self.singleton(model, 1)?;
            let outcomes = self.outcomes(model);
            let mut changed = false;
            for cell in self.order.cells() {
                if self.pulse.stopped().is_some() {
                    return Ok(());
                }
                for digit in self.doubtful(cell) {
                    let mut world = self.clone();
                    let fits = world
                        .remove_opponents(cell, digit, &outcomes)
                        .and_then(|()| world.propagate(model));
                    if fits.is_err() {
                        self.remove(cell, digit)?;
                        self.propagate(model)?;
                        changed = true;
                    }
                }
            }
            if !changed {
                return Ok(());
            }
        }
    }

    /// The domains after assuming each candidate of each open cell. Contradictions are left out.
    fn outcomes(&self, model: Model) -> Vec<(Cell, u64, Box<[u64]>)> {
        let open = self.order.cells().filter(|cell| !self.sets[cell.index()].is_power_of_two());
        let pairs =
            open.flat_map(|cell| bits(self.sets[cell.index()]).map(move |digit| (cell, digit)));
        pairs
            .filter_map(|(cell, digit)| {
                let mut trial = self.clone();
                trial.become_copy_with(self, cell, digit);
                trial.propagate(model).is_ok().then_some((cell, digit, trial.sets))
            })
            .collect()
    }

    /// Removes every candidate that would remove `digit` from `cell`.
    fn remove_opponents(
        &mut self,
        cell: Cell,
        digit: u64,
        outcomes: &[(Cell, u64, Box<[u64]>)],
    ) -> Result<(), Empty> {
        outcomes
            .iter()
            .filter(|(_, _, sets)| sets[cell.index()] & digit == 0)
            .try_for_each(|&(other, others_digit, _)| self.remove(other, others_digit))
    }

    /// The candidates of an open cell that are not in any solution found so far.
    fn doubtful(&self, cell: Cell) -> impl Iterator<Item = u64> + use<> {
        let set = self.sets[cell.index()];
        bits(if set.is_power_of_two() { 0 } else { set & !self.proven[cell.index()] })
    }

    /// Copies `base` and assumes one digit, ready to propagate.
    fn become_copy_with(&mut self, base: &Domains, cell: Cell, digit: u64) {
        self.sets.copy_from_slice(&base.sets);
        // Solutions found outside of the trial may not contain the assumed digit.
        self.proven.fill(0);
        self.fixed.clear();
        self.fixed.push(cell);
        self.touched = [0; 3];
        self.sets[cell.index()] = digit;
        self.touch(cell);
    }

    fn learn_from(&mut self, trial: &Domains) {
        let found = if trial.are_solved() { &trial.sets } else { &trial.proven };
        self.proven.iter_mut().zip(found).for_each(|(proven, &set)| *proven |= set);
    }

    fn remove(&mut self, cell: Cell, digits: u64) -> Result<(), Empty> {
        let set = self.sets[cell.index()];
        if set & digits == 0 {
            return Ok(());
        }
        let left = set & !digits;
        self.sets[cell.index()] = left;
        if left == 0 {
            return Err(Empty);
        }
        if left.is_power_of_two() {
            self.fixed.push(cell);
        }
        self.touch(cell);
        Ok(())
    }

    fn touch(&mut self, cell: Cell) {
        self.touched[0] |= 1 << self.order.row_of(cell);
        self.touched[1] |= 1 << self.order.column_of(cell);
        self.touched[2] |= 1 << self.order.box_of(cell);
    }

    fn next_touched(&mut self) -> Option<House> {
        let kinds = [House::Row, House::Column, House::Box];
        for (touched, house) in self.touched.iter_mut().zip(kinds) {
            if *touched != 0 {
                let number = touched.trailing_zeros() as u8;
                *touched &= *touched - 1;
                return Some(house(number));
            }
        }
        None
    }

    /// Removes every candidate that no way to fill the house uses, after Régin (1994).
    ///
    /// The method first finds one filling. Other fillings differ from it by cycles: a cell passes
    /// its digit to a second cell, which passes its own to a third, and so on back to the first. A
    /// candidate is therefore possible if it is in the first filling or on a cycle, that is, if the
    /// cell that loses the digit can start a chain of moves that ends at the digit given up.
    fn all_different(&mut self, house: House) -> Result<(), Empty> {
        let cells = self.order.cells_in(house);
        let mut open = [0u8; Order::MAX_SIDE];
        let mut count = 0;
        for (place, cell) in cells.iter().enumerate() {
            if !self.sets[cell.index()].is_power_of_two() {
                open[count] = place as u8;
                count += 1;
            }
        }
        let open = &open[..count];
        if count < 2 {
            return Ok(());
        }
        let sets = |place: u8| self.sets[cells[usize::from(place)].index()];
        let mut filling = Filling { holder: [NONE; Order::MAX_SIDE] };
        for &place in open {
            if !filling.assign(place, &sets, &mut 0) {
                return Err(Empty);
            }
        }
        // reach[d]: the digits that the place of d can take instead, directly or by a chain of
        // moves.
        let mut reach = [0u64; Order::MAX_SIDE];
        let mut taken = 0u64;
        let mut own_digits = [0usize; Order::MAX_SIDE];
        for (digit, &place) in filling.holder.iter().enumerate().take(self.order.side()) {
            if place != NONE {
                reach[digit] = sets(place) | 1 << digit;
                taken |= 1 << digit;
                own_digits[usize::from(place)] = digit;
            }
        }
        for between in indices(taken) {
            let through = reach[between];
            for from in indices(taken) {
                if reach[from] >> between & 1 == 1 {
                    reach[from] |= through;
                }
            }
        }
        for &place in open {
            let own = own_digits[usize::from(place)];
            let cell = cells[usize::from(place)];
            let usable = indices(self.sets[cell.index()])
                .filter(|&digit| reach[digit] >> own & 1 == 1)
                .fold(0, |set, digit| set | 1u64 << digit);
            self.remove(cell, !usable)?;
        }
        Ok(())
    }
}

const NONE: u8 = u8::MAX;

/// A filling of a house: the place of each digit.
struct Filling {
    holder: [u8; Order::MAX_SIDE],
}

impl Filling {
    /// Assigns a digit to a place and moves others if necessary. `tried` contains the digits that
    /// were tried.
    fn assign(&mut self, place: u8, sets: &impl Fn(u8) -> u64, tried: &mut u64) -> bool {
        let set = sets(place);
        if let Some(free) = indices(set).find(|&digit| self.holder[digit] == NONE) {
            self.holder[free] = place;
            return true;
        }
        loop {
            let digit = match set & !*tried {
                0 => return false,
                left => left.trailing_zeros() as usize,
            };
            *tried |= 1 << digit;
            if self.assign(self.holder[digit], sets, tried) {
                self.holder[digit] = place;
                return true;
            }
        }
    }
}

/// The single bits of a set, lowest first.
fn bits(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

fn indices(set: u64) -> impl Iterator<Item = usize> {
    bits(set).map(|bit| bit.trailing_zeros() as usize)
}
