//! Neural networks that solve Sudokus: one file per published system, and the code that they share.
//!
//! ```text
//!  puzzles ─▶ data ─▶ encoding ─▶ model ─▶ loss ─▶ Adam   training::train: the training steps
//!                                   │                     training::checkpoint: files of weights
//!                                   └─▶ inference         registry: all models by name
//! ```
//! - [`models`]: the published systems, each with its recipe (the settings that train it);
//!   [`models::ModelConfig`] is their common trait.
//! - `ops`: layers, and custom operations with fast implementations for some devices.
//! - [`training`]: examples, losses, the optimizer, the training loop and checkpoints.
//! - [`inference`]: fills puzzles with a trained network, measures its accuracy and reports every
//!   step.
//! - [`onnx`]: exports trained networks for other programs, and reads them back.
//! - [`registry`]: the table of all models. [`device`]: CPU and GPU backends.
#![deny(unsafe_code)]
#![warn(missing_docs)]

/// Compiles the examples of the README as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;

pub mod device;
pub mod inference;
pub mod models;
pub mod onnx;
mod ops;
pub mod registry;
pub mod training;
