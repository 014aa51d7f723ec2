//! Rate: the difficulty of a puzzle on every scale, and the techniques it needs. Puzzles with rules
//! have only an effort.

use crate::error::ApiError;
use crate::explain::explain_with;
use crate::game::GameRequest;
use crate::limits::Budget;
use ninefold::logic::SinglesOrder;
use ninefold::rate::scale::{Answer, Reach, Scale};
use ninefold::{ExplainOptions, Position, Solutions, Technique, TechniqueSummary};
use serde_json::{Value, json};
use std::time::Duration;

/// The maximum number of trials on DuPree's scale for one request; the hardest known puzzles need
/// fewer than 20,000.
const MAX_TRIALS: u64 = 50_000;

/// Time limit for one scale. A scale that takes longer reports its lower bounds.
const MAX_SCALE_TIME: Duration = Duration::from_secs(10);

/// The puzzle to rate. Only its clues count, not entries and marks.
pub fn start(request: &GameRequest) -> Result<Position, ApiError> {
    let game = request.game()?;
    Position::from_puzzle(game.position.puzzle()).map_err(|conflict| ApiError::conflict(&conflict))
}

/// The rating as JSON. A puzzle without exactly one solution is an error.
pub fn rate(position: &Position, budget: &Budget<'_>) -> Result<Value, ApiError> {
    let puzzle = position.puzzle();
    let options = ExplainOptions::default().with_singles(SinglesOrder::AsListed);
    let explanation = explain_with(position, &options, budget);
    let error = match explanation.solutions {
        Some(Solutions::One(_)) => None,
        Some(Solutions::Zero) => Some("the puzzle has no solution"),
        Some(Solutions::Many(..)) => Some("the puzzle has more than one solution"),
        None => Some("the puzzle is too hard to be solved in time"),
    };
    if let Some(error) = error {
        return Err(ApiError::invalid(error, "only a puzzle with one solution has a rating"));
    }
    let summary = explanation.technique_summary(&options);
    // Effort is the only scale for puzzles with rules.
    let is_rated =
        |scale: Scale| scale.is_default() && (puzzle.rules().is_none() || scale == Scale::Effort);
    let rate_on = |scale: Scale| {
        let mut limits = budget.limits_within(MAX_SCALE_TIME);
        if scale == Scale::Dupree {
            limits.nodes = Some(MAX_TRIALS);
        }
        (scale, scale.rate(puzzle, &limits, Reach::Quick))
    };
    let ratings: Vec<(Scale, Answer)> =
        Scale::ALL.into_iter().filter(|scale| is_rated(*scale)).map(rate_on).collect();
    let dupree = ratings
        .iter()
        .find(|(scale, _)| *scale == Scale::Dupree)
        .and_then(|(_, rating)| rating.as_ref().ok());
    Ok(json!({
        "clues": puzzle.clue_count(),
        "scales": ratings.iter().map(view).collect::<Vec<_>>(),
        "dupree": dupree.map(|rating| json!({ "points": rating.details.get("score"), "level": rating.details.get("level") })),
        "logic": explanation.outcome.name(),
        "steps": explanation.steps.len(),
        "hardest": summary.hardest().map(|technique| technique.to_string()),
        "hardest_slug": summary.hardest().map(Technique::slug),
        "techniques": technique_counts(&summary),
    }))
}

/// A rating as text and as value; `value` is null if the scale has no rating for the puzzle.
fn view((scale, rating): &(Scale, Answer)) -> Value {
    let (value, details, words) = match rating {
        Ok(rating) => (Some(&rating.value), Some(&rating.details), rating.words.clone()),
        Err(unrated) => (None, None, unrated.to_string()),
    };
    json!({ "name": scale.name(), "title": scale.title(), "value": value, "details": details, "words": words })
}

/// How often each technique was used, the easiest first.
fn technique_counts(summary: &TechniqueSummary) -> Vec<Value> {
    let view = |(technique, count): &(Technique, usize)| json!({ "name": technique.to_string(), "slug": technique.slug(), "count": count });
    summary.techniques.iter().rev().map(view).collect()
}
