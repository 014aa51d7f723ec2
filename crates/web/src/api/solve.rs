//! Solve: the solution with the player's entries taken into account, or who makes it impossible.

use crate::error::ApiError;
use crate::json_body::JsonBody;
use crate::limits::{LONGEST_SEARCH, QUICK};
use crate::server::AppState;
use axum::Json;
use axum::extract::State;
use ninefold::search::{Stop, Unfinished};
use ninefold_api::game::Asked;
use ninefold_api::limits::within;
use ninefold_api::solve::{solve, unfinished};
use serde_json::Value;

/// Answers `POST /api/solve`.
pub async fn answer(
    State(state): State<AppState>,
    JsonBody(asked): JsonBody<Asked>,
) -> Result<Json<Value>, ApiError> {
    let game = asked.game()?;
    let again = game.clone();
    let quick = state.queues.quickly(move |gone| solve(&game, &within(QUICK, gone))).await?;
    let answer = match quick {
        Err(Unfinished { stop: Stop::Time, .. }) => {
            state.queues.slowly(move |gone| solve(&again, &within(LONGEST_SEARCH, gone))).await?
        }
        answer => answer,
    };
    Ok(Json(answer.unwrap_or_else(unfinished)))
}
