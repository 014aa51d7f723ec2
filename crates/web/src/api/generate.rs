//! Generate: a new puzzle by wish.

use crate::error::ApiError;
use crate::json_body::JsonBody;
use crate::server::AppState;
use axum::Json;
use axum::extract::State;
use ninefold_api::generate::Wanted;
use serde_json::Value;
use std::sync::Arc;

/// Answers `POST /api/generate`.
pub async fn answer(
    State(state): State<AppState>,
    JsonBody(wanted): JsonBody<Wanted>,
) -> Result<Json<Value>, ApiError> {
    let wish = Arc::new(wanted.understood()?);
    let made = state.queues.quickly_first(move |time, gone| wish.make(time, gone)).await?;
    Ok(Json(made.ok_or_else(ApiError::bug)??))
}
