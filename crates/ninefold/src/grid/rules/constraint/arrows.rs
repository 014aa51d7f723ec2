//! Arrows, and sums with coefficients.
//!
//! | name | meaning | f-puzzles |
//! |---|---|---|
//! | arrow | the digits along each line have the sum in the circle | `arrow` |
//! | sum | a weighted sum of digits, which may repeat | – (`sum`) |
//!
//! Each line of an arrow is one [`Rule::Sum`] that subtracts the number in the circle. A circle of
//! several cells is read from left to right or from top to bottom; above 9×9 each of its cells has
//! two decimal places.

use crate::grid::Cell;
use crate::grid::rules::context::Context;
use crate::grid::rules::{ConstraintError, Rule};

/// Longer numbers would not fit the coefficients.
const MOST_CIRCLE_CELLS: usize = 4;

pub(super) fn arrow(
    circle: &[Cell],
    lines: &[Vec<Cell>],
    context: &Context,
) -> Result<Vec<Rule>, ConstraintError> {
    if !(1..=MOST_CIRCLE_CELLS).contains(&circle.len()) {
        let most = MOST_CIRCLE_CELLS;
        return Err(ConstraintError::CircleSize { most, found: circle.len() });
    }
    context.inside(circle)?;
    context.distinct(circle)?;
    let mut pill = circle.to_vec();
    pill.sort_unstable();
    let base = if context.side() > 9 { 100 } else { 10 };
    let mut rules = Vec::new();
    for line in lines {
        context.inside(line)?;
        if !pill.contains(&line[0]) {
            let (row, column) = context.row_and_column(line[0]);
            return Err(ConstraintError::LineOutsideCircle { row, column });
        }
        let shaft = line.iter().filter(|cell| !pill.contains(cell));
        let mut terms: Vec<(i32, Cell)> = shaft.map(|&cell| (1, cell)).collect();
        if terms.is_empty() {
            return Err(ConstraintError::ShortLine);
        }
        let mut weight = -1;
        for &cell in pill.iter().rev() {
            terms.push((weight, cell));
            weight *= base;
        }
        rules.push(Rule::Sum { terms, total: 0 });
    }
    Ok(rules)
}

pub(super) fn sum(
    terms: &[(i32, Cell)],
    total: i32,
    context: &Context,
) -> Result<Vec<Rule>, ConstraintError> {
    let cells: Vec<Cell> = terms.iter().map(|term| term.1).collect();
    context.inside(&cells)?;
    context.possible_sum(terms, total)?;
    Ok(vec![Rule::Sum { terms: terms.to_vec(), total }])
}

#[cfg(test)]
mod tests {
    use super::super::Constraint;
    use super::super::test_grid::{cells, error, holds};
    use crate::grid::Order;

    fn arrow(circle: &str, lines: &[&str]) -> Constraint {
        let lines = lines.iter().map(|line| cells(line)).collect();
        Constraint::Arrow { circle: cells(circle), lines }
    }

    fn sum(terms: &[(i32, &str)], total: i32) -> Constraint {
        let terms = terms.iter().map(|&(k, name)| (k, cells(name)[0])).collect();
        Constraint::Sum { terms, total }
    }

    #[test]
    fn worked_examples() {
        // 7 in r2c2 is 3 + 4 in r1c2, r1c3, and 6 + 1 in r2c1, r3c1.
        assert!(holds(arrow("r2c2", &["r2c2 r1c2 r1c3", "r2c2 r2c1 r3c1"])));
        assert!(!holds(arrow("r2c2", &["r2c2 r1c2 r1c3", "r2c2 r2c1"])));
        // The pill r1c8, r1c9 reads 12, which is 8 + 4 in r2c9, r2c8.
        assert!(holds(arrow("r1c9 r1c8", &["r1c9 r2c9 r2c8"])));
        assert!(!holds(arrow("r1c8 r1c7", &["r1c8 r2c9 r2c8"])));
        assert!(holds(sum(&[(2, "r1c1"), (1, "r1c2")], 13)));
        assert!(!holds(sum(&[(1, "r1c1"), (1, "r1c2")], 9)));
    }

    #[test]
    fn names_arrows_that_cannot_be_used() {
        let nine = |constraint| error(Order::NINE, constraint);
        let empty = Constraint::Arrow { circle: Vec::new(), lines: vec![cells("r1c1 r1c2")] };
        assert_eq!(
            nine(empty),
            "arrow at r1c1, r1c2: expected a circle of one to 4 cells, found 0"
        );
        assert_eq!(
            nine(arrow("r1c1", &["r2c2 r2c3"])),
            "arrow at r1c1, r2c2, r2c3: a line begins at r2c2, outside the circle"
        );
        assert_eq!(
            nine(arrow("r1c1", &["r1c1"])),
            "arrow at r1c1: a line has no cell outside the circle"
        );
        assert_eq!(
            nine(sum(&[(1, "r1c1"), (-2, "r1c2")], 9)),
            "sum of 9 at r1c1, r1c2: expected a sum from -17 to 7, found 9"
        );
    }
}
