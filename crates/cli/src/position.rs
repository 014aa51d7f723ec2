//! Reads the position to explain or to give a hint about.

use crate::error::CliError;
use crate::input::{InputArgs, InputRecord, InputResult, Puzzles};
use ninefold::grid::{Grid, Order, Position};

/// The position in a record. `givens` replaces the clues of the record.
pub fn from_record(record: &InputRecord, givens: Option<Grid>) -> Result<Position, CliError> {
    let (puzzle, candidates) = record.entry_with_known_rules()?.start();
    let position = Position::new(givens.unwrap_or(puzzle), candidates);
    position.map_err(|error| CliError::new(error.to_string()).at(&record.place()))
}

/// All records of the input; an empty input is an error.
pub fn all(input: &InputArgs) -> Result<Vec<InputResult>, CliError> {
    let records: Vec<InputResult> = Puzzles::from_input(input)?.collect();
    if records.is_empty() { Err(CliError::empty_input()) } else { Ok(records) }
}

/// The value of `--givens`. The clues may break the rules.
pub fn parse_givens(text: Option<&str>, boxes: Option<Order>) -> Result<Option<Grid>, CliError> {
    let Some(text) = text else { return Ok(None) };
    let Some(record) = Puzzles::from_text(text, boxes).next() else {
        return Err(
            CliError::new("--givens contains no puzzle").hint("write one character for each cell")
        );
    };
    Ok(Some(record?.entry_allowing_conflicts()?.puzzle))
}
