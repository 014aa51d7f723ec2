//! Neural networks that solve Sudokus: one file for each published system, and the rooms they share.
//!
//! - [`hopfield`]: a Hopfield network that asks an A* search for hints (paper 5).
//!
//! The others are trained on examples, and share everything but their layers:
//!
//! ```text
//!  puzzles ─▶ data ─▶ encode ─▶ a model (cnn, staged) ─▶ losses ─▶ adam       train: the loop around it
//!                                     │                                       checkpoint: what it leaves behind
//!                                     └─▶ evaluate: whole puzzles, cells       registry: which models there are
//! ```
//! A model is named by its settings, a `design::Design`; everything else works with any of them.
#![forbid(unsafe_code)]

pub mod adam;
pub mod carry;
pub mod checkpoint;
pub mod cnn;
pub mod compare;
pub mod curves;
pub mod data;
pub mod design;
pub mod device;
pub mod encode;
pub mod evaluate;
pub mod experiment;
pub mod grades;
pub mod hopfield;
pub mod layers;
pub mod losses;
pub mod lstm;
pub mod metrics;
pub mod multiverse;
mod polynomial;
pub mod quantise;
pub mod recurrent_transformer;
pub mod registry;
pub mod rem;
pub mod rrn;
pub mod staged;
pub mod surroundings;
pub mod throughput;
pub mod train;
pub mod watch;
