//! Removal: clues leave a complete grid one by one while the solution stays the only one.
//!
//! This is how nearly all puzzles are made. Plain removal ends between 22 and 27 clues in 9×9; for fewer, the puzzle is
//! climbed from (see [`super::climb`]): some clues leave, fewer come back. A puzzle that misses a demand, such as a
//! technique, is varied: some clues come back and others leave, as long as that does not lead away from the demand. A
//! given clue pattern cannot be reached by removal; there the digits are changed until few solutions are left, then one.

use super::cut::{Answer, Cutter};
use super::wish::{Interrupted, Miss, Nearest, NotFound, Refusal, Wish};
use super::{AreUnique, Fit, Made, PatternSymmetry, climb, fill, full, kaggle, questions};
use crate::grid::{Cell, Grid, Order};
use crate::limits::{Deadline, Stop};
use crate::random::Random;
use crate::search::{Limits, Solutions, Unfinished, nine, unique};
use std::ops::Range;

/// The largest side whose puzzles are cut down as far as proofs allow where nothing else is wished for.
const LARGEST_CUT_TO_THE_END: usize = 25;
/// Moves that are spent on one puzzle to bring its number of clues down.
const MOVES_FOR_FEWER_CLUES: usize = 60;
/// Variations of one puzzle that are looked at before another complete grid is tried.
const VARIATIONS: usize = 30;
/// The most groups of clues that come back in one variation.
const MOST_COME_BACK: usize = 6;
/// Changes of digits that are spent on one grid to make a given pattern work.
const MOVES_FOR_A_PATTERN: usize = 400;
/// Solutions that are looked at to see how far a pattern is from having one.
const MOST_SOLUTIONS: u64 = 100;

pub(super) fn make(wish: &Wish<'_>, random: &mut Random) -> Result<Made, Refusal> {
    let groups = wish.symmetry.groups(wish.order);
    Work::new(wish, random, &groups, 0).make(None)
}

/// The puzzles with these indices, each the same as [`make`] makes it alone.
///
/// Where removal asks for nothing but one solution, the first attempts of all of them go on side by side, and each
/// round of their questions goes to the batch solver together, or is one call of `are_unique`.
pub(super) fn make_all(
    wish: &Wish<'_>,
    seed: u64,
    indices: Range<u64>,
    are_unique: Option<&AreUnique<'_>>,
) -> Vec<Result<Made, Refusal>> {
    let groups = wish.symmetry.groups(wish.order);
    let mut randoms: Vec<Random> = indices.map(|index| Random::for_part(seed, index)).collect();
    let mut first_cuts = Vec::new();
    if asks_for_proofs_only(wish) {
        let start = |random: &mut Random| {
            let solution = complete_grid(wish, random);
            start_cutting(wish, &solution, &groups, random).0
        };
        let cutters = randoms.iter_mut().map(start);
        first_cuts = match are_unique {
            None => questions::cut_all(cutters),
            Some(are_unique) => cut_all(cutters, are_unique),
        };
    }
    let mut first_cuts = first_cuts.into_iter();
    let finish = |random| {
        let (first, proofs) = first_cuts.next().unzip();
        Work::new(wish, random, &groups, proofs.unwrap_or(0)).make(first)
    };
    randoms.iter_mut().map(finish).collect()
}

/// Cuts down many 9×9 puzzles side by side; each comes with the number of its questions.
fn cut_all<'a>(
    cutters: impl Iterator<Item = Cutter<'a>>,
    are_unique: &AreUnique<'_>,
) -> Vec<(Made, u64)> {
    let mut cuts: Vec<(Cutter<'a>, u64)> = cutters.map(|cutter| (cutter, 0)).collect();
    let mut lines = Vec::new();
    let mut asking = Vec::new();
    loop {
        lines.clear();
        asking.clear();
        for (number, (cutter, _)) in cuts.iter_mut().enumerate() {
            if let Some(line) = cutter.propose().and_then(nine::line) {
                lines.push(line);
                asking.push(number);
            }
        }
        if lines.is_empty() {
            break;
        }
        for (&number, is_unique) in asking.iter().zip(are_unique(&lines)) {
            let (cutter, proofs) = &mut cuts[number];
            *proofs += 1;
            cutter.answer(if is_unique { Answer::Allowed } else { Answer::Refused });
        }
    }
    cuts.into_iter().map(|(cutter, proofs)| (cutter.into_made(), proofs)).collect()
}

/// Does removal need no one but a solver, so that the questions of many puzzles can be put to it together?
pub(super) fn asks_for_proofs_only(wish: &Wish<'_>) -> bool {
    wish.order == Order::NINE && wish.pattern.is_none() && wish.demands.is_empty() && !wish.plucked
}

struct Work<'a> {
    wish: &'a Wish<'a>,
    random: &'a mut Random,
    groups: &'a [Vec<Cell>],
    /// When all of it ends; a puzzle that is under way is given up then.
    deadline: Deadline<'a>,
    proofs: u64,
    /// Proofs that reached their limit.
    unfinished: u64,
    /// Puzzles that were measured against the demands.
    measured: u64,
    nearest: Option<(usize, Nearest)>,
}

impl<'a> Work<'a> {
    fn new(
        wish: &'a Wish<'a>,
        random: &'a mut Random,
        groups: &'a [Vec<Cell>],
        proofs: u64,
    ) -> Work<'a> {
        let deadline = Deadline::of(&wish.limits);
        Work { wish, random, groups, deadline, proofs, unfinished: 0, measured: 0, nearest: None }
    }

    /// Tries until the wish is met or the attempts are used up. The first attempt may have been cut already.
    fn make(mut self, first: Option<Made>) -> Result<Made, Refusal> {
        // With solution and pattern given there is nothing left to chance.
        let is_settled = self.wish.solution.is_some() && self.wish.pattern.is_some();
        let attempts = if is_settled { 1 } else { self.wish.attempts };
        let mut first = first;
        let mut tried = 0;
        while tried < attempts {
            tried += 1;
            let made = match first.take() {
                Some(cut) => self.finish(cut),
                None => self.attempt(),
            };
            // What a proof was not in time for is not in the puzzle, so it may be another one than the seed makes.
            if let Some(stop) = self.stopped() {
                return Err(Refusal::Stopped(Interrupted { stop, so_far: self.not_found(tried) }));
            }
            if let Some(made) = made {
                return Ok(made);
            }
        }
        Err(self.not_found(tried).into())
    }

    fn not_found(self, attempts: usize) -> NotFound {
        let nearest = self.nearest.map(|(_, nearest)| nearest);
        let Work { proofs, unfinished, measured, .. } = self;
        NotFound { attempts, proofs, unfinished, measured, nearest }
    }

    /// Why the work is to end before its time, once it is.
    fn stopped(&self) -> Option<Stop> {
        self.deadline.reached()
    }

    /// The limits of one proof. Those of 9×9 are short: the clock is read between them.
    fn limits(&self) -> Limits<'a> {
        match unique::limits_for(self.wish.order, self.wish.nodes_per_proof).nodes {
            None => Limits::none(),
            nodes => self.deadline.limits(nodes),
        }
    }

    fn attempt(&mut self) -> Option<Made> {
        if self.wish.plucked {
            let made = kaggle::drawn(self.random);
            return if self.proof(&made.puzzle) == Ok(true) { self.accept(made) } else { None };
        }
        if let Some(pattern) = &self.wish.pattern {
            return self.attempt_with_pattern(pattern);
        }
        let solution = complete_grid(self.wish, self.random);
        let (cutter, goal) = start_cutting(self.wish, &solution, self.groups, self.random);
        let made = Made { puzzle: self.cut(cutter, goal), solution };
        if self.wish.demands.is_empty() { self.finish(made) } else { self.vary(made) }
    }

    fn finish(&mut self, cut: Made) -> Option<Made> {
        let puzzle = self.with_fewer_clues(cut.puzzle, &cut.solution);
        self.accept(Made { puzzle, solution: cut.solution })
    }

    /// Takes clues away as long as the puzzle stays unique and not too hard. Of the puzzles on the way that meet the
    /// wish the last one is taken; the first one with few enough clues ends the way.
    fn cut(&mut self, mut cutter: Cutter<'_>, goal: usize) -> Grid {
        let looks_at_demands = !self.wish.minimal && !self.wish.demands.is_empty();
        // Where nothing can be too hard, no look is needed before the clues are few enough.
        let has_no_top = self.wish.demands.iter().all(|demand| demand.has_no_top());
        let mut last_met = None;
        while let Some(fewer) = cutter.propose() {
            if self.stopped().is_some() {
                break;
            }
            let proof = self.proof(fewer);
            let is_on_the_way = has_no_top && fewer.clue_count() > goal;
            if !looks_at_demands || is_on_the_way || proof != Ok(true) {
                cutter.answer(Answer::of(&proof));
                continue;
            }
            self.measured += 1;
            let fit = self.wish.fit(fewer, &self.deadline.limits(None));
            cutter.answer(if fit == Fit::Above { Answer::Refused } else { Answer::Allowed });
            let count = cutter.clue_count();
            if fit == Fit::Within
                && self.wish.clues.as_ref().is_none_or(|clues| clues.contains(&count))
            {
                last_met = Some(cutter.puzzle().clone());
                if count <= goal {
                    break;
                }
            }
        }
        last_met.unwrap_or_else(|| cutter.into_made().puzzle)
    }

    /// Looks around a puzzle that may miss the wish: some clues come back and others leave, as long as that does not
    /// lead away from the wish.
    fn vary(&mut self, mut made: Made) -> Option<Made> {
        let mut distance = self.distance(&made.puzzle);
        for _ in 0..VARIATIONS {
            if distance == 0 || self.stopped().is_some() {
                break;
            }
            let (cutter, goal) = self.start_variation(&made);
            let other = Made { puzzle: self.cut(cutter, goal), solution: made.solution.clone() };
            let other_distance = self.distance(&other.puzzle);
            if other_distance <= distance {
                (made, distance) = (other, other_distance);
            }
        }
        (distance == 0).then_some(made)
    }

    /// A cutter of a puzzle to which a few clues came back; these are the last that may leave again.
    fn start_variation(&mut self, made: &Made) -> (Cutter<'a>, usize) {
        let groups = self.groups;
        let is_clue = |group: &u16| {
            groups[usize::from(*group)].iter().all(|&cell| made.puzzle[cell].is_some())
        };
        let (mut clues, mut others): (Vec<u16>, Vec<u16>) =
            (0..groups.len() as u16).partition(is_clue);
        self.random.shuffle(&mut clues);
        self.random.shuffle(&mut others);
        others.truncate(1 + self.random.below(MOST_COME_BACK));
        let mut wider = made.clone();
        for &cell in others.iter().flat_map(|&group| &groups[usize::from(group)]) {
            wider.puzzle.set(cell, made.solution[cell]);
        }
        others.append(&mut clues);
        let goal = goal(self.wish, self.random);
        (Cutter::resume(&wider, groups, floor(self.wish, goal), false, others), goal)
    }

    /// Brings the number of clues down by moves if removal has left too many. Moves do not keep a symmetric picture and
    /// do not look at demands.
    fn with_fewer_clues(&mut self, mut puzzle: Grid, solution: &Grid) -> Grid {
        let Some(range) = &self.wish.clues else { return puzzle };
        if self.wish.symmetry != PatternSymmetry::None || !self.wish.demands.is_empty() {
            return puzzle;
        }
        for _ in 0..MOVES_FOR_FEWER_CLUES {
            if puzzle.clue_count() <= *range.end() || self.stopped().is_some() {
                break;
            }
            self.proofs += 1;
            let (other, unfinished) =
                climb::with_fewer_clues(&puzzle, solution, &self.limits(), self.random);
            self.unfinished += unfinished;
            if other.clue_count() <= puzzle.clue_count() {
                puzzle = other;
            }
        }
        puzzle
    }

    /// Takes random digits for the clues of the pattern and changes some of them as long as solutions get fewer.
    fn attempt_with_pattern(&mut self, pattern: &Grid) -> Option<Made> {
        let solution = complete_grid(self.wish, self.random);
        let mut puzzle = masked(&solution, pattern);
        let mut count = self.count_solutions(&puzzle);
        let cells: Vec<Cell> = pattern.clues().map(|(cell, _)| cell).collect();
        for _ in 0..MOVES_FOR_A_PATTERN {
            let is_given = self.wish.solution.is_some() || cells.is_empty();
            if count == Solved::Once || is_given || self.stopped().is_some() {
                break;
            }
            let changed = self.change_digits(&puzzle, &cells, pattern);
            let new_count = self.count_solutions(&changed);
            if new_count <= count {
                (puzzle, count) = (changed, new_count);
            }
        }
        if let Some(miss) = count.miss() {
            self.remember(puzzle, vec![miss]);
            return None;
        }
        // This was proven a moment ago, under the same limits but for the clock.
        let proven = unique::solutions(&puzzle, &self.limits()).ok().and_then(Solutions::into_only);
        assert!(
            proven.is_some() || self.stopped().is_some(),
            "this is a bug in Ninefold: {puzzle} was unique before"
        );
        let solution = proven?;
        self.accept(Made { puzzle, solution })
    }

    fn change_digits(&mut self, puzzle: &Grid, cells: &[Cell], pattern: &Grid) -> Grid {
        let mut open = puzzle.clone();
        for _ in 0..1 + self.random.below(3) {
            if let Some(&cell) = self.random.pick(cells) {
                open.set(cell, None);
            }
        }
        match fill::at_random(&open, self.random, 5_000) {
            Some(solution) => masked(&solution, pattern),
            None => puzzle.clone(),
        }
    }

    /// Has this puzzle one solution?
    fn proof(&mut self, puzzle: &Grid) -> Result<bool, Unfinished> {
        self.proofs += 1;
        let proof = unique::is_unique(puzzle, &self.limits());
        self.unfinished += u64::from(proof.is_err());
        proof
    }

    /// How many solutions, at most [`MOST_SOLUTIONS`].
    fn count_solutions(&mut self, puzzle: &Grid) -> Solved {
        match self.proof(puzzle) {
            Ok(true) => Solved::Once,
            Ok(false) => match unique::count_up_to(puzzle, MOST_SOLUTIONS, &self.limits()) {
                Ok(count) => Solved::Times(count),
                Err(_) => Solved::Unknown,
            },
            Err(_) => Solved::Unknown,
        }
    }

    /// Hands the puzzle out if it is what was wished for. Its solution has been proven to be the only one.
    fn accept(&mut self, made: Made) -> Option<Made> {
        (self.distance(&made.puzzle) == 0).then_some(made)
    }

    /// How far a puzzle with one solution is from the wish; the nearest one is remembered.
    fn distance(&mut self, puzzle: &Grid) -> usize {
        self.measured += u64::from(!self.wish.demands.is_empty());
        // Cut down to the end one by one, every clue was found to be needed, unless a proof was not finished.
        let is_cut_singly =
            self.wish.symmetry == PatternSymmetry::None && self.wish.pattern.is_none();
        let is_proven = is_cut_singly && self.unfinished == 0;
        let is_minimal =
            || if is_proven { Ok(true) } else { unique::needs_every_clue(puzzle, &self.limits()) };
        let misses = self.wish.misses(puzzle, &self.deadline.limits(None), is_minimal);
        if misses.is_empty() { 0 } else { self.remember(puzzle.clone(), misses).max(1) }
    }

    /// Keeps a puzzle that misses the wish, if it is the nearest; how far from the wish is it?
    fn remember(&mut self, puzzle: Grid, misses: Vec<Miss>) -> usize {
        let distance = misses.iter().map(|miss| miss.weight).sum();
        if self.nearest.as_ref().is_none_or(|&(nearest, _)| distance < nearest) {
            let misses = misses.into_iter().map(|miss| miss.words).collect();
            self.nearest = Some((distance, Nearest { puzzle, misses }));
        }
        distance
    }
}

/// How often a puzzle with a given pattern can be solved; the fewer, the nearer to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Solved {
    Once,
    /// So many times, counted up to [`MOST_SOLUTIONS`].
    Times(u64),
    /// The count was not finished; that is as far away as can be.
    Unknown,
}

impl Solved {
    /// What keeps it from having one solution.
    fn miss(self) -> Option<Miss> {
        let (weight, words) = match self {
            Solved::Once => return None,
            Solved::Times(MOST_SOLUTIONS) => {
                (MOST_SOLUTIONS, format!("it has {MOST_SOLUTIONS} solutions or more"))
            }
            Solved::Times(count) => (count, format!("it has {count} solutions")),
            Solved::Unknown => {
                (MOST_SOLUTIONS, "its solutions were not counted within the limit".to_string())
            }
        };
        Some(Miss { weight: 100 * weight as usize, words })
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
    (Cutter::new(solution, groups, floor(wish, goal), wish.demands.is_empty(), random), goal)
}

/// Fewer clues are not wanted.
fn floor(wish: &Wish<'_>, goal: usize) -> usize {
    match &wish.clues {
        // A minimal puzzle is cut to the end, and one with demands as far as its range allows.
        _ if wish.minimal => 0,
        Some(range) if !wish.demands.is_empty() => *range.start(),
        _ => goal,
    }
}

/// The number of clues to stop at: drawn by weight, or from the range, or as few as possible; in very large grids three
/// fifths of the cells, because proofs take a second and more when fewer are filled.
fn goal(wish: &Wish<'_>, random: &mut Random) -> usize {
    let Some(range) = &wish.clues else {
        return if wish.order.side() > LARGEST_CUT_TO_THE_END {
            wish.order.cell_count() * 3 / 5
        } else {
            0
        };
    };
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
