//! Unbiased minimal puzzles: of all minimal 9×9 puzzles there are, each is equally likely.
//!
//! Removal prefers puzzles with few clues: 24.4 on average, where all minimal puzzles together have 26.6. Berthier (2009)
//! showed that the bias of a generator can be known and taken out again. Here that is importance sampling:
//!
//! ```text
//! a random complete grid, every grid equally likely
//! SETS random sets of START clues of it; those with several solutions are dropped
//! while some clues are not needed:  take one of them away, each equally likely; k were not needed
//! ```
//!
//! What comes out is a minimal puzzle with n clues. Of all ways that lead to it, this one was taken with a chance
//! proportional to 1/∏k; and there are (81−n)·(80−n)⋯(82−START) ways, one for each set of START clues around it and each
//! order of taking the others away. So a weight of ∏k / ∏(81−j), j from n to START−1, makes all minimal puzzles of all grids
//! equal.
//!
//! Grids: the first band and the first stack are drawn, each pair equally likely; of all N grids with these one is
//! taken, and the weight is multiplied by N.
//!
//! Who wants a plain list takes [`many`]: it draws each puzzle into the list as often as its weight says, mostly not
//! at all, so that all puzzles of the list count the same. Who computes with weights takes [`many_weighted`] and gets
//! some five hundred times as many puzzles in the same time.

use super::{Made, full, side_by_side};
use crate::random::Random;
use crate::search::batch::Batch;
use crate::search::nine::{self, Line};

/// Clues of the sets that are drawn. With fewer hardly any set has one solution; with more the weights differ more.
const START: usize = 36;

/// Sets that are drawn of one grid.
const SETS: usize = 512;

/// A minimal puzzle, and how much it counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Weighted {
    /// The puzzle and its solution.
    pub made: Made,
    /// The logarithm of its weight.
    pub ln_weight: f64,
}

/// The logarithm of the weight that stands for one puzzle of an even list. Few puzzles weigh more (on average it is -7.3), and
/// those come twice now and then.
const LN_ONE: f64 = -1.0;

/// Minimal 9×9 puzzles of which each there is comes equally often, handed over until `deliver` answers with `false`; the same
/// ones on any number of threads.
pub fn many(seed: u64, threads: usize, mut deliver: impl FnMut(Made) -> bool) {
    let of_grid = |grid| {
        // Another stream than that of the puzzles: how often one comes has nothing to do with how it was found.
        let mut random = Random::for_part(!seed, grid);
        let weighted = of_grid(seed, grid).into_iter();
        let even = weighted
            .flat_map(|puzzle| vec![puzzle.made; times(puzzle.ln_weight - LN_ONE, &mut random)]);
        even.collect()
    };
    of_grids(threads, of_grid, |puzzles: Vec<Made>| puzzles.into_iter().all(&mut deliver));
}

/// All puzzles that are drawn, with their weights, handed over until `deliver` answers with `false`; the same ones on any
/// number of threads.
pub fn many_weighted(seed: u64, threads: usize, mut deliver: impl FnMut(Weighted) -> bool) {
    of_grids(
        threads,
        |grid| of_grid(seed, grid),
        |puzzles: Vec<Weighted>| puzzles.into_iter().all(&mut deliver),
    );
}

fn of_grids<T: Send>(
    threads: usize,
    of_grid: impl Fn(u64) -> T + Sync,
    mut deliver: impl FnMut(T) -> bool,
) {
    let work = |grids: std::ops::Range<u64>| grids.map(&of_grid).collect();
    side_by_side::in_order(0..u64::MAX, 1, threads, work, |_, puzzles| deliver(puzzles));
}

/// A whole number whose expected value has this logarithm.
fn times(ln: f64, random: &mut Random) -> usize {
    let expected = ln.exp();
    expected as usize + usize::from(random.chance(expected.fract()))
}

/// Minimal puzzles of the random complete grid with this number: sometimes none, mostly several.
///
/// Sums over many grids, each puzzle counted with its weight, are in proportion to those over all minimal puzzles.
///
/// ```
/// use ninefold::generate::unbiased;
///
/// let puzzles = (0..4).flat_map(|grid| unbiased::of_grid(1, grid));
/// let (clues, weights) = puzzles.fold((0.0, 0.0), |(clues, weights), puzzle| {
///     let weight = puzzle.ln_weight.exp();
///     (clues + weight * puzzle.made.puzzle.clue_count() as f64, weights + weight)
/// });
/// assert!((24.0..30.0).contains(&(clues / weights)));
/// ```
#[must_use]
pub fn of_grid(seed: u64, grid: u64) -> Vec<Weighted> {
    let mut random = Random::for_part(seed, grid);
    let (solution, count) = full::evenly_drawn(&mut random);
    let mut walks: Vec<Walk> = (0..SETS).map(|_| Walk::start(&solution, &mut random)).collect();
    let lines: Vec<Line> = walks.iter().map(|walk| walk.puzzle).collect();
    let mut tallies = Batch::BEST.count_all(&lines, 2).into_iter();
    walks.retain(|_| tallies.next().is_some_and(|tally| tally.solutions == 1));
    while walks.iter().any(|walk| !walk.is_done) {
        step(&mut walks, &mut random);
    }
    let solution = nine::grid(&solution);
    let weighted = |walk: Walk| Weighted {
        made: Made { puzzle: nine::grid(&walk.puzzle), solution: solution.clone() },
        ln_weight: walk.ln_weight + (count as f64).ln(),
    };
    walks.into_iter().map(weighted).collect()
}

/// A puzzle on its way to a minimal one.
struct Walk {
    puzzle: Line,
    /// Clues that may not be needed; what is needed once stays needed.
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

/// Takes one clue away from each puzzle that has one to spare.
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
    fn puzzles_are_minimal_and_equal_numbers_give_equal_ones() {
        let puzzles = of_grid(3, 1);
        assert!(!puzzles.is_empty());
        assert_eq!(puzzles, of_grid(3, 1));
        for Weighted { made, ln_weight } in puzzles {
            assert!(made.solution.solves(&made.puzzle) && ln_weight.is_finite());
            assert!(generate::is_minimal(&made.puzzle).unwrap(), "{}", made.puzzle);
        }
    }

    #[test]
    fn an_even_list_is_the_same_on_any_number_of_threads_and_its_puzzles_are_minimal() {
        let list = |threads| {
            let mut puzzles = Vec::new();
            many(5, threads, |made| {
                puzzles.push(made);
                puzzles.len() < 3
            });
            puzzles
        };
        assert_eq!(list(1), list(3));
        for made in list(1) {
            assert!(
                made.solution.solves(&made.puzzle) && generate::is_minimal(&made.puzzle).unwrap()
            );
        }
    }

    #[test]
    fn a_puzzle_comes_as_often_as_its_weight_says() {
        let mut random = Random::new(1);
        for expected in [0.03, 0.5, 1.0, 2.7] {
            let drawn: usize = (0..100_000).map(|_| times(f64::ln(expected), &mut random)).sum();
            // Five standard deviations of a hundred thousand draws that differ by at most one.
            assert!((drawn as f64 / 100_000.0 - expected).abs() < 0.008, "{expected}: {drawn}");
        }
    }

    /// On 4×4 everything can be counted, but this sampler takes 9×9 alone; what it must agree with there is Berthier's
    /// average of 26.577 clues.
    #[test]
    fn weighted_puzzles_have_more_clues_than_drawn_ones() {
        let puzzles: Vec<Weighted> = (0..12).flat_map(|grid| of_grid(7, grid)).collect();
        let clues = |puzzle: &Weighted| puzzle.made.puzzle.clue_count() as f64;
        let plain = puzzles.iter().map(clues).sum::<f64>() / puzzles.len() as f64;
        let weights: f64 = puzzles.iter().map(|puzzle| puzzle.ln_weight.exp()).sum();
        let weighted =
            puzzles.iter().map(|puzzle| clues(puzzle) * puzzle.ln_weight.exp()).sum::<f64>()
                / weights;
        assert!(weighted > plain + 0.5, "{plain} {weighted}");
        assert!((25.5..27.7).contains(&weighted), "{weighted}");
    }
}
