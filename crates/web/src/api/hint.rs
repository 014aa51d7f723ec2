//! Hint: the next deduction from the player's own digits and marks, told in three stages.

use crate::error::ApiError;
use crate::json_body::JsonBody;
use crate::server::AppState;
use axum::Json;
use axum::extract::State;
use ninefold::End;
use ninefold_api::game::Asked;
use ninefold_api::hint::{HintView, any_hint, easy_hint, view};
use ninefold_api::limits::Time;
use std::sync::atomic::AtomicBool;

/// Answers `POST /api/hint`. Easy techniques are tried at once; the others wait in the slow queue.
pub async fn answer(
    State(state): State<AppState>,
    JsonBody(asked): JsonBody<Asked>,
) -> Result<Json<HintView>, ApiError> {
    let (position, language) = (asked.game()?.position, asked.language()?);
    let easy = state.queues.quickly(move |gone| easy_hint(position, gone)).await?;
    let hint = match easy {
        (hint, solutions, position) if *hint.end() == End::Stuck => {
            let look = move |time: Time, gone: &AtomicBool| {
                any_hint(&position, solutions.clone(), time, gone)
            };
            state.queues.quickly_first(look).await?.ok_or_else(ApiError::bug)?
        }
        (hint, ..) => hint,
    };
    Ok(Json(view(&hint, language)))
}
