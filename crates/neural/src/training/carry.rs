//! Puzzles that stay: this is where a network thinks on about a puzzle from one step of learning to the next.
//!
//! ```text
//! for each place of the batch:   a puzzle that was solved at two steps running, or has stayed long enough, makes room
//!                                for the example that this step brings for the place
//! some recurrences from where the network stopped, their loss, one step of Adam; its states are kept, their past is not
//! ```
//! So a network learns to think for long without a gradient through all of it, and the hard puzzles stay longest. Of
//! recurrent networks for hard puzzles such a change of puzzles is reported to make eight points (arXiv 2605.21488).

use crate::models::Thoughts;
use crate::training::checkpoint::{self, CheckpointError, Held, Tensors};
use crate::training::data::Examples;
use burn::tensor::backend::Backend;
use burn::tensor::{Tensor, TensorData};
use ninefold::grid::Order;

/// Solved so many steps running, a puzzle may go.
const SOLVED_RUNNING: usize = 2;
const STATES: &str = "carried.states";
const PUZZLES: &str = "carried.puzzles";
const SOLUTIONS: &str = "carried.solutions";
const STAYED: &str = "carried.stayed";
const SOLVED: &str = "carried.solved";

/// The puzzles of a batch, and what a network thinks of them.
#[derive(Clone, Debug)]
pub struct Carried<B: Backend> {
    examples: Examples,
    /// The steps that each has been here.
    stayed: Vec<usize>,
    /// The steps running that each has been solved.
    solved: Vec<usize>,
    states: Option<Tensor<B, 3>>,
}

impl<B: Backend> Carried<B> {
    /// A batch of puzzles that nobody has thought about.
    pub fn new(examples: Examples) -> Carried<B> {
        let nothing = vec![0; examples.len()];
        Carried { examples, stayed: nothing.clone(), solved: nothing, states: None }
    }

    /// The puzzles.
    pub fn examples(&self) -> &Examples {
        &self.examples
    }

    /// The places whose puzzles may go.
    pub fn places_to_fill(&self, stays: usize) -> Vec<usize> {
        let is_done = |&place: &usize| self.stayed[place] >= stays || self.solved[place] >= SOLVED_RUNNING;
        (0..self.examples.len()).filter(is_done).collect()
    }

    /// Puts a new puzzle in a place, the one with this index among the others.
    pub fn fill(&mut self, place: usize, others: &Examples, index: usize) {
        self.examples.replace(place, others.puzzle(index), others.solution(index));
        (self.stayed[place], self.solved[place]) = (0, 0);
    }

    /// What the network thinks of them so far.
    pub fn thoughts(&self, device: &B::Device) -> Thoughts<B> {
        let unseen: Vec<f32> = self.stayed.iter().map(|&stayed| f32::from(u8::from(stayed == 0))).collect();
        let shape = [unseen.len(), 1, 1];
        Thoughts { states: self.states.clone(), unseen: Tensor::from_data(TensorData::new(unseen, shape), device) }
    }

    /// Takes down what it thinks now, and which of the puzzles its answer, `[batch, cells, digits]`, solves.
    pub fn think(&mut self, states: Tensor<B, 3>, answer: Tensor<B, 3>, solutions: Tensor<B, 3>) {
        let [batch, cells, _] = answer.dims();
        let wrong = answer.argmax(2).not_equal(solutions.argmax(2)); // [batch, cells, 1]
        let wrong = wrong.int().reshape([batch, cells]).sum_dim(1).into_data();
        for (place, wrong) in wrong.iter::<i64>().enumerate() {
            self.stayed[place] += 1;
            self.solved[place] = if wrong == 0 { self.solved[place] + 1 } else { 0 };
        }
        self.states = Some(states);
    }

    /// Adds all of it to a checkpoint.
    pub fn add_to(&self, tensors: &mut Tensors) {
        let cells = self.examples.order().cell_count();
        let batch = self.examples.len();
        let mut add = |name: &str, shape: Vec<usize>, values: Vec<f32>| {
            tensors.insert(name.to_string(), Held { shape, values });
        };
        let numbers = |grid: fn(&Examples, usize) -> &[u8]| {
            (0..batch).flat_map(|place| grid(&self.examples, place)).map(|&digit| f32::from(digit)).collect()
        };
        add(PUZZLES, vec![batch, cells], numbers(Examples::puzzle));
        add(SOLUTIONS, vec![batch, cells], numbers(Examples::solution));
        add(STAYED, vec![batch], self.stayed.iter().map(|&steps| steps as f32).collect());
        add(SOLVED, vec![batch], self.solved.iter().map(|&steps| steps as f32).collect());
        if let Some(states) = &self.states {
            tensors.insert(STATES.to_string(), checkpoint::held(states));
        }
    }

    /// Reads it back, for puzzles of this size; nothing if the checkpoint has none.
    pub fn from(tensors: &Tensors, order: Order, device: &B::Device) -> Result<Option<Carried<B>>, CheckpointError> {
        let cells = order.cell_count();
        let Some(puzzles) = tensors.get(PUZZLES) else { return Ok(None) };
        let batch = puzzles.values.len() / cells;
        let get = |name: &str, length: usize| {
            let held = tensors.get(name).filter(|held| held.values.len() == length);
            held.ok_or_else(|| CheckpointError::Unfit(format!("{name} is missing or has another length")))
        };
        let bytes = |held: &Held| held.values.iter().map(|&digit| digit as u8).collect::<Vec<u8>>();
        let counts = |held: &Held| held.values.iter().map(|&steps| steps as usize).collect::<Vec<usize>>();
        let (puzzles, solutions) = (bytes(get(PUZZLES, batch * cells)?), bytes(get(SOLUTIONS, batch * cells)?));
        let examples = Examples::of_numbers(order, puzzles, solutions)
            .ok_or_else(|| CheckpointError::Unfit(format!("{PUZZLES} holds something that is no grid")))?;
        let (stayed, solved) = (counts(get(STAYED, batch)?), counts(get(SOLVED, batch)?));
        let states = match tensors.get(STATES) {
            None => None,
            Some(Held { shape, values }) => {
                let shape: [usize; 3] =
                    shape[..].try_into().ok().filter(|shape: &[usize; 3]| shape[0] == batch).ok_or(
                        CheckpointError::Unfit(format!("{STATES} has the shape {shape:?} for {batch} puzzles")),
                    )?;
                Some(Tensor::from_data(TensorData::new(values.clone(), shape), device))
            }
        };
        Ok(Some(Carried { examples, stayed, solved, states }))
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
        let solutions = crate::training::losses::targets::<Cpu>(Order::FOUR, solutions, &Default::default());
        let mut numbers: Vec<f32> = solutions.clone().into_data().into_vec().unwrap();
        if !second_is_right {
            numbers[16 * 4..][..4].reverse();
        }
        (Tensor::from_data(TensorData::new(numbers, [2, 16, 4]), &Default::default()), solutions)
    }

    #[test]
    fn a_puzzle_goes_when_it_was_solved_twice_running_or_has_stayed_long_enough() {
        let examples = two();
        let mut carried: Carried<Cpu> = Carried::new(examples.clone());
        let states = || Tensor::zeros([2, 16, 3], &Default::default());
        let unseen = |carried: &Carried<Cpu>| -> Vec<f32> {
            carried.thoughts(&Default::default()).unseen.into_data().into_vec().unwrap()
        };
        assert_eq!((carried.places_to_fill(3), unseen(&carried)), (vec![], vec![1.0, 1.0]));
        for expected in [vec![], vec![0], vec![0, 1]] {
            let (answer, solutions) = answer(&examples, false);
            carried.think(states(), answer, solutions);
            assert_eq!((carried.places_to_fill(3), unseen(&carried)), (expected, vec![0.0, 0.0]));
        }
        carried.fill(1, &examples, 0);
        assert_eq!((carried.places_to_fill(3), unseen(&carried)), (vec![0], vec![0.0, 1.0]));
        let (right, solutions) = answer(&examples, true);
        carried.think(states(), right, solutions);
        assert_eq!(carried.places_to_fill(9), [0], "once is not twice");
    }

    #[test]
    fn what_is_kept_in_a_checkpoint_comes_back() {
        let examples = two();
        let mut carried: Carried<Cpu> = Carried::new(examples.clone());
        let mut tensors = Tensors::new();
        assert!(Carried::<Cpu>::from(&tensors, Order::FOUR, &Default::default()).unwrap().is_none());
        let (answer, solutions) = answer(&examples, false);
        let states =
            Tensor::from_data(TensorData::new((0..96).map(|n| n as f32).collect(), [2, 16, 3]), &Default::default());
        carried.think(states, answer, solutions);
        carried.add_to(&mut tensors);
        let back: Carried<Cpu> = Carried::from(&tensors, Order::FOUR, &Default::default()).unwrap().unwrap();
        let mut again = Tensors::new();
        back.add_to(&mut again);
        assert_eq!(again, tensors);
        assert_eq!((back.stayed, back.solved), (vec![1, 1], vec![1, 0]));
        tensors.get_mut(PUZZLES).unwrap().values[0] = 9.0;
        assert!(
            Carried::<Cpu>::from(&tensors, Order::FOUR, &Default::default()).is_err(),
            "there is no 9 on a 4×4 grid"
        );
        tensors.remove(STAYED);
        assert!(Carried::<Cpu>::from(&tensors, Order::FOUR, &Default::default()).is_err());
    }
}
