//! A 9×9 grid with candidates, indexed both by cell and by house.

use super::tables::{HOUSES_OF, PEERS, cells, count, ones};
use crate::grid::{Grid, Order};

/// Candidates by cell and by house.
///
/// Invariant: `places[house][digit]` has the bit of a place exactly if `digits` of that cell has
/// the bit of the digit. A filled cell has no candidates.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Board {
    /// The candidates of each cell, with bit 0 for the digit 1.
    pub digits: [u16; 81],
    /// The places of each digit in each house, with bit 0 for the first cell of the house.
    pub places: [[u16; 9]; 27],
    /// The number of empty cells of each house.
    pub empty_in: [u8; 27],
    /// The number of cells filled with each digit.
    pub filled_with: [u8; 9],
    pub empty: u128,
}

impl Board {
    /// The clues of a 9×9 puzzle and the remaining candidates; `None` if two clues conflict.
    pub fn new(puzzle: &Grid) -> Option<Board> {
        debug_assert_eq!(puzzle.order(), Order::NINE);
        let mut board = Board {
            digits: [0x1FF; 81],
            places: [[0x1FF; 9]; 27],
            empty_in: [9; 27],
            filled_with: [0; 9],
            empty: (1 << 81) - 1,
        };
        for (cell, number) in puzzle.numbers().enumerate().filter(|&(_, number)| number > 0) {
            let digit = usize::from(number) - 1;
            if !board.has(cell, digit) {
                return None;
            }
            board.place(cell, digit);
        }
        Some(board)
    }

    pub fn has(&self, cell: usize, digit: usize) -> bool {
        self.digits[cell] >> digit & 1 == 1
    }

    /// Removes a candidate if it is present.
    pub fn remove(&mut self, cell: usize, digit: usize) {
        self.digits[cell] &= !(1 << digit);
        for (house, place) in HOUSES_OF[cell] {
            self.places[usize::from(house)][digit] &= !(1 << place);
        }
    }

    /// Fills a cell and removes the digit from its peers.
    pub fn place(&mut self, cell: usize, digit: usize) {
        for other in ones(self.digits[cell]) {
            self.remove(cell, other);
        }
        for peer in cells(PEERS[cell] & self.empty) {
            if self.has(peer, digit) {
                self.remove(peer, digit);
            }
        }
        self.empty &= !(1 << cell);
        self.filled_with[digit] += 1;
        for (house, _) in HOUSES_OF[cell] {
            self.empty_in[usize::from(house)] -= 1;
        }
    }

    /// A hash that distinguishes boards with the same clues and different candidates. The
    /// probability of a collision is below 2⁻¹⁰⁰.
    pub fn fingerprint(&self) -> u128 {
        const ODD: u128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;
        self.digits.chunks(9).fold(ODD, |sum, nine| {
            let word = nine.iter().fold(0_u128, |word, &digits| word << 9 | u128::from(digits));
            let mixed = (sum ^ word).wrapping_mul(ODD);
            mixed ^ mixed >> 61
        })
    }

    pub fn is_solved(&self) -> bool {
        self.empty == 0
    }

    /// Whether every empty cell has a candidate.
    pub fn is_sound(&self) -> bool {
        cells(self.empty).all(|cell| self.digits[cell] != 0)
    }

    /// The empty cells with exactly this many candidates.
    pub fn cells_with(&self, size: usize) -> impl Iterator<Item = usize> {
        cells(self.empty).filter(move |&cell| count(self.digits[cell]) == size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_houses_stay_consistent() {
        let puzzle =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        let mut board = Board::new(&puzzle).unwrap();
        board.place(40, 4);
        board.remove(2, 0);
        for (cell, houses) in HOUSES_OF.iter().enumerate() {
            for digit in 0..9 {
                for &(house, place) in houses {
                    assert_eq!(
                        board.has(cell, digit),
                        board.places[usize::from(house)][digit] >> place & 1 == 1
                    );
                }
            }
        }
        assert_eq!((board.empty.count_ones(), board.filled_with[4]), (50, 4));
    }
}
