//! Rules about single cells.
//!
//! | name | meaning | f-puzzles |
//! |---|---|---|
//! | given pencil marks | the only digits of a cell | `givenPencilMarks` in the cell |
//! | even cell, odd cell | the digit is even, odd | `even`, `odd` |
//! | maximum | greater than the neighbours that are not maximums | `maximum` |
//! | minimum | smaller than the neighbours that are not minimums | `minimum` |
//! | row indexer | in column c, the row of its column with the number of the cell's row | `rowindexer` |
//! | column indexer | in row r, the column of its row with the number of the cell's column | `columnindexer` |
//! | box indexer | the place in its box with the number of the cell's place | `boxindexer` |
//!
//! Parities and pencil marks become [`Rule::Candidates`], extremes [`Rule::Pairs`], and an indexer
//! one [`Rule::Index`] for each digit: the cell contains d exactly if the d-th cell of its line
//! contains the number of the cell's own place. That needs different digits in the line, so a box
//! indexer needs rectangular boxes.

use super::Indexer;
use crate::grid::rules::context::Context;
use crate::grid::rules::{ConstraintError, Relation, Rule};
use crate::grid::{Cell, Digit, DigitSet};

type Lowered = Result<Vec<Rule>, ConstraintError>;

pub(super) fn candidates(cell: Cell, digits: DigitSet, context: &Context) -> Lowered {
    context.inside(&[cell])?;
    context.digits_of_grid(digits)?;
    Ok(vec![Rule::Candidates { cell, digits }])
}

pub(super) fn parity(cell: Cell, remainder: u8, context: &Context) -> Lowered {
    let digits = context.order.digits().filter(|digit| digit.number() % 2 == remainder).collect();
    candidates(cell, digits, context)
}

pub(super) fn maximum(cell: Cell, context: &Context) -> Lowered {
    context.inside(&[cell])?;
    let others = context.neighbours_of(cell).filter(|other| !context.maximums.contains(other));
    Ok(context.pairs(others.map(|other| (other, cell)).collect(), Relation::Less))
}

pub(super) fn minimum(cell: Cell, context: &Context) -> Lowered {
    context.inside(&[cell])?;
    let others = context.neighbours_of(cell).filter(|other| !context.minimums.contains(other));
    Ok(context.pairs(others.map(|other| (cell, other)).collect(), Relation::Less))
}

impl Indexer {
    pub(super) fn name(self) -> &'static str {
        match self {
            Indexer::Row => "row indexer",
            Indexer::Column => "column indexer",
            Indexer::Box => "box indexer",
        }
    }

    pub(super) fn lower(self, cells: &[Cell], context: &Context) -> Lowered {
        context.inside(cells)?;
        let order = context.order;
        if self == Indexer::Box && !order.has_boxes() {
            return Err(ConstraintError::NoBoxes);
        }
        let mut rules = Vec::new();
        for &cell in cells {
            let (row, column) = (order.row_of(cell), order.column_of(cell));
            for index in 0..context.side() {
                let (other, number) = match self {
                    Indexer::Row => (order.cell(index, column), row),
                    Indexer::Column => (order.cell(row, index), column),
                    Indexer::Box => {
                        let (height, width) = (order.box_rows(), order.box_columns());
                        let (top, left) = (row / height * height, column / width * width);
                        let other = order.cell(top + index / width, left + index % width);
                        (other, (row - top) * width + column - left)
                    }
                };
                // Both sides of the statement are the same.
                if other == cell && index == number {
                    continue;
                }
                let (digit, value) = (Digit::from_index(index), Digit::from_index(number));
                rules.push(Rule::Index { cell, digit, other, value });
            }
        }
        Ok(rules)
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_grid::{cells, error, holds};
    use super::super::{Constraint, Indexer};
    use crate::grid::{Cell, Digit, DigitSet, Order};

    #[test]
    fn worked_examples() {
        let cell = |name: &str| cells(name)[0];
        let digits =
            |list: &[u8]| -> DigitSet { list.iter().filter_map(|&n| Digit::new(n)).collect() };
        let marks = |list| Constraint::Candidates { cell: cell("r1c1"), digits: digits(list) };
        let index = |kind, name| Constraint::Indexer { kind, cells: cells(name) };
        // r1c1 contains 5.
        assert!(holds(marks(&[5, 6])) && !holds(marks(&[6])));
        assert!(holds(Constraint::Odd(cell("r1c1"))) && !holds(Constraint::Even(cell("r1c1"))));
        // The 9 in r1c7 is above the 3, the 1 in r1c8 above the 4.
        assert!(holds(Constraint::Maximum(cell("r1c7"))));
        assert!(holds(Constraint::Minimum(cell("r1c8"))));
        assert!(!holds(Constraint::Minimum(cell("r1c7"))));
        // The 1 in r3c1 says that the 1 of row 3 is in column 1.
        assert!(holds(index(Indexer::Column, "r3c1")) && !holds(index(Indexer::Column, "r1c1")));
        // The 3 in r1c2 says that the 1 of column 2 would be in row 3, where a 9 is.
        assert!(!holds(index(Indexer::Row, "r1c2")));
        // The 6 in r2c1, the fourth place of box 1, says that the 4 is in its sixth place.
        assert!(!holds(index(Indexer::Box, "r2c1")));
    }

    #[test]
    fn rejects_cells_outside_and_missing_digits() {
        assert_eq!(
            error(Order::FOUR, Constraint::Even(Cell::new(16))),
            "even cell at r5c1: cell 16 is outside a grid of 16 cells"
        );
        let none = Constraint::Candidates { cell: Cell::new(0), digits: DigitSet::EMPTY };
        assert_eq!(
            error(Order::FOUR, none),
            "given pencil marks at r1c1: expected at least one digit"
        );
    }
}
