//! Inference: filling, evaluating and watching with a trained network.

pub mod decoding;
pub mod evaluate;
pub mod predictor;
pub mod watch;
