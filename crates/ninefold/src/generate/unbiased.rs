//! Unbiased minimal puzzles: a uniform sample of all minimal 9×9 puzzles.
//!
//! Clue removal prefers puzzles with few clues: 24.4 on average, while the average over all minimal
//! puzzles is 26.6. Berthier (2009) showed how to measure and correct the bias of a generator. This
//! module uses importance sampling:
//!
//! ```text
//! draw a random complete grid, every grid equally likely
//! draw SETS random sets of START clues; drop those with several solutions
//! while k > 0 clues are redundant:  remove one of them, each equally likely
//! ```
//!
//! The result is a minimal puzzle with n clues. The probability of the path that led to it is
//! proportional to 1/∏k. There are (81−n)·(80−n)⋯(82−START) paths: one for each set of START clues
//! that contains the puzzle and each order of removing the others. The weight ∏k / ∏(81−j), with j
//! from n to START−1, therefore corrects the bias over all minimal puzzles of all grids.
//!
//! To draw a grid, its first band and first stack are drawn, each pair equally likely. One of the N
//! grids with this band and stack is chosen, and the weight is multiplied by N.
//!
//! [`generate_many`] delivers a list without weights: it repeats each puzzle in proportion to its
//! weight, and leaves out most puzzles, because their weights are small.
//! [`generate_many_weighted`] delivers all puzzles with their weights, about five hundred times as
//! many in the same time.

use super::{GeneratedPuzzle, full, parallel};
use crate::random::Random;
use crate::search::batch::Batch;
use crate::search::nine::{self, Line};

/// The number of clues in a set. With fewer, hardly any set has one solution; with more, the
/// weights differ more.
const START: usize = 36;

/// The number of sets drawn from one grid.
const SETS: usize = 512;

/// A minimal puzzle and its weight.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct WeightedPuzzle {
    /// The puzzle and its solution.
    pub generated: GeneratedPuzzle,
    /// The natural logarithm of the weight.
    pub ln_weight: f64,
}

/// The logarithm of the weight with which a puzzle is expected once in an unweighted list. Few
/// puzzles weigh more (the average is -7.3); those sometimes occur twice.
const LN_ONE: f64 = -1.0;

/// Generates minimal 9×9 puzzles, each equally likely, and passes them to `deliver` until it
/// returns `false`. The puzzles do not depend on the number of threads.
pub fn generate_many(seed: u64, threads: usize, mut deliver: impl FnMut(GeneratedPuzzle) -> bool) {
    let resampled = |grid| {
        // A separate random stream: the repetitions must not depend on how a puzzle was found.
        let mut random = Random::for_part(!seed, grid);
        let repeat = |puzzle: WeightedPuzzle| {
            vec![puzzle.generated; random_count(puzzle.ln_weight - LN_ONE, &mut random)]
        };
        sample_grid(seed, grid).into_iter().flat_map(repeat).collect()
    };
    for_each_grid(threads, resampled, |puzzles: Vec<GeneratedPuzzle>| {
        puzzles.into_iter().all(&mut deliver)
    });
}

/// Generates minimal 9×9 puzzles with their weights and passes them to `deliver` until it returns
/// `false`. The puzzles do not depend on the number of threads.
pub fn generate_many_weighted(
    seed: u64,
    threads: usize,
    mut deliver: impl FnMut(WeightedPuzzle) -> bool,
) {
    for_each_grid(
        threads,
        |grid| sample_grid(seed, grid),
        |puzzles: Vec<WeightedPuzzle>| puzzles.into_iter().all(&mut deliver),
    );
}

fn for_each_grid<T: Send>(
    threads: usize,
    sample: impl Fn(u64) -> T + Sync,
    mut deliver: impl FnMut(T) -> bool,
) {
    let work = |grids: std::ops::Range<u64>| grids.map(&sample).collect();
    parallel::in_order(0..u64::MAX, 1, threads, work, |_, puzzles| deliver(puzzles));
}

/// A random whole number whose expected value has this logarithm.
fn random_count(ln: f64, random: &mut Random) -> usize {
    let expected = ln.exp();
    expected as usize + usize::from(random.chance(expected.fract()))
}

/// Draws a random complete grid by its number and returns minimal puzzles of it: sometimes none,
/// usually several.
///
/// Weighted sums over many grids are proportional to sums over all minimal puzzles.
///
/// ```
/// use ninefold::generate::unbiased;
///
/// let puzzles = (0..4).flat_map(|grid| unbiased::sample_grid(1, grid));
/// let (clues, weights) = puzzles.fold((0.0, 0.0), |(clues, weights), puzzle| {
///     let weight = puzzle.ln_weight.exp();
///     (clues + weight * puzzle.generated.puzzle.clue_count() as f64, weights + weight)
/// });
/// assert!((24.0..30.0).contains(&(clues / weights)));
/// ```
#[must_use]
pub fn sample_grid(seed: u64, grid: u64) -> Vec<WeightedPuzzle> {
    let mut random = Random::for_part(seed, grid);
    let (solution, count) = full::sample_with_weight(&mut random);
    let mut walks: Vec<Walk> = (0..SETS).map(|_| Walk::start(&solution, &mut random)).collect();
    let lines: Vec<Line> = walks.iter().map(|walk| walk.puzzle).collect();
    let mut tallies = Batch::BEST.count_all(&lines, 2).into_iter();
    walks.retain(|_| tallies.next().is_some_and(|tally| tally.solutions == 1));
    while walks.iter().any(|walk| !walk.is_done) {
        step(&mut walks, &mut random);
    }
    let solution = nine::grid(&solution);
    let weighted = |walk: Walk| WeightedPuzzle {
        generated: GeneratedPuzzle { puzzle: nine::grid(&walk.puzzle), solution: solution.clone() },
        ln_weight: walk.ln_weight + (count as f64).ln(),
    };
    walks.into_iter().map(weighted).collect()
}

/// A puzzle from which clues are removed until it is minimal.
struct Walk {
    puzzle: Line,
    /// Clues that may be redundant. A clue that is necessary once stays necessary.
    open: Vec<usize>,
    ln_weight: f64,
    is_done: bool,
}

impl Walk {
    fn start(solution: &Line, random: &mut Random) -> Walk {
        let mut cells: Vec<usize> = (0..81).collect();
        random.shuffle(&mut cells);
        cells.truncate(START);
        let mut puzzle = [b'.'; 81];
        for &cell in &cells {
            puzzle[cell] = solution[cell];
        }
        Walk { puzzle, open: cells, ln_weight: 0.0, is_done: false }
    }
}

/// Removes one redundant clue from each puzzle that has any.
fn step(walks: &mut [Walk], random: &mut Random) {
    let mut lines: Vec<Line> = Vec::new();
    for walk in walks.iter().filter(|walk| !walk.is_done) {
        lines.extend(walk.open.iter().map(|&cell| without(&walk.puzzle, cell)));
    }
    let mut tallies = Batch::BEST.count_all(&lines, 2).into_iter();
    for walk in walks.iter_mut().filter(|walk| !walk.is_done) {
        walk.open.retain(|_| tallies.next().is_some_and(|tally| tally.solutions == 1));
        if walk.open.is_empty() {
            walk.is_done = true;
            continue;
        }
        let empty = walk.puzzle.iter().filter(|&&byte| byte == b'.').count();
        walk.ln_weight += (walk.open.len() as f64).ln() - ((empty + 1) as f64).ln();
        let cell = walk.open.swap_remove(random.below(walk.open.len()));
        walk.puzzle[cell] = b'.';
    }
}

fn without(puzzle: &Line, cell: usize) -> Line {
    let mut fewer = *puzzle;
    fewer[cell] = b'.';
    fewer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    #[test]
    fn puzzles_are_minimal_and_reproducible() {
        let puzzles = sample_grid(3, 1);
        assert!(!puzzles.is_empty());
        assert_eq!(puzzles, sample_grid(3, 1));
        for WeightedPuzzle { generated, ln_weight } in puzzles {
            assert!(generated.solution.solves(&generated.puzzle) && ln_weight.is_finite());
            assert!(generate::is_minimal(&generated.puzzle).unwrap(), "{}", generated.puzzle);
        }
    }

    #[test]
    fn unweighted_puzzles_are_minimal_and_do_not_depend_on_threads() {
        let list = |threads| {
            let mut puzzles = Vec::new();
            generate_many(5, threads, |generated| {
                puzzles.push(generated);
                puzzles.len() < 3
            });
            puzzles
        };
        assert_eq!(list(1), list(3));
        for GeneratedPuzzle { puzzle, solution } in list(1) {
            assert!(solution.solves(&puzzle) && generate::is_minimal(&puzzle).unwrap());
        }
    }

    #[test]
    fn random_counts_have_the_expected_mean() {
        let mut random = Random::new(1);
        for expected in [0.03, 0.5, 1.0, 2.7] {
            let drawn: usize =
                (0..100_000).map(|_| random_count(f64::ln(expected), &mut random)).sum();
            // Five standard deviations of the mean of a hundred thousand draws.
            assert!((drawn as f64 / 100_000.0 - expected).abs() < 0.008, "{expected}: {drawn}");
        }
    }

    /// This sampler supports only 9×9, so it cannot be compared with the complete census of 4×4.
    /// The reference is Berthier's average of 26.577 clues.
    #[test]
    fn the_weighted_average_of_clues_matches_berthier() {
        let puzzles: Vec<WeightedPuzzle> = (0..12).flat_map(|grid| sample_grid(7, grid)).collect();
        let clues = |puzzle: &WeightedPuzzle| puzzle.generated.puzzle.clue_count() as f64;
        let plain = puzzles.iter().map(clues).sum::<f64>() / puzzles.len() as f64;
        let weights: f64 = puzzles.iter().map(|puzzle| puzzle.ln_weight.exp()).sum();
        let weighted =
            puzzles.iter().map(|puzzle| clues(puzzle) * puzzle.ln_weight.exp()).sum::<f64>()
                / weights;
        assert!(weighted > plain + 0.5, "{plain} {weighted}");
        assert!((25.5..27.7).contains(&weighted), "{weighted}");
    }
}
