//! Zhun Yang, Adam Ishay and Joohyung Lee, "Learning to Solve Constraint Satisfaction Problems with
//! Recurrent Transformer" (2023): the baseline of Schendowich, Ben Isaac and Azoulay.
//!
//! Every cell is a token with its content and position. One transformer block processes all cells,
//! and its output passes through the same block again, so that each round builds on the previous
//! one. The loss is computed after every round, over the empty cells only.
//!
//! paper → code: recurrences (Schendowich et al.: iterations) → `rounds`; one layer of minGPT
//! without its causal mask → `Block`; a label of −100 on a clue → the mask in
//! [`loss`](Network::loss).
//!
//! As in minGPT: normalisation before attention and before the MLP, GELU, an MLP four times as wide
//! as the embedding, no bias in the last layer, normal initial weights with deviation 0.02,
//! positions initialised with zero, dropout 0.1. The original is trained by AdamW with weight decay
//! and clipped gradients, ours by `training::adam`.

use crate::device::Engine;
use crate::inference::decoding::Decoding;
use crate::models::encoding::Encoding;
use crate::models::{ModelConfig, Network, StepOutputs, cells_and_side, multiverse, valid_dropout};
use crate::ops::dense::Dense;
use crate::training::experiment::{Experiment, Stage};
use burn::module::{Module, Param};
use burn::nn::{Dropout, DropoutConfig, LayerNorm, LayerNormConfig};
use burn::tensor::activation::{gelu, log_softmax, softmax};
use burn::tensor::backend::Backend;
use burn::tensor::{Tensor, TensorData};
use ninefold::grid::Order;
use ninefold::random::Random;
use ninefold_training::memory::NetworkSize;
use serde::{Deserialize, Serialize};

/// Authors of the paper.
pub(crate) const AUTHORS: &str = "Yang, Ishay and Lee 2023, the baseline of Schendowich and others";

/// Parameter count of [`Config::paper`] for 9×9.
pub(crate) const PARAMETERS: usize = 211_328;

/// Settings of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Embedding width.
    pub embedding: usize,
    /// Number of attention heads; must divide the embedding width.
    pub heads: usize,
    /// Number of passes through the block.
    pub rounds: usize,
    /// Dropout probability.
    pub dropout: f64,
}

impl Config {
    /// L1R32H4 of Yang, Ishay and Lee.
    pub fn paper() -> Config {
        Config { embedding: 128, heads: 4, rounds: 32, dropout: 0.1 }
    }

    /// The strongest baseline of Schendowich et al., for 4×4: two rounds.
    pub fn schendowich() -> Config {
        Config { rounds: 2, ..Config::paper() }
    }

    /// Small enough to memorise a handful of puzzles within seconds.
    pub fn tiny() -> Config {
        Config { embedding: 16, heads: 2, rounds: 2, dropout: 0.0 }
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
        if self.rounds == 0 {
            return Err("at least one round is needed".to_string());
        }
        if self.heads == 0 || self.embedding == 0 || !self.embedding.is_multiple_of(self.heads) {
            return Err(format!(
                "{} heads cannot share an embedding of {} evenly",
                self.heads, self.embedding
            ));
        }
        valid_dropout(self.dropout)
    }

    fn size(&self, order: Order, recurrences: Option<usize>) -> NetworkSize {
        let (cells, side) = cells_and_side(order);
        let (width, heads) = (self.embedding as f64, self.heads as f64);
        let rounds = recurrences.unwrap_or(self.rounds) as f64;
        let parameters = width * (12.0 * width + cells + 2.0 * side);
        NetworkSize::new(parameters, rounds * cells * (8.0 * width + heads * cells))
    }

    fn build<B: Engine>(
        &self,
        order: Order,
        random: &mut Random,
        device: &B::Device,
    ) -> Self::Network<B> {
        let width = self.embedding;
        let symbols = normal([self.encoding().planes(order), width], random, device);
        let mut dense = |inputs: usize, outputs: usize| Dense {
            weight: normal([inputs, outputs], random, device),
            bias: Param::from_tensor(Tensor::zeros([outputs], device)),
        };
        let norm = || LayerNormConfig::new(width).init(device);
        let block = Block {
            attention_norm: norm(),
            attention: dense(width, 3 * width),
            gather: dense(width, width),
            wide_norm: norm(),
            wide: dense(width, 4 * width),
            narrow: dense(4 * width, width),
            dropout: DropoutConfig::new(self.dropout).init(),
            heads: self.heads,
        };
        Model {
            symbols,
            places: Param::from_tensor(Tensor::zeros([order.cell_count(), width], device)),
            block,
            norm: norm(),
            answer: normal([width, order.side()], random, device),
            dropout: DropoutConfig::new(self.dropout).init(),
            rounds: self.rounds,
        }
    }
}

/// The baseline as trained by Schendowich et al.: embedding 128, 4 heads, 2 rounds, on the puzzles
/// of [`multiverse`] for 15 epochs.
pub fn recipe() -> Experiment<Config> {
    Experiment {
        stages: vec![Stage::new(15, 1e-3)],
        ..multiverse::recipe().with_model(Config::schendowich())
    }
}

fn normal<B: Backend>(
    shape: [usize; 2],
    random: &mut Random,
    device: &B::Device,
) -> Param<Tensor<B, 2>> {
    let values: Vec<f32> =
        (0..shape[0] * shape[1]).map(|_| 0.02 * random.normal() as f32).collect();
    Param::from_tensor(Tensor::from_data(TensorData::new(values, shape), device))
}

/// Attention between all cells, then an MLP per cell.
#[derive(Module, Debug)]
struct Block<B: Backend> {
    attention_norm: LayerNorm<B>,
    /// Query, key and value of all heads, concatenated.
    attention: Dense<B>,
    gather: Dense<B>,
    wide_norm: LayerNorm<B>,
    wide: Dense<B>,
    narrow: Dense<B>,
    dropout: Dropout,
    heads: usize,
}

impl<B: Backend> Block<B> {
    /// `[batch, cells, embedding]`, shape unchanged.
    fn forward(&self, board: Tensor<B, 3>) -> Tensor<B, 3> {
        let attended = self.attend(self.attention_norm.forward(board.clone()));
        let board = board + self.dropout.forward(attended);
        let wide = gelu(self.wide.on_cells(self.wide_norm.forward(board.clone()))); // [batch, cells, 4 · embedding]
        board + self.dropout.forward(self.narrow.on_cells(wide))
    }

    fn attend(&self, board: Tensor<B, 3>) -> Tensor<B, 3> {
        let [batch, cells, width] = board.dims();
        let head = width / self.heads;
        let all = self.attention.on_cells(board); // [batch, cells, 3 · embedding]
        let [query, key, value] = [0, 1, 2].map(|part| {
            let part = all.clone().narrow(2, part * width, width);
            part.reshape([batch, cells, self.heads, head]).swap_dims(1, 2) // [batch, heads, cells, head]
        });
        let scores = query.matmul(key.swap_dims(2, 3)) / (head as f64).sqrt(); // [batch, heads, cells, cells]
        let attended = self.dropout.forward(softmax(scores, 3)).matmul(value); // [batch, heads, cells, head]
        self.gather.on_cells(attended.swap_dims(1, 2).reshape([batch, cells, width]))
    }
}

/// The layers, in forward order.
#[derive(Module, Debug)]
pub struct Model<B: Backend> {
    /// Embedding of the content of a cell, `[planes, embedding]`.
    symbols: Param<Tensor<B, 2>>,
    /// Position embedding, `[cells, embedding]`.
    places: Param<Tensor<B, 2>>,
    block: Block<B>,
    norm: LayerNorm<B>,
    /// `[embedding, digits]`
    answer: Param<Tensor<B, 2>>,
    dropout: Dropout,
    rounds: usize,
}

impl<B: Engine> Model<B> {
    /// The state after each round, `[batch, cells, embedding]`. Rounds are computed lazily.
    fn after_each_round(&self, board: Tensor<B, 3>) -> impl ExactSizeIterator<Item = Tensor<B, 3>> {
        let tokens = board.matmul(self.symbols.val().unsqueeze()) + self.places.val().unsqueeze(); // [batch, cells, embedding]
        let mut board = self.dropout.forward(tokens);
        (0..self.rounds).map(move |_| {
            board = self.block.forward(board.clone());
            board.clone()
        })
    }

    fn answers(&self, board: Tensor<B, 3>) -> Tensor<B, 3> {
        self.norm.forward(board).matmul(self.answer.val().unsqueeze()) // [batch, cells, digits]
    }
}

impl<B: Engine> Network<B> for Model<B> {
    fn forward(&self, board: Tensor<B, 3>) -> Tensor<B, 3> {
        self.answers(self.after_each_round(board).last().expect("there is at least one round"))
    }

    fn forward_each_step(&self, board: Tensor<B, 3>) -> StepOutputs<'_, Tensor<B, 3>> {
        Box::new(self.after_each_round(board).map(|round| self.answers(round)))
    }

    /// The cross entropy of the empty cells, averaged over all rounds.
    fn loss(&self, board: Tensor<B, 3>, solutions: Tensor<B, 3>) -> Tensor<B, 1> {
        let empty = board.clone().narrow(2, 0, 1); // [batch, cells, 1]
        let targets = solutions * empty.clone();
        let log_likelihood =
            |board: Tensor<B, 3>| (log_softmax(self.answers(board), 2) * targets.clone()).sum();
        let rounds = self.after_each_round(board).map(log_likelihood);
        let sum = rounds
            .reduce(|sum, log_likelihood| sum + log_likelihood)
            .expect("there is at least one round");
        sum / (empty.sum() * -(self.rounds as f64))
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
    fn paper_network_has_211_328_parameters() {
        assert_eq!(network(&Config::paper(), Order::NINE).num_params(), PARAMETERS);
    }

    #[test]
    fn supports_every_order_and_rejects_invalid_settings() {
        for order in [Order::FOUR, Order::new(2, 3).unwrap()] {
            let board =
                Tensor::zeros([2, order.cell_count(), order.side() + 1], &Default::default());
            let answer = network(&Config::tiny(), order).forward(board);
            assert_eq!(answer.dims(), [2, order.cell_count(), order.side()]);
        }
        let tiny = Config::tiny();
        assert_eq!(tiny.validate(Order::FOUR), Ok(()));
        for bad in [
            Config { heads: 3, ..tiny.clone() },
            Config { rounds: 0, ..tiny.clone() },
            Config { dropout: 1.0, ..tiny },
        ] {
            assert!(bad.validate(Order::FOUR).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn rounds_are_computed_lazily() {
        let config = Config { rounds: usize::MAX, ..Config::tiny() };
        let network = network(&config, Order::FOUR);
        let mut answers = network.forward_each_step(Tensor::zeros([1, 16, 5], &Default::default()));
        assert_eq!(answers.by_ref().take(3).count(), 3);
        assert_eq!(answers.len(), usize::MAX - 3);
    }

    #[test]
    fn loss_ignores_clues() {
        // The last layer is zero, so every digit of every cell has the same probability: the loss
        // is ln 4, whatever the clues are.
        let mut network = network(&Config::tiny(), Order::FOUR);
        network.answer = Param::from_tensor(Tensor::zeros([16, 4], &Default::default()));
        let puzzle = [[1, 2, 0, 4, 3, 4, 1, 2, 0, 1, 4, 3, 4, 3, 2, 1u8]];
        let solution = [[1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1u8]];
        let board = Encoding::OneHotWithBlank.batch(
            Order::FOUR,
            puzzle.iter().map(|p| &p[..]),
            &Default::default(),
        );
        let targets =
            losses::targets(Order::FOUR, solution.iter().map(|s| &s[..]), &Default::default());
        let loss: f32 = network.loss(board, targets).into_scalar();
        assert!((loss - 4f32.ln()).abs() < 1e-5, "{loss}");
    }

    #[test]
    fn attention_over_equal_cells_returns_their_value() {
        // All cells are equal: for any scores, the mean of equal values is that value. Value = 2 ·
        // input, and `gather` is the identity.
        let config = Config { embedding: 2, heads: 1, rounds: 1, dropout: 0.0 };
        let mut block = network(&config, Order::FOUR).block;
        let device = Default::default();
        block.attention.weight = Param::from_data(
            [[0.3, -0.1, 0.7, 0.2, 2.0, 0.0], [0.1, 0.5, -0.4, 0.9, 0.0, 2.0]],
            &device,
        );
        block.gather.weight = Param::from_data([[1.0, 0.0], [0.0, 1.0]], &device);
        let board: Tensor<Cpu, 3> =
            Tensor::from_data([[[0.5, -1.0], [0.5, -1.0], [0.5, -1.0]]], &device);
        let attended: Vec<f32> = block.attend(board).into_data().into_vec().unwrap();
        for (found, expected) in attended.iter().zip([1.0, -2.0, 1.0, -2.0, 1.0, -2.0]) {
            assert!((found - expected).abs() < 1e-6, "{attended:?}");
        }
    }
}
