//! Errors as the user sees them: what happened, and how to fix it.

use crate::source::Place;
use ninefold::grid::{Order, ParseGridError};
use std::fmt;

/// An error message and an optional hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CliError {
    pub message: String,
    /// What the user can do about it.
    pub hint: Option<String>,
}

impl CliError {
    pub fn new(message: impl Into<String>) -> CliError {
        CliError { message: message.into(), hint: None }
    }

    /// A file, or standard input, that cannot be read.
    pub fn cannot_read(name: impl fmt::Display, error: impl fmt::Display) -> CliError {
        CliError::new(format!("cannot read {name}: {error}"))
    }

    /// A file or directory that cannot be written.
    pub fn cannot_write(name: impl fmt::Display, error: impl fmt::Display) -> CliError {
        CliError::new(format!("cannot write {name}: {error}"))
    }

    /// The input contains no puzzle.
    pub fn empty_input() -> CliError {
        CliError::new("there is no puzzle in the input").hint("write one puzzle per line")
    }

    /// An option that the chosen mode cannot use.
    pub fn unsupported_option(option: &str, mode: &str) -> CliError {
        CliError::new(format!("{option} cannot be used with {mode}"))
    }

    /// Sets the hint.
    pub fn hint(self, hint: impl Into<String>) -> CliError {
        CliError { hint: Some(hint.into()), ..self }
    }

    /// The text without `error: `, for a negative answer that is not an error.
    pub fn without_prefix(&self) -> String {
        let text = self.to_string();
        text.strip_prefix("error: ").unwrap_or(&text).to_string()
    }

    /// Adds the location of the error.
    pub fn at(self, place: &Place) -> CliError {
        CliError { message: format!("{}{}", place.prefix(), self.message), ..self }
    }

    /// A text that is not a grid. `order` is the size that `--boxes` requests.
    pub fn invalid_grid(error: &ParseGridError, order: Option<Order>) -> CliError {
        let hint = match error {
            ParseGridError::Empty => {
                "write one character for each cell: 1-9, and 0, . or x for empty".to_string()
            }
            ParseGridError::NotADigit { .. } => {
                "use 1-9, and 0, . or x for empty; A is 10, B is 11 and so on".to_string()
            }
            ParseGridError::TooLarge { .. } => {
                "for boxes of another shape use --boxes, for example --boxes 2x3".to_string()
            }
            ParseGridError::WrongLength { .. } | ParseGridError::WrongLengthFor { .. } => {
                match order {
                    Some(order) => {
                        format!("--boxes requests {order}; leave it out to read grids of any size")
                    }
                    None => "a puzzle is one line with a character for each cell, or a drawn grid"
                        .to_string(),
                }
            }
            ParseGridError::RaggedRow { .. } => {
                "a drawn grid has as many cells in each row as it has rows".to_string()
            }
            ParseGridError::Duplicate(_) => {
                "one of the two digits is wrong; no grid can contain both".to_string()
            }
            _ => return CliError::new(error.to_string()),
        };
        CliError::new(error.to_string()).hint(hint)
    }
}

/// `error: …`, a blank line, `hint: …`.
impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", printable(&self.message))?;
        match &self.hint {
            Some(hint) => write!(f, "\n\nhint: {}", printable(hint)),
            None => Ok(()),
        }
    }
}

/// The text without characters that control the terminal: they could come from the name of a file
/// or from its content.
pub fn printable(text: &str) -> String {
    let is_harmless = |character: &char| match character {
        '\n' | '\t' => true,
        // These change the direction of writing.
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => false,
        _ => !character.is_control(),
    };
    let mut printable = String::with_capacity(text.len());
    for character in text.chars() {
        match is_harmless(&character) {
            true => printable.push(character),
            false => printable.extend(character.escape_default()),
        }
    }
    printable
}

impl std::error::Error for CliError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_cannot_control_the_terminal() {
        let error = CliError::cannot_read("\u{1b}]0;owned\u{7}\u{202e}txt.exe", "no such file");
        let shown = error.hint("see \u{9b}2J").to_string();
        assert!(!shown.contains(['\u{1b}', '\u{7}', '\u{202e}', '\u{9b}']), "{shown:?}");
        assert!(shown.starts_with("error: cannot read \\u{1b}]0;owned\\u{7}"), "{shown}");
        assert_eq!(printable("größer\n  als 9×9"), "größer\n  als 9×9");
    }
}
