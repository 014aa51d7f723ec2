//! Explain: the whole way from a position to the solution, one reasoned step after the other.

use crate::error::ApiError;
use crate::game::Asked;
use crate::limits::{Time, within};
use ninefold::clock::Instant;
use ninefold::limits::Stop;
use ninefold::{End, Explanation, Language, Options, Position, Solutions};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A search that takes longer leaves it open whether there is one solution.
pub const LONGEST_PROOF: Duration = Duration::from_secs(5);

/// The position and the language asked for, if its digits keep the rules.
pub fn position(asked: &Asked) -> Result<(Position, Language), ApiError> {
    let (position, language) = (asked.game()?.position, asked.language()?);
    match position.grid().conflict() {
        Some(conflict) => Err(ApiError::conflict(&conflict)),
        None => Ok((position, language)),
    }
}

/// Explains a position until nothing is left to do, nobody waits or the time is up; what is not finished the first time
/// is no answer.
pub fn explain(position: &Position, time: Time, gone: &AtomicBool) -> Option<Explanation> {
    explain_with(position, &Options::default(), time, gone)
}

/// The same with techniques of one's own.
pub fn explain_with(
    position: &Position,
    options: &Options,
    time: Time,
    gone: &AtomicBool,
) -> Option<Explanation> {
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
