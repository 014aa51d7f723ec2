//! Clue removal for one puzzle, without the solver.
//!
//! [`ClueRemover`] proposes puzzles with fewer clues, and the caller answers whether each proposal
//! is allowed. Because it does not call a solver itself, a batch solver can answer the proposals of
//! many puzzles together. The resulting puzzle does not depend on who answers.
//!
//! Clues are removed in groups, in random order. A group contains the clues that a symmetric
//! pattern only allows to be removed together, or a single clue if no symmetry is required. While
//! most clues are still removable, several groups are proposed at once: if the puzzle without all
//! of them has one solution, then so do all puzzles without only some of them. Otherwise bisection
//! finds the first group that must stay. The result is the same as with one group at a time, but
//! with half the proposals: 43 instead of 81 for a minimal 9×9 puzzle.

use super::GeneratedPuzzle;
use crate::grid::{Cell, Grid};
use crate::random::Random;
use crate::search::UnfinishedError;

/// Whether the proposed clues can be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Allowed,
    /// There would be a second solution, or the puzzle would be too hard.
    Rejected,
    /// The proof was not finished, so the clues stay, although they may be redundant. If several
    /// clues were proposed at once, bisection finds the first one whose proof cannot be finished.
    Unknown,
}

impl Answer {
    /// Converts the result of a uniqueness proof.
    pub(super) fn from_proof(proof: &Result<bool, UnfinishedError>) -> Answer {
        match proof {
            Ok(true) => Answer::Allowed,
            Ok(false) => Answer::Rejected,
            Err(_) => Answer::Unknown,
        }
    }
}

pub(super) struct ClueRemover<'a> {
    solution: Grid,
    /// The current puzzle without the proposed clues.
    puzzle: Grid,
    /// The number of clues when the last proposal was answered.
    clues: usize,
    /// Cells that are either all clues or all empty.
    groups: &'a [Vec<Cell>],
    /// Groups that have not been tried; the last one is next.
    waiting: Vec<u16>,
    /// Whether several groups can be proposed at once. This is wrong if a puzzle can be rejected
    /// and one with fewer clues allowed.
    is_monotone: bool,
    /// At least one of the next N groups must stay.
    one_stays_within: Option<usize>,
    /// The minimum number of clues.
    floor: usize,
    /// The number of groups in the pending proposal, or 0.
    proposed: usize,
}

impl ClueRemover<'_> {
    /// Starts with a complete grid and removes clues until at least `floor` are left.
    pub(super) fn new<'a>(
        solution: &Grid,
        groups: &'a [Vec<Cell>],
        floor: usize,
        is_monotone: bool,
        random: &mut Random,
    ) -> ClueRemover<'a> {
        let mut waiting: Vec<u16> = (0..groups.len() as u16).collect();
        random.shuffle(&mut waiting);
        let start = GeneratedPuzzle { puzzle: solution.clone(), solution: solution.clone() };
        ClueRemover::resume(&start, groups, floor, is_monotone, waiting)
    }

    /// Continues with a puzzle. `waiting` contains the groups to try, the last one first.
    pub(super) fn resume<'a>(
        start: &GeneratedPuzzle,
        groups: &'a [Vec<Cell>],
        floor: usize,
        is_monotone: bool,
        waiting: Vec<u16>,
    ) -> ClueRemover<'a> {
        let GeneratedPuzzle { puzzle, solution } = start.clone();
        let clues = puzzle.clue_count();
        ClueRemover {
            solution,
            puzzle,
            clues,
            groups,
            waiting,
            is_monotone,
            one_stays_within: None,
            floor,
            proposed: 0,
        }
    }

    /// The current puzzle. There must be no pending proposal.
    pub(super) fn puzzle(&self) -> &Grid {
        debug_assert_eq!(self.proposed, 0, "a proposal is pending");
        &self.puzzle
    }

    /// The current puzzle and its solution.
    pub(super) fn into_generated(self) -> GeneratedPuzzle {
        GeneratedPuzzle { puzzle: self.puzzle, solution: self.solution }
    }

    /// The number of clues when the last proposal was answered.
    pub(super) fn clue_count(&self) -> usize {
        self.clues
    }

    /// The next puzzle to test, or `None` if no group is left.
    pub(super) fn propose(&mut self) -> Option<&Grid> {
        let groups = self.groups;
        let size_of = |group: u16| groups[usize::from(group)].len();
        if self.proposed == 0 {
            // Skip groups whose removal would go below the floor.
            while self.waiting.pop_if(|group| self.clues < self.floor + size_of(*group)).is_some() {
                self.one_stays_within = None;
            }
            let mut clues = self.clues;
            for &group in self.waiting.iter().rev().take(self.stride()) {
                if clues < self.floor + size_of(group) {
                    break;
                }
                clues -= size_of(group);
                self.proposed += 1;
                for &cell in &groups[usize::from(group)] {
                    self.puzzle.set(cell, None);
                }
            }
        }
        (self.proposed > 0).then_some(&self.puzzle)
    }

    /// The cells of the proposed clues.
    pub(super) fn proposed_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let proposed = &self.waiting[self.waiting.len() - self.proposed..];
        proposed.iter().flat_map(|&group| self.groups[usize::from(group)].iter().copied())
    }

    pub(super) fn solution(&self) -> &Grid {
        &self.solution
    }

    /// Applies the answer to the pending proposal.
    pub(super) fn answer(&mut self, answer: Answer) {
        let taken = std::mem::take(&mut self.proposed);
        let groups = self.groups;
        let proposed = self.waiting.len() - taken..;
        let known = self.one_stays_within.take();
        if answer == Answer::Allowed {
            let gone: usize =
                self.waiting.drain(proposed).map(|group| groups[usize::from(group)].len()).sum();
            self.clues -= gone;
            self.one_stays_within = known.map(|within| within - taken);
        } else {
            for &cell in
                self.waiting[proposed].iter().flat_map(|&group| &groups[usize::from(group)])
            {
                self.puzzle.set(cell, self.solution[cell]);
            }
            self.one_stays_within = Some(taken);
        }
        if self.one_stays_within == Some(1) {
            self.one_stays_within = None;
            self.waiting.pop();
        }
    }

    /// The number of groups to propose at once: half of the groups of which one must stay, or a
    /// number that is allowed about every second time.
    fn stride(&self) -> usize {
        if !self.is_monotone {
            return 1;
        }
        if let Some(within) = self.one_stays_within {
            return within / 2;
        }
        let cells = self.puzzle.order().cell_count();
        let share_of_cells = match self.clues * 100 / cells {
            61.. => 0.4,
            53.. => 0.1,
            47.. => 0.05,
            42.. => 0.03,
            _ => 0.0,
        };
        let next_group =
            self.waiting.last().map_or(1, |&group| self.groups[usize::from(group)].len());
        ((cells as f64 * share_of_cells) as usize / next_group).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::is_unique;
    use crate::generate::{PatternSymmetry, full};
    use crate::grid::Order;
    use crate::random::Random;

    #[test]
    fn proposing_several_groups_at_once_gives_the_same_puzzle_with_fewer_proposals() {
        let mut random = Random::new(6);
        let groups = PatternSymmetry::None.groups(Order::NINE);
        let (mut proposals, mut single_proposals) = (0, 0);
        for _ in 0..50 {
            let solution = full::random(Order::NINE, &mut random);
            let order_of_groups = random.clone();
            let remove = |is_monotone: bool, proposals: &mut usize| {
                let mut remover = ClueRemover::new(
                    &solution,
                    &groups,
                    0,
                    is_monotone,
                    &mut order_of_groups.clone(),
                );
                while let Some(fewer) = remover.propose() {
                    let answer = Answer::from_proof(&is_unique(fewer));
                    *proposals += 1;
                    remover.answer(answer);
                }
                assert_eq!(remover.clue_count(), remover.puzzle().clue_count());
                remover.puzzle().clone()
            };
            assert_eq!(remove(true, &mut proposals), remove(false, &mut single_proposals));
        }
        assert_eq!(single_proposals, 50 * 81);
        assert!(
            proposals * 3 < single_proposals * 2,
            "{proposals} proposals of several groups, {single_proposals} of single groups"
        );
    }

    #[test]
    fn a_clue_stays_if_the_proof_without_it_is_unfinished() {
        let solution = full::regular(Order::FOUR);
        let groups = PatternSymmetry::None.groups(Order::FOUR);
        let kept = Order::FOUR.cell(2, 1);
        for is_monotone in [true, false] {
            let mut remover =
                ClueRemover::new(&solution, &groups, 0, is_monotone, &mut Random::new(2));
            while let Some(fewer) = remover.propose() {
                let answer = if fewer[kept].is_none() { Answer::Unknown } else { Answer::Allowed };
                remover.answer(answer);
            }
            let clues: Vec<Cell> = remover.puzzle().clues().map(|(cell, _)| cell).collect();
            assert_eq!(clues, [kept]);
        }
    }

    #[test]
    fn never_goes_below_the_floor() {
        let solution = full::regular(Order::NINE);
        let groups = PatternSymmetry::Full.groups(Order::NINE);
        let mut remover = ClueRemover::new(&solution, &groups, 70, true, &mut Random::new(1));
        while remover.propose().is_some() {
            remover.answer(Answer::Allowed);
        }
        assert!((70..78).contains(&remover.clue_count()), "{}", remover.clue_count());
    }
}
