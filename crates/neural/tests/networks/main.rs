//! The networks from outside. One program for all of them: what is generic over the device is compiled once for each.

mod energy;
mod experiments;
mod schendowich;
mod sharaf;
mod solve_cases;
mod training;
