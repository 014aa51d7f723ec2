//! Chaim Schendowich, Eyal Ben Isaac and Rina Azoulay, "Multiverse: A Deep Learning 4X4 Sudoku
//! Solver" (2024).
//!
//! A puzzle is treated as a sequence with gaps. Several small networks, the verses, each transform
//! the complete grid and then read it twice with bidirectional LSTMs. One softmax layer receives
//! all verses at every cell. All cells are filled after one forward pass.
//!
//! paper → code: `o`, `s`, `a` → the order of the grid, its side and its cells; `r` (digits and
//! zero) → planes; Conv1D with kernel 1 → `convolution`; Dense over the flattened grid → `dense`;
//! "verse" → one slice of the first axis of all weights; M6, M12 → `verses`; No Conv, No Dense, No
//! LSTM, One LSTM → the other settings.
//!
//! Our interpretations: neither Conv1D nor Dense has an activation (otherwise No LSTM would not be
//! limited to 9 %), and the last layer is one `Dense(r)` for all cells (the figure in the paper has
//! no reshape before it). As in the paper, the softmax has a class for zero, the empty cell. No
//! cell of a solution is empty, so predictions exclude this class. Clues are copied from the
//! puzzle.

use crate::device::Engine;
use crate::inference::decoding::Decoding;
use crate::models::encoding::Encoding;
use crate::models::{ModelConfig, Network};
use crate::onnx::{Attribute, GraphBuilder, Value};
use crate::ops::dense::Dense;
use crate::ops::init::glorot;
use crate::ops::lstm::{self, Bidirectional};
use crate::training::data::{DatasetConfig, Source};
use crate::training::experiment::{Experiment, Stage};
use burn::module::{Module, Param};
use burn::tensor::Tensor;
use burn::tensor::activation::log_softmax;
use burn::tensor::backend::Backend;
use ninefold::grid::Order;
use ninefold::random::Random;
use ninefold_training::memory::NetworkSize;
use serde::{Deserialize, Serialize};

/// Authors of the paper.
pub(crate) const AUTHORS: &str = "Schendowich, Ben Isaac and Azoulay 2024";

/// Parameter count of [`Config::paper`] for 4×4.
pub(crate) const PARAMETERS: usize = 91_685;

/// Settings of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Number of parallel verses.
    pub verses: usize,
    /// Whether a verse starts with a convolution of kernel size 1.
    pub convolution: bool,
    /// Whether a verse has a dense layer over the complete grid.
    pub dense: bool,
    /// Number of bidirectional LSTM layers per verse.
    pub lstms: usize,
}

impl Config {
    /// M12: twelve verses with all layers.
    pub fn paper() -> Config {
        Config { verses: 12, convolution: true, dense: true, lstms: 2 }
    }

    /// Small enough to memorise a handful of puzzles within seconds.
    pub fn tiny() -> Config {
        Config { verses: 2, ..Config::paper() }
    }
}

impl ModelConfig for Config {
    type Network<B: Engine> = Model<B>;

    fn encoding(&self) -> Encoding {
        Encoding::OneHotWithBlank
    }

    fn decoding(&self) -> Decoding {
        Decoding::AtOnce
    }

    fn validate(&self, _order: Order) -> Result<(), String> {
        if self.verses == 0 { Err("at least one verse is needed".to_string()) } else { Ok(()) }
    }

    fn size(&self, order: Order, _: Option<usize>) -> NetworkSize {
        let (cells, planes) = (order.cell_count() as f64, self.encoding().planes(order) as f64);
        let (verses, lstms) = (self.verses as f64, self.lstms as f64);
        let dense = if self.dense { (cells * planes).powi(2) } else { 0.0 };
        let parameters = verses * (dense + lstms * 12.0 * planes * planes);
        NetworkSize::new(parameters, verses * cells * planes * (1.0 + 8.0 * lstms))
    }

    fn add_to_graph(&self, order: Order, graph: &mut GraphBuilder<'_>) -> Option<Value> {
        let (cells, planes) = (order.cell_count(), self.encoding().planes(order));
        let verses = self.verses as i64;
        let board = self.encoding().add_to_graph(order, graph)?;
        let mut grids = graph.reshape(&board, &[1, -1, planes as i64]); // [1, batch · cells, planes]
        if self.convolution {
            grids = graph.dense(&grids, "convolution"); // [verses, batch · cells, planes]
        }
        let stacks = if self.convolution { verses } else { 1 };
        grids = graph.reshape(&grids, &[stacks, -1, (cells * planes) as i64]);
        if self.dense {
            grids = graph.dense(&grids, "dense"); // [verses, batch, cells · planes]
        }
        if !self.convolution && !self.dense {
            let all = graph.integers(vec![verses, 1, 1]);
            grids = graph.node("Expand", &[&grids, &all], &[]);
        }
        let mut sequence = graph.reshape(&grids, &[verses, -1, cells as i64, planes as i64]);
        for number in 0..self.lstms {
            sequence =
                lstm::add_to_graph(graph, &sequence, &format!("lstms.{number}"), cells, planes);
        }
        let features = if self.lstms == 0 { planes } else { 2 * planes };
        let features_by_cell =
            graph.node("Transpose", &[&sequence], &[("perm", Attribute::Ints(vec![1, 2, 0, 3]))]);
        let features_by_cell =
            graph.reshape(&features_by_cell, &[-1, cells as i64, verses * features as i64]);
        let answers = graph.dense(&features_by_cell, "answer");
        Some(graph.slice(&answers, 2, 1, planes))
    }

    fn build<B: Engine>(&self, order: Order, random: &mut Random, device: &B::Device) -> Model<B> {
        let planes = self.encoding().planes(order);
        let grid_width = order.cell_count() * planes;
        let convolution =
            self.convolution.then(|| Stacked::new(self.verses, planes, planes, random, device));
        let dense =
            self.dense.then(|| Stacked::new(self.verses, grid_width, grid_width, random, device));
        // The first LSTM receives the planes of a cell, the others both directions of the previous
        // one.
        let inputs = |number| if number == 0 { planes } else { 2 * planes };
        let lstm = |number| Bidirectional::new(self.verses, inputs(number), planes, random, device);
        let lstms: Vec<Bidirectional<B>> = (0..self.lstms).map(lstm).collect();
        let features = self.verses * inputs(self.lstms);
        Model {
            convolution,
            dense,
            lstms,
            answer: Dense::new(features, planes, random, device),
            verses: self.verses,
        }
    }
}

/// The published recipe: M12 for 22 epochs on the first of nine folds of all minimal 4×4 puzzles.
/// After each epoch it measures the share of validation puzzles that one forward pass solves.
///
/// The paper does not state optimizer, learning rate and batch size; Adam at 0.001 and 32 are the
/// defaults of Keras.
pub fn recipe() -> Experiment<Config> {
    let source = Source::Multiverse { fold: 0 };
    let data = DatasetConfig {
        train: 68_506,
        validation: 8_564,
        test: 8_563,
        ..DatasetConfig::new(source)
    };
    Experiment {
        boxes: [2, 2],
        batch_size: 32,
        solved_per_stage: 0,
        solved_per_epoch: 10_000,
        stages: vec![Stage::new(22, 1e-3)],
        ..Experiment::new(Config::paper(), data)
    }
}

/// A fully connected layer on the last axis, with separate weights per verse.
#[derive(Module, Debug)]
struct Stacked<B: Backend> {
    /// `[verses, in, out]`
    pub weight: Param<Tensor<B, 3>>,
    /// `[verses, 1, out]`
    pub bias: Param<Tensor<B, 3>>,
}

impl<B: Backend> Stacked<B> {
    fn new(
        verses: usize,
        inputs: usize,
        outputs: usize,
        random: &mut Random,
        device: &B::Device,
    ) -> Stacked<B> {
        Stacked {
            weight: glorot([verses, inputs, outputs], inputs + outputs, random, device),
            bias: Param::from_tensor(Tensor::zeros([verses, 1, outputs], device)),
        }
    }

    /// Maps `[verses, rows, in]`, or `[1, rows, in]` for equal inputs of all verses, to `[verses,
    /// rows, out]`.
    fn forward(&self, rows: Tensor<B, 3>) -> Tensor<B, 3> {
        rows.matmul(self.weight.val()) + self.bias.val()
    }
}

/// The layers, in forward order.
#[derive(Module, Debug)]
pub struct Model<B: Backend> {
    convolution: Option<Stacked<B>>,
    dense: Option<Stacked<B>>,
    lstms: Vec<Bidirectional<B>>,
    answer: Dense<B>,
    verses: usize,
}

impl<B: Engine> Model<B> {
    /// The logits of zero and of each digit for each cell, `[batch, cells, planes]`.
    fn with_zero(&self, board: Tensor<B, 3>) -> Tensor<B, 3> {
        let [batch, cells, planes] = board.dims();
        let mut rows = board.reshape([1, batch * cells, planes]);
        if let Some(convolution) = &self.convolution {
            rows = convolution.forward(rows); // [verses, batch · cells, planes]
        }
        let stacks = rows.dims()[0];
        let mut grids = rows.reshape([stacks, batch, cells * planes]);
        if let Some(dense) = &self.dense {
            grids = dense.forward(grids); // [verses, batch, cells · planes]
        }
        let grids = grids.expand([self.verses, batch, cells * planes]);
        let mut sequence = grids.reshape([self.verses, batch, cells, planes]);
        for lstm in &self.lstms {
            sequence = lstm.forward(sequence); // [verses, batch, cells, 2 · planes]
        }
        let features = self.verses * sequence.dims()[3];
        let concatenated = sequence.permute([1, 2, 0, 3]).reshape([batch, cells, features]);
        self.answer.on_cells(concatenated)
    }
}

impl<B: Engine> Network<B> for Model<B> {
    fn forward(&self, board: Tensor<B, 3>) -> Tensor<B, 3> {
        let answers = self.with_zero(board);
        let planes = answers.dims()[2];
        answers.narrow(2, 1, planes - 1) // [batch, cells, digits]
    }

    /// The cross entropy over zero and all digits, averaged over all cells including clues.
    fn loss(&self, board: Tensor<B, 3>, solutions: Tensor<B, 3>) -> Tensor<B, 1> {
        let [batch, cells, digits] = solutions.dims();
        let digits = log_softmax(self.with_zero(board), 2).narrow(2, 1, digits);
        (digits * solutions).sum() * (-1.0 / (batch * cells) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Cpu;
    use crate::training::losses;

    fn network(config: &Config, order: Order) -> Model<Cpu> {
        config.build(order, &mut Random::new(1), &Default::default())
    }

    #[test]
    fn paper_networks_have_the_published_parameter_counts() {
        let check = |config: Config, expected| {
            assert_eq!(network(&config, Order::FOUR).num_params(), expected, "{config:?}");
        };
        let verses = |verses| Config { verses, ..Config::paper() };
        check(verses(5), 38_205);
        check(verses(6), 45_845);
        check(verses(10), 76_405);
        check(Config::paper(), PARAMETERS);
        check(Config { convolution: false, ..verses(6) }, 45_665);
        check(Config { dense: false, ..verses(6) }, 6_965);
        check(Config { lstms: 0, ..verses(6) }, 39_215);
        check(Config { lstms: 1, ..verses(6) }, 42_005);
    }

    #[test]
    fn every_combination_of_layers_supports_every_order() {
        for order in [Order::FOUR, Order::new(2, 3).unwrap()] {
            for (convolution, dense) in [(false, false), (false, true), (true, false), (true, true)]
            {
                for lstms in 0..3 {
                    let network = network(&Config { convolution, dense, lstms, verses: 2 }, order);
                    let board = Tensor::zeros(
                        [3, order.cell_count(), order.side() + 1],
                        &Default::default(),
                    );
                    assert_eq!(
                        network.forward(board).dims(),
                        [3, order.cell_count(), order.side()]
                    );
                }
            }
        }
        assert!(Config { verses: 0, ..Config::tiny() }.validate(Order::FOUR).is_err());
    }

    #[test]
    fn zero_is_part_of_the_loss_but_not_of_the_output() {
        // Only the last layer: both verses are equal, and the output is the plane of the cell.
        let config = Config { convolution: false, dense: false, lstms: 0, verses: 2 };
        let mut network = network(&config, Order::FOUR);
        let mut weights = [[0f32; 5]; 10];
        (0..10).for_each(|row| weights[row][row % 5] = 0.5);
        network.answer.weight = Param::from_data(weights, &Default::default());
        let puzzle = [[0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0u8]];
        let board = Encoding::OneHotWithBlank.batch(
            Order::FOUR,
            puzzle.iter().map(|p| &p[..]),
            &Default::default(),
        );
        let answers: Vec<f32> = network.forward(board.clone()).into_data().into_vec().unwrap();
        assert_eq!(answers[8..16], [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        // A clue: e / (e + 4) for its digit. An empty cell: zero has e, so each digit has 1 / (e +
        // 4).
        let solution = [[1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1u8]];
        let targets =
            losses::targets(Order::FOUR, solution.iter().map(|s| &s[..]), &Default::default());
        let loss: f32 = network.loss(board, targets).into_scalar();
        let sum = 1f32.exp() + 4.0;
        assert!((loss - (16.0 * sum.ln() - 1.0) / 16.0).abs() < 1e-5, "{loss}");
    }
}
