//! Rate: how hard a puzzle is, on every scale and by the techniques it asks for.

use crate::error::ApiError;
use crate::json_body::JsonBody;
use crate::server::AppState;
use axum::Json;
use axum::extract::State;
use ninefold_api::game::Asked;
use ninefold_api::rate::{rate, start};
use serde_json::Value;

/// Answers `POST /api/rate`; entries and marks do not count, only the clues. What is not rated in a moment waits in the
/// slow queue.
pub async fn answer(
    State(state): State<AppState>,
    JsonBody(asked): JsonBody<Asked>,
) -> Result<Json<Value>, ApiError> {
    let position = start(&asked)?;
    let rated = state.queues.quickly_first(move |time, gone| rate(&position, time, gone)).await?;
    Ok(Json(rated.ok_or_else(ApiError::bug)??))
}
