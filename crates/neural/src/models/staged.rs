//! Trieu Hung Tran and Grahm Manley, "Solving Sudoku with Neural Networks".
//!
//! Two hidden layers, dense or convolutional, with dropout after each; then one softmax layer for each of the 81 cells
//! that sees all of them. It learns in 19 stages: solutions with more and more cells deleted at random, each stage until
//! the loss on the validation set has not improved for two epochs. Puzzles are filled cell by cell, surest cell first.
//!
//! paper → code: "81 dense layers" → [`StagedNetwork`]'s `heads`, one matrix that holds all of them; `Dense`, `Conv` →
//! [`Body`]; the suffix `_Val` → `staged_validation` of the experiment; Table V → [`TABLE_V`].

use crate::device::Engine;
use crate::inference::evaluate::Way;
use crate::models::encoding::Encoding;
use crate::models::{Design, Network};
use crate::ops::layers::{Convolution, Dense};
use burn::module::Module;
use burn::nn::{Dropout, DropoutConfig};
use burn::tensor::Tensor;
use burn::tensor::activation::relu;
use burn::tensor::backend::Backend;
use ninefold::grid::Order;
use ninefold::random::Random;
use serde::{Deserialize, Serialize};

/// The stages of Table V: cells to delete, and the most epochs.
pub const TABLE_V: [(usize, usize); 19] = [
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

/// What the hidden layers look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Body {
    /// One cell at a time; all cells share the weights.
    Dense,
    /// The 3×3 surroundings of a cell.
    Convolutional,
}

/// The settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Staged {
    /// What the hidden layers look at.
    pub body: Body,
    /// Units of each hidden layer.
    pub hidden: usize,
    /// The share of units that dropout forgets.
    pub dropout: f64,
}

impl Staged {
    /// 64 units, dropout 0.4; 3,784,729 parameters with a dense body, 3,822,617 with a convolutional one.
    pub fn paper(body: Body) -> Staged {
        Staged { body, hidden: 64, dropout: 0.4 }
    }

    /// Small enough to learn a handful of puzzles within seconds.
    pub fn tiny(body: Body) -> Staged {
        Staged { body, hidden: 8, dropout: 0.1 }
    }
}

impl Design for Staged {
    type Network<B: Engine> = StagedNetwork<B>;

    fn encoding(&self) -> Encoding {
        Encoding::OneHotWithBlank
    }

    fn way(&self) -> Way {
        Way::CellByCell
    }

    fn refuses(&self, _order: Order) -> Option<String> {
        if self.hidden == 0 {
            return Some("a hidden layer without units has nothing to say".to_string());
        }
        let is_share = (0.0..1.0).contains(&self.dropout);
        (!is_share).then(|| format!("dropout is a share from 0 up to, but not including, 1; {} is not", self.dropout))
    }

    fn build<B: Engine>(&self, order: Order, random: &mut Random, device: &B::Device) -> StagedNetwork<B> {
        let planes = self.encoding().planes(order);
        let mut layer = |inputs| match self.body {
            Body::Dense => HiddenLayer::Dense(Dense::new(inputs, self.hidden, random, device)),
            Body::Convolutional => {
                HiddenLayer::Convolutional(Convolution::new(order, inputs, self.hidden, random, device))
            }
        };
        let (first, second) = (layer(planes), layer(self.hidden));
        // Each head starts as a layer of its own would: its fan out is the number of digits.
        let inputs = order.cell_count() * self.hidden;
        let heads = Dense::heads(order.cell_count(), inputs, order.side(), random, device);
        StagedNetwork { first, second, heads, dropout: DropoutConfig::new(self.dropout).init() }
    }
}

/// The layers, in the order in which a puzzle passes them.
#[derive(Module, Debug)]
pub struct StagedNetwork<B: Backend> {
    first: HiddenLayer<B>,
    second: HiddenLayer<B>,
    heads: Dense<B>,
    dropout: Dropout,
}

/// A hidden layer of either kind.
#[derive(Module, Debug)]
pub enum HiddenLayer<B: Backend> {
    /// One cell at a time.
    Dense(Dense<B>),
    /// With its surroundings.
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

impl<B: Engine> Network<B> for StagedNetwork<B> {
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

    fn network(design: &Staged, order: Order) -> StagedNetwork<Cpu> {
        design.build(order, &mut Random::new(1), &Default::default())
    }

    #[test]
    fn the_papers_networks_have_3_784_729_and_3_822_617_parameters() {
        assert_eq!(network(&Staged::paper(Body::Dense), Order::NINE).num_params(), 3_784_729);
        assert_eq!(network(&Staged::paper(Body::Convolutional), Order::NINE).num_params(), 3_822_617);
    }

    #[test]
    fn table_v_has_19_stages_and_148_epochs_at_most() {
        assert_eq!(TABLE_V.len(), 19);
        assert_eq!(TABLE_V.iter().map(|&(_, epochs)| epochs).sum::<usize>(), 148);
        assert!(TABLE_V.is_sorted());
    }

    #[test]
    fn both_bodies_take_every_order() {
        for body in [Body::Dense, Body::Convolutional] {
            for order in [Order::FOUR, Order::boxes(2, 3).unwrap()] {
                let board = Tensor::zeros([2, order.cell_count(), order.side() + 1], &Default::default());
                let answer = network(&Staged::tiny(body), order).forward(board);
                assert_eq!(answer.dims(), [2, order.cell_count(), order.side()]);
            }
        }
    }

    #[test]
    fn settings_without_sense_are_refused() {
        let tiny = Staged::tiny(Body::Dense);
        assert_eq!(tiny.refuses(Order::FOUR), None);
        assert!(Staged { hidden: 0, ..tiny.clone() }.refuses(Order::FOUR).is_some());
        assert!(Staged { dropout: 1.0, ..tiny }.refuses(Order::FOUR).is_some());
    }
}
