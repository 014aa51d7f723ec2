//! Predictors: the probability of each digit in each cell.

use super::decoding::{fill_with, is_solved};
use crate::device::Engine;
use crate::models::{ModelConfig, Network, StepOutputs};
use burn::tensor::activation::log_softmax;
use burn::tensor::backend::Backend;
use burn::tensor::{Tensor, TensorData};
use ninefold::grid::{Grid, Order};

/// Predicts the digit of every cell. It can be called from several threads at once.
pub trait Predictor: Send + Sync {
    /// The default grid size.
    fn order(&self) -> Order;

    /// Whether it supports this grid size, directly or through [`for_order`](Predictor::for_order).
    fn supports(&self, order: Order) -> bool {
        order == self.order()
    }

    /// A predictor with the same weights for another size, if the weights are not specific to one
    /// size.
    fn for_order(&self, order: Order) -> Option<Box<dyn Predictor>> {
        let _ = order;
        None
    }

    /// Whether its probabilities are good enough to order the branches of a search on puzzles that
    /// it solved incorrectly.
    fn guides_search(&self) -> bool {
        false
    }

    /// Whether it supports puzzles with rules other than the classic ones, through
    /// [`fill_grids`](Predictor::fill_grids).
    fn supports_rules(&self) -> bool {
        false
    }

    /// The most likely digit of every cell of puzzles with any rules. Only called if it supports
    /// them.
    fn fill_grids(&self, puzzles: &[Grid]) -> Vec<Vec<u8>> {
        puzzles.iter().map(|puzzle| puzzle.numbers().collect()).collect()
    }

    /// The log probability of each digit of each cell of a puzzle with any rules. Only called if it
    /// supports them.
    fn log_probabilities_of_grid(&self, puzzle: &Grid) -> Vec<f32> {
        let numbers: Vec<u8> = puzzle.numbers().collect();
        self.log_probabilities(&[&numbers])
    }

    /// Number of puzzles per batch.
    fn batch(&self) -> usize;

    /// The log probability of each digit of each cell of each puzzle.
    fn log_probabilities(&self, puzzles: &[&[u8]]) -> Vec<f32>;

    /// Like [`log_probabilities`](Predictor::log_probabilities) for one puzzle, after each
    /// recurrent step. A network without recurrence has one step.
    fn log_probabilities_each_step(&self, puzzle: &[u8]) -> StepOutputs<'_, Vec<f32>> {
        let puzzle = puzzle.to_vec();
        Box::new(std::iter::once_with(move || self.log_probabilities(&[&puzzle])))
    }
}

/// A network with its weights.
pub struct NetworkPredictor<C: ModelConfig, B: Engine> {
    /// Settings of the model.
    pub config: C,
    /// Grid size of the network.
    pub order: Order,
    /// The layers.
    pub network: C::Network<B>,
    /// The device that the network runs on.
    pub device: B::Device,
    /// Number of puzzles per batch.
    pub batch: usize,
}

impl<C: ModelConfig, B: Engine> Predictor for NetworkPredictor<C, B> {
    fn order(&self) -> Order {
        self.order
    }

    fn batch(&self) -> usize {
        self.batch
    }

    fn log_probabilities(&self, puzzles: &[&[u8]]) -> Vec<f32> {
        // Pad short batches if every new shape would be compiled.
        let padding = vec![0; self.order.cell_count()];
        let missing =
            if B::COMPILES_FOR_SHAPES { self.batch.saturating_sub(puzzles.len()) } else { 0 };
        let full: Vec<&[u8]> =
            puzzles.iter().copied().chain(std::iter::repeat_n(&padding[..], missing)).collect();
        let board = self.config.encoding().batch(self.order, full.into_iter(), &self.device);
        let mut log_probabilities = to_log_probabilities(self.network.forward(board));
        log_probabilities.truncate(puzzles.len() * self.order.cell_count() * self.order.side());
        log_probabilities
    }

    fn log_probabilities_each_step(&self, puzzle: &[u8]) -> StepOutputs<'_, Vec<f32>> {
        let board = self.config.encoding().batch(self.order, std::iter::once(puzzle), &self.device);
        Box::new(self.network.forward_each_step(board).map(to_log_probabilities))
    }
}

/// The log probabilities after the first recurrent step whose most likely digits solve the puzzle;
/// if there is none, those after the last step.
pub fn predict_until_solved(predictor: &dyn Predictor, puzzle: &[u8]) -> Vec<f32> {
    let order = predictor.order();
    let mut last = Vec::new();
    for log_probabilities in predictor.log_probabilities_each_step(puzzle) {
        last = log_probabilities;
        if is_solved(order, &fill_with(order, puzzle, &last)) {
            break;
        }
    }
    last
}

/// Converts logits to log probabilities in host memory.
fn to_log_probabilities<B: Backend>(logits: Tensor<B, 3>) -> Vec<f32> {
    let data: TensorData = log_softmax(logits, 2).into_data();
    data.convert::<f32>().into_vec().expect("the data was just converted to f32")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Cpu;
    use crate::inference::decoding::tests::{examples, predictor};

    #[test]
    fn logits_become_log_probabilities() {
        let logits: Tensor<Cpu, 3> =
            Tensor::from_data([[[1.0, 1.0], [0.0, 3.0f32.ln()]]], &Default::default());
        let found = to_log_probabilities(logits);
        assert!(
            (found[0].exp() - 0.5).abs() < 1e-6 && (found[3].exp() - 0.75).abs() < 1e-6,
            "{found:?}"
        );
    }

    #[test]
    fn prediction_stops_at_the_first_solved_step() {
        /// Has five steps. The first `self.0` are wrong, and each step lowers all log probabilities
        /// by 1.
        struct SlowPredictor(usize);

        impl Predictor for SlowPredictor {
            fn order(&self) -> Order {
                Order::FOUR
            }

            fn batch(&self) -> usize {
                1
            }

            fn log_probabilities(&self, puzzles: &[&[u8]]) -> Vec<f32> {
                predict_until_solved(self, puzzles[0])
            }

            fn log_probabilities_each_step(&self, puzzle: &[u8]) -> StepOutputs<'_, Vec<f32>> {
                let puzzle = puzzle.to_vec();
                Box::new((0..5).map(move |step| {
                    let wrong_cell = (step < self.0).then_some(1);
                    let predicted = predictor(wrong_cell).log_probabilities(&[&puzzle]);
                    predicted.into_iter().map(|number| number - step as f32).collect()
                }))
            }
        }
        let puzzle = examples().puzzle(0).to_vec();
        let steps_of = |slow: SlowPredictor| {
            let [predicted, first] = [
                predict_until_solved(&slow, &puzzle)[0],
                predictor(None).log_probabilities(&[&puzzle])[0],
            ];
            (first - predicted).round() as usize
        };
        assert_eq!([0, 2, 4, 9].map(|wrong| steps_of(SlowPredictor(wrong))), [0, 2, 4, 4]);
    }
}
