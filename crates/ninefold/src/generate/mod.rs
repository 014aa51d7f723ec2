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

pub mod climb;
mod cut;
pub mod full;
mod paper_two;
mod pattern;
mod removal;
mod wish;

pub use paper_two::paper_two;
pub use pattern::PatternSymmetry;
pub use removal::is_minimal;
pub use wish::{BadWish, Between, Demand, Fit, KAGGLE_CLUES, Nearest, NotFound, Refusal, SinglesOnly, Wish};

pub use crate::search::unique::is_unique;

use crate::grid::Grid;
use crate::random::Random;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

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
    let threads = threads.max(1);
    if threads == 1 {
        for index in indices {
            if !deliver(index, make(wish, seed, index)) {
                return;
            }
        }
        return;
    }
    // Puzzles are made in portions, so that memory stays bounded and the order is kept.
    let portion = 64 * threads as u64;
    let mut start = indices.start;
    while start < indices.end {
        let end = indices.end.min(start + portion);
        let next = AtomicU64::new(start);
        let ready: Mutex<Vec<(u64, Result<Made, Refusal>)>> = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        if index >= end {
                            return;
                        }
                        let made = make(wish, seed, index);
                        ready.lock().expect("no maker panics").push((index, made));
                    }
                });
            }
        });
        let mut ready = ready.into_inner().expect("no maker panics");
        ready.sort_unstable_by_key(|&(index, _)| index);
        for (index, made) in ready {
            if !deliver(index, made) {
                return;
            }
        }
        start = end;
    }
}
