//! Solve: the solution of a puzzle that contains the player's entries. If there is none, the
//! entries that are wrong.

use crate::body::JsonBody;
use crate::client::Client;
use crate::error::ErrorResponse;
use crate::limits::MAX_SEARCH_TIME;
use crate::server::AppState;
use axum::Json;
use axum::extract::State;
use ninefold_api::game::GameRequest;
use ninefold_api::solve::solve;
use serde_json::Value;

/// Answers `POST /api/solve`.
pub async fn answer(
    State(state): State<AppState>,
    client: Client,
    JsonBody(request): JsonBody<GameRequest>,
) -> Result<Json<Value>, ErrorResponse> {
    let game = request.game()?;
    Ok(Json(state.queues.run(client, MAX_SEARCH_TIME, move |budget| solve(&game, budget)).await?))
}
