//! What the layouts of variants need to know about the solution: digits, regions and free cells.

use crate::grid::{Cell, Digit, DigitSet};

/// A full grid with its regions.
pub(super) struct Board<'a> {
    pub side: usize,
    pub solution: &'a [Digit],
    /// The region of each cell.
    pub regions: &'a [usize],
}

impl Board<'_> {
    pub fn number(&self, cell: Cell) -> u8 {
        self.solution[cell.index()].number()
    }

    pub fn sum_of(&self, cells: &[Cell]) -> u32 {
        cells.iter().map(|&cell| u32::from(self.number(cell))).sum()
    }

    pub fn digits_of(&self, cells: &[Cell]) -> DigitSet {
        cells.iter().map(|cell| self.solution[cell.index()]).collect()
    }

    /// Row and column of a cell, counted from 0.
    pub fn place(&self, cell: Cell) -> (usize, usize) {
        (cell.index() / self.side, cell.index() % self.side)
    }

    pub fn cell(&self, row: usize, column: usize) -> Cell {
        Cell::new(row * self.side + column)
    }

    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        (0..self.side * self.side).map(Cell::new)
    }

    /// Whether all cells are in one row, column or region.
    pub fn is_house(&self, cells: &[Cell]) -> bool {
        let same =
            |key: &dyn Fn(Cell) -> usize| cells.windows(2).all(|pair| key(pair[0]) == key(pair[1]));
        same(&|cell| cell.index() / self.side)
            || same(&|cell| cell.index() % self.side)
            || same(&|cell| self.regions[cell.index()])
    }

    /// All pairs of orthogonal neighbours.
    pub fn neighbour_pairs(&self) -> Vec<[Cell; 2]> {
        let mut pairs = Vec::new();
        for cell in self.cells() {
            let (row, column) = self.place(cell);
            if column + 1 < self.side {
                pairs.push([cell, self.cell(row, column + 1)]);
            }
            if row + 1 < self.side {
                pairs.push([cell, self.cell(row + 1, column)]);
            }
        }
        pairs
    }
}
