//! Logic on the stage: one step after the other, each with its picture.

use super::super::explain::{Next, Patience, known, next_step};
use super::super::position::Position;
use super::super::told;
use super::stage::{Frame, Stage};
use ninefold::grid::{Candidates, Grid};
use ninefold::logic::{Level, Step};
use std::ops::ControlFlow;
use std::time::Duration;

/// Solves as far as logic goes, and lets a search say what is left.
pub fn perform(puzzle: &Grid, stage: &Stage<'_>) -> ControlFlow<()> {
    let Ok(mut now) = Candidates::of(puzzle) else { return ControlFlow::Continue(()) };
    let position = Position { puzzle: puzzle.clone(), entries: Vec::new(), grid: puzzle.clone(), marks: now.clone() };
    let known = known(&position, Duration::from_secs(5), stage.gone());
    let text = format!("{} cells are empty. These are their candidates.", puzzle.empty_cells().count());
    stage.show(&Frame { candidates: told::candidates(&now), ..Frame::new("start", puzzle, text) })?;
    let patience = Patience { until: stage.until(), gone: stage.gone() };
    let mut steps = 0;
    loop {
        match next_step(puzzle, &now, known.is_unique, &patience) {
            Next::Step(step) => {
                steps += 1;
                let told = told::step(&step, &now);
                let frame = Frame::new("step", now.grid(), words(&step, &now));
                let frame = match (&step.places[..], &step.removes[..]) {
                    ([place, ..], _) => frame.at(place.cell, Some(place.digit)),
                    ([], [remove, ..]) => frame.at(remove.cell, Some(remove.digit)),
                    _ => frame,
                };
                let (candidates, picture) = (told::candidates(&now), told["picture"].clone());
                stage.show(&Frame { candidates, picture, number: Some(steps), ..frame })?;
                step.apply_to(&mut now);
            }
            Next::End(end) => {
                return stage.show(&match end {
                    "solved" => Frame::last("solved", now.grid(), format!("Solved in {steps} steps, without a guess.")),
                    "contradiction" => Frame::last("none", now.grid(), "There is no solution.".to_string()),
                    "stuck" => {
                        let text =
                            format!("After {steps} steps no technique finds anything more; a search would go on.");
                        Frame { candidates: told::candidates(&now), ..Frame::last("open", now.grid(), text) }
                    }
                    _ => Frame::last("open", now.grid(), format!("The time was up after {steps} steps.")),
                });
            }
        }
    }
}

/// A reason that is too long to be read in passing is told in one line of signs.
const LONGEST_REASON: usize = 160;

fn words(step: &Step, position: &Candidates) -> String {
    let reason = step.explain(position, Level::Full);
    if reason.chars().count() <= LONGEST_REASON { reason } else { step.one_line(position) }
}
