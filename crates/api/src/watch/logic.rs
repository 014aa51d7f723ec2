//! Logic on the stage: one step after the other, each with its picture.

use super::{Frame, Stage};
use crate::explain::{LONGEST_PROOF, solutions};
use ninefold::explain::Checked;
use ninefold::explain::picture::Picture;
use ninefold::explain::view::digits;
use ninefold::{Candidates, Detail, End, Grid, Notation, Options, Position, Step};
use std::ops::ControlFlow;

/// Solves as far as logic goes, and lets a search say what is left.
pub fn perform(puzzle: &Grid, stage: &dyn Stage) -> ControlFlow<()> {
    let Ok(position) = Position::start(puzzle) else { return ControlFlow::Continue(()) };
    let solutions = solutions(&position, LONGEST_PROOF, stage.gone());
    let text =
        format!("{} cells are empty. These are their candidates.", puzzle.empty_cells().count());
    let start = digits(position.candidates());
    stage.show(&Frame { candidates: Some(start), ..Frame::new("start", puzzle, text) })?;
    let mut steps =
        Checked::new(&position, solutions.as_ref(), &Options::default(), &stage.limits());
    let mut count = 0;
    for (before, step) in steps.by_ref() {
        count += 1;
        let frame = Frame::new("step", before.grid(), words(&step, &before));
        let frame = match (&step.places[..], &step.removes[..]) {
            ([place, ..], _) => frame.at(place.cell, Some(place.digit)),
            ([], [remove, ..]) => frame.at(remove.cell, Some(remove.digit)),
            _ => frame,
        };
        let picture = Picture::of(&step, &before).view(before.order(), Notation::default());
        let (candidates, picture) = (Some(digits(&before)), Some(picture));
        stage.show(&Frame { candidates, picture, number: Some(count), ..frame })?;
    }
    let (now, end) = (steps.reached(), steps.end().expect("the steps have come to an end"));
    let plural = if count == 1 { "step" } else { "steps" };
    stage.show(&match end {
        End::Solved => Frame::last(
            "solved",
            now.grid(),
            format!("Solved in {count} {plural}, without a guess."),
        ),
        End::Contradiction => Frame::last("none", now.grid(), "There is no solution.".to_string()),
        End::Stuck => {
            let text = format!(
                "After {count} {plural} no technique finds anything more; a search would go on."
            );
            Frame { candidates: Some(digits(now)), ..Frame::last("open", now.grid(), text) }
        }
        End::Stopped(_) => {
            Frame::last("open", now.grid(), format!("The time was up after {count} {plural}."))
        }
        other => Frame::last(
            "open",
            now.grid(),
            other.text(&position, Detail::Full, Notation::default()),
        ),
    })
}

/// A reason that is too long to be read in passing is told in one line of signs.
const LONGEST_REASON: usize = 240;

fn words(step: &Step, position: &Candidates) -> String {
    let reason = step.explain(position, Detail::Full).replace('\n', " ");
    if reason.chars().count() <= LONGEST_REASON { reason } else { step.one_line(position) }
}
