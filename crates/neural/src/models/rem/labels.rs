//! Labels for networks that predict rules, computed by the six rules.

use crate::models::encoding::Encoding;
use ninefold::grid::{Grid, Order};
use ninefold::logic::six_rules;
pub(super) use ninefold_training::rule_labels::{RULES, index as place, of_board, of_candidates};

/// Names of the rules, rule 1 first.
pub(super) const NAMES: [&str; RULES] = [
    "hidden single",
    "naked single",
    "locked candidates 1",
    "locked candidates 2",
    "naked pair",
    "hidden pair",
];

/// The rules that the six-rule solver needs for each digit it fills, in order: one row of six
/// values, 0 or 1, for each cell of the grid. Rows after the last digit are 0.
pub(super) fn path_labels(order: Order, puzzle: &[u8]) -> Vec<f32> {
    let mut rows = vec![0.0; order.cell_count() * RULES];
    let grid = Grid::from_numbers(order, puzzle).expect("examples have the order of their list");
    if let Ok(run) = six_rules::solve(&grid) {
        for (digit, row) in run.digits.iter().zip(rows.chunks_mut(RULES)) {
            (1..)
                .zip(row)
                .for_each(|(rule, label)| *label = f32::from(u8::from(digit.uses_rule(rule))));
        }
    }
    rows
}

/// Mask of the candidates that rules can apply to: 1 for each candidate of an empty cell, 0 for
/// everything else.
pub(super) fn open(order: Order, board: &[u8]) -> Vec<f32> {
    let mut open = Vec::with_capacity(order.cell_count() * order.side());
    Encoding::Candidates.write(order, board, &mut open);
    let filled = board.iter().zip(open.chunks_mut(order.side())).filter(|(number, _)| **number > 0);
    filled.for_each(|(_, digits)| digits.fill(0.0));
    open
}
