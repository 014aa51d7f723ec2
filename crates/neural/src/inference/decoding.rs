//! Decoding: this is where probabilities become digits in cells.

use super::predictor::Predictor;
use ninefold::grid::{Grid, Order};
use ninefold::hybrid::Proposer;
use serde::Serialize;

/// How a network fills a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decoding {
    /// All cells after one forward pass.
    AtOnce,
    /// The cell it is surest of, then another forward pass.
    CellByCell,
}

/// Fills puzzles.
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

/// A network as the proposer of a hybrid.
pub struct NetworkProposer<'a> {
    /// The network.
    pub predictor: &'a dyn Predictor,
    /// How it fills.
    pub decoding: Decoding,
}

impl Proposer for NetworkProposer<'_> {
    fn takes(&self, order: Order) -> bool {
        self.predictor.takes(order)
    }

    fn propose(&self, puzzles: &[Grid]) -> Vec<Grid> {
        let of_one_size = puzzles.chunk_by(|one, next| one.order() == next.order());
        of_one_size.flat_map(|puzzles| self.propose_for_one_size(puzzles)).collect()
    }

    fn guide(&self, puzzle: &Grid) -> Option<Vec<f32>> {
        let other = self.for_order(puzzle.order());
        let predictor = other.as_deref().unwrap_or(self.predictor);
        let numbers: Vec<u8> = puzzle.numbers().collect();
        predictor.guides_search().then(|| predictor.log_probabilities(&[&numbers]))
    }
}

impl NetworkProposer<'_> {
    /// The network for this size, if it is another one.
    fn for_order(&self, order: Order) -> Option<Box<dyn Predictor>> {
        (order != self.predictor.order()).then(|| self.predictor.for_order(order)).flatten()
    }

    fn propose_for_one_size(&self, puzzles: &[Grid]) -> Vec<Grid> {
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
                Grid::from_numbers(order, &numbers).expect("digits of this order were filled in")
            })
            .collect()
    }
}

/// Fills every empty cell with its likeliest digit after one forward pass.
fn at_once(predictor: &dyn Predictor, puzzles: &[&[u8]]) -> Vec<Vec<u8>> {
    let order = predictor.order();
    let probabilities = predictor.log_probabilities(puzzles);
    let probabilities = probabilities.chunks(order.cell_count() * order.side());
    puzzles
        .iter()
        .zip(probabilities)
        .map(|(puzzle, probabilities)| filled_with(order, puzzle, probabilities))
        .collect()
}

/// Fills every empty cell with its likeliest digit.
pub(super) fn filled_with(order: Order, puzzle: &[u8], probabilities: &[f32]) -> Vec<u8> {
    let fill = |(&number, probabilities): (&u8, &[f32])| {
        if number == 0 { likeliest(probabilities).0 } else { number }
    };
    puzzle.iter().zip(probabilities.chunks(order.side())).map(fill).collect()
}

/// Fills the cell with the likeliest digit of all, runs the network on the new position, and goes on until all cells are
/// full.
///
/// This is Kocherzhenko's `predict_number` in a loop, and how Tran and Manley fill a puzzle. A digit that is placed
/// stays, even if it breaks a rule: it is the network that is tested here.
fn cell_by_cell(predictor: &dyn Predictor, puzzles: &[&[u8]]) -> Vec<Vec<u8>> {
    let mut filled: Vec<Vec<u8>> = puzzles.iter().map(|puzzle| puzzle.to_vec()).collect();
    loop {
        let open: Vec<usize> =
            (0..filled.len()).filter(|&index| filled[index].contains(&0)).collect();
        if open.is_empty() {
            return filled;
        }
        let positions: Vec<&[u8]> = open.iter().map(|&index| &filled[index][..]).collect();
        let choices = surest_cells(predictor, &positions);
        for (index, (cell, number)) in open.into_iter().zip(choices) {
            filled[index][cell] = number;
        }
    }
}

/// For each position with an empty cell: the cell the network is surest of, and the number it would write there.
fn surest_cells(predictor: &dyn Predictor, positions: &[&[u8]]) -> Vec<(usize, u8)> {
    let side = predictor.order().side();
    let probabilities = predictor.log_probabilities(positions);
    let choose = |(position, probabilities): (&&[u8], &[f32])| {
        let mut best = (0, 0, f32::NEG_INFINITY);
        for (cell, probabilities) in
            probabilities.chunks(side).enumerate().filter(|&(cell, _)| position[cell] == 0)
        {
            let (number, likelihood) = likeliest(probabilities);
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

/// The number of the likeliest digit, the first among equals, and its likelihood.
pub(super) fn likeliest(probabilities: &[f32]) -> (u8, f32) {
    let mut best = (1, f32::NEG_INFINITY);
    for (number, &probability) in (1..).zip(probabilities) {
        if probability > best.1 {
            best = (number, probability);
        }
    }
    best
}

/// Is this a full grid that breaks no rule?
pub(super) fn keeps_the_rules(order: Order, numbers: &[u8]) -> bool {
    Grid::from_numbers(order, numbers).is_some_and(|grid| grid.is_solved())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::training::data::Examples;

    /// Knows one solution, and is surer of later cells; `slip` is a cell it gets wrong until its neighbour is filled.
    pub(crate) struct Knows {
        solution: Vec<u8>,
        slip: Option<usize>,
    }

    impl Predictor for Knows {
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
                    let is_slip = self.slip == Some(cell) && puzzle[cell + 1] == 0;
                    let right =
                        if is_slip { self.solution[cell] % 4 + 1 } else { self.solution[cell] };
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

    pub(crate) fn predictor(slip: Option<usize>) -> Knows {
        Knows { solution: examples().solution(0).to_vec(), slip }
    }

    #[test]
    fn a_network_proposes_for_the_hybrid_and_keeps_what_stands_in_the_puzzle() {
        let predictor = predictor(None);
        let proposer = NetworkProposer { predictor: &predictor, decoding: Decoding::CellByCell };
        assert!(proposer.takes(Order::FOUR) && !proposer.takes(Order::NINE));
        let puzzles: Vec<Grid> = ["1..4..1..3..4..3", "....3412234141.3", "4..............."]
            .map(|text| text.parse().expect("a 4×4 puzzle"))
            .to_vec();
        let proposed = proposer.propose(&puzzles);
        assert!(proposed[0].solves(&puzzles[0]) && proposed[1].solves(&puzzles[1]));
        assert!(
            proposed[2].is_full() && !proposed[2].solves(&puzzles[2]),
            "the player's 4 stays and spoils it"
        );
        assert_eq!(proposed[2][Order::FOUR.cell(0, 0)], ninefold::grid::Digit::new(4));
    }

    #[test]
    fn the_surest_cell_is_an_empty_one() {
        let (cell, number) = surest_cells(&predictor(None), &[examples().puzzle(0)])[0];
        assert_eq!((cell, number), (14, 2));
    }
}
