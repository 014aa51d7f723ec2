//! Puzzle generation.
//!
//! [`GenerateOptions`] describes the requested puzzle. [`generate_one`] removes clues from a random
//! complete grid until all options are met. Every generated puzzle is proven to have exactly one
//! solution; a clue stays if the proof without it exceeds its limit.
//!
//! Results are reproducible. Proof limits count search nodes, never time, so a seed gives the same
//! puzzles on every machine. Puzzle number `index` of a seed has its own random stream and does not
//! depend on the number of threads. A time limit in the options can only turn a puzzle into an
//! error.
//!
//! ```
//! use ninefold::generate::{self, GenerateOptions};
//! use ninefold::grid::Order;
//!
//! let options = GenerateOptions::new(Order::NINE).with_clues(28..=30);
//! let generated = generate::generate_one(&options, 7, 0)?;
//! assert!((28..=30).contains(&generated.puzzle.clue_count()));
//! assert!(generated.solution.solves(&generated.puzzle));
//! # Ok::<(), generate::GenerateError>(())
//! ```

mod batch_removal;
pub mod census;
pub mod climb;
mod clue_remover;
mod error;
mod exchange;
mod fill;
pub mod full;
pub mod kaggle;
mod kocherzhenko;
mod neighbours;
mod options;
mod parallel;
mod pattern;
pub mod range;
mod removal;
mod requirement;
mod techniques;
pub mod unbiased;
pub mod variants;

pub use error::{
    GenerateError, InterruptedError, InvalidOptionsError, NearestPuzzle, NotFoundError,
};
pub use kocherzhenko::{kocherzhenko, kocherzhenko_with_redraws};
pub use neighbours::{exchange_neighbours, neighbour};
pub use options::GenerateOptions;
pub use pattern::{PatternSymmetry, UnknownSymmetryError};
pub use range::ParseRangeError;
pub use requirement::{Fit, Mismatch, RatingRange, Requirement, SinglesOnly};
pub use techniques::{TechniqueOptions, TechniqueRequirement};

use crate::grid::{Grid, Order};
use crate::random::Random;
use crate::search::nine::Line;
use crate::search::{Limits, UnfinishedError, unique};
use std::ops::Range;

/// A puzzle and its only solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedPuzzle {
    /// The puzzle.
    pub puzzle: Grid,
    /// Its only solution.
    pub solution: Grid,
}

/// Returns whether the puzzle has exactly one solution.
///
/// The search is limited to [`unique::NODES_PER_PROOF`] nodes, so the result is the same on every
/// machine. 9×9 puzzles have no limit and never return an error.
pub fn is_unique(puzzle: &Grid) -> Result<bool, UnfinishedError> {
    unique::is_unique(puzzle, &limits(puzzle.order()))
}

/// Returns whether a puzzle with one solution is minimal: no clue can be removed without losing
/// uniqueness.
///
/// The limits are those of [`is_unique`].
pub fn is_minimal(puzzle: &Grid) -> Result<bool, UnfinishedError> {
    unique::is_minimal(puzzle, &limits(puzzle.order()))
}

/// The default limits of a uniqueness proof.
fn limits(order: Order) -> Limits<'static> {
    unique::limits_for(order, unique::NODES_PER_PROOF)
}

/// Generates puzzle number `index` of a seed.
pub fn generate_one(
    options: &GenerateOptions<'_>,
    seed: u64,
    index: u64,
) -> Result<GeneratedPuzzle, GenerateError> {
    options.check()?;
    let mut random = Random::for_part(seed, index);
    removal::generate(options, &mut random)
}

/// Generates the puzzles with these indices on several threads and passes them to `deliver` in
/// order.
///
/// Errors are passed to `deliver`, too. Generation stops when `deliver` returns `false`.
pub fn generate_many(
    options: &GenerateOptions<'_>,
    seed: u64,
    indices: Range<u64>,
    threads: usize,
    deliver: impl FnMut(u64, Result<GeneratedPuzzle, GenerateError>) -> bool,
) {
    generate_in_order(options, seed, indices, threads, BATCH, None, deliver);
}

/// A function that returns, for each of many 9×9 puzzles, whether it has exactly one solution.
pub type AreUnique<'a> = dyn Fn(&[Line]) -> Vec<bool> + Sync + 'a;

/// Generates the same puzzles as [`generate_many`] with an external solver, such as a GPU.
///
/// If uniqueness is the only check that clue removal needs, the puzzles are generated in batches of
/// `batch`, and each round of checks of a batch is one call of `are_unique`. All other puzzles are
/// generated as in [`generate_many`].
pub fn generate_many_with(
    options: &GenerateOptions<'_>,
    seed: u64,
    indices: Range<u64>,
    threads: usize,
    batch: u64,
    are_unique: &AreUnique<'_>,
    deliver: impl FnMut(u64, Result<GeneratedPuzzle, GenerateError>) -> bool,
) {
    generate_in_order(options, seed, indices, threads, batch, Some(are_unique), deliver);
}

fn generate_in_order(
    options: &GenerateOptions<'_>,
    seed: u64,
    indices: Range<u64>,
    threads: usize,
    batch: u64,
    are_unique: Option<&AreUnique<'_>>,
    mut deliver: impl FnMut(u64, Result<GeneratedPuzzle, GenerateError>) -> bool,
) {
    if let Err(error) = options.check() {
        for index in indices {
            if !deliver(index, Err(error.clone().into())) {
                return;
            }
        }
        return;
    }
    let batch = if removal::needs_only_uniqueness(options) { batch } else { 1 };
    let generate_batch = |part| removal::generate_batch(options, seed, part, are_unique);
    parallel::in_order(indices, batch, threads, generate_batch, deliver);
}

/// Generates the puzzles with these indices by Kocherzhenko's method on several threads and passes
/// them to `deliver` in order, until `deliver` returns `false`.
///
/// See [`kocherzhenko`] for `max_failures`.
pub fn kocherzhenko_many(
    order: Order,
    max_failures: usize,
    seed: u64,
    indices: Range<u64>,
    threads: usize,
    deliver: impl FnMut(u64, GeneratedPuzzle) -> bool,
) {
    let generate_part = |part: Range<u64>| {
        part.map(|index| kocherzhenko(order, max_failures, seed, index)).collect()
    };
    parallel::in_order(indices, 1, threads, generate_part, deliver);
}

/// Puzzles generated together by one thread: enough to fill the lanes of a vector most of the time.
const BATCH: u64 = 256;
