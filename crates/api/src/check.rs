//! Check: whether the player's digits are right, and which ones are wrong.

use crate::game::Game;
use crate::limits::Budget;
use crate::pairs;
use ninefold::search::{Solutions, UnfinishedError, default_for};
use serde_json::{Value, json};

/// Whether the digits of a game are right, as JSON.
pub fn check(game: &Game, budget: &Budget<'_>) -> Value {
    try_check(game, budget).unwrap_or_else(|_| unfinished())
}

fn try_check(game: &Game, budget: &Budget<'_>) -> Result<Value, UnfinishedError> {
    if let Some(conflict) = game.position.grid().violation() {
        return Ok(json!({
            "answer": "conflict", "conflict": pairs::conflict(&conflict), "text": format!("This cannot be: {conflict}."),
        }));
    }
    let proof = default_for(game.position.puzzle()).prove(game.position.puzzle(), &budget.limits());
    let solution = match proof.expect("the default solver takes every size").solutions? {
        Solutions::Zero => {
            return Ok(json!({ "answer": "invalid", "text": "The puzzle has no solution." }));
        }
        Solutions::Many(..) if game.position.grid().is_full() => {
            return Ok(
                json!({ "answer": "solved", "text": "Every rule is kept: this is one of several solutions." }),
            );
        }
        Solutions::Many(..) => {
            let text = "The puzzle has more than one solution, so no entry can be called wrong.";
            return Ok(json!({ "answer": "several", "text": text }));
        }
        Solutions::One(solution) => solution,
    };
    let wrong: Vec<Value> = (game.entries.iter())
        .filter(|&&(cell, digit)| solution[cell] != Some(digit))
        .map(|&entry| pairs::pair(entry))
        .collect();
    let (answer, text) = match (wrong.len(), game.position.grid().is_full()) {
        (0, true) => ("solved", "Solved! Every digit is right.".to_string()),
        (0, false) => {
            let empty = game.position.grid().empty_cells().count();
            ("right", format!("Everything is right so far; {empty} cells are empty."))
        }
        (1, _) => ("wrong", "1 digit is wrong.".to_string()),
        (count, _) => ("wrong", format!("{count} digits are wrong.")),
    };
    Ok(json!({ "answer": answer, "wrong": wrong, "solution": solution.to_string(), "text": text }))
}

fn unfinished() -> Value {
    json!({ "answer": "unfinished", "text": "The puzzle is too hard to be checked in time." })
}
