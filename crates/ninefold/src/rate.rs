//! Difficulty ratings.
//!
//! One file per scale. [`scale`] gives access to all scales by name. The documentation of each
//! scale says what it measures and whether the rating is the same for all symmetric images of a
//! puzzle.

pub mod consistency;
pub mod dupree;
pub mod effort;
pub mod explainer;
pub mod hodoku;
pub mod scale;
pub mod trial;
pub mod whips;
