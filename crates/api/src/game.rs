//! Games in requests: a puzzle with the player's entries and pencil marks.

use crate::error::ApiError;
use crate::limits::MAX_SIDE;
use ninefold::Language;
use ninefold::explain::UnknownLanguageError;
use ninefold::grid::{Candidates, Cell, Digit, DigitSet, Grid, Order, Position, text};
use ninefold_formats::{Entry, Format, WriteError, Writer};
use serde::Deserialize;

/// A game in a request.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRequest {
    /// The clues, in any form that fits one grid. JSON and links may also contain other rules.
    pub puzzle: String,
    /// Whether to accept boards with rules that Ninefold does not know. The answer ignores them.
    #[serde(default)]
    pub ignore_unknown_rules: bool,
    /// The shape of the boxes, such as `2x3`, if it differs from the default.
    pub boxes: Option<String>,
    /// The player's digits as `[cell, digit]`, in the order in which they were entered.
    #[serde(default)]
    pub entries: Vec<(usize, u8)>,
    /// The player's pencil marks, one list of digits for each cell. An empty list means that the
    /// player has made no marks in the cell.
    #[serde(default)]
    pub marks: Vec<Vec<u8>>,
    /// The language of the texts: `en`, `de` or `es`.
    pub language: Option<String>,
}

/// A validated game.
#[derive(Clone, Debug)]
pub struct Game {
    /// The player's digits in the order in which they were entered.
    pub entries: Vec<(Cell, Digit)>,
    /// Clues, entries and marks. The digits may break the rules. Cells without marks have no
    /// candidates.
    pub position: Position,
}

/// Parses the shape of the boxes. An error if the grid is too large.
pub fn parse_order(boxes: &str) -> Result<Order, ApiError> {
    let order: Order = boxes.parse().map_err(|error: ninefold::grid::OrderError| {
        ApiError::invalid(error.to_string(), "use 2x2, 2x3, 3x3, 3x4, 4x4 or 5x5")
    })?;
    check_size(order)
}

/// An error if the grid is too large.
pub(crate) fn check_size(order: Order) -> Result<Order, ApiError> {
    if order.side() > MAX_SIDE {
        let error = format!("{order} is larger than {MAX_SIDE}×{MAX_SIDE}");
        return Err(ApiError::invalid(error, "the command `ninefold solve` accepts larger grids"));
    }
    Ok(order)
}

/// Parses a language code; English by default.
pub fn parse_language(code: Option<&str>) -> Result<Language, ApiError> {
    let language = code.map(str::parse).transpose();
    let language = language.map_err(|error: UnknownLanguageError| {
        ApiError::invalid(error.to_string(), "use en, de or es")
    });
    Ok(language?.unwrap_or_default())
}

/// The text of a puzzle that requests accept: one character for each cell, or JSON with its rules.
pub fn text_of(puzzle: &Grid) -> String {
    if puzzle.rules().is_none() {
        return puzzle.to_string();
    }
    let write = || -> Result<Vec<u8>, WriteError> {
        let mut writer = Writer::new(Format::Json, Vec::new())?;
        writer.write(&Entry::new(puzzle.clone()))?;
        writer.finish()
    };
    let list = write().expect("JSON can contain every puzzle, and memory does not fail");
    let list = String::from_utf8(list).expect("JSON is UTF-8");
    list.trim_start_matches(['[', '\n', ' ']).trim_end_matches(['\n', ']']).to_string()
}

impl GameRequest {
    /// The language of the texts.
    pub fn language(&self) -> Result<Language, ApiError> {
        parse_language(self.language.as_deref())
    }

    /// Validates the request.
    pub fn game(&self) -> Result<Game, ApiError> {
        let order = self.boxes.as_deref().map(parse_order).transpose()?;
        let puzzle = self.puzzle(order)?;
        let order = check_size(puzzle.order())?;
        let entries = self.entries(&puzzle)?;
        let mut grid = puzzle.clone();
        entries.iter().for_each(|&(cell, digit)| grid.set(cell, Some(digit)));
        let marks = self.marks(&grid)?;
        debug_assert_eq!(order, marks.order());
        let position =
            Position::new(puzzle, marks).expect("entries go into empty cells of the puzzle");
        Ok(Game { entries, position })
    }

    /// The clues and the rules. JSON objects and links may contain rules; all other texts are the
    /// cells of a classic grid.
    fn puzzle(&self, order: Option<Order>) -> Result<Grid, ApiError> {
        let text = self.puzzle.trim();
        if !text.starts_with('{') && !text.contains("://") {
            return text::parse_position(text, order).map_err(|error| {
                ApiError::invalid(
                    error.to_string(),
                    "write one character for each cell: digits, and 0 or . for empty",
                )
            });
        }
        let unreadable = |error: String| {
            ApiError::invalid(error, "send one puzzle as JSON or as a link that contains it")
        };
        let (_, mut records) = ninefold_formats::read_any(text.as_bytes(), order)
            .map_err(|error| unreadable(error.to_string()))?;
        let record = records.next().ok_or_else(|| unreadable("no puzzle".to_string()))?;
        let entry = record
            .and_then(|record| record.entry_allowing_conflicts())
            .map_err(|error| unreadable(error.to_string()))?;
        if !entry.unknown_rules.is_empty() && !self.ignore_unknown_rules {
            let rules = entry.unknown_rules.join("; ");
            return Err(ApiError::invalid(
                format!("this board has rules that Ninefold does not know: {rules}"),
                "set ignore_unknown_rules to true for an answer that ignores them",
            ));
        }
        Ok(entry.puzzle)
    }

    fn entries(&self, puzzle: &Grid) -> Result<Vec<(Cell, Digit)>, ApiError> {
        let order = puzzle.order();
        let mut entries: Vec<(Cell, Digit)> = Vec::new();
        for &(cell, digit) in &self.entries {
            let cell = (cell < order.cell_count())
                .then(|| Cell::new(cell))
                .ok_or_else(|| out_of_range("cell", cell, order))?;
            let digit = digit_in(digit, order)?;
            let name = order.name_of(cell);
            if puzzle[cell].is_some() {
                return Err(ApiError::invalid(
                    format!("{name} contains a clue"),
                    "entries go into empty cells",
                ));
            }
            if entries.iter().any(|(other, _)| *other == cell) {
                return Err(ApiError::invalid(
                    format!("two entries for {name}"),
                    "send the last one only",
                ));
            }
            entries.push((cell, digit));
        }
        Ok(entries)
    }

    fn marks(&self, grid: &Grid) -> Result<Candidates, ApiError> {
        let order = grid.order();
        let mut marks = Candidates::empty(grid);
        if self.marks.len() > order.cell_count() {
            return Err(out_of_range("cell", self.marks.len() - 1, order));
        }
        for (cell, digits) in order.cells().zip(&self.marks) {
            let set: DigitSet =
                digits.iter().map(|&digit| digit_in(digit, order)).collect::<Result<_, _>>()?;
            if grid[cell].is_none() {
                marks.set(cell, set);
            }
        }
        Ok(marks)
    }
}

fn digit_in(number: u8, order: Order) -> Result<Digit, ApiError> {
    let digit = Digit::new(number).filter(|digit| digit.index() < order.side());
    digit.ok_or_else(|| out_of_range("digit", usize::from(number), order))
}

fn out_of_range(what: &str, number: usize, order: Order) -> ApiError {
    let hint = "cells count from 0 in reading order, digits from 1";
    ApiError::invalid(format!("a {order} grid has no {what} {number}"), hint)
}
