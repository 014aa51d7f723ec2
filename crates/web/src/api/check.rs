//! Check: is the player on the way, and if not, where?

use crate::error::ApiError;
use crate::json_body::JsonBody;
use crate::limits::{LONGEST_SEARCH, QUICK};
use crate::server::AppState;
use axum::Json;
use axum::extract::State;
use ninefold::search::{Stop, Unfinished};
use ninefold_api::check::{check, unfinished};
use ninefold_api::game::Asked;
use ninefold_api::limits::within;
use serde_json::Value;

/// Answers `POST /api/check`.
pub async fn answer(
    State(state): State<AppState>,
    JsonBody(asked): JsonBody<Asked>,
) -> Result<Json<Value>, ApiError> {
    let game = asked.game()?;
    let again = game.clone();
    let quick = state.queues.quickly(move |gone| check(&game, &within(QUICK, gone))).await?;
    let answer = match quick {
        Err(Unfinished { stop: Stop::Time, .. }) => {
            state.queues.slowly(move |gone| check(&again, &within(LONGEST_SEARCH, gone))).await?
        }
        answer => answer,
    };
    Ok(Json(answer.unwrap_or_else(|_| unfinished())))
}
