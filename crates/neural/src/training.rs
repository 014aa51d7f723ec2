//! Training: this is where a network learns from examples.

pub mod adam;
pub mod carry;
pub mod checkpoint;
pub mod compare;
pub mod curves;
pub mod data;
pub mod experiment;
pub mod grades;
pub mod losses;
pub mod metrics;
pub mod quantise;
pub mod throughput;
pub mod train;
