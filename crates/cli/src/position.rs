//! A player's position: this is where we find what to explain or to give a hint about.

use crate::error::CliError;
use crate::input::{Found, Input, Puzzles, Question};
use ninefold::grid::{Grid, Order, Position};

/// The position where a record goes on, with the clues that the user names instead of its own.
pub fn of(found: &Found, givens: Option<Grid>) -> Result<Position, CliError> {
    let (puzzle, candidates) = found.entry_that_may_break_rules()?.start();
    let position = Position::new(givens.unwrap_or(puzzle), candidates);
    position.map_err(|error| CliError::new(error.to_string()).at(&found.place()))
}

/// The positions to look at. Each argument may be one, or a file in any format, and a position in a file is where we go on.
pub fn all(input: &Input) -> Result<Vec<Question>, CliError> {
    let questions: Vec<Question> = Puzzles::of_input(input)?.collect();
    if questions.is_empty() {
        return Err(
            CliError::new("there is no puzzle in the input").hint("write one puzzle per line")
        );
    }
    Ok(questions)
}

/// The clues of a puzzle that was typed; they may break the rules.
pub fn givens(text: &str, boxes: Option<Order>) -> Result<Grid, CliError> {
    let Some(question) = Puzzles::of_text(text, boxes).next() else {
        return Err(CliError::new("there is no puzzle in the input")
            .hint("write one character for each cell"));
    };
    Ok(question?.entry_that_may_break_rules()?.puzzle)
}
