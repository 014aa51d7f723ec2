//! Trieu Hung Tran and Grahm Manley, "Solving Sudoku with Neural Networks".
//!
//! Two hidden layers, dense or convolutional, each followed by dropout, then one softmax layer per
//! cell that receives the features of all 81 cells. Training has 19 stages, in which more and more
//! random cells of the solutions are deleted. A stage ends when the validation loss has not
//! improved for two epochs. Puzzles are filled cell by cell, most certain cell first.
//!
//! paper → code: "81 dense layers" → `heads` of [`Model`], one matrix for all of them; `Dense`,
//! `Conv` → [`Body`]; the suffix `_Val` → `staged_validation` of the experiment; Table V →
//! `TABLE_V`.

use crate::device::Engine;
use crate::inference::decoding::Decoding;
use crate::models::encoding::Encoding;
use crate::models::{ModelConfig, Network, cells_and_side, valid_dropout};
use crate::onnx::{GraphBuilder, Value};
use crate::ops::convolution::{self, Convolution};
use crate::ops::dense::Dense;
use crate::training::data::{DatasetConfig, Source};
use crate::training::experiment::{Experiment, Stage};
use burn::module::Module;
use burn::nn::{Dropout, DropoutConfig};
use burn::tensor::Tensor;
use burn::tensor::activation::relu;
use burn::tensor::backend::Backend;
use ninefold::grid::Order;
use ninefold::random::Random;
use ninefold_training::memory::NetworkSize;
use serde::{Deserialize, Serialize};

/// Authors of the paper.
pub(crate) const AUTHORS: &str = "Tran and Manley";

/// Authors of the proposed variant.
pub(crate) const PROPOSAL: &str = "Tran and Manley, as they propose";

/// Parameter count of [`Config::paper`] for 9×9 with a dense body.
pub(crate) const DENSE_PARAMETERS: usize = 3_784_729;

/// Parameter count of [`Config::paper`] for 9×9 with a convolutional body.
pub(crate) const CONVOLUTIONAL_PARAMETERS: usize = 3_822_617;

/// The stages of Table V: cells to delete, and the maximum number of epochs.
const TABLE_V: [(usize, usize); 19] = [
    (0, 1),
    (1, 1),
    (2, 2),
    (3, 3),
    (5, 5),
    (7, 7),
    (9, 9),
    (12, 10),
    (15, 10),
    (20, 10),
    (25, 10),
    (30, 10),
    (35, 10),
    (40, 10),
    (45, 10),
    (50, 10),
    (55, 10),
    (60, 10),
    (64, 10),
];

/// Receptive field of the hidden layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Body {
    /// One cell; all cells share the weights.
    Dense,
    /// The 3×3 neighbourhood of a cell.
    Convolutional,
}

/// Settings of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Receptive field of the hidden layers.
    pub body: Body,
    /// Units per hidden layer.
    pub hidden: usize,
    /// Dropout probability.
    pub dropout: f64,
}

impl Config {
    /// 64 units, dropout 0.4.
    pub fn paper(body: Body) -> Config {
        Config { body, hidden: 64, dropout: 0.4 }
    }

    /// Small enough to memorise a handful of puzzles within seconds.
    pub fn tiny(body: Body) -> Config {
        Config { body, hidden: 8, dropout: 0.1 }
    }
}

impl ModelConfig for Config {
    type Network<B: Engine> = Model<B>;

    fn encoding(&self) -> Encoding {
        Encoding::OneHotWithBlank
    }

    fn decoding(&self) -> Decoding {
        Decoding::CellByCell
    }

    fn validate(&self, _order: Order) -> Result<(), String> {
        if self.hidden == 0 {
            return Err("a hidden layer needs at least one unit".to_string());
        }
        valid_dropout(self.dropout)
    }

    fn size(&self, order: Order, _: Option<usize>) -> NetworkSize {
        let (cells, side) = cells_and_side(order);
        let hidden = self.hidden as f64;
        NetworkSize::new(hidden * (hidden + cells * cells * side), 4.0 * cells * hidden)
    }

    fn add_to_graph(&self, order: Order, graph: &mut GraphBuilder<'_>) -> Option<Value> {
        let (cells, side) = (order.cell_count(), order.side());
        let mut board = self.encoding().add_to_graph(order, graph)?;
        for (layer, planes) in [("first", self.encoding().planes(order)), ("second", self.hidden)] {
            board = match self.body {
                Body::Dense => graph.dense(&board, &format!("{layer}.Dense")),
                Body::Convolutional => convolution::add_to_graph(
                    graph,
                    &board,
                    &format!("{layer}.Convolutional"),
                    order,
                    planes,
                ),
            };
            board = graph.unary("Relu", &board);
        }
        let features = graph.reshape(&board, &[-1, (cells * self.hidden) as i64]);
        let answers = graph.dense(&features, "heads");
        Some(graph.reshape(&answers, &[-1, cells as i64, side as i64]))
    }

    fn build<B: Engine>(&self, order: Order, random: &mut Random, device: &B::Device) -> Model<B> {
        let planes = self.encoding().planes(order);
        let mut layer = |inputs| match self.body {
            Body::Dense => HiddenLayer::Dense(Dense::new(inputs, self.hidden, random, device)),
            Body::Convolutional => HiddenLayer::Convolutional(Convolution::new(
                order,
                inputs,
                self.hidden,
                random,
                device,
            )),
        };
        let (first, second) = (layer(planes), layer(self.hidden));
        // Each head is initialised like a separate layer: its fan-out is the number of digits.
        let inputs = order.cell_count() * self.hidden;
        let heads = Dense::heads(order.cell_count(), inputs, order.side(), random, device);
        Model { first, second, heads, dropout: DropoutConfig::new(self.dropout).init() }
    }
}

/// The published recipe: 32,000 + 8,000 + 10,000 Kaggle-like puzzles, the stages of Table V,
/// patience 2.
///
/// The paper does not state optimizer, learning rate and batch size; Adam at 0.001 and 128 are
/// those of the notebook it builds on.
pub fn recipe(body: Body, staged_validation: bool) -> Experiment<Config> {
    let stage = |&(blanks, epochs): &(usize, usize)| Stage {
        blanks: Some(blanks),
        ..Stage::new(epochs, 1e-3)
    };
    let data = DatasetConfig {
        train: 32_000,
        validation: 8_000,
        test: 10_000,
        ..DatasetConfig::new(Source::Kaggle)
    };
    Experiment {
        batch_size: 128,
        patience: 2,
        staged_validation,
        stages: TABLE_V.iter().map(stage).collect(),
        ..Experiment::new(Config::paper(body), data)
    }
}

/// The future work proposed by Tran and Manley: stages by difficulty instead of the number of
/// blanks.
///
/// Grades of `training::grades` replace the blanks of Table V. Solutions, epochs and everything
/// else are those of `dense-val`.
pub(crate) fn recipe_by_difficulty() -> Experiment<Config> {
    let paper = recipe(Body::Dense, true);
    let stages = (1..).zip(&paper.stages).map(|(grade, stage)| Stage {
        blanks: None,
        grade: Some(grade),
        ..stage.clone()
    });
    Experiment { stages: stages.collect(), ..paper }
}

/// The layers, in forward order.
#[derive(Module, Debug)]
pub struct Model<B: Backend> {
    first: HiddenLayer<B>,
    second: HiddenLayer<B>,
    heads: Dense<B>,
    dropout: Dropout,
}

/// A hidden layer of either kind.
#[derive(Module, Debug)]
enum HiddenLayer<B: Backend> {
    /// Sees one cell.
    Dense(Dense<B>),
    /// Sees the 3×3 neighbourhood of a cell.
    Convolutional(Convolution<B>),
}

impl<B: Engine> HiddenLayer<B> {
    fn forward(&self, board: Tensor<B, 3>) -> Tensor<B, 3> {
        relu(match self {
            HiddenLayer::Dense(layer) => layer.on_cells(board),
            HiddenLayer::Convolutional(layer) => layer.forward(board),
        })
    }
}

impl<B: Engine> Network<B> for Model<B> {
    fn forward(&self, board: Tensor<B, 3>) -> Tensor<B, 3> {
        let board = self.dropout.forward(self.first.forward(board)); // [batch, cells, hidden]
        let board = self.dropout.forward(self.second.forward(board)); // [batch, cells, hidden]
        let [batch, cells, hidden] = board.dims();
        let answers = self.heads.forward(board.reshape([batch, cells * hidden])); // [batch, cells · digits]
        let digits = answers.dims()[1] / cells;
        answers.reshape([batch, cells, digits])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Cpu;

    fn network(config: &Config, order: Order) -> Model<Cpu> {
        config.build(order, &mut Random::new(1), &Default::default())
    }

    #[test]
    fn paper_networks_have_3_784_729_and_3_822_617_parameters() {
        assert_eq!(
            network(&Config::paper(Body::Dense), Order::NINE).num_params(),
            DENSE_PARAMETERS
        );
        assert_eq!(
            network(&Config::paper(Body::Convolutional), Order::NINE).num_params(),
            CONVOLUTIONAL_PARAMETERS
        );
    }

    #[test]
    fn table_v_has_19_stages_and_148_epochs_at_most() {
        assert_eq!(TABLE_V.len(), 19);
        assert_eq!(TABLE_V.iter().map(|&(_, epochs)| epochs).sum::<usize>(), 148);
        assert!(TABLE_V.is_sorted());
    }

    #[test]
    fn both_bodies_support_every_order() {
        for body in [Body::Dense, Body::Convolutional] {
            for order in [Order::FOUR, Order::new(2, 3).unwrap()] {
                let board =
                    Tensor::zeros([2, order.cell_count(), order.side() + 1], &Default::default());
                let answer = network(&Config::tiny(body), order).forward(board);
                assert_eq!(answer.dims(), [2, order.cell_count(), order.side()]);
            }
        }
    }

    #[test]
    fn invalid_settings_are_rejected() {
        let tiny = Config::tiny(Body::Dense);
        assert_eq!(tiny.validate(Order::FOUR), Ok(()));
        assert!(Config { hidden: 0, ..tiny.clone() }.validate(Order::FOUR).is_err());
        assert!(Config { dropout: 1.0, ..tiny }.validate(Order::FOUR).is_err());
    }
}
