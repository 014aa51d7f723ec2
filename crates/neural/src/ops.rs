//! Layers and tensor operations that the networks share.
//!
//! Most are layers made of the operations of the tensor library. If that is too slow on some
//! device, the operation is a trait (`AddBias`, `Im2col`, `Lstm`, `LstmCell`, `MessagePassing`).
//! Its default methods are the plain implementation, its file names the devices with a faster one,
//! and [`Engine`](crate::device::Engine) combines all these traits.
//!
//! To add an operation with its own kernel, write its file here, implement its trait for `Cpu`,
//! `Gpu` and `Autodiff<B>`, and add the trait to `Engine`. Models and other operations stay
//! unchanged.

pub mod batch_norm;
pub mod convolution;
#[cfg(feature = "cuda")]
mod cuda;
pub mod dense;
pub(crate) use ninefold_training::fast_math;
pub mod im2col;
pub mod init;
pub mod lstm;
pub mod lstm_cell;
pub mod message_passing;
mod slices;
