//! Games as they are asked about: a puzzle, the player's entries and marks.

use crate::error::ApiError;
use crate::limits::MOST_SIDE;
use ninefold::Language;
use ninefold::explain::UnknownLanguage;
use ninefold::grid::{Candidates, Cell, Digit, DigitSet, Grid, Order, Position, text};
use serde::Deserialize;

/// A game in a request.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The clues, in any form that fits one grid.
    pub puzzle: String,
    /// The shape of the boxes, such as `2x3`, where it is not the usual one.
    pub boxes: Option<String>,
    /// The digits that the player wrote, as `[cell, digit]` in the order in which they were written.
    #[serde(default)]
    pub entries: Vec<(usize, u8)>,
    /// The player's pencil marks, one list of digits for each cell; no marks in a cell means that none were made.
    #[serde(default)]
    pub marks: Vec<Vec<u8>>,
    /// The language of what is said: `en`, `de` or `es`.
    pub language: Option<String>,
}

/// A game that has been understood.
#[derive(Clone, Debug)]
pub struct Game {
    /// The player's digits in the order in which they were written.
    pub entries: Vec<(Cell, Digit)>,
    /// Clues, entries and marks. The digits may break the rules; cells without marks have no candidates here.
    pub position: Position,
}

/// The order with this box shape, if it is small enough for the network.
pub fn order_of(boxes: &str) -> Result<Order, ApiError> {
    let order: Order = boxes.parse().map_err(|error: ninefold::grid::OrderError| {
        ApiError::unusable(error.to_string(), "use 2x2, 2x3, 3x3, 3x4, 4x4 or 5x5")
    })?;
    small_enough(order)
}

fn small_enough(order: Order) -> Result<Order, ApiError> {
    if order.side() > MOST_SIDE {
        let error = format!("{order} is larger than {MOST_SIDE}×{MOST_SIDE}");
        return Err(ApiError::unusable(
            error,
            "ninefold solve takes larger grids on the command line",
        ));
    }
    Ok(order)
}

/// The language with this code, English if none is named.
pub fn language_of(code: Option<&str>) -> Result<Language, ApiError> {
    let language = code.map(str::parse).transpose();
    let language = language.map_err(|error: UnknownLanguage| {
        ApiError::unusable(error.to_string(), "use en, de or es")
    });
    Ok(language?.unwrap_or_default())
}

impl Asked {
    /// The language of what is said.
    pub fn language(&self) -> Result<Language, ApiError> {
        language_of(self.language.as_deref())
    }

    /// Understands the request, or says what is wrong with it.
    pub fn game(&self) -> Result<Game, ApiError> {
        let order = self.boxes.as_deref().map(order_of).transpose()?;
        let puzzle = text::read_position(&self.puzzle, order).map_err(|error| {
            ApiError::unusable(
                error.to_string(),
                "write one character for each cell: digits, and 0 or . for empty",
            )
        })?;
        let order = small_enough(puzzle.order())?;
        let entries = self.entries(&puzzle)?;
        let mut grid = puzzle.clone();
        entries.iter().for_each(|&(cell, digit)| grid.set(cell, Some(digit)));
        let marks = self.marks(&grid)?;
        debug_assert_eq!(order, marks.order());
        let position =
            Position::new(puzzle, marks).expect("entries go into empty cells of the puzzle");
        Ok(Game { entries, position })
    }

    fn entries(&self, puzzle: &Grid) -> Result<Vec<(Cell, Digit)>, ApiError> {
        let order = puzzle.order();
        let mut entries: Vec<(Cell, Digit)> = Vec::new();
        for &(cell, digit) in &self.entries {
            let cell = (cell < order.cell_count())
                .then(|| Cell::new(cell))
                .ok_or_else(|| outside("cell", cell, order))?;
            let digit = digit_in(digit, order)?;
            let name = order.name_of(cell);
            if puzzle[cell].is_some() {
                return Err(ApiError::unusable(
                    format!("{name} holds a clue"),
                    "entries go into empty cells",
                ));
            }
            if entries.iter().any(|(other, _)| *other == cell) {
                return Err(ApiError::unusable(
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
        let mut marks = Candidates::unmarked(grid);
        if self.marks.len() > order.cell_count() {
            return Err(outside("cell", self.marks.len() - 1, order));
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
    digit.ok_or_else(|| outside("digit", usize::from(number), order))
}

fn outside(what: &str, number: usize, order: Order) -> ApiError {
    let hint = "cells count from 0 in reading order, digits from 1";
    ApiError::unusable(format!("there is no {what} {number} in a grid of {order}"), hint)
}
