//! The end of an explanation in words.

use super::{Detail, End, Explanation, Notation};
use crate::grid::Order;
use crate::limits::Stop;

impl End {
    /// The end in words, for a player who asked for the next step.
    pub fn text(&self, order: Order, detail: Detail, notation: Notation) -> String {
        match self {
            End::Conflict(conflict) => format!("This cannot be: {conflict}."),
            End::Mistake(mistake) => mistake.text(order, detail, notation),
            End::Solved => "The grid is full and right.".to_string(),
            End::Contradiction => {
                "There is no way on: a cell has no digit left or a house no place for one.".to_string()
            }
            End::Stopped(Stop::Cancelled) => "Cancelled before a step was found.".to_string(),
            End::Stopped(_) => "The time was up before a step was found.".to_string(),
            End::NotProven { flaw, .. } => format!("This is a bug in Ninefold: the next step is not proven: {flaw}."),
            End::Stuck | End::Enough => "None of the techniques in use finds anything here.".to_string(),
        }
    }
}

impl Explanation {
    /// How it ended, in a sentence.
    pub fn ending(&self, notation: Notation) -> String {
        let steps = match self.steps.len() {
            1 => "1 step".to_string(),
            count => format!("{count} steps"),
        };
        match &self.end {
            End::Solved => format!("Solved by logic alone in {steps}."),
            End::Stuck => format!("After {steps} no technique in use finds anything more."),
            End::Contradiction => {
                format!("After {steps} a cell has no digit left or a house no place for one, so this cannot be solved.")
            }
            End::Enough => format!("These are the first {steps}, as many as were asked for."),
            End::Stopped(Stop::Cancelled) => format!("After {steps} it was cancelled."),
            End::Stopped(_) => format!("After {steps} the time was up."),
            End::Mistake(mistake) => {
                let words = mistake.text(self.start.order(), Detail::Full, notation);
                format!("{words} Correct this first: from a mistake everything follows.")
            }
            other => other.text(self.start.order(), Detail::Full, notation),
        }
    }
}
