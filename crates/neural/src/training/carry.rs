//! Carried puzzles: a recurrent network continues on a puzzle from one training step to the next.
//!
//! ```text
//! each training step:
//!   replace every puzzle that was solved in two consecutive training steps, or carried long enough
//!   run some recurrent steps from the states of the last training step
//!   compute the loss of these recurrent steps; take one step of Adam
//!   keep the final states, detached from the gradient
//! ```
//! So a network learns to take many recurrent steps without a gradient through all of them, and
//! hard puzzles are carried longest. arXiv 2605.21488 reports that this raises the accuracy of
//! recurrent networks on hard puzzles by eight percentage points.

use crate::models::RecurrentState;
use crate::training::checkpoint::{CheckpointError, HostTensor, Tensors, host_tensor};
use crate::training::data::Examples;
use burn::tensor::backend::Backend;
use burn::tensor::{Tensor, TensorData};
use ninefold::grid::Order;

/// A puzzle is replaced after it was solved at this many consecutive steps.
const SOLVED_STEPS: usize = 2;
const STATES: &str = "carried.states";
const PUZZLES: &str = "carried.puzzles";
const SOLUTIONS: &str = "carried.solutions";
const STAYED: &str = "carried.stayed";
const SOLVED: &str = "carried.solved";

/// The puzzles of a batch, and the states of a network on them.
#[derive(Clone, Debug)]
pub struct Carried<B: Backend> {
    examples: Examples,
    /// The steps since each puzzle was added.
    carried_for: Vec<usize>,
    /// The consecutive steps at which each puzzle was solved.
    solved: Vec<usize>,
    states: Option<Tensor<B, 3>>,
}

impl<B: Backend> Carried<B> {
    /// A batch of new puzzles.
    pub fn new(examples: Examples) -> Carried<B> {
        let nothing = vec![0; examples.len()];
        Carried { examples, carried_for: nothing.clone(), solved: nothing, states: None }
    }

    pub fn examples(&self) -> &Examples {
        &self.examples
    }

    /// The slots whose puzzles are to be replaced.
    pub fn finished_slots(&self, max_carry_steps: usize) -> Vec<usize> {
        let is_done = |&slot: &usize| {
            self.carried_for[slot] >= max_carry_steps || self.solved[slot] >= SOLVED_STEPS
        };
        (0..self.examples.len()).filter(is_done).collect()
    }

    /// Replaces the puzzle of a slot with an example.
    pub fn replace(&mut self, slot: usize, examples: &Examples, index: usize) {
        self.examples.replace(slot, examples.puzzle(index), examples.solution(index));
        (self.carried_for[slot], self.solved[slot]) = (0, 0);
    }

    /// The states of the network after the last step.
    pub fn state(&self, device: &B::Device) -> RecurrentState<B> {
        let is_new: Vec<f32> =
            self.carried_for.iter().map(|&steps| f32::from(u8::from(steps == 0))).collect();
        let shape = [is_new.len(), 1, 1];
        RecurrentState {
            states: self.states.clone(),
            is_new: Tensor::from_data(TensorData::new(is_new, shape), device),
        }
    }

    /// Keeps the states after a step, and records which puzzles are solved by the likeliest digits
    /// of `logits`, `[batch, cells, digits]`.
    pub fn update(&mut self, states: Tensor<B, 3>, logits: Tensor<B, 3>, solutions: Tensor<B, 3>) {
        let [batch, cells, _] = logits.dims();
        let wrong = logits.argmax(2).not_equal(solutions.argmax(2)); // [batch, cells, 1]
        let wrong = wrong.int().reshape([batch, cells]).sum_dim(1).into_data();
        for (slot, wrong) in wrong.iter::<i64>().enumerate() {
            self.carried_for[slot] += 1;
            self.solved[slot] = if wrong == 0 { self.solved[slot] + 1 } else { 0 };
        }
        self.states = Some(states);
    }

    /// Adds puzzles and states to a checkpoint.
    pub fn add_to(&self, tensors: &mut Tensors) {
        let cells = self.examples.order().cell_count();
        let batch = self.examples.len();
        let mut add = |name: &str, shape: Vec<usize>, values: Vec<f32>| {
            tensors.insert(name.to_string(), HostTensor { shape, values });
        };
        let numbers = |grid: fn(&Examples, usize) -> &[u8]| {
            (0..batch)
                .flat_map(|slot| grid(&self.examples, slot))
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

    /// Reads puzzles and states from a checkpoint; none if it has none.
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
        let examples = Examples::from_numbers(order, puzzles, solutions)
            .ok_or_else(|| CheckpointError::Unfit(format!("{PUZZLES} contains an invalid grid")))?;
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
    fn puzzles_are_replaced_when_solved_twice_or_carried_long_enough() {
        let examples = two();
        let mut carried: Carried<Cpu> = Carried::new(examples.clone());
        let states = || Tensor::zeros([2, 16, 3], &Default::default());
        let is_new = |carried: &Carried<Cpu>| -> Vec<f32> {
            carried.state(&Default::default()).is_new.into_data().into_vec().unwrap()
        };
        assert_eq!((carried.finished_slots(3), is_new(&carried)), (vec![], vec![1.0, 1.0]));
        for expected in [vec![], vec![0], vec![0, 1]] {
            let (answer, solutions) = answer(&examples, false);
            carried.update(states(), answer, solutions);
            assert_eq!((carried.finished_slots(3), is_new(&carried)), (expected, vec![0.0, 0.0]));
        }
        carried.replace(1, &examples, 0);
        assert_eq!((carried.finished_slots(3), is_new(&carried)), (vec![0], vec![0.0, 1.0]));
        let (right, solutions) = answer(&examples, true);
        carried.update(states(), right, solutions);
        assert_eq!(carried.finished_slots(9), [0], "solved at one step only");
    }

    #[test]
    fn a_checkpoint_restores_puzzles_and_states() {
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
