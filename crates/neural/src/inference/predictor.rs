//! Predictors: this is where a network says how likely each digit is.

use super::decoding::{filled_with, keeps_the_rules};
use crate::device::Engine;
use crate::models::{ModelConfig, Network, StepOutputs};
use burn::tensor::activation::log_softmax;
use burn::tensor::backend::Backend;
use burn::tensor::{Tensor, TensorData};
use ninefold::grid::Order;

/// Predicts the digit of every cell. It may be asked from any thread, and from several at once.
pub trait Predictor: Send + Sync {
    /// The size of the puzzles it takes.
    fn order(&self) -> Order;

    /// Does it take puzzles of this size, be it with [`for_order`](Predictor::for_order)?
    fn takes(&self, order: Order) -> bool {
        order == self.order()
    }

    /// The same weights for puzzles of another size, if they are not for one size alone.
    fn for_order(&self, order: Order) -> Option<Box<dyn Predictor>> {
        let _ = order;
        None
    }

    /// Are its probabilities good enough to order the branches of a search, where it was wrong?
    fn guides_search(&self) -> bool {
        false
    }

    /// How many puzzles it takes at once.
    fn batch(&self) -> usize;

    /// The log probability of each digit of each cell of each puzzle.
    fn log_probabilities(&self, puzzles: &[&[u8]]) -> Vec<f32>;

    /// The same for one puzzle after each recurrent step; a network without recurrence has one step.
    fn log_probabilities_each_step(&self, puzzle: &[u8]) -> StepOutputs<'_, Vec<f32>> {
        let puzzle = puzzle.to_vec();
        Box::new(std::iter::once_with(move || self.log_probabilities(&[&puzzle])))
    }
}

/// A network with its weights.
pub struct NetworkPredictor<C: ModelConfig, B: Engine> {
    /// Its settings.
    pub config: C,
    /// The size it was built for.
    pub order: Order,
    /// Its layers.
    pub network: C::Network<B>,
    /// Where it runs.
    pub device: B::Device,
    /// How many puzzles it takes at once.
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
        // Where shapes are compiled for, a short batch is padded, so that the network sees one shape only.
        let padding = vec![0; self.order.cell_count()];
        let missing =
            if B::COMPILES_FOR_SHAPES { self.batch.saturating_sub(puzzles.len()) } else { 0 };
        let full: Vec<&[u8]> =
            puzzles.iter().copied().chain(std::iter::repeat_n(&padding[..], missing)).collect();
        let board = self.config.encoding().batch(self.order, full.into_iter(), &self.device);
        let mut log_probabilities = log_probabilities_of(self.network.forward(board));
        log_probabilities.truncate(puzzles.len() * self.order.cell_count() * self.order.side());
        log_probabilities
    }

    fn log_probabilities_each_step(&self, puzzle: &[u8]) -> StepOutputs<'_, Vec<f32>> {
        let board = self.config.encoding().batch(self.order, std::iter::once(puzzle), &self.device);
        Box::new(self.network.forward_each_step(board).map(log_probabilities_of))
    }
}

/// The log probabilities after the first recurrent step whose likeliest digits solve the puzzle, or else after the last.
pub fn predict_until_solved(predictor: &dyn Predictor, puzzle: &[u8]) -> Vec<f32> {
    let order = predictor.order();
    let mut last = Vec::new();
    for log_probabilities in predictor.log_probabilities_each_step(puzzle) {
        last = log_probabilities;
        if keeps_the_rules(order, &filled_with(order, puzzle, &last)) {
            break;
        }
    }
    last
}

/// From logits to log probabilities on the host, cell by cell.
fn log_probabilities_of<B: Backend>(logits: Tensor<B, 3>) -> Vec<f32> {
    let data: TensorData = log_softmax(logits, 2).into_data();
    data.convert::<f32>().into_vec().expect("the data was just made f32")
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
        let found = log_probabilities_of(logits);
        assert!(
            (found[0].exp() - 0.5).abs() < 1e-6 && (found[3].exp() - 0.75).abs() < 1e-6,
            "{found:?}"
        );
    }

    #[test]
    fn steps_end_where_the_digits_solve_the_puzzle_or_after_the_last() {
        /// Predicts wrongly in the first of its five steps, as many as it says, and says in each which step it is.
        struct Slow(usize);

        impl Predictor for Slow {
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
                    let slip = (step < self.0).then_some(1);
                    let said = predictor(slip).log_probabilities(&[&puzzle]);
                    said.into_iter().map(|number| number - step as f32).collect()
                }))
            }
        }
        let puzzle = examples().puzzle(0).to_vec();
        let steps_of = |slow: Slow| {
            let [said, first] = [
                predict_until_solved(&slow, &puzzle)[0],
                predictor(None).log_probabilities(&[&puzzle])[0],
            ];
            (first - said).round() as usize
        };
        assert_eq!([0, 2, 4, 9].map(|wrong| steps_of(Slow(wrong))), [0, 2, 4, 4]);
    }
}
