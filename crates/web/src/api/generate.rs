//! Generate: a new puzzle with requested properties.

use crate::body::JsonBody;
use crate::client::Client;
use crate::error::ErrorResponse;
use crate::limits::MAX_TIME;
use crate::server::AppState;
use axum::Json;
use axum::extract::State;
use ninefold_api::generate::GenerateRequest;
use serde_json::Value;

/// Answers `POST /api/generate`.
pub async fn answer(
    State(state): State<AppState>,
    client: Client,
    JsonBody(request): JsonBody<GenerateRequest>,
) -> Result<Json<Value>, ErrorResponse> {
    let generator = request.generator()?;
    Ok(Json(state.queues.run(client, MAX_TIME, move |budget| generator.generate(budget)).await??))
}
