//! Guided search: somebody says how likely each digit of each cell is, and the search tries the likeliest first.
//!
//! Naked and hidden singles are carried to their end, as in `norvig.rs`. Then the search branches in a cell with the fewest
//! digits left, among equals in the one whose likeliest digit is surest, and tries its digits from the likeliest to the least. A
//! bad guide costs nodes and never truth: every digit is tried in the end.

use super::singles::{Board, Contradiction};
use super::{Meter, Stop, Visit, Walk};
use crate::grid::{Cell, Digit, Grid, Order};
use std::ops::ControlFlow;

/// A search for one puzzle, with a guide.
///
/// ```
/// use ninefold::search::guided::Guided;
/// use ninefold::search::{Limits, Solver};
///
/// let puzzle: ninefold::grid::Grid = "1..4..1..3..4..3".parse().unwrap();
/// // A guide that knows nothing: all digits are equally likely.
/// let guided = Guided::new(puzzle.order(), &[0.0; 64]);
/// let (solution, _) = guided.first(&puzzle, &Limits::none()).unwrap();
/// assert!(solution.unwrap().solves(&puzzle));
/// ```
pub struct Guided<'a> {
    order: Order,
    /// For each cell and digit, in reading order; larger is likelier.
    likelihoods: &'a [f32],
}

impl<'a> Guided<'a> {
    /// A search for a puzzle of this size.
    ///
    /// # Panics
    /// Panics if there is not one number for each digit of each cell.
    pub fn new(order: Order, likelihoods: &'a [f32]) -> Guided<'a> {
        assert_eq!(
            likelihoods.len(),
            order.cell_count() * order.side(),
            "a number for each digit of each cell"
        );
        Guided { order, likelihoods }
    }

    fn likelihood(&self, cell: Cell, digit: Digit) -> f32 {
        self.likelihoods[cell.index() * self.order.side() + digit.index()]
    }

    /// The cell to branch in: few digits first, then the surest.
    fn choose(&self, board: &Board) -> Option<Cell> {
        let fewest = board.at(board.cell_with_fewest_digits()?).count();
        let surest = |&cell: &Cell| {
            board
                .at(cell)
                .map(|digit| self.likelihood(cell, digit))
                .fold(f32::NEG_INFINITY, f32::max)
        };
        let open = self.order.cells().filter(|&cell| board.at(cell).count() == fewest);
        open.max_by(|one, other| surest(one).total_cmp(&surest(other)))
    }

    fn search(
        &self,
        board: Board,
        meter: &mut Meter<'_>,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<Stop> {
        let Some(cell) = self.choose(&board) else {
            return visit(board.grid());
        };
        let mut digits: Vec<Digit> = board.at(cell).collect();
        digits.sort_by(|&one, &other| {
            self.likelihood(cell, other).total_cmp(&self.likelihood(cell, one))
        });
        for digit in digits {
            meter.node()?;
            meter.guess();
            let mut next = board.clone();
            if next.assign(cell, digit).is_ok() {
                self.search(next, meter, visit)?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Walk for Guided<'_> {
    fn name(&self) -> &'static str {
        "guided"
    }

    fn idea(&self) -> &'static str {
        "propagate naked and hidden singles, then try the digits that a guide finds likeliest"
    }

    fn takes(&self, order: Order) -> bool {
        order == self.order
    }

    fn walk(
        &self,
        puzzle: &Grid,
        meter: &mut Meter<'_>,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<Stop> {
        meter.node()?;
        match Board::of(puzzle) {
            Ok(board) => self.search(board, meter, visit),
            Err(Contradiction) => ControlFlow::Continue(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Limits, Solver};

    const HARD: &str =
        "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..";

    fn guide(puzzle: &Grid, by: f32) -> Vec<f32> {
        let (solution, _) = crate::search::bands::Bands.first(puzzle, &Limits::none()).unwrap();
        let solution: Vec<u8> = solution.expect("it has one").numbers().collect();
        let likelihood =
            |place: usize| if solution[place / 9] as usize == place % 9 + 1 { by } else { 0.0 };
        (0..729).map(likelihood).collect()
    }

    #[test]
    fn who_knows_the_solution_never_turns_back_and_who_lies_costs_nodes_only() {
        let puzzle: Grid = HARD.parse().unwrap();
        let nodes = |by: f32| {
            let likelihoods = guide(&puzzle, by);
            let (solution, effort) =
                Guided::new(Order::NINE, &likelihoods).first(&puzzle, &Limits::none()).unwrap();
            assert!(solution.expect("it has one").solves(&puzzle));
            effort.nodes
        };
        let (friend, liar) = (nodes(1.0), nodes(-1.0));
        assert!(friend < 30 && liar > 2 * friend, "{friend} {liar}");
    }

    #[test]
    fn all_solutions_are_found_whatever_the_guide_says() {
        let puzzle: Grid = "1..............4".parse().unwrap();
        let (expected, _) =
            crate::search::backtrack::Backtrack.count(&puzzle, 1_000, &Limits::none()).unwrap();
        let likelihoods: Vec<f32> = (0..64).map(|place| (place * 7 % 13) as f32).collect();
        let guided = Guided::new(Order::FOUR, &likelihoods);
        assert_eq!(guided.count(&puzzle, 1_000, &Limits::none()).unwrap().0, expected);
        assert!(!guided.takes(Order::NINE));
    }
}
