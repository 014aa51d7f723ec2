//! The end of an explanation in words.

use super::words::{Teller, Value, finished};
use super::{Detail, End, Explanation, Mistake, Wording};
use crate::grid::{Candidates, Cell, Grid, Order, Position, Solutions};
use crate::limits::Stop;

impl End {
    /// The end in words, for a player who asked for the next step in this position.
    pub fn text(&self, position: &Position, detail: Detail, wording: impl Into<Wording>) -> String {
        let wording = wording.into();
        let teller = Teller::new(position.candidates(), wording);
        let said = match self {
            End::Conflict(conflict) => teller.say(
                "ending.conflict",
                &[
                    ("d", Value::D(conflict.digit)),
                    ("house", Value::H(conflict.house)),
                    ("cells", Value::Cs(vec![conflict.first, conflict.second])),
                ],
            ),
            End::Mistake(mistake) => return mistake.text(position.order(), detail, wording),
            End::Solved => teller.say("ending.solved", &[]),
            End::Contradiction => {
                let is_filled = position.grid().clue_count() > position.puzzle().clue_count();
                let key = if is_filled { "ending.dead.filled" } else { "ending.dead" };
                let end = teller.dead_end().unwrap_or_default();
                teller.say(key, &[("end", Value::T(end))])
            }
            End::Stopped(Stop::Cancelled) => teller.say("ending.cancelled", &[]),
            End::Stopped(_) => teller.say("ending.time", &[]),
            End::NotProven { flaw, .. } => {
                teller.say("ending.bug", &[("flaw", Value::T(flaw.to_string()))])
            }
            End::Stuck | End::Enough => {
                let empty = position.grid().empty_cells().count();
                let number = Value::T(empty.to_string());
                teller.say("ending.stuck", &[("empty", Value::N(empty)), ("number", number)])
            }
        };
        finished(&said)
    }
}

impl Mistake {
    /// The mistake in words; a hint does not tell the digit.
    pub fn text(&self, order: Order, detail: Detail, wording: impl Into<Wording>) -> String {
        let (key, Mistake::WrongDigit { cell, digit } | Mistake::MissingMark { cell, digit }) =
            match self {
                mistake @ Mistake::WrongDigit { .. } => ("mistake.digit", *mistake),
                mistake @ Mistake::MissingMark { .. } => ("mistake.mark", *mistake),
            };
        let key = if detail == Detail::Hint { format!("{key}.hint") } else { key.to_string() };
        let row = Value::H(order.houses_of(cell)[0]);
        wording.into().say_bare(
            order,
            &key,
            &[("cell", Value::C(cell)), ("d", Value::D(digit)), ("house", row)],
        )
    }
}

impl Explanation {
    /// How it ended, in a sentence or two.
    pub fn ending(&self, wording: impl Into<Wording>) -> String {
        let wording = wording.into();
        let teller = Teller::new(&self.last, wording);
        let steps = self.steps.len();
        let slots = [("steps", Value::N(steps)), ("number", Value::T(steps.to_string()))];
        let dead = || teller.dead_end().unwrap_or_default();
        let is_start = self.start.grid() == self.puzzle();
        let said = match &self.end {
            End::Solved if steps == 0 => teller.say("whole.already", &[]),
            End::Solved => teller.say("whole.solved", &slots),
            End::Stuck if matches!(self.solutions, Some(Solutions::Many(..))) => {
                teller.say("whole.undecided", &[])
            }
            End::Contradiction if is_start && steps == 0 => {
                teller.say("whole.none", &[("end", Value::T(dead()))])
            }
            End::Contradiction if is_start => {
                let [steps, number] = slots;
                teller.say("whole.none.later", &[steps, number, ("end", Value::T(dead()))])
            }
            End::Enough => teller.say("whole.enough", &slots),
            End::Stopped(Stop::Cancelled) => teller.say("whole.cancelled", &slots),
            End::Stopped(_) => teller.say("whole.time", &slots),
            other => return other.text(&self.reached(), Detail::Full, wording),
        };
        finished(&said)
    }

    /// What is said before the steps: of a puzzle with several solutions, where two of them differ, or that there is none.
    pub fn opening(&self, wording: impl Into<Wording>) -> Option<String> {
        let wording = wording.into();
        match &self.solutions {
            Some(Solutions::Many(first, second)) => Some(wording.several_solutions(first, second)),
            Some(Solutions::Zero) if self.end != End::Contradiction => Some(wording.no_solution()),
            _ => None,
        }
    }

    /// What a search adds where the steps end before the only solution.
    pub fn searched(&self, wording: impl Into<Wording>) -> Option<String> {
        let only = self.solutions.as_ref().and_then(Solutions::only)?;
        let ends_early = matches!(self.end, End::Stuck | End::Enough | End::Stopped(_));
        let teller = Teller::new(&self.last, wording.into());
        let solution = Value::T(only.to_string());
        ends_early.then(|| finished(&teller.say("whole.search", &[("solution", solution)])))
    }

    /// The position it ends with.
    fn reached(&self) -> Position {
        Position::new(self.puzzle().clone(), self.last.clone())
            .expect("a puzzle and its position have one size")
    }
}

impl Wording {
    /// Where two solutions of a puzzle differ.
    pub fn several_solutions(self, first: &Grid, second: &Grid) -> String {
        let order = first.order();
        let cells: Vec<Cell> = order.cells().filter(|&cell| first[cell] != second[cell]).collect();
        self.say_bare(order, "whole.several", &[("cells", Value::Cs(cells))])
    }

    /// That a puzzle has no solution.
    pub fn no_solution(self) -> String {
        self.say_bare(Order::NINE, "whole.no_solution", &[])
    }

    /// Says something that rests on no position.
    fn say_bare(self, order: Order, key: &str, slots: &[(&str, Value)]) -> String {
        let blank = Candidates::unmarked(&Grid::empty(order));
        finished(&Teller::new(&blank, self).say(key, slots))
    }
}
