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
//! | `kernels`, `host`, `card` | compute: what is needed, on the processor, on a graphics card |
//! | `segment` | put the operations in order, forward and backward |
//! | `experiment`, `puzzles`, `train`, `exam` | learn |
//! | `thinker` | answer, on all cores or on a graphics card |
//! | `heads` | ask its states which rules apply, and whether a board can be completed |
//!
//! What it is made of and how it answers on the processor is a crate of its own, which knows no tensor library: `crates/kaleidoscope`.

#[cfg(feature = "cuda")]
mod card;
mod exam;
mod experiment;
mod heads;
mod host;
mod kernels;
mod optimizer;
#[cfg(test)]
mod parity;
mod puzzles;
mod segment;
#[cfg(test)]
mod tests;
mod thinker;
mod train;

#[cfg(feature = "cuda")]
use ::kaleidoscope::noise_of_start;
pub use ::kaleidoscope::{AUTHORS, Config, Nodes, PARAMETERS, Patience, SHIPPED_WEIGHTS, Thought};
use ::kaleidoscope::{HEAD_WIDTH, NORM_EPSILON, forward, layout, noise, parameters, reading};
#[cfg(feature = "cuda")]
pub use card::check::{Deviation, deviations};
pub use experiment::{Exams, Experiment, PuzzleSource, recipe};
pub use heads::recipe as rules_recipe;
pub use heads::{
    DoubtReport, Heads, HeadsConfig, Insight, PARAMETERS as RULES_PARAMETERS, RulesExperiment,
};
pub(crate) use heads::{load as load_rules, measure as measure_rules, train as train_rules};
pub use thinker::Thinker;
pub(crate) use thinker::load;
pub(crate) use train::{measure, train};

/// Whose question the heads are asked.
pub const RULES_AUTHORS: &str = "Cheewaprakobkit and others 2023, asked of kaleidoscope";
