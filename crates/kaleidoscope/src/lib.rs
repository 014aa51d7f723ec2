//! Kaleidoscope: a small network of our own that turns with the puzzle, and thinks until the grid keeps the rules.
//!
//! **Idea.** A state belongs to a candidate, not to a cell. In every iteration a candidate attends to the candidates of its
//! cell, and to those of its digit in its row, its column and its box, with one set of weights for all candidates. So no weight
//! knows a digit, a place or a size: whatever rearranges a puzzle rearranges the answer, and the same hundred thousand weights
//! take 4×4, 9×9 and 16×16.
//!
//! **Candidates that the clues exclude are not there at all**, which is two thirds of them. What is left would not know how many
//! others there are, since an average of equal members is the same for two and for nine; so every group has one more member, the
//! *sink*, whose score and value are zero.
//!
//! **An answer is verified.** A full grid that keeps the rules and the clues is a solution, whoever proposed it; so the network knows
//! when it is done, and what it could not solve is called unsolved.
//!
//! ```
//! use kaleidoscope::Thinker;
//! use ninefold::Grid;
//!
//! let puzzle: Grid = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
//! let thoughts = Thinker::shipped().think(&[&puzzle.numbers().collect::<Vec<u8>>()]);
//! assert!(thoughts[0].solved);
//! assert_eq!(thoughts[0].digits[..9], [5, 3, 4, 6, 7, 8, 9, 1, 2]);
//! # Ok::<(), ninefold::grid::ParseGridError>(())
//! ```
//! Here it answers on the processor, without a tensor library and without threads; `ninefold-neural` trains it and lets it think on
//! all cores or on a graphics card.
//!
//! | file | this is where we … |
//! |---|---|
//! | [`layout`] | say which candidates are nodes and who attends to whom |
//! | [`parameters`] | keep all weights in one row of numbers |
//! | [`noise`] | begin from another start |
//! | [`forward`] | compute fast |
//! | [`reading`] | turn logits into digits and probabilities |
//! | `think` | answer: until the rules are kept, from another start |
#![deny(unsafe_code)]

pub mod forward;
pub mod layout;
pub mod noise;
pub mod parameters;
pub mod reading;
#[cfg(test)]
mod tests;
mod think;

pub use checkpoint::CheckpointError;
pub use think::{Course, Patience, Thinker, Thought, noise_of_start};

use serde::{Deserialize, Serialize};

/// Who made it.
pub const AUTHORS: &str = "Ninefold 2026";

/// With the settings of the recipe.
pub const PARAMETERS: usize = 98_752;

/// The weights that come with the program: a safetensors file.
pub const SHIPPED_WEIGHTS: &[u8] = include_bytes!("../weights/kaleidoscope.safetensors");

/// Numbers in a query, a key or a value.
pub const HEAD_WIDTH: usize = 8;

/// Keeps the norm of a row of zeros finite.
pub const NORM_EPSILON: f32 = 1e-6;

/// Which candidates are nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Nodes {
    /// Those that no clue excludes.
    #[default]
    Open,
    /// All, each with its role; groups have no sink.
    All,
}

/// The settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Numbers in the state of a candidate; a multiple of 16, at least 32.
    pub width: usize,
    /// Heads of attention, of 8 numbers each; an even number.
    pub heads: usize,
    /// Blocks in an iteration.
    pub blocks: usize,
    /// The gated layer is this many times as wide as the state.
    pub expansion: usize,
    /// Which candidates are nodes.
    pub nodes: Nodes,
}

impl Default for Config {
    fn default() -> Config {
        Config { width: 64, heads: 4, blocks: 2, expansion: 2, nodes: Nodes::Open }
    }
}

impl Config {
    /// For tests.
    pub fn tiny() -> Config {
        Config { width: 32, heads: 2, blocks: 1, expansion: 1, nodes: Nodes::Open }
    }

    /// Does every group have a member that says nothing?
    pub fn has_sink(&self) -> bool {
        self.nodes == Nodes::Open
    }

    /// Can a network be built of these settings? If not, the error says why.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Config { width, .. } if width % 16 != 0 || !(32..=512).contains(width) => {
                Err(format!("the width is a multiple of 16 from 32 to 512; {width} is not"))
            }
            Config { heads, .. } if heads % 2 != 0 || *heads == 0 => {
                Err(format!("the number of heads is even and at least 2; {heads} is not"))
            }
            Config { blocks: 0, .. } | Config { expansion: 0, .. } => {
                Err("at least one block and an expansion of at least 1 are needed".to_string())
            }
            _ => Ok(()),
        }
    }
}
