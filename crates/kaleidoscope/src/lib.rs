//! Kaleidoscope: a small neural network that solves Sudokus of any size and verifies its answers.
//!
//! **Architecture.** Every candidate, a digit in a cell, has a state. In each iteration a candidate
//! attends to the candidates of its cell, and to those of its digit in its row, column and box. All
//! candidates share one set of weights, so the network is equivariant: it depends neither on digits
//! nor on positions nor on the grid size. About 100,000 weights solve 4×4, 9×9 and 16×16.
//!
//! **Excluded candidates are left out.** Two thirds of all candidates contradict a clue and are not
//! part of the graph. Averages over a group would not show how many members are left, so every
//! group has one more member, the *sink*, with score and value zero.
//!
//! **Variants.** A second set of weights solves puzzles with other rules: killer, jigsaw,
//! thermometers, arrows, dots and all others that [`Rules`](ninefold::grid::rules::Rules) contains.
//! The rules are compiled to groups of candidates of which exactly one is true, with hidden
//! candidates for the combinations of a cage and for partial sums. These groups are the only input
//! that describes the rules.
//!
//! **Answers are verified.** A complete grid that satisfies the rules and the clues is a solution.
//! So the network stops when it has found one, and reports all other puzzles as unsolved.
//!
//! ```
//! use ninefold::Grid;
//! use ninefold_kaleidoscope::Solver;
//!
//! let puzzle: Grid = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
//! let predictions = Solver::shipped().solve(&[&puzzle.numbers().collect::<Vec<u8>>()]);
//! assert!(predictions[0].solved);
//! assert_eq!(predictions[0].digits[..9], [5, 3, 4, 6, 7, 8, 9, 1, 2]);
//! # Ok::<(), ninefold::grid::ParseGridError>(())
//! ```
//! Without features the crate solves puzzles on one CPU thread. It uses no tensor library.
//!
//! | feature | adds |
//! |---|---|
//! | `train` | training on the CPU, solving on all cores, and `heads` that predict rules |
//! | `cuda` | training and solving on an NVIDIA GPU; implies `train` |
//!
//! | module | contents |
//! |---|---|
//! | [`layout`], [`groups`] | the graph: which candidates are nodes, and their attention groups |
//! | [`parameters`] | all weights as one array |
//! | [`noise`] | random initial states |
//! | [`forward`] | one iteration, vectorized |
//! | [`decoding`] | from logits to digits and probabilities |
//! | `solver` | iterations and restarts until a solution is found |
#![deny(unsafe_code)]
#![warn(missing_docs)]

/// Compiles the examples of the README as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;

pub mod decoding;
pub mod forward;
pub mod groups;
#[cfg(feature = "train")]
pub mod heads;
pub mod layout;
pub mod noise;
pub mod parameters;
mod solver;
#[cfg(test)]
mod tests;
#[cfg(feature = "train")]
pub mod train;

pub use ninefold_checkpoint::CheckpointError;
pub use solver::{Budget, Prediction, Run, Solver, noise_of_start};

use serde::{Deserialize, Serialize};

/// The authors of the network.
pub const AUTHORS: &str = "Ninefold 2026";

/// The number of parameters of the default configuration.
pub const PARAMETERS: usize = 98_752;

/// The included weights, as a safetensors file.
pub const SHIPPED_WEIGHTS: &[u8] = include_bytes!("../weights/kaleidoscope.safetensors");

/// The included weights of the network for [all rules](Config::rules), as a safetensors file.
pub const SHIPPED_VARIANT_WEIGHTS: &[u8] =
    include_bytes!("../weights/kaleidoscope-variants.safetensors");

/// The length of a query, key or value of one attention head.
pub const HEAD_WIDTH: usize = 8;

/// Added to the mean square of a row, so that the norm of zeros is finite.
pub const NORM_EPSILON: f32 = 1e-6;

/// Which candidates are nodes of the graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Nodes {
    /// Candidates that contradict no clue.
    #[default]
    Open,
    /// All candidates, each with its role: how it relates to the clues. Groups have no sink.
    All,
}

/// The settings of the network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The length of a candidate's state; a multiple of 16 from 32 to 512.
    pub width: usize,
    /// Attention heads, of 8 numbers each; an even number.
    pub heads: usize,
    /// Blocks per iteration.
    pub blocks: usize,
    /// The width of the gated layer, as a multiple of the state's width.
    pub expansion: usize,
    /// Which candidates are nodes of the graph.
    pub nodes: Nodes,
    /// Whether the network has attention weights for the groups of all rules, and not only for
    /// cells, rows, columns and boxes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rules: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config { width: 64, heads: 4, blocks: 2, expansion: 2, nodes: Nodes::Open, rules: false }
    }
}

impl Config {
    /// Small settings for tests.
    pub fn tiny() -> Config {
        Config { width: 32, heads: 2, blocks: 1, expansion: 1, nodes: Nodes::Open, rules: false }
    }

    /// Whether every group has a sink, a member with score and value zero.
    pub fn has_sink(&self) -> bool {
        self.nodes == Nodes::Open
    }

    /// The number of attention slots: groups of different slots have different weights.
    pub fn slots(&self) -> usize {
        if self.rules { layout::SLOTS } else { layout::HOUSE_SLOTS }
    }

    /// The number of roles of nodes.
    pub fn roles(&self) -> usize {
        match self.nodes {
            Nodes::All => 4,
            Nodes::Open if self.rules => 2,
            Nodes::Open => 1,
        }
    }

    /// Checks the settings. The error is a message for users.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Config { width, .. } if width % 16 != 0 || !(32..=512).contains(width) => {
                Err(format!("the width must be a multiple of 16 from 32 to 512, found {width}"))
            }
            Config { heads, .. } if heads % 2 != 0 || *heads == 0 => {
                Err(format!("the number of heads must be even and at least 2, found {heads}"))
            }
            Config { rules: true, nodes: Nodes::All, .. } => {
                Err("a network with rules has open candidates as nodes".to_string())
            }
            Config { blocks: 0, .. } | Config { expansion: 0, .. } => {
                Err("blocks and expansion must be at least 1".to_string())
            }
            Config { heads, blocks, expansion, .. } if *heads.max(blocks).max(expansion) > 64 => {
                Err("heads, blocks and expansion must be at most 64".to_string())
            }
            _ => Ok(()),
        }
    }
}
