//! Operations: this is where tensors become other tensors, whatever network they belong to.
//!
//! Most are layers made of the tensor library's own operations. Where that is too slow on some device, the operation is a
//! trait of its own (`AddBias`, `Im2col`, `Lstm`, `LstmCell`, `MessagePassing`): its methods are the plain form, its file
//! says which device has a faster one, and [`Engine`](crate::device::Engine) is the sum of these traits.
//!
//! To add an operation with a kernel of its own, write its file here, implement its trait for `Cpu`, `Gpu` and
//! `Autodiff<B>`, and add the trait to `Engine`; no model and no other operation changes.

pub mod batch_norm;
pub mod convolution;
#[cfg(feature = "cuda")]
mod cuda;
pub mod dense;
pub(crate) mod fast_math;
pub mod im2col;
pub mod init;
pub mod lstm;
pub mod lstm_cell;
pub mod message_passing;
mod slices;
