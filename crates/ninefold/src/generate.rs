//! New puzzles: this is where we make them.
//!
//! A [`Wish`] says what a setter wants; [`make`] cuts clues out of a random complete grid until the wish is met. Every
//! puzzle that leaves this module has been proven to have one solution; a clue without which that could not be proven
//! within the limit stays. What a puzzle depends on counts nodes and never reads a clock, so it is the same on every machine; a wish may have
//! [`Limits`] of time, and what is not made in time is refused. Puzzle number `index` of a seed is the same
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
mod fill;
pub mod full;
pub mod kaggle;
mod kocherzhenko;
mod neighbours;
mod pattern;
mod questions;
pub mod range;
mod removal;
mod side_by_side;
mod techniques;
pub mod unbiased;
mod wish;

pub use kocherzhenko::{kocherzhenko, kocherzhenko_redrawn};
pub use neighbours::{exchanged, neighbour};
pub use pattern::PatternSymmetry;
pub use techniques::{ByTechniques, Techniques};
pub use wish::{
    BadWish, Between, Demand, Fit, Interrupted, Miss, Nearest, NotFound, Refusal, SinglesOnly, Wish,
};

use crate::grid::{Grid, Order};
use crate::random::Random;
use crate::search::nine::Line;
use crate::search::{Limits, Unfinished, unique};
use std::ops::Range;

/// A puzzle and its only solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The puzzle.
    pub puzzle: Grid,
    /// Its only solution.
    pub solution: Grid,
}

/// Has the puzzle exactly one solution? For 9×9 the answer is always found.
///
/// The limit is the one under which puzzles are made: it counts nodes, so the answer is the same on every machine.
pub fn is_unique(puzzle: &Grid) -> Result<bool, Unfinished> {
    unique::is_unique(puzzle, &limits(puzzle.order()))
}

/// Is every clue of a puzzle with one solution needed? For 9×9 the answer is always found.
pub fn is_minimal(puzzle: &Grid) -> Result<bool, Unfinished> {
    unique::needs_every_clue(puzzle, &limits(puzzle.order()))
}

/// The limits of a proof where no wish says otherwise.
fn limits(order: Order) -> Limits<'static> {
    unique::limits_for(order, unique::NODES_PER_PROOF)
}

/// Puzzle number `index` of the ones that `seed` makes for this wish.
pub fn make(wish: &Wish<'_>, seed: u64, index: u64) -> Result<Made, Refusal> {
    wish.check()?;
    let mut random = Random::for_part(seed, index);
    removal::make(wish, &mut random)
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
    deliver: impl FnMut(u64, Result<Made, Refusal>) -> bool,
) {
    make_in_order(wish, seed, indices, threads, BUNDLE, None, deliver);
}

/// Says of each of many 9×9 puzzles whether it has exactly one solution.
pub type AreUnique<'a> = dyn Fn(&[Line]) -> Vec<bool> + Sync + 'a;

/// The same as [`make_many`], and the same puzzles, but somebody else answers, such as a graphics card: where removal asks
/// for nothing but one solution, the questions of `bundle` puzzles are put to `are_unique` together.
pub fn make_many_asking(
    wish: &Wish<'_>,
    seed: u64,
    indices: Range<u64>,
    threads: usize,
    bundle: u64,
    are_unique: &AreUnique<'_>,
    deliver: impl FnMut(u64, Result<Made, Refusal>) -> bool,
) {
    make_in_order(wish, seed, indices, threads, bundle, Some(are_unique), deliver);
}

fn make_in_order(
    wish: &Wish<'_>,
    seed: u64,
    indices: Range<u64>,
    threads: usize,
    bundle: u64,
    are_unique: Option<&AreUnique<'_>>,
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
    let bundle = if removal::asks_for_proofs_only(wish) { bundle } else { 1 };
    let make_all = |these| removal::make_all(wish, seed, these, are_unique);
    side_by_side::in_order(indices, bundle, threads, make_all, deliver);
}

/// Makes the puzzles with these indices by Kocherzhenko's method on several threads and hands them over in order, until
/// `deliver` answers with `false`.
pub fn kocherzhenko_many(
    order: Order,
    refusals: usize,
    seed: u64,
    indices: Range<u64>,
    threads: usize,
    deliver: impl FnMut(u64, Made) -> bool,
) {
    let make_all =
        |these: Range<u64>| these.map(|index| kocherzhenko(order, refusals, seed, index)).collect();
    side_by_side::in_order(indices, 1, threads, make_all, deliver);
}

/// Puzzles that are made side by side: enough to fill the lanes of a vector for most of the time.
const BUNDLE: u64 = 256;
