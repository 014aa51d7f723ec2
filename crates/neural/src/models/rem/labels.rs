//! Labels for rules: this is where the six rules say what a network should have said.

use crate::models::encoding::Encoding;
use ninefold::grid::{Candidates, Grid, Order, Position};
use ninefold::logic;
use ninefold::logic::six_rules;
use ninefold::proof::check;

/// The number of rules.
pub(crate) const RULES: usize = six_rules::RULES.len();

/// What people call the rules, rule 1 first.
pub(super) const NAMES: [&str; RULES] = [
    "hidden single",
    "naked single",
    "locked candidates 1",
    "locked candidates 2",
    "naked pair",
    "hidden pair",
];

/// For each digit that the six rules fill in, one after the other, which rules they need for it: a row of six numbers,
/// 0 or 1, for each cell of the grid. Rows after the last digit are 0.
pub(super) fn of_path(order: Order, puzzle: &[u8]) -> Vec<f32> {
    let mut rows = vec![0.0; order.cell_count() * RULES];
    let grid = Grid::from_numbers(order, puzzle).expect("examples hold grids of their order");
    if let Ok(run) = six_rules::solve(&grid) {
        for (digit, row) in run.digits.iter().zip(rows.chunks_mut(RULES)) {
            (1..)
                .zip(row)
                .for_each(|(rule, mark)| *mark = f32::from(u8::from(digit.uses_rule(rule))));
        }
    }
    rows
}

/// All that the six rules can say about a board whose candidates are what its digits leave: for each cell, each digit
/// and each rule, 1 if some instance of the rule places the digit there (rules 1 and 2) or strikes it out (rules 3 to
/// 6). If they are to be proven, an instance counts only if the checker accepts it, which takes its time.
pub(crate) fn of_board(order: Order, board: &[u8], proven: bool) -> Vec<f32> {
    let grid = Grid::from_numbers(order, board).expect("examples hold grids of their order");
    match Candidates::of(&grid) {
        Ok(candidates) => of_candidates(&candidates, proven),
        Err(_) => vec![0.0; order.cell_count() * order.side() * RULES],
    }
}

/// The same where candidates have been struck out, too.
pub(crate) fn of_candidates(candidates: &Candidates, proven: bool) -> Vec<f32> {
    let (order, grid) = (candidates.order(), candidates.grid());
    let mut marks = vec![0.0; order.cell_count() * order.side() * RULES];
    let position =
        Position::new(grid.clone(), candidates.clone()).expect("its own digits are its clues");
    for (rule, &technique) in six_rules::RULES.iter().enumerate() {
        for step in logic::all_steps(technique, &position) {
            if !proven || check(&step, grid, candidates).is_ok() {
                for candidate in step.places.iter().chain(&step.removes) {
                    marks[place(order, candidate.cell.index(), candidate.digit.index(), rule)] =
                        1.0;
                }
            }
        }
    }
    marks
}

/// The candidates that the rules can say anything about: 1 for each digit that may still stand in an empty cell, and 0
/// for every other digit of every cell.
pub(super) fn open(order: Order, board: &[u8]) -> Vec<f32> {
    let mut open = Vec::with_capacity(order.cell_count() * order.side());
    Encoding::Candidates.write(order, board, &mut open);
    let filled = board.iter().zip(open.chunks_mut(order.side())).filter(|(number, _)| **number > 0);
    filled.for_each(|(_, digits)| digits.fill(0.0));
    open
}

/// Where a mark of [`of_board`] stands.
pub(crate) fn place(order: Order, cell: usize, digit: usize, rule: usize) -> usize {
    (cell * order.side() + digit) * RULES + rule
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_marked_where_its_rules_apply_and_nowhere_else() {
        // Figure 6 of the paper: in box 1 the 5 stands in row 3 only, so r3c7 loses it.
        let text =
            "984........25...4...19.4..2..6.9723...36.2...2.9.3561.195768423427351896638..9751";
        let board: Vec<u8> = text.parse::<Grid>().unwrap().numbers().collect();
        let marks = of_board(Order::NINE, &board, true);
        assert_eq!(
            marks,
            of_board(Order::NINE, &board, false),
            "what the rules find can be proven"
        );
        assert_eq!(marks[place(Order::NINE, 2 * 9 + 6, 4, 2)], 1.0);
        let filled = (0..81).filter(|&cell| board[cell] > 0);
        for cell in filled {
            let start = place(Order::NINE, cell, 0, 0);
            assert!(
                marks[start..start + 54].iter().all(|&mark| mark == 0.0),
                "a filled cell has nothing to say"
            );
        }
        let solved =
            "984123567762589143351974682516497238843612975279835614195768423427351896638249751";
        let solved: Vec<u8> = solved.bytes().map(|digit| digit - b'0').collect();
        assert!(of_board(Order::NINE, &solved, true).iter().all(|&mark| mark == 0.0));
    }
}
