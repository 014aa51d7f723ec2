//! Training runs: the examples, the loop and the files that all Sudoku networks share.
//!
//! ```text
//! puzzles ─▶ data ─▶ a Learner: one optimizer step at a time
//!                        │
//!                 run: the loop ─▶ checkpoints, metrics, curves, weights
//! ```
//! The crate uses no tensor library. Networks implement the trait [`run::Learner`]: those in
//! `ninefold-neural` compute with tensors, the one in `ninefold-kaleidoscope` with its own kernels.
//!
//! | module | contents |
//! |---|---|
//! | [`data`] | examples: puzzles with solutions, generated or read from lists |
//! | [`rule_labels`] | which of the six rules of Cheewaprakobkit et al. apply on a board |
//! | [`experiment`] | experiment files: changes to the recipe of a model |
//! | [`run`] | the training loop: time limit, stop requests, checkpoints, resuming |
//! | [`checkpoint`] | checkpoint files |
//! | [`metrics`], [`curves`], [`compare`] | measurements of one or several runs |
//! | [`throughput`] | training speed |
//! | [`memory`], [`stop`] | limits on memory and time |
//! | [`parallel`], [`fast_math`] | loops on all cores, and vectorizable functions for them |
#![deny(unsafe_code)]
#![warn(missing_docs)]

/// Compiles the examples of the README as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;

pub mod checkpoint;
pub mod compare;
pub mod curves;
pub mod data;
pub mod experiment;
pub mod fast_math;
pub mod memory;
pub mod metrics;
pub mod parallel;
pub mod rule_labels;
pub mod run;
pub mod stop;
pub mod throughput;

pub use experiment::ExperimentError;
pub use run::{Learner, TrainError, TrainOptions, TrainOutcome};
