//! Inference: this is where a trained network answers.

pub mod evaluate;
pub mod watch;
