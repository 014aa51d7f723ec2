//! Training: this is where a network learns from examples.
//!
//! | to learn | modules |
//! |---|---|
//! | from what | [`data`] examples and datasets, `grades` by difficulty |
//! | how | [`experiment`] all settings of a run, `losses`, `adam`, `carry`, [`train`] the loop |
//! | what remains | [`checkpoint`], [`quantise`], [`metrics`], [`curves`] and [`compare`] of runs, [`throughput`] |

pub(crate) mod adam;
mod carry;
pub mod checkpoint;
pub mod compare;
pub mod curves;
pub mod data;
pub mod experiment;
mod grades;
pub(crate) mod losses;
pub mod metrics;
pub mod throughput;
pub mod train;

pub use ::checkpoint::quantise;
pub(crate) use ::checkpoint::renamed;
