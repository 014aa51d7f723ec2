//! Candidates: the digits that each empty cell can still take.

use super::{Cell, Conflict, Digit, DigitSet, Grid, House, Order};

/// A grid together with the candidates of its empty cells.
///
/// Invariant: a filled cell has no candidates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidates {
    grid: Grid,
    open: Box<[DigitSet]>,
}

/// The cells of a house that have a certain digit as a candidate; the result of
/// [`Candidates::places_for`].
#[derive(Clone, Copy, Debug)]
pub struct Places<'a> {
    cells: &'a [Cell],
    mask: u64,
}

impl Candidates {
    /// Gives each empty cell the digits that none of its peers contains. Fails if two digits of a
    /// house are equal.
    ///
    /// If the grid has rules of its own, candidates also exclude the digits that a rule about pairs
    /// of cells forbids beside a filled cell, such as its digit in the same cage, and the digits
    /// that a rule forbids for a single cell.
    pub fn new(grid: &Grid) -> Result<Candidates, Conflict> {
        if let Some(conflict) = grid.conflict() {
            return Err(conflict);
        }
        let order = grid.order();
        let mut open: Box<[DigitSet]> = order
            .cells()
            .map(|cell| {
                if grid[cell].is_some() {
                    return DigitSet::EMPTY;
                }
                let seen: DigitSet =
                    order.peers_of(cell).iter().filter_map(|&peer| grid[peer]).collect();
                match grid.rules() {
                    None => order.digits() - seen,
                    Some(rules) => rules.digits_for(cell) - seen,
                }
            })
            .collect();
        for (cell, digit) in grid.clues().filter(|_| grid.rules().is_some()) {
            exclude_by_rules(grid, &mut open, cell, digit);
        }
        Ok(Candidates { grid: grid.clone(), open })
    }

    /// A grid whose empty cells have no candidates yet; add them with [`Candidates::set`].
    pub fn empty(grid: &Grid) -> Candidates {
        Candidates {
            grid: grid.clone(),
            open: vec![DigitSet::EMPTY; grid.order().cell_count()].into(),
        }
    }

    /// A copy without candidates whose digit a peer already contains. A cell without candidates
    /// gets all possible ones, because many players write no pencil marks at all. If the digits
    /// break the rules, the copy is unchanged.
    #[must_use]
    pub(crate) fn without_stale_marks(&self) -> Candidates {
        let Ok(possible) = Candidates::new(&self.grid) else { return self.clone() };
        let mut cleaned = possible.clone();
        for cell in self.grid.empty_cells() {
            let marks = self.at(cell);
            if !marks.is_empty() {
                cleaned.set(cell, marks & possible.at(cell));
            }
        }
        cleaned
    }

    /// The digits placed so far.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The size of the grid.
    pub fn order(&self) -> Order {
        self.grid.order()
    }

    /// The candidates of a cell; empty for a filled cell.
    pub fn at(&self, cell: Cell) -> DigitSet {
        self.open[cell.index()]
    }

    /// The cells of a house that have the digit as a candidate.
    pub fn places_for(&self, digit: Digit, house: House) -> Places<'_> {
        let cells = self.grid.cells_in(house);
        let mut mask = 0;
        for (position, &cell) in cells.iter().enumerate() {
            mask |= u64::from(self.at(cell).contains(digit)) << position;
        }
        Places { cells, mask }
    }

    /// The digits that are not placed in the house yet.
    pub fn digits_missing_in(&self, house: House) -> DigitSet {
        let held: DigitSet =
            self.grid.cells_in(house).iter().filter_map(|&cell| self.grid[cell]).collect();
        self.order().digits() - held
    }

    /// Writes a digit into an empty cell and removes it from the candidates of all peers.
    pub fn place(&mut self, cell: Cell, digit: Digit) {
        self.grid.set(cell, Some(digit));
        self.open[cell.index()] = DigitSet::EMPTY;
        for &peer in self.order().peers_of(cell) {
            self.open[peer.index()].remove(digit);
        }
        exclude_by_rules(&self.grid, &mut self.open, cell, digit);
    }

    /// Removes a candidate from a cell. Returns whether it was present.
    pub fn remove(&mut self, cell: Cell, digit: Digit) -> bool {
        self.open[cell.index()].remove(digit)
    }

    /// Replaces the candidates of an empty cell.
    ///
    /// # Panics
    /// If the cell is filled and `digits` is not empty.
    pub fn set(&mut self, cell: Cell, digits: DigitSet) {
        assert!(self.grid[cell].is_none() || digits.is_empty(), "a filled cell has no candidates");
        self.open[cell.index()] = digits;
    }

    /// Whether an empty cell has no candidates, or a missing digit of a house has no place left.
    pub fn is_contradictory(&self) -> bool {
        self.grid.empty_cells().any(|cell| self.at(cell).is_empty())
            || self.order().houses().any(|house| {
                self.digits_missing_in(house)
                    .into_iter()
                    .any(|digit| self.places_for(digit, house).count() == 0)
            })
    }
}

/// Removes the candidates that a filled cell excludes by the rules of the grid.
fn exclude_by_rules(grid: &Grid, open: &mut [DigitSet], cell: Cell, digit: Digit) {
    let Some(rules) = grid.rules() else { return };
    for (other, excluded) in rules.links().of(cell) {
        open[other.index()] = open[other.index()] - excluded[digit.index()];
    }
}

impl<'a> Places<'a> {
    /// The number of cells.
    pub fn count(self) -> usize {
        self.mask.count_ones() as usize
    }

    /// The cell, if it is the only one.
    pub fn only(self) -> Option<Cell> {
        self.mask.is_power_of_two().then(|| self.cells[self.mask.trailing_zeros() as usize])
    }

    /// Whether the set contains this cell.
    pub fn contains(self, cell: Cell) -> bool {
        self.iter().any(|place| place == cell)
    }

    /// The cells in reading order.
    pub fn iter(self) -> impl Iterator<Item = Cell> + Clone {
        let Places { cells, mask } = self;
        cells
            .iter()
            .enumerate()
            .filter(move |(position, _)| mask >> position & 1 == 1)
            .map(|(_, &cell)| cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates() -> Candidates {
        let puzzle: Grid =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        Candidates::new(&puzzle).unwrap()
    }

    #[test]
    fn candidates_are_the_digits_that_a_cell_does_not_see() {
        let candidates = candidates();
        let at = |row, column| {
            candidates.at(Order::NINE.cell(row, column)).map(Digit::number).collect::<Vec<_>>()
        };
        assert_eq!(at(0, 2), [1, 2, 4]);
        assert_eq!(at(4, 4), [5]);
        assert_eq!(at(0, 0), [0u8; 0], "a filled cell has no candidates");
    }

    #[test]
    fn placing_a_digit_removes_it_from_every_peer() {
        let mut candidates = candidates();
        let (cell, digit) = (Order::NINE.cell(4, 4), Digit::new(5).unwrap());
        candidates.place(cell, digit);
        assert_eq!(candidates.grid()[cell], Some(digit));
        for &peer in Order::NINE.peers_of(cell) {
            assert!(!candidates.at(peer).contains(digit));
        }
        assert!(!candidates.digits_missing_in(House::Row(4)).contains(digit));
    }

    #[test]
    fn places_return_the_only_cell() {
        let candidates = candidates();
        let places = candidates.places_for(Digit::new(5).unwrap(), House::Row(2));
        assert_eq!(places.only(), Some(Order::NINE.cell(2, 6)));
        assert_eq!(places.count(), 1);
        assert!(places.contains(Order::NINE.cell(2, 6)));
    }

    #[test]
    fn cell_without_candidates_is_a_contradiction() {
        let mut candidates = candidates();
        assert!(!candidates.is_contradictory());
        candidates.remove(Order::NINE.cell(4, 4), Digit::new(5).unwrap());
        assert!(candidates.is_contradictory());
    }
}
