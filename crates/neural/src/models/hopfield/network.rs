//! The network of the paper: two updates of the energies, then the readout.
//!
//! The energy of a neuron is the sum of its inputs: its external input (1 for a digit of the board)
//! and the outputs of the other neurons in its four sums. All outputs are initially 0. So the first
//! update sets each energy to the external input, and the second adds the other neurons. A neuron
//! whose energy is still 0 represents a possible value.
//!
//! In effect, a value is possible if row, column, box and cell do not contain it, and a cell is
//! certain if exactly one value is possible. So a run finds all naked singles of the board at once.

use super::sums::{Neuron, Sums};
use ninefold::grid::{Cell, Digit, DigitSet, Grid, Order};

/// The result of a run for the empty cells, each list in reading order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Readout {
    /// Cells with one possible value.
    pub certain: Vec<(Cell, Digit)>,
    /// Cells with several possible values.
    pub uncertain: Vec<(Cell, DigitSet)>,
    /// Cells without possible values; if there are any, the board has no solution.
    pub impossible: Vec<Cell>,
}

/// Runs the network on a board: two updates and the readout.
pub fn run(board: &Grid) -> Readout {
    let mut network = Network::new(board);
    network.update_energies();
    network.update_energies();
    network.readout()
}

/// The network of the paper, with one neuron for each cell and digit.
#[derive(Clone, Debug)]
pub struct Network {
    board: Grid,
    /// 1 for a digit of the board; such a neuron is clamped.
    input: Vec<i64>,
    energy: Vec<i64>,
    output: Vec<i64>,
}

impl Network {
    /// Creates a network with the digits of the board as inputs and all outputs 0.
    pub fn new(board: &Grid) -> Network {
        let order = board.order();
        let input: Vec<i64> = Neuron::all(order)
            .map(|neuron| i64::from(board[neuron.cell] == Some(neuron.digit)))
            .collect();
        let silent = vec![0; input.len()];
        Network { board: board.clone(), input, energy: silent.clone(), output: silent }
    }

    /// Updates the energies of all neurons at once, then their outputs.
    ///
    /// A run makes two updates. A third one would make the readout useless: excluded neurons have
    /// an energy, too, which would reach the possible ones.
    pub fn update_energies(&mut self) {
        let order = self.order();
        let mut sums = Sums::zero(order);
        for (neuron, &output) in Neuron::all(order).zip(&self.output) {
            sums.add(neuron, output);
        }
        for (place, neuron) in Neuron::all(order).enumerate() {
            let from_others: i64 = sums.at(neuron).iter().map(|sum| sum - self.output[place]).sum();
            self.energy[place] = self.input[place] + from_others;
        }
        for (place, output) in self.output.iter_mut().enumerate() {
            let clamped = self.input[place] == 1;
            *output = if clamped { 1 } else { self.energy[place] };
        }
    }

    /// Reads which cells are certain, and the possible values of the others.
    pub fn readout(&self) -> Readout {
        let mut readout = Readout::default();
        for cell in self.board.empty_cells() {
            let values = self.possible_values(cell);
            match values.count() {
                0 => readout.impossible.push(cell),
                1 => readout.certain.extend(values.only().map(|digit| (cell, digit))),
                _ => readout.uncertain.push((cell, values)),
            }
        }
        readout
    }

    /// The digits whose neurons have energy 0.
    fn possible_values(&self, cell: Cell) -> DigitSet {
        let order = self.order();
        order
            .digits()
            .filter(|&digit| self.energy[Neuron { cell, digit }.index(order)] == 0)
            .collect()
    }

    fn order(&self) -> Order {
        self.board.order()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ninefold::grid::Candidates;
    use ninefold::random::Random;

    const CLASSIC: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    /// Computes the same readout with `Candidates`: a naked single is a cell with one candidate.
    fn naked_singles(board: &Grid) -> Readout {
        let candidates = Candidates::new(board).unwrap();
        let mut readout = Readout::default();
        for cell in board.empty_cells() {
            match (candidates.at(cell).only(), candidates.at(cell).is_empty()) {
                (Some(digit), _) => readout.certain.push((cell, digit)),
                (None, true) => readout.impossible.push(cell),
                (None, false) => readout.uncertain.push((cell, candidates.at(cell))),
            }
        }
        readout
    }

    #[test]
    fn a_run_is_one_parallel_pass_of_naked_singles() {
        let solutions = [
            "534678912672195348198342567859761423426853791713924856961537284287419635345286179",
            "1234341223414123",
            "123456456123231564564231312645645312",
        ];
        let mut random = Random::new(8);
        for solution in solutions {
            let full: Grid = solution.parse().unwrap();
            for _ in 0..200 {
                let kept = random.bits() as f64 / u64::MAX as f64;
                let mut board = full.clone();
                for cell in full.order().cells() {
                    if !random.chance(kept) {
                        board.set(cell, None);
                    }
                }
                assert_eq!(run(&board), naked_singles(&board), "{board}");
            }
        }
    }

    #[test]
    fn cells_whose_peers_have_all_digits_are_impossible() {
        let board: Grid = "123........4....".parse().unwrap();
        assert_eq!(run(&board).impossible, [Order::FOUR.cell(0, 3)]);
    }

    #[test]
    fn readout_needs_exactly_two_updates() {
        let board: Grid = CLASSIC.parse().unwrap();
        let mut network = Network::new(&board);
        network.update_energies();
        let first = network.readout();
        assert!(
            first.uncertain.iter().all(|(_, values)| values.count() == 9),
            "nothing is excluded yet"
        );
        network.update_energies();
        assert_eq!(network.readout(), run(&board));
        network.update_energies();
        assert_ne!(network.readout(), run(&board));
    }
}
