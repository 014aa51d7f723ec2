//! Explain: the full path from a position to the solution, step by step with reasons.

use crate::body::JsonBody;
use crate::client::Client;
use crate::error::ErrorResponse;
use crate::limits::MAX_TIME;
use crate::server::AppState;
use axum::Json;
use axum::extract::State;
use ninefold::explain::view::ExplanationView;
use ninefold_api::explain::{explain, position};
use ninefold_api::game::GameRequest;

/// Answers `POST /api/explain`.
pub async fn answer(
    State(state): State<AppState>,
    client: Client,
    JsonBody(request): JsonBody<GameRequest>,
) -> Result<Json<ExplanationView>, ErrorResponse> {
    let (position, language) = position(&request)?;
    let explanation =
        state.queues.run(client, MAX_TIME, move |budget| explain(&position, budget)).await?;
    Ok(Json(explanation.view(language)))
}
