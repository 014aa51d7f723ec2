//! Rate: the difficulty of a puzzle on every scale, and the techniques it needs.

use crate::body::JsonBody;
use crate::client::Client;
use crate::error::ErrorResponse;
use crate::limits::MAX_TIME;
use crate::server::AppState;
use axum::Json;
use axum::extract::State;
use ninefold_api::game::GameRequest;
use ninefold_api::rate::{rate, start};
use serde_json::Value;

/// Answers `POST /api/rate`. Only the clues count, not entries and marks.
pub async fn answer(
    State(state): State<AppState>,
    client: Client,
    JsonBody(request): JsonBody<GameRequest>,
) -> Result<Json<Value>, ErrorResponse> {
    let position = start(&request)?;
    Ok(Json(state.queues.run(client, MAX_TIME, move |budget| rate(&position, budget)).await??))
}
