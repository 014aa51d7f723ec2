//! Operations: this is where tensors become other tensors, whatever network they belong to.

pub(crate) mod fast_math;
pub mod im2col;
pub mod layers;
pub mod lstm;
pub mod message_passing;
