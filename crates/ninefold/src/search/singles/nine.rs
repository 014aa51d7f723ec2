//! Singles for 9×9: the places of a digit are one 81-bit word.
//!
//! A few operations on nine words find all cells with one candidate, and the places of a digit in a
//! house are one AND.

use super::super::nine::{Line, PEERS};

/// The board: open places, placed digits and empty cells.
pub(super) struct Nine {
    /// The possible places of each digit, one bit per cell in reading order.
    places: [u128; 9],
    /// For each digit the houses that contain it: rows, columns, boxes.
    placed_in: [u32; 9],
    open: u128,
}

/// A digit cannot be placed, or a house has no place for a digit.
struct Contradiction;

impl Nine {
    pub(super) fn new(line: &Line) -> Option<Nine> {
        const ALL: u128 = (1 << 81) - 1;
        let mut board = Nine { places: [ALL; 9], placed_in: [0; 9], open: ALL };
        for (cell, &byte) in line.iter().enumerate() {
            if let b'1'..=b'9' = byte {
                board.place(cell, usize::from(byte - b'1')).ok()?;
            }
        }
        Some(board)
    }

    /// Places all singles. Returns whether every cell is filled.
    pub(super) fn fill(mut self) -> bool {
        while self.open != 0 {
            let before = self.open;
            if self.last_candidates().is_err() || self.last_places().is_err() || self.open == before
            {
                return false;
            }
        }
        true
    }

    fn place(&mut self, cell: usize, digit: usize) -> Result<(), Contradiction> {
        if self.places[digit] >> cell & 1 == 0 {
            return Err(Contradiction);
        }
        for places in &mut self.places {
            *places &= !(1 << cell);
        }
        self.places[digit] &= !PEERS[cell];
        self.open &= !(1 << cell);
        let (row, column) = (cell / 9, cell % 9);
        self.placed_in[digit] |=
            1 << row | 1 << (9 + column) | 1 << (18 + row / 3 * 3 + column / 3);
        Ok(())
    }

    /// Places every cell that has one candidate.
    fn last_candidates(&mut self) -> Result<(), Contradiction> {
        let (mut once, mut twice) = (0, 0);
        for &places in &self.places {
            twice |= once & places;
            once |= places;
        }
        if once != self.open {
            return Err(Contradiction);
        }
        let mut single = once & !twice;
        while single != 0 {
            let cell = single.trailing_zeros() as usize;
            single &= single - 1;
            let digit =
                (0..9).find(|&digit| self.places[digit] >> cell & 1 == 1).ok_or(Contradiction)?;
            self.place(cell, digit)?;
        }
        Ok(())
    }

    /// Places every digit that has one place in a house.
    fn last_places(&mut self) -> Result<(), Contradiction> {
        for digit in 0..9 {
            for (house, cells) in HOUSES.iter().enumerate() {
                if self.placed_in[digit] >> house & 1 == 1 {
                    continue;
                }
                let here = self.places[digit] & cells;
                if here == 0 {
                    return Err(Contradiction);
                }
                if here & (here - 1) == 0 {
                    self.place(here.trailing_zeros() as usize, digit)?;
                }
            }
        }
        Ok(())
    }
}

/// The cells of each row, column and box.
const HOUSES: [u128; 27] = {
    let mut houses = [0; 27];
    let mut cell = 0;
    while cell < 81 {
        let (row, column) = (cell / 9, cell % 9);
        houses[row] |= 1 << cell;
        houses[9 + column] |= 1 << cell;
        houses[18 + row / 3 * 3 + column / 3] |= 1 << cell;
        cell += 1;
    }
    houses
};
