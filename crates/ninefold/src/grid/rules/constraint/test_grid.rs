//! A solved grid for the worked examples of the families.

use super::{Constraint, LineRule};
use crate::Limits;
use crate::grid::rules::Rules;
use crate::grid::{Cell, Digit, Order};
use crate::search::rules::solve;

/// ```text
/// 5 3 4  6 7 8  9 1 2
/// 6 7 2  1 9 5  3 4 8
/// 1 9 8  3 4 2  5 6 7
/// 8 5 9  7 6 1  4 2 3
/// 4 2 6  8 5 3  7 9 1
/// 7 1 3  9 2 4  8 5 6
/// 9 6 1  5 3 7  2 8 4
/// 2 8 7  4 1 9  6 3 5
/// 3 4 5  2 8 6  1 7 9
/// ```
const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// Cells such as `r1c1 r1c2` of a 9×9 grid.
pub(super) fn cells(names: &str) -> Vec<Cell> {
    let number = |byte: u8| usize::from(byte - b'1');
    let cell = |name: &str| {
        let bytes = name.as_bytes();
        Order::NINE.cell(number(bytes[1]), number(bytes[3]))
    };
    names.split(' ').map(cell).collect()
}

pub(super) fn line(kind: LineRule, names: &str) -> Constraint {
    Constraint::Line { kind, cells: cells(names) }
}

/// Whether the 9×9 grid satisfies the constraint.
pub(super) fn holds(constraint: Constraint) -> bool {
    holds_in(Order::NINE, SOLUTION, constraint)
}

/// Whether a grid satisfies the constraint. The compiled form must agree with the check.
pub(super) fn holds_in(order: Order, grid: &str, constraint: Constraint) -> bool {
    let digits: Vec<Digit> = grid.bytes().map(|sign| Digit::new(sign - b'0').unwrap()).collect();
    let words = constraint.describe(order);
    let rules = Rules::classic(order).with(constraint).unwrap();
    let holds = rules.hold_for(&digits);
    let givens: Vec<Option<Digit>> = digits.into_iter().map(Some).collect();
    let found = solve(&rules, &givens, 2, &Limits::none());
    assert_eq!(found.solutions.len(), usize::from(holds), "{words}");
    holds
}

/// The message about a constraint that cannot be used.
pub(super) fn error(order: Order, constraint: Constraint) -> String {
    Rules::classic(order).with(constraint).unwrap_err().to_string()
}
