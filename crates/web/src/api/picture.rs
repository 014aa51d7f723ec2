//! Picture: the position as SVG, to print or to put into a text, or one step of its explanation.

use crate::error::ApiError;
use crate::json_body::JsonBody;
use crate::server::AppState;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use ninefold_api::picture::Wanted;

/// Answers `POST /api/picture`. A step takes an explanation, so it may have to wait.
pub async fn answer(
    State(state): State<AppState>,
    JsonBody(wanted): JsonBody<Wanted>,
) -> Result<impl IntoResponse, ApiError> {
    let svg = state.queues.quickly_first(move |time, gone| wanted.svg(time, gone)).await?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg.ok_or_else(ApiError::bug)??))
}
