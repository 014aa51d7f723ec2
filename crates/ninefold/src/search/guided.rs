//! Guided search: tries the most likely digits first, given a likelihood for each digit of each
//! cell.
//!
//! The search propagates naked and hidden singles, as in `norvig.rs`. Then it branches in a cell
//! with the fewest candidates, among equals in the one with the largest likelihood, and tries its
//! digits from the most to the least likely. Puzzles with other rules are searched by `rules.rs`
//! with the same order of digits. Wrong likelihoods cost nodes but never correctness,
//! because every digit is tried eventually.

use super::singles::{Board, Contradiction};
use super::{Meter, StopReason, Visit, Walk, rules};
use crate::grid::rules::Rules;
use crate::grid::{Cell, Digit, Grid, Order};
use std::ops::ControlFlow;

/// A search for puzzles of one size, with likelihoods.
///
/// ```
/// use ninefold::search::guided::Guided;
/// use ninefold::search::{Limits, Solver};
///
/// let puzzle: ninefold::grid::Grid = "1..4..1..3..4..3".parse().unwrap();
/// // All digits are equally likely.
/// let guided = Guided::new(puzzle.order(), &[0.0; 64]);
/// let (solution, _) = guided.first(&puzzle, &Limits::none()).unwrap();
/// assert!(solution.unwrap().solves(&puzzle));
/// ```
pub struct Guided<'a> {
    order: Order,
    /// One number per cell and digit, cells in reading order. Larger is more likely.
    likelihoods: &'a [f32],
}

impl<'a> Guided<'a> {
    /// Creates a search for puzzles of this size. `likelihoods` has one number per cell and digit,
    /// cells in reading order.
    ///
    /// # Panics
    /// If the number of likelihoods is wrong.
    pub fn new(order: Order, likelihoods: &'a [f32]) -> Guided<'a> {
        assert_eq!(
            likelihoods.len(),
            order.cell_count() * order.side(),
            "expected one likelihood per cell and digit"
        );
        Guided { order, likelihoods }
    }

    fn likelihood(&self, cell: Cell, digit: Digit) -> f32 {
        self.likelihoods[cell.index() * self.order.side() + digit.index()]
    }

    fn walk_with_rules(
        &self,
        puzzle: &Grid,
        rules: &Rules,
        meter: &mut Meter<'_>,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<StopReason> {
        let givens: Vec<Option<Digit>> = self.order.cells().map(|cell| puzzle[cell]).collect();
        // Log likelihoods are allowed, so they become the shares of the digits of a cell.
        let shares: Vec<f32> =
            self.likelihoods.chunks_exact(self.order.side()).flat_map(softmax).collect();
        rules::guided(rules, &givens, &shares, meter, &mut |solution| {
            let mut grid = puzzle.clone();
            for (cell, &digit) in self.order.cells().zip(&solution) {
                grid.set(cell, Some(digit));
            }
            visit(grid)
        })
    }

    /// The cell to branch in: the fewest candidates, then the largest likelihood.
    fn choose(&self, board: &Board) -> Option<Cell> {
        let fewest = board.at(board.cell_with_fewest_digits()?).count();
        let largest_likelihood = |&cell: &Cell| {
            board
                .at(cell)
                .map(|digit| self.likelihood(cell, digit))
                .fold(f32::NEG_INFINITY, f32::max)
        };
        let open = self.order.cells().filter(|&cell| board.at(cell).count() == fewest);
        open.max_by(|one, other| largest_likelihood(one).total_cmp(&largest_likelihood(other)))
    }

    fn search(
        &self,
        board: Board,
        meter: &mut Meter<'_>,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<StopReason> {
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

/// The exponentials of numbers, divided by their sum.
fn softmax(numbers: &[f32]) -> impl Iterator<Item = f32> + use<> {
    let highest = numbers.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let exponentials: Vec<f32> = numbers.iter().map(|number| (number - highest).exp()).collect();
    let sum: f32 = exponentials.iter().sum();
    exponentials.into_iter().map(move |number| number / sum)
}

impl Walk for Guided<'_> {
    fn name(&self) -> &'static str {
        "guided"
    }

    fn idea(&self) -> &'static str {
        "propagate naked and hidden singles, then try the most likely digits first"
    }

    fn supports(&self, order: Order) -> bool {
        order == self.order
    }

    fn supports_rules(&self) -> bool {
        true
    }

    fn walk(
        &self,
        puzzle: &Grid,
        meter: &mut Meter<'_>,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<StopReason> {
        if let Some(rules) = puzzle.rules() {
            return self.walk_with_rules(puzzle, rules, meter, visit);
        }
        meter.node()?;
        match Board::new(puzzle) {
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

    fn likelihoods(puzzle: &Grid, by: f32) -> Vec<f32> {
        let (solution, _) = crate::search::bands::Bands.first(puzzle, &Limits::none()).unwrap();
        let solution: Vec<u8> = solution.expect("it has one").numbers().collect();
        let likelihood =
            |place: usize| if solution[place / 9] as usize == place % 9 + 1 { by } else { 0.0 };
        (0..729).map(likelihood).collect()
    }

    #[test]
    fn good_likelihoods_save_nodes_and_bad_ones_cost_nodes() {
        let puzzle: Grid = HARD.parse().unwrap();
        let nodes = |by: f32| {
            let likelihoods = likelihoods(&puzzle, by);
            let (solution, effort) =
                Guided::new(Order::NINE, &likelihoods).first(&puzzle, &Limits::none()).unwrap();
            assert!(solution.expect("it has one").solves(&puzzle));
            effort.nodes
        };
        let (good, bad) = (nodes(1.0), nodes(-1.0));
        assert!(good < 30 && bad > 2 * good, "{good} {bad}");
    }

    #[test]
    fn likelihoods_guide_the_search_of_puzzles_with_rules() {
        use crate::generate::variants::{VariantKind, VariantOptions, generate_one};
        let options = VariantOptions::new(Order::NINE, vec![VariantKind::AntiKnight]);
        let puzzles: Vec<(Grid, Vec<Digit>)> = (0..4)
            .map(|number| {
                let one = generate_one(&options, 3, number).unwrap();
                let numbers: Vec<u8> =
                    one.givens.iter().map(|given| given.map_or(0, Digit::number)).collect();
                let grid = Grid::from_numbers(Order::NINE, &numbers).unwrap();
                (grid.with_rules(std::sync::Arc::new(one.rules)), one.solution)
            })
            .collect();
        let nodes = |by: f32| -> u64 {
            let of_puzzle = |(puzzle, solution): &(Grid, Vec<Digit>)| {
                let is_right = |at: usize| solution[at / 9].index() == at % 9;
                let likelihoods: Vec<f32> =
                    (0..729).map(|at| if is_right(at) { by } else { 0.0 }).collect();
                let guided = Guided::new(Order::NINE, &likelihoods);
                let (solution, effort) = guided.first(puzzle, &Limits::none()).unwrap();
                assert!(solution.expect("it has one").solves(puzzle));
                effort.nodes
            };
            puzzles.iter().map(of_puzzle).sum()
        };
        let (good, bad) = (nodes(5.0), nodes(-5.0));
        assert!(good < bad, "{good} {bad}");
    }

    #[test]
    fn finds_all_solutions_for_any_likelihoods() {
        let puzzle: Grid = "1..............4".parse().unwrap();
        let (expected, _) =
            crate::search::backtrack::Backtrack.count(&puzzle, 1_000, &Limits::none()).unwrap();
        let likelihoods: Vec<f32> = (0..64).map(|place| (place * 7 % 13) as f32).collect();
        let guided = Guided::new(Order::FOUR, &likelihoods);
        assert_eq!(guided.count(&puzzle, 1_000, &Limits::none()).unwrap().0, expected);
        assert!(!guided.supports(Order::NINE));
    }
}
