//! Neural networks that solve Sudokus: one file for each published system, and the rooms they share.
//!
//! ```text
//!  puzzles ─▶ data ─▶ encoding ─▶ a model ─▶ its loss ─▶ adam      training::train: the loop around it
//!                                    │                             training::checkpoint: what it leaves behind
//!                                    └─▶ inference: fill, measure, watch      registry: all models by name
//! ```
//! - [`models`]: the published systems, each with its recipe; [`models::ModelConfig`] is what they have in common.
//! - `ops`: layers, and operations of our own with a fast form for some device.
//! - [`training`]: examples, losses, the optimizer, the training loop and all that a run leaves behind.
//! - [`inference`]: a trained network fills puzzles, is measured and is watched.
//! - [`onnx`]: a trained network as a file for other programs, and back.
//! - [`registry`]: the table of all models; [`device`]: what a network runs on.
#![deny(unsafe_code)]

pub mod device;
pub mod inference;
pub mod models;
pub mod onnx;
mod ops;
mod parallel;
pub mod registry;
pub mod training;
