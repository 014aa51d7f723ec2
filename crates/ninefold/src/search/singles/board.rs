//! The candidates of a grid of any size, with singles applied until nothing changes.
//!
//! 1. A cell with one digit left contains it, so all its peers lose that digit (naked single).
//! 2. A digit with one place left in a house goes there, so that cell loses its other digits
//!    (hidden single).
//!
//! The result does not depend on the order in which the rules are applied. What makes it fast: a
//! few operations on the candidate sets of a house find all its hidden singles, and only houses in
//! which a digit lost a place are checked again.

use crate::grid::{Candidates, Cell, Digit, DigitSet, Grid, House, Order};

/// The candidates of each cell; a cell with one candidate is filled.
///
/// Invariant between calls: neither rule applies any more. So no two peers have the same single
/// digit, and a board on which every cell has one digit is a solution.
#[derive(Clone)]
pub(crate) struct Board {
    order: Order,
    /// The candidates of each cell, one bit per digit.
    sets: Box<[u64]>,
    /// Cells with one candidate that has not been removed from their peers yet.
    fixed: Vec<Cell>,
    /// Rows, columns and boxes in which a digit has lost a place since they were last checked, as
    /// bits.
    changed: [u64; 3],
}

/// A cell without a digit or a digit without a place.
#[derive(Debug)]
pub(crate) struct Contradiction;

impl Board {
    /// The board of a puzzle, after both rules have been applied.
    pub(crate) fn new(puzzle: &Grid) -> Result<Board, Contradiction> {
        if puzzle.conflict().is_some() {
            return Err(Contradiction);
        }
        let order = puzzle.order();
        let all = order.digits().bits();
        let sets = order
            .cells()
            .map(|cell| puzzle[cell].map_or(all, |digit| 1 << digit.index()))
            .collect();
        let fixed = puzzle.clues().map(|(cell, _)| cell).collect();
        let mut board = Board { order, sets, fixed, changed: [all; 3] };
        board.propagate()?;
        Ok(board)
    }

    /// The candidates of a cell.
    pub(crate) fn at(&self, cell: Cell) -> DigitSet {
        DigitSet::from_bits(self.sets[cell.index()])
    }

    /// Fills a cell with one of its candidates and applies both rules.
    pub(crate) fn assign(&mut self, cell: Cell, digit: Digit) -> Result<(), Contradiction> {
        self.sets[cell.index()] = 1 << digit.index();
        self.fixed.push(cell);
        self.note_change(cell);
        self.propagate()
    }

    /// Removes a candidate from a cell and applies both rules.
    pub(crate) fn remove(&mut self, cell: Cell, digit: Digit) -> Result<(), Contradiction> {
        let set = &mut self.sets[cell.index()];
        *set &= !(1 << digit.index());
        if *set == 0 {
            return Err(Contradiction);
        }
        if set.is_power_of_two() {
            self.fixed.push(cell);
        }
        self.note_change(cell);
        self.propagate()
    }

    pub(crate) fn order(&self) -> Order {
        self.order
    }

    /// Whether every cell is filled.
    pub(crate) fn is_full(&self) -> bool {
        self.sets.iter().all(|set| set.is_power_of_two())
    }

    /// The first cell in reading order with the fewest candidates of those with more than one;
    /// `None` if all are filled.
    pub(crate) fn cell_with_fewest_digits(&self) -> Option<Cell> {
        let mut best = None;
        let mut fewest = u32::MAX;
        for (cell, set) in self.sets.iter().enumerate() {
            let count = set.count_ones();
            if count > 1 && count < fewest {
                if count == 2 {
                    return Some(Cell::new(cell));
                }
                (best, fewest) = (Some(Cell::new(cell)), count);
            }
        }
        best
    }

    /// The filled cells as a grid.
    pub(crate) fn grid(&self) -> Grid {
        let mut grid = Grid::empty(self.order);
        for cell in self.order.cells() {
            grid.set(cell, self.at(cell).only());
        }
        grid
    }

    /// The filled cells together with the candidates of all others.
    pub(crate) fn candidates(&self) -> Candidates {
        let grid = self.grid();
        let mut candidates = Candidates::empty(&grid);
        for cell in grid.empty_cells() {
            candidates.set(cell, self.at(cell));
        }
        candidates
    }

    fn propagate(&mut self) -> Result<(), Contradiction> {
        loop {
            while let Some(cell) = self.fixed.pop() {
                self.naked_single(cell)?;
            }
            match self.next_changed_house() {
                Some(house) => self.hidden_singles(house)?,
                None => return Ok(()),
            }
        }
    }

    fn note_change(&mut self, cell: Cell) {
        self.changed[0] |= 1 << self.order.row_of(cell);
        self.changed[1] |= 1 << self.order.column_of(cell);
        self.changed[2] |= 1 << self.order.box_of(cell);
    }

    fn next_changed_house(&mut self) -> Option<House> {
        let kind = self.changed.iter().position(|&houses| houses != 0)?;
        let number = self.changed[kind].trailing_zeros() as u8;
        self.changed[kind] &= self.changed[kind] - 1;
        Some([House::Row, House::Column, House::Box][kind](number))
    }

    /// Applies rule 1 to a filled cell.
    fn naked_single(&mut self, cell: Cell) -> Result<(), Contradiction> {
        let digit = self.sets[cell.index()];
        for &peer in self.order.peers_of(cell) {
            let set = &mut self.sets[peer.index()];
            if *set & digit != 0 {
                *set &= !digit;
                match set.count_ones() {
                    0 => return Err(Contradiction),
                    1 => self.fixed.push(peer),
                    _ => {}
                }
                self.note_change(peer);
            }
        }
        Ok(())
    }

    /// Applies rule 2 to all digits of a house.
    fn hidden_singles(&mut self, house: House) -> Result<(), Contradiction> {
        let cells = self.order.cells_in(house);
        let (mut once, mut twice, mut filled) = (0, 0, 0);
        // Bitwise counters for all digits at once: seen at least once, seen at least twice.
        for cell in cells {
            let set = self.sets[cell.index()];
            twice |= once & set;
            once |= set;
            if set.is_power_of_two() {
                filled |= set;
            }
        }
        if once != self.order.digits().bits() {
            return Err(Contradiction);
        }
        let hidden = once & !twice & !filled;
        if hidden == 0 {
            return Ok(());
        }
        for &cell in cells {
            let set = &mut self.sets[cell.index()];
            let here = *set & hidden;
            if here != 0 {
                // Two digits have their only place in the same cell.
                if !here.is_power_of_two() {
                    return Err(Contradiction);
                }
                *set = here;
                self.fixed.push(cell);
                self.note_change(cell);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(puzzle: &str) -> Result<Board, Contradiction> {
        Board::new(&crate::grid::text::parse_position(puzzle, None).unwrap())
    }

    #[test]
    fn applies_singles_until_nothing_changes() {
        let board = board("1..4..1..3..4..3").unwrap();
        assert!(board.is_full() && board.cell_with_fewest_digits().is_none());
        assert_eq!(board.grid().to_string(), "1234341223414123");
    }

    #[test]
    fn undecided_cells_stay_open() {
        // The only place for 1 in row 1 is the last cell.
        let board = board("....1.....1.....").unwrap();
        assert_eq!(board.grid().clue_count(), 4, "row 4 has one place for its 1 as well");
        assert_eq!(board.grid()[Order::FOUR.cell(0, 3)], Digit::new(1));
        let candidates = board.candidates();
        assert!(board.order.cells().filter(|&cell| candidates.grid()[cell].is_none()).all(
            |cell| {
                let open = candidates.at(cell);
                open == board.at(cell) && open.count() > 1
            }
        ));
    }

    #[test]
    fn detects_conflicting_clues_and_digits_without_a_place() {
        assert!(board("11..............").is_err());
        assert!(board("123....4........").is_err(), "row 1 has no place for 4");
    }

    #[test]
    fn assigning_a_digit_removes_it_from_peers() {
        let mut board = board("12..............").unwrap();
        let cell = Order::FOUR.cell(0, 2);
        board.assign(cell, Digit::new(3).unwrap()).unwrap();
        assert_eq!(board.at(Order::FOUR.cell(0, 3)).only(), Digit::new(4));
        let below = Order::FOUR.cell(1, 2);
        assert!(!board.at(below).contains(Digit::new(3).unwrap()));
    }
}
