//! What a network answers: a grid that it has filled in without a search, and that counts only if it keeps the rules.

use super::Rows;
use super::outcome;
use arrow::array::{Array, ArrayRef, StringArray};
use kaleidoscope::{Thinker, Thought};
use ninefold::Grid;
use ninefold::grid::Order;
use std::sync::Arc;

/// The networks that come with the program and need no tensor library.
pub const MODELS: &[&str] = &["kaleidoscope"];

/// An iteration takes as long as there are candidates, so a grid beyond this side would hold up a billion rows for one.
const LARGEST_SIDE: usize = 16;

/// The grid that the network has found.
pub fn predict(rows: &Rows<'_>) -> ArrayRef {
    let found = predictions(rows).into_iter().map(|prediction| Some(prediction?.ok()?.to_string()));
    Arc::new(found.collect::<StringArray>())
}

/// Why it has found none.
pub fn why_unpredicted(rows: &Rows<'_>) -> ArrayRef {
    Arc::new(
        predictions(rows).into_iter().map(|prediction| prediction?.err()).collect::<StringArray>(),
    )
}

/// A grid that keeps the rules, or why there is none.
type Prediction = Result<Grid, String>;

/// Puzzles of one size and their rows.
struct SameSize {
    order: Order,
    rows: Vec<usize>,
    puzzles: Vec<Grid>,
}

/// What each row asks for; nothing where model or puzzle are NULL.
fn predictions(rows: &Rows<'_>) -> Vec<Option<Prediction>> {
    let mut by_size: Vec<SameSize> = Vec::new();
    let mut predictions: Vec<Option<Prediction>> = Vec::with_capacity(rows.text(1).len());
    for (row, (model, puzzle)) in rows.text(0).iter().zip(rows.text(1)).enumerate() {
        let asked = model.zip(puzzle).map(|(model, puzzle)| readable(model, puzzle));
        predictions.push(match asked {
            Some(Ok(puzzle)) => {
                let order = puzzle.order();
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
        let thinker = Thinker::shipped().for_size(order);
        for (row, puzzle) in rows.into_iter().zip(&puzzles) {
            let numbers: Vec<u8> = puzzle.numbers().collect();
            let thought = thinker.think(&[&numbers]).remove(0);
            predictions[row] = Some(verified(puzzle, &thought));
        }
    }
    predictions
}

/// A puzzle that the network takes.
fn readable(model: &str, puzzle: &str) -> Result<Grid, String> {
    if !MODELS.contains(&model) {
        return Err(format!("there is no model {model}; the models are {}", MODELS.join(", ")));
    }
    let puzzle = outcome::grid(puzzle)?;
    let side = puzzle.order().side();
    match side <= LARGEST_SIDE {
        true => Ok(puzzle),
        false => Err(format!(
            "{model} is asked about grids up to side {LARGEST_SIDE}; this one has {side}"
        )),
    }
}

/// The grid that was thought of, if it keeps the rules and the clues. The network says whether it does; it is not believed.
fn verified(puzzle: &Grid, thought: &Thought) -> Prediction {
    let grid = Grid::from_numbers(puzzle.order(), &thought.digits)
        .ok_or("the network filled in no digits")?;
    let keeps_the_clues =
        puzzle.numbers().zip(grid.numbers()).all(|(clue, digit)| clue == 0 || clue == digit);
    match grid.conflict() {
        None if !grid.is_full() => Err("the network left cells open".to_string()),
        None if !keeps_the_clues => Err("the network's grid changes a clue".to_string()),
        None => Ok(grid),
        Some(conflict) => Err(format!(
            "after {} iterations from {} starts the network's grid breaks the rules: {conflict}",
            thought.iterations, thought.starts
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::testing::{PROPER, SOLUTION, call, function};
    use super::*;
    use arrow::array::AsArray;

    #[test]
    fn a_grid_that_keeps_the_rules_is_the_answer_and_every_other_row_says_why_it_has_none() {
        let dead =
            "..9.287..8.6..4..5..3.....46.........2.71345.........23.....5..9..4..8.7..125.3..";
        let large = ".".repeat(625);
        let cases = [
            (Some("kaleidoscope"), Some(PROPER), Some(SOLUTION), None),
            (Some("kaleidoscope"), Some("1..4..1..3..4..3"), Some("1234341223414123"), None),
            (Some("kaleidoscope"), None, None, None),
            (None, Some(PROPER), None, None),
            (Some("kaleidoscope"), Some("rubbish"), None, Some("do not form a grid")),
            (
                Some("kaleidoscope"),
                Some(dead),
                None,
                Some("256 iterations from 4 starts the network's grid breaks"),
            ),
            (
                Some("kaleidoscope"),
                Some(large.as_str()),
                None,
                Some("up to side 16; this one has 25"),
            ),
            (
                Some("oracle"),
                Some(PROPER),
                None,
                Some("there is no model oracle; the models are kaleidoscope"),
            ),
            (Some("kaleidoscope"), Some(SOLUTION), Some(SOLUTION), None),
        ];
        let (models, puzzles) = (cases.map(|case| case.0), cases.map(|case| case.1));
        let found = call(function("predict"), &[&models, &puzzles]);
        let why = call(function("why_unpredicted"), &[&models, &puzzles]);
        for (row, (_, _, expected, reason)) in cases.into_iter().enumerate() {
            let [found, why] =
                [&found, &why].map(|column| column.as_string::<i32>().iter().nth(row).unwrap());
            assert_eq!(found, expected, "row {row}");
            assert_eq!(why.is_some(), reason.is_some(), "row {row}: {why:?}");
            assert!(
                why.unwrap_or_default().contains(reason.unwrap_or_default()),
                "row {row}: {why:?}"
            );
        }
    }

    #[test]
    fn a_network_that_claims_a_false_grid_is_not_believed() {
        let puzzle: Grid = PROPER.parse().unwrap();
        let claimed = |digits: Vec<u8>| {
            let thought = Thought {
                digits,
                solved: true,
                iterations: 1,
                starts: 1,
                log_probabilities: Vec::new(),
            };
            verified(&puzzle, &thought).map(|grid| grid.to_string())
        };
        let digits: Vec<u8> = SOLUTION.bytes().map(|byte| byte - b'0').collect();
        assert_eq!(claimed(digits.clone()).as_deref(), Ok(SOLUTION));
        let with_first_open_cell = |digit| [&digits[..2], &[digit], &digits[3..]].concat();
        assert!(claimed(with_first_open_cell(5)).unwrap_err().contains("breaks the rules"));
        assert!(claimed(with_first_open_cell(0)).unwrap_err().contains("left cells open"));
        let exchanged = digits
            .iter()
            .map(|&digit| [0, 2, 1, 3, 4, 5, 6, 7, 8, 9][usize::from(digit)])
            .collect();
        assert!(claimed(exchanged).unwrap_err().contains("changes a clue"));
        assert!(claimed(vec![1; 80]).is_err());
    }
}
