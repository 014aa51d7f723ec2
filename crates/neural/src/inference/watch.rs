//! Fills one puzzle and reports every prediction and every filled cell to a callback.
//!
//! The result is the same as in [`decoding`](crate::inference::decoding). The callback is called
//! after every recurrent step and every filled cell, so a cancelled run ends within one step.

use super::decoding::{Decoding, most_likely};
use super::predictor::Predictor;
use std::ops::ControlFlow;

/// One event while a network fills a puzzle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event<'a> {
    /// The network has run on a board, up to some recurrent step.
    Prediction {
        /// The board; 0 is an empty cell.
        board: &'a [u8],
        /// The probability of each digit of each cell.
        probabilities: &'a [f32],
        /// The recurrent step, counted from 1. A network without recurrence has one step.
        step: usize,
        /// Total number of recurrent steps.
        steps: usize,
    },
    /// The network has filled a cell.
    Placement {
        /// The board after filling the cell.
        board: &'a [u8],
        /// Index of the filled cell.
        cell: usize,
        /// The digit.
        number: u8,
        /// Probability of the digit.
        probability: f32,
    },
}

/// Receives every event; returns `Break` to stop.
pub type Watcher<'a> = dyn FnMut(Event<'_>) -> ControlFlow<()> + 'a;

/// Fills a puzzle. Returns `None` if the watcher stops it.
pub fn fill(
    predictor: &dyn Predictor,
    puzzle: &[u8],
    decoding: Decoding,
    watcher: &mut Watcher<'_>,
) -> Option<Vec<u8>> {
    let mut board = puzzle.to_vec();
    while board.contains(&0) {
        let last = predict(predictor, &board, watcher)?;
        let mut choices: Vec<(usize, u8, f32)> = open_cells(predictor, &board, &last).collect();
        match decoding {
            Decoding::CellByCell => choices = vec![most_certain(&choices)],
            // All cells are filled; the surest first, as a person would, not in reading order.
            Decoding::AtOnce => choices.sort_by(|a, b| b.2.total_cmp(&a.2)),
        }
        for (cell, number, probability) in choices {
            board[cell] = number;
            watcher(Event::Placement { board: &board, cell, number, probability })
                .is_continue()
                .then_some(())?;
        }
    }
    Some(board)
}

/// Runs the network on a board and returns the probabilities after the last step.
fn predict(predictor: &dyn Predictor, board: &[u8], watcher: &mut Watcher<'_>) -> Option<Vec<f32>> {
    let outputs = predictor.log_probabilities_each_step(board);
    let steps = outputs.len();
    let mut probabilities = Vec::new();
    for (step, log_probabilities) in (1..).zip(outputs) {
        probabilities = log_probabilities.into_iter().map(f32::exp).collect();
        let predict = Event::Prediction { board, probabilities: &probabilities, step, steps };
        watcher(predict).is_continue().then_some(())?;
    }
    Some(probabilities)
}

/// For each empty cell, the most likely digit and its probability.
fn open_cells(
    predictor: &dyn Predictor,
    board: &[u8],
    probabilities: &[f32],
) -> impl Iterator<Item = (usize, u8, f32)> {
    let cells = probabilities
        .chunks(predictor.order().side())
        .enumerate()
        .filter(|&(cell, _)| board[cell] == 0);
    cells.map(|(cell, probabilities)| {
        let (number, probability) = most_likely(probabilities);
        (cell, number, probability)
    })
}

/// The choice with the highest probability, the first among equals.
fn most_certain(choices: &[(usize, u8, f32)]) -> (usize, u8, f32) {
    let better = |best: (usize, u8, f32), next: &(usize, u8, f32)| {
        if next.2 > best.2 { *next } else { best }
    };
    choices.iter().fold(choices[0], better)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::StepOutputs;
    use ninefold::grid::Order;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Predicts arbitrary probabilities that depend on the cell and on the number of filled cells.
    struct ArbitraryPredictor;

    impl Predictor for ArbitraryPredictor {
        fn order(&self) -> Order {
            Order::FOUR
        }

        fn batch(&self) -> usize {
            1
        }

        fn log_probabilities(&self, puzzles: &[&[u8]]) -> Vec<f32> {
            let predict = |puzzle: &&[u8]| {
                let filled = puzzle.iter().filter(|&&number| number > 0).count();
                let weights: Vec<f32> =
                    (0..64).map(|place| ((place * 7 + filled * 5) % 13 + 1) as f32).collect();
                let cells = weights
                    .chunks(4)
                    .flat_map(|cell| cell.iter().map(|w| (w / cell.iter().sum::<f32>()).ln()));
                cells.collect::<Vec<f32>>()
            };
            puzzles.iter().flat_map(predict).collect()
        }
    }

    const PUZZLE: [u8; 16] = [1, 0, 0, 4, 0, 0, 1, 0, 0, 3, 0, 0, 4, 0, 0, 3];

    #[test]
    fn watching_does_not_change_the_result() {
        for decoding in [Decoding::AtOnce, Decoding::CellByCell] {
            let (mut predictions, mut placements) = (0, 0);
            let filled = fill(&ArbitraryPredictor, &PUZZLE, decoding, &mut |event| {
                match event {
                    Event::Prediction { probabilities, .. } => {
                        predictions += 1;
                        assert!(
                            probabilities
                                .chunks(4)
                                .all(|cell| (cell.iter().sum::<f32>() - 1.0).abs() < 1e-4)
                        );
                    }
                    Event::Placement { board, cell, number, .. } => {
                        placements += 1;
                        assert_eq!(board[cell], number);
                    }
                }
                ControlFlow::Continue(())
            });
            assert_eq!(
                filled.as_ref(),
                super::super::decoding::fill(&ArbitraryPredictor, &[&PUZZLE], decoding).first()
            );
            assert_eq!(
                (predictions, placements),
                (if decoding == Decoding::AtOnce { 1 } else { 10 }, 10)
            );
        }
    }

    #[test]
    fn the_watcher_can_stop_the_run() {
        let mut events = 0;
        let filled = fill(&ArbitraryPredictor, &PUZZLE, Decoding::CellByCell, &mut |_| {
            events += 1;
            if events == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((filled, events), (None, 2));
    }

    /// Has `usize::MAX` recurrent steps and counts those that ran.
    struct EndlessPredictor(AtomicUsize);

    impl Predictor for EndlessPredictor {
        fn order(&self) -> Order {
            Order::FOUR
        }

        fn batch(&self) -> usize {
            1
        }

        fn log_probabilities(&self, puzzles: &[&[u8]]) -> Vec<f32> {
            self.0.fetch_add(1, Ordering::Relaxed);
            ArbitraryPredictor.log_probabilities(puzzles)
        }

        fn log_probabilities_each_step(&self, puzzle: &[u8]) -> StepOutputs<'_, Vec<f32>> {
            let puzzle = puzzle.to_vec();
            Box::new((0..usize::MAX).map(move |_| self.log_probabilities(&[&puzzle])))
        }
    }

    #[test]
    fn steps_after_a_stop_are_not_computed() {
        let predictor = EndlessPredictor(AtomicUsize::new(0));
        let filled = fill(&predictor, &PUZZLE, Decoding::AtOnce, &mut |event| match event {
            Event::Prediction { step: 3, steps, .. } => {
                assert_eq!(steps, usize::MAX);
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        });
        assert_eq!((filled, predictor.0.into_inner()), (None, 3));
    }
}
