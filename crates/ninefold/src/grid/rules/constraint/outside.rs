//! Clues beside the grid.
//!
//! | name | meaning | f-puzzles |
//! |---|---|---|
//! | sandwich clue | the sum of the digits between 1 and the largest digit | `sandwichsum` |
//! | X-sum clue | the sum of the first X digits, where X is the first | `xsum` |
//! | skyscraper clue | how many digits are larger than all before them | `skyscraper` |
//! | numbered room clue | the X-th digit, where X is the first | `numberedroom` |
//! | little killer clue | the sum along a diagonal; digits may repeat | `littlekillersum` |
//!
//! A clue is at a [`Place`] around the grid, whose rows and columns are 0 and side + 1. Clues about
//! a row or column become [`Rule::Line`] with the cells in the order of view, a little killer clue
//! becomes [`Rule::Sum`].

use super::{Direction, Outside, Place};
use crate::grid::Cell;
use crate::grid::Order;
use crate::grid::rules::context::{Context, in_range};
use crate::grid::rules::{ConstraintError, LineKind, Rule};

impl Outside {
    pub(super) fn name(self) -> &'static str {
        match self {
            Outside::Sandwich => "sandwich clue",
            Outside::XSum => "X-sum clue",
            Outside::Skyscraper => "skyscraper clue",
            Outside::NumberedRoom => "numbered room clue",
        }
    }

    pub(super) fn lower(
        self,
        place: Place,
        value: u32,
        context: &Context,
    ) -> Result<Vec<Rule>, ConstraintError> {
        let side = context.side() as u32;
        let not_beside = ConstraintError::NotBesideGrid { side: context.side() };
        let cells = place.line(context.order).ok_or(not_beside)?;
        let total = side * (side + 1) / 2;
        let (least, most) = match self {
            Outside::Sandwich => (0, total - 1 - side),
            Outside::XSum => (1, total),
            Outside::Skyscraper | Outside::NumberedRoom => (1, side),
        };
        in_range(value, least, most)?;
        let kind = match self {
            Outside::Sandwich => LineKind::Sandwich(value),
            Outside::XSum => LineKind::XSum(value),
            Outside::Skyscraper => LineKind::Skyscraper(value),
            Outside::NumberedRoom => LineKind::NumberedRoom(value as u8),
        };
        Ok(vec![Rule::Line { cells, kind }])
    }
}

pub(super) fn little_killer(
    place: Place,
    direction: Direction,
    sum: u32,
    context: &Context,
) -> Result<Vec<Rule>, ConstraintError> {
    let cells = place.diagonal(direction, context.order);
    if cells.is_empty() {
        return Err(ConstraintError::NoDiagonal);
    }
    let terms: Vec<(i32, Cell)> = cells.into_iter().map(|cell| (1, cell)).collect();
    let total = i32::try_from(sum).unwrap_or(i32::MAX);
    context.possible_sum(&terms, total)?;
    Ok(vec![Rule::Sum { terms, total }])
}

impl Place {
    /// The row or column beside this place in the order of view; `None` for corners and places that
    /// are not around the grid.
    #[must_use]
    pub fn line(self, order: Order) -> Option<Vec<Cell>> {
        let side = order.side();
        let (row, column) = (usize::from(self.row), usize::from(self.column));
        let inside = 1..=side;
        let in_row = |at: usize| order.cell(row - 1, at);
        let in_column = |at: usize| order.cell(at, column - 1);
        if inside.contains(&column) && row == 0 {
            Some((0..side).map(in_column).collect())
        } else if inside.contains(&column) && row == side + 1 {
            Some((0..side).rev().map(in_column).collect())
        } else if inside.contains(&row) && column == 0 {
            Some((0..side).map(in_row).collect())
        } else if inside.contains(&row) && column == side + 1 {
            Some((0..side).rev().map(in_row).collect())
        } else {
            None
        }
    }

    /// The cells that are seen from this place in a direction. The place is outside the grid.
    #[must_use]
    pub fn diagonal(self, direction: Direction, order: Order) -> Vec<Cell> {
        let side = order.side() as i64;
        let (mut row, mut column) = (i64::from(self.row), i64::from(self.column));
        let (down, right) = match direction {
            Direction::DownRight => (1, 1),
            Direction::DownLeft => (1, -1),
            Direction::UpRight => (-1, 1),
            Direction::UpLeft => (-1, -1),
        };
        let is_inside = |row, column| (1..=side).contains(&row) && (1..=side).contains(&column);
        let mut cells = Vec::new();
        if is_inside(row, column) {
            return cells;
        }
        loop {
            (row, column) = (row + down, column + right);
            if !is_inside(row, column) {
                return cells;
            }
            cells.push(order.cell(row as usize - 1, column as usize - 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_grid::{cells, error, holds};
    use super::super::{Constraint, Direction, Outside, Place};
    use crate::grid::Order;

    fn clue(kind: Outside, (row, column): (u8, u8), value: u32) -> Constraint {
        Constraint::Outside { kind, place: Place { row, column }, value }
    }

    fn little_killer((row, column): (u8, u8), direction: Direction, sum: u32) -> Constraint {
        Constraint::LittleKiller { place: Place { row, column }, direction, sum }
    }

    /// Row 1 is 5 3 4 6 7 8 9 1 2, column 1 is 5 6 1 8 4 7 9 2 3.
    #[test]
    fn worked_examples() {
        use Outside::*;
        let left = (1, 0);
        assert!(holds(clue(Sandwich, left, 0)) && !holds(clue(Sandwich, left, 5)));
        assert!(holds(clue(Sandwich, (0, 1), 19)) && holds(clue(Sandwich, (10, 1), 19)));
        assert!(holds(clue(Skyscraper, left, 5)) && holds(clue(Skyscraper, (1, 10), 2)));
        assert!(!holds(clue(Skyscraper, (1, 10), 5)));
        assert!(holds(clue(XSum, left, 25)) && !holds(clue(XSum, left, 24)));
        assert!(holds(clue(NumberedRoom, left, 7)) && !holds(clue(NumberedRoom, left, 6)));
        // The diagonal from r1c2: 3, 2, 3, 6, 3, 8, 8, 5.
        let diagonal = Place { row: 0, column: 1 }.diagonal(Direction::DownRight, Order::NINE);
        assert_eq!(diagonal, cells("r1c2 r2c3 r3c4 r4c5 r5c6 r6c7 r7c8 r8c9"));
        assert!(holds(little_killer((0, 1), Direction::DownRight, 38)));
        assert!(!holds(little_killer((0, 1), Direction::DownRight, 37)));
    }

    #[test]
    fn names_clues_that_cannot_be_used() {
        let nine = |constraint| error(Order::NINE, constraint);
        assert_eq!(
            nine(clue(Outside::Sandwich, (1, 0), 36)),
            "sandwich clue of 36 at r1c0: expected a number from 0 to 35, found 36"
        );
        assert_eq!(
            nine(clue(Outside::Skyscraper, (0, 0), 3)),
            "skyscraper clue of 3 at r0c0: expected a place beside a row or column of a grid of 9 rows"
        );
        assert_eq!(
            nine(little_killer((0, 1), Direction::UpRight, 9)),
            "little killer clue of 9 at r0c1: the diagonal does not lead into the grid"
        );
        assert_eq!(
            nine(little_killer((0, 8), Direction::DownRight, 10)),
            "little killer clue of 10 at r0c8: expected a sum from 1 to 9, found 10"
        );
    }
}
