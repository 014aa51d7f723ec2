//! Solves long lists of 9×9 puzzles on a GPU, with tens of thousands of threads.
//!
//! [`Gpu::count_to_two`] takes puzzles as lines of 81 bytes. For each puzzle it returns whether
//! there are no, one or several solutions, and the first solution. The CPU checks every solution
//! against the rules and the clues.
//!
//! Without the feature `cuda` the crate has the same functions, but [`Gpu::open`] always fails.

#[cfg(feature = "cuda")]
mod kernel;
#[cfg(feature = "cuda")]
mod solver;
#[cfg(not(feature = "cuda"))]
#[path = "unavailable.rs"]
mod solver;

pub use solver::Gpu;
#[cfg(feature = "cuda")]
pub use solver::{LoadedPuzzles, Tuning, pack};

use ninefold::search::nine::Line;

/// The GPU's answer to one puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Number of solutions, counted up to 2.
    pub solutions: u32,
    /// Guesses made during the search.
    pub guesses: u32,
    /// The first solution, already checked.
    pub first: Option<Line>,
}

/// Why no GPU can be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// The crate was built without the feature `cuda`.
    #[error("GPU support is not compiled in; build with --features cuda")]
    NotBuilt,
    /// The GPU is missing, or its driver does not work.
    #[error("no usable GPU: {0}")]
    Unavailable(String),
}
