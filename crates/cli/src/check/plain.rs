//! The quick way for long lists: plain 9×9 lines of one chunk go to the batch solver together, and so do all the puzzles
//! that lack one of their clues.
//!
//! It only answers for puzzles with exactly one solution; the ordinary way finds the right words for all others.

use super::Findings;
use crate::input::Question;
use ninefold::search::batch::Batch;
use ninefold::search::nine::{self, Line};
use ninefold::search::{Limits, Solutions, unique};
use std::ops::ControlFlow;

/// Fewer puzzles would leave most lanes of the batch solver empty.
const WORTH_A_BATCH: usize = 8;

/// For each question what is known, if it is a plain 9×9 puzzle with one solution.
pub fn check(questions: &[Question]) -> Vec<Option<Findings>> {
    let mut answers: Vec<Option<Findings>> = questions.iter().map(|_| None).collect();
    let plain =
        |question: &Question| question.as_ref().ok().and_then(|found| found.plain_nine().copied());
    let plain = questions
        .iter()
        .enumerate()
        .filter_map(|(place, question)| Some((place, plain(question)?)));
    let (places, lines): (Vec<usize>, Vec<Line>) = plain.unzip();
    if lines.len() < WORTH_A_BATCH {
        return answers;
    }
    let mut solutions = vec![[0; 81]; lines.len()];
    let (tallies, _) =
        Batch::BEST.solve_all(&lines, 2, &Limits::none(), &mut |puzzle, solution| {
            solutions[puzzle] = *solution;
            ControlFlow::Continue(())
        });
    let unique: Vec<usize> =
        (0..lines.len()).filter(|&number| tallies[number].solutions == 1).collect();
    let puzzles: Vec<Line> = unique.iter().map(|&number| lines[number]).collect();
    for ((&number, puzzle), idle) in unique.iter().zip(&puzzles).zip(unique::idle_clues(&puzzles)) {
        answers[places[number]] = Some(Findings {
            puzzle: nine::grid(puzzle),
            conflict: None,
            solutions: Some(Ok(Solutions::One(nine::grid(&solutions[number])))),
            redundant: Some(Ok(idle)),
        });
    }
    answers
}
