//! Symmetric images of puzzles, independent of `ninefold::grid::Symmetry`: relabelled digits,
//! permuted rows and columns, transposed grids.

use ninefold::grid::{Digit, Grid, Order};
use ninefold::random::Random;

/// A symmetry of the grids of an order.
#[derive(Debug)]
pub struct Twin {
    /// The order of the images. Boxes of 2 × 3 become boxes of 3 × 2 if the grid is transposed.
    order: Order,
    transposed: bool,
    /// The source row of each row of the image, before transposing.
    rows: Vec<usize>,
    columns: Vec<usize>,
    /// The image of each digit.
    digits: Vec<Digit>,
}

impl Twin {
    /// A uniformly random symmetry.
    pub fn random(order: Order, random: &mut Random) -> Twin {
        let transposed = random.chance(0.5);
        let shape = if transposed {
            Order::new(order.box_columns(), order.box_rows())
                .expect("the transposed boxes are valid")
        } else {
            order
        };
        let mut digits: Vec<Digit> = order.digits().collect();
        random.shuffle(&mut digits);
        let rows = permuted_lines(order.side(), order.box_rows(), random);
        let columns = permuted_lines(order.side(), order.box_columns(), random);
        Twin { order: shape, transposed, rows, columns, digits }
    }

    pub fn order(&self) -> Order {
        self.order
    }

    pub fn image(&self, grid: &Grid) -> Grid {
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

/// A random permutation of the rows that keeps the rows of each band together.
fn permuted_lines(side: usize, band_height: usize, random: &mut Random) -> Vec<usize> {
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
