//! Solve: the solution of a puzzle that contains the player's entries. If there is none, the
//! entries that are wrong.

use crate::game::Game;
use crate::limits::Budget;
use crate::pairs;
use ninefold::grid::{Cell, Digit};
use ninefold::search::mistakes::{self, Cause};
use ninefold::search::{Solutions, UnfinishedError, default_for};
use serde_json::{Value, json};

/// The solution of a game, or why there is none, as JSON.
pub fn solve(game: &Game, budget: &Budget<'_>) -> Value {
    try_solve(game, budget).unwrap_or_else(|error| unfinished(error, budget))
}

fn try_solve(game: &Game, budget: &Budget<'_>) -> Result<Value, UnfinishedError> {
    if let Some(conflict) = game.position.grid().violation() {
        return Ok(json!({
            "answer": "none",
            "wrong": [],
            "conflict": pairs::conflict(&conflict),
            "text": format!("There is no solution: {conflict}."),
        }));
    }
    let proof = default_for(game.position.grid()).prove(game.position.grid(), &budget.limits());
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
        Solutions::Zero => unsolvable(game, budget),
    }
}

fn unfinished(error: UnfinishedError, budget: &Budget<'_>) -> Value {
    let seconds = budget.time().as_secs();
    json!({
        "answer": "unfinished",
        "solution": error.found.map(|found| found.to_string()),
        "text": format!("No certain answer within {seconds} seconds; such a puzzle is most likely not valid."),
    })
}

fn unsolvable(game: &Game, budget: &Budget<'_>) -> Result<Value, UnfinishedError> {
    let order = game.position.grid().order();
    let name = |&(cell, digit): &(Cell, Digit)| {
        format!("the {} in {}", ninefold::grid::text::symbol(order, digit), order.name_of(cell))
    };
    let (wrong, text) =
        match mistakes::find(game.position.puzzle(), &game.entries, &budget.limits())? {
            None | Some(Cause::InPuzzle) => (Vec::new(), "The puzzle has no solution.".to_string()),
            Some(Cause::Wrong(wrong)) => {
                let names: Vec<String> = wrong.iter().map(name).collect();
                let verb = if wrong.len() == 1 { "is" } else { "are" };
                let text = format!(
                    "There is no solution with these entries: {} {verb} wrong.",
                    names.join(", ")
                );
                (wrong, text)
            }
            Some(Cause::First(entry)) => {
                let text = format!(
                    "There is no solution with these entries: {} leaves none.",
                    name(&entry)
                );
                (vec![entry], text)
            }
        };
    Ok(
        json!({ "answer": "none", "wrong": wrong.into_iter().map(pairs::pair).collect::<Vec<_>>(), "text": text }),
    )
}
