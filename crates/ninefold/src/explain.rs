//! Explanations: this is where we tell a person why.
//!
//! An [`Explanation`] is a position, what a search knows of its solutions, the steps from there on, each replayed by the
//! checker, and how it ended. Words, notation, picture and (with feature `serde`) JSON are views of it; the command
//! line, the page and the generator all use it, so they all say the same. Nothing here searches: whoever asks hands in
//! what a search has found out.

mod ending;
mod explanation;
mod hint;
pub mod lessons;
mod notation;
pub mod picture;
mod uses;
#[cfg(feature = "serde")]
pub mod view;
mod words;

pub use explanation::{Checked, End, Explanation};
pub use hint::{Hint, Mistake, first_mistake, mistake};
pub use notation::Notation;
pub use uses::Uses;
pub use words::{Detail, Language, UnknownLanguage, Wording};
