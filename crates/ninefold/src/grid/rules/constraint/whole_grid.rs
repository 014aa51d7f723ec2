//! Rules about the complete grid.
//!
//! | name | meaning | f-puzzles |
//! |---|---|---|
//! | diagonal | the digits on a main diagonal differ | `diagonal+` (rising), `diagonal-` (falling) |
//! | windoku | four extra regions of a 9×9 grid | – (`windoku`) |
//! | disjoint groups | cells at the same place in their boxes differ | `disjointgroups` |
//! | anti-knight | cells a knight's move apart differ | `antiknight` |
//! | anti-king | cells that touch diagonally differ | `antiking` |
//! | nonconsecutive | neighbours are not consecutive | `nonconsecutive` |
//! | usual boxes | rectangular boxes in addition to irregular regions | – (`boxes_too`) |
//!
//! Sets of cells become [`Rule::Differ`], the others [`Rule::Pairs`].

use super::Diagonal;
use crate::grid::rules::context::{Context, Pair};
use crate::grid::rules::{ConstraintError, Relation, Rule, Rules};
use crate::grid::{Cell, Order};

impl Diagonal {
    pub(super) fn direction(self) -> &'static str {
        match self {
            Diagonal::Rising => "rising",
            Diagonal::Falling => "falling",
        }
    }

    pub(super) fn lower(self, context: &Context) -> Vec<Rule> {
        let side = context.side();
        let row = |column: usize| match self {
            Diagonal::Rising => side - 1 - column,
            Diagonal::Falling => column,
        };
        vec![Rule::Differ((0..side).map(|at| context.order.cell(row(at), at)).collect())]
    }
}

pub(super) fn windoku(context: &Context) -> Result<Vec<Rule>, ConstraintError> {
    let side = context.side();
    if side != 9 {
        return Err(ConstraintError::NotNine { side });
    }
    let region = |(row, column)| {
        let cell = |at: usize| context.order.cell(row + at / 3, column + at % 3);
        Rule::Differ((0..9).map(cell).collect())
    };
    Ok([(1, 1), (1, 5), (5, 1), (5, 5)].map(region).into())
}

pub(super) fn disjoint_groups(context: &Context) -> Result<Vec<Rule>, ConstraintError> {
    let boxes = context.boxes()?;
    let (height, width) = (boxes.box_rows(), boxes.box_columns());
    let place = |cell: Cell| (boxes.row_of(cell) % height, boxes.column_of(cell) % width);
    let places = (0..height).flat_map(|row| (0..width).map(move |column| (row, column)));
    let cells_at = |at| boxes.cells().filter(|&cell| place(cell) == at).collect();
    Ok(places.map(|at| Rule::Differ(cells_at(at))).collect())
}

pub(super) fn anti_knight(context: &Context) -> Vec<Rule> {
    context.pairs(moves(context.order, &[(1, 2), (2, 1), (1, -2), (2, -1)]), Relation::Different)
}

pub(super) fn anti_king(context: &Context) -> Vec<Rule> {
    context.pairs(moves(context.order, &[(1, 1), (1, -1)]), Relation::Different)
}

pub(super) fn nonconsecutive(context: &Context) -> Vec<Rule> {
    context.pairs(context.neighbours(), Relation::NotDifference(1))
}

pub(super) fn usual_boxes(context: &Context) -> Result<Vec<Rule>, ConstraintError> {
    Ok(Rules::classic(context.boxes()?).regions().into_iter().map(Rule::Differ).collect())
}

/// All pairs of cells that these moves connect.
fn moves(order: Order, moves: &[(isize, isize)]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for cell in order.cells() {
        for &(down, right) in moves {
            let row = order.row_of(cell).checked_add_signed(down);
            let column = order.column_of(cell).checked_add_signed(right);
            let is_inside = |place: &usize| *place < order.side();
            if let (Some(row), Some(column)) = (row.filter(is_inside), column.filter(is_inside)) {
                pairs.push((cell, order.cell(row, column)));
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::super::test_grid::{error, holds, holds_in};
    use super::super::{Constraint, Diagonal};
    use crate::grid::Order;

    /// A 4×4 grid in which both diagonals have different digits.
    const DIAGONALS: &str = "1234341243212143";

    #[test]
    fn worked_examples() {
        let four = |constraint| holds_in(Order::FOUR, DIAGONALS, constraint);
        assert!(four(Constraint::Diagonal(Diagonal::Falling)));
        assert!(four(Constraint::Diagonal(Diagonal::Rising)));
        assert!(!holds(Constraint::Diagonal(Diagonal::Falling)));
        // The 3 in r1c3 is a knight's move away from the 3 in r2c1.
        assert!(!four(Constraint::AntiKnight));
        // No cell of this grid touches its own digit diagonally, but the 1 in r1c1 is beside the 2.
        assert!(!four(Constraint::Nonconsecutive));
        assert!(four(Constraint::UsualBoxes));
        assert!(!holds(Constraint::Windoku));
        assert!(!holds(Constraint::DisjointGroups));
        assert!(!holds(Constraint::AntiKing));
    }

    #[test]
    fn names_sizes_without_the_rule() {
        assert_eq!(
            error(Order::FOUR, Constraint::Windoku),
            "windoku: expected a 9×9 grid, found 4×4"
        );
        let seven = Order::without_boxes(7).unwrap();
        assert_eq!(
            error(seven, Constraint::DisjointGroups),
            "disjoint groups: the grid has no rectangular boxes"
        );
    }
}
