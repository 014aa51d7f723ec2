//! Reads Sudoku puzzles from photos and screenshots.
//!
//! The stages are files: `find` searches the grid, `mesh` follows its lines, `cells` cuts out the
//! cells, `network` classifies them, and `joint` finds the most likely puzzle under the rules.
//! The crate needs no tensor library; the feature `decode` adds decoders for image files.
#![forbid(unsafe_code)]

pub mod cells;
pub mod classify;
mod components;
mod contrast;
#[cfg(feature = "decode")]
pub mod draw;
#[cfg(feature = "decode")]
pub mod evaluate;
pub mod find;
pub mod geometry;
pub mod grey;
pub mod joint;
#[cfg(feature = "decode")]
pub mod labels;
pub mod mesh;
pub mod network;
#[cfg(feature = "decode")]
pub mod open;
mod quads;
pub mod reading;
pub mod regions;
#[cfg(feature = "serde")]
pub mod report;
mod score;
pub mod signs;
#[cfg(any(test, feature = "synth"))]
pub mod synth;
#[cfg(test)]
mod tests;
#[cfg(feature = "train")]
pub mod train;

pub use grey::{GreyImage, PixelsError};
pub use reading::{NoGridError, Outcome, Reader, Reading};
