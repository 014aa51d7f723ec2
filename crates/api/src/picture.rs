//! Picture: a position as SVG, to print or to put into a text, or one step of its explanation.

use crate::error::ApiError;
use crate::explain::explain;
use crate::game::Asked;
use crate::limits::Time;
use ninefold::explain::picture;
use serde::Deserialize;
use std::sync::atomic::AtomicBool;

/// What to draw.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    /// The clues, in any form that fits one grid.
    puzzle: String,
    /// The shape of the boxes, where it is not the usual one.
    boxes: Option<String>,
    /// The digits that the player wrote.
    #[serde(default)]
    entries: Vec<(usize, u8)>,
    /// The player's pencil marks.
    #[serde(default)]
    marks: Vec<Vec<u8>>,
    /// The language of the picture's title.
    language: Option<String>,
    /// A step of the explanation, counted from 1; without one clues, entries and marks are drawn.
    step: Option<usize>,
}

impl Wanted {
    /// The picture, or why there is none; nothing if the first moment was not enough.
    pub fn svg(&self, time: Time, gone: &AtomicBool) -> Option<Result<String, ApiError>> {
        let Wanted { puzzle, boxes, entries, marks, language, step } = self.clone();
        let asked = Asked { puzzle, boxes, entries, marks, language };
        let Some(number) = step else {
            return Some(asked.game().map(|game| {
                picture::svg(game.position.puzzle(), game.position.candidates(), None)
            }));
        };
        let (position, language) = match crate::explain::position(&asked) {
            Ok(asked) => asked,
            Err(error) => return Some(Err(error)),
        };
        let explanation = explain(&position, time, gone)?;
        let steps = explanation.steps.len();
        let found = number.checked_sub(1).and_then(|index| explanation.positions().nth(index));
        let Some((before, step)) = found else {
            let error = format!("there is no step {number}");
            return Some(Err(ApiError::unusable(
                error,
                format!("the explanation has {steps}, counted from 1"),
            )));
        };
        let pictures = picture::svgs(explanation.puzzle(), &before, step, language);
        Some(pictures.into_iter().next().ok_or_else(ApiError::bug))
    }
}
