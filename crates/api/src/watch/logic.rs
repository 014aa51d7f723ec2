//! Shows logic: one step after the other, each with its picture.

use super::{Frame, Stage};
use crate::explain::{MAX_PROOF_TIME, solutions};
use ninefold::explain::CheckedSteps;
use ninefold::explain::picture::Picture;
use ninefold::explain::view::digits;
use ninefold::{
    Candidates, Detail, ExplainOptions, ExplainOutcome, Grid, Notation, Position, Step,
};
use std::ops::ControlFlow;

/// Solves the puzzle as far as logic goes.
pub fn perform(puzzle: &Grid, stage: &dyn Stage) -> ControlFlow<()> {
    let Ok(position) = Position::from_puzzle(puzzle) else { return ControlFlow::Continue(()) };
    let solutions = solutions(&position, &stage.limits().with_time(MAX_PROOF_TIME));
    let text =
        format!("{} cells are empty. These are their candidates.", puzzle.empty_cells().count());
    let start = digits(position.candidates());
    stage.show(&Frame { candidates: Some(start), ..Frame::new("start", puzzle, text) })?;
    let mut steps = CheckedSteps::new(
        &position,
        solutions.as_ref(),
        &ExplainOptions::default(),
        &stage.limits(),
    );
    let mut count = 0;
    for (before, step) in steps.by_ref() {
        count += 1;
        let frame = Frame::new("step", before.grid(), step_text(&step, &before));
        let frame = match (&step.places[..], &step.removes[..]) {
            ([place, ..], _) => frame.at(place.cell, Some(place.digit)),
            ([], [remove, ..]) => frame.at(remove.cell, Some(remove.digit)),
            _ => frame,
        };
        let picture = Picture::new(&step, &before).view(before.grid(), Notation::default());
        let (candidates, picture) = (Some(digits(&before)), Some(picture));
        stage.show(&Frame { candidates, picture, number: Some(count), ..frame })?;
    }
    let (now, outcome) = (steps.reached(), steps.outcome().expect("all steps have been taken"));
    let plural = if count == 1 { "step" } else { "steps" };
    let last = match outcome {
        ExplainOutcome::Solved => Frame::last(
            "solved",
            now.grid(),
            format!("Solved in {count} {plural}, without a guess."),
        ),
        ExplainOutcome::Contradiction => {
            Frame::last("none", now.grid(), "There is no solution.".to_string())
        }
        ExplainOutcome::Stuck => {
            let text = format!(
                "After {count} {plural} no technique finds anything more; a search would go on."
            );
            Frame { candidates: Some(digits(now)), ..Frame::last("open", now.grid(), text) }
        }
        ExplainOutcome::Stopped(_) => {
            Frame::last("open", now.grid(), format!("The time was up after {count} {plural}."))
        }
        other => Frame::last(
            "open",
            now.grid(),
            other.text(&position, Detail::Full, Notation::default()),
        ),
    };
    stage.show(&Frame { guesses: Some(0), ..last })
}

/// Explanations with more characters are shown in one-line notation.
const MAX_TEXT_LENGTH: usize = 240;

fn step_text(step: &Step, position: &Candidates) -> String {
    let reason = step.explain(position, Detail::Full).replace('\n', " ");
    if reason.chars().count() <= MAX_TEXT_LENGTH { reason } else { step.one_line(position) }
}
