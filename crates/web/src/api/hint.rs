//! Hint: the next deduction from the player's own digits and marks, in three stages.

use crate::body::JsonBody;
use crate::client::Client;
use crate::error::ErrorResponse;
use crate::limits::MAX_TIME;
use crate::server::AppState;
use axum::Json;
use axum::extract::State;
use ninefold_api::game::GameRequest;
use ninefold_api::hint::{HintView, hint, position, view};

/// Answers `POST /api/hint`.
pub async fn answer(
    State(state): State<AppState>,
    client: Client,
    JsonBody(request): JsonBody<GameRequest>,
) -> Result<Json<HintView>, ErrorResponse> {
    let (position, language) = position(&request)?;
    let hint = state.queues.run(client, MAX_TIME, move |budget| hint(&position, budget)).await?;
    Ok(Json(view(&hint, language)))
}
