//! Aleksey Kocherzhenko, "A Sudoku Solver Combining a Convolutional Neural Network with Backtracking" (2020).
//!
//! A grid is a grey picture of 9 by 9 points. Three convolutions look at it, and one fully connected layer answers for
//! every cell. The network fills only the cell it is surest of, looks at the new grid, and goes on; if the result
//! breaks the rules, backtracking solves the puzzle instead.
//!
//! paper → code: `define_model` → [`Cnn::build`](Design::build), `predict_number` → one step of
//! [`evaluate::cell_by_cell`](crate::inference::evaluate::cell_by_cell), `n` → the order of the grid.

use crate::device::Engine;
use crate::inference::evaluate::Way;
use crate::models::encoding::Encoding;
use crate::models::{Design, Network};
use crate::ops::layers::{BatchNorm, Convolution, Dense};
use burn::module::Module;
use burn::tensor::Tensor;
use burn::tensor::activation::relu;
use burn::tensor::backend::Backend;
use ninefold::grid::Order;
use ninefold::random::Random;
use serde::{Deserialize, Serialize};

/// The settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cnn {
    /// Filters of the first two convolutions.
    pub filters: usize,
    /// Filters of the third, which looks at one cell only.
    pub wide_filters: usize,
}

impl Cnn {
    /// 64, 64 and 128 filters; 7,605,401 parameters for 9×9.
    pub fn paper() -> Cnn {
        Cnn { filters: 64, wide_filters: 128 }
    }

    /// Small enough to learn a handful of puzzles within seconds.
    pub fn tiny() -> Cnn {
        Cnn { filters: 8, wide_filters: 8 }
    }
}

impl Design for Cnn {
    type Network<B: Engine> = CnnNetwork<B>;

    fn encoding(&self) -> Encoding {
        Encoding::Scalar
    }

    fn way(&self) -> Way {
        Way::CellByCell
    }

    fn refuses(&self, _order: Order) -> Option<String> {
        let has_layers = self.filters > 0 && self.wide_filters > 0;
        (!has_layers).then(|| "a layer without filters has nothing to say".to_string())
    }

    fn build<B: Engine>(&self, order: Order, random: &mut Random, device: &B::Device) -> CnnNetwork<B> {
        CnnNetwork {
            first: Convolution::new(order, 1, self.filters, random, device),
            first_norm: BatchNorm::new(self.filters, device),
            second: Convolution::new(order, self.filters, self.filters, random, device),
            second_norm: BatchNorm::new(self.filters, device),
            third: Dense::new(self.filters, self.wide_filters, random, device),
            answer: Dense::new(
                order.cell_count() * self.wide_filters,
                order.cell_count() * order.side(),
                random,
                device,
            ),
        }
    }
}

/// The layers, in the order in which a puzzle passes them.
#[derive(Module, Debug)]
pub struct CnnNetwork<B: Backend> {
    first: Convolution<B>,
    first_norm: BatchNorm<B>,
    second: Convolution<B>,
    second_norm: BatchNorm<B>,
    third: Dense<B>,
    answer: Dense<B>,
}

impl<B: Engine> Network<B> for CnnNetwork<B> {
    fn forward(&self, board: Tensor<B, 3>) -> Tensor<B, 3> {
        let [batch, cells, _] = board.dims();
        let board = self.first_norm.forward(relu(self.first.forward(board))); // [batch, cells, filters]
        let board = self.second_norm.forward(relu(self.second.forward(board))); // [batch, cells, filters]
        let board = relu(self.third.on_cells(board)); // [batch, cells, wide filters]
        let wide = board.dims()[2];
        let answers = self.answer.forward(board.reshape([batch, cells * wide])); // [batch, cells · digits]
        let digits = answers.dims()[1] / cells;
        answers.reshape([batch, cells, digits])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Cpu;

    #[test]
    fn the_papers_network_has_7_605_401_parameters() {
        let network: CnnNetwork<Cpu> = Cnn::paper().build(Order::NINE, &mut Random::new(1), &Default::default());
        assert_eq!(network.num_params(), 7_605_401);
        let board = Tensor::zeros([2, 81, 1], &Default::default());
        assert_eq!(network.forward(board).dims(), [2, 81, 9]);
    }

    #[test]
    fn it_takes_every_order() {
        for order in [Order::FOUR, Order::boxes(2, 3).unwrap(), Order::SIXTEEN] {
            let network: CnnNetwork<Cpu> = Cnn::tiny().build(order, &mut Random::new(1), &Default::default());
            let board = Tensor::zeros([1, order.cell_count(), 1], &Default::default());
            assert_eq!(network.forward(board).dims(), [1, order.cell_count(), order.side()]);
        }
        assert!(Cnn { filters: 0, ..Cnn::tiny() }.refuses(Order::FOUR).is_some());
    }
}
