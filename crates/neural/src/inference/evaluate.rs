//! Counts how many puzzles and cells a network fills correctly.

use super::decoding::{Decoding, fill, is_solved};
use super::predictor::Predictor;
use crate::training::data::Examples;
use ninefold::grid::Grid;
use serde::Serialize;

/// Counts of correctly filled puzzles and cells.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Score {
    /// Puzzles evaluated.
    pub puzzles: usize,
    /// Puzzles filled completely and without breaking a rule.
    pub solved: usize,
    /// Empty cells in these puzzles.
    pub cells: usize,
    /// Empty cells filled with the digit of the solution.
    pub right_cells: usize,
    /// The first incorrectly filled puzzles, at most three.
    pub first_wrong: Vec<String>,
    /// Indices of the solved puzzles.
    #[serde(skip)]
    pub solved_indices: Vec<usize>,
}

impl Score {
    /// The share of solved puzzles; 0 if there are none.
    pub fn share_solved(&self) -> f64 {
        self.solved as f64 / self.puzzles.max(1) as f64
    }

    /// The share of cells filled correctly; 0 if there are none.
    pub fn share_of_cells(&self) -> f64 {
        self.right_cells as f64 / self.cells.max(1) as f64
    }
}

/// Length limit of [`Score::first_wrong`].
const MAX_FIRST_WRONG: usize = 3;

/// Fills all puzzles and counts the correct ones.
pub fn score(predictor: &dyn Predictor, examples: &Examples, decoding: Decoding) -> Score {
    score_with(predictor, examples, decoding, &mut |_| {})
}

/// Like [`score`]; calls `report` with the score so far after each batch.
pub fn score_with(
    predictor: &dyn Predictor,
    examples: &Examples,
    decoding: Decoding,
    report: &mut dyn FnMut(&Score),
) -> Score {
    let order = predictor.order();
    let mut score = Score::default();
    let indices: Vec<usize> = (0..examples.len()).collect();
    for batch in indices.chunks(predictor.batch().max(1)) {
        let puzzles: Vec<&[u8]> = batch.iter().map(|&index| examples.puzzle(index)).collect();
        let filled = fill(predictor, &puzzles, decoding);
        for (&index, filled) in batch.iter().zip(&filled) {
            let (puzzle, solution) = (examples.puzzle(index), examples.solution(index));
            let blanks = (0..puzzle.len()).filter(|&cell| puzzle[cell] == 0);
            score.puzzles += 1;
            score.cells += blanks.clone().count();
            score.right_cells += blanks.filter(|&cell| filled[cell] == solution[cell]).count();
            if is_solved(order, filled) {
                score.solved += 1;
                score.solved_indices.push(index);
            } else if score.first_wrong.len() < MAX_FIRST_WRONG {
                let puzzle = Grid::from_numbers(order, puzzle)
                    .expect("examples have the order of their list");
                score.first_wrong.push(puzzle.to_string());
            }
        }
        report(&score);
    }
    score
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inference::decoding::tests::{examples, predictor};
    use ninefold::grid::Order;

    #[test]
    fn a_perfect_predictor_solves_all_puzzles() {
        for decoding in [Decoding::AtOnce, Decoding::CellByCell] {
            let score = score(&predictor(None), &examples(), decoding);
            assert_eq!((score.puzzles, score.solved), (3, 3));
            assert_eq!((score.cells, score.right_cells), (10 + 11 + 5, 26));
            assert_eq!(score.share_solved(), 1.0);
        }
    }

    #[test]
    fn cell_by_cell_uses_the_digits_placed_before() {
        // r1c2 is predicted correctly only after r1c3 is filled. r1c3 has a higher probability, so
        // it is filled first.
        let predictor = predictor(Some(1));
        let at_once = score(&predictor, &examples(), Decoding::AtOnce);
        assert_eq!((at_once.solved, at_once.right_cells), (0, 23));
        assert_eq!(at_once.first_wrong[0], "1..4..1..3..4..3");
        let again = score(&predictor, &examples(), Decoding::CellByCell);
        assert_eq!((again.solved, again.solved_indices), (3, vec![0, 1, 2]));
    }

    #[test]
    fn no_examples_give_an_empty_score() {
        assert_eq!(
            score(&predictor(None), &Examples::new(Order::FOUR), Decoding::AtOnce),
            Score::default()
        );
    }
}
