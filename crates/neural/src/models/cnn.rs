//! Aleksey Kocherzhenko, "A Sudoku Solver Combining a Convolutional Neural Network with
//! Backtracking" (2020).
//!
//! A grid is treated as a grey image of 9 by 9 pixels. It passes three convolutions and one fully
//! connected layer with an output for every cell. The network fills only the most certain cell and
//! then runs on the new grid. If the result breaks the rules, backtracking solves the puzzle
//! instead.
//!
//! paper → code: `define_model` → [`Config::build`](ModelConfig::build), `predict_number` → one
//! step of [`Decoding::CellByCell`], `n` → the order of the grid.

use crate::device::Engine;
use crate::inference::decoding::Decoding;
use crate::models::encoding::Encoding;
use crate::models::{ModelConfig, Network, cells_and_side};
use crate::onnx::{GraphBuilder, Value};
use crate::ops::batch_norm::{self, BatchNorm};
use crate::ops::convolution::{self, Convolution};
use crate::ops::dense::Dense;
use crate::training::data::{DatasetConfig, Source};
use crate::training::experiment::{Experiment, Stage};
use crate::training::quantise::Precision;
use burn::module::Module;
use burn::tensor::Tensor;
use burn::tensor::activation::relu;
use burn::tensor::backend::Backend;
use ninefold::grid::Order;
use ninefold::random::Random;
use ninefold_training::memory::NetworkSize;
use serde::{Deserialize, Serialize};

/// Authors of the paper.
pub(crate) const AUTHORS: &str = "Kocherzhenko 2020";

/// Parameter count of [`Config::paper`] for 9×9.
pub(crate) const PARAMETERS: usize = 7_605_401;

/// Settings of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Filters of the first two convolutions.
    pub filters: usize,
    /// Filters of the third convolution, which has kernel size 1.
    pub wide_filters: usize,
}

impl Config {
    /// 64, 64 and 128 filters.
    pub fn paper() -> Config {
        Config { filters: 64, wide_filters: 128 }
    }

    /// Small enough to memorise a handful of puzzles within seconds.
    pub fn tiny() -> Config {
        Config { filters: 8, wide_filters: 8 }
    }
}

impl ModelConfig for Config {
    type Network<B: Engine> = Model<B>;

    fn encoding(&self) -> Encoding {
        Encoding::Scalar
    }

    fn decoding(&self) -> Decoding {
        Decoding::CellByCell
    }

    fn validate(&self, _order: Order) -> Result<(), String> {
        match self.filters > 0 && self.wide_filters > 0 {
            true => Ok(()),
            false => Err("every layer needs at least one filter".to_string()),
        }
    }

    fn size(&self, order: Order, _: Option<usize>) -> NetworkSize {
        let (cells, side) = cells_and_side(order);
        let (filters, wide) = (self.filters as f64, self.wide_filters as f64);
        let parameters = filters * (filters + wide) + cells * cells * side * wide;
        NetworkSize::new(parameters, cells * (4.0 * filters + 2.0 * wide))
    }

    fn add_to_graph(&self, order: Order, graph: &mut GraphBuilder<'_>) -> Option<Value> {
        let (cells, side) = (order.cell_count(), order.side());
        let board = Encoding::Scalar.add_to_graph(order, graph)?;
        let board = convolution::add_to_graph(graph, &board, "first", order, 1);
        let board = graph.unary("Relu", &board);
        let board = batch_norm::add_to_graph(graph, &board, "first_norm");
        let board = convolution::add_to_graph(graph, &board, "second", order, self.filters);
        let board = graph.unary("Relu", &board);
        let board = batch_norm::add_to_graph(graph, &board, "second_norm");
        let board = graph.dense(&board, "third");
        let board = graph.unary("Relu", &board);
        let features = graph.reshape(&board, &[-1, (cells * self.wide_filters) as i64]);
        let answers = graph.dense(&features, "answer");
        Some(graph.reshape(&answers, &[-1, cells as i64, side as i64]))
    }

    fn build<B: Engine>(&self, order: Order, random: &mut Random, device: &B::Device) -> Model<B> {
        Model {
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

/// The published recipe: 400,000 puzzles of the generator of the paper, batches of 32, one epoch at
/// 0.001 and one at 0.0001.
///
/// The paper does not say when its generator stops removing digits.
/// `generate::kocherzhenko_redrawn` documents our interpretation.
pub fn recipe() -> Experiment<Config> {
    let data = DatasetConfig {
        train: 400_000,
        validation: 1_000,
        test: 1_000,
        ..DatasetConfig::new(Source::KocherzhenkoRedrawn)
    };
    Experiment {
        batch_size: 32,
        solved_per_stage: 200,
        weights: Precision::I8,
        stages: vec![Stage::new(1, 1e-3), Stage::new(1, 1e-4)],
        ..Experiment::new(Config::paper(), DatasetConfig { refusals: 5, ..data })
    }
}

/// The layers, in forward order.
#[derive(Module, Debug)]
pub struct Model<B: Backend> {
    first: Convolution<B>,
    first_norm: BatchNorm<B>,
    second: Convolution<B>,
    second_norm: BatchNorm<B>,
    third: Dense<B>,
    answer: Dense<B>,
}

impl<B: Engine> Network<B> for Model<B> {
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
    fn paper_network_has_7_605_401_parameters() {
        let network: Model<Cpu> =
            Config::paper().build(Order::NINE, &mut Random::new(1), &Default::default());
        assert_eq!(network.num_params(), PARAMETERS);
        let board = Tensor::zeros([2, 81, 1], &Default::default());
        assert_eq!(network.forward(board).dims(), [2, 81, 9]);
    }

    #[test]
    fn supports_every_order() {
        for order in [Order::FOUR, Order::new(2, 3).unwrap(), Order::SIXTEEN] {
            let network: Model<Cpu> =
                Config::tiny().build(order, &mut Random::new(1), &Default::default());
            let board = Tensor::zeros([1, order.cell_count(), 1], &Default::default());
            assert_eq!(network.forward(board).dims(), [1, order.cell_count(), order.side()]);
        }
        assert!(Config { filters: 0, ..Config::tiny() }.validate(Order::FOUR).is_err());
    }
}
