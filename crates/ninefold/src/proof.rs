//! Proofs: this is where we say what a deduction is, and check it.
//!
//! A [`Step`] is one deduction together with its proof; [`check`] replays the proof in a position. Nothing here knows how
//! steps are found: the checker rests on the grid and its candidates alone, so a fault of a finder cannot hide in it.

mod check;
mod image;
#[cfg(feature = "serde")]
mod serial;
mod step;
mod technique;
mod tree;

pub use check::{Flaw, check};
pub use step::{
    Because, Candidate, Chain, Cluster, Count, Deadly, Impossible, Inference, Node, OneOf, Step,
    Strong, Truth, Why,
};
pub(crate) use technique::default_order;
pub use technique::{Chapter, HodokuLevel, Technique, UnknownTechnique, all as all_techniques};
pub use technique::{
    DeadlyType, Fins, Fish, FishSize, OneOrTwo, RectangleType, Shape, SubsetSize, WingSize,
};
pub use tree::{Ending, Tree};
