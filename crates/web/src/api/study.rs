//! Study: solutions, redundant clues and neighbours of a puzzle that is being set.

use crate::body::JsonBody;
use crate::client::Client;
use crate::error::ErrorResponse;
use crate::limits::MAX_TIME;
use crate::server::AppState;
use axum::Json;
use axum::extract::State;
use ninefold_api::study::StudyRequest;
use serde_json::Value;

/// Answers `POST /api/study`.
pub async fn answer(
    State(state): State<AppState>,
    client: Client,
    JsonBody(request): JsonBody<StudyRequest>,
) -> Result<Json<Value>, ErrorResponse> {
    let study = request.study()?;
    Ok(Json(state.queues.run(client, MAX_TIME, move |budget| study.answer(budget)).await??))
}
