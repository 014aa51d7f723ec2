//! Sizes and types of the techniques in a family.
//!
//! Each family has an enum, so that invalid combinations, such as a unique rectangle of type 0,
//! cannot be constructed.

/// The number of cells of a naked or hidden subset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SubsetSize {
    /// Two cells.
    Pair,
    /// Three cells.
    Triple,
    /// Four cells.
    Quadruple,
}

impl SubsetSize {
    /// The number of cells: 2, 3 or 4.
    pub const fn cells(self) -> usize {
        self as usize + 2
    }
}

/// The number of cells of a wing larger than an XYZ-Wing, one for each letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WingSize {
    /// Four cells.
    Wxyz,
    /// Five cells.
    Vwxyz,
    /// Six cells.
    Uvwxyz,
    /// Seven cells.
    Tuvwxyz,
}

impl WingSize {
    /// The number of cells, from 4 to 7.
    pub const fn cells(self) -> usize {
        self as usize + 4
    }
}

/// The types of unique rectangles, numbered as in HoDoKu. Guardians are the candidates that prevent
/// the rectangle from having only two digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RectangleType {
    /// All guardians in one cell.
    One,
    /// All guardians are the same digit, in two adjacent cells.
    Two,
    /// The guardians act as one cell of a naked subset.
    Three,
    /// A digit of the pattern must be in one of the two guarded cells.
    Four,
    /// All guardians are the same digit, across the diagonal or in three cells.
    Five,
    /// In two parallel lines, a digit has places only in the rectangle.
    Six,
}

/// The types of unique loops and bivalue universal graves: the first four types of unique
/// rectangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DeadlyType {
    /// All guardians in one cell; for bivalue universal graves this is BUG+1.
    One,
    /// All guardians are the same digit.
    Two,
    /// The guardians act as one cell of a naked subset.
    Three,
    /// A digit of the pattern must be in one of the two guarded cells.
    Four,
}

/// The types of families with two types: avoidable rectangles, multi-colours, kraken fish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OneOrTwo {
    /// Type 1.
    One,
    /// Type 2.
    Two,
}
