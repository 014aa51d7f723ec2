//! Explain: the whole way from a position to the solution, one reasoned step after the other.

use super::position::{Asked, Position};
use super::told;
use crate::error::ApiError;
use crate::json_body::JsonBody;
use crate::server::AppState;
use axum::Json;
use axum::extract::State;
use ninefold::grid::{Candidates, Grid, Order};
use ninefold::logic::{self, End, Options, Step, Technique};
use ninefold::search::{Limits, Solutions, default_for};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// An explanation that takes longer ends where it is.
const LONGEST: Duration = Duration::from_secs(60);

/// Answers `POST /api/explain`.
pub async fn answer(State(state): State<AppState>, JsonBody(asked): JsonBody<Asked>) -> Result<Json<Value>, ApiError> {
    let position = asked.position()?;
    if let Some(conflict) = position.grid.conflict() {
        return Err(ApiError::unusable(conflict.to_string(), "one of the two is a slip; no grid can hold both"));
    }
    state.queues.slowly(move |gone| explain(&position, gone)).await.map(Json)
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

/// Steps until nothing is left to do, nobody waits or the time is up.
pub fn walk(puzzle: &Grid, start: &Candidates, unique: bool, gone: &AtomicBool) -> (Vec<Step>, &'static str) {
    let patience = Patience { until: Instant::now() + LONGEST, gone };
    let (mut now, mut steps) = (start.clone(), Vec::new());
    loop {
        match next_step(puzzle, &now, unique, &patience) {
            Next::Step(step) => {
                step.apply_to(&mut now);
                steps.push(*step);
            }
            Next::End(end) => return (steps, end),
        }
    }
}

/// How long to look for a step.
pub struct Patience<'a> {
    /// The time is up then.
    pub until: Instant,
    /// Nobody waits any more.
    pub gone: &'a AtomicBool,
}

/// What comes next in a position.
pub enum Next {
    /// A step.
    Step(Box<Step>),
    /// Nothing, and why.
    End(&'static str),
}

/// The next step. Techniques are tried in bundles, and between two bundles the clock and the client are looked at: a
/// technique in progress cannot be stopped, and on large grids a single one may take seconds.
pub fn next_step(puzzle: &Grid, now: &Candidates, unique: bool, patience: &Patience<'_>) -> Next {
    for techniques in bundles(puzzle.order()) {
        if patience.gone.load(Ordering::Relaxed) || Instant::now() > patience.until {
            return Next::End("unfinished");
        }
        let path = logic::solve(puzzle, now, &Options { techniques, uniqueness: unique, most_steps: 1 });
        match (path.trace.steps.into_iter().next(), path.end) {
            (Some(step), _) => return Next::Step(Box::new(step)),
            (None, End::Solved) => return Next::End("solved"),
            (None, End::Contradiction) => return Next::End("contradiction"),
            (None, End::Stuck | End::Enough) => {}
        }
    }
    Next::End("stuck")
}

/// The default order: what is seen at a glance, then the rest, one by one on grids above 9×9.
fn bundles(order: Order) -> Vec<Vec<Technique>> {
    let (easy, rest) = (easy_techniques(), logic::default_order().split_off(easy_techniques().len()));
    if order.side() <= 9 {
        return vec![easy, rest];
    }
    [easy].into_iter().chain(rest.into_iter().map(|technique| vec![technique])).collect()
}

/// What is found at a glance, even on 25×25.
pub fn easy_techniques() -> Vec<Technique> {
    let is_easy = |technique: &Technique| *technique != Technique::NakedSubset(4);
    logic::default_order().into_iter().take_while(is_easy).collect()
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
