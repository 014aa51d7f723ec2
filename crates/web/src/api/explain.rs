//! Explain: the whole way from a position to the solution, one reasoned step after the other.

use crate::error::ApiError;
use crate::json_body::JsonBody;
use crate::server::AppState;
use axum::Json;
use axum::extract::State;
use ninefold::explain::view::ExplanationView;
use ninefold_api::explain::{explain, position};
use ninefold_api::game::Asked;

/// Answers `POST /api/explain`. What is not explained in a moment waits in the slow queue.
pub async fn answer(
    State(state): State<AppState>,
    JsonBody(asked): JsonBody<Asked>,
) -> Result<Json<ExplanationView>, ApiError> {
    let (position, language) = position(&asked)?;
    let explanation =
        state.queues.quickly_first(move |time, gone| explain(&position, time, gone)).await?;
    Ok(Json(explanation.ok_or_else(ApiError::bug)?.view(language)))
}
