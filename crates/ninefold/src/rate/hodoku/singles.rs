//! HoDoKu's singles with their two queues.
//!
//! A cell with only one candidate left is added to the queue of naked singles. A digit with only
//! one place left in a house is added to the queue of hidden singles. The next single is a naked
//! one that completes a house, if there is one, otherwise the oldest naked single, otherwise the
//! oldest hidden single. The order in which candidates are removed therefore decides which singles
//! are found.

use crate::grid::{Cell, Digit, Grid, Order};
use std::collections::VecDeque;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    FullHouse,
    Naked,
    Hidden,
}

const HOUSES: usize = 27;

/// A 9×9 grid with candidates and queues. Cells and digits are numbered from 0.
#[derive(Clone)]
pub(super) struct Singles {
    values: [Option<usize>; 81],
    digits: [u16; 81],
    /// For each house and digit, the number of empty cells with that candidate.
    free: [[u8; 9]; HOUSES],
    naked: VecDeque<(usize, usize)>,
    hidden: VecDeque<(usize, usize)>,
}

/// The row, column and box of a cell.
pub(super) fn houses_of(cell: usize) -> [usize; 3] {
    let (row, column) = (cell / 9, cell % 9);
    [row, 9 + column, 18 + row / 3 * 3 + column / 3]
}

/// The cell at a place of a house.
pub(super) fn cell_in(house: usize, place: usize) -> usize {
    match house / 9 {
        0 => house * 9 + place,
        1 => place * 9 + house - 9,
        _ => ((house - 18) / 3 * 3 + place / 3) * 9 + (house - 18) % 3 * 3 + place % 3,
    }
}

impl Singles {
    /// Fills in the clues in reading order.
    pub fn new(puzzle: &Grid) -> Singles {
        let mut singles = Singles {
            values: [None; 81],
            digits: [0x1FF; 81],
            free: [[9; 9]; HOUSES],
            naked: VecDeque::new(),
            hidden: VecDeque::new(),
        };
        for (cell, number) in puzzle.numbers().enumerate().filter(|&(_, number)| number > 0) {
            singles.fill(cell, usize::from(number) - 1);
        }
        singles
    }

    /// Fills a cell. Its peers lose the digit first, then the cell loses its other digits.
    pub fn fill(&mut self, cell: usize, digit: usize) {
        let left = self.digits[cell];
        self.digits[cell] = 0;
        self.values[cell] = Some(digit);
        for peer in Order::NINE.peers_of(Cell::new(cell)) {
            self.remove(peer.index(), digit);
        }
        for other in (0..9).filter(|other| left >> other & 1 == 1) {
            for house in houses_of(cell) {
                self.free[house][other] = self.free[house][other].saturating_sub(1);
                if self.free[house][other] == 1 && other != digit {
                    self.note_hidden(house, other);
                }
            }
        }
    }

    /// Removes a candidate if it is present.
    pub fn remove(&mut self, cell: usize, digit: usize) {
        if self.digits[cell] >> digit & 1 == 0 {
            return;
        }
        self.digits[cell] &= !(1 << digit);
        if self.digits[cell] == 0 {
            // Only wrong assumptions lead here. HoDoKu does not update the houses, either.
            return;
        }
        if self.digits[cell].is_power_of_two() {
            self.naked.push_back((cell, self.digits[cell].trailing_zeros() as usize));
        }
        for house in houses_of(cell) {
            self.free[house][digit] -= 1;
            match self.free[house][digit] {
                0 => self.forget_hidden(house, digit),
                1 => self.note_hidden(house, digit),
                _ => {}
            }
        }
    }

    fn note_hidden(&mut self, house: usize, digit: usize) {
        let at = (0..9)
            .map(|place| cell_in(house, place))
            .find(|&cell| self.digits[cell] >> digit & 1 == 1);
        self.hidden.extend(at.map(|cell| (cell, digit)));
    }

    fn forget_hidden(&mut self, house: usize, digit: usize) {
        let is_it =
            |&(cell, other): &(usize, usize)| other == digit && houses_of(cell).contains(&house);
        if let Some(at) = self.hidden.iter().position(is_it) {
            self.hidden.remove(at);
        }
    }

    /// Removes the next single from its queue without filling it in.
    pub fn next(&mut self) -> Option<(Kind, Cell, Digit)> {
        let open = |&(cell, _): &(usize, usize)| self.values[cell].is_none();
        let full = self
            .naked
            .iter()
            .copied()
            .filter(open)
            .find(|&(cell, digit)| self.is_last_of_a_house(cell, digit));
        let found = full.map(|single| (Kind::FullHouse, single)).or_else(|| {
            let naked =
                next_open(&mut self.naked, &self.values).map(|single| (Kind::Naked, single));
            naked.or_else(|| {
                next_open(&mut self.hidden, &self.values).map(|single| (Kind::Hidden, single))
            })
        });
        found.map(|(kind, (cell, digit))| (kind, Cell::new(cell), Digit::from_index(digit)))
    }

    /// All singles in the order of the queues, naked ones first. The queues are not changed.
    pub fn all(&self) -> Vec<(Kind, usize, usize)> {
        let open = |&&(cell, _): &&(usize, usize)| self.values[cell].is_none();
        let mut all: Vec<_> = self
            .naked
            .iter()
            .filter(open)
            .map(|&(cell, digit)| (Kind::Naked, cell, digit))
            .collect();
        let mut is_found = [false; 81];
        for &(cell, digit) in self.hidden.iter().filter(open) {
            if !is_found[cell] && houses_of(cell).iter().any(|&house| self.free[house][digit] == 1)
            {
                is_found[cell] = true;
                all.push((Kind::Hidden, cell, digit));
            }
        }
        all
    }

    /// The house of a cell with the fewest places for a digit.
    pub fn smallest_house(&self, cell: usize, digit: usize) -> usize {
        houses_of(cell)
            .into_iter()
            .min_by_key(|&house| self.free[house][digit])
            .expect("a cell has three houses")
    }

    /// The digit of a filled cell.
    pub fn value_of(&self, cell: usize) -> Option<usize> {
        self.values[cell]
    }

    fn is_last_of_a_house(&self, cell: usize, digit: usize) -> bool {
        houses_of(cell)
            .iter()
            .any(|&house| (0..9).all(|other| other == digit || self.free[house][other] == 0))
    }

    /// The candidates of a cell; 0 if it is filled.
    pub fn digits_at(&self, cell: usize) -> u16 {
        self.digits[cell]
    }

    /// The empty cells in reading order.
    pub fn empty(&self) -> impl Iterator<Item = usize> {
        (0..81).filter(|&cell| self.values[cell].is_none())
    }
}

/// Removes singles from the front of a queue until one of an empty cell is found.
fn next_open(
    queue: &mut VecDeque<(usize, usize)>,
    values: &[Option<usize>; 81],
) -> Option<(usize, usize)> {
    std::iter::from_fn(|| queue.pop_front()).find(|&(cell, _)| values[cell].is_none())
}
