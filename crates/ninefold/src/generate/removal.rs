//! Removal: clues leave a complete grid one by one while the solution stays the only one.
//!
//! This is how nearly all puzzles are made. Plain removal ends between 22 and 27 clues in 9×9; for fewer, the puzzle is
//! climbed from (see [`super::climb`]): some clues leave, fewer come back. A given clue pattern cannot be reached by
//! removal; there the digits are changed until few solutions are left, then one.

use super::wish::{Miss, Nearest, NotFound, Wish};
use super::{Made, climb, full};
use crate::grid::{Cell, Grid};
use crate::random::Random;
use crate::search::unique;

/// Moves that are spent on one puzzle to bring its number of clues down.
const MOVES_FOR_FEWER_CLUES: usize = 60;
/// Changes of digits that are spent on one grid to make a given pattern work.
const MOVES_FOR_A_PATTERN: usize = 400;
/// Solutions that are looked at to see how far a pattern is from having one.
const MOST_SOLUTIONS: usize = 100;

pub(super) fn make(wish: &Wish<'_>, random: &mut Random) -> Result<Made, NotFound> {
    let mut work = Work { wish, random, proofs: 0, nearest: None };
    // With solution and pattern given there is nothing left to chance.
    let attempts = if wish.solution.is_some() && wish.pattern.is_some() { 1 } else { wish.attempts };
    for _ in 0..attempts {
        if let Some(made) = work.attempt() {
            return Ok(made);
        }
    }
    let nearest = work.nearest.map(|(_, nearest)| nearest);
    Err(NotFound { attempts, proofs: work.proofs, nearest })
}

/// Is every clue needed? The puzzle has one solution.
pub fn is_minimal(puzzle: &Grid) -> bool {
    puzzle.clues().all(|(cell, _)| !unique::is_unique(&puzzle.without(cell)))
}

struct Work<'a> {
    wish: &'a Wish<'a>,
    random: &'a mut Random,
    proofs: u64,
    nearest: Option<(usize, Nearest)>,
}

impl Work<'_> {
    fn attempt(&mut self) -> Option<Made> {
        if let Some(pattern) = &self.wish.pattern {
            return self.attempt_with_pattern(pattern);
        }
        let solution = match &self.wish.solution {
            Some(solution) => solution.clone(),
            None => full::random(self.wish.order, self.random),
        };
        let mut puzzle = self.remove_clues(&solution);
        let is_too_full =
            |puzzle: &Grid| self.wish.clues.as_ref().is_some_and(|range| puzzle.clue_count() > *range.end());
        let is_free = self.wish.symmetry == super::PatternSymmetry::None && self.wish.demands.is_empty();
        if is_too_full(&puzzle) && is_free {
            for _ in 0..MOVES_FOR_FEWER_CLUES {
                if !is_too_full(&puzzle) {
                    break;
                }
                self.proofs += 1;
                let other = climb::with_fewer_clues(&puzzle, &solution, self.random);
                if other.clue_count() <= puzzle.clue_count() {
                    puzzle = other;
                }
            }
        }
        self.accept(puzzle)
    }

    /// Takes groups of clues away in random order as long as the puzzle stays unique and not too hard, and stops when
    /// the wish is met. A minimal puzzle is cut down to the end.
    fn remove_clues(&mut self, solution: &Grid) -> Grid {
        let wish = self.wish;
        let mut groups = wish.symmetry.groups(wish.order);
        self.random.shuffle(&mut groups);
        let goal = self.goal();
        let mut puzzle = solution.clone();
        let mut left = self.remove_many(&mut puzzle, groups, goal);
        while let Some(group) = left.pop() {
            let count = puzzle.clue_count();
            if !wish.minimal {
                if count <= goal && self.is_met(&puzzle) {
                    break;
                }
                if wish.clues.as_ref().is_some_and(|range| count < *range.start() + group.len()) {
                    continue;
                }
            }
            let fewer = without(&puzzle, &group);
            if self.is_allowed(&fewer) {
                puzzle = fewer;
            }
        }
        puzzle
    }

    /// Takes away at once what can nearly always go, two fifths of the grid; the groups that are left come back.
    fn remove_many(&mut self, puzzle: &mut Grid, mut groups: Vec<Vec<Cell>>, goal: usize) -> Vec<Vec<Cell>> {
        let keep = (self.wish.order.cell_count() * 3 / 5).max(goal);
        let mut fewer = puzzle.clone();
        let mut taken = Vec::new();
        let mut count = fewer.clue_count();
        while let Some(group) = groups.pop_if(|group| count >= keep + group.len()) {
            count -= group.len();
            fewer = without(&fewer, &group);
            taken.push(group);
        }
        if self.is_allowed(&fewer) {
            *puzzle = fewer;
        } else {
            groups.append(&mut taken);
        }
        groups
    }

    /// The number of clues to stop at.
    fn goal(&mut self) -> usize {
        let Some(range) = &self.wish.clues else { return 0 };
        let all: u32 = self.wish.clue_weights.iter().map(|(_, weight)| weight).sum();
        let mut draw = self.random.below(all as usize) as u32;
        for &(count, weight) in self.wish.clue_weights {
            match draw.checked_sub(weight) {
                Some(left) => draw = left,
                None => return count,
            }
        }
        range.start() + self.random.below(range.end() - range.start() + 1)
    }

    fn is_met(&self, puzzle: &Grid) -> bool {
        self.wish.misses(puzzle, || is_minimal(puzzle)).is_empty()
    }

    /// Has the puzzle one solution, and is it not too hard already?
    fn is_allowed(&mut self, puzzle: &Grid) -> bool {
        self.proofs += 1;
        // Singles prove that there is one solution, and they are quick.
        if !unique::is_solved_by_singles(puzzle) && !unique::is_unique(puzzle) {
            return false;
        }
        self.wish.minimal || self.wish.demands.iter().all(|demand| demand.fit(puzzle) != super::Fit::Above)
    }

    /// Takes random digits for the clues of the pattern and changes some of them as long as solutions get fewer.
    fn attempt_with_pattern(&mut self, pattern: &Grid) -> Option<Made> {
        let solution = match &self.wish.solution {
            Some(solution) => solution.clone(),
            None => full::random(self.wish.order, self.random),
        };
        let mut puzzle = masked(&solution, pattern);
        let mut count = self.count_solutions(&puzzle);
        let cells: Vec<Cell> = pattern.clues().map(|(cell, _)| cell).collect();
        for _ in 0..MOVES_FOR_A_PATTERN {
            if count == 1 || self.wish.solution.is_some() || cells.is_empty() {
                break;
            }
            let changed = self.change_digits(&puzzle, &cells, pattern);
            let new_count = self.count_solutions(&changed);
            if new_count <= count {
                (puzzle, count) = (changed, new_count);
            }
        }
        if count == 1 {
            return self.accept(puzzle);
        }
        let words = match count {
            MOST_SOLUTIONS => format!("it has {MOST_SOLUTIONS} solutions or more"),
            _ => format!("it has {count} solutions"),
        };
        self.remember(puzzle, vec![Miss { weight: 100 * count, words }]);
        None
    }

    fn change_digits(&mut self, puzzle: &Grid, cells: &[Cell], pattern: &Grid) -> Grid {
        let mut open = puzzle.clone();
        for _ in 0..1 + self.random.below(3) {
            if let Some(&cell) = self.random.pick(cells) {
                open.set(cell, None);
            }
        }
        match unique::random_solution(&open, self.random, 5_000) {
            Some(solution) => masked(&solution, pattern),
            None => puzzle.clone(),
        }
    }

    /// How many solutions, at most [`MOST_SOLUTIONS`]; a count that takes too long is "many".
    fn count_solutions(&mut self, puzzle: &Grid) -> usize {
        self.proofs += 1;
        if unique::is_unique(puzzle) {
            return 1;
        }
        unique::solutions_up_to(puzzle, MOST_SOLUTIONS).len().max(2)
    }

    /// Hands the puzzle out if it is what was wished for and has one solution; else remembers it if it is the nearest.
    fn accept(&mut self, puzzle: Grid) -> Option<Made> {
        let solution = unique::solution_if_unique(&puzzle)?;
        let misses = self.wish.misses(&puzzle, || is_minimal(&puzzle));
        if misses.is_empty() {
            return Some(Made { puzzle, solution });
        }
        self.remember(puzzle, misses);
        None
    }

    fn remember(&mut self, puzzle: Grid, misses: Vec<Miss>) {
        let distance = misses.iter().map(|miss| miss.weight).sum();
        if self.nearest.as_ref().is_none_or(|&(nearest, _)| distance < nearest) {
            let misses = misses.into_iter().map(|miss| miss.words).collect();
            self.nearest = Some((distance, Nearest { puzzle, misses }));
        }
    }
}

fn without(puzzle: &Grid, cells: &[Cell]) -> Grid {
    let mut fewer = puzzle.clone();
    cells.iter().for_each(|&cell| fewer.set(cell, None));
    fewer
}

/// The digits of a solution where the pattern is filled.
fn masked(solution: &Grid, pattern: &Grid) -> Grid {
    let mut puzzle = Grid::empty(solution.order());
    for (cell, _) in pattern.clues() {
        puzzle.set(cell, solution[cell]);
    }
    puzzle
}
