//! What went wrong, and a way on.

use crate::source::Place;
use ninefold::grid::{Order, ParseGridError};
use std::fmt;

/// An error for a person: what happened, and what can be done about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CliError {
    /// What happened.
    pub message: String,
    /// What the reader can do now.
    pub hint: Option<String>,
}

impl CliError {
    /// What happened.
    pub fn new(message: impl Into<String>) -> CliError {
        CliError { message: message.into(), hint: None }
    }

    /// Adds a way on.
    pub fn hint(self, hint: impl Into<String>) -> CliError {
        CliError { hint: Some(hint.into()), ..self }
    }

    /// The same words without `error:`, for an answer that is no.
    pub fn as_an_answer(&self) -> String {
        let text = self.to_string();
        text.strip_prefix("error: ").unwrap_or(&text).to_string()
    }

    /// Says where it happened.
    pub fn at(self, place: &Place) -> CliError {
        CliError { message: format!("{}{}", place.prefix(), self.message), ..self }
    }

    /// A text that is no grid. `wanted` is the size the user asked for.
    pub fn unreadable(error: &ParseGridError, wanted: Option<Order>) -> CliError {
        let hint = match error {
            ParseGridError::Empty => {
                "write one character for each cell: 1-9, and 0, . or x for empty".to_string()
            }
            ParseGridError::NotADigit { .. } => {
                "use 1-9, and 0, . or x for empty; A is 10, B is 11 and so on".to_string()
            }
            ParseGridError::TooLarge { .. } => {
                "for boxes of another shape use --boxes, for example --boxes 2x3".into()
            }
            ParseGridError::WrongLength { .. } | ParseGridError::WrongLengthFor { .. } => {
                match wanted {
                    Some(order) => {
                        format!("--boxes asks for {order}; leave it out to read grids of any size")
                    }
                    None => "a puzzle is one line with a character for each cell, or a drawn grid"
                        .to_string(),
                }
            }
            ParseGridError::RaggedRow { .. } => {
                "every row of a drawn grid has as many cells as there are rows".into()
            }
            ParseGridError::Duplicate(_) => {
                "one of the two is a slip; no grid can hold both".to_string()
            }
        };
        CliError::new(error.to_string()).hint(hint)
    }
}

/// `error: …`, a blank line, `hint: …`.
impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\n\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for CliError {}
