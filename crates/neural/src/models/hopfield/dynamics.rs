//! A real Hopfield network: symmetric weights, asynchronous updates, an energy that never rises.
//!
//! The energy of a state is the distance of its sums from those of a solution: E = Σ (sum − 1)²
//! over all sums of equations 3 to 6. For outputs of 0 and 1 it equals the energy that Hopfield
//! defined in 1982:
//!
//! ```text
//! E = −½ Σ w(a,b) V(a) V(b) − Σ 4 V(a) + number of sums
//! w(a,b) = −2 × the number of sums that contain both a and b, w(a,a) = 0
//! ```
//!
//! So two neurons that exclude each other inhibit each other, and each neuron has a bias of 4, one
//! for each of its sums. A neuron turns on if its input u = Σ w V + 4 is above 0, turns off if it
//! is below, and otherwise keeps its state. Each change lowers E by |u|. E is a non-negative
//! integer, so the network settles. It settles in a local minimum, which is seldom a solution: E =
//! 0 if and only if the state is a solution.

use super::network::Readout;
use super::sums::{Neuron, Sums};
use ninefold::grid::{Cell, Digit, DigitSet, Grid};
use ninefold::random::Random;
use std::cmp::Ordering;

/// Input of a neuron if no other neuron is on: 1 for each of its sums.
const BIAS: i64 = 4;

/// A Hopfield network. Digits of the board are clamped: their neurons are on, and the neurons that
/// they exclude are off.
#[derive(Clone, Debug)]
pub struct Dynamics {
    board: Grid,
    /// The neurons that are not clamped.
    free: Vec<bool>,
    firing: Vec<bool>,
    sums: Sums,
    energy: i64,
    random: Random,
}

impl Dynamics {
    /// All neurons are off except those of the digits of the board; `seed` determines the order of
    /// updates.
    pub fn new(board: &Grid, seed: u64) -> Dynamics {
        let order = board.order();
        let sums = Sums::zero(order);
        let energy = sums.all().len() as i64;
        let neurons = order.cell_count() * order.side();
        let mut dynamics = Dynamics {
            board: Grid::empty(order),
            free: vec![true; neurons],
            firing: vec![false; neurons],
            sums,
            energy,
            random: Random::new(seed),
        };
        for (cell, digit) in board.clues() {
            dynamics.clamp(cell, digit);
        }
        dynamics
    }

    /// Like [`new`](Dynamics::new), but each neuron that is not clamped is on with probability 1/2.
    pub fn random(board: &Grid, seed: u64) -> Dynamics {
        let mut dynamics = Dynamics::new(board, seed);
        for neuron in dynamics.free_neurons() {
            let fires = dynamics.random.chance(0.5);
            dynamics.set(neuron, fires);
        }
        dynamics
    }

    /// Places a digit on the board. This is not an update: the energy may rise.
    pub fn clamp(&mut self, cell: Cell, digit: Digit) {
        let order = self.board.order();
        self.board.set(cell, Some(digit));
        for other in order.digits() {
            self.fix(Neuron { cell, digit: other }, other == digit);
        }
        for &peer in order.peers_of(cell) {
            // On an invalid board a peer may have the same digit; it stays on.
            self.fix(Neuron { cell: peer, digit }, self.board[peer] == Some(digit));
        }
    }

    /// The current energy.
    pub fn energy(&self) -> i64 {
        self.energy
    }

    /// Updates one neuron and returns the new energy.
    pub fn update(&mut self, neuron: Neuron) -> i64 {
        if self.free[neuron.index(self.board.order())] {
            match self.input(neuron).cmp(&0) {
                Ordering::Greater => self.set(neuron, true),
                Ordering::Less => self.set(neuron, false),
                Ordering::Equal => {}
            }
        }
        self.energy
    }

    /// Updates all neurons in random order until none changes. Returns the energy after every
    /// update.
    pub fn settle(&mut self) -> Vec<i64> {
        let mut neurons = self.free_neurons();
        let mut energies = Vec::new();
        loop {
            let before = self.energy;
            self.random.shuffle(&mut neurons);
            energies.extend(neurons.iter().map(|&neuron| self.update(neuron)));
            // Every change lowers the energy, so equal energy means that nothing changed.
            if self.energy == before {
                return energies;
            }
        }
    }

    /// Reads the state. A cell is certain if one of its neurons is on and all four sums of that
    /// neuron are 1. The possible values of the others are those whose neurons are not clamped.
    ///
    /// Certain cells are not proven: the state may be far from a solution.
    pub fn readout(&self) -> Readout {
        let mut readout = Readout::default();
        for cell in self.board.empty_cells() {
            let values = self.possible_values(cell);
            match self.stable_digit(cell) {
                _ if values.is_empty() => readout.impossible.push(cell),
                Some(digit) => readout.certain.push((cell, digit)),
                None => readout.uncertain.push((cell, values)),
            }
        }
        readout
    }

    fn possible_values(&self, cell: Cell) -> DigitSet {
        let order = self.board.order();
        order.digits().filter(|&digit| self.free[Neuron { cell, digit }.index(order)]).collect()
    }

    fn stable_digit(&self, cell: Cell) -> Option<Digit> {
        let agreed = |&digit: &Digit| {
            let neuron = Neuron { cell, digit };
            self.fires(neuron) && self.sums.at(neuron) == [1; 4]
        };
        self.board.order().digits().find(agreed)
    }

    fn free_neurons(&self) -> Vec<Neuron> {
        Neuron::all(self.board.order())
            .zip(&self.free)
            .filter(|(_, free)| **free)
            .map(|(neuron, _)| neuron)
            .collect()
    }

    fn fires(&self, neuron: Neuron) -> bool {
        self.firing[neuron.index(self.board.order())]
    }

    /// u = Σ w V + 4, computed from the sums: each other neuron of a sum contributes −2.
    fn input(&self, neuron: Neuron) -> i64 {
        let own = i64::from(self.fires(neuron));
        BIAS - 2 * self.sums.at(neuron).iter().map(|sum| sum - own).sum::<i64>()
    }

    fn fix(&mut self, neuron: Neuron, fires: bool) {
        self.set(neuron, fires);
        self.free[neuron.index(self.board.order())] = false;
    }

    fn set(&mut self, neuron: Neuron, fires: bool) {
        if fires != self.fires(neuron) {
            let change = if fires { 1 } else { -1 };
            self.energy -= change * self.input(neuron);
            self.sums.add(neuron, change);
            self.firing[neuron.index(self.board.order())] = fires;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::network;
    use super::*;
    use ninefold::grid::Order;

    const PUZZLES: [&str; 4] = [
        "1..4..1..3..4..3",
        "1.34564..1..23156456.2313126.564.312",
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
        "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    ];

    /// The weight between two neurons; symmetric.
    fn weight(order: Order, a: Neuron, b: Neuron) -> i64 {
        if a == b {
            return 0;
        }
        let shared =
            a.sums(order).iter().zip(b.sums(order)).filter(|&(&left, right)| left == right).count();
        -2 * shared as i64
    }

    /// The energy by Hopfield's formula, from the weights.
    fn energy_by_weights(dynamics: &Dynamics) -> i64 {
        let order = dynamics.board.order();
        let firing: Vec<Neuron> =
            Neuron::all(order).filter(|&neuron| dynamics.fires(neuron)).collect();
        let pairs: i64 =
            firing.iter().map(|&a| firing.iter().map(|&b| weight(order, a, b)).sum::<i64>()).sum();
        -pairs / 2 - BIAS * firing.len() as i64 + dynamics.sums.all().len() as i64
    }

    fn energy_by_sums(dynamics: &Dynamics) -> i64 {
        dynamics.sums.all().iter().map(|sum| (sum - 1) * (sum - 1)).sum()
    }

    #[test]
    fn weights_are_symmetric_and_count_the_shared_sums() {
        let neurons: Vec<Neuron> = Neuron::all(Order::FOUR).collect();
        for &a in &neurons {
            assert_eq!(weight(Order::FOUR, a, a), 0);
            for &b in &neurons {
                assert_eq!(weight(Order::FOUR, a, b), weight(Order::FOUR, b, a));
            }
        }
        let at = |row, column| Neuron {
            cell: Order::FOUR.cell(row, column),
            digit: Digit::from_index(0),
        };
        assert_eq!(weight(Order::FOUR, at(0, 0), at(0, 1)), -4, "same row and box");
        assert_eq!(weight(Order::FOUR, at(0, 0), at(0, 2)), -2, "same row");
        assert_eq!(weight(Order::FOUR, at(0, 0), at(2, 2)), 0);
    }

    #[test]
    fn energy_matches_both_formulas() {
        for puzzle in PUZZLES {
            let mut dynamics = Dynamics::random(&puzzle.parse().unwrap(), 3);
            assert_eq!(dynamics.energy(), energy_by_sums(&dynamics));
            assert_eq!(dynamics.energy(), energy_by_weights(&dynamics));
            dynamics.settle();
            assert_eq!(dynamics.energy(), energy_by_sums(&dynamics));
            assert_eq!(dynamics.energy(), energy_by_weights(&dynamics));
        }
    }

    #[test]
    fn solutions_have_energy_zero() {
        let solution: Grid = "1234341223414123".parse().unwrap();
        assert_eq!(Dynamics::new(&solution, 0).energy(), 0);
        let cell = Order::FOUR.cell(2, 2);
        let mut dynamics = Dynamics::new(&solution.without(cell), 0);
        assert_eq!(dynamics.energy(), 4, "four sums are 0 instead of 1");
        dynamics.settle();
        assert_eq!(dynamics.energy(), 0);
        assert_eq!(dynamics.readout().certain, [(cell, Digit::from_index(3))]);
    }

    #[test]
    fn clamped_neurons_never_change() {
        let puzzle: Grid = PUZZLES[2].parse().unwrap();
        let mut dynamics = Dynamics::random(&puzzle, 1);
        dynamics.settle();
        for (cell, digit) in puzzle.clues() {
            for other in puzzle.order().digits() {
                assert_eq!(dynamics.fires(Neuron { cell, digit: other }), other == digit);
            }
            for &peer in puzzle.order().peers_of(cell) {
                assert!(
                    !dynamics.fires(Neuron { cell: peer, digit }),
                    "a digit of the board excludes it"
                );
            }
        }
    }

    #[test]
    fn possible_values_match_the_network_of_the_paper() {
        for puzzle in PUZZLES {
            let puzzle: Grid = puzzle.parse().unwrap();
            let dynamics = Dynamics::new(&puzzle, 0);
            for (cell, values) in network::run(&puzzle).uncertain {
                assert_eq!(dynamics.possible_values(cell), values);
            }
        }
    }

    #[test]
    fn equal_seeds_give_equal_runs() {
        let puzzle: Grid = PUZZLES[2].parse().unwrap();
        let run = |seed| Dynamics::new(&puzzle, seed).settle();
        assert_eq!(run(7), run(7));
        assert_ne!(run(7), run(8));
    }
}
