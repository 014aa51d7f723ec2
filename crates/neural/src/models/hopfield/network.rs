//! The network of the paper: two updates of the energies, then the reading-off.
//!
//! The energy of a neuron is the sum of its inputs: what is put in from outside (1 for a digit on the board) and what
//! the other neurons of its four sums put out. All neurons start silent, so the first update hands each one its own
//! input, and the second brings in the others. A neuron whose energy is then still 0 stands for a possible value.
//!
//! What it amounts to: a value is possible if row, column, box and cell do not hold it already, and a cell is
//! certain if one value is possible. A run is one parallel pass of naked singles.

use super::sums::{Neuron, Sums};
use ninefold::grid::{Cell, Digit, DigitSet, Grid, Order};

/// What a run says about the empty cells, each in reading order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The cells with one possible value.
    pub certain: Vec<(Cell, Digit)>,
    /// The cells with several possible values.
    pub uncertain: Vec<(Cell, DigitSet)>,
    /// The cells without any: the board has no solution.
    pub impossible: Vec<Cell>,
}

/// Runs the network on a board: two updates of the energies and the reading-off.
pub fn run(board: &Grid) -> Reading {
    let mut network = Network::silent(board);
    network.update_energies();
    network.update_energies();
    network.read_off()
}

/// One neuron for each cell and digit.
#[derive(Clone, Debug)]
pub struct Network {
    board: Grid,
    /// 1 for a digit on the board: the neuron is clamped.
    input: Vec<i64>,
    energy: Vec<i64>,
    output: Vec<i64>,
}

impl Network {
    /// The digits of the board are put in; no neuron has put out anything yet.
    pub fn silent(board: &Grid) -> Network {
        let order = board.order();
        let input: Vec<i64> = Neuron::all(order)
            .map(|neuron| i64::from(board[neuron.cell] == Some(neuron.digit)))
            .collect();
        let silent = vec![0; input.len()];
        Network { board: board.clone(), input, energy: silent.clone(), output: silent }
    }

    /// Updates the energies of all neurons at once, and with them what they put out.
    ///
    /// A run makes two of these calls. A third would spoil the reading: neurons that are ruled out have an energy
    /// too, and it would reach those that are possible.
    pub fn update_energies(&mut self) {
        let order = self.order();
        let mut sums = Sums::zero(order);
        for (neuron, &output) in Neuron::all(order).zip(&self.output) {
            sums.add(neuron, output);
        }
        for (place, neuron) in Neuron::all(order).enumerate() {
            let from_others: i64 = sums.of(neuron).iter().map(|sum| sum - self.output[place]).sum();
            self.energy[place] = self.input[place] + from_others;
        }
        for (place, output) in self.output.iter_mut().enumerate() {
            let clamped = self.input[place] == 1;
            *output = if clamped { 1 } else { self.energy[place] };
        }
    }

    /// Which cells are certain, and what the others could be.
    pub fn read_off(&self) -> Reading {
        let mut reading = Reading::default();
        for cell in self.board.empty_cells() {
            let values = self.possible_values(cell);
            match values.count() {
                0 => reading.impossible.push(cell),
                1 => reading.certain.extend(values.only().map(|digit| (cell, digit))),
                _ => reading.uncertain.push((cell, values)),
            }
        }
        reading
    }

    /// The digits whose neurons have no energy.
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

    /// A naked single is a cell with one candidate: the same reading, said with `Candidates`.
    fn naked_singles(board: &Grid) -> Reading {
        let candidates = Candidates::of(board).unwrap();
        let mut reading = Reading::default();
        for cell in board.empty_cells() {
            match (candidates.at(cell).only(), candidates.at(cell).is_empty()) {
                (Some(digit), _) => reading.certain.push((cell, digit)),
                (None, true) => reading.impossible.push(cell),
                (None, false) => reading.uncertain.push((cell, candidates.at(cell))),
            }
        }
        reading
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
    fn a_cell_that_sees_every_digit_is_impossible() {
        let board: Grid = "123........4....".parse().unwrap();
        assert_eq!(run(&board).impossible, [Order::FOUR.cell(0, 3)]);
    }

    #[test]
    fn one_update_knows_only_the_board_and_three_spoil_the_reading() {
        let board: Grid = CLASSIC.parse().unwrap();
        let mut network = Network::silent(&board);
        network.update_energies();
        let first = network.read_off();
        assert!(
            first.uncertain.iter().all(|(_, values)| values.count() == 9),
            "nothing is ruled out yet"
        );
        network.update_energies();
        assert_eq!(network.read_off(), run(&board));
        network.update_energies();
        assert_ne!(network.read_off(), run(&board));
    }
}
