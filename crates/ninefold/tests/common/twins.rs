//! Symmetric twins: the same puzzle with digits renamed, rows and columns moved, or the grid turned over its diagonal.

use ninefold::grid::{Digit, Grid, Order};
use ninefold::random::Random;

/// One symmetry of the grids of an order.
#[derive(Debug)]
pub struct Twin {
    /// The order of the twins: boxes of 2 × 3 become boxes of 3 × 2 when the grid is transposed.
    order: Order,
    transposed: bool,
    /// The row that each row of the twin comes from, before the grid is transposed.
    rows: Vec<usize>,
    columns: Vec<usize>,
    /// The new digit for each old one.
    digits: Vec<Digit>,
}

impl Twin {
    /// A symmetry drawn at random, each equally likely.
    pub fn random(order: Order, random: &mut Random) -> Twin {
        let transposed = random.chance(0.5);
        let shape = if transposed {
            Order::boxes(order.box_columns(), order.box_rows()).expect("a box may be turned")
        } else {
            order
        };
        let mut digits: Vec<Digit> = order.digits().collect();
        random.shuffle(&mut digits);
        let rows = moved_lines(order.side(), order.box_rows(), random);
        let columns = moved_lines(order.side(), order.box_columns(), random);
        Twin { order: shape, transposed, rows, columns, digits }
    }

    /// The order of the twins.
    pub fn order(&self) -> Order {
        self.order
    }

    /// The twin of a grid.
    pub fn of(&self, grid: &Grid) -> Grid {
        let mut twin = Grid::empty(self.order);
        for (row, &from_row) in self.rows.iter().enumerate() {
            for (column, &from_column) in self.columns.iter().enumerate() {
                let digit = grid[grid.order().cell(from_row, from_column)]
                    .map(|digit| self.digits[digit.index()]);
                let (row, column) = if self.transposed { (column, row) } else { (row, column) };
                twin.set(self.order.cell(row, column), digit);
            }
        }
        twin
    }
}

/// Rows in a new order: whole bands change places, and rows change places inside their band.
fn moved_lines(side: usize, band_height: usize, random: &mut Random) -> Vec<usize> {
    let mut bands: Vec<usize> = (0..side / band_height).collect();
    random.shuffle(&mut bands);
    let mut lines = Vec::with_capacity(side);
    for band in bands {
        let mut inside: Vec<usize> = (band * band_height..(band + 1) * band_height).collect();
        random.shuffle(&mut inside);
        lines.extend(inside);
    }
    lines
}
