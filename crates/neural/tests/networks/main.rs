//! Integration tests of the networks. They are one program, because generic code is compiled once
//! per program.
//!
//! Tests that use dropout are a separate program, `schendowich.rs`: the tensor library has one
//! random stream per process.

mod energy;
mod experiments;
mod hostile_files;
mod sharaf;
mod solve_cases;
mod training;
