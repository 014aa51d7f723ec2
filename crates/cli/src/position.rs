//! A player's position: this is where we find what to explain or to give a hint about.

use crate::error::CliError;
use crate::input::{Puzzles, Question};
use crate::source::Sources;
use ninefold::grid::{Grid, Order};
use ninefold::search::{self, Limits, Solutions, Unfinished};
use std::time::Duration;

/// The positions to look at. Each argument may be one, or a file in any format, and a position in a file is where we go on.
pub fn all(sources: &Sources) -> Result<Vec<Question>, CliError> {
    let questions: Vec<Question> = Puzzles::of(sources)?.collect();
    if questions.is_empty() {
        return Err(CliError::new("there is no puzzle in the input").hint("write one puzzle per line"));
    }
    Ok(questions)
}

/// The clues of a puzzle that was typed; they may break the rules.
pub fn givens(text: &str, boxes: Option<Order>) -> Result<Grid, CliError> {
    let Some(question) = Puzzles::of_text(text, boxes).next() else {
        return Err(CliError::new("there is no puzzle in the input").hint("write one character for each cell"));
    };
    Ok(question?.entry_that_may_break_rules()?.puzzle)
}

/// How many solutions the digits leave, within the two minutes that interactive solving is given.
pub fn solutions(grid: &Grid) -> Result<Solutions, Unfinished> {
    let limits = Limits::time(Duration::from_secs(120));
    let solver = search::default_for(grid.order());
    solver.prove(grid, &limits).expect("the solver was chosen for this size").solutions
}
