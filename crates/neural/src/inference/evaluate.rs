//! Evaluation: this is where we count what a network fills in correctly.

use super::decoding::{Decoding, fill, keeps_the_rules};
use super::predictor::Predictor;
use crate::training::data::Examples;
use ninefold::grid::Grid;
use serde::Serialize;

/// What came out right.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Score {
    /// Puzzles seen.
    pub puzzles: usize,
    /// Puzzles filled completely and without breaking a rule.
    pub solved: usize,
    /// Empty cells seen.
    pub cells: usize,
    /// Empty cells filled with the digit of the solution.
    pub right_cells: usize,
    /// The first puzzles that came out wrong.
    pub first_wrong: Vec<String>,
    /// Which puzzles came out right.
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

/// How many wrong puzzles are remembered.
const WRONG_REMEMBERED: usize = 3;

/// Fills all puzzles and counts.
pub fn score(predictor: &dyn Predictor, examples: &Examples, decoding: Decoding) -> Score {
    score_with(predictor, examples, decoding, &mut |_| {})
}

/// The same; after each batch `seen` is told the score so far.
pub fn score_with(
    predictor: &dyn Predictor,
    examples: &Examples,
    decoding: Decoding,
    seen: &mut dyn FnMut(&Score),
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
            if keeps_the_rules(order, filled) {
                score.solved += 1;
                score.solved_indices.push(index);
            } else if score.first_wrong.len() < WRONG_REMEMBERED {
                let puzzle =
                    Grid::from_numbers(order, puzzle).expect("examples hold grids of their order");
                score.first_wrong.push(puzzle.to_string());
            }
        }
        seen(&score);
    }
    score
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inference::decoding::tests::{examples, predictor};
    use ninefold::grid::Order;

    #[test]
    fn who_knows_the_solution_fills_all_puzzles_either_way() {
        for decoding in [Decoding::AtOnce, Decoding::CellByCell] {
            let score = score(&predictor(None), &examples(), decoding);
            assert_eq!((score.puzzles, score.solved), (3, 3));
            assert_eq!((score.cells, score.right_cells), (10 + 11 + 5, 26));
            assert_eq!(score.share_solved(), 1.0);
        }
    }

    #[test]
    fn cell_by_cell_looks_again_and_at_once_does_not() {
        // r1c2 comes out right only after r1c3 is filled, and r1c3, being later, is filled first.
        let predictor = predictor(Some(1));
        let at_once = score(&predictor, &examples(), Decoding::AtOnce);
        assert_eq!((at_once.solved, at_once.right_cells), (0, 23));
        assert_eq!(at_once.first_wrong[0], "1..4..1..3..4..3");
        let again = score(&predictor, &examples(), Decoding::CellByCell);
        assert_eq!((again.solved, again.solved_indices), (3, vec![0, 1, 2]));
    }

    #[test]
    fn nothing_to_fill_is_no_score() {
        assert_eq!(
            score(&predictor(None), &Examples::none(Order::FOUR), Decoding::AtOnce),
            Score::default()
        );
    }
}
