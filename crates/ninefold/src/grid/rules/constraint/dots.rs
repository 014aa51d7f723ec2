//! Dots and signs between two cells, and the rules that all of them are given.
//!
//! | name | meaning | f-puzzles |
//! |---|---|---|
//! | white dot | the digits differ by 1 or the number in it | `difference` |
//! | black dot | one digit is 2 or the number in it times the other | `ratio` |
//! | X, V | the digits have the sum 10, 5 | `xv` |
//! | sum dot | the digits have this sum | – (`xv` with a number) |
//! | greater-than sign | each cell is greater than the next | – (`greaterthan`) |
//! | all white dots given, … | neighbours without a dot do not have its relation | `negative` |
//!
//! All become [`Rule::Pairs`]. A negative rule covers the pairs of neighbours without a dot of its
//! kind, whatever number is in that dot.

use super::{Dot, Negative};
use crate::grid::Cell;
use crate::grid::rules::context::{Context, in_range};
use crate::grid::rules::{ConstraintError, Relation, Rule};

type Lowered = Result<Vec<Rule>, ConstraintError>;

impl Dot {
    pub(super) fn name(self) -> &'static str {
        match self {
            Dot::Difference(_) => "white dot",
            Dot::Ratio(_) => "black dot",
            Dot::Total(10) => "X",
            Dot::Total(5) => "V",
            Dot::Total(_) => "sum dot",
        }
    }

    /// The number in the dot, unless it is the usual one.
    pub(super) fn number(self) -> Option<u8> {
        match self {
            Dot::Difference(1) | Dot::Ratio(2) | Dot::Total(5 | 10) => None,
            Dot::Difference(number) | Dot::Ratio(number) | Dot::Total(number) => Some(number),
        }
    }

    pub(super) fn lower(self, cells: [Cell; 2], context: &Context) -> Lowered {
        context.inside(&cells)?;
        let [a, b] = cells;
        if a == b {
            return Err(ConstraintError::SameCell);
        }
        let side = context.side() as u32;
        let (number, least, most, relation) = match self {
            Dot::Difference(n) => (n, 0, side - 1, Relation::Difference(n)),
            Dot::Ratio(n) => (n, 1, side, Relation::Ratio(n)),
            Dot::Total(n) => (n, 2, 2 * side, Relation::Total(n)),
        };
        in_range(number.into(), least, most)?;
        Ok(context.pairs(vec![(a, b)], relation))
    }
}

impl Negative {
    pub(super) fn name(self) -> &'static str {
        match self {
            Negative::Difference => "all white dots given",
            Negative::Ratio => "all black dots given",
            Negative::Kropki => "all dots given",
            Negative::Xv => "all X and V given",
        }
    }

    pub(super) fn lower(self, context: &Context) -> Vec<Rule> {
        let is_meant = |dot: Dot| match self {
            Negative::Difference => matches!(dot, Dot::Difference(_)),
            Negative::Ratio => matches!(dot, Dot::Ratio(_)),
            Negative::Kropki => matches!(dot, Dot::Difference(_) | Dot::Ratio(_)),
            Negative::Xv => matches!(dot, Dot::Total(5 | 10)),
        };
        let relations: &[Relation] = match self {
            Negative::Difference => &[Relation::NotDifference(1)],
            Negative::Ratio => &[Relation::NotRatio(2)],
            Negative::Kropki => &[Relation::NotDifference(1), Relation::NotRatio(2)],
            Negative::Xv => &[Relation::NotTotal(10), Relation::NotTotal(5)],
        };
        let pairs = context.neighbours_without(is_meant);
        relations.iter().flat_map(|&relation| context.pairs(pairs.clone(), relation)).collect()
    }
}

pub(super) fn greater_than(cells: &[Cell], context: &Context) -> Lowered {
    context.inside(cells)?;
    context.not_too_many(cells.len())?;
    let pairs = cells.windows(2).map(|pair| (pair[1], pair[0])).collect();
    Ok(context.pairs(pairs, Relation::Less))
}

#[cfg(test)]
mod tests {
    use super::super::test_grid::{cells, error, holds, holds_in};
    use super::super::{Constraint, Dot, Negative};
    use crate::grid::rules::Rules;
    use crate::grid::{Digit, Order};

    fn dot(kind: Dot, names: &str) -> Constraint {
        let cells = cells(names);
        Constraint::Dot { kind, cells: [cells[0], cells[1]] }
    }

    #[test]
    fn worked_examples() {
        // Row 1 is 5 3 4 6 7 8 9 1 2.
        assert!(holds(dot(Dot::Difference(1), "r1c2 r1c3")));
        assert!(!holds(dot(Dot::Difference(1), "r1c1 r1c2")));
        assert!(holds(dot(Dot::Ratio(2), "r1c2 r1c4")) && holds(dot(Dot::Ratio(3), "r2c1 r1c9")));
        assert!(!holds(dot(Dot::Ratio(2), "r1c1 r1c2")));
        assert!(holds(dot(Dot::Total(10), "r1c3 r1c4")) && !holds(dot(Dot::Total(5), "r1c3 r1c4")));
        assert!(holds(Constraint::GreaterThan(cells("r1c6 r1c5 r1c4"))));
        assert!(!holds(Constraint::GreaterThan(cells("r1c2 r1c3"))));
        assert!(!holds(Constraint::Negative(Negative::Xv)));
        // Every pair of neighbours of this grid is consecutive or one is twice the other, but none
        // of the dots is given.
        let grid = "1234341243212143";
        assert!(!holds_in(Order::FOUR, grid, Constraint::Negative(Negative::Kropki)));
    }

    /// All dots of a grid, with the rule that all are given, hold for the grid.
    #[test]
    fn negative_rules_hold_with_all_dots_and_fail_without_one() {
        let digits: Vec<Digit> =
            "1234341243212143".bytes().map(|sign| Digit::new(sign - b'0').unwrap()).collect();
        let order = Order::FOUR;
        let number = |cell: crate::grid::Cell| digits[cell.index()].number();
        let mut dots = Vec::new();
        for cell in order.cells() {
            let (row, column) = (order.row_of(cell), order.column_of(cell));
            for (row, column) in [(row + 1, column), (row, column + 1)] {
                if row < 4
                    && column < 4
                    && number(cell).abs_diff(number(order.cell(row, column))) == 1
                {
                    let cells = [order.cell(row, column), cell];
                    dots.push(Constraint::Dot { kind: Dot::Difference(1), cells });
                }
            }
        }
        let negative = Constraint::Negative(Negative::Difference);
        let mut rules = Rules::classic(order).with(negative.clone()).unwrap();
        rules.extend(dots.clone()).unwrap();
        assert!(rules.hold_for(&digits));
        dots.pop();
        let mut rules = Rules::classic(order).with(negative).unwrap();
        rules.extend(dots).unwrap();
        assert!(!rules.hold_for(&digits));
    }

    #[test]
    fn names_dots_that_cannot_be_used() {
        assert_eq!(
            error(Order::NINE, dot(Dot::Difference(9), "r1c1 r1c2")),
            "white dot of 9 at r1c1, r1c2: expected a number from 0 to 8, found 9"
        );
        assert_eq!(
            error(Order::NINE, dot(Dot::Ratio(2), "r1c1 r1c1")),
            "black dot at r1c1, r1c1: expected two different cells"
        );
    }
}
