//! Inference: this is where a trained network answers.

pub mod decoding;
pub mod evaluate;
pub mod predictor;
pub mod watch;
