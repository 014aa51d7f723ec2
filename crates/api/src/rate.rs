//! Rate: how hard a puzzle is, on every scale and by the techniques it asks for.

use crate::error::ApiError;
use crate::explain::explain_with;
use crate::game::Asked;
use crate::limits::{Time, within};
use ninefold::clock::Instant;
use ninefold::limits::Stop;
use ninefold::logic::SinglesOrder;
use ninefold::rate::consistency::{self, Consistency, Verdict};
use ninefold::rate::dupree::{self, NoScore};
use ninefold::rate::{effort, explainer, hodoku};
use ninefold::{Grid, Limits, Options, Position, Solutions, Technique, Uses};
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
    Position::start(asked.game()?.position.puzzle()).map_err(|conflict| ApiError::conflict(&conflict))
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
    let trials = if time.is_first() { FIRST_TRIALS } else { MOST_TRIALS };
    let score = match dupree::score_within(puzzle, trials) {
        Err(NoScore::TooManyTrials { .. }) if time.is_first() => return None,
        score => score.ok(),
    };
    // The strong levels take minutes on large grids.
    let strongest = if puzzle.order().side() <= 9 { Consistency::Ssgac } else { Consistency::Gac };
    let left = time.limit().saturating_sub(started.elapsed());
    let level = match consistency::weakest_within(puzzle, strongest, &within(left, gone)) {
        Err(_) if time.is_first() => return None,
        verdict => verdict,
    };
    let left = time.limit().saturating_sub(started.elapsed()).min(LONGEST);
    let limits = within(left, gone);
    let ratings = [effort_of(puzzle, &limits), explainer_of(puzzle, &limits), hodoku_of(puzzle, &limits)];
    // A rating that the first moment cuts short is begun again with more time.
    if time.is_first() && started.elapsed() >= time.limit() {
        return None;
    }
    Some(Ok(json!({
        "clues": puzzle.clue_count(),
        "scales": scales(score.as_ref(), (strongest, level), ratings),
        "dupree": score.map(|score| json!({ "points": score.points, "level": score.difficulty().label() })),
        "logic": explanation.end.name(),
        "steps": explanation.steps.len(),
        "hardest": uses.hardest().map(|technique| technique.to_string()),
        "techniques": tally(&uses),
    })))
}

/// What each scale says, for a person and for a table; `value` is null where a scale says nothing.
fn scales(
    score: Option<&dupree::Score>,
    (strongest, level): (Consistency, Result<Verdict, Stop>),
    [effort, explainer, hodoku]: [(Option<String>, String); 3],
) -> Value {
    let (points, dupree) = match score {
        Some(score) => (Some(score.points.to_string()), format!("{} points, {}", score.points, score.difficulty())),
        None => (None, "no score; the scale takes 9×9 puzzles".to_string()),
    };
    let (level, consistency) = match level {
        Ok(Verdict::Solved(level)) => (Some(level.name()), format!("{level} solves it without search")),
        Err(_) => (None, "no level was found in time".to_string()),
        Ok(_) => (None, format!("no level up to {strongest} solves it without search")),
    };
    json!([
        { "name": "effort", "title": "Difficulty", "value": effort.0, "words": effort.1 },
        { "name": "se", "title": "Sudoku Explainer", "value": explainer.0, "words": explainer.1 },
        { "name": "hodoku", "title": "HoDoKu", "value": hodoku.0, "words": hodoku.1 },
        { "name": "dupree", "title": "DuPree's score", "value": points, "words": dupree },
        { "name": "consistency", "title": "Consistency", "value": level, "words": consistency },
    ])
}

/// A value for a table, and words for a person.
type Said = (Option<String>, String);

/// Our own scale. Chains on large grids, and assumptions, are looked for on the command line only.
fn effort_of(puzzle: &Grid, limits: &Limits<'_>) -> Said {
    let hardest = if puzzle.order().side() <= 9 { effort::Kind::TwoAssumptions } else { effort::Kind::Wings };
    match effort::rate_within(puzzle, limits, hardest) {
        Ok(effort) => (Some(effort.level().to_string()), effort.to_string()),
        Err(
            effort::NoEffort::Beyond { so_far: Some(effort) } | effort::NoEffort::Stopped { so_far: Some(effort), .. },
        ) => (None, format!("more than {:.0} points, {} or more", effort.points, effort.level())),
        Err(error) => (None, error.to_string()),
    }
}

fn explainer_of(puzzle: &Grid, limits: &Limits<'_>) -> Said {
    match explainer::rate_within(puzzle, limits) {
        Ok(rating) => {
            let explainer::Rating { er, ep, ed, hardest, .. } = rating;
            (Some(er.to_string()), format!("ER {er}, EP {ep}, ED {ed}; hardest: {hardest}"))
        }
        Err(explainer::NoRating::Stopped { at_least: Some(er), .. }) => (None, format!("ER {er} or more")),
        Err(error) => (None, error.to_string()),
    }
}

fn hodoku_of(puzzle: &Grid, limits: &Limits<'_>) -> Said {
    match hodoku::rate_within(puzzle, limits) {
        Ok(rating) => (Some(rating.score.to_string()), rating.to_string()),
        Err(hodoku::NoRating::Stopped { at_least, level, .. }) => {
            (None, format!("{at_least} points or more, {level} or more"))
        }
        Err(error) => (None, error.to_string()),
    }
}

/// How often each technique was used, the easiest first.
fn tally(uses: &Uses) -> Vec<Value> {
    let view = |(technique, count): &(Technique, usize)| json!({ "name": technique.to_string(), "slug": technique.slug(), "count": count });
    uses.techniques.iter().rev().map(view).collect()
}
