//! Write: a puzzle as text in any format that can contain it.

use crate::error::ApiError;
use crate::game::GameRequest;
use ninefold_formats::{Entry, Format, WriteError, Writer};
use serde::Deserialize;
use serde_json::{Value, json};

/// A request to write a puzzle.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WriteRequest {
    /// The clues, in any form that fits one grid.
    puzzle: String,
    /// The shape of the boxes, if it differs from the default.
    boxes: Option<String>,
    /// The name of the format, such as `fpuzzles`.
    format: String,
    /// The title of the puzzle.
    title: Option<String>,
    /// The author of the puzzle.
    author: Option<String>,
    /// The rules in words.
    ruleset: Option<String>,
}

impl WriteRequest {
    /// The text, and the usual extension of a file with it.
    pub fn write(self) -> Result<Value, ApiError> {
        let format: Format =
            self.format.parse().map_err(|error: ninefold_formats::UnknownFormatError| {
                ApiError::invalid(error.to_string(), "links are written by fpuzzles and sudokupad")
            })?;
        let WriteRequest { puzzle, boxes, title, author, ruleset, .. } = self;
        let game = GameRequest { puzzle, boxes, ..GameRequest::default() }.game()?;
        let entry = Entry::new(game.position.puzzle().clone())
            .with_source(title)
            .with_author(author)
            .with_ruleset(ruleset);
        let write = || -> Result<Vec<u8>, WriteError> {
            let mut writer = Writer::new(format, Vec::new())?;
            writer.write(&entry)?;
            writer.finish()
        };
        let bytes = write().map_err(|error| {
            ApiError::invalid(error.to_string(), "the format json contains every rule; fpuzzles and sudokupad contain those with a name")
        })?;
        let text = String::from_utf8_lossy(&bytes).trim_end().to_string();
        Ok(json!({ "text": text, "extension": format.extension() }))
    }
}
