//! Singles in 9×9: the places of a digit are one word of 81 bits.
//!
//! So all cells with one candidate are found with a few operations on nine words, and the places of a digit in a house
//! are one AND.

use super::super::nine::{Line, PEERS};

/// The open places of each digit, a bit for each cell in reading order.
pub(super) struct Nine {
    places: [u128; 9],
    /// For each digit the houses that hold it already: rows, columns, boxes.
    holding: [u32; 9],
    open: u128,
}

/// Two digits want the same cell, or a digit stands twice in a house.
struct Clash;

impl Nine {
    pub(super) fn of(line: &Line) -> Option<Nine> {
        const ALL: u128 = (1 << 81) - 1;
        let mut board = Nine { places: [ALL; 9], holding: [0; 9], open: ALL };
        for (cell, &byte) in line.iter().enumerate() {
            if let b'1'..=b'9' = byte {
                board.place(cell, usize::from(byte - b'1')).ok()?;
            }
        }
        Some(board)
    }

    /// Places singles; is every cell filled in the end?
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

    fn place(&mut self, cell: usize, digit: usize) -> Result<(), Clash> {
        if self.places[digit] >> cell & 1 == 0 {
            return Err(Clash);
        }
        for places in &mut self.places {
            *places &= !(1 << cell);
        }
        self.places[digit] &= !PEERS[cell];
        self.open &= !(1 << cell);
        let (row, column) = (cell / 9, cell % 9);
        self.holding[digit] |= 1 << row | 1 << (9 + column) | 1 << (18 + row / 3 * 3 + column / 3);
        Ok(())
    }

    /// Places every cell that has one candidate.
    fn last_candidates(&mut self) -> Result<(), Clash> {
        let (mut once, mut twice) = (0, 0);
        for &places in &self.places {
            twice |= once & places;
            once |= places;
        }
        if once != self.open {
            return Err(Clash);
        }
        let mut single = once & !twice;
        while single != 0 {
            let cell = single.trailing_zeros() as usize;
            single &= single - 1;
            let digit = (0..9).find(|&digit| self.places[digit] >> cell & 1 == 1).ok_or(Clash)?;
            self.place(cell, digit)?;
        }
        Ok(())
    }

    /// Places every digit that has one place in a house.
    fn last_places(&mut self) -> Result<(), Clash> {
        for digit in 0..9 {
            for (house, cells) in HOUSES.iter().enumerate() {
                if self.holding[digit] >> house & 1 == 1 {
                    continue;
                }
                let here = self.places[digit] & cells;
                if here == 0 {
                    return Err(Clash);
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
