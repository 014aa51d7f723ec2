//! Explain: the whole way from a position to the solution, one reasoned step after the other.

use super::game::Asked;
use crate::error::ApiError;
use crate::json_body::JsonBody;
use crate::server::AppState;
use axum::Json;
use axum::extract::State;
use ninefold::explain::view::ExplanationView;
use ninefold::{Explanation, Limits, Options, Position, Solutions};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// An explanation that takes longer ends where it is.
const LONGEST: Duration = Duration::from_secs(60);

/// A search that takes longer leaves it open whether there is one solution.
pub const LONGEST_SEARCH: Duration = Duration::from_secs(5);

/// Answers `POST /api/explain`.
pub async fn answer(
    State(state): State<AppState>,
    JsonBody(asked): JsonBody<Asked>,
) -> Result<Json<ExplanationView>, ApiError> {
    let (position, language) = (asked.game()?.position, asked.language()?);
    if let Some(conflict) = position.grid().conflict() {
        return Err(ApiError::conflict(&conflict));
    }
    let explanation = state.queues.slowly(move |gone| explain(&position, gone)).await?;
    Ok(Json(explanation.view(language)))
}

/// Explains a position until nothing is left to do, nobody waits or the time is up.
pub fn explain(position: &Position, gone: &AtomicBool) -> Explanation {
    explain_with(position, &Options::default(), gone)
}

/// The same with techniques of one's own.
pub fn explain_with(position: &Position, options: &Options, gone: &AtomicBool) -> Explanation {
    let solutions = solutions(position, LONGEST_SEARCH, gone);
    Explanation::of(position, solutions, options, &within(LONGEST, gone))
}

/// What a search knows of the solutions of the clues.
pub fn solutions(position: &Position, time: Duration, gone: &AtomicBool) -> Option<Solutions> {
    ninefold::solutions_within(position.puzzle(), &within(time, gone))
}

/// A time, and an end as soon as nobody waits any more.
pub fn within(time: Duration, gone: &AtomicBool) -> Limits<'_> {
    Limits { time: Some(time), nodes: None, cancel: Some(gone) }
}
