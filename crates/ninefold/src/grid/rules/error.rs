//! Errors in rules: each names the constraint, what was expected and what was found.

/// Rules or a size that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// The side is not supported.
    #[error("expected a side from 2 to 64, found {found}")]
    Side {
        /// The side.
        found: usize,
    },
    /// The list of regions has the wrong length.
    #[error("expected a region for each of {expected} cells, found {found}")]
    RegionCount {
        /// The number of cells.
        expected: usize,
        /// The length of the list.
        found: usize,
    },
    /// A region has more cells than there are digits.
    #[error("a region of {cells} cells cannot have {digits} different digits")]
    LargeRegion {
        /// The cells of the region.
        cells: usize,
        /// The number of digits.
        digits: usize,
    },
    /// A constraint cannot be used.
    #[error("{constraint}: {error}")]
    Constraint {
        /// The constraint in words.
        constraint: String,
        /// Why it cannot be used.
        error: ConstraintError,
    },
    /// All constraints together are too large.
    #[error("the rules name more than {most} cells, counted with repetition")]
    TooLarge {
        /// The largest number that is supported.
        most: usize,
    },
}

/// Why a constraint cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConstraintError {
    /// A cell is outside the grid.
    #[error("cell {index} is outside a grid of {cells} cells")]
    OutsideGrid {
        /// The index of the cell, counted from 0.
        index: usize,
        /// The number of cells.
        cells: usize,
    },
    /// The same cell appears twice where each cell may appear once.
    #[error("r{row}c{column} appears twice in one rule")]
    RepeatedCell {
        /// The row, counted from 1.
        row: usize,
        /// The column, counted from 1.
        column: usize,
    },
    /// More different digits are required than there are.
    #[error("{cells} cells cannot have different digits from 1 to {digits}")]
    TooManyCells {
        /// The cells of the rule.
        cells: usize,
        /// The number of digits.
        digits: usize,
    },
    /// The constraint has no cells.
    #[error("a rule has no cells")]
    NoCells,
    /// No different digits have the required sum.
    #[error("{cells} different digits from 1 to {digits} cannot have the sum {sum}")]
    ImpossibleSum {
        /// The cells of the cage.
        cells: usize,
        /// The number of digits.
        digits: usize,
        /// The required sum.
        sum: u32,
    },
    /// No digits have the required total.
    #[error("expected a sum from {least} to {most}, found {found}")]
    ImpossibleTotal {
        /// The smallest possible sum.
        least: i64,
        /// The largest possible sum.
        most: i64,
        /// The required sum.
        found: i64,
    },
    /// The coefficients of a sum are too large.
    #[error("expected coefficients up to {most}, found {found}")]
    LargeCoefficient {
        /// The largest coefficient that is supported.
        most: i32,
        /// The coefficient.
        found: i32,
    },
    /// The number of the rule is out of range.
    #[error("expected a number from {least} to {most}, found {found}")]
    OutOfRange {
        /// The smallest possible number.
        least: u32,
        /// The largest possible number.
        most: u32,
        /// The number.
        found: u32,
    },
    /// A digit is too large for the grid.
    #[error("expected digits from 1 to {digits}, found {found}")]
    NotADigit {
        /// The number of digits.
        digits: usize,
        /// The digit.
        found: u8,
    },
    /// No digit is allowed.
    #[error("expected at least one digit")]
    NoDigits,
    /// More digits are required than there are cells.
    #[error("{cells} cells cannot contain {digits} digits")]
    TooManyDigits {
        /// The cells of the rule.
        cells: usize,
        /// The number of required digits.
        digits: usize,
    },
    /// The two groups of a clone have different sizes.
    #[error("expected two groups of the same size, found {first} and {second} cells")]
    DifferentSizes {
        /// The cells of the first group.
        first: usize,
        /// The cells of the second group.
        second: usize,
    },
    /// The circle of an arrow has no cell or too many.
    #[error("expected a circle of one to {most} cells, found {found}")]
    CircleSize {
        /// The largest circle that is supported.
        most: usize,
        /// The cells of the circle.
        found: usize,
    },
    /// A line of an arrow does not begin in its circle.
    #[error("a line begins at r{row}c{column}, outside the circle")]
    LineOutsideCircle {
        /// The row, counted from 1.
        row: usize,
        /// The column, counted from 1.
        column: usize,
    },
    /// A line of an arrow has no cell outside the circle.
    #[error("a line has no cell outside the circle")]
    ShortLine,
    /// A dot is between a cell and itself.
    #[error("expected two different cells")]
    SameCell,
    /// The segments of a line do not add up to its length.
    #[error("expected segments of together {cells} cells")]
    WrongSegments {
        /// The cells of the line.
        cells: usize,
    },
    /// A clue is not beside a row or column.
    #[error("expected a place beside a row or column of a grid of {side} rows")]
    NotBesideGrid {
        /// The side of the grid.
        side: usize,
    },
    /// A clue looks away from the grid.
    #[error("the diagonal does not lead into the grid")]
    NoDiagonal,
    /// The rule needs rectangular boxes.
    #[error("the grid has no rectangular boxes")]
    NoBoxes,
    /// The rule is defined for 9×9 only.
    #[error("expected a 9×9 grid, found {side}×{side}")]
    NotNine {
        /// The side of the grid.
        side: usize,
    },
}
