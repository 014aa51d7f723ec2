//! Neural networks that solve Sudokus: one file for each published system, and the rooms they share.
//!
//! - [`hopfield`]: a Hopfield network that asks an A* search for hints (paper 5).
//!
//! With the feature `networks`, which brings a tensor library along:
//!
//! ```text
//!  puzzles ─▶ data ─▶ encode ─▶ a model (cnn, staged) ─▶ losses ─▶ adam       train: the loop around it
//!                                     │                                       checkpoint: what it leaves behind
//!                                     └─▶ evaluate: whole puzzles, cells       registry: which models there are
//! ```
//! A model is named by its settings, a `design::Design`; everything else works with any of them.
#![forbid(unsafe_code)]

pub mod hopfield;

#[cfg(feature = "networks")]
pub mod adam;
#[cfg(feature = "networks")]
pub mod checkpoint;
#[cfg(feature = "networks")]
pub mod cnn;
#[cfg(feature = "networks")]
pub mod curves;
#[cfg(feature = "networks")]
pub mod data;
#[cfg(feature = "networks")]
pub mod design;
#[cfg(feature = "networks")]
pub mod device;
#[cfg(feature = "networks")]
pub mod encode;
#[cfg(feature = "networks")]
pub mod evaluate;
#[cfg(feature = "networks")]
pub mod experiment;
#[cfg(feature = "networks")]
pub mod layers;
#[cfg(feature = "networks")]
pub mod losses;
#[cfg(feature = "networks")]
pub mod metrics;
#[cfg(feature = "networks")]
pub mod quantise;
#[cfg(feature = "networks")]
pub mod registry;
#[cfg(feature = "networks")]
pub mod staged;
#[cfg(feature = "networks")]
pub mod train;
