//! Neural networks that solve Sudokus: one file per published system.
//!
//! - [`hopfield`]: a Hopfield network that asks an A* search for hints (paper 5).
#![forbid(unsafe_code)]

pub mod hopfield;
