//! Write: a puzzle as text in another format.

use crate::body::JsonBody;
use crate::client::Client;
use crate::error::ErrorResponse;
use crate::limits::MAX_TIME;
use crate::server::AppState;
use axum::Json;
use axum::extract::State;
use ninefold_api::write::WriteRequest;
use serde_json::Value;

/// Answers `POST /api/write`.
pub async fn answer(
    State(state): State<AppState>,
    client: Client,
    JsonBody(request): JsonBody<WriteRequest>,
) -> Result<Json<Value>, ErrorResponse> {
    Ok(Json(state.queues.run(client, MAX_TIME, move |_| request.write()).await??))
}
