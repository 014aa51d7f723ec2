//! Symmetry: the rearrangements that turn a Sudoku into one that is the same in all but looks.
//!
//! Digits may be relabelled, bands and stacks may change places, and so may the rows of a band and the columns of a
//! stack. Where boxes are square the grid may also be mirrored along its diagonal; turns and the other mirrorings are
//! made of these. For 9×9 that makes 2 · (3!)⁸ · 9! symmetries.

use crate::grid::{Digit, Grid, Order};
use crate::random::Random;

/// A rearrangement of grids of one order.
///
/// The grid is first mirrored along its diagonal if `transpose` is set. Then row `i` of the image is row `rows[i]`,
/// column `j` is column `columns[j]`, and the digit with index `d` becomes the one with index `digits[d]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    order: Order,
    transpose: bool,
    rows: Vec<u8>,
    columns: Vec<u8>,
    digits: Vec<u8>,
}

impl Symmetry {
    /// The symmetry that changes nothing.
    pub fn identity(order: Order) -> Symmetry {
        let all: Vec<u8> = (0..order.side() as u8).collect();
        Symmetry { order, transpose: false, rows: all.clone(), columns: all.clone(), digits: all }
    }

    /// One symmetry of this order, each equally likely.
    pub fn random(order: Order, random: &mut Random) -> Symmetry {
        let mut digits: Vec<u8> = (0..order.side() as u8).collect();
        random.shuffle(&mut digits);
        Symmetry {
            order,
            transpose: allows_transposition(order) && random.below(2) == 1,
            rows: shuffled_lines(order.side(), order.box_rows(), random),
            columns: shuffled_lines(order.side(), order.box_columns(), random),
            digits,
        }
    }

    /// A symmetry from its parts, or `None` if they do not keep bands and stacks together or are no permutations.
    pub fn new(order: Order, transpose: bool, rows: &[u8], columns: &[u8], digits: &[u8]) -> Option<Symmetry> {
        let fits = (!transpose || allows_transposition(order))
            && keeps_groups(rows, order.side(), order.box_rows())
            && keeps_groups(columns, order.side(), order.box_columns())
            && keeps_groups(digits, order.side(), 1);
        fits.then(|| Symmetry {
            order,
            transpose,
            rows: rows.to_vec(),
            columns: columns.to_vec(),
            digits: digits.to_vec(),
        })
    }

    /// The order of the grids it takes.
    pub fn order(&self) -> Order {
        self.order
    }

    /// Does it mirror the grid along its diagonal?
    pub fn is_transposing(&self) -> bool {
        self.transpose
    }

    /// The image of a grid.
    ///
    /// # Panics
    /// If the grid is of another order.
    pub fn apply(&self, grid: &Grid) -> Grid {
        assert_eq!(grid.order(), self.order, "a symmetry takes grids of its own order");
        let mut image = Grid::empty(self.order);
        for (row, &from_row) in self.rows.iter().enumerate() {
            for (column, &from_column) in self.columns.iter().enumerate() {
                let (from_row, from_column) = (usize::from(from_row), usize::from(from_column));
                let from = match self.transpose {
                    true => self.order.cell(from_column, from_row),
                    false => self.order.cell(from_row, from_column),
                };
                let digit = grid[from].map(|digit| self.image_of(digit));
                image.set(self.order.cell(row, column), digit);
            }
        }
        image
    }

    /// What a digit is called in the image.
    pub fn image_of(&self, digit: Digit) -> Digit {
        Digit::from_index(usize::from(self.digits[digit.index()]))
    }

    /// The symmetry that undoes this one.
    pub fn inverse(&self) -> Symmetry {
        let (rows, columns) = (inverted(&self.rows), inverted(&self.columns));
        // Mirroring comes first in a symmetry, so undoing it last exchanges the parts of rows and columns.
        let (rows, columns) = if self.transpose { (columns, rows) } else { (rows, columns) };
        Symmetry { order: self.order, transpose: self.transpose, rows, columns, digits: inverted(&self.digits) }
    }
}

/// Is mirroring along the diagonal a symmetry? It keeps boxes together only where they are square.
pub(super) fn allows_transposition(order: Order) -> bool {
    order.box_rows() == order.box_columns()
}

/// A random order of `side` lines in groups of `group`, each order that keeps the groups together equally likely.
fn shuffled_lines(side: usize, group: usize, random: &mut Random) -> Vec<u8> {
    let mut groups: Vec<usize> = (0..side / group).collect();
    random.shuffle(&mut groups);
    let mut lines = Vec::with_capacity(side);
    for number in groups {
        let first = lines.len();
        lines.extend((number * group..(number + 1) * group).map(|line| line as u8));
        random.shuffle(&mut lines[first..]);
    }
    lines
}

fn keeps_groups(lines: &[u8], side: usize, group: usize) -> bool {
    let mut met = vec![false; side];
    let each_once =
        lines.iter().all(|&line| usize::from(line) < side && !std::mem::replace(&mut met[usize::from(line)], true));
    lines.len() == side
        && each_once
        && lines
            .chunks(group)
            .all(|chunk| chunk.iter().all(|&line| usize::from(line) / group == usize::from(chunk[0]) / group))
}

fn inverted(permutation: &[u8]) -> Vec<u8> {
    let mut inverse = vec![0; permutation.len()];
    for (place, &image) in permutation.iter().enumerate() {
        inverse[usize::from(image)] = place as u8;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_image_of_a_solution_is_a_solution_and_comes_back() {
        let solution: Grid =
            "534678912672195348198342567859761423426853791713924856961537284287419635345286179".parse().unwrap();
        let mut random = Random::new(4);
        let mut mirrored = 0;
        for _ in 0..200 {
            let symmetry = Symmetry::random(Order::NINE, &mut random);
            let image = symmetry.apply(&solution);
            assert!(image.is_solved(), "{image}");
            assert_eq!(symmetry.inverse().apply(&image), solution);
            mirrored += usize::from(symmetry.is_transposing());
        }
        assert!((60..140).contains(&mirrored), "{mirrored} of 200 are mirrored");
    }

    #[test]
    fn oblong_boxes_stay_boxes() {
        for (rows, columns) in [(2, 3), (3, 2), (2, 5), (3, 4)] {
            let order = Order::boxes(rows, columns).unwrap();
            let mut grid = Grid::empty(order);
            // Number every box by its own number: the image must have boxes of one number too.
            for cell in order.cells() {
                grid.set(cell, Some(Digit::from_index(order.box_of(cell))));
            }
            let image = Symmetry::random(order, &mut Random::new(1)).apply(&grid);
            for number in 0..order.side() as u8 {
                let cells = order.cells_in(crate::grid::House::Box(number));
                assert!(cells.iter().all(|&cell| image[cell] == image[cells[0]]), "{order}");
            }
        }
    }

    #[test]
    fn parts_that_tear_a_band_apart_are_refused() {
        let all: Vec<u8> = (0..4).collect();
        let check = |rows: &[u8]| Symmetry::new(Order::FOUR, true, rows, &all, &all).is_some();
        assert!(check(&[3, 2, 0, 1]));
        assert!(!check(&[0, 2, 1, 3]), "rows 1 and 3 are in different bands");
        assert!(!check(&[0, 0, 2, 3]), "row 1 stands twice");
        assert!(!check(&[0, 1, 2]), "row 4 is missing");
        assert!(!check(&[0, 1, 2, 9]), "there is no row 10");
    }
}
