//! Cutting: which clues to take away next, and what the answer to the last try means.
//!
//! A cutter proposes puzzles with fewer clues and learns which of them are allowed. It asks no solver itself, so the
//! proposals of many puzzles can be put to a batch solver together, and one puzzle alone can be cut just as well: both
//! ways give the same puzzle.
//!
//! Clues leave in the random order of the groups. While nearly all of them can go, several groups are proposed at
//! once: if the puzzle without all of them has one solution, so has every puzzle on the way there. If not, halving finds
//! the first one that has to stay. So the result is the same as when they go one by one, with half the questions: 43
//! instead of 81 for a minimal 9×9 puzzle.

use super::Made;
use crate::grid::{Cell, Grid};
use crate::random::Random;
use crate::search::Unfinished;

/// The answer to a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The clues may go.
    Allowed,
    /// They may not: there would be a second solution, or the puzzle would be too hard.
    Refused,
    /// The proof was not finished, so they stay, and whether they are needed is not known. Of several clues proposed at
    /// once, halving finds the first one without which no proof was finished.
    Unknown,
}

impl Answer {
    /// The answer that a proof of uniqueness gives.
    pub(super) fn of(proof: &Result<bool, Unfinished>) -> Answer {
        match proof {
            Ok(true) => Answer::Allowed,
            Ok(false) => Answer::Refused,
            Err(_) => Answer::Unknown,
        }
    }
}

pub(super) struct Cutter<'a> {
    solution: Grid,
    /// The puzzle as far as it has been cut, less what is proposed.
    puzzle: Grid,
    /// Clues of the puzzle when the last proposal was answered.
    clues: usize,
    /// Cells that are clues together or empty together.
    groups: &'a [Vec<Cell>],
    /// Groups that have not been tried; the next one is the last.
    waiting: Vec<u16>,
    /// May several groups be proposed at once? Not where a puzzle on the way may be refused and a later one allowed.
    is_monotone: bool,
    /// One of so many groups, counted from the next one, has to stay.
    one_stays_within: Option<usize>,
    /// Fewer clues are not wanted.
    floor: usize,
    /// Groups in the proposal that is not answered yet; 0 if there is none.
    proposed: usize,
}

impl Cutter<'_> {
    /// A cutter of this complete grid that goes down to `floor` clues at most.
    pub(super) fn new<'a>(
        solution: &Grid,
        groups: &'a [Vec<Cell>],
        floor: usize,
        is_monotone: bool,
        random: &mut Random,
    ) -> Cutter<'a> {
        let mut waiting: Vec<u16> = (0..groups.len() as u16).collect();
        random.shuffle(&mut waiting);
        let whole = Made { puzzle: solution.clone(), solution: solution.clone() };
        Cutter::resume(&whole, groups, floor, is_monotone, waiting)
    }

    /// A cutter that goes on with a puzzle: `waiting` are the groups to try, the last one first.
    pub(super) fn resume<'a>(
        made: &Made,
        groups: &'a [Vec<Cell>],
        floor: usize,
        is_monotone: bool,
        waiting: Vec<u16>,
    ) -> Cutter<'a> {
        let Made { puzzle, solution } = made.clone();
        let clues = puzzle.clue_count();
        Cutter {
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

    /// The puzzle as far as it has been cut. No proposal waits for its answer.
    pub(super) fn puzzle(&self) -> &Grid {
        debug_assert_eq!(self.proposed, 0, "a proposal waits for its answer");
        &self.puzzle
    }

    /// The puzzle and the complete grid it was cut from.
    pub(super) fn into_made(self) -> Made {
        Made { puzzle: self.puzzle, solution: self.solution }
    }

    /// How many clues the puzzle has.
    pub(super) fn clue_count(&self) -> usize {
        self.clues
    }

    /// The next puzzle to be tested, or `None` when nothing is left to try.
    pub(super) fn propose(&mut self) -> Option<&Grid> {
        let groups = self.groups;
        let size_of = |group: u16| groups[usize::from(group)].len();
        if self.proposed == 0 {
            // A group that would take too much is passed over.
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

    /// The cells whose clues are proposed to go.
    pub(super) fn proposed_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let proposed = &self.waiting[self.waiting.len() - self.proposed..];
        proposed.iter().flat_map(|&group| self.groups[usize::from(group)].iter().copied())
    }

    /// The complete grid that is cut.
    pub(super) fn solution(&self) -> &Grid {
        &self.solution
    }

    /// Takes the answer to the proposal.
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

    /// How many groups to propose at once: half of those among which one must stay, or so many that all of them can go
    /// about every second time.
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
    fn strides_change_the_number_of_questions_but_not_the_puzzle() {
        let mut random = Random::new(6);
        let groups = PatternSymmetry::None.groups(Order::NINE);
        let (mut asked, mut asked_singly) = (0, 0);
        for _ in 0..50 {
            let solution = full::random(Order::NINE, &mut random);
            let order_of_groups = random.clone();
            let cut = |is_monotone: bool, asked: &mut usize| {
                let mut cutter =
                    Cutter::new(&solution, &groups, 0, is_monotone, &mut order_of_groups.clone());
                while let Some(fewer) = cutter.propose() {
                    let answer = Answer::of(&is_unique(fewer));
                    *asked += 1;
                    cutter.answer(answer);
                }
                assert_eq!(cutter.clue_count(), cutter.puzzle().clue_count());
                cutter.puzzle().clone()
            };
            assert_eq!(cut(true, &mut asked), cut(false, &mut asked_singly));
        }
        assert_eq!(asked_singly, 50 * 81);
        assert!(
            asked * 3 < asked_singly * 2,
            "{asked} questions with strides, {asked_singly} without"
        );
    }

    #[test]
    fn a_clue_whose_removal_could_not_be_proven_stays() {
        let solution = full::regular(Order::FOUR);
        let groups = PatternSymmetry::None.groups(Order::FOUR);
        let precious = Order::FOUR.cell(2, 1);
        for is_monotone in [true, false] {
            let mut cutter = Cutter::new(&solution, &groups, 0, is_monotone, &mut Random::new(2));
            while let Some(fewer) = cutter.propose() {
                let answer =
                    if fewer[precious].is_none() { Answer::Unknown } else { Answer::Allowed };
                cutter.answer(answer);
            }
            let clues: Vec<Cell> = cutter.puzzle().clues().map(|(cell, _)| cell).collect();
            assert_eq!(clues, [precious]);
        }
    }

    #[test]
    fn the_floor_is_kept() {
        let solution = full::regular(Order::NINE);
        let groups = PatternSymmetry::Full.groups(Order::NINE);
        let mut cutter = Cutter::new(&solution, &groups, 70, true, &mut Random::new(1));
        while cutter.propose().is_some() {
            cutter.answer(Answer::Allowed);
        }
        assert!((70..78).contains(&cutter.clue_count()), "{}", cutter.clue_count());
    }
}
