//! Picture: a position as SVG for printing or for a document, or one step of its explanation.

use crate::error::ApiError;
use crate::explain::explain;
use crate::game::GameRequest;
use crate::limits::Budget;
use ninefold::explain::picture;
use serde::Deserialize;

/// A request for a picture.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PictureRequest {
    /// The clues, in any form that fits one grid.
    puzzle: String,
    /// The shape of the boxes, if it differs from the default.
    boxes: Option<String>,
    /// The player's digits.
    #[serde(default)]
    entries: Vec<(usize, u8)>,
    /// The player's pencil marks.
    #[serde(default)]
    marks: Vec<Vec<u8>>,
    /// The language of the picture's title.
    language: Option<String>,
    /// The step of the explanation to draw, counted from 1. Without it, the position is drawn.
    step: Option<usize>,
}

impl PictureRequest {
    /// The picture as SVG.
    pub fn svg(&self, budget: &Budget<'_>) -> Result<String, ApiError> {
        let PictureRequest { puzzle, boxes, entries, marks, language, step } = self.clone();
        let request =
            GameRequest { puzzle, boxes, entries, marks, language, ..GameRequest::default() };
        let Some(number) = step else {
            let position = request.game()?.position;
            return Ok(picture::svg(position.puzzle(), position.candidates(), None));
        };
        let (position, language) = crate::explain::position(&request)?;
        let explanation = explain(&position, budget);
        let index = number.checked_sub(1);
        let Some((before, step)) = index.and_then(|index| explanation.positions().nth(index))
        else {
            let steps = explanation.steps.len();
            return Err(ApiError::invalid(
                format!("there is no step {number}"),
                format!("the explanation has steps 1 to {steps}"),
            ));
        };
        let pictures = picture::svgs(explanation.puzzle(), &before, step, language);
        pictures.into_iter().next().ok_or_else(ApiError::bug)
    }
}
