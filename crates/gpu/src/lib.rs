//! Long lists of 9×9 puzzles on a graphics card: this is where we search with ten thousands of threads.
//!
//! [`Card::count_to_two`] takes puzzles as lines of 81 bytes and says of each whether it has no solution, one or several, and
//! shows the first one. Every solution is checked against the rules and the clues on the processor before anybody sees it, as
//! everywhere in Ninefold.
//!
//! A build without the feature `cuda` has the same functions, and no card is ever found.

#[cfg(feature = "cuda")]
mod card;
#[cfg(not(feature = "cuda"))]
#[path = "no_card.rs"]
mod card;
#[cfg(feature = "cuda")]
mod kernel;

pub use card::Card;
#[cfg(feature = "cuda")]
pub use card::{Loaded, Tuning, pack};

use ninefold::search::nine::Line;

/// What a card found for one puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Solutions, counted up to 2.
    pub solutions: u32,
    /// Guesses that took.
    pub guesses: u32,
    /// The first solution, checked.
    pub first: Option<Line>,
}

/// Why nothing can be solved on a card.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoCard {
    /// The build has no kernels.
    #[error(
        "this ninefold was built for the processor only; a build with --features cuda can use a graphics card"
    )]
    NotBuilt,
    /// No card, or no driver for it, was found.
    #[error("no graphics card was found: {0}")]
    NotFound(String),
}
