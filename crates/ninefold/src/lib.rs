//! Ninefold: solves, explains, rates and makes Sudokus of every size.
//!
//! This is the pure library: it opens no files, no sockets and no windows, and it needs no tensors.
//! A puzzle is a [`Grid`](grid::Grid); a tree of tries over it is a [`search`].
//!
//! ```
//! use ninefold::grid::Grid;
//! use ninefold::search::{self, Limits, Solutions};
//!
//! let puzzle: Grid =
//!     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
//! let solver = search::default_for(puzzle.order());
//! match solver.prove(&puzzle, &Limits::none())?.solutions {
//!     Ok(Solutions::One(solution)) => assert!(solution.solves(&puzzle)),
//!     other => panic!("this puzzle has one solution, not {other:?}"),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(unsafe_code)]

pub mod chart;
pub mod generate;
pub mod grid;
pub mod hybrid;
pub mod logic;
pub mod puzzles;
pub mod random;
pub mod rate;
pub mod search;
