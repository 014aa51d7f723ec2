//! Watching a network: this is where it shows what it thinks while it fills a puzzle.
//!
//! It fills exactly as in [`evaluate`](crate::inference::evaluate), one puzzle at a time, and nothing that is shown changes what
//! it does. The watcher is asked after every round of thinking and after every digit, so a network that nobody watches
//! any more ends within one round.

use crate::inference::evaluate::{Judge, Way, likeliest};
use std::ops::ControlFlow;

/// One moment of a network at work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moment<'a> {
    /// It has looked at a board.
    Look {
        /// The board it looked at, 0 for an empty cell.
        board: &'a [u8],
        /// The probability of each digit of each cell.
        probabilities: &'a [f32],
        /// Which of its answers to this look it is, counted from 1; networks that think in rounds give several.
        answer: usize,
        /// How many there are.
        answers: usize,
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

/// Somebody who sees every moment and answers whether to go on.
pub type Watcher<'a> = dyn FnMut(Moment<'_>) -> ControlFlow<()> + 'a;

/// Fills a puzzle in this way. When the watcher has seen enough, nothing more is computed and nothing comes back.
pub fn fill(judge: &dyn Judge, puzzle: &[u8], way: Way, watcher: &mut Watcher<'_>) -> Option<Vec<u8>> {
    let mut board = puzzle.to_vec();
    while board.contains(&0) {
        let last = look(judge, &board, watcher)?;
        let mut choices: Vec<(usize, u8, f32)> = open_cells(judge, &board, &last).collect();
        if way == Way::CellByCell {
            choices = vec![surest(&choices)];
        }
        for (cell, number, probability) in choices {
            board[cell] = number;
            watcher(Moment::Write { board: &board, cell, number, probability }).is_continue().then_some(())?;
        }
    }
    Some(board)
}

/// The probabilities after one look at a board, which are the last of its answers.
fn look(judge: &dyn Judge, board: &[u8], watcher: &mut Watcher<'_>) -> Option<Vec<f32>> {
    let rounds = judge.on_the_way(board);
    let answers = rounds.len();
    let mut probabilities = Vec::new();
    for (answer, log_probabilities) in (1..).zip(rounds) {
        probabilities = log_probabilities.into_iter().map(f32::exp).collect();
        let look = Moment::Look { board, probabilities: &probabilities, answer, answers };
        watcher(look).is_continue().then_some(())?;
    }
    Some(probabilities)
}

/// For each empty cell the likeliest number and its probability.
fn open_cells(judge: &dyn Judge, board: &[u8], probabilities: &[f32]) -> impl Iterator<Item = (usize, u8, f32)> {
    let cells = probabilities.chunks(judge.order().side()).enumerate().filter(|&(cell, _)| board[cell] == 0);
    cells.map(|(cell, probabilities)| {
        let (number, probability) = likeliest(probabilities);
        (cell, number, probability)
    })
}

/// The first among the surest choices.
fn surest(choices: &[(usize, u8, f32)]) -> (usize, u8, f32) {
    let better = |best: (usize, u8, f32), next: &(usize, u8, f32)| if next.2 > best.2 { *next } else { best };
    choices.iter().fold(choices[0], better)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inference::evaluate;
    use crate::models::Answers;
    use ninefold::grid::Order;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Gives each digit a weight of its own in each cell; filled cells change the weights of the others.
    struct Moody;

    impl Judge for Moody {
        fn order(&self) -> Order {
            Order::FOUR
        }

        fn batch(&self) -> usize {
            1
        }

        fn log_probabilities(&self, puzzles: &[&[u8]]) -> Vec<f32> {
            let mood = |puzzle: &&[u8]| {
                let filled = puzzle.iter().filter(|&&number| number > 0).count();
                let weights: Vec<f32> = (0..64).map(|place| ((place * 7 + filled * 5) % 13 + 1) as f32).collect();
                let cells = weights.chunks(4).flat_map(|cell| cell.iter().map(|w| (w / cell.iter().sum::<f32>()).ln()));
                cells.collect::<Vec<f32>>()
            };
            puzzles.iter().flat_map(mood).collect()
        }
    }

    const PUZZLE: [u8; 16] = [1, 0, 0, 4, 0, 0, 1, 0, 0, 3, 0, 0, 4, 0, 0, 3];

    #[test]
    fn a_watched_network_fills_as_an_unwatched_one() {
        for way in [Way::AtOnce, Way::CellByCell] {
            let (mut looks, mut writes) = (0, 0);
            let filled = fill(&Moody, &PUZZLE, way, &mut |moment| {
                match moment {
                    Moment::Look { probabilities, .. } => {
                        looks += 1;
                        assert!(probabilities.chunks(4).all(|cell| (cell.iter().sum::<f32>() - 1.0).abs() < 1e-4));
                    }
                    Moment::Write { board, cell, number, .. } => {
                        writes += 1;
                        assert_eq!(board[cell], number);
                    }
                }
                ControlFlow::Continue(())
            });
            assert_eq!(filled.as_ref(), evaluate::fill(&Moody, &[&PUZZLE], way).first());
            assert_eq!((looks, writes), (if way == Way::AtOnce { 1 } else { 10 }, 10));
        }
    }

    #[test]
    fn a_watcher_who_has_seen_enough_ends_it() {
        let mut moments = 0;
        let filled = fill(&Moody, &PUZZLE, Way::CellByCell, &mut |_| {
            moments += 1;
            if moments == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((filled, moments), (None, 2));
    }

    /// Thinks in more rounds than anybody can wait for, and counts those that it has worked out.
    struct Ponderous(AtomicUsize);

    impl Judge for Ponderous {
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

        fn on_the_way(&self, puzzle: &[u8]) -> Answers<'_, Vec<f32>> {
            let puzzle = puzzle.to_vec();
            Box::new((0..usize::MAX).map(move |_| self.log_probabilities(&[&puzzle])))
        }
    }

    #[test]
    fn rounds_that_nobody_sees_are_not_worked_out() {
        let judge = Ponderous(AtomicUsize::new(0));
        let filled = fill(&judge, &PUZZLE, Way::AtOnce, &mut |moment| match moment {
            Moment::Look { answer: 3, answers, .. } => {
                assert_eq!(answers, usize::MAX);
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        });
        assert_eq!((filled, judge.0.into_inner()), (None, 3));
    }
}
