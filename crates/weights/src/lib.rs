//! Trained weights of the largest networks of `ninefold-neural`, as safetensors files.
//!
//! They are a separate crate because crates.io limits the size of a package.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

/// The weights of `cnn`, the convolutional network of Kocherzhenko.
pub const CNN: &[u8] = include_bytes!("../weights/cnn.safetensors");

/// The weights of `dense-val`, the staged dense network of Tran and Manley.
pub const DENSE_VAL: &[u8] = include_bytes!("../weights/dense-val.safetensors");
