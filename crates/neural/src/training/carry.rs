//! Carried puzzles: this is where a recurrent network continues on a puzzle from one training step to the next.
//!
//! ```text
//! for each place of the batch:   a puzzle that was solved at two steps running, or was carried long enough, makes room
//!                                for the example that this step brings for the place
//! some recurrences from where the network stopped, their loss, one step of Adam; its states are kept, detached
//! ```
//! So a network learns to take many steps without a gradient through all of them, and the hard puzzles are carried longest.
//! For recurrent networks on hard puzzles such a change of puzzles is reported to gain eight points (arXiv 2605.21488).

use crate::models::RecurrentState;
use crate::training::checkpoint::{CheckpointError, HostTensor, Tensors, host_tensor};
use crate::training::data::Examples;
use burn::tensor::backend::Backend;
use burn::tensor::{Tensor, TensorData};
use ninefold::grid::Order;

/// A puzzle that was solved at this many steps running may go.
const SOLVED_RUNNING: usize = 2;
const STATES: &str = "carried.states";
const PUZZLES: &str = "carried.puzzles";
const SOLUTIONS: &str = "carried.solutions";
const STAYED: &str = "carried.stayed";
const SOLVED: &str = "carried.solved";

/// The puzzles of a batch, and the states of a network on them.
#[derive(Clone, Debug)]
pub struct Carried<B: Backend> {
    examples: Examples,
    /// The steps that each has been here.
    carried_for: Vec<usize>,
    /// The steps running that each has been solved.
    solved: Vec<usize>,
    states: Option<Tensor<B, 3>>,
}

impl<B: Backend> Carried<B> {
    /// A batch of puzzles that the network has not seen.
    pub fn new(examples: Examples) -> Carried<B> {
        let nothing = vec![0; examples.len()];
        Carried { examples, carried_for: nothing.clone(), solved: nothing, states: None }
    }

    /// The puzzles.
    pub fn examples(&self) -> &Examples {
        &self.examples
    }

    /// The places whose puzzles may go.
    pub fn places_to_fill(&self, max_carry_steps: usize) -> Vec<usize> {
        let is_done = |&place: &usize| {
            self.carried_for[place] >= max_carry_steps || self.solved[place] >= SOLVED_RUNNING
        };
        (0..self.examples.len()).filter(is_done).collect()
    }

    /// Puts a new puzzle in a place, the one with this index among the others.
    pub fn fill(&mut self, place: usize, others: &Examples, index: usize) {
        self.examples.replace(place, others.puzzle(index), others.solution(index));
        (self.carried_for[place], self.solved[place]) = (0, 0);
    }

    /// The states of the network on them so far.
    pub fn state(&self, device: &B::Device) -> RecurrentState<B> {
        let unseen: Vec<f32> =
            self.carried_for.iter().map(|&steps| f32::from(u8::from(steps == 0))).collect();
        let shape = [unseen.len(), 1, 1];
        RecurrentState {
            states: self.states.clone(),
            unseen: Tensor::from_data(TensorData::new(unseen, shape), device),
        }
    }

    /// Keeps the states after a step, and notes which of the puzzles its logits, `[batch, cells, digits]`, solve.
    pub fn update(&mut self, states: Tensor<B, 3>, logits: Tensor<B, 3>, solutions: Tensor<B, 3>) {
        let [batch, cells, _] = logits.dims();
        let wrong = logits.argmax(2).not_equal(solutions.argmax(2)); // [batch, cells, 1]
        let wrong = wrong.int().reshape([batch, cells]).sum_dim(1).into_data();
        for (place, wrong) in wrong.iter::<i64>().enumerate() {
            self.carried_for[place] += 1;
            self.solved[place] = if wrong == 0 { self.solved[place] + 1 } else { 0 };
        }
        self.states = Some(states);
    }

    /// Adds all of it to a checkpoint.
    pub fn add_to(&self, tensors: &mut Tensors) {
        let cells = self.examples.order().cell_count();
        let batch = self.examples.len();
        let mut add = |name: &str, shape: Vec<usize>, values: Vec<f32>| {
            tensors.insert(name.to_string(), HostTensor { shape, values });
        };
        let numbers = |grid: fn(&Examples, usize) -> &[u8]| {
            (0..batch)
                .flat_map(|place| grid(&self.examples, place))
                .map(|&digit| f32::from(digit))
                .collect()
        };
        add(PUZZLES, vec![batch, cells], numbers(Examples::puzzle));
        add(SOLUTIONS, vec![batch, cells], numbers(Examples::solution));
        add(STAYED, vec![batch], self.carried_for.iter().map(|&steps| steps as f32).collect());
        add(SOLVED, vec![batch], self.solved.iter().map(|&steps| steps as f32).collect());
        if let Some(states) = &self.states {
            tensors.insert(STATES.to_string(), host_tensor(states));
        }
    }

    /// Reads it back, for puzzles of this size; nothing if the checkpoint has none.
    pub fn from(
        tensors: &Tensors,
        order: Order,
        device: &B::Device,
    ) -> Result<Option<Carried<B>>, CheckpointError> {
        let cells = order.cell_count();
        let Some(puzzles) = tensors.get(PUZZLES) else { return Ok(None) };
        let batch = puzzles.values.len() / cells;
        let get = |name: &str, length: usize| {
            let tensor = tensors.get(name).filter(|tensor| tensor.values.len() == length);
            tensor.ok_or_else(|| {
                CheckpointError::Unfit(format!("{name} is missing or has another length"))
            })
        };
        let bytes = |tensor: &HostTensor| {
            tensor.values.iter().map(|&digit| digit as u8).collect::<Vec<u8>>()
        };
        let counts = |tensor: &HostTensor| {
            tensor.values.iter().map(|&steps| steps as usize).collect::<Vec<usize>>()
        };
        let (puzzles, solutions) =
            (bytes(get(PUZZLES, batch * cells)?), bytes(get(SOLUTIONS, batch * cells)?));
        let examples = Examples::of_numbers(order, puzzles, solutions).ok_or_else(|| {
            CheckpointError::Unfit(format!("{PUZZLES} holds something that is not a grid"))
        })?;
        let (carried_for, solved) = (counts(get(STAYED, batch)?), counts(get(SOLVED, batch)?));
        let states = match tensors.get(STATES) {
            None => None,
            Some(HostTensor { shape, values }) => {
                let shape: [usize; 3] = shape[..]
                    .try_into()
                    .ok()
                    .filter(|shape: &[usize; 3]| shape[0] == batch)
                    .ok_or(CheckpointError::Unfit(format!(
                        "{STATES} has the shape {shape:?} for {batch} puzzles"
                    )))?;
                Some(Tensor::from_data(TensorData::new(values.clone(), shape), device))
            }
        };
        Ok(Some(Carried { examples, carried_for, solved, states }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Cpu;

    const PUZZLE: &str = "1..4..1..3..4..3\n";

    fn two() -> Examples {
        Examples::read(PUZZLE.repeat(2).as_bytes(), Order::FOUR).unwrap()
    }

    /// Answers with the solutions of both, but for the first cell of the second.
    fn answer(examples: &Examples, second_is_right: bool) -> (Tensor<Cpu, 3>, Tensor<Cpu, 3>) {
        let solutions = (0..2).map(|index| examples.solution(index));
        let solutions =
            crate::training::losses::targets::<Cpu>(Order::FOUR, solutions, &Default::default());
        let mut numbers: Vec<f32> = solutions.clone().into_data().into_vec().unwrap();
        if !second_is_right {
            numbers[16 * 4..][..4].reverse();
        }
        (Tensor::from_data(TensorData::new(numbers, [2, 16, 4]), &Default::default()), solutions)
    }

    #[test]
    fn a_puzzle_goes_when_it_was_solved_twice_running_or_was_carried_long_enough() {
        let examples = two();
        let mut carried: Carried<Cpu> = Carried::new(examples.clone());
        let states = || Tensor::zeros([2, 16, 3], &Default::default());
        let unseen = |carried: &Carried<Cpu>| -> Vec<f32> {
            carried.state(&Default::default()).unseen.into_data().into_vec().unwrap()
        };
        assert_eq!((carried.places_to_fill(3), unseen(&carried)), (vec![], vec![1.0, 1.0]));
        for expected in [vec![], vec![0], vec![0, 1]] {
            let (answer, solutions) = answer(&examples, false);
            carried.update(states(), answer, solutions);
            assert_eq!((carried.places_to_fill(3), unseen(&carried)), (expected, vec![0.0, 0.0]));
        }
        carried.fill(1, &examples, 0);
        assert_eq!((carried.places_to_fill(3), unseen(&carried)), (vec![0], vec![0.0, 1.0]));
        let (right, solutions) = answer(&examples, true);
        carried.update(states(), right, solutions);
        assert_eq!(carried.places_to_fill(9), [0], "once is not twice");
    }

    #[test]
    fn what_is_kept_in_a_checkpoint_comes_back() {
        let examples = two();
        let mut carried: Carried<Cpu> = Carried::new(examples.clone());
        let mut tensors = Tensors::new();
        assert!(
            Carried::<Cpu>::from(&tensors, Order::FOUR, &Default::default()).unwrap().is_none()
        );
        let (answer, solutions) = answer(&examples, false);
        let states = Tensor::from_data(
            TensorData::new((0..96).map(|n| n as f32).collect(), [2, 16, 3]),
            &Default::default(),
        );
        carried.update(states, answer, solutions);
        carried.add_to(&mut tensors);
        let back: Carried<Cpu> =
            Carried::from(&tensors, Order::FOUR, &Default::default()).unwrap().unwrap();
        let mut again = Tensors::new();
        back.add_to(&mut again);
        assert_eq!(again, tensors);
        assert_eq!((back.carried_for, back.solved), (vec![1, 1], vec![1, 0]));
        tensors.get_mut(PUZZLES).unwrap().values[0] = 9.0;
        assert!(
            Carried::<Cpu>::from(&tensors, Order::FOUR, &Default::default()).is_err(),
            "there is no 9 on a 4×4 grid"
        );
        tensors.remove(STAYED);
        assert!(Carried::<Cpu>::from(&tensors, Order::FOUR, &Default::default()).is_err());
    }
}
