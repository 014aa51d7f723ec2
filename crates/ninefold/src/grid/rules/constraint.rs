//! Rules as setters write them: cages, thermometers, arrows, dots, outside clues and more.
//!
//! A [`Constraint`] keeps what is drawn on the board, so that a puzzle can be written back, drawn
//! and named. For solving and checking it is lowered to the primitives of [`Rule`](super::Rule).

use crate::grid::{Cell, Digit, DigitSet};

/// One rule of a puzzle as its setter wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Constraint {
    /// The digits on a main diagonal differ.
    Diagonal(Diagonal),
    /// Four extra regions of a 9×9 grid, one cell away from the border and from each other.
    Windoku,
    /// Cells at the same place in their boxes contain different digits.
    DisjointGroups,
    /// Cells a knight's move apart contain different digits.
    AntiKnight,
    /// Cells that touch diagonally contain different digits.
    AntiKing,
    /// Orthogonal neighbours are not consecutive.
    Nonconsecutive,
    /// The usual boxes count in addition to irregular regions.
    UsualBoxes,
    /// Orthogonal neighbours without such a dot do not have its relation.
    Negative(Negative),
    /// The only digits that a cell can take: given pencil marks.
    Candidates {
        /// The cell.
        cell: Cell,
        /// Its possible digits.
        digits: DigitSet,
    },
    /// The digit is even.
    Even(Cell),
    /// The digit is odd.
    Odd(Cell),
    /// The digit is greater than its orthogonal neighbours that are not maximums.
    Maximum(Cell),
    /// The digit is smaller than its orthogonal neighbours that are not minimums.
    Minimum(Cell),
    /// The digit d in each cell tells where in its line a certain digit is.
    Indexer {
        /// The line that each cell describes.
        kind: Indexer,
        /// The cells.
        cells: Vec<Cell>,
    },
    /// The digits in these cells differ.
    ExtraRegion(Vec<Cell>),
    /// A killer cage: the digits differ and, if it has a sum, add up to it.
    Cage {
        /// The cells.
        cells: Vec<Cell>,
        /// The sum of their digits.
        sum: Option<u32>,
    },
    /// Two groups of cells that contain the same digits, cell by cell.
    Clone {
        /// The first group.
        cells: Vec<Cell>,
        /// The cells that correspond to those of the first group, in the same order.
        clones: Vec<Cell>,
    },
    /// Each of the digits appears in the cells, at least as often as it is listed.
    Quadruple {
        /// The cells, usually four that touch in a corner.
        cells: Vec<Cell>,
        /// The digits in the circle.
        digits: Vec<Digit>,
    },
    /// A digit d in one of these circles appears in exactly d of them.
    CountingCircles(Vec<Cell>),
    /// A dot or sign between two cells.
    Dot {
        /// What it means.
        kind: Dot,
        /// The two cells.
        cells: [Cell; 2],
    },
    /// Each cell contains a greater digit than the next one.
    GreaterThan(Vec<Cell>),
    /// A line through cells.
    Line {
        /// What the line means.
        kind: LineRule,
        /// The cells in the order in which the line was drawn.
        cells: Vec<Cell>,
    },
    /// The digits along each line have the sum in the circle. A circle of several cells is read as
    /// a number from left to right or from top to bottom.
    Arrow {
        /// The cells of the circle.
        circle: Vec<Cell>,
        /// The lines; each begins in the circle.
        lines: Vec<Vec<Cell>>,
    },
    /// A clue beside the grid about a row or column.
    Outside {
        /// What the clue means.
        kind: Outside,
        /// The place of the clue.
        place: Place,
        /// The number.
        value: u32,
    },
    /// A clue outside the grid: the sum along a diagonal, in which digits may repeat.
    LittleKiller {
        /// The place of the clue, one step before the first cell.
        place: Place,
        /// The direction in which the clue looks.
        direction: Direction,
        /// The sum.
        sum: u32,
    },
    /// The sum of `coefficient · digit` over the terms; digits may repeat.
    Sum {
        /// Coefficients and cells.
        terms: Vec<(i32, Cell)>,
        /// The required total.
        total: i32,
    },
    /// A rule without a name of its own.
    Rule(super::Rule),
}

/// A main diagonal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Diagonal {
    /// From the bottom left to the top right.
    Rising,
    /// From the top left to the bottom right.
    Falling,
}

/// Which dots are all given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Negative {
    /// All white dots of difference 1.
    Difference,
    /// All black dots of ratio 2.
    Ratio,
    /// All white and all black dots.
    Kropki,
    /// All X (sum 10) and all V (sum 5).
    Xv,
}

/// The line that an indexer describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Indexer {
    /// In column c, the digit of a cell is the row in which its column contains the number of the
    /// cell's row.
    Row,
    /// In row r, the digit of a cell is the column in which its row contains the number of the
    /// cell's column.
    Column,
    /// The digit of a cell is the place in its box that contains the number of the cell's place.
    Box,
}

/// The meaning of a dot between two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dot {
    /// A white dot: the digits differ by this much.
    Difference(u8),
    /// A black dot: one digit is this many times the other.
    Ratio(u8),
    /// The digits have this sum: 10 is written X, 5 is written V.
    Total(u8),
}

/// The meaning of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LineRule {
    /// Digits increase from the bulb.
    Thermometer,
    /// Digits increase or stay equal from the bulb.
    SlowThermometer,
    /// Neighbours differ by at least this much.
    Whispers(u8),
    /// The line reads the same from both ends.
    Palindrome,
    /// Consecutive digits in any order.
    Renban,
    /// No two digits of the line are equal or consecutive.
    Nabner,
    /// Three cells in a row contain a low, a middle and a high digit.
    Entropic,
    /// As many cells in a row as this number have different remainders by it.
    Modular(u8),
    /// Digits between the ends of the line are strictly between the digits at the ends.
    Between,
    /// The ends differ by at least this much, and no digit of the line is in their range.
    Lockout(u8),
    /// The digits have the same sum in every region that the line crosses.
    RegionSum,
    /// Cells at the same distance from the middle have the same sum.
    Zipper,
    /// The digits between the ends have the sum of the two ends.
    DoubleArrow,
}

/// The meaning of a number beside the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outside {
    /// The sum of the digits between the smallest and the largest digit.
    Sandwich,
    /// The sum of the first X digits, where X is the first digit.
    XSum,
    /// The number of digits that are larger than all digits before them.
    Skyscraper,
    /// The X-th digit, where X is the first digit.
    NumberedRoom,
}

/// A place in or around a grid: row and column counted from 1, 0 and side + 1 are outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The row.
    pub row: u8,
    /// The column.
    pub column: u8,
}

/// A diagonal direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Down and right.
    DownRight,
    /// Down and left.
    DownLeft,
    /// Up and right.
    UpRight,
    /// Up and left.
    UpLeft,
}
