//! The networks from outside. One program for all of them: what is generic over the device is compiled once for each.
//!
//! Only what draws random numbers while it learns stands alone, in `schendowich.rs`: the tensor library has one stream of
//! them for the whole program.

mod energy;
mod experiments;
mod sharaf;
mod solve_cases;
mod training;
