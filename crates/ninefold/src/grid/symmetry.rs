//! Symmetries: the rearrangements that turn a Sudoku into an equal one.
//!
//! Rows may change places inside their band, bands may change places as a whole, the same for columns and stacks,
//! the grid may be mirrored along its main diagonal where boxes are square, and digits may be renamed. A puzzle and
//! its image have equally many solutions and are equally hard for a person; only a solver that is lucky with the
//! order of cells or digits notices the difference. So benchmarks run on images, and property tests compare them.

use super::{Digit, Grid, Order};
use crate::random::Random;

/// One rearrangement of the grids of one order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    order: Order,
    /// The row that each row of the image is taken from.
    rows: Vec<usize>,
    /// The column that each column of the image is taken from.
    columns: Vec<usize>,
    mirrored: bool,
    /// The new name of each digit, by index.
    digits: Vec<Digit>,
}

impl Symmetry {
    /// A random rearrangement, each equally likely.
    ///
    /// ```
    /// use ninefold::grid::{Grid, Symmetry};
    /// use ninefold::random::Random;
    ///
    /// let puzzle: Grid = "1..4..1..3..4..3".parse()?;
    /// let twin = Symmetry::random(puzzle.order(), &mut Random::new(7)).image(&puzzle);
    /// assert_eq!(twin.clue_count(), puzzle.clue_count());
    /// # Ok::<(), ninefold::grid::ParseGridError>(())
    /// ```
    pub fn random(order: Order, random: &mut Random) -> Symmetry {
        let mut digits: Vec<Digit> = order.digits().collect();
        random.shuffle(&mut digits);
        Symmetry {
            order,
            rows: lines(order.side(), order.box_rows(), random),
            columns: lines(order.side(), order.box_columns(), random),
            mirrored: order.box_rows() == order.box_columns() && random.chance(0.5),
            digits,
        }
    }

    /// The rearranged grid.
    ///
    /// # Panics
    /// If the grid is of another order.
    pub fn image(&self, grid: &Grid) -> Grid {
        assert_eq!(grid.order(), self.order, "a symmetry rearranges grids of its own order");
        let mut image = Grid::empty(self.order);
        for cell in self.order.cells() {
            let row = self.rows[self.order.row_of(cell)];
            let column = self.columns[self.order.column_of(cell)];
            let source = if self.mirrored { self.order.cell(column, row) } else { self.order.cell(row, column) };
            image.set(cell, grid[source].map(|digit| self.digits[digit.index()]));
        }
        image
    }
}

/// A random order of the lines of a grid that keeps the lines of one band together.
fn lines(side: usize, band_height: usize, random: &mut Random) -> Vec<usize> {
    let mut bands: Vec<usize> = (0..side / band_height).collect();
    random.shuffle(&mut bands);
    let mut lines = Vec::with_capacity(side);
    for band in bands {
        let start = lines.len();
        lines.extend(band * band_height..(band + 1) * band_height);
        random.shuffle(&mut lines[start..]);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_image_of_a_solution_is_a_solution() {
        let four = Grid::from_numbers(Order::FOUR, &[1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]).unwrap();
        let six: Grid = "123456456123231564564231312645645312".parse().unwrap();
        for solution in [four, six] {
            assert!(solution.is_solved());
            let mut random = Random::new(5);
            for _ in 0..200 {
                assert!(Symmetry::random(solution.order(), &mut random).image(&solution).is_solved());
            }
        }
    }

    #[test]
    fn equal_seeds_give_equal_images() {
        let image = |seed| Symmetry::random(Order::NINE, &mut Random::new(seed));
        assert_eq!(image(1), image(1));
        assert_ne!(image(1), image(2));
    }
}
