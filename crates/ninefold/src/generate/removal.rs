//! The main generator: removes clues from a complete grid while the solution stays unique.
//!
//! Plain removal ends between 22 and 27 clues on 9×9. For fewer clues it continues with the moves
//! of [`climb`], which remove some clues and add fewer. A puzzle that does not meet a requirement
//! is varied: some clues are added and others removed, as long as the distance from the requirement
//! does not grow. A given clue pattern is filled with random digits, which are then changed until
//! one solution is left.

use super::clue_remover::{Answer, ClueRemover};
use super::{
    AreUnique, Fit, GeneratedPuzzle, PatternSymmetry, batch_removal, climb, fill, full, kaggle,
};
use super::{
    GenerateError, GenerateOptions, InterruptedError, Mismatch, NearestPuzzle, NotFoundError,
};
use crate::grid::{Cell, Grid, Order};
use crate::limits::{Deadline, StopReason};
use crate::random::Random;
use crate::search::{Limits, Solutions, UnfinishedError, nine, unique};
use std::ops::Range;

/// The largest side for which, by default, clues are removed as long as proofs allow.
const LARGEST_FULL_REMOVAL: usize = 25;
/// The number of moves per puzzle to reduce its number of clues.
const MOVES_FOR_FEWER_CLUES: usize = 60;
/// The number of variations of a puzzle before the next complete grid is tried.
const VARIATIONS: usize = 30;
/// The largest number of groups of clues that a variation adds.
const MOST_ADDED_GROUPS: usize = 6;
/// The number of digit changes per grid to find a puzzle with a given pattern.
const MOVES_FOR_PATTERN: usize = 400;
/// The solutions of a puzzle with a given pattern are counted up to this number.
const MOST_SOLUTIONS: u64 = 100;

pub(super) fn generate(
    options: &GenerateOptions<'_>,
    random: &mut Random,
) -> Result<GeneratedPuzzle, GenerateError> {
    let groups = options.symmetry.groups(options.order);
    Generator::new(options, random, &groups, 0).run(None)
}

/// Generates the puzzles with these indices. Each is the same as from [`generate`].
///
/// If uniqueness is the only check that removal needs, the first attempts for all puzzles run
/// together, and each round of their checks goes to the batch solver or to `are_unique`.
pub(super) fn generate_batch(
    options: &GenerateOptions<'_>,
    seed: u64,
    indices: Range<u64>,
    are_unique: Option<&AreUnique<'_>>,
) -> Vec<Result<GeneratedPuzzle, GenerateError>> {
    let groups = options.symmetry.groups(options.order);
    let mut randoms: Vec<Random> = indices.map(|index| Random::for_part(seed, index)).collect();
    let mut first_attempts = Vec::new();
    if needs_only_uniqueness(options) {
        let start = |random: &mut Random| {
            let solution = complete_grid(options, random);
            start_removal(options, &solution, &groups, random).0
        };
        let removers = randoms.iter_mut().map(start);
        first_attempts = match are_unique {
            None => batch_removal::remove_all(removers),
            Some(are_unique) => remove_all(removers, are_unique),
        };
    }
    let mut first_attempts = first_attempts.into_iter();
    let finish = |random| {
        let (first, proofs) = first_attempts.next().unzip();
        Generator::new(options, random, &groups, proofs.unwrap_or(0)).run(first)
    };
    randoms.iter_mut().map(finish).collect()
}

/// Removes clues from many 9×9 puzzles together. Returns each puzzle with its number of checks.
fn remove_all<'a>(
    removers: impl Iterator<Item = ClueRemover<'a>>,
    are_unique: &AreUnique<'_>,
) -> Vec<(GeneratedPuzzle, u64)> {
    let mut removals: Vec<(ClueRemover<'a>, u64)> = removers.map(|remover| (remover, 0)).collect();
    let mut lines = Vec::new();
    let mut pending = Vec::new();
    loop {
        lines.clear();
        pending.clear();
        for (number, (remover, _)) in removals.iter_mut().enumerate() {
            if let Some(line) = remover.propose().and_then(nine::line) {
                lines.push(line);
                pending.push(number);
            }
        }
        if lines.is_empty() {
            break;
        }
        for (&number, is_unique) in pending.iter().zip(are_unique(&lines)) {
            let (remover, proofs) = &mut removals[number];
            *proofs += 1;
            remover.answer(if is_unique { Answer::Allowed } else { Answer::Rejected });
        }
    }
    removals.into_iter().map(|(remover, proofs)| (remover.into_generated(), proofs)).collect()
}

/// Whether uniqueness is the only check that removal needs. If so, the checks of many puzzles can
/// be answered together.
pub(super) fn needs_only_uniqueness(options: &GenerateOptions<'_>) -> bool {
    options.order == Order::NINE
        && options.pattern.is_none()
        && options.requirements.is_empty()
        && !options.kaggle_style
}

struct Generator<'a> {
    options: &'a GenerateOptions<'a>,
    random: &'a mut Random,
    groups: &'a [Vec<Cell>],
    deadline: Deadline<'a>,
    proofs: u64,
    /// The number of proofs that reached their limit.
    unfinished: u64,
    /// The number of puzzles checked against the requirements.
    measured: u64,
    /// The distance from the options and the puzzle.
    nearest: Option<(usize, NearestPuzzle)>,
}

impl<'a> Generator<'a> {
    fn new(
        options: &'a GenerateOptions<'a>,
        random: &'a mut Random,
        groups: &'a [Vec<Cell>],
        proofs: u64,
    ) -> Generator<'a> {
        let deadline = Deadline::new(&options.limits);
        Generator {
            options,
            random,
            groups,
            deadline,
            proofs,
            unfinished: 0,
            measured: 0,
            nearest: None,
        }
    }

    /// Tries complete grids until a puzzle meets the options or the attempts are used up. `first`
    /// is the result of the first clue removal, if that has been done.
    fn run(mut self, first: Option<GeneratedPuzzle>) -> Result<GeneratedPuzzle, GenerateError> {
        // With a given solution and pattern only one puzzle is possible.
        let is_determined = self.options.solution.is_some() && self.options.pattern.is_some();
        let attempts = if is_determined { 1 } else { self.options.attempts };
        let mut first = first;
        let mut tried = 0;
        while tried < attempts {
            tried += 1;
            let generated = match first.take() {
                Some(puzzle) => self.finish(puzzle),
                None => self.attempt(),
            };
            // Discard the puzzle if time is up: an interrupted proof may have changed it, and then
            // it is not the puzzle of this seed.
            if let Some(stop) = self.stopped() {
                return Err(GenerateError::Interrupted(InterruptedError {
                    stop,
                    so_far: self.not_found(tried),
                }));
            }
            if let Some(generated) = generated {
                return Ok(generated);
            }
        }
        Err(self.not_found(tried).into())
    }

    fn not_found(self, attempts: usize) -> NotFoundError {
        let nearest = self.nearest.map(|(_, nearest)| nearest);
        let Generator { proofs, unfinished, measured, .. } = self;
        NotFoundError { attempts, proofs, unfinished, measured, nearest }
    }

    /// The limit that was reached, if any.
    fn stopped(&self) -> Option<StopReason> {
        self.deadline.reached()
    }

    /// The limits of one proof. Proofs for 9×9 are short, so the clock is only read between them.
    fn limits(&self) -> Limits<'a> {
        match unique::limits_for(self.options.order, self.options.nodes_per_proof).nodes {
            None => Limits::none(),
            nodes => self.deadline.limits(nodes),
        }
    }

    fn attempt(&mut self) -> Option<GeneratedPuzzle> {
        if self.options.kaggle_style {
            let generated = kaggle::generate(self.random);
            let is_unique = self.proof(&generated.puzzle) == Ok(true);
            return if is_unique { self.accept(generated) } else { None };
        }
        if let Some(pattern) = &self.options.pattern {
            return self.attempt_with_pattern(pattern);
        }
        let solution = complete_grid(self.options, self.random);
        let (remover, goal) = start_removal(self.options, &solution, self.groups, self.random);
        let generated = GeneratedPuzzle { puzzle: self.remove_clues(remover, goal), solution };
        if self.options.requirements.is_empty() {
            self.finish(generated)
        } else {
            self.vary(generated)
        }
    }

    fn finish(&mut self, generated: GeneratedPuzzle) -> Option<GeneratedPuzzle> {
        let puzzle = self.with_fewer_clues(generated.puzzle, &generated.solution);
        self.accept(GeneratedPuzzle { puzzle, solution: generated.solution })
    }

    /// Removes clues as long as the puzzle stays unique and not too hard. Returns the last puzzle
    /// that meets the options, and stops at the first one whose number of clues reaches `goal`.
    fn remove_clues(&mut self, mut remover: ClueRemover<'_>, goal: usize) -> Grid {
        let checks_requirements = !self.options.minimal && !self.options.requirements.is_empty();
        // Open-ended requirements need no check above the goal, because nothing can be too hard.
        let is_open_ended =
            self.options.requirements.iter().all(|requirement| requirement.is_open_ended());
        let mut last_match = None;
        while let Some(fewer) = remover.propose() {
            if self.stopped().is_some() {
                break;
            }
            let proof = self.proof(fewer);
            let can_skip_check = is_open_ended && fewer.clue_count() > goal;
            if !checks_requirements || can_skip_check || proof != Ok(true) {
                remover.answer(Answer::from_proof(&proof));
                continue;
            }
            self.measured += 1;
            let fit = self.options.fit(fewer, &self.deadline.limits(None));
            remover.answer(if fit == Fit::Above { Answer::Rejected } else { Answer::Allowed });
            let count = remover.clue_count();
            if fit == Fit::Within
                && self.options.clues.as_ref().is_none_or(|clues| clues.contains(&count))
            {
                last_match = Some(remover.puzzle().clone());
                if count <= goal {
                    break;
                }
            }
        }
        last_match.unwrap_or_else(|| remover.into_generated().puzzle)
    }

    /// Varies a puzzle until it meets the options: adds some clues and removes others, as long as
    /// the distance from the options does not grow.
    fn vary(&mut self, mut generated: GeneratedPuzzle) -> Option<GeneratedPuzzle> {
        let mut distance = self.distance(&generated.puzzle);
        for _ in 0..VARIATIONS {
            if distance == 0 || self.stopped().is_some() {
                break;
            }
            let (remover, goal) = self.start_variation(&generated);
            let puzzle = self.remove_clues(remover, goal);
            let other_distance = self.distance(&puzzle);
            if other_distance <= distance {
                distance = other_distance;
                generated.puzzle = puzzle;
            }
        }
        (distance == 0).then_some(generated)
    }

    /// Adds a few clues to a puzzle. The new clues are the last ones that can be removed again.
    fn start_variation(&mut self, generated: &GeneratedPuzzle) -> (ClueRemover<'a>, usize) {
        let groups = self.groups;
        let is_clue = |group: &u16| {
            groups[usize::from(*group)].iter().all(|&cell| generated.puzzle[cell].is_some())
        };
        let (mut clues, mut others): (Vec<u16>, Vec<u16>) =
            (0..groups.len() as u16).partition(is_clue);
        self.random.shuffle(&mut clues);
        self.random.shuffle(&mut others);
        others.truncate(1 + self.random.below(MOST_ADDED_GROUPS));
        let mut wider = generated.clone();
        for &cell in others.iter().flat_map(|&group| &groups[usize::from(group)]) {
            wider.puzzle.set(cell, generated.solution[cell]);
        }
        others.append(&mut clues);
        let goal = goal(self.options, self.random);
        (ClueRemover::resume(&wider, groups, floor(self.options, goal), false, others), goal)
    }

    /// Reduces the number of clues with climbing moves if removal has left too many. The moves do
    /// not preserve symmetry and do not check requirements.
    fn with_fewer_clues(&mut self, mut puzzle: Grid, solution: &Grid) -> Grid {
        let Some(range) = &self.options.clues else { return puzzle };
        if self.options.symmetry != PatternSymmetry::None || !self.options.requirements.is_empty() {
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

    /// Fills the pattern with random digits and changes some of them as long as the number of
    /// solutions does not grow.
    fn attempt_with_pattern(&mut self, pattern: &Grid) -> Option<GeneratedPuzzle> {
        let solution = complete_grid(self.options, self.random);
        let mut puzzle = masked(&solution, pattern);
        let mut count = self.count_solutions(&puzzle);
        let cells: Vec<Cell> = pattern.clues().map(|(cell, _)| cell).collect();
        for _ in 0..MOVES_FOR_PATTERN {
            let is_determined = self.options.solution.is_some() || cells.is_empty();
            if count == SolutionCount::One || is_determined || self.stopped().is_some() {
                break;
            }
            let changed = self.change_digits(&puzzle, &cells, pattern);
            let new_count = self.count_solutions(&changed);
            if new_count <= count {
                (puzzle, count) = (changed, new_count);
            }
        }
        if let Some(mismatch) = count.mismatch() {
            self.remember(puzzle, vec![mismatch]);
            return None;
        }
        // The same proof succeeded before; only the time limit can stop it now.
        let proven = unique::solutions(&puzzle, &self.limits()).ok().and_then(Solutions::into_only);
        assert!(
            proven.is_some() || self.stopped().is_some(),
            "bug in Ninefold: {puzzle} was unique before"
        );
        let solution = proven?;
        self.accept(GeneratedPuzzle { puzzle, solution })
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

    /// Proves whether the puzzle has exactly one solution.
    fn proof(&mut self, puzzle: &Grid) -> Result<bool, UnfinishedError> {
        self.proofs += 1;
        let proof = unique::is_unique(puzzle, &self.limits());
        self.unfinished += u64::from(proof.is_err());
        proof
    }

    /// Counts solutions up to [`MOST_SOLUTIONS`].
    fn count_solutions(&mut self, puzzle: &Grid) -> SolutionCount {
        match self.proof(puzzle) {
            Ok(true) => SolutionCount::One,
            Ok(false) => match unique::count_up_to(puzzle, MOST_SOLUTIONS, &self.limits()) {
                Ok(count) => SolutionCount::Many(count),
                Err(_) => SolutionCount::Unknown,
            },
            Err(_) => SolutionCount::Unknown,
        }
    }

    /// Returns the puzzle if it meets the options. Its solution has been proven unique.
    fn accept(&mut self, generated: GeneratedPuzzle) -> Option<GeneratedPuzzle> {
        (self.distance(&generated.puzzle) == 0).then_some(generated)
    }

    /// The distance of a puzzle with one solution from the options. Remembers the nearest puzzle.
    fn distance(&mut self, puzzle: &Grid) -> usize {
        self.measured += u64::from(!self.options.requirements.is_empty());
        // If every clue was tried on its own and all proofs were finished, the puzzle is minimal.
        let tried_every_clue =
            self.options.symmetry == PatternSymmetry::None && self.options.pattern.is_none();
        let is_proven = tried_every_clue && self.unfinished == 0;
        let is_minimal =
            || if is_proven { Ok(true) } else { unique::is_minimal(puzzle, &self.limits()) };
        let mismatches = self.options.mismatches(puzzle, &self.deadline.limits(None), is_minimal);
        if mismatches.is_empty() { 0 } else { self.remember(puzzle.clone(), mismatches).max(1) }
    }

    /// Keeps a puzzle that does not meet the options if it is the nearest so far. Returns its
    /// distance.
    fn remember(&mut self, puzzle: Grid, mismatches: Vec<Mismatch>) -> usize {
        let distance = mismatches.iter().map(|mismatch| mismatch.distance).sum();
        if self.nearest.as_ref().is_none_or(|&(nearest, _)| distance < nearest) {
            let mismatches = mismatches.into_iter().map(|mismatch| mismatch.description).collect();
            self.nearest = Some((distance, NearestPuzzle { puzzle, mismatches }));
        }
        distance
    }
}

/// The number of solutions of a puzzle with a given pattern. Smaller values are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SolutionCount {
    One,
    /// Another number, at most [`MOST_SOLUTIONS`].
    Many(u64),
    /// The count was not finished. This is the worst value.
    Unknown,
}

impl SolutionCount {
    fn mismatch(self) -> Option<Mismatch> {
        let (count, description) = match self {
            SolutionCount::One => return None,
            SolutionCount::Many(MOST_SOLUTIONS) => {
                (MOST_SOLUTIONS, format!("it has {MOST_SOLUTIONS} solutions or more"))
            }
            SolutionCount::Many(count) => (count, format!("it has {count} solutions")),
            SolutionCount::Unknown => {
                (MOST_SOLUTIONS, "counting its solutions exceeded the limit".to_string())
            }
        };
        Some(Mismatch::new(100 * count as usize, description))
    }
}

/// The given solution, or a random complete grid.
fn complete_grid(options: &GenerateOptions<'_>, random: &mut Random) -> Grid {
    match &options.solution {
        Some(solution) => solution.clone(),
        None => full::random(options.order, random),
    }
}

/// A remover for these options, and the number of clues to stop at.
fn start_removal<'a>(
    options: &GenerateOptions<'_>,
    solution: &Grid,
    groups: &'a [Vec<Cell>],
    random: &mut Random,
) -> (ClueRemover<'a>, usize) {
    let goal = goal(options, random);
    (
        ClueRemover::new(
            solution,
            groups,
            floor(options, goal),
            options.requirements.is_empty(),
            random,
        ),
        goal,
    )
}

/// The number of clues that removal never goes below.
fn floor(options: &GenerateOptions<'_>, goal: usize) -> usize {
    match &options.clues {
        // Minimal puzzles need full removal; with requirements the complete range can be used.
        _ if options.minimal => 0,
        Some(range) if !options.requirements.is_empty() => *range.start(),
        _ => goal,
    }
}

/// The number of clues to stop at: drawn by weight or from the range, otherwise as few as possible.
///
/// Very large grids stop at three fifths of the cells, because proofs with fewer clues take a
/// second or more.
fn goal(options: &GenerateOptions<'_>, random: &mut Random) -> usize {
    let Some(range) = &options.clues else {
        return if options.order.side() > LARGEST_FULL_REMOVAL {
            options.order.cell_count() * 3 / 5
        } else {
            0
        };
    };
    let all: u32 = options.clue_weights.iter().map(|(_, weight)| weight).sum();
    let mut draw = random.below(all as usize) as u32;
    for &(count, weight) in options.clue_weights {
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
