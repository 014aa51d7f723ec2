//! Rule labels: which of the six rules of Cheewaprakobkit et al. apply on a board. The rules are
//! hidden single, naked single, pointing, claiming, naked pair and hidden pair.
//!
//! Networks that predict rules are trained on these labels and evaluated with them.

use ninefold::grid::{Candidates, Grid, Order, Position};
use ninefold::logic;
use ninefold::logic::six_rules;
use ninefold::proof::check;

/// The number of rules.
pub const RULES: usize = six_rules::RULES.len();

/// For each cell, digit and rule of a board: 1 if some instance of the rule places the digit there
/// (rules 1 and 2) or eliminates it (rules 3 to 6), otherwise 0. The candidates are those that the
/// digits of the board leave. If `proven`, an instance counts only if the proof checker accepts it,
/// which is slower.
///
/// # Panics
///
/// If the board is not a grid of this size.
pub fn of_board(order: Order, board: &[u8], proven: bool) -> Vec<f32> {
    let grid = Grid::from_numbers(order, board).expect("a board is a grid of its order");
    match Candidates::new(&grid) {
        Ok(candidates) => of_candidates(&candidates, proven),
        Err(_) => vec![0.0; order.cell_count() * order.side() * RULES],
    }
}

/// Like [`of_board`], for given candidates.
pub fn of_candidates(candidates: &Candidates, proven: bool) -> Vec<f32> {
    let (order, grid) = (candidates.order(), candidates.grid());
    let mut labels = vec![0.0; order.cell_count() * order.side() * RULES];
    let position =
        Position::new(grid.clone(), candidates.clone()).expect("its own digits are its clues");
    for (rule, &technique) in six_rules::RULES.iter().enumerate() {
        for step in logic::all_steps(technique, &position) {
            if !proven || check(&step, grid, candidates).is_ok() {
                for candidate in step.places.iter().chain(&step.removes) {
                    labels[index(order, candidate.cell.index(), candidate.digit.index(), rule)] =
                        1.0;
                }
            }
        }
    }
    labels
}

/// The index of a label of [`of_board`]; cell, digit and rule count from 0.
pub fn index(order: Order, cell: usize, digit: usize, rule: usize) -> usize {
    (cell * order.side() + digit) * RULES + rule
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_set_exactly_where_rules_apply() {
        // Figure 6 of the paper: in box 1 the 5 is in row 3 only, so r3c7 loses it.
        let text =
            "984........25...4...19.4..2..6.9723...36.2...2.9.3561.195768423427351896638..9751";
        let board: Vec<u8> = text.parse::<Grid>().unwrap().numbers().collect();
        let labels = of_board(Order::NINE, &board, true);
        assert_eq!(labels, of_board(Order::NINE, &board, false), "all steps can be proven");
        assert_eq!(labels[index(Order::NINE, 2 * 9 + 6, 4, 2)], 1.0);
        let filled = (0..81).filter(|&cell| board[cell] > 0);
        for cell in filled {
            let start = index(Order::NINE, cell, 0, 0);
            assert!(labels[start..start + 54].iter().all(|&label| label == 0.0), "a filled cell");
        }
        let solved =
            "984123567762589143351974682516497238843612975279835614195768423427351896638249751";
        let solved: Vec<u8> = solved.bytes().map(|digit| digit - b'0').collect();
        assert!(of_board(Order::NINE, &solved, true).iter().all(|&label| label == 0.0));
    }
}
