//! Rules as setters write them: cages, thermometers, arrows, dots, outside clues and more.
//!
//! A [`Constraint`] keeps what is drawn on the board, so that a puzzle can be written back, drawn
//! and named. For solving and checking it is lowered to the primitives of [`Rule`](super::Rule).
//! Each file in `constraint/` has one family: its names, how it is lowered, the key under which
//! f-puzzles stores it, and worked examples, which are its tests.

mod arrows;
mod cells;
mod dots;
mod groups;
mod lines;
mod outside;
#[cfg(test)]
mod test_grid;
mod whole_grid;

use super::context::Context;
use super::{ConstraintError, Rule};
use crate::grid::{Cell, Digit, DigitSet, Order};
use std::fmt;

/// One rule of a puzzle as its setter wrote it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    Rule(Rule),
}

/// A main diagonal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Diagonal {
    /// From the bottom left to the top right.
    Rising,
    /// From the top left to the bottom right.
    Falling,
}

/// Which dots are all given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The row.
    pub row: u8,
    /// The column.
    pub column: u8,
}

/// A diagonal direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

impl Constraint {
    /// What players call the rule: "killer cage", "thermometer".
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Constraint::Diagonal(_) => "diagonal",
            Constraint::Windoku => "windoku",
            Constraint::DisjointGroups => "disjoint groups",
            Constraint::AntiKnight => "anti-knight",
            Constraint::AntiKing => "anti-king",
            Constraint::Nonconsecutive => "nonconsecutive",
            Constraint::UsualBoxes => "usual boxes",
            Constraint::Negative(kind) => kind.name(),
            Constraint::Candidates { .. } => "given pencil marks",
            Constraint::Even(_) => "even cell",
            Constraint::Odd(_) => "odd cell",
            Constraint::Maximum(_) => "maximum",
            Constraint::Minimum(_) => "minimum",
            Constraint::Indexer { kind, .. } => kind.name(),
            Constraint::ExtraRegion(_) => "extra region",
            Constraint::Cage { .. } => "killer cage",
            Constraint::Clone { .. } => "clone",
            Constraint::Quadruple { .. } => "quadruple",
            Constraint::CountingCircles(_) => "counting circles",
            Constraint::Dot { kind, .. } => kind.name(),
            Constraint::GreaterThan(_) => "greater-than sign",
            Constraint::Line { kind, .. } => kind.name(),
            Constraint::Arrow { .. } => "arrow",
            Constraint::Outside { kind, .. } => kind.name(),
            Constraint::LittleKiller { .. } => "little killer clue",
            Constraint::Sum { .. } => "sum",
            Constraint::Rule(_) => "rule",
        }
    }

    /// The constraint in words: "killer cage of 17 at r1c1, r1c2". Long lists are shortened.
    #[must_use]
    pub fn describe(&self, order: Order) -> String {
        let name = self.name();
        let of = |number: &dyn fmt::Display| format!("{name} of {number}");
        let what = match self {
            Constraint::Diagonal(kind) => return format!("{} {name}", kind.direction()),
            Constraint::Cage { sum: Some(sum), .. } => of(sum),
            Constraint::Dot { kind, .. } => kind.number().map_or(name.to_string(), |n| of(&n)),
            Constraint::Line { kind, .. } => kind.number().map_or(name.to_string(), |n| of(&n)),
            Constraint::Sum { total, .. } => of(total),
            Constraint::Quadruple { digits, .. } => of(&list(digits)),
            Constraint::Candidates { digits, .. } if !digits.is_empty() => {
                of(&list(&digits.collect::<Vec<_>>()))
            }
            Constraint::Outside { place, value, .. } => return format!("{} at {place}", of(value)),
            Constraint::LittleKiller { place, sum, .. } => {
                return format!("{} at {place}", of(sum));
            }
            _ => name.to_string(),
        };
        let cells = self.cells();
        if cells.is_empty() {
            return what;
        }
        let names: Vec<String> = cells.iter().map(|&cell| order.name_of(cell)).collect();
        format!("{what} at {}", list(&names))
    }

    /// The cells that the constraint names, in the order in which they are written. Constraints
    /// about the complete grid and clues beside it name none.
    #[must_use]
    pub fn cells(&self) -> Vec<Cell> {
        match self {
            Constraint::Candidates { cell, .. }
            | Constraint::Even(cell)
            | Constraint::Odd(cell)
            | Constraint::Maximum(cell)
            | Constraint::Minimum(cell) => vec![*cell],
            Constraint::ExtraRegion(cells)
            | Constraint::CountingCircles(cells)
            | Constraint::GreaterThan(cells)
            | Constraint::Indexer { cells, .. }
            | Constraint::Cage { cells, .. }
            | Constraint::Quadruple { cells, .. }
            | Constraint::Line { cells, .. } => cells.clone(),
            Constraint::Clone { cells, clones } => [&cells[..], clones].concat(),
            Constraint::Dot { cells, .. } => cells.to_vec(),
            Constraint::Arrow { circle, lines } => {
                let shafts = lines.iter().flatten().filter(|cell| !circle.contains(cell));
                circle.iter().chain(shafts).copied().collect()
            }
            Constraint::Sum { terms, .. } => terms.iter().map(|term| term.1).collect(),
            Constraint::Rule(rule) => rule.cells(),
            Constraint::Diagonal(_)
            | Constraint::Windoku
            | Constraint::DisjointGroups
            | Constraint::AntiKnight
            | Constraint::AntiKing
            | Constraint::Nonconsecutive
            | Constraint::UsualBoxes
            | Constraint::Negative(_)
            | Constraint::Outside { .. }
            | Constraint::LittleKiller { .. } => Vec::new(),
        }
    }

    /// The primitives of the constraint, or why it cannot be used.
    pub(super) fn lower(&self, context: &Context) -> Result<Vec<Rule>, ConstraintError> {
        match self {
            Constraint::Diagonal(kind) => Ok(kind.lower(context)),
            Constraint::Windoku => whole_grid::windoku(context),
            Constraint::DisjointGroups => whole_grid::disjoint_groups(context),
            Constraint::AntiKnight => Ok(whole_grid::anti_knight(context)),
            Constraint::AntiKing => Ok(whole_grid::anti_king(context)),
            Constraint::Nonconsecutive => Ok(whole_grid::nonconsecutive(context)),
            Constraint::UsualBoxes => whole_grid::usual_boxes(context),
            Constraint::Negative(kind) => Ok(kind.lower(context)),
            Constraint::Candidates { cell, digits } => cells::candidates(*cell, *digits, context),
            Constraint::Even(cell) => cells::parity(*cell, 0, context),
            Constraint::Odd(cell) => cells::parity(*cell, 1, context),
            Constraint::Maximum(cell) => cells::maximum(*cell, context),
            Constraint::Minimum(cell) => cells::minimum(*cell, context),
            Constraint::Indexer { kind, cells } => kind.lower(cells, context),
            Constraint::ExtraRegion(cells) => groups::extra_region(cells, context),
            Constraint::Cage { cells, sum } => groups::cage(cells, *sum, context),
            Constraint::Clone { cells, clones } => groups::clone(cells, clones, context),
            Constraint::Quadruple { cells, digits } => groups::quadruple(cells, digits, context),
            Constraint::CountingCircles(cells) => groups::counting_circles(cells, context),
            Constraint::Dot { kind, cells } => kind.lower(*cells, context),
            Constraint::GreaterThan(cells) => dots::greater_than(cells, context),
            Constraint::Line { kind, cells } => kind.lower(cells, context),
            Constraint::Arrow { circle, lines } => arrows::arrow(circle, lines, context),
            Constraint::Outside { kind, place, value } => kind.lower(*place, *value, context),
            Constraint::LittleKiller { place, direction, sum } => {
                outside::little_killer(*place, *direction, *sum, context)
            }
            Constraint::Sum { terms, total } => arrows::sum(terms, *total, context),
            Constraint::Rule(rule) => rule.check(context).map(|()| vec![rule.clone()]),
        }
    }

    /// Whether the primitives of this constraint change when the other one is added.
    pub(super) fn depends_on(&self, other: &Constraint) -> bool {
        matches!(
            (self, other),
            (Constraint::Negative(_), Constraint::Dot { .. })
                | (Constraint::Maximum(_), Constraint::Maximum(_))
                | (Constraint::Minimum(_), Constraint::Minimum(_))
        )
    }
}

impl From<Rule> for Constraint {
    fn from(rule: Rule) -> Constraint {
        Constraint::Rule(rule)
    }
}

/// `r0c4`: above the fourth column.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}c{}", self.row, self.column)
    }
}

/// The items separated by commas; after eight the number of items.
fn list(items: &[impl fmt::Display]) -> String {
    let shown: Vec<String> = items.iter().take(8).map(|item| item.to_string()).collect();
    let rest = if items.len() > 8 { format!(", … ({})", items.len()) } else { String::new() };
    shown.join(", ") + &rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn describes_constraints_in_words() {
        let order = Order::NINE;
        let cells: Vec<Cell> = (0..12).map(Cell::new).collect();
        let dot = |kind| Constraint::Dot { kind, cells: [cells[0], cells[1]] };
        let place = Place { row: 0, column: 4 };
        let cases = [
            (Constraint::AntiKnight, "anti-knight"),
            (Constraint::Diagonal(Diagonal::Rising), "rising diagonal"),
            (dot(Dot::Difference(1)), "white dot at r1c1, r1c2"),
            (dot(Dot::Ratio(3)), "black dot of 3 at r1c1, r1c2"),
            (dot(Dot::Total(5)), "V at r1c1, r1c2"),
            (
                Constraint::Outside { kind: Outside::XSum, place, value: 13 },
                "X-sum clue of 13 at r0c4",
            ),
            (
                Constraint::Line { kind: LineRule::Whispers(5), cells: cells[..2].to_vec() },
                "whispers line of 5 at r1c1, r1c2",
            ),
            (
                Constraint::CountingCircles(cells.clone()),
                "counting circles at r1c1, r1c2, r1c3, r1c4, r1c5, r1c6, r1c7, r1c8, … (12)",
            ),
        ];
        for (constraint, words) in cases {
            assert_eq!(constraint.describe(order), words);
        }
    }
}
