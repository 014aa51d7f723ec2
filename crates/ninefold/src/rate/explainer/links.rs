//! The links of a position: the candidates that a candidate turns off if it is on, and on if it is
//! off.

use super::board::Board;
use super::pattern::places_inside;
use super::tables::{CANDIDATES, CELLS_OF, HOUSES_OF, ROWS, cells, count, ones};

/// Why a candidate is on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// It is the assumption.
    None,
    Cell,
    /// A link in a box (0), row (1) or column (2).
    House(u8),
    /// A nested pattern or chain.
    Nested,
}

/// Weak links: the candidates that each candidate turns off if it is on, in order.
pub(super) struct WeakLinks {
    /// The range of the links of each candidate; outdated for removed candidates.
    range: [(u16, u16); CANDIDATES],
    /// The number of links in the same cell, which come first.
    same_cell: [u8; CANDIDATES],
    all: Vec<u16>,
}

impl WeakLinks {
    pub fn new() -> WeakLinks {
        WeakLinks { range: [(0, 0); CANDIDATES], same_cell: [0; CANDIDATES], all: Vec::new() }
    }

    /// Computes the links of a board.
    pub fn read(&mut self, board: &Board) {
        self.all.clear();
        for cell in cells(board.empty) {
            let box_set = HOUSES_OF[cell][0].0;
            for digit in ones(board.digits[cell]) {
                let candidate = cell * 9 + digit;
                let first = self.all.len() as u16;
                self.all.extend(
                    ones(board.digits[cell] & !(1 << digit)).map(|other| (cell * 9 + other) as u16),
                );
                self.same_cell[candidate] = count(board.digits[cell]) as u8 - 1;
                for (house, place) in HOUSES_OF[cell] {
                    let house = usize::from(house);
                    let mut others = board.places[house][digit] & !(1 << place);
                    if house >= ROWS {
                        others &= !places_inside(house, usize::from(box_set));
                    }
                    self.all.extend(
                        ones(others)
                            .map(|place| u16::from(CELLS_OF[house][place]) * 9 + digit as u16),
                    );
                }
                self.range[candidate] = (first, self.all.len() as u16);
            }
        }
    }

    /// The candidates that `candidate` turns off. Links inside cells are left out if `in_cells` is
    /// false.
    pub fn targets(&self, candidate: u16, in_cells: bool) -> &[u16] {
        let candidate = usize::from(candidate);
        let skipped = if in_cells { 0 } else { usize::from(self.same_cell[candidate]) };
        let (first, end) = self.range[candidate];
        &self.all[usize::from(first) + skipped..usize::from(end)]
    }
}

/// Why `candidate` turns `other` off.
pub(super) fn weak_cause(candidate: u16, other: u16) -> Cause {
    let (cell, other) = (usize::from(candidate / 9), usize::from(other / 9));
    if cell == other {
        return Cause::Cell;
    }
    let kind = (0..3).find(|&kind| HOUSES_OF[cell][kind].0 == HOUSES_OF[other][kind].0);
    Cause::House(kind.expect("a weak link is inside a house") as u8)
}

/// Strong links: the candidates that each candidate turns on if it is off.
pub(super) struct StrongLinks {
    links: Vec<[(u16, Cause); 4]>,
    count: [u8; CANDIDATES],
}

impl StrongLinks {
    pub fn new() -> StrongLinks {
        StrongLinks { links: vec![[(0, Cause::None); 4]; CANDIDATES], count: [0; CANDIDATES] }
    }

    /// Computes the links of a board: in cells, in houses or in both.
    pub fn read(&mut self, board: &Board, in_cells: bool, in_houses: bool) {
        self.count = [0; CANDIDATES];
        for cell in cells(board.empty) {
            for digit in ones(board.digits[cell]) {
                let candidate = cell * 9 + digit;
                if in_cells && count(board.digits[cell]) == 2 {
                    let other = (board.digits[cell] & !(1 << digit)).trailing_zeros() as usize;
                    self.add(candidate, cell * 9 + other, Cause::Cell);
                }
                for kind in (0..3).filter(|_| in_houses) {
                    let (house, place) = HOUSES_OF[cell][kind];
                    let others = board.places[usize::from(house)][digit] & !(1 << place);
                    if others.is_power_of_two() {
                        let other = usize::from(
                            CELLS_OF[usize::from(house)][others.trailing_zeros() as usize],
                        );
                        self.add(candidate, other * 9 + digit, Cause::House(kind as u8));
                    }
                }
            }
        }
    }

    fn add(&mut self, candidate: usize, other: usize, cause: Cause) {
        let count = usize::from(self.count[candidate]);
        if self.links[candidate][..count].iter().all(|&(known, _)| usize::from(known) != other) {
            self.links[candidate][count] = (other as u16, cause);
            self.count[candidate] += 1;
        }
    }

    pub fn targets(&self, candidate: u16) -> &[(u16, Cause)] {
        let candidate = usize::from(candidate);
        &self.links[candidate][..usize::from(self.count[candidate])]
    }
}

/// Calls back with the candidates removed since `start` on which a link with this cause depends.
pub(super) fn each_gone(
    board: &Board,
    start: &Board,
    on: u16,
    cause: Cause,
    mut found: impl FnMut(u16),
) {
    let (cell, digit) = (usize::from(on / 9), usize::from(on % 9));
    match cause {
        Cause::None | Cause::Nested => {}
        Cause::Cell => {
            ones(start.digits[cell] & !board.digits[cell])
                .for_each(|gone| found((cell * 9 + gone) as u16));
        }
        Cause::House(kind) => {
            let house = usize::from(HOUSES_OF[cell][usize::from(kind)].0);
            let gone = start.places[house][digit] & !board.places[house][digit];
            ones(gone)
                .for_each(|place| found(u16::from(CELLS_OF[house][place]) * 9 + digit as u16));
        }
    }
}
