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
mod exchange;
pub mod full;
mod paper_two;
mod pattern;
mod removal;
mod side_by_side;
mod techniques;
mod wish;

pub use paper_two::{paper_two, paper_two_redrawn};
pub use pattern::PatternSymmetry;
pub use removal::is_minimal;
pub use techniques::{ByTechniques, Techniques};
pub use wish::{BadWish, Between, Demand, Fit, KAGGLE_CLUES, Miss, Nearest, NotFound, Refusal, SinglesOnly, Wish};

pub use crate::search::unique::is_unique;

use crate::grid::{Grid, Order};
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
    let bundle = if removal::asks_for_proofs_only(wish) { BUNDLE } else { 1 };
    let make_all = |these| removal::make_all(wish, seed, these);
    side_by_side::in_order(indices, bundle, threads, make_all, |index, made| {
        deliver(index, made.map_err(Refusal::from))
    });
}

/// Makes the puzzles with these indices by the method of paper 2 on several threads and hands them over in order, until
/// `deliver` answers with `false`.
pub fn paper_two_many(
    order: Order,
    refusals: usize,
    seed: u64,
    indices: Range<u64>,
    threads: usize,
    deliver: impl FnMut(u64, Made) -> bool,
) {
    let make_all = |these: Range<u64>| these.map(|index| paper_two(order, refusals, seed, index)).collect();
    side_by_side::in_order(indices, 1, threads, make_all, deliver);
}

/// Puzzles that are made side by side: enough to fill the lanes of a vector for most of the time.
const BUNDLE: u64 = 256;
