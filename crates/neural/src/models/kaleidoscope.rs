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
//! **Training.** A batch of puzzles stays while the network thinks, four iterations to a segment, and the state is carried from segment
//! to segment without gradient. A solved puzzle leaves by chance, so that the network also learns to keep a solution. Puzzles
//! are easy at first and harder later; extra digits of the solution are the bridge.
//!
//! | file | this is where we … |
//! |---|---|
//! | `layout` | say which candidates are nodes and who attends to whom |
//! | `parameters` | keep all weights in one row of numbers |
//! | `kernels`, `host`, `card` | compute: what is needed, on the processor, on a graphics card |
//! | `segment` | put the operations in order, forward and backward |
//! | `forward` | compute fast when nothing is learned |
//! | `experiment`, `puzzles`, `train`, `exam` | learn |
//! | `think`, `reading` | answer: until the rules are kept, from another start |
//! | `heads` | ask its states which rules apply, and whether a board can be completed |

#[cfg(feature = "cuda")]
mod card;
mod exam;
mod experiment;
mod forward;
mod heads;
mod host;
mod kernels;
mod layout;
mod noise;
mod optimizer;
mod parameters;
mod puzzles;
mod reading;
mod segment;
#[cfg(test)]
mod tests;
mod think;
mod train;

#[cfg(feature = "cuda")]
pub use card::check::{Deviation, TOLERANCE, deviations};
pub use experiment::{Exams, Experiment, PuzzleSource, recipe};
pub use heads::recipe as rules_recipe;
pub use heads::{DoubtReport, Heads, HeadsConfig, Insight, PARAMETERS as RULES_PARAMETERS, RulesExperiment};
pub(crate) use heads::{load as load_rules, measure as measure_rules, train as train_rules};
pub(crate) use think::load;
pub use think::{Patience, Thinker, Thought};
pub(crate) use train::{measure, train};

use serde::{Deserialize, Serialize};

/// Who made it.
pub const AUTHORS: &str = "Ninefold 2026";

/// Whose question the heads are asked.
pub const RULES_AUTHORS: &str = "Cheewaprakobkit and others 2023, asked of kaleidoscope";

/// With the settings of the recipe.
pub const PARAMETERS: usize = 98_752;

/// Numbers in a query, a key or a value.
const HEAD_WIDTH: usize = 8;

/// Keeps the norm of a row of zeros finite.
const NORM_EPSILON: f32 = 1e-6;

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
    /// Numbers in the state of a candidate; a multiple of 32.
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
    fn has_sink(&self) -> bool {
        self.nodes == Nodes::Open
    }

    fn check(&self) -> Result<(), String> {
        match self {
            Config { width, .. } if width % 32 != 0 || !(32..=512).contains(width) => {
                Err(format!("the width is a multiple of 32 from 32 to 512; {width} is not"))
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
