//! Rate: how hard a puzzle is, on every scale and by the techniques it asks for.

use super::explain::walk;
use super::position::Asked;
use crate::question::Question;
use crate::refusal::Refusal;
use crate::server::House;
use axum::Json;
use axum::extract::State;
use ninefold::grid::{Candidates, Grid};
use ninefold::logic::{self, Step};
use ninefold::rate::consistency::{self, Consistency};
use ninefold::rate::dupree;
use ninefold::search::{Limits, Solutions, default_for};
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Trials that one request may spend; the hardest puzzles known need fewer than 20,000.
const MOST_TRIALS: u64 = 50_000;

/// Answers `POST /api/rate`; entries and marks do not count, only the clues.
pub async fn answer(State(house): State<House>, Question(asked): Question<Asked>) -> Result<Json<Value>, Refusal> {
    let puzzle = asked.position()?.puzzle;
    let start = Candidates::of(&puzzle).map_err(|conflict| {
        Refusal::unusable(conflict.to_string(), "one of the two is a slip; no grid can hold both")
    })?;
    house.desk.slowly(move |gone| rate(&puzzle, &start, gone)).await?.map(Json)
}

fn rate(puzzle: &Grid, start: &Candidates, gone: &AtomicBool) -> Result<Value, Refusal> {
    let limits = Limits { time: Some(Duration::from_secs(10)), nodes: None, cancel: Some(gone) };
    let proof = default_for(puzzle.order()).prove(puzzle, &limits).expect("the default solver takes every size");
    let refused = match proof.solutions {
        Ok(Solutions::One(_)) => None,
        Ok(Solutions::Zero) => Some("the puzzle has no solution"),
        Ok(Solutions::Many(..)) => Some("the puzzle has more than one solution"),
        Err(_) => Some("the puzzle is too hard to be solved in time"),
    };
    if let Some(why) = refused {
        return Err(Refusal::unusable(why, "only a puzzle with one solution has a rating"));
    }
    let (steps, end) = walk(puzzle, start, true, gone);
    let score = dupree::score_within(puzzle, MOST_TRIALS).ok();
    Ok(json!({
        "clues": puzzle.clue_count(),
        "scales": scales(puzzle, score.as_ref()),
        "dupree": score.map(|score| json!({ "points": score.points, "level": score.difficulty().label() })),
        "logic": end,
        "steps": steps.len(),
        "hardest": hardest(&steps),
        "techniques": tally(&steps),
    }))
}

/// What each scale says, for a person and for a table; `value` is null where a scale says nothing.
fn scales(puzzle: &Grid, score: Option<&dupree::Score>) -> Value {
    let (points, dupree) = match score {
        Some(score) => (Some(score.points.to_string()), format!("{} points, {}", score.points, score.difficulty())),
        None => (None, "no score; the scale takes 9×9 puzzles".to_string()),
    };
    // The strong levels take minutes on large grids, and cannot be told to stop.
    let strongest = if puzzle.order().side() <= 9 { Consistency::Ssgac } else { Consistency::Gac };
    let (level, consistency) = match consistency::weakest(puzzle, strongest) {
        consistency::Verdict::Solved(level) => (Some(level.name()), format!("{level} solves it without search")),
        _ => (None, format!("no level up to {strongest} solves it without search")),
    };
    json!([
        { "name": "dupree", "title": "DuPree's score", "value": points, "words": dupree },
        { "name": "consistency", "title": "Consistency", "value": level, "words": consistency },
    ])
}

/// The technique that stands last in our order of search.
fn hardest(steps: &[Step]) -> Option<String> {
    let order = logic::default_order();
    let place = |step: &&Step| order.iter().position(|technique| *technique == step.technique);
    steps.iter().max_by_key(place).map(|step| step.technique.to_string())
}

/// How often each technique was used, the easiest first.
fn tally(steps: &[Step]) -> Vec<Value> {
    let count = |technique| steps.iter().filter(|step| step.technique == technique).count();
    logic::default_order()
        .into_iter()
        .filter(|&technique| count(technique) > 0)
        .map(|technique| json!({ "name": technique.to_string(), "slug": technique.slug(), "count": count(technique) }))
        .collect()
}
