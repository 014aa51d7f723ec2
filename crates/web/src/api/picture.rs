//! Picture: the position as SVG, to print or to put into a text.

use super::game::Asked;
use crate::error::ApiError;
use crate::json_body::JsonBody;
use axum::http::header;
use axum::response::IntoResponse;
use ninefold::explain::picture;

/// Answers `POST /api/picture` with clues, entries and marks.
pub async fn answer(JsonBody(asked): JsonBody<Asked>) -> Result<impl IntoResponse, ApiError> {
    let position = asked.game()?.position;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], picture::svg(position.puzzle(), position.candidates(), None)))
}
