//! Rate: how hard a puzzle is, on every scale and by the techniques it asks for.

use crate::error::ApiError;
use crate::explain::explain_with;
use crate::game::Asked;
use crate::limits::{Time, within};
use ninefold::clock::Instant;
use ninefold::logic::SinglesOrder;
use ninefold::rate::scale::{Answer, Reach, Scale};
use ninefold::{Options, Position, Solutions, Technique, Uses};
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Trials that one request may spend; the hardest puzzles known need fewer than 20,000.
const MOST_TRIALS: u64 = 50_000;

/// Trials for the first moment.
const FIRST_TRIALS: u64 = 2_000;

/// A scale that takes longer says what is known so far.
const LONGEST: Duration = Duration::from_secs(10);

/// The start of the puzzle that shall be rated; entries and marks do not count, only the clues.
pub fn start(asked: &Asked) -> Result<Position, ApiError> {
    Position::start(asked.game()?.position.puzzle())
        .map_err(|conflict| ApiError::conflict(&conflict))
}

/// The rating, or why there is none; nothing if the first moment was not enough.
pub fn rate(position: &Position, time: Time, gone: &AtomicBool) -> Option<Result<Value, ApiError>> {
    let started = Instant::now();
    let puzzle = position.puzzle();
    let options = Options { singles: SinglesOrder::AsListed, ..Options::default() };
    let explanation = explain_with(position, &options, time, gone)?;
    let refused = match explanation.solutions {
        Some(Solutions::One(_)) => None,
        Some(Solutions::Zero) => Some("the puzzle has no solution"),
        Some(Solutions::Many(..)) => Some("the puzzle has more than one solution"),
        None => Some("the puzzle is too hard to be solved in time"),
    };
    if let Some(why) = refused {
        return Some(Err(ApiError::unusable(why, "only a puzzle with one solution has a rating")));
    }
    let uses = explanation.uses(&options);
    let mut ratings = Vec::new();
    for scale in Scale::ALL.into_iter().filter(|scale| scale.is_default()) {
        let left = time.limit().saturating_sub(started.elapsed()).min(LONGEST);
        let mut limits = within(left, gone);
        if scale == Scale::Dupree {
            limits.nodes = Some(if time.is_first() { FIRST_TRIALS } else { MOST_TRIALS });
        }
        let rating = scale.rate(puzzle, &limits, Reach::Quick);
        // A rating that the first moment cuts short is begun again with more time.
        if time.is_first() && rating.as_ref().is_err_and(|unrated| unrated.is_stopped) {
            return None;
        }
        ratings.push((scale, rating));
    }
    let dupree = ratings
        .iter()
        .find(|(scale, _)| *scale == Scale::Dupree)
        .and_then(|(_, rating)| rating.as_ref().ok());
    Some(Ok(json!({
        "clues": puzzle.clue_count(),
        "scales": ratings.iter().map(view).collect::<Vec<_>>(),
        "dupree": dupree.map(|rating| json!({ "points": rating.details.get("score"), "level": rating.details.get("level") })),
        "logic": explanation.end.name(),
        "steps": explanation.steps.len(),
        "hardest": uses.hardest().map(|technique| technique.to_string()),
        "techniques": tally(&uses),
    })))
}

/// What a scale says, for a person and for a table; `value` is null where it says nothing.
fn view((scale, rating): &(Scale, Answer)) -> Value {
    let (value, words) = match rating {
        Ok(rating) => (Some(&rating.value), rating.words.clone()),
        Err(unrated) => (None, unrated.to_string()),
    };
    json!({ "name": scale.name(), "title": scale.title(), "value": value, "words": words })
}

/// How often each technique was used, the easiest first.
fn tally(uses: &Uses) -> Vec<Value> {
    let view = |(technique, count): &(Technique, usize)| json!({ "name": technique.to_string(), "slug": technique.slug(), "count": count });
    uses.techniques.iter().rev().map(view).collect()
}
