//! Watching a network: this is where it shows its probabilities while it fills a puzzle.
//!
//! It fills exactly as in [`decoding`](crate::inference::decoding), one puzzle at a time, and nothing that is shown changes what
//! it does. The watcher is asked after every recurrent step and after every digit, so a network that nobody
//! watches any more ends within one step.

use super::decoding::{Decoding, likeliest};
use super::predictor::Predictor;
use std::ops::ControlFlow;

/// One moment of a network at work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moment<'a> {
    /// It has run on a board, up to some recurrent step.
    Look {
        /// The board, 0 for an empty cell.
        board: &'a [u8],
        /// The probability of each digit of each cell.
        probabilities: &'a [f32],
        /// The recurrent step, counted from 1; a network without recurrence has one.
        step: usize,
        /// How many there are.
        steps: usize,
    },
    /// It has written a digit.
    Write {
        /// The board after that.
        board: &'a [u8],
        /// The cell.
        cell: usize,
        /// The number.
        number: u8,
        /// How sure it was.
        probability: f32,
    },
}

/// Sees every moment and says whether to go on.
pub type Watcher<'a> = dyn FnMut(Moment<'_>) -> ControlFlow<()> + 'a;

/// Fills a puzzle. When the watcher has seen enough, nothing more is computed and nothing comes back.
pub fn fill(
    predictor: &dyn Predictor,
    puzzle: &[u8],
    decoding: Decoding,
    watcher: &mut Watcher<'_>,
) -> Option<Vec<u8>> {
    let mut board = puzzle.to_vec();
    while board.contains(&0) {
        let last = look(predictor, &board, watcher)?;
        let mut choices: Vec<(usize, u8, f32)> = open_cells(predictor, &board, &last).collect();
        if decoding == Decoding::CellByCell {
            choices = vec![surest(&choices)];
        }
        for (cell, number, probability) in choices {
            board[cell] = number;
            watcher(Moment::Write { board: &board, cell, number, probability })
                .is_continue()
                .then_some(())?;
        }
    }
    Some(board)
}

/// The probabilities after the last step on a board.
fn look(predictor: &dyn Predictor, board: &[u8], watcher: &mut Watcher<'_>) -> Option<Vec<f32>> {
    let outputs = predictor.log_probabilities_each_step(board);
    let steps = outputs.len();
    let mut probabilities = Vec::new();
    for (step, log_probabilities) in (1..).zip(outputs) {
        probabilities = log_probabilities.into_iter().map(f32::exp).collect();
        let look = Moment::Look { board, probabilities: &probabilities, step, steps };
        watcher(look).is_continue().then_some(())?;
    }
    Some(probabilities)
}

/// For each empty cell the likeliest number and its probability.
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
        let (number, probability) = likeliest(probabilities);
        (cell, number, probability)
    })
}

/// The first among the surest choices.
fn surest(choices: &[(usize, u8, f32)]) -> (usize, u8, f32) {
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

    /// Gives each digit a weight of its own in each cell; filled cells change the weights of the others.
    struct Moody;

    impl Predictor for Moody {
        fn order(&self) -> Order {
            Order::FOUR
        }

        fn batch(&self) -> usize {
            1
        }

        fn log_probabilities(&self, puzzles: &[&[u8]]) -> Vec<f32> {
            let mood = |puzzle: &&[u8]| {
                let filled = puzzle.iter().filter(|&&number| number > 0).count();
                let weights: Vec<f32> =
                    (0..64).map(|place| ((place * 7 + filled * 5) % 13 + 1) as f32).collect();
                let cells = weights
                    .chunks(4)
                    .flat_map(|cell| cell.iter().map(|w| (w / cell.iter().sum::<f32>()).ln()));
                cells.collect::<Vec<f32>>()
            };
            puzzles.iter().flat_map(mood).collect()
        }
    }

    const PUZZLE: [u8; 16] = [1, 0, 0, 4, 0, 0, 1, 0, 0, 3, 0, 0, 4, 0, 0, 3];

    #[test]
    fn a_watched_network_fills_as_an_unwatched_one() {
        for decoding in [Decoding::AtOnce, Decoding::CellByCell] {
            let (mut looks, mut writes) = (0, 0);
            let filled = fill(&Moody, &PUZZLE, decoding, &mut |moment| {
                match moment {
                    Moment::Look { probabilities, .. } => {
                        looks += 1;
                        assert!(
                            probabilities
                                .chunks(4)
                                .all(|cell| (cell.iter().sum::<f32>() - 1.0).abs() < 1e-4)
                        );
                    }
                    Moment::Write { board, cell, number, .. } => {
                        writes += 1;
                        assert_eq!(board[cell], number);
                    }
                }
                ControlFlow::Continue(())
            });
            assert_eq!(
                filled.as_ref(),
                super::super::decoding::fill(&Moody, &[&PUZZLE], decoding).first()
            );
            assert_eq!((looks, writes), (if decoding == Decoding::AtOnce { 1 } else { 10 }, 10));
        }
    }

    #[test]
    fn a_watcher_who_has_seen_enough_ends_it() {
        let mut moments = 0;
        let filled = fill(&Moody, &PUZZLE, Decoding::CellByCell, &mut |_| {
            moments += 1;
            if moments == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((filled, moments), (None, 2));
    }

    /// Takes more steps than anybody can wait for, and counts those that it has taken.
    struct Ponderous(AtomicUsize);

    impl Predictor for Ponderous {
        fn order(&self) -> Order {
            Order::FOUR
        }

        fn batch(&self) -> usize {
            1
        }

        fn log_probabilities(&self, puzzles: &[&[u8]]) -> Vec<f32> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Moody.log_probabilities(puzzles)
        }

        fn log_probabilities_each_step(&self, puzzle: &[u8]) -> StepOutputs<'_, Vec<f32>> {
            let puzzle = puzzle.to_vec();
            Box::new((0..usize::MAX).map(move |_| self.log_probabilities(&[&puzzle])))
        }
    }

    #[test]
    fn steps_that_nobody_sees_are_not_taken() {
        let predictor = Ponderous(AtomicUsize::new(0));
        let filled = fill(&predictor, &PUZZLE, Decoding::AtOnce, &mut |moment| match moment {
            Moment::Look { step: 3, steps, .. } => {
                assert_eq!(steps, usize::MAX);
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        });
        assert_eq!((filled, predictor.0.into_inner()), (None, 3));
    }
}
