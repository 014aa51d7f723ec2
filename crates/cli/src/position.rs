//! A player's position: this is where we read a puzzle, a half-filled grid or a grid of pencil marks.

use crate::error::CliError;
use crate::input::{Entry, Puzzles};
use crate::source::{Place, Sources};
use crate::stream::Question;
use ninefold::grid::{Candidates, Grid, Order, marks, text};
use ninefold::search::{self, Limits, Solutions, Unfinished};
use std::path::Path;
use std::time::Duration;

/// Digits and candidates as a player left them.
pub struct Position {
    /// The digits, which may break the rules.
    pub grid: Grid,
    /// The candidates: the player's pencil marks, or all that the digits leave. `None` if the digits break the rules.
    pub candidates: Option<Candidates>,
}

impl Position {
    /// Reads pencil marks or digits.
    pub fn read(text: &str, boxes: Option<Order>) -> Result<Position, CliError> {
        let digits = || text::read_position(text, boxes).map_err(|error| CliError::unreadable(&error, boxes));
        let with_marks =
            |candidates: Candidates| Position { grid: candidates.grid().clone(), candidates: Some(candidates) };
        // Braces are only written around pencil marks; without them a grid of digits is the simpler reading.
        if text.contains('{') {
            return marks::read(text).map(with_marks).map_err(|error| CliError::new(error.to_string()));
        }
        match digits() {
            Ok(grid) => Ok(Position { candidates: Candidates::of(&grid).ok(), grid }),
            Err(error) => marks::read(text).map(with_marks).map_err(|_| error),
        }
    }
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

/// How many solutions the digits leave, within the two minutes that interactive solving is given.
pub fn solutions(grid: &Grid) -> Result<Solutions, Unfinished> {
    let limits = Limits::time(Duration::from_secs(120));
    let solver = search::default_for(grid.order());
    solver.prove(grid, &limits).expect("the solver was chosen for this size").solutions
}
