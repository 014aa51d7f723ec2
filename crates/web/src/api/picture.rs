//! Picture: the position as SVG, to print or to put into a text.

use super::position::Asked;
use crate::question::Question;
use crate::refusal::Refusal;
use axum::http::header;
use axum::response::IntoResponse;
use ninefold::logic::picture;

/// Answers `POST /api/picture` with clues, entries and marks.
pub async fn answer(Question(asked): Question<Asked>) -> Result<impl IntoResponse, Refusal> {
    let position = asked.position()?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], picture::svg(&position.puzzle, &position.marks, None)))
}
