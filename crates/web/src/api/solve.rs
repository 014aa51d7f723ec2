//! Solve: the solution with the player's entries taken into account, or who makes it impossible.

use super::position::{Asked, Position};
use super::told;
use crate::desk::{QUICK, SLOW};
use crate::question::Question;
use crate::refusal::Refusal;
use crate::server::House;
use axum::Json;
use axum::extract::State;
use ninefold::grid::{Cell, Digit};
use ninefold::search::mistakes::{self, Mistake};
use ninefold::search::{Limits, Solutions, Stop, Unfinished, default_for};
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Answers `POST /api/solve`.
pub async fn answer(State(house): State<House>, Question(asked): Question<Asked>) -> Result<Json<Value>, Refusal> {
    let position = asked.position()?;
    let again = position.clone();
    let quick = house.desk.quickly(move |gone| solve(&position, QUICK, gone)).await?;
    let answer = match quick {
        Err(Unfinished { stop: Stop::Time, .. }) => house.desk.slowly(move |gone| solve(&again, SLOW, gone)).await?,
        answer => answer,
    };
    Ok(Json(answer.unwrap_or_else(|unfinished| {
        let seconds = SLOW.as_secs();
        json!({
            "answer": "unfinished",
            "solution": unfinished.found.map(|found| found.to_string()),
            "text": format!("No certain answer within {seconds} seconds; such a puzzle is most likely not valid."),
        })
    })))
}

fn solve(position: &Position, time: Duration, gone: &AtomicBool) -> Result<Value, Unfinished> {
    if let Some(conflict) = position.grid.conflict() {
        return Ok(json!({
            "answer": "none",
            "wrong": [],
            "conflict": told::conflict(&conflict),
            "text": format!("There is no solution: {conflict}."),
        }));
    }
    let limits = Limits { time: Some(time), nodes: None, cancel: Some(gone) };
    let proof = default_for(position.grid.order()).prove(&position.grid, &limits);
    match proof.expect("the default solver takes every size").solutions? {
        Solutions::One(solution) => Ok(json!({
            "answer": "one",
            "solution": solution.to_string(),
            "text": "There is exactly one solution.",
        })),
        Solutions::Many(first, second) => Ok(json!({
            "answer": "many",
            "solution": first.to_string(),
            "second": second.to_string(),
            "text": "There is more than one solution; here are two.",
        })),
        Solutions::Zero => impossible(position, &limits),
    }
}

fn impossible(position: &Position, limits: &Limits<'_>) -> Result<Value, Unfinished> {
    let order = position.grid.order();
    let name = |&(cell, digit): &(Cell, Digit)| {
        format!("the {} in {}", ninefold::grid::text::symbol(order, digit), order.name_of(cell))
    };
    let (wrong, text) = match mistakes::find(&position.puzzle, &position.entries, limits)? {
        None | Some(Mistake::InPuzzle) => (Vec::new(), "The puzzle has no solution.".to_string()),
        Some(Mistake::Wrong(wrong)) => {
            let names: Vec<String> = wrong.iter().map(name).collect();
            let verb = if wrong.len() == 1 { "is" } else { "are" };
            let text = format!("There is no solution with these entries: {} {verb} wrong.", names.join(", "));
            (wrong, text)
        }
        Some(Mistake::First(entry)) => {
            let text = format!("There is no solution with these entries: {} leaves none.", name(&entry));
            (vec![entry], text)
        }
    };
    Ok(json!({ "answer": "none", "wrong": wrong.into_iter().map(told::pair).collect::<Vec<_>>(), "text": text }))
}
