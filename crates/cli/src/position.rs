//! A player's position: this is where we read a puzzle, a half-filled grid or a grid of pencil marks.

use crate::error::CliError;
use crate::input::{Entry, Puzzles};
use crate::source::{Place, Sources};
use crate::stream::Question;
use ninefold::grid::{Candidates, Grid, Order, Position, Solutions, marks, text};
use ninefold::limits::Limits;
use std::path::Path;
use std::time::Duration;

/// Digits and candidates as a player left them: pencil marks, or digits alone, which may break the rules.
pub fn read(text: &str, boxes: Option<Order>) -> Result<Candidates, CliError> {
    // Braces are only written around pencil marks; without them a grid of digits is the simpler reading.
    if text.contains('{') {
        return marks::read(text).map_err(|error| CliError::new(error.to_string()));
    }
    match text::read_position(text, boxes) {
        Ok(grid) => Ok(Candidates::of(&grid).unwrap_or_else(|_| Candidates::unmarked(&grid))),
        Err(error) => marks::read(text).map_err(|_| CliError::unreadable(&error, boxes)),
    }
}

/// The position with these clues, or with its own digits as clues.
pub fn with_givens(candidates: Candidates, givens: Option<Grid>) -> Result<Position, CliError> {
    let puzzle = givens.unwrap_or_else(|| candidates.grid().clone());
    Position::new(puzzle, candidates).map_err(|error| CliError::new(error.to_string()))
}

/// The positions to look at: each argument may be a position or a file; a file may hold one grid of pencil marks.
pub fn all(sources: &Sources) -> Result<Vec<Question>, CliError> {
    let mut questions = Vec::new();
    for argument in &sources.puzzles {
        let whole = Path::new(argument).is_file().then(|| std::fs::read_to_string(argument).ok()).flatten();
        let text = whole.as_deref().unwrap_or(argument);
        if marks::read(text).is_ok_and(|_| text::read_position(text, sources.boxes).is_err()) {
            let source = if whole.is_some() { argument.as_str() } else { "" }.into();
            let place = Place { source, line: None, number: None };
            questions.push(Ok(Entry { place, text: Ok(text.to_string()) }));
        } else {
            let one = Sources { puzzles: vec![argument.clone()], boxes: sources.boxes };
            questions.extend(Puzzles::of(&one)?);
        }
    }
    if sources.puzzles.is_empty() {
        questions.extend(Puzzles::of(sources)?);
    }
    if questions.is_empty() {
        return Err(CliError::new("there is no puzzle in the input").hint("write one puzzle per line"));
    }
    Ok(questions)
}

/// What is known of the solutions, within the two minutes that interactive solving is given.
pub fn solutions(puzzle: &Grid) -> Option<Solutions> {
    ninefold::solutions_within(puzzle, &Limits::time(Duration::from_secs(120)))
}
