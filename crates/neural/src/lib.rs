//! Neural networks that solve Sudokus: one file for each published system, and the rooms they share.
//!
//! ```text
//!  puzzles ─▶ training::data ─▶ models::encoding ─▶ a model ─▶ its loss ─▶ adam      training::train: the loop around it
//!                                                      │                            training::checkpoint: what it leaves
//!                                                      └─▶ inference: whole puzzles, cells      registry: all models
//! ```
//! - [`models`]: the published systems, each with its recipe; what they have in common is [`models::Design`].
//! - [`ops`]: layers, and operations of our own with a fast form for some device.
//! - [`training`]: examples, losses, the optimiser, the training loop and all that a run leaves behind.
//! - [`inference`]: a trained network fills puzzles, is measured and is watched.
//! - [`registry`]: the table of all models by name; [`device`]: what a network runs on.
#![forbid(unsafe_code)]

pub mod device;
pub mod inference;
pub mod models;
pub mod ops;
pub mod registry;
pub mod training;
