//! Explain: the full path from a position to the solution, step by step with reasons.

use crate::error::ApiError;
use crate::game::GameRequest;
use crate::limits::Budget;
use ninefold::{ExplainOptions, Explanation, Language, Limits, Position, Solutions};
use std::time::Duration;

/// Time limit for proving that the solution is unique.
pub const MAX_PROOF_TIME: Duration = Duration::from_secs(5);

/// The position and the language of a request. Digits that break the rules are an error.
pub fn position(request: &GameRequest) -> Result<(Position, Language), ApiError> {
    let (position, language) = (request.game()?.position, request.language()?);
    match position.grid().conflict() {
        Some(conflict) => Err(ApiError::conflict(&conflict)),
        None => Ok((position, language)),
    }
}

/// Explains a position with the default techniques.
pub fn explain(position: &Position, budget: &Budget<'_>) -> Explanation {
    explain_with(position, &ExplainOptions::default(), budget)
}

/// Explains a position with these options.
pub fn explain_with(
    position: &Position,
    options: &ExplainOptions,
    budget: &Budget<'_>,
) -> Explanation {
    let solutions = solutions(position, &budget.limits_within(MAX_PROOF_TIME));
    Explanation::new(position, solutions, options, &budget.limits())
}

/// The solutions of the clues; `None` if a limit is reached first.
pub fn solutions(position: &Position, limits: &Limits<'_>) -> Option<Solutions> {
    ninefold::solutions_within(position.puzzle(), limits)
}
