//! New puzzles: this is where we make them.
//!
//! A [`Wish`] says what a setter wants; [`make`] cuts clues out of a random complete grid until the wish is met. Every
//! puzzle that leaves this module has been proven to have one solution. Puzzle number `index` of a seed is the same
//! whether it is made alone, in a row or on many threads, because each has a random stream of its own.
//!
//! ```
//! use ninefold::generate::{self, Wish};
//! use ninefold::grid::Order;
//!
//! let wish = Wish { clues: Some(28..=30), ..Wish::any(Order::NINE) };
//! let made = generate::make(&wish, 7, 0)?;
//! assert!((28..=30).contains(&made.puzzle.clue_count()));
//! assert!(made.solution.solves(&made.puzzle));
//! # Ok::<(), generate::Refusal>(())
//! ```

pub mod census;
pub mod climb;
mod cut;
pub mod full;
mod paper_two;
mod pattern;
mod removal;
mod wish;

pub use paper_two::{paper_two, paper_two_redrawn};
pub use pattern::PatternSymmetry;
pub use removal::is_minimal;
pub use wish::{BadWish, Between, Demand, Fit, KAGGLE_CLUES, Nearest, NotFound, Refusal, SinglesOnly, Wish};

pub use crate::search::unique::is_unique;

use crate::grid::Grid;
use crate::random::Random;
use std::ops::Range;

/// A puzzle and its only solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The puzzle.
    pub puzzle: Grid,
    /// Its only solution.
    pub solution: Grid,
}

/// Puzzle number `index` of the ones that `seed` makes for this wish.
pub fn make(wish: &Wish<'_>, seed: u64, index: u64) -> Result<Made, Refusal> {
    wish.check()?;
    let mut random = Random::for_part(seed, index);
    Ok(removal::make(wish, &mut random)?)
}

/// Makes the puzzles with these indices on several threads and hands them over in order.
///
/// A wish that cannot be met is handed over as such; whether to go on is up to `deliver`, which answers with `false`
/// to stop.
pub fn make_many(
    wish: &Wish<'_>,
    seed: u64,
    indices: Range<u64>,
    threads: usize,
    mut deliver: impl FnMut(u64, Result<Made, Refusal>) -> bool,
) {
    if let Err(bad) = wish.check() {
        for index in indices {
            if !deliver(index, Err(bad.clone().into())) {
                return;
            }
        }
        return;
    }
    // Puzzles are made in bundles, so that memory stays bounded and the order is kept.
    let threads = threads.max(1) as u64;
    let mut start = indices.start;
    while start < indices.end {
        let end = indices.end.min(start + BUNDLE * threads);
        let bundles: Vec<Range<u64>> =
            (start..end).step_by(BUNDLE as usize).map(|first| first..end.min(first + BUNDLE)).collect();
        let made: Vec<Result<Made, NotFound>> = match &bundles[..] {
            [only] => removal::make_all(wish, seed, only.clone()),
            _ => std::thread::scope(|scope| {
                let make_all = |bundle: Range<u64>| scope.spawn(move || removal::make_all(wish, seed, bundle));
                let workers: Vec<_> = bundles.into_iter().map(make_all).collect();
                workers.into_iter().flat_map(|worker| worker.join().expect("no maker panics")).collect()
            }),
        };
        for (index, made) in (start..end).zip(made) {
            if !deliver(index, made.map_err(Refusal::from)) {
                return;
            }
        }
        start = end;
    }
}

/// Puzzles that are made side by side: enough to fill the lanes of a vector for most of the time.
const BUNDLE: u64 = 256;
