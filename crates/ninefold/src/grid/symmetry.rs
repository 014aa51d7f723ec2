//! Symmetries: transformations that turn a Sudoku into an equivalent one.
//!
//! A band is a row of boxes, a stack a column of boxes. A symmetry permutes:
//!
//! - the bands, and the rows within each band,
//! - the stacks, and the columns within each stack,
//! - the digits.
//!
//! If the boxes are square, it can also transpose the grid. A puzzle and its image, the transformed
//! puzzle, have the same number of solutions and the same difficulty for a person. Only the speed
//! of a solver may depend on the order of cells and digits. Therefore benchmarks run on images, and
//! property tests compare puzzles with their images.

use super::{Candidates, Cell, Digit, DigitSet, Grid, House, Order, Position};
use crate::random::Random;

/// A symmetry of the grids of one order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    order: Order,
    /// The source row of each row of the image.
    rows: Vec<usize>,
    /// The source column of each column of the image.
    columns: Vec<usize>,
    mirrored: bool,
    /// The image of each digit, by index.
    digits: Vec<Digit>,
}

impl Symmetry {
    /// Creates a symmetry from its parts. If `mirrored`, the grid is transposed first. Then row `i`
    /// of the image is row `rows[i]`, column `j` is column `columns[j]`, and the digit with index
    /// `d` becomes `digits[d]`. Returns `None` if a list is not a permutation, if the rows of a
    /// band or the columns of a stack do not stay together, or if the grid would be transposed but
    /// its boxes are not square.
    pub fn new(
        order: Order,
        mirrored: bool,
        rows: Vec<usize>,
        columns: Vec<usize>,
        digits: Vec<Digit>,
    ) -> Option<Symmetry> {
        let renamed: Vec<usize> = digits.iter().map(|digit| digit.index()).collect();
        let fits = (!mirrored || Symmetry::may_mirror(order))
            && keeps_groups(&rows, order.side(), order.box_rows())
            && keeps_groups(&columns, order.side(), order.box_columns())
            && keeps_groups(&renamed, order.side(), 1);
        fits.then_some(Symmetry { order, rows, columns, mirrored, digits })
    }

    /// Whether grids of this order can be transposed. Boxes stay boxes only if they are square.
    pub(crate) fn may_mirror(order: Order) -> bool {
        order.box_rows() == order.box_columns()
    }

    /// A random symmetry, sampled uniformly.
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
            mirrored: Symmetry::may_mirror(order) && random.chance(0.5),
            digits,
        }
    }

    /// Applies the symmetry to a grid.
    ///
    /// # Panics
    /// If the grid is of another order, or if it has rules of its own.
    pub fn image(&self, grid: &Grid) -> Grid {
        grid.require_classic("symmetries are").expect("a classic grid");
        assert_eq!(grid.order(), self.order, "the symmetry is for grids of another order");
        let mut image = Grid::empty(self.order);
        for cell in self.order.cells() {
            image.set(cell, grid[self.source_of(cell)].map(|digit| self.digit(digit)));
        }
        image
    }

    /// Like [`Symmetry::image`], for grids stored as one number per cell with 0 for an empty cell.
    ///
    /// # Panics
    /// If `numbers` or `image` does not have one number per cell.
    pub fn image_of_numbers(&self, numbers: &[u8], image: &mut [u8]) {
        let (side, cells) = (self.order.side(), self.order.cell_count());
        assert!(
            numbers.len() == cells && image.len() == cells,
            "the symmetry is for grids of another order"
        );
        let mut names = [0; Order::MAX_SIDE + 1];
        for (name, digit) in names[1..].iter_mut().zip(&self.digits) {
            *name = digit.index() as u8 + 1;
        }
        let (down, across) = if self.mirrored { (1, side) } else { (side, 1) };
        for (row, places) in self.rows.iter().zip(image.chunks_exact_mut(side)) {
            for (column, place) in self.columns.iter().zip(places) {
                *place = names[usize::from(numbers[row * down + column * across])];
            }
        }
    }

    /// The source cell of a cell of the image.
    fn source_of(&self, cell: Cell) -> Cell {
        let row = self.rows[self.order.row_of(cell)];
        let column = self.columns[self.order.column_of(cell)];
        if self.mirrored { self.order.cell(column, row) } else { self.order.cell(row, column) }
    }

    /// The image of a cell.
    pub fn cell(&self, cell: Cell) -> Cell {
        let (row, column) = (self.order.row_of(cell), self.order.column_of(cell));
        let (row, column) = if self.mirrored { (column, row) } else { (row, column) };
        let place = |lines: &[usize], line: usize| lines.iter().position(|&source| source == line);
        let places = place(&self.rows, row).zip(place(&self.columns, column));
        let (row, column) = places.expect("every line of the grid has an image");
        self.order.cell(row, column)
    }

    /// The image of a digit.
    pub fn digit(&self, digit: Digit) -> Digit {
        self.digits[digit.index()]
    }

    /// The image of a house; a row may become a column.
    pub fn house(&self, house: House) -> House {
        let cells: Vec<Cell> =
            self.order.cells_in(house).iter().map(|&cell| self.cell(cell)).collect();
        let holds_all =
            |image: &House| cells.iter().all(|&cell| self.order.houses_of(cell).contains(image));
        self.order.houses().find(holds_all).expect("a symmetry keeps houses together")
    }

    /// Applies the symmetry to a position.
    ///
    /// # Panics
    /// If the position is of another order.
    pub fn position(&self, position: &Position) -> Position {
        let mut candidates = Candidates::empty(&self.image(position.grid()));
        for cell in position.grid().empty_cells() {
            let digits: DigitSet =
                position.candidates().at(cell).map(|digit| self.digit(digit)).collect();
            candidates.set(self.cell(cell), digits);
        }
        Position::new(self.image(position.puzzle()), candidates)
            .expect("an image has the size of its original")
    }

    /// The symmetry that undoes this one.
    pub fn inverse(&self) -> Symmetry {
        let (rows, columns) = (inverted(&self.rows), inverted(&self.columns));
        // Transposing comes first here, so it would come last in the inverse. Moving it to the
        // front exchanges rows and columns.
        let (rows, columns) = if self.mirrored { (columns, rows) } else { (rows, columns) };
        let names: Vec<usize> = self.digits.iter().map(|digit| digit.index()).collect();
        let digits = inverted(&names).into_iter().map(Digit::from_index).collect();
        Symmetry { order: self.order, rows, columns, mirrored: self.mirrored, digits }
    }
}

/// Whether `lines` is a permutation that keeps the lines of each group together.
fn keeps_groups(lines: &[usize], side: usize, group: usize) -> bool {
    let mut met = vec![false; side];
    let each_once =
        lines.iter().all(|&line| line < side && !std::mem::replace(&mut met[line], true));
    let is_together = |band: &[usize]| band.iter().all(|line| line / group == band[0] / group);
    lines.len() == side && each_once && lines.chunks(group).all(is_together)
}

fn inverted(permutation: &[usize]) -> Vec<usize> {
    let mut inverse = vec![0; permutation.len()];
    for (place, &image) in permutation.iter().enumerate() {
        inverse[image] = place;
    }
    inverse
}

/// A random permutation of the lines of a grid that keeps the lines of each band together.
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
    fn image_of_a_solution_is_a_solution() {
        let four =
            Grid::from_numbers(Order::FOUR, &[1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1])
                .unwrap();
        let six: Grid = "123456456123231564564231312645645312".parse().unwrap();
        for solution in [four, six] {
            assert!(solution.is_solved());
            let mut random = Random::new(5);
            for _ in 0..200 {
                let symmetry = Symmetry::random(solution.order(), &mut random);
                let image = symmetry.image(&solution);
                assert!(image.is_solved());
                for cell in solution.order().cells() {
                    let digit = solution[cell].map(|digit| symmetry.digit(digit));
                    assert_eq!(image[symmetry.cell(cell)], digit);
                    let houses = solution.order().houses_of(cell);
                    let image_houses = solution.order().houses_of(symmetry.cell(cell));
                    assert!(
                        houses.iter().all(|&house| image_houses.contains(&symmetry.house(house)))
                    );
                }
                assert_eq!(symmetry.inverse().image(&image), solution);

                let mut puzzle = solution.clone();
                puzzle.set(solution.order().cell(random.below(4), random.below(4)), None);
                let mut numbers = vec![0; solution.order().cell_count()];
                symmetry.image_of_numbers(&puzzle.numbers().collect::<Vec<u8>>(), &mut numbers);
                assert!(symmetry.image(&puzzle).numbers().eq(numbers), "{symmetry:?}");
            }
        }
    }

    #[test]
    fn rectangular_boxes_stay_boxes() {
        for (rows, columns) in [(2, 3), (3, 2), (2, 5), (3, 4)] {
            let order = Order::new(rows, columns).unwrap();
            let mut grid = Grid::empty(order);
            // Every cell contains the number of its box, so each box of the image must contain a
            // single number.
            for cell in order.cells() {
                grid.set(cell, Some(Digit::from_index(order.box_of(cell))));
            }
            let image = Symmetry::random(order, &mut Random::new(1)).image(&grid);
            for number in 0..order.side() as u8 {
                let cells = order.cells_in(super::super::House::Box(number));
                assert!(cells.iter().all(|&cell| image[cell] == image[cells[0]]), "{order}");
            }
        }
    }

    #[test]
    fn rejects_parts_that_split_a_band() {
        let digits: Vec<Digit> = Order::FOUR.digits().collect();
        let check = |rows: &[usize]| {
            Symmetry::new(Order::FOUR, true, rows.to_vec(), vec![0, 1, 2, 3], digits.clone())
                .is_some()
        };
        assert!(check(&[3, 2, 0, 1]));
        assert!(!check(&[0, 2, 1, 3]), "rows 1 and 3 are in different bands");
        assert!(!check(&[0, 0, 2, 3]), "row 1 occurs twice");
        assert!(!check(&[0, 1, 2]), "row 4 is missing");
        assert!(!check(&[0, 1, 2, 9]), "there is no row 10");
    }

    #[test]
    fn equal_seeds_give_equal_images() {
        let image = |seed| Symmetry::random(Order::NINE, &mut Random::new(seed));
        assert_eq!(image(1), image(1));
        assert_ne!(image(1), image(2));
    }
}
