//! Explain: the whole way from a position to the solution, one reasoned step after the other.

use super::position::{Asked, Position};
use super::told;
use crate::question::Question;
use crate::refusal::Refusal;
use crate::server::House;
use axum::Json;
use axum::extract::State;
use ninefold::grid::{Candidates, Grid};
use ninefold::logic::{self, End, Options, Step};
use ninefold::search::{Limits, Solutions, default_for};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// An explanation that takes longer ends where it is.
const LONGEST: Duration = Duration::from_secs(60);

/// Answers `POST /api/explain`.
pub async fn answer(State(house): State<House>, Question(asked): Question<Asked>) -> Result<Json<Value>, Refusal> {
    let position = asked.position()?;
    if let Some(conflict) = position.grid.conflict() {
        return Err(Refusal::unusable(conflict.to_string(), "one of the two is a slip; no grid can hold both"));
    }
    house.desk.slowly(move |gone| explain(&position, gone)).await.map(Json)
}

fn explain(position: &Position, gone: &AtomicBool) -> Value {
    let start = logic::without_stale_marks(&position.marks);
    let known = known(position, Duration::from_secs(5), gone);
    let (steps, end) = walk(&position.puzzle, &start, known.is_unique, gone);
    let mut now = start.clone();
    let told: Vec<Value> = (steps.iter())
        .map(|step| {
            let told = told::step(step, &now);
            step.apply_to(&mut now);
            told
        })
        .collect();
    json!({
        "answer": end,
        "text": words(end, steps.len()),
        "start": start.grid().to_string(),
        "candidates": told::candidates(&start),
        "steps": told,
        "unique": known.is_unique,
    })
}

/// Steps until nothing is left to do, nobody waits or the time is up. Each step is asked for on its own, so that a client
/// who leaves is noticed between two steps.
pub fn walk(puzzle: &Grid, start: &Candidates, unique: bool, gone: &AtomicBool) -> (Vec<Step>, &'static str) {
    let started = Instant::now();
    let options = Options { uniqueness: unique, most_steps: 1, ..Options::default() };
    let (mut now, mut steps) = (start.clone(), Vec::new());
    loop {
        if gone.load(Ordering::Relaxed) || started.elapsed() > LONGEST {
            return (steps, "unfinished");
        }
        let path = logic::solve(puzzle, &now, &options);
        match (path.trace.steps.into_iter().next(), path.end) {
            (Some(step), _) => steps.push(step),
            (None, End::Solved) => return (steps, "solved"),
            (None, End::Contradiction) => return (steps, "contradiction"),
            (None, End::Stuck | End::Enough) => return (steps, "stuck"),
        }
        now = path.last;
    }
}

fn words(end: &str, steps: usize) -> String {
    match end {
        "solved" => format!("Solved in {steps} steps, each with its reason."),
        "contradiction" => "This position has no solution.".to_string(),
        "stuck" => format!("After {steps} steps no technique finds anything more."),
        _ => format!("After {steps} steps the time was up."),
    }
}

/// What a search knows about a puzzle before logic begins.
pub struct Known {
    /// The only solution.
    pub solution: Option<Grid>,
    /// Has the puzzle one solution, so that techniques may rest on it?
    pub is_unique: bool,
}

/// Searches for the solution of the clues; without one in time nothing is known, and nothing is compared.
pub fn known(position: &Position, time: Duration, gone: &AtomicBool) -> Known {
    let limits = Limits { time: Some(time), nodes: None, cancel: Some(gone) };
    let proof = default_for(position.puzzle.order()).prove(&position.puzzle, &limits);
    let solution = match proof.expect("the default solver takes every size").solutions {
        Ok(Solutions::One(solution)) => Some(solution),
        _ => None,
    };
    Known { is_unique: solution.is_some(), solution }
}
