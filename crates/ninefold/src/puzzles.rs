//! Collections of puzzles: this is where we compare and describe them.

mod canonical;
pub mod split;
pub mod stats;

pub use canonical::{Canonical, canonical};
