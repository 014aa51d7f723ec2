//! Collections of puzzles: this is where we read, compare and describe them.

mod canonical;
pub mod format;
pub mod split;
pub mod stats;

pub use canonical::{Canonical, canonical};
