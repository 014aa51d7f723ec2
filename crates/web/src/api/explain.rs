//! Explain: the whole way from a position to the solution, one reasoned step after the other.

use super::game::Asked;
use crate::error::ApiError;
use crate::json_body::JsonBody;
use crate::queues::Time;
use crate::server::AppState;
use axum::Json;
use axum::extract::State;
use ninefold::explain::view::ExplanationView;
use ninefold::limits::Stop;
use ninefold::{End, Explanation, Limits, Options, Position, Solutions};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// A search that takes longer leaves it open whether there is one solution.
pub const LONGEST_PROOF: Duration = Duration::from_secs(5);

/// Answers `POST /api/explain`. What is not explained in a moment waits in the slow queue.
pub async fn answer(
    State(state): State<AppState>,
    JsonBody(asked): JsonBody<Asked>,
) -> Result<Json<ExplanationView>, ApiError> {
    let (position, language) = (asked.game()?.position, asked.language()?);
    if let Some(conflict) = position.grid().conflict() {
        return Err(ApiError::conflict(&conflict));
    }
    let explanation = state.queues.quickly_first(move |time, gone| explain(&position, time, gone)).await?;
    Ok(Json(explanation.ok_or_else(ApiError::bug)?.view(language)))
}

/// Explains a position until nothing is left to do, nobody waits or the time is up; what is not finished the first time
/// is no answer.
pub fn explain(position: &Position, time: Time, gone: &AtomicBool) -> Option<Explanation> {
    explain_with(position, &Options::default(), time, gone)
}

/// The same with techniques of one's own.
pub fn explain_with(position: &Position, options: &Options, time: Time, gone: &AtomicBool) -> Option<Explanation> {
    let started = Instant::now();
    let solutions = solutions(position, time.limit().min(LONGEST_PROOF), gone);
    if time.is_first() && solutions.is_none() {
        return None;
    }
    let left = time.limit().saturating_sub(started.elapsed());
    let explanation = Explanation::of(position, solutions, options, &within(left, gone));
    (!time.is_first() || explanation.end != End::Stopped(Stop::Time)).then_some(explanation)
}

/// What a search knows of the solutions of the clues.
pub fn solutions(position: &Position, time: Duration, gone: &AtomicBool) -> Option<Solutions> {
    ninefold::solutions_within(position.puzzle(), &within(time, gone))
}

/// A time, and an end as soon as nobody waits any more.
pub fn within(time: Duration, gone: &AtomicBool) -> Limits<'_> {
    Limits { time: Some(time), nodes: None, cancel: Some(gone) }
}
