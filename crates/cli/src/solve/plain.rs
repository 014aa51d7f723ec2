//! The quick way for long lists: plain 9×9 lines of one chunk go to the batch solver together, or to a graphics card.
//!
//! It only answers for puzzles with exactly one solution. Whatever else turns up (a slip, a clue twice in a house, no
//! solution, several) goes the ordinary way, which finds the right words for it.

use super::card::Card;
use crate::input::Question;
use ninefold::search::batch::Batch;
use ninefold::search::nine::Line;
use ninefold::search::{Effort, Limits};
use std::ops::ControlFlow;
use std::time::Instant;

/// Fewer puzzles would leave most lanes of the batch solver empty.
const WORTH_A_BATCH: usize = 8;

/// A puzzle's only solution and what it cost.
pub struct Solved {
    /// The solution with a line end.
    pub data: String,
    /// The time is the share of this puzzle in the whole chunk's.
    pub effort: Effort,
}

/// For each question its answer, if it is a plain 9×9 puzzle with one solution.
pub fn solve(questions: &[Question], card: Option<&Card>) -> Vec<Option<Solved>> {
    let mut answers: Vec<Option<Solved>> = questions.iter().map(|_| None).collect();
    let mut places = Vec::new();
    let mut lines: Vec<Line> = Vec::new();
    for (place, question) in questions.iter().enumerate() {
        if let Some(line) = question.as_ref().ok().and_then(|found| found.plain_nine().copied()) {
            places.push(place);
            lines.push(line);
        }
    }
    if lines.len() < WORTH_A_BATCH {
        return answers;
    }
    let started = Instant::now();
    let mut solutions = vec![[0; 81]; lines.len()];
    let tallies = match card {
        Some(card) => card.solve(&lines, &mut solutions),
        None => {
            let mut see = |puzzle: usize, solution: &Line| {
                solutions[puzzle] = *solution;
                ControlFlow::Continue(())
            };
            Batch::BEST.solve_all(&lines, 2, &Limits::none(), &mut see).0
        }
    };
    let elapsed = started.elapsed() / lines.len() as u32;
    for ((place, tally), solution) in places.into_iter().zip(tallies).zip(&solutions) {
        if tally.solutions == 1 {
            // A tree that was walked to its end has one node more than twice its guesses.
            let effort = Effort {
                nodes: 1 + 2 * tally.guesses,
                guesses: tally.guesses,
                elapsed,
                stop: None,
            };
            let data = solution.iter().map(|&byte| char::from(byte)).chain(['\n']).collect();
            answers[place] = Some(Solved { data, effort });
        }
    }
    answers
}
