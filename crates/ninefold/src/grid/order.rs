//! Sizes, cells and houses: which cells a grid has and which of them see each other.
//!
//! The tables of houses and peers are built when a size is first used, and kept until the process
//! ends.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

/// The size of a grid: boxes of `box_rows` × `box_columns` cells, `box_rows · box_columns` digits.
///
/// The classic 9×9 Sudoku is [`Order::NINE`], the square order 3; a 6×6 Sudoku has boxes of 2 × 3.
///
/// Jigsaws and other grids with [`Rules`](super::rules::Rules) may have no rectangular boxes
/// ([`Order::without_boxes`]). Their `box_rows` is 1, so that a box is the same as a row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Order {
    box_rows: u8,
    box_columns: u8,
}

/// An invalid grid size.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OrderError {
    /// The box is too small or the grid too large.
    #[error(
        "invalid box shape {box_rows}×{box_columns}: both sides must be at least 2 and their product at most 64"
    )]
    OutOfRange {
        /// Rows of the box.
        box_rows: usize,
        /// Columns of the box.
        box_columns: usize,
    },
    /// The side of a grid without boxes is too small or too large.
    #[error("expected a side from 2 to 64, found {side}")]
    Side {
        /// The side.
        side: usize,
    },
    /// The text is not of the form `2x3`.
    #[error("invalid box shape {found:?}; expected ROWSxCOLUMNS, for example 2x3")]
    NotAShape {
        /// The text.
        found: String,
    },
}

impl Order {
    /// The largest side a grid can have.
    pub const MAX_SIDE: usize = 64;
    /// 4×4 with boxes of 2 × 2.
    pub const FOUR: Order = Order { box_rows: 2, box_columns: 2 };
    /// 9×9 with boxes of 3 × 3, the classic Sudoku.
    pub const NINE: Order = Order { box_rows: 3, box_columns: 3 };
    /// 16×16 with boxes of 4 × 4.
    pub const SIXTEEN: Order = Order { box_rows: 4, box_columns: 4 };

    /// The order with boxes of n × n cells and a grid of n² × n² cells.
    pub fn square(n: usize) -> Result<Order, OrderError> {
        Order::new(n, n)
    }

    /// The order with boxes of `box_rows` × `box_columns` cells.
    pub fn new(box_rows: usize, box_columns: usize) -> Result<Order, OrderError> {
        let side = box_rows.saturating_mul(box_columns);
        if box_rows < 2 || box_columns < 2 || side > Order::MAX_SIDE {
            return Err(OrderError::OutOfRange { box_rows, box_columns });
        }
        Ok(Order { box_rows: box_rows as u8, box_columns: box_columns as u8 })
    }

    /// The order of a grid without rectangular boxes, such as a jigsaw of 7×7 cells.
    pub fn without_boxes(side: usize) -> Result<Order, OrderError> {
        if !(2..=Order::MAX_SIDE).contains(&side) {
            return Err(OrderError::Side { side });
        }
        Ok(Order { box_rows: 1, box_columns: side as u8 })
    }

    /// Whether the grid has rectangular boxes.
    pub const fn has_boxes(self) -> bool {
        self.box_rows > 1
    }

    /// The default order for a side: the boxes closest to a square, wider than high (6 → 2 × 3, 12
    /// → 3 × 4). Returns `None` for primes and for sides below 4 or above 64.
    pub fn from_side(side: usize) -> Option<Order> {
        let box_rows = (2..=side.isqrt()).rev().find(|rows| side.is_multiple_of(*rows))?;
        Order::new(box_rows, side / box_rows).ok()
    }

    /// The default order of a grid with this number of cells.
    pub fn from_cell_count(cells: usize) -> Option<Order> {
        let side = cells.isqrt();
        if side * side == cells { Order::from_side(side) } else { None }
    }

    /// The number of rows in a box.
    pub const fn box_rows(self) -> usize {
        self.box_rows as usize
    }

    /// The number of columns in a box.
    pub const fn box_columns(self) -> usize {
        self.box_columns as usize
    }

    /// The number of cells in a row, which is also the number of digits.
    pub const fn side(self) -> usize {
        self.box_rows as usize * self.box_columns as usize
    }

    /// The number of cells in the grid.
    pub const fn cell_count(self) -> usize {
        self.side() * self.side()
    }

    /// All cells in reading order.
    pub fn cells(self) -> impl DoubleEndedIterator<Item = Cell> + ExactSizeIterator + Clone {
        (0..self.cell_count() as u16).map(Cell)
    }

    /// All digits in ascending order.
    pub fn digits(self) -> super::DigitSet {
        super::DigitSet::up_to(self.side())
    }

    /// The cell in this row and column, both counted from 0.
    ///
    /// # Panics
    /// If the row or the column is outside the grid.
    pub fn cell(self, row: usize, column: usize) -> Cell {
        assert!(
            row < self.side() && column < self.side(),
            "row {row}, column {column} is outside a {self} grid"
        );
        Cell((row * self.side() + column) as u16)
    }

    /// The row of a cell, counted from 0.
    pub const fn row_of(self, cell: Cell) -> usize {
        cell.index() / self.side()
    }

    /// The column of a cell, counted from 0.
    pub const fn column_of(self, cell: Cell) -> usize {
        cell.index() % self.side()
    }

    /// The box of a cell, counted from 0 in reading order.
    pub const fn box_of(self, cell: Cell) -> usize {
        let boxes_in_a_row = self.side() / self.box_columns();
        self.row_of(cell) / self.box_rows() * boxes_in_a_row
            + self.column_of(cell) / self.box_columns()
    }

    /// The row, the column and the box of a cell.
    pub fn houses_of(self, cell: Cell) -> [House; 3] {
        [
            House::Row(self.row_of(cell) as u8),
            House::Column(self.column_of(cell) as u8),
            House::Box(self.box_of(cell) as u8),
        ]
    }

    /// All rows, then all columns, then all boxes if the grid has them.
    pub fn houses(self) -> impl Iterator<Item = House> + Clone {
        let side = self.side() as u8;
        let boxes = if self.has_boxes() { side } else { 0 };
        (0..side)
            .map(House::Row)
            .chain((0..side).map(House::Column))
            .chain((0..boxes).map(House::Box))
    }

    /// The cells of a row, a column or a box in reading order.
    ///
    /// # Panics
    /// If the house is one that rules add; [`Grid::cells_in`](super::Grid::cells_in) knows them.
    pub fn cells_in(self, house: House) -> &'static [Cell] {
        let index = match house {
            House::Row(row) => row as usize,
            House::Column(column) => self.side() + column as usize,
            House::Box(number) => 2 * self.side() + number as usize,
            House::Region(_) | House::Extra(_) => panic!("{house} is defined by the rules"),
        };
        &self.tables().houses[index * self.side()..(index + 1) * self.side()]
    }

    /// The cells that share a house with this cell, except the cell itself, in reading order.
    pub fn peers_of(self, cell: Cell) -> &'static [Cell] {
        let tables = self.tables();
        let count = tables.peers.len() / self.cell_count();
        &tables.peers[cell.index() * count..(cell.index() + 1) * count]
    }

    /// Whether two different cells share a house.
    pub fn see_each_other(self, a: Cell, b: Cell) -> bool {
        a != b
            && (self.row_of(a) == self.row_of(b)
                || self.column_of(a) == self.column_of(b)
                || self.box_of(a) == self.box_of(b))
    }

    /// The name of a cell in players' notation: `r3c7`, counted from 1.
    pub fn name_of(self, cell: Cell) -> String {
        format!("r{}c{}", self.row_of(cell) + 1, self.column_of(cell) + 1)
    }

    fn tables(self) -> &'static Tables {
        const SLOTS: usize = 33;
        static BUILT: [OnceLock<Tables>; SLOTS * SLOTS] =
            [const { OnceLock::new() }; SLOTS * SLOTS];
        static WITHOUT_BOXES: [OnceLock<Tables>; Order::MAX_SIDE + 1] =
            [const { OnceLock::new() }; Order::MAX_SIDE + 1];
        let slot = if self.has_boxes() {
            &BUILT[self.box_rows() * SLOTS + self.box_columns()]
        } else {
            &WITHOUT_BOXES[self.side()]
        };
        slot.get_or_init(|| Tables::build(self))
    }
}

/// `9×9`, or `6×6 (boxes 2×3)` if the boxes are not square, or `7×7 (without boxes)`.
impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{0}×{0}", self.side())?;
        if !self.has_boxes() {
            f.write_str(" (without boxes)")?;
        } else if self.box_rows != self.box_columns {
            write!(f, " (boxes {}×{})", self.box_rows, self.box_columns)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Parses a box shape such as `2x3` or `3×3`.
impl FromStr for Order {
    type Err = OrderError;

    fn from_str(text: &str) -> Result<Order, OrderError> {
        let not_a_shape = || OrderError::NotAShape { found: text.to_string() };
        let (rows, columns) = text.split_once(['x', 'X', '×']).ok_or_else(not_a_shape)?;
        let number = |part: &str| part.trim().parse().map_err(|_| not_a_shape());
        Order::new(number(rows)?, number(columns)?)
    }
}

/// A cell of a grid, numbered in reading order from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u16);

impl Cell {
    /// The cell with this number in reading order, counted from 0.
    ///
    /// # Panics
    /// If the number is 4096 or more, because the largest grid has 4096 cells.
    pub const fn new(index: usize) -> Cell {
        assert!(index < Order::MAX_SIDE * Order::MAX_SIDE, "a cell index must be below 4096");
        Cell(index as u16)
    }

    /// The number of the cell in reading order, counted from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// A row, a column, a box, or a house that the rules of a puzzle add; its number counts from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum House {
    /// A row, from the top.
    Row(u8),
    /// A column, from the left.
    Column(u8),
    /// A box, in reading order.
    Box(u8),
    /// A region of a jigsaw, by its number in [`Rules::regions`](super::rules::Rules::regions).
    Region(u8),
    /// As many cells as there are digits, all different by a rule: a diagonal, an extra region. The
    /// number is the index in [`Rules::rules`](super::rules::Rules::rules).
    Extra(u16),
}

/// `row 3`, `column 1`, `box 9`: counted from 1.
impl fmt::Display for House {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            House::Row(number) => write!(f, "row {}", number + 1),
            House::Column(number) => write!(f, "column {}", number + 1),
            House::Box(number) => write!(f, "box {}", number + 1),
            House::Region(number) => write!(f, "region {}", number + 1),
            House::Extra(number) => write!(f, "extra house {}", number + 1),
        }
    }
}

struct Tables {
    /// Rows, columns, boxes, each with `side` cells.
    houses: Vec<Cell>,
    /// For each cell the same number of peers.
    peers: Vec<Cell>,
}

impl Tables {
    fn build(order: Order) -> Tables {
        let cells = || order.cells();
        let side = order.side();
        let mut houses = Vec::with_capacity(3 * order.cell_count());
        for row in 0..side {
            houses.extend(cells().filter(|&cell| order.row_of(cell) == row));
        }
        for column in 0..side {
            houses.extend(cells().filter(|&cell| order.column_of(cell) == column));
        }
        for number in 0..side {
            houses.extend(cells().filter(|&cell| order.box_of(cell) == number));
        }
        let peers = cells()
            .flat_map(|cell| cells().filter(move |&other| order.see_each_other(cell, other)))
            .collect();
        Tables { houses, peers }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_has_houses_and_peers() {
        for rows in 2..=8 {
            for columns in 2..=8 {
                let order = Order::new(rows, columns).unwrap();
                let side = rows * columns;
                assert_eq!(order.side(), side);
                for house in order.houses() {
                    assert_eq!(order.cells_in(house).len(), side, "{house} of {order}");
                }
                let peers = 2 * (side - 1) + (rows - 1) * (columns - 1);
                for cell in [Cell::new(0), Cell::new(order.cell_count() - 1)] {
                    assert_eq!(order.peers_of(cell).len(), peers, "{order}");
                }
                if side > 36 {
                    break; // Larger tables are built the same way and only make the test slow.
                }
            }
        }
    }

    #[test]
    fn grids_without_boxes_have_rows_and_columns_only() {
        for side in [2, 5, 7, 37, 64] {
            let order = Order::without_boxes(side).unwrap();
            assert_eq!((order.side(), order.has_boxes()), (side, false));
            assert_eq!(order.houses().count(), 2 * side);
            assert_eq!(order.cells_in(House::Column(1))[1], order.cell(1, 1));
            assert_eq!(order.peers_of(order.cell(1, 1)).len(), 2 * (side - 1));
        }
        assert_eq!(Order::without_boxes(7).unwrap().to_string(), "7×7 (without boxes)");
        assert_eq!(
            Order::without_boxes(65).unwrap_err().to_string(),
            "expected a side from 2 to 64, found 65"
        );
    }

    #[test]
    fn boxes_are_numbered_in_reading_order() {
        let six = Order::new(2, 3).unwrap();
        let names: Vec<String> =
            six.cells_in(House::Box(3)).iter().map(|&cell| six.name_of(cell)).collect();
        assert_eq!(names, ["r3c4", "r3c5", "r3c6", "r4c4", "r4c5", "r4c6"]);
    }

    #[test]
    fn side_has_default_boxes() {
        let shape =
            |side| Order::from_side(side).map(|order| (order.box_rows(), order.box_columns()));
        assert_eq!(shape(4), Some((2, 2)));
        assert_eq!(shape(6), Some((2, 3)));
        assert_eq!(shape(8), Some((2, 4)));
        assert_eq!(shape(10), Some((2, 5)));
        assert_eq!(shape(12), Some((3, 4)));
        assert_eq!(shape(36), Some((6, 6)));
        assert_eq!([shape(7), shape(2), shape(0), shape(66)], [None; 4]);
        assert_eq!(Order::from_cell_count(81), Some(Order::NINE));
        assert_eq!(Order::from_cell_count(80), None);
    }

    #[test]
    fn parses_box_shapes_and_reports_invalid_ones() {
        assert_eq!("2x3".parse(), Order::new(2, 3));
        assert_eq!(
            "1x9".parse::<Order>().unwrap_err().to_string(),
            "invalid box shape 1×9: both sides must be at least 2 and their product at most 64"
        );
        assert_eq!(
            "big".parse::<Order>().unwrap_err().to_string(),
            "invalid box shape \"big\"; expected ROWSxCOLUMNS, for example 2x3"
        );
    }
}
