//! Collections of puzzles: canonical forms, train/test splits and statistics.

mod canonical;
pub mod split;
pub mod stats;

pub use canonical::{Canonical, canonical};
