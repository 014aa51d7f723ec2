//! Check: whether the player's digits are right, and which ones are wrong.

use crate::body::JsonBody;
use crate::client::Client;
use crate::error::ErrorResponse;
use crate::limits::MAX_SEARCH_TIME;
use crate::server::AppState;
use axum::Json;
use axum::extract::State;
use ninefold_api::check::check;
use ninefold_api::game::GameRequest;
use serde_json::Value;

/// Answers `POST /api/check`.
pub async fn answer(
    State(state): State<AppState>,
    client: Client,
    JsonBody(request): JsonBody<GameRequest>,
) -> Result<Json<Value>, ErrorResponse> {
    let game = request.game()?;
    Ok(Json(state.queues.run(client, MAX_SEARCH_TIME, move |budget| check(&game, budget)).await?))
}
