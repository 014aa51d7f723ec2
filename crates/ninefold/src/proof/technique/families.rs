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

/// The kinds of rules whose consequences have a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RuleKind {
    /// Killer cages.
    Cage,
    /// Thermometers.
    Thermometer,
    /// Arrows and double arrows.
    Arrow,
    /// Kropki dots, X and V, greater-than signs, maximums and minimums, consecutive digits.
    Dots,
    /// Whispers lines.
    Whispers,
    /// Renban and nabner lines.
    Renban,
    /// Palindromes and clones.
    Palindrome,
    /// Between and lockout lines.
    Between,
    /// Entropic, modular and parity lines, even and odd cells.
    Modular,
    /// Region sum and zipper lines.
    EqualSums,
    /// Sandwich clues.
    Sandwich,
    /// X-sum clues.
    XSum,
    /// Skyscraper clues.
    Skyscraper,
    /// Numbered room clues.
    NumberedRoom,
    /// Little killer clues and other sums.
    LittleKiller,
    /// Quadruples.
    Quadruple,
    /// Counting circles.
    Circles,
    /// Indexers.
    Indexer,
    /// Extra regions, diagonals and rules without a name of their own.
    Other,
}

impl RuleKind {
    /// All values.
    pub const ALL: [RuleKind; 19] = [
        RuleKind::Cage,
        RuleKind::Dots,
        RuleKind::Palindrome,
        RuleKind::Thermometer,
        RuleKind::Whispers,
        RuleKind::Modular,
        RuleKind::Renban,
        RuleKind::Quadruple,
        RuleKind::Arrow,
        RuleKind::Between,
        RuleKind::LittleKiller,
        RuleKind::Sandwich,
        RuleKind::XSum,
        RuleKind::Skyscraper,
        RuleKind::NumberedRoom,
        RuleKind::EqualSums,
        RuleKind::Circles,
        RuleKind::Indexer,
        RuleKind::Other,
    ];
}
