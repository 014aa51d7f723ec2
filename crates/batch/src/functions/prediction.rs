//! Functions that fill grids with a neural network. A prediction that breaks the rules or
//! contradicts the clues becomes NULL.

use super::Rows;
use super::outcome;
use arrow::array::{Array, ArrayRef, StringArray};
use ninefold::Grid;
use ninefold::grid::Order;
use ninefold_kaleidoscope::{Prediction, Solver};
use std::sync::Arc;

/// The built-in networks that need no tensor library.
pub const MODELS: &[&str] = &["kaleidoscope"];

/// The maximum side. The time of an iteration grows with the number of candidates, so larger grids
/// would block a query.
const MAX_SIDE: usize = 16;

/// The grid that the network predicts.
pub fn predict(rows: &Rows<'_>) -> ArrayRef {
    let grids = predictions(rows).into_iter().map(|prediction| Some(prediction?.ok()?.to_string()));
    Arc::new(grids.collect::<StringArray>())
}

/// The reason why a puzzle has no prediction.
pub fn why_unpredicted(rows: &Rows<'_>) -> ArrayRef {
    Arc::new(
        predictions(rows).into_iter().map(|prediction| prediction?.err()).collect::<StringArray>(),
    )
}

/// A valid grid, or the reason why there is none.
type PredictedGrid = Result<Grid, String>;

/// Classic puzzles of one size, or all puzzles with rules, and their row indices.
struct SameSize {
    /// `None` for puzzles with rules, which can have any size.
    order: Option<Order>,
    rows: Vec<usize>,
    puzzles: Vec<Grid>,
}

/// The prediction of each row; `None` where model or puzzle are NULL.
fn predictions(rows: &Rows<'_>) -> Vec<Option<PredictedGrid>> {
    let mut by_size: Vec<SameSize> = Vec::new();
    let mut predictions: Vec<Option<PredictedGrid>> = Vec::with_capacity(rows.text(1).len());
    for (row, (model, puzzle)) in rows.text(0).iter().zip(rows.text(1)).enumerate() {
        let puzzle = model.zip(puzzle).map(|(model, puzzle)| parse(model, puzzle));
        predictions.push(match puzzle {
            Some(Ok(puzzle)) => {
                let order = puzzle.rules().is_none().then(|| puzzle.order());
                let place =
                    by_size.iter().position(|sized| sized.order == order).unwrap_or_else(|| {
                        by_size.push(SameSize { order, rows: Vec::new(), puzzles: Vec::new() });
                        by_size.len() - 1
                    });
                by_size[place].rows.push(row);
                by_size[place].puzzles.push(puzzle);
                None
            }
            Some(Err(reason)) => Some(Err(reason)),
            None => None,
        });
    }
    for SameSize { order, rows, puzzles } in by_size {
        let solver = match order {
            Some(order) => Solver::shipped().for_size(order),
            None => Solver::shipped_for_variants(),
        };
        for (row, puzzle) in rows.into_iter().zip(&puzzles) {
            let prediction = match order {
                Some(_) => {
                    let numbers: Vec<u8> = puzzle.numbers().collect();
                    solver.solve(&[&numbers]).remove(0)
                }
                None => solver.solve_grids(std::slice::from_ref(puzzle)).remove(0),
            };
            predictions[row] = Some(verify(puzzle, &prediction));
        }
    }
    predictions
}

/// Parses a puzzle that the network supports.
fn parse(model: &str, puzzle: &str) -> Result<Grid, String> {
    if !MODELS.contains(&model) {
        return Err(format!("unknown model {model}, expected one of {}", MODELS.join(", ")));
    }
    let puzzle = outcome::grid(puzzle)?;
    let side = puzzle.order().side();
    match side <= MAX_SIDE {
        true => Ok(puzzle),
        false => Err(format!("{model} supports grids up to side {MAX_SIDE}, found side {side}")),
    }
}

/// The predicted grid, if it satisfies the rules and contains the clues. The flag of the network
/// that reports this is not trusted: the grid is checked here.
fn verify(puzzle: &Grid, prediction: &Prediction) -> PredictedGrid {
    let grid = Grid::from_numbers(puzzle.order(), &prediction.digits)
        .ok_or("the network returned invalid digits")?;
    let grid = match puzzle.rules() {
        Some(rules) => grid.with_rules(Arc::clone(rules)),
        None => grid,
    };
    let keeps_clues =
        puzzle.numbers().zip(grid.numbers()).all(|(clue, digit)| clue == 0 || clue == digit);
    match grid.conflict() {
        None if puzzle.rules().is_some() && !grid.solves(puzzle) => Err(format!(
            "after {} iterations from {} starts, the network's grid is not a solution",
            prediction.iterations, prediction.starts
        )),
        None if !grid.is_full() => Err("the network left empty cells".to_string()),
        None if !keeps_clues => Err("the network's grid changes a clue".to_string()),
        None => Ok(grid),
        Some(conflict) => Err(format!(
            "after {} iterations from {} starts, the network's grid breaks the rules: {conflict}",
            prediction.iterations, prediction.starts
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::testing::{PROPER, SOLUTION, call, function};
    use super::*;
    use arrow::array::AsArray;

    /// A 4×4 killer without givens.
    const KILLER: &str = r#"{"puzzle": "0000000000000000", "rules": {"boxes": "2x2", "cage": [
        {"cells": "r1c1 r2c1", "sum": 5}, {"cells": "r1c2 r1c3 r2c2", "sum": 7},
        {"cells": "r4c3 r4c4", "sum": 7}, {"cells": "r3c1 r4c1", "sum": 5},
        {"cells": "r2c3 r3c2 r3c3 r4c2", "sum": 10}, {"cells": "r1c4 r2c4 r3c4", "sum": 6}]}}"#;

    #[test]
    fn rows_have_a_valid_grid_or_a_reason() {
        let dead =
            "..9.287..8.6..4..5..3.....46.........2.71345.........23.....5..9..4..8.7..125.3..";
        let large = ".".repeat(625);
        let cases = [
            (Some("kaleidoscope"), Some(PROPER), Some(SOLUTION), None),
            (Some("kaleidoscope"), Some("1..4..1..3..4..3"), Some("1234341223414123"), None),
            (Some("kaleidoscope"), None, None, None),
            (None, Some(PROPER), None, None),
            (Some("kaleidoscope"), Some("rubbish"), None, Some("cells, found")),
            (
                Some("kaleidoscope"),
                Some(dead),
                None,
                Some("256 iterations from 4 starts, the network's grid breaks"),
            ),
            (
                Some("kaleidoscope"),
                Some(large.as_str()),
                None,
                Some("up to side 16, found side 25"),
            ),
            (
                Some("oracle"),
                Some(PROPER),
                None,
                Some("unknown model oracle, expected one of kaleidoscope"),
            ),
            (Some("kaleidoscope"), Some(SOLUTION), Some(SOLUTION), None),
            (Some("kaleidoscope"), Some(KILLER), Some("3421214343121234"), None),
        ];
        let (models, puzzles) = (cases.map(|case| case.0), cases.map(|case| case.1));
        let grids = call(function("predict"), &[&models, &puzzles]);
        let why = call(function("why_unpredicted"), &[&models, &puzzles]);
        for (row, (_, _, expected, reason)) in cases.into_iter().enumerate() {
            let [grid, why] =
                [&grids, &why].map(|column| column.as_string::<i32>().iter().nth(row).unwrap());
            assert_eq!(grid, expected, "row {row}");
            assert_eq!(why.is_some(), reason.is_some(), "row {row}: {why:?}");
            assert!(
                why.unwrap_or_default().contains(reason.unwrap_or_default()),
                "row {row}: {why:?}"
            );
        }
    }

    #[test]
    fn invalid_grids_are_rejected_whatever_the_network_reports() {
        let puzzle: Grid = PROPER.parse().unwrap();
        let check = |digits: Vec<u8>| {
            let prediction = Prediction {
                digits,
                solved: true,
                iterations: 1,
                starts: 1,
                log_probabilities: Vec::new(),
            };
            verify(&puzzle, &prediction).map(|grid| grid.to_string())
        };
        let digits: Vec<u8> = SOLUTION.bytes().map(|byte| byte - b'0').collect();
        assert_eq!(check(digits.clone()).as_deref(), Ok(SOLUTION));
        let with_first_empty_cell = |digit| [&digits[..2], &[digit], &digits[3..]].concat();
        assert!(check(with_first_empty_cell(5)).unwrap_err().contains("breaks the rules"));
        assert!(check(with_first_empty_cell(0)).unwrap_err().contains("left empty cells"));
        let exchanged = digits
            .iter()
            .map(|&digit| [0, 2, 1, 3, 4, 5, 6, 7, 8, 9][usize::from(digit)])
            .collect();
        assert!(check(exchanged).unwrap_err().contains("changes a clue"));
        assert!(check(vec![1; 80]).is_err());
    }
}
