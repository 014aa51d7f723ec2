//! Explanations of solutions for people.
//!
//! An [`Explanation`] contains a position, what a search found out about its solutions, the checked
//! steps from there on, and the outcome. Text, notation, pictures and (with feature `serde`) JSON
//! are derived from it. The command line, the web page and the generator all use it, so their
//! results agree. This module does not search for solutions; the caller passes in the search
//! result.

mod explanation;
mod hint;
pub mod lessons;
mod notation;
mod outcome;
pub mod picture;
mod technique_summary;
#[cfg(feature = "serde")]
pub mod view;
mod words;

pub use explanation::{CheckedSteps, ExplainOutcome, Explanation};
pub use hint::{Hint, Mistake, first_mistake, mistake};
pub use notation::Notation;
pub use technique_summary::TechniqueSummary;
pub use words::{Detail, Language, UnknownLanguageError, Wording};
