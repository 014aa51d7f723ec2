//! Predictions by the network Kaleidoscope, with weights that the host provides.
//!
//! The weights are in a separate file, because few requests need them and they would make up a
//! third of the module.

use crate::locked;
use ninefold::Grid;
use ninefold_api::ApiError;
use ninefold_api::game::GameRequest;
use ninefold_kaleidoscope::{Budget, Solver};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Mutex;

static NETWORK: Mutex<Option<Solver>> = Mutex::new(None);

/// A puzzle, and limits for the network.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PredictRequest {
    puzzle: String,
    boxes: Option<String>,
    iterations: Option<usize>,
    starts: Option<usize>,
}

/// Loads the weights of a safetensors file.
pub fn load_weights(weights: &[u8]) -> Result<Value, ApiError> {
    let solver = Solver::from_bytes("the weights", weights).map_err(|error| {
        ApiError::invalid(
            error.to_string(),
            "use the file kaleidoscope.safetensors of this package",
        )
    })?;
    *locked(&NETWORK) = Some(solver);
    Ok(json!({}))
}

/// The predicted grid, whether it is a solution, and the probability of each digit in each cell.
pub fn predict(text: &str) -> Result<Value, ApiError> {
    let request: PredictRequest =
        serde_json::from_str(text).map_err(|error| ApiError::malformed(&error))?;
    let network = locked(&NETWORK).clone().ok_or_else(|| {
        ApiError::new(
            409,
            "the network has no weights yet",
            "use the method `predict`, which loads them first",
        )
    })?;
    let default = Budget::default();
    let budget = Budget {
        iterations: request.iterations.unwrap_or(default.iterations),
        starts: request.starts.unwrap_or(default.starts),
    };
    if budget.iterations == 0 || budget.starts == 0 {
        return Err(ApiError::invalid(
            "iterations and starts must be at least 1",
            "omit them to use the defaults",
        ));
    }
    let game_request =
        GameRequest { puzzle: request.puzzle, boxes: request.boxes, ..GameRequest::default() };
    let game = game_request.game()?;
    let puzzle = game.position.puzzle();
    let order = puzzle.order();
    let network = network.for_size(order).with_budget(budget);
    let prediction = if network.config().rules {
        network.solve_grids(std::slice::from_ref(puzzle)).swap_remove(0)
    } else {
        puzzle
            .require_classic("these weights are")
            .map_err(|error| ApiError::classic_only(&error))?;
        let numbers: Vec<u8> = puzzle.numbers().collect();
        network.solve(&[&numbers]).swap_remove(0)
    };
    let filled = Grid::from_numbers(order, &prediction.digits)
        .expect("the network predicts digits of this size");
    let odds: Vec<f32> = prediction.log_probabilities.iter().map(|log| log.exp()).collect();
    Ok(json!({
        "filled": filled.to_string(),
        "solved": prediction.solved,
        "iterations": prediction.iterations,
        "starts": prediction.starts,
        "odds": odds.chunks(order.side()).collect::<Vec<_>>(),
    }))
}
