//! Training of the networks that compute with tensors.
//!
//! | task | modules |
//! |---|---|
//! | examples | [`data`]; `grades` sorts them by difficulty |
//! | settings of a run | [`experiment`] |
//! | optimizer steps | `train`, `losses`, `adam`; `carry` keeps puzzles over several steps |
//! | results | [`checkpoint`], [`quantise`], [`metrics`], [`curves`], [`compare`], [`throughput`] |
//!
//! The training loop ([`run`]) and everything else that needs no tensors are in the crate
//! `ninefold-training`.

pub(crate) mod adam;
mod carry;
pub mod checkpoint;
pub mod experiment;
mod grades;
pub(crate) mod losses;
pub mod throughput;
pub(crate) mod train;

pub use ninefold_checkpoint::quantise;
pub use ninefold_training::{TrainError, TrainOptions, TrainOutcome};
pub use ninefold_training::{compare, curves, data, metrics, parallel, run, stop};
