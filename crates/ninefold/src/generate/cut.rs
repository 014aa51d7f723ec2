//! Cutting: which clues to take away next, and what the answer to the last try means.
//!
//! A cutter proposes puzzles with fewer clues and is told which of them are allowed. It asks no solver itself, so the
//! proposals of many puzzles can be put to a batch solver together, and one puzzle alone can be cut just as well: both
//! ways give the same puzzle.
//!
//! Clues leave in the random order of the groups. While nearly all of them can go, several groups are proposed at
//! once: if the puzzle without all of them has one solution, so has every puzzle on the way there, and if not, half as
//! many are tried. So the result is the same as when they go one by one, with fewer questions.

use crate::grid::{Cell, Grid};

pub(super) struct Cutter {
    puzzle: Grid,
    clues: usize,
    /// Groups that have not been tried; the next one is the last.
    waiting: Vec<Vec<Cell>>,
    /// Groups to propose at once.
    stride: usize,
    /// The largest stride; 1 where a puzzle on the way may be refused although a later one is allowed.
    longest_stride: usize,
    /// Fewer clues are not wanted.
    floor: usize,
    /// Groups in the proposal that is not answered yet, and what it looks like.
    proposed: Option<(usize, Grid)>,
}

impl Cutter {
    /// A cutter of this complete grid that goes down to `floor` clues at most.
    pub(super) fn new(solution: &Grid, groups: Vec<Vec<Cell>>, floor: usize, is_monotone: bool) -> Cutter {
        let longest_stride = if is_monotone { groups.len() } else { 1 };
        Cutter {
            puzzle: solution.clone(),
            clues: solution.clue_count(),
            // Two fifths of a grid can nearly always go.
            stride: (groups.len() * 2 / 5).clamp(1, longest_stride.max(1)),
            longest_stride,
            waiting: groups,
            floor,
            proposed: None,
        }
    }

    /// The puzzle as far as it has been cut.
    pub(super) fn puzzle(&self) -> &Grid {
        &self.puzzle
    }

    /// How many clues it has.
    pub(super) fn clue_count(&self) -> usize {
        self.clues
    }

    /// The next puzzle to be tested, or `None` when nothing is left to try.
    pub(super) fn propose(&mut self) -> Option<&Grid> {
        if self.proposed.is_none() {
            // A group that would take too much is passed over.
            while self.waiting.pop_if(|group| self.clues < self.floor + group.len()).is_some() {}
            let mut fewer = self.puzzle.clone();
            let mut clues = self.clues;
            let mut taken = 0;
            for group in self.waiting.iter().rev().take(self.stride) {
                if clues < self.floor + group.len() {
                    break;
                }
                group.iter().for_each(|&cell| fewer.set(cell, None));
                clues -= group.len();
                taken += 1;
            }
            if taken == 0 {
                return None;
            }
            self.proposed = Some((taken, fewer));
        }
        self.proposed.as_ref().map(|(_, puzzle)| puzzle)
    }

    /// Takes the answer to the proposal: is it allowed?
    pub(super) fn answer(&mut self, is_allowed: bool) {
        let Some((taken, fewer)) = self.proposed.take() else { return };
        if is_allowed {
            self.puzzle = fewer;
            let gone: usize = self.waiting.drain(self.waiting.len() - taken..).map(|group| group.len()).sum();
            self.clues -= gone;
            // Below two fifths of the grid about every second clue has to stay, and a stride would only fail.
            let is_dense = self.clues * 5 > self.puzzle.order().cell_count() * 2;
            self.stride = if is_dense { (taken * 2).min(self.longest_stride) } else { 1 };
        } else if taken == 1 {
            self.waiting.pop();
            self.stride = 1;
        } else {
            self.stride = taken / 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{PatternSymmetry, full};
    use crate::grid::Order;
    use crate::random::Random;
    use crate::search::unique::is_unique;

    #[test]
    fn strides_change_the_number_of_questions_but_not_the_puzzle() {
        let mut random = Random::new(6);
        let (mut asked, mut asked_singly) = (0, 0);
        for _ in 0..50 {
            let solution = full::random(Order::NINE, &mut random);
            let mut groups = PatternSymmetry::None.groups(Order::NINE);
            random.shuffle(&mut groups);
            let cut = |is_monotone: bool, asked: &mut usize| {
                let mut cutter = Cutter::new(&solution, groups.clone(), 0, is_monotone);
                while let Some(fewer) = cutter.propose() {
                    let is_allowed = is_unique(fewer);
                    *asked += 1;
                    cutter.answer(is_allowed);
                }
                assert_eq!(cutter.clue_count(), cutter.puzzle().clue_count());
                cutter.puzzle().clone()
            };
            assert_eq!(cut(true, &mut asked), cut(false, &mut asked_singly));
        }
        assert_eq!(asked_singly, 50 * 81);
        assert!(asked * 3 < asked_singly * 2, "{asked} questions with strides, {asked_singly} without");
    }

    #[test]
    fn the_floor_is_kept() {
        let solution = full::regular(Order::NINE);
        let groups = PatternSymmetry::Full.groups(Order::NINE);
        let mut cutter = Cutter::new(&solution, groups, 70, true);
        while cutter.propose().is_some() {
            cutter.answer(true);
        }
        assert!((70..78).contains(&cutter.clue_count()), "{}", cutter.clue_count());
    }
}
