//! Removal: clues leave a complete grid one by one while the solution stays the only one.
//!
//! This is how nearly all puzzles are made. Plain removal ends between 22 and 27 clues in 9×9; for fewer, the puzzle is
//! climbed from (see [`super::climb`]): some clues leave, fewer come back. A given clue pattern cannot be reached by
//! removal; there the digits are changed until few solutions are left, then one.

use super::cut::Cutter;
use super::wish::{Miss, Nearest, NotFound, Wish};
use super::{Fit, Made, PatternSymmetry, climb, full};
use crate::grid::{Cell, Grid, Order};
use crate::random::Random;
use crate::search::batch::Batch;
use crate::search::{nine, unique};
use std::ops::Range;

/// Moves that are spent on one puzzle to bring its number of clues down.
const MOVES_FOR_FEWER_CLUES: usize = 60;
/// Changes of digits that are spent on one grid to make a given pattern work.
const MOVES_FOR_A_PATTERN: usize = 400;
/// Solutions that are looked at to see how far a pattern is from having one.
const MOST_SOLUTIONS: usize = 100;

pub(super) fn make(wish: &Wish<'_>, random: &mut Random) -> Result<Made, NotFound> {
    let groups = wish.symmetry.groups(wish.order);
    Work { wish, random, groups: &groups, proofs: 0, nearest: None }.make(None)
}

/// The puzzles with these indices, each the same as [`make`] makes it alone.
///
/// Where removal asks for nothing but one solution, the first attempts of all of them go on side by side, and each
/// round of their questions is one call of the batch solver.
pub(super) fn make_all(wish: &Wish<'_>, seed: u64, indices: Range<u64>) -> Vec<Result<Made, NotFound>> {
    let groups = wish.symmetry.groups(wish.order);
    let mut jobs: Vec<Job<'_>> =
        indices.map(|index| Job::start(wish, &groups, Random::for_part(seed, index))).collect();
    let mut lines = Vec::new();
    let mut asking = Vec::new();
    loop {
        lines.clear();
        asking.clear();
        for (number, job) in jobs.iter_mut().enumerate() {
            let Some(cutter) = &mut job.first else { continue };
            if let Some(line) = cutter.propose().and_then(nine::line) {
                lines.push(line);
                asking.push(number);
            }
        }
        if lines.is_empty() {
            break;
        }
        for (&number, tally) in asking.iter().zip(Batch::BEST.count_all(&lines, 2)) {
            let job = &mut jobs[number];
            job.proofs += 1;
            if let Some(cutter) = &mut job.first {
                cutter.answer(tally.solutions == 1);
            }
        }
    }
    let finish = |mut job: Job<'_>| {
        let first = job.first.take().map(|cutter| cutter.into_made());
        Work { wish, random: &mut job.random, groups: &groups, proofs: job.proofs, nearest: None }.make(first)
    };
    jobs.into_iter().map(finish).collect()
}

/// One puzzle of several that are made side by side.
struct Job<'a> {
    random: Random,
    /// The cutter of the first attempt, where it needs no one but a solver.
    first: Option<Cutter<'a>>,
    proofs: u64,
}

impl Job<'_> {
    fn start<'a>(wish: &Wish<'_>, groups: &'a [Vec<Cell>], mut random: Random) -> Job<'a> {
        let asks_for_proofs_only = wish.order == Order::NINE && wish.pattern.is_none() && wish.demands.is_empty();
        let first = asks_for_proofs_only.then(|| {
            let solution = complete_grid(wish, &mut random);
            start_cutting(wish, &solution, groups, &mut random).0
        });
        Job { random, first, proofs: 0 }
    }
}

/// Is every clue needed? The puzzle has one solution.
pub fn is_minimal(puzzle: &Grid) -> bool {
    puzzle.clues().all(|(cell, _)| !unique::is_unique(&puzzle.without(cell)))
}

struct Work<'a> {
    wish: &'a Wish<'a>,
    random: &'a mut Random,
    groups: &'a [Vec<Cell>],
    proofs: u64,
    nearest: Option<(usize, Nearest)>,
}

impl Work<'_> {
    /// Tries until the wish is met or the attempts are used up. The first attempt may have been cut already.
    fn make(mut self, first: Option<Made>) -> Result<Made, NotFound> {
        // With solution and pattern given there is nothing left to chance.
        let is_settled = self.wish.solution.is_some() && self.wish.pattern.is_some();
        let attempts = if is_settled { 1 } else { self.wish.attempts };
        let mut first = first;
        for _ in 0..attempts {
            let made = match first.take() {
                Some(cut) => self.finish(cut),
                None => self.attempt(),
            };
            if let Some(made) = made {
                return Ok(made);
            }
        }
        Err(NotFound { attempts, proofs: self.proofs, nearest: self.nearest.map(|(_, nearest)| nearest) })
    }

    fn attempt(&mut self) -> Option<Made> {
        if let Some(pattern) = &self.wish.pattern {
            return self.attempt_with_pattern(pattern);
        }
        let solution = complete_grid(self.wish, self.random);
        let puzzle = self.cut(&solution);
        self.finish(Made { puzzle, solution })
    }

    fn finish(&mut self, cut: Made) -> Option<Made> {
        let puzzle = self.with_fewer_clues(cut.puzzle, &cut.solution);
        self.accept(Made { puzzle, solution: cut.solution })
    }

    /// Takes clues away as long as the puzzle stays unique and not too hard, and stops when the wish is met.
    fn cut(&mut self, solution: &Grid) -> Grid {
        let (mut cutter, goal) = start_cutting(self.wish, solution, self.groups, self.random);
        while let Some(fewer) = cutter.propose() {
            self.proofs += 1;
            let is_allowed = unique::is_unique(fewer) && (self.wish.minimal || !self.is_too_hard(fewer));
            cutter.answer(is_allowed);
            let has_demands = !self.wish.minimal && !self.wish.demands.is_empty();
            if has_demands && cutter.clue_count() <= goal && self.is_met(cutter.puzzle()) {
                break;
            }
        }
        cutter.puzzle().clone()
    }

    /// Brings the number of clues down by moves if removal has left too many. Moves do not keep a symmetric picture and
    /// do not look at demands.
    fn with_fewer_clues(&mut self, mut puzzle: Grid, solution: &Grid) -> Grid {
        let Some(range) = &self.wish.clues else { return puzzle };
        if self.wish.symmetry != PatternSymmetry::None || !self.wish.demands.is_empty() {
            return puzzle;
        }
        for _ in 0..MOVES_FOR_FEWER_CLUES {
            if puzzle.clue_count() <= *range.end() {
                break;
            }
            self.proofs += 1;
            let other = climb::with_fewer_clues(&puzzle, solution, self.random);
            if other.clue_count() <= puzzle.clue_count() {
                puzzle = other;
            }
        }
        puzzle
    }

    fn is_met(&self, puzzle: &Grid) -> bool {
        self.wish.misses(puzzle, || is_minimal(puzzle)).is_empty()
    }

    fn is_too_hard(&self, puzzle: &Grid) -> bool {
        self.wish.demands.iter().any(|demand| demand.fit(puzzle) == Fit::Above)
    }

    /// Takes random digits for the clues of the pattern and changes some of them as long as solutions get fewer.
    fn attempt_with_pattern(&mut self, pattern: &Grid) -> Option<Made> {
        let solution = complete_grid(self.wish, self.random);
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
        if let Some(solution) = unique::solution_if_unique(&puzzle) {
            return self.accept(Made { puzzle, solution });
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
        if unique::is_unique(puzzle) { 1 } else { unique::count_up_to(puzzle, MOST_SOLUTIONS).max(2) }
    }

    /// Hands the puzzle out if it is what was wished for; else remembers it if it is the nearest. Its solution has been
    /// proven to be the only one.
    fn accept(&mut self, made: Made) -> Option<Made> {
        // Cut down to the end one by one, every clue was found to be needed.
        let is_cut_singly = self.wish.symmetry == PatternSymmetry::None && self.wish.pattern.is_none();
        let misses = self.wish.misses(&made.puzzle, || is_cut_singly || is_minimal(&made.puzzle));
        if misses.is_empty() {
            return Some(made);
        }
        self.remember(made.puzzle, misses);
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

/// The solution that was asked for, or a random complete grid.
fn complete_grid(wish: &Wish<'_>, random: &mut Random) -> Grid {
    match &wish.solution {
        Some(solution) => solution.clone(),
        None => full::random(wish.order, random),
    }
}

/// A cutter for this wish, and the number of clues to stop at.
fn start_cutting<'a>(
    wish: &Wish<'_>,
    solution: &Grid,
    groups: &'a [Vec<Cell>],
    random: &mut Random,
) -> (Cutter<'a>, usize) {
    let goal = goal(wish, random);
    let floor = match &wish.clues {
        // A minimal puzzle is cut to the end, and one with demands as far as its range allows.
        _ if wish.minimal => 0,
        Some(range) if !wish.demands.is_empty() => *range.start(),
        _ => goal,
    };
    (Cutter::new(solution, groups, floor, wish.demands.is_empty(), random), goal)
}

/// The number of clues to stop at: drawn by weight, or from the range, or as few as possible.
fn goal(wish: &Wish<'_>, random: &mut Random) -> usize {
    let Some(range) = &wish.clues else { return 0 };
    let all: u32 = wish.clue_weights.iter().map(|(_, weight)| weight).sum();
    let mut draw = random.below(all as usize) as u32;
    for &(count, weight) in wish.clue_weights {
        match draw.checked_sub(weight) {
            Some(left) => draw = left,
            None => return count,
        }
    }
    range.start() + random.below(range.end() - range.start() + 1)
}

/// The digits of a solution where the pattern is filled.
fn masked(solution: &Grid, pattern: &Grid) -> Grid {
    let mut puzzle = Grid::empty(solution.order());
    for (cell, _) in pattern.clues() {
        puzzle.set(cell, solution[cell]);
    }
    puzzle
}
