//! The network: this is where Kaleidoscope fills a puzzle, with weights that the host hands over.
//!
//! The weights are a file of their own beside the module: they would be a third of it, and few questions need them.

use crate::locked;
use kaleidoscope::{Patience, Thinker};
use ninefold::Grid;
use ninefold_api::ApiError;
use ninefold_api::game::Asked;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Mutex;

static NETWORK: Mutex<Option<Thinker>> = Mutex::new(None);

/// A puzzle, and how long to think about it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    puzzle: String,
    boxes: Option<String>,
    iterations: Option<usize>,
    starts: Option<usize>,
}

/// Takes the weights of a safetensors file.
pub fn learn(weights: &[u8]) -> Result<Value, ApiError> {
    let thinker = Thinker::read("the file of weights", weights).map_err(|error| {
        ApiError::unusable(
            error.to_string(),
            "use the file kaleidoscope.safetensors of this package",
        )
    })?;
    *locked(&NETWORK) = Some(thinker);
    Ok(json!({}))
}

/// The grid that the network comes to, whether it keeps the rules, and how likely each digit is in each cell.
pub fn predict(request: &str) -> Result<Value, ApiError> {
    let wanted: Wanted =
        serde_json::from_str(request).map_err(|error| ApiError::malformed(&error))?;
    let network = locked(&NETWORK).clone().ok_or_else(|| {
        ApiError::new(
            409,
            "the network has no weights yet",
            "ask with `predict`, which hands them over first",
        )
    })?;
    let usual = Patience::default();
    let patience = Patience {
        iterations: wanted.iterations.unwrap_or(usual.iterations),
        starts: wanted.starts.unwrap_or(usual.starts),
    };
    if patience.iterations == 0 || patience.starts == 0 {
        return Err(ApiError::unusable(
            "iterations and starts count from 1",
            "leave them out for the usual ones",
        ));
    }
    let asked = Asked {
        puzzle: wanted.puzzle,
        boxes: wanted.boxes,
        entries: vec![],
        marks: vec![],
        language: None,
    };
    let game = asked.game()?;
    let puzzle = game.position.puzzle();
    let order = puzzle.order();
    let numbers: Vec<u8> = puzzle.numbers().collect();
    let thought = network.for_size(order).with_patience(patience).think(&[&numbers]).swap_remove(0);
    let filled = Grid::from_numbers(order, &thought.digits)
        .expect("the network fills in digits of this size");
    let odds: Vec<f32> = thought.log_probabilities.iter().map(|log| log.exp()).collect();
    Ok(json!({
        "filled": filled.to_string(),
        "solved": thought.solved,
        "iterations": thought.iterations,
        "starts": thought.starts,
        "odds": odds.chunks(order.side()).collect::<Vec<_>>(),
    }))
}
