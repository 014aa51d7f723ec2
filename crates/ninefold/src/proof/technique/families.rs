//! Sizes and types: what tells the members of a family of techniques apart.
//!
//! Each is an enum of its own, so that a unique rectangle of type 0 or a fish of one line cannot be written down.

/// How many cells and digits a naked or hidden subset has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SubsetSize {
    /// Two.
    Pair,
    /// Three.
    Triple,
    /// Four.
    Quadruple,
}

impl SubsetSize {
    /// The number of cells: 2, 3 or 4.
    pub const fn cells(self) -> usize {
        self as usize + 2
    }
}

/// How many cells a wing larger than an XYZ-Wing has: one for each letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WingSize {
    /// Four.
    Wxyz,
    /// Five.
    Vwxyz,
    /// Six.
    Uvwxyz,
    /// Seven.
    Tuvwxyz,
}

impl WingSize {
    /// The number of cells, from 4 to 7.
    pub const fn cells(self) -> usize {
        self as usize + 4
    }
}

/// The types of unique rectangles, as HoDoKu numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RectangleType {
    /// All guardians in one cell.
    One,
    /// All guardians are the same digit, in two cells side by side.
    Two,
    /// The guardians act as one cell of a naked subset.
    Three,
    /// A digit of the pattern must be in one of the two guarded cells.
    Four,
    /// All guardians are the same digit, across the diagonal or in three cells.
    Five,
    /// Two parallel lines leave a digit only to the rectangle.
    Six,
}

/// The types of unique loops and of bivalue universal graves: the first four of unique rectangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DeadlyType {
    /// All guardians in one cell; of graves, this is the well-known BUG+1.
    One,
    /// All guardians are the same digit.
    Two,
    /// The guardians act as one cell of a naked subset.
    Three,
    /// A digit of the pattern must be in one of the two guarded cells.
    Four,
}

/// Type 1 or type 2, where players tell only two apart: avoidable rectangles, multi-colours, kraken fish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OneOrTwo {
    /// Type 1.
    One,
    /// Type 2.
    Two,
}
