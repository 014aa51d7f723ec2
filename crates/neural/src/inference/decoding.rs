//! Decoding: turns predicted probabilities into digits.

use super::predictor::Predictor;
use ninefold::grid::{Grid, Order};
use ninefold::hybrid::Proposer;
use serde::Serialize;
use std::sync::Arc;

/// How a network fills the empty cells of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decoding {
    /// Fills all cells after one forward pass.
    AtOnce,
    /// Fills the most certain cell, then runs another forward pass.
    CellByCell,
}

impl Decoding {
    /// Both values.
    pub const ALL: [Decoding; 2] = [Decoding::AtOnce, Decoding::CellByCell];

    /// The name in options and JSON, for example `at-once`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Decoding::AtOnce => "at-once",
            Decoding::CellByCell => "cell-by-cell",
        }
    }
}

pub(super) fn fill(
    predictor: &dyn Predictor,
    puzzles: &[&[u8]],
    decoding: Decoding,
) -> Vec<Vec<u8>> {
    match decoding {
        Decoding::AtOnce => at_once(predictor, puzzles),
        Decoding::CellByCell => cell_by_cell(predictor, puzzles),
    }
}

/// Lets a network propose solutions for [`ninefold::hybrid`].
pub struct NetworkProposer<'a> {
    /// The network.
    pub predictor: &'a dyn Predictor,
    /// How cells are filled.
    pub decoding: Decoding,
}

impl Proposer for NetworkProposer<'_> {
    fn supports(&self, order: Order) -> bool {
        self.predictor.supports(order)
    }

    fn supports_rules(&self) -> bool {
        self.predictor.supports_rules()
    }

    fn propose(&self, puzzles: &[Grid]) -> Vec<Grid> {
        let has_rules = |puzzle: &Grid| puzzle.rules().is_some();
        let by_size = puzzles.chunk_by(|one, next| {
            has_rules(one) == has_rules(next) && (has_rules(one) || one.order() == next.order())
        });
        let propose = |puzzles: &[Grid]| match has_rules(&puzzles[0]) {
            true => self.propose_with_rules(puzzles),
            false => self.propose_same_size(puzzles),
        };
        by_size.flat_map(propose).collect()
    }

    fn guide(&self, puzzle: &Grid) -> Option<Vec<f32>> {
        if puzzle.rules().is_some() {
            let guides = self.predictor.guides_search();
            return guides.then(|| self.predictor.log_probabilities_of_grid(puzzle));
        }
        let other = self.for_order(puzzle.order());
        let predictor = other.as_deref().unwrap_or(self.predictor);
        let numbers: Vec<u8> = puzzle.numbers().collect();
        predictor.guides_search().then(|| predictor.log_probabilities(&[&numbers]))
    }
}

impl NetworkProposer<'_> {
    /// The predictor for this size, if it differs from `self.predictor`.
    fn for_order(&self, order: Order) -> Option<Box<dyn Predictor>> {
        (order != self.predictor.order()).then(|| self.predictor.for_order(order)).flatten()
    }

    fn propose_with_rules(&self, puzzles: &[Grid]) -> Vec<Grid> {
        let filled = puzzles.iter().zip(self.predictor.fill_grids(puzzles));
        let with_rules = |(puzzle, numbers): (&Grid, Vec<u8>)| {
            let grid = Grid::from_numbers(puzzle.order(), &numbers);
            let grid = grid.expect("predicted digits are in range");
            puzzle.rules().map_or(grid.clone(), |rules| grid.with_rules(Arc::clone(rules)))
        };
        filled.map(with_rules).collect()
    }

    fn propose_same_size(&self, puzzles: &[Grid]) -> Vec<Grid> {
        let order = puzzles[0].order();
        let other = self.for_order(order);
        let predictor = other.as_deref().unwrap_or(self.predictor);
        let numbers: Vec<Vec<u8>> =
            puzzles.iter().map(|puzzle| puzzle.numbers().collect()).collect();
        let numbers: Vec<&[u8]> = numbers.iter().map(|numbers| &numbers[..]).collect();
        let filled = numbers
            .chunks(predictor.batch().max(1))
            .flat_map(|batch| fill(predictor, batch, self.decoding));
        filled
            .map(|numbers| {
                Grid::from_numbers(order, &numbers).expect("predicted digits are in range")
            })
            .collect()
    }
}

/// Fills every empty cell with its most likely digit, after one forward pass.
fn at_once(predictor: &dyn Predictor, puzzles: &[&[u8]]) -> Vec<Vec<u8>> {
    let order = predictor.order();
    let probabilities = predictor.log_probabilities(puzzles);
    let probabilities = probabilities.chunks(order.cell_count() * order.side());
    puzzles
        .iter()
        .zip(probabilities)
        .map(|(puzzle, probabilities)| fill_with(order, puzzle, probabilities))
        .collect()
}

/// Fills every empty cell with its most likely digit.
pub(super) fn fill_with(order: Order, puzzle: &[u8], probabilities: &[f32]) -> Vec<u8> {
    let fill = |(&number, probabilities): (&u8, &[f32])| {
        if number == 0 { most_likely(probabilities).0 } else { number }
    };
    puzzle.iter().zip(probabilities.chunks(order.side())).map(fill).collect()
}

/// Fills the cell whose most likely digit has the highest probability, runs the network on the new
/// position, and repeats until all cells are filled.
///
/// This is Kocherzhenko's `predict_number` in a loop, and the method of Tran and Manley. Digits are
/// never corrected, even if they break a rule, because this measures the network alone.
fn cell_by_cell(predictor: &dyn Predictor, puzzles: &[&[u8]]) -> Vec<Vec<u8>> {
    let mut filled: Vec<Vec<u8>> = puzzles.iter().map(|puzzle| puzzle.to_vec()).collect();
    loop {
        let open: Vec<usize> =
            (0..filled.len()).filter(|&index| filled[index].contains(&0)).collect();
        if open.is_empty() {
            return filled;
        }
        let positions: Vec<&[u8]> = open.iter().map(|&index| &filled[index][..]).collect();
        let choices = most_certain_cells(predictor, &positions);
        for (index, (cell, number)) in open.into_iter().zip(choices) {
            filled[index][cell] = number;
        }
    }
}

/// For each position: the most certain empty cell and its most likely digit.
fn most_certain_cells(predictor: &dyn Predictor, positions: &[&[u8]]) -> Vec<(usize, u8)> {
    let side = predictor.order().side();
    let probabilities = predictor.log_probabilities(positions);
    let choose = |(position, probabilities): (&&[u8], &[f32])| {
        let mut best = (0, 0, f32::NEG_INFINITY);
        for (cell, probabilities) in
            probabilities.chunks(side).enumerate().filter(|&(cell, _)| position[cell] == 0)
        {
            let (number, likelihood) = most_likely(probabilities);
            if likelihood > best.2 {
                best = (cell, number, likelihood);
            }
        }
        (best.0, best.1)
    };
    positions
        .iter()
        .zip(probabilities.chunks(predictor.order().cell_count() * side))
        .map(choose)
        .collect()
}

/// The most likely digit, the first among equals, and its probability.
pub(super) fn most_likely(probabilities: &[f32]) -> (u8, f32) {
    let mut best = (1, f32::NEG_INFINITY);
    for (number, &probability) in (1..).zip(probabilities) {
        if probability > best.1 {
            best = (number, probability);
        }
    }
    best
}

/// Whether this is a valid, complete grid.
pub(super) fn is_solved(order: Order, numbers: &[u8]) -> bool {
    Grid::from_numbers(order, numbers).is_some_and(|grid| grid.is_solved())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::training::data::Examples;

    /// Predicts one known solution, with higher probabilities in later cells. The cell `wrong_cell`
    /// is wrong until its right neighbour is filled.
    pub(crate) struct KnownSolution {
        solution: Vec<u8>,
        wrong_cell: Option<usize>,
    }

    impl Predictor for KnownSolution {
        fn order(&self) -> Order {
            Order::FOUR
        }

        fn batch(&self) -> usize {
            2
        }

        fn log_probabilities(&self, puzzles: &[&[u8]]) -> Vec<f32> {
            let mut probabilities = Vec::new();
            for puzzle in puzzles {
                for cell in 0..16 {
                    let is_wrong = self.wrong_cell == Some(cell) && puzzle[cell + 1] == 0;
                    let right =
                        if is_wrong { self.solution[cell] % 4 + 1 } else { self.solution[cell] };
                    let sure = 0.4 + cell as f32 / 40.0;
                    probabilities.extend((1..=4).map(|number| {
                        if number == right { sure } else { (1.0 - sure) / 3.0 }.ln()
                    }));
                }
            }
            probabilities
        }
    }

    pub(crate) fn examples() -> Examples {
        Examples::read(
            "1..4..1..3..4..3\n1..4..1.......23\n....3412234141.3\n".as_bytes(),
            Order::FOUR,
        )
        .unwrap()
    }

    pub(crate) fn predictor(wrong_cell: Option<usize>) -> KnownSolution {
        KnownSolution { solution: examples().solution(0).to_vec(), wrong_cell }
    }

    #[test]
    fn proposals_keep_the_clues() {
        let predictor = predictor(None);
        let proposer = NetworkProposer { predictor: &predictor, decoding: Decoding::CellByCell };
        assert!(proposer.supports(Order::FOUR) && !proposer.supports(Order::NINE));
        let puzzles: Vec<Grid> = ["1..4..1..3..4..3", "....3412234141.3", "4..............."]
            .map(|text| text.parse().expect("valid 4×4 puzzle"))
            .to_vec();
        let proposed = proposer.propose(&puzzles);
        assert!(proposed[0].solves(&puzzles[0]) && proposed[1].solves(&puzzles[1]));
        assert!(
            proposed[2].is_full() && !proposed[2].solves(&puzzles[2]),
            "the wrong 4 of the player stays"
        );
        assert_eq!(proposed[2][Order::FOUR.cell(0, 0)], ninefold::grid::Digit::new(4));
    }

    #[test]
    fn the_most_certain_cell_is_empty() {
        let (cell, number) = most_certain_cells(&predictor(None), &[examples().puzzle(0)])[0];
        assert_eq!((cell, number), (14, 2));
    }
}
