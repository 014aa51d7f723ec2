//! Clues beside the grid: sandwiches, skyscrapers, X-sums, numbered rooms and little killers.

use super::board::Board;
use crate::grid::Cell;
use crate::grid::rules::{Constraint, Direction, Outside, Place};

/// All clues of a kind: at the top and the left, and, if the direction matters, on all four sides.
pub(super) fn all(board: &Board<'_>, kind: Outside) -> Vec<Constraint> {
    let side = board.side;
    let mut clues = Vec::new();
    let mut add = |row: usize, column: usize, cells: Vec<Cell>| {
        let digits: Vec<u32> = cells.iter().map(|&cell| board.number(cell).into()).collect();
        let place = Place { row: row as u8, column: column as u8 };
        if let Some(value) = value(kind, &digits) {
            clues.push(Constraint::Outside { kind, place, value });
        }
    };
    let is_directed = kind != Outside::Sandwich;
    for line in 0..side {
        let row: Vec<Cell> = (0..side).map(|at| board.cell(line, at)).collect();
        let column: Vec<Cell> = (0..side).map(|at| board.cell(at, line)).collect();
        if is_directed {
            add(line + 1, side + 1, row.iter().rev().copied().collect());
            add(side + 1, line + 1, column.iter().rev().copied().collect());
        }
        add(line + 1, 0, row);
        add(0, line + 1, column);
    }
    clues
}

/// The clue of a row or column, read from the place of the clue.
fn value(kind: Outside, digits: &[u32]) -> Option<u32> {
    match kind {
        Outside::Sandwich => {
            let side = digits.len() as u32;
            let is_crust = |digit: &u32| *digit == 1 || *digit == side;
            let first = digits.iter().position(is_crust)?;
            let last = digits.iter().rposition(is_crust)?;
            Some(digits[first + 1..last].iter().sum())
        }
        Outside::XSum => Some(digits.iter().take(digits[0] as usize).sum()),
        Outside::NumberedRoom => digits.get(digits[0] as usize - 1).copied(),
        Outside::Skyscraper => {
            let visible = |&at: &usize| digits[..at].iter().all(|digit| *digit < digits[at]);
            Some((0..digits.len()).filter(visible).count() as u32)
        }
    }
}

/// The sums of all diagonals of two or more cells, each from one of its ends.
pub(super) fn little_killers(board: &Board<'_>) -> Vec<Constraint> {
    let side = board.side;
    let mut clues = Vec::new();
    let mut add = |row: usize, column: usize, direction: Direction| {
        let place = Place { row: row as u8, column: column as u8 };
        let mut cells = Vec::new();
        let (mut row, mut column) = (row, column + 1);
        loop {
            // The place is one step before the first cell.
            match direction {
                Direction::DownRight => row += 1,
                _ => row = row.wrapping_sub(1),
            }
            if !(1..=side).contains(&row) || column > side {
                break;
            }
            cells.push(board.cell(row - 1, column - 1));
            column += 1;
        }
        debug_assert!(cells.len() >= 2, "the clue is beside a diagonal");
        clues.push(Constraint::LittleKiller { place, direction, sum: board.sum_of(&cells) });
    };
    for at in 0..side - 1 {
        add(0, at, Direction::DownRight);
        add(side + 1, at, Direction::UpRight);
    }
    for at in 1..side - 1 {
        add(at, 0, Direction::DownRight);
        add(side + 1 - at, 0, Direction::UpRight);
    }
    clues
}
