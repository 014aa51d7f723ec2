//! Chooses givens for a solution and rules, and removes what is not needed.
//!
//! Givens are added where a second solution differs, until no second solution is left, and then
//! removed one by one as long as the solution stays unique. Second solutions are kept: a given or
//! rule that alone excludes one of them is needed, without another proof.

use super::board::Board;
use super::layout::Layout;
use super::{VariantOptions, cages};
use crate::grid::rules::{Constraint, Rules, RulesError};
use crate::grid::{Cell, Digit, DigitSet};
use crate::limits::{Deadline, StopReason};
use crate::random::Random;
use crate::search::rules as search;

/// While givens are added, proofs have this fraction of the nodes: an unfinished proof only means
/// that more givens are added at once.
const SHARE_OF_QUICK_PROOFS: u64 = 10;
/// A quick proof has at least this many nodes.
const FEWEST_NODES: u64 = 50;

pub(super) struct Reduction<'a> {
    options: &'a VariantOptions<'a>,
    deadline: &'a Deadline<'a>,
    board: &'a Board<'a>,
    /// All constraints, active or not.
    all: Rules,
    is_active: Vec<bool>,
    removable: Vec<usize>,
    spare: Vec<usize>,
    /// The active constraints.
    active: Rules,
    pub givens: Vec<Option<Digit>>,
    /// Whether a proof was not finished, so that something may be redundant.
    pub has_unfinished_proof: bool,
    rivals: Vec<Rival>,
}

/// A grid that is not the solution and satisfies rows, columns and regions.
struct Rival {
    grid: Vec<Digit>,
    /// The constraints that it breaks.
    broken: Vec<usize>,
}

enum Proof {
    Unique,
    Rival(Vec<Digit>),
    Unfinished,
}

impl<'a> Reduction<'a> {
    pub fn new(
        base: &Rules,
        layout: Layout,
        board: &'a Board<'a>,
        options: &'a VariantOptions<'a>,
        deadline: &'a Deadline<'a>,
    ) -> Result<Reduction<'a>, RulesError> {
        let mut all = base.clone();
        let first = base.constraints().len() + layout.fixed.len();
        let spare_from = first + layout.removable.len();
        let end = spare_from + layout.spare.len();
        all.extend(layout.fixed.into_iter().chain(layout.removable).chain(layout.spare))?;
        let is_active: Vec<bool> = (0..end).map(|index| index < spare_from).collect();
        let active = all.restricted_to(|index| is_active[index]);
        Ok(Reduction {
            options,
            deadline,
            board,
            all,
            is_active,
            removable: (first..spare_from).collect(),
            spare: (spare_from..end).collect(),
            active,
            givens: vec![None; board.solution.len()],
            has_unfinished_proof: false,
            rivals: Vec::new(),
        })
    }

    /// The active constraints in the order in which they were added.
    pub fn constraints(&self) -> impl Iterator<Item = &Constraint> {
        let constraints = self.all.constraints().iter().zip(&self.is_active);
        constraints.filter(|(_, is_active)| **is_active).map(|(constraint, _)| constraint)
    }

    pub fn given_count(&self) -> usize {
        self.givens.iter().flatten().count()
    }

    /// Adds givens until the solution is unique. Uses spare constraints instead of more than `most`
    /// givens as long as there are any.
    pub fn add_givens(&mut self, most: usize, random: &mut Random) -> Result<(), StopReason> {
        loop {
            let is_limited = self.given_count() >= most;
            let nodes = if is_limited {
                self.options.nodes_per_proof
            } else {
                (self.options.nodes_per_proof / SHARE_OF_QUICK_PROOFS).max(FEWEST_NODES)
            };
            let rival = match self.prove(&self.active, nodes)? {
                Proof::Unique => return Ok(()),
                Proof::Rival(grid) => Some(grid),
                Proof::Unfinished => None,
            };
            if is_limited && self.strengthen(rival.as_deref(), random) {
                self.note(rival);
                continue;
            }
            let solution = self.board.solution;
            let differs = |cell: &usize| match &rival {
                Some(grid) => grid[*cell] != solution[*cell],
                None => self.givens[*cell].is_none(),
            };
            let mut cells: Vec<usize> = (0..solution.len()).filter(differs).collect();
            random.shuffle(&mut cells);
            for &cell in &cells[..cells.len().div_ceil(12)] {
                self.givens[cell] = Some(solution[cell]);
            }
            self.note(rival);
        }
    }

    /// Adds random givens until there are `count`.
    pub fn fill_up(&mut self, count: usize, random: &mut Random) {
        let mut empty: Vec<usize> =
            (0..self.givens.len()).filter(|&cell| self.givens[cell].is_none()).collect();
        random.shuffle(&mut empty);
        for cell in empty.into_iter().take(count.saturating_sub(self.given_count())) {
            self.givens[cell] = Some(self.board.solution[cell]);
        }
    }

    /// Removes givens that are not needed, as long as there are more than `least`.
    pub fn remove_givens(&mut self, least: usize, random: &mut Random) -> Result<(), StopReason> {
        let mut cells: Vec<usize> =
            (0..self.givens.len()).filter(|&cell| self.givens[cell].is_some()).collect();
        random.shuffle(&mut cells);
        for cell in cells {
            if self.given_count() <= least {
                break;
            }
            if self.rivals.iter().any(|rival| self.is_excluded_only_by_given(rival, cell)) {
                continue;
            }
            let digit = self.givens[cell].take().expect("the cell has a given");
            // Another solution must have another digit here.
            let digits = DigitSet::up_to(self.board.side) - DigitSet::from_digit(digit);
            let mut rules = self.active.clone();
            rules
                .push(Constraint::Candidates { cell: Cell::new(cell), digits })
                .expect("the cell and the digits are inside the grid");
            match self.prove(&rules, self.options.nodes_per_proof)? {
                Proof::Unique => {}
                Proof::Rival(_) => self.givens[cell] = Some(digit),
                Proof::Unfinished => {
                    self.givens[cell] = Some(digit);
                    self.has_unfinished_proof = true;
                }
            }
        }
        Ok(())
    }

    /// Removes constraints that are not needed.
    pub fn remove_constraints(&mut self, random: &mut Random) -> Result<(), StopReason> {
        let mut indices = self.removable.clone();
        indices.retain(|&index| self.is_active[index]);
        random.shuffle(&mut indices);
        for index in indices {
            let is_needed = |rival: &Rival| {
                let mut broken = rival.broken.iter().filter(|&&other| self.is_active[other]);
                broken.all(|&other| other == index) && self.agrees_with_givens(rival, None)
            };
            if self.rivals.iter().any(is_needed) {
                continue;
            }
            self.is_active[index] = false;
            let fewer = self.all.restricted_to(|index| self.is_active[index]);
            match self.prove(&fewer, self.options.nodes_per_proof)? {
                Proof::Unique => self.active = fewer,
                Proof::Rival(grid) => {
                    self.is_active[index] = true;
                    self.note(Some(grid));
                }
                Proof::Unfinished => {
                    self.is_active[index] = true;
                    self.has_unfinished_proof = true;
                }
            }
        }
        Ok(())
    }

    /// Whether a rival satisfies everything but this given.
    fn is_excluded_only_by_given(&self, rival: &Rival, cell: usize) -> bool {
        rival.broken.iter().all(|&index| !self.is_active[index])
            && self.agrees_with_givens(rival, Some(cell))
    }

    fn agrees_with_givens(&self, rival: &Rival, except: Option<usize>) -> bool {
        let givens = self.givens.iter().zip(&rival.grid).enumerate();
        let mut other = givens.filter(|(cell, _)| Some(*cell) != except);
        other.all(|(_, (given, digit))| given.is_none_or(|given| given == *digit))
    }

    fn note(&mut self, rival: Option<Vec<Digit>>) {
        self.rivals.extend(rival.map(|grid| Rival { broken: self.all.broken_by(&grid), grid }));
    }

    /// Activates a constraint that excludes the rival, or divides a cage so that its parts exclude
    /// it. Returns false if there is none.
    fn strengthen(&mut self, rival: Option<&[Digit]>, random: &mut Random) -> bool {
        let broken = rival.map(|grid| self.all.broken_by(grid));
        let mut spare: Vec<usize> =
            self.spare.iter().copied().filter(|&index| !self.is_active[index]).collect();
        spare.retain(|index| broken.as_ref().is_none_or(|broken| broken.contains(index)));
        if let Some(&index) = random.pick(&spare) {
            self.is_active[index] = true;
            self.removable.push(index);
        } else if !self.divide_cage(rival, random) {
            return false;
        }
        self.active = self.all.restricted_to(|index| self.is_active[index]);
        true
    }

    fn divide_cage(&mut self, rival: Option<&[Digit]>, random: &mut Random) -> bool {
        let sum_of = |cells: &[Cell]| -> u32 {
            // Without a rival, every division has other sums.
            let number = |cell: &Cell| rival.map_or(0, |grid| grid[cell.index()].number().into());
            cells.iter().map(number).sum()
        };
        let smallest = *self.options.cage_sizes.start();
        let mut order: Vec<usize> = (0..self.is_active.len()).collect();
        order.retain(|&index| self.is_active[index]);
        random.shuffle(&mut order);
        for index in order {
            let Constraint::Cage { cells, .. } = &self.all.constraints()[index] else { continue };
            let parts = cages::split(self.board, cells, sum_of, smallest, random);
            let Some(parts) = parts else { continue };
            let cages = parts.map(|cells| cages::cage(self.board, cells));
            self.all.extend(cages).expect("the parts of a cage are cages");
            self.is_active[index] = false;
            for new in self.is_active.len()..self.all.constraints().len() {
                self.is_active.push(true);
                self.removable.push(new);
            }
            // Known rivals may break the new cages.
            for rival in &mut self.rivals {
                rival.broken = self.all.broken_by(&rival.grid);
            }
            return true;
        }
        false
    }

    /// Searches for a solution of the rules and the givens that differs from the solution.
    fn prove(&self, rules: &Rules, nodes: u64) -> Result<Proof, StopReason> {
        let limits = self.deadline.limits(Some(nodes));
        let found = search::solve(rules, &self.givens, 2, &limits);
        let rival = found.solutions.into_iter().find(|grid| grid != self.board.solution);
        match (rival, found.effort.stop) {
            (Some(grid), _) => Ok(Proof::Rival(grid)),
            (None, None) => Ok(Proof::Unique),
            (None, Some(StopReason::Nodes)) => Ok(Proof::Unfinished),
            (None, Some(stop)) => Err(stop),
        }
    }
}
