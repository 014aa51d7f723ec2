//! Read: pasted text in any format we know becomes puzzles.

use crate::error::ApiError;
use crate::json_body::JsonBody;
use crate::server::AppState;
use axum::Json;
use axum::extract::State;
use ninefold_api::read::Pasted;
use serde_json::Value;

/// Answers `POST /api/read`.
pub async fn answer(
    State(state): State<AppState>,
    JsonBody(pasted): JsonBody<Pasted>,
) -> Result<Json<Value>, ApiError> {
    Ok(Json(state.queues.quickly(move |_| pasted.read()).await??))
}
