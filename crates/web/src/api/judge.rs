//! Judge: whether a deduction is valid.

use crate::body::JsonBody;
use crate::client::Client;
use crate::error::ErrorResponse;
use crate::limits::MAX_TIME;
use crate::server::AppState;
use axum::Json;
use axum::extract::State;
use ninefold_api::judge::{JudgeRequest, judge};
use serde_json::Value;

/// Answers `POST /api/judge`.
pub async fn answer(
    State(state): State<AppState>,
    client: Client,
    JsonBody(request): JsonBody<JudgeRequest>,
) -> Result<Json<Value>, ErrorResponse> {
    let deduction = request.deduction()?;
    Ok(Json(state.queues.run(client, MAX_TIME, move |budget| judge(&deduction, budget)).await??))
}
