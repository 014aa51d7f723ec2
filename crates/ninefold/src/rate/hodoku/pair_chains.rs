//! Remote pairs and XY-chains. As in HoDoKu, the best of all chains of at most ten bivalue cells
//! (cells with two candidates) is used.

use super::loops::order;
use super::singles::Singles;
use super::subsets::Removes;
use super::tables::{Cells, Grid, cells_of};

/// HoDoKu follows a chain for twenty links, half of them inside cells.
const MOST_CELLS: usize = 10;

/// The minimum number of cells of a remote pair.
const REMOTE: usize = 4;

/// Remote pairs: chains of cells with the same two digits. Any two cells with different digits
/// remove both digits from their common peers.
pub(super) fn remote_pair(singles: &Singles) -> Option<Removes> {
    best_of(
        singles,
        |grid, cells, first| {
            if cells.len() < REMOTE || cells.len() % 2 == 1 {
                return Vec::new();
            }
            let seen =
                pairs_apart(cells).fold(0, |set, (a, b)| set | grid.peers[a] & grid.peers[b]);
            let removes =
                |digit: usize| cells_of(seen & grid.cells[digit]).map(move |cell| (cell, digit));
            let second = (grid.digits[cells[0]] & !(1 << first)).trailing_zeros() as usize;
            // HoDoKu checks the second digit only if the first one has removals.
            let ends =
                grid.peers[cells[0]] & grid.peers[cells[cells.len() - 1]] & grid.cells[first];
            if ends == 0 { Vec::new() } else { removes(first).chain(removes(second)).collect() }
        },
        true,
    )
}

/// The pairs of cells that are three, five, seven … places apart.
fn pairs_apart(cells: &[usize]) -> impl Iterator<Item = (usize, usize)> + '_ {
    (0..cells.len())
        .flat_map(move |a| (a + 3..cells.len()).step_by(2).map(move |b| (cells[a], cells[b])))
}

/// XY-chains: one of the two ends contains the digit.
pub(super) fn xy_chain(singles: &Singles) -> Option<Removes> {
    best_of(
        singles,
        |grid, cells, first| {
            let seen =
                grid.peers[cells[0]] & grid.peers[cells[cells.len() - 1]] & grid.cells[first];
            cells_of(seen).map(|cell| (cell, first)).collect()
        },
        false,
    )
}

type Removed<'a> = dyn Fn(&Grid, &[usize], usize) -> Removes + 'a;

/// The chain with the most removals, then the smallest weighted sum of removed candidates.
fn best_of(
    singles: &Singles,
    removed: impl Fn(&Grid, &[usize], usize) -> Removes,
    same: bool,
) -> Option<Removes> {
    let grid = Grid::new(singles, false);
    let mut search =
        Search { grid: &grid, removed: &removed, same, first: 0, cells: Vec::new(), best: None };
    for start in (0..81).filter(|&cell| grid.digits[cell].count_ones() == 2) {
        for first in (0..9).filter(|digit| grid.digits[start] >> digit & 1 == 1) {
            search.first = first;
            search.extend(start, first, 1 << start);
        }
    }
    search.best
}

struct Search<'a> {
    grid: &'a Grid,
    removed: &'a Removed<'a>,
    /// Whether all cells must have the same digits.
    same: bool,
    first: usize,
    cells: Vec<usize>,
    best: Option<Removes>,
}

impl Search<'_> {
    /// Extends the chain by a cell. The cell does not contain the digit of the incoming link, so it
    /// contains the other one.
    fn extend(&mut self, cell: usize, entered_by: usize, been: Cells) {
        self.cells.push(cell);
        let leaves_by = (self.grid.digits[cell] & !(1 << entered_by)).trailing_zeros() as usize;
        if leaves_by == self.first && self.cells.len() > 1 {
            self.keep_better();
        }
        if self.cells.len() < MOST_CELLS {
            let near = self.grid.peers[cell] & self.grid.cells[leaves_by] & !been;
            for next in cells_of(near) {
                let fits = self.grid.digits[next].count_ones() == 2
                    && (!self.same || self.grid.digits[next] == self.grid.digits[cell]);
                if fits {
                    self.extend(next, leaves_by, been | 1 << next);
                }
            }
        }
        self.cells.pop();
    }

    fn keep_better(&mut self) {
        let mut removes = (self.removed)(self.grid, &self.cells, self.first);
        removes.sort_unstable_by_key(|&(cell, digit)| (digit, cell));
        let is_better = self.best.as_ref().is_none_or(|best| order(&removes, best).is_lt());
        if !removes.is_empty() && is_better {
            self.best = Some(removes);
        }
    }
}
