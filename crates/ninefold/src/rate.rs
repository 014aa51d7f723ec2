//! How hard a puzzle is: this is where we put numbers on difficulty.
//!
//! One file per scale, and [`scale`] for all of them by name. A scale says in its header what it measures, and whether the number
//! stays the same when a puzzle is turned, mirrored or relabelled.

pub mod consistency;
pub mod dupree;
pub mod effort;
pub mod explainer;
pub mod hodoku;
pub mod scale;
pub mod trial;
pub mod whips;
