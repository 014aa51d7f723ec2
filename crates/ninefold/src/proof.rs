//! Steps with proofs, and a checker for them.
//!
//! A [`Step`] is one deduction together with its proof, and [`check()`] verifies the proof in a
//! position. This module does not use the code that finds steps: the checker depends only on the
//! grid and its candidates, so a bug in a finder cannot affect it.

mod check;
mod image;
#[cfg(feature = "serde")]
mod serial;
mod step;
mod technique;
mod tree;

pub use check::{ProofError, check};
pub use step::{
    Candidate, Chain, Cluster, Combined, Count, Deadly, Impossible, Inference, InferenceReason,
    Node, OneOf, Part, Reason, Step, Strong, Truth,
};
pub(crate) use technique::default_order;
pub use technique::{
    Chapter, HodokuLevel, Technique, UnknownTechniqueError, all as all_techniques,
};
pub use technique::{
    DeadlyType, Fins, Fish, FishSize, OneOrTwo, RectangleType, RuleKind, Shape, SubsetSize,
    WingSize,
};
pub use tree::{Ending, Tree};
