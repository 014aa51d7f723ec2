//! Requests about many puzzles, which the JSON API of the server does not have.

use ninefold::Grid;
use ninefold::search::default_for;
use ninefold_api::ApiError;
use ninefold_api::game::GameRequest;
use ninefold_api::limits::{Budget, MAX_SEARCH_TIME};
#[cfg(feature = "full")]
use ninefold_api::{game, generate::GenerateRequest, limits::MAX_TIME};
use serde::Deserialize;
use serde_json::{Value, json};
use std::ops::ControlFlow;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SolveManyRequest {
    puzzles: Vec<String>,
    limit: u32,
}

/// A solution of each puzzle, and the number of its solutions up to a limit.
pub fn solve(text: &str) -> Result<Value, ApiError> {
    let request: SolveManyRequest =
        serde_json::from_str(text).map_err(|error| ApiError::malformed(&error))?;
    let (mut solutions, mut counts) = (Vec::new(), Vec::new());
    for (number, puzzle) in (1..).zip(request.puzzles) {
        let (solution, count) = solve_one(puzzle, request.limit).map_err(|error| ApiError {
            error: format!("puzzle {number}: {}", error.error),
            ..error
        })?;
        solutions.push(solution);
        counts.push(count);
    }
    Ok(json!({ "solutions": solutions, "counts": counts }))
}

/// A solution, or a grid of dots, and the number of solutions.
fn solve_one(puzzle: String, limit: u32) -> Result<(String, u32), ApiError> {
    let game = GameRequest { puzzle, ..GameRequest::default() }.game()?;
    let puzzle = game.position.puzzle();
    let nothing = Grid::empty(puzzle.order()).to_string();
    if puzzle.violation().is_some() {
        return Ok((nothing, 0));
    }
    let (mut first, mut count) = (None, 0);
    let budget = Budget::new(MAX_SEARCH_TIME, ninefold::Limits::none());
    let mut visit = |solution: Grid| {
        count += 1;
        first.get_or_insert(solution);
        if count >= limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let effort = default_for(puzzle)
        .search(puzzle, &budget.limits(), &mut visit)
        .expect("the default solver takes every size");
    if effort.stop.is_some() && count < limit {
        return Err(ApiError::unavailable(
            format!("no certain answer within {} seconds", MAX_SEARCH_TIME.as_secs()),
            "use a smaller limit, or leave this puzzle out",
        ));
    }
    Ok((first.map_or(nothing, |solution| solution.to_string()), count))
}

/// The part of a request that is not about a single puzzle.
#[cfg(feature = "full")]
#[derive(Deserialize)]
struct Count {
    count: u64,
    #[serde(default)]
    start: u64,
}

/// The puzzles with the indices `start` to `start + count` of a seed: those of the command line and
/// of Python.
#[cfg(feature = "full")]
pub fn generate(text: &str) -> Result<Value, ApiError> {
    let malformed = |error: serde_json::Error| ApiError::malformed(&error);
    let Count { count, start } = serde_json::from_str(text).map_err(malformed)?;
    let mut request: Value = serde_json::from_str(text).map_err(malformed)?;
    if let Some(fields) = request.as_object_mut() {
        fields.remove("count");
        fields.remove("start");
    }
    // Read from text, so that errors name a place in it.
    let request: GenerateRequest = serde_json::from_str(&request.to_string()).map_err(malformed)?;
    let generator = request.generator()?;
    let (mut puzzles, mut solutions) = (Vec::new(), Vec::new());
    for index in start..start.saturating_add(count) {
        let budget = Budget::new(MAX_TIME, ninefold::Limits::none());
        let generated = generator.puzzle(index, &budget)?;
        puzzles.push(game::text_of(&generated.puzzle));
        solutions.push(generated.solution.to_string());
    }
    Ok(json!({ "puzzles": puzzles, "solutions": solutions, "seed": generator.seed() }))
}
