//! Text for the outcome of an explanation.

use super::words::{StepWriter, Value, without_markers};
use super::{Detail, ExplainOutcome, Explanation, Mistake, Wording};
use crate::grid::{Candidates, Cell, Grid, Order, Position, Solutions};
use crate::limits::StopReason;

impl ExplainOutcome {
    /// Returns the outcome as text for a player who asked for the next step in this position.
    pub fn text(&self, position: &Position, detail: Detail, wording: impl Into<Wording>) -> String {
        let wording = wording.into();
        let writer = StepWriter::new(position.candidates(), wording);
        let text = match self {
            ExplainOutcome::Conflict(conflict) => writer.render(
                "ending.conflict",
                &[
                    ("d", Value::D(conflict.digit)),
                    ("house", Value::H(conflict.house)),
                    ("cells", Value::Cs(vec![conflict.first, conflict.second])),
                ],
            ),
            ExplainOutcome::Mistake(mistake) => {
                return mistake.text(position.order(), detail, wording);
            }
            ExplainOutcome::Solved => writer.render("ending.solved", &[]),
            ExplainOutcome::Contradiction => {
                let is_filled = position.grid().clue_count() > position.puzzle().clue_count();
                let key = if is_filled { "ending.dead.filled" } else { "ending.dead" };
                let end = writer.dead_end().unwrap_or_default();
                writer.render(key, &[("end", Value::T(end))])
            }
            ExplainOutcome::Stopped(StopReason::Cancelled) => {
                writer.render("ending.cancelled", &[])
            }
            ExplainOutcome::Stopped(_) => writer.render("ending.time", &[]),
            ExplainOutcome::NotProven { error, .. } => {
                writer.render("ending.bug", &[("flaw", Value::T(error.to_string()))])
            }
            ExplainOutcome::Stuck | ExplainOutcome::StepLimit => {
                let empty = position.grid().empty_cells().count();
                let number = Value::T(empty.to_string());
                writer.render("ending.stuck", &[("empty", Value::N(empty)), ("number", number)])
            }
        };
        without_markers(&text)
    }
}

impl Mistake {
    /// Returns the mistake as text. A hint does not reveal the digit.
    pub fn text(&self, order: Order, detail: Detail, wording: impl Into<Wording>) -> String {
        let (key, Mistake::WrongDigit { cell, digit } | Mistake::MissingMark { cell, digit }) =
            match self {
                mistake @ Mistake::WrongDigit { .. } => ("mistake.digit", *mistake),
                mistake @ Mistake::MissingMark { .. } => ("mistake.mark", *mistake),
            };
        let key = if detail == Detail::Hint { format!("{key}.hint") } else { key.to_string() };
        let row = Value::H(order.houses_of(cell)[0]);
        wording.into().render_without_position(
            order,
            &key,
            &[("cell", Value::C(cell)), ("d", Value::D(digit)), ("house", row)],
        )
    }
}

impl Explanation {
    /// Returns the outcome in one or two sentences.
    pub fn outcome_text(&self, wording: impl Into<Wording>) -> String {
        let wording = wording.into();
        let writer = StepWriter::new(&self.last, wording);
        let steps = self.steps.len();
        let slots = [("steps", Value::N(steps)), ("number", Value::T(steps.to_string()))];
        let dead = || writer.dead_end().unwrap_or_default();
        let is_start = self.start.grid() == self.puzzle();
        let text = match &self.outcome {
            ExplainOutcome::Solved if steps == 0 => writer.render("whole.already", &[]),
            ExplainOutcome::Solved => writer.render("whole.solved", &slots),
            ExplainOutcome::Stuck if matches!(self.solutions, Some(Solutions::Many(..))) => {
                writer.render("whole.undecided", &[])
            }
            ExplainOutcome::Contradiction if is_start && steps == 0 => {
                writer.render("whole.none", &[("end", Value::T(dead()))])
            }
            ExplainOutcome::Contradiction if is_start => {
                let [steps, number] = slots;
                writer.render("whole.none.later", &[steps, number, ("end", Value::T(dead()))])
            }
            ExplainOutcome::StepLimit => writer.render("whole.enough", &slots),
            ExplainOutcome::Stopped(StopReason::Cancelled) => {
                writer.render("whole.cancelled", &slots)
            }
            ExplainOutcome::Stopped(_) => writer.render("whole.time", &slots),
            other => return other.text(&self.reached(), Detail::Full, wording),
        };
        without_markers(&text)
    }

    /// Returns the text before the steps if the puzzle has several solutions (with the cells that
    /// differ) or none.
    pub fn introduction(&self, wording: impl Into<Wording>) -> Option<String> {
        let wording = wording.into();
        match &self.solutions {
            Some(Solutions::Many(first, second)) => Some(wording.several_solutions(first, second)),
            Some(Solutions::Zero) if self.outcome != ExplainOutcome::Contradiction => {
                Some(wording.no_solution())
            }
            _ => None,
        }
    }

    /// Returns a note with the unique solution found by the search, if the steps do not reach it.
    pub fn solution_note(&self, wording: impl Into<Wording>) -> Option<String> {
        let only = self.solutions.as_ref().and_then(Solutions::only)?;
        let ends_early = matches!(
            self.outcome,
            ExplainOutcome::Stuck | ExplainOutcome::StepLimit | ExplainOutcome::Stopped(_)
        );
        let writer = StepWriter::new(&self.last, wording.into());
        let solution = Value::T(only.to_string());
        ends_early
            .then(|| without_markers(&writer.render("whole.search", &[("solution", solution)])))
    }

    /// Returns the position after the last step.
    fn reached(&self) -> Position {
        Position::new(self.puzzle().clone(), self.last.clone())
            .expect("a puzzle and its position have the same size")
    }
}

impl Wording {
    /// Returns where two solutions of a puzzle differ.
    pub fn several_solutions(self, first: &Grid, second: &Grid) -> String {
        let order = first.order();
        let cells: Vec<Cell> = order.cells().filter(|&cell| first[cell] != second[cell]).collect();
        self.render_without_position(order, "whole.several", &[("cells", Value::Cs(cells))])
    }

    /// Returns the text for a puzzle without a solution.
    pub fn no_solution(self) -> String {
        self.render_without_position(Order::NINE, "whole.no_solution", &[])
    }

    /// Renders a template that does not depend on a position.
    fn render_without_position(self, order: Order, key: &str, slots: &[(&str, Value)]) -> String {
        let blank = Candidates::empty(&Grid::empty(order));
        without_markers(&StepWriter::new(&blank, self).render(key, slots))
    }
}
