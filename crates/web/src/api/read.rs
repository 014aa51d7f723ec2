//! Read: finds the puzzles in pasted text of any supported format.

use crate::body::JsonBody;
use crate::client::Client;
use crate::error::ErrorResponse;
use crate::limits::MAX_TIME;
use crate::server::AppState;
use axum::Json;
use axum::extract::State;
use ninefold_api::read::ReadRequest;
use serde_json::Value;

/// Answers `POST /api/read`.
pub async fn answer(
    State(state): State<AppState>,
    client: Client,
    JsonBody(request): JsonBody<ReadRequest>,
) -> Result<Json<Value>, ErrorResponse> {
    Ok(Json(state.queues.run(client, MAX_TIME, move |budget| request.read(budget)).await??))
}
