//! The published systems, one per file, each with its training recipe.
//!
//! | module | system |
//! |---|---|
//! | [`cnn`] | Kocherzhenko 2020: a convolutional network that fills one cell at a time |
//! | [`staged`] | Tran and Manley: dense or convolutional, trained with few blanks first |
//! | [`multiverse`] | Schendowich, Ben Isaac and Azoulay 2024: parallel LSTM verses for 4×4 |
//! | [`recurrent_transformer`] | Yang, Ishay and Lee 2023: a transformer block in a loop |
//! | [`rrn`] | Palm, Paquet and Winther 2018: recurrent relational network |
//! | [`rem`] | Cheewaprakobkit and others 2023: a rule-based explaining module on top of `rrn` |
//! | [`kaleidoscope`] | Ninefold 2026: attention between candidates, for all grid sizes |
//! | [`hopfield`] | Sharaf, Marathe and Nguyen 2016: a Hopfield network with hints from A* |
//!
//! Each file has a `Config` with the settings (`paper()` as published, `tiny()` for tests), a
//! `Model` with the layers, and `recipe()`, the experiment that trains it. The traits below are the
//! interface to training and inference.

pub mod cnn;
pub mod encoding;
pub mod hopfield;
pub mod kaleidoscope;
pub mod multiverse;
pub mod recurrent_transformer;
pub mod rem;
pub mod rrn;
pub mod staged;

use crate::device::Engine;
use crate::inference::decoding::Decoding;
use crate::onnx::{GraphBuilder, Value};
use crate::training::data::Examples;
use crate::training::losses;
use burn::module::Module;
use burn::tensor::Tensor;
use burn::tensor::backend::Backend;
use encoding::Encoding;
use ninefold::grid::Order;
use ninefold::random::Random;
use ninefold_training::memory::NetworkSize;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// The settings of a model. The type identifies the model.
pub trait ModelConfig:
    Clone + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned
{
    /// The layers.
    type Network<B: Engine>: Network<B>;

    /// How puzzles are encoded.
    fn encoding(&self) -> Encoding;

    /// How puzzles are filled.
    fn decoding(&self) -> Decoding;

    /// Whether it can continue on a puzzle from an earlier state ([`Network::forward_from`]).
    fn has_recurrent_state(&self) -> bool {
        false
    }

    /// Whether it learns to fill puzzles. A model that learns something else is not a solver.
    fn solves(&self) -> bool {
        true
    }

    /// Checks that it can be built for grids of this size; the error is the reason.
    fn validate(&self, order: Order) -> Result<(), String>;

    /// A lower bound of its size in training, with this number of recurrent steps if that differs
    /// from the setting.
    fn size(&self, order: Order, recurrences: Option<usize>) -> NetworkSize;

    /// The training targets of some examples: by default the digits of the solutions, `[batch,
    /// cells, digits]`. A model may define others for its loss.
    fn targets<B: Engine>(
        &self,
        order: Order,
        examples: &Examples,
        batch: &[usize],
        device: &B::Device,
    ) -> Tensor<B, 3> {
        losses::targets(order, batch.iter().map(|&index| examples.solution(index)), device)
    }

    /// Adds the network with its weights to an ONNX graph. Returns the logits of the digits,
    /// `[batch, cells, digits]`, or `None` if the network has no fixed graph.
    fn add_to_graph(&self, order: Order, graph: &mut GraphBuilder<'_>) -> Option<Value> {
        let _ = (order, graph);
        None
    }

    /// Builds an untrained network. The initial weights depend on `random` only, not on the device.
    fn build<B: Engine>(
        &self,
        order: Order,
        random: &mut Random,
        device: &B::Device,
    ) -> Self::Network<B>;
}

/// Lazily computed outputs: each recurrent step runs when its item is requested.
pub type StepOutputs<'a, T> = Box<dyn ExactSizeIterator<Item = T> + 'a>;

/// The layers of a model, which predict all cells at once.
///
/// On a backend with gradients the network is in training mode: dropout is active and batch
/// statistics are updated. On other backends it is in inference mode.
pub trait Network<B: Engine>: Module<B> + Sync {
    /// Maps `[batch, cells, planes]` to the logits of each digit of each cell, `[batch, cells,
    /// digits]`.
    fn forward(&self, board: Tensor<B, 3>) -> Tensor<B, 3>;

    /// The logits after each recurrent step; the last are those of `forward`. A network without
    /// recurrence has one step.
    fn forward_each_step(&self, board: Tensor<B, 3>) -> StepOutputs<'_, Tensor<B, 3>> {
        Box::new(std::iter::once_with(move || self.forward(board)))
    }

    /// The training loss. The solutions are one-hot, `[batch, cells, digits]`.
    ///
    /// Overridden by networks that are supervised after several steps, or not on the clues.
    fn loss(&self, board: Tensor<B, 3>, solutions: Tensor<B, 3>) -> Tensor<B, 1> {
        losses::cross_entropy(self.forward(board), solutions)
    }

    /// Like [`loss`](Network::loss), with another number of recurrent steps. A network without
    /// recurrence ignores the number.
    fn loss_after(
        &self,
        board: Tensor<B, 3>,
        solutions: Tensor<B, 3>,
        recurrences: Option<usize>,
    ) -> Tensor<B, 1> {
        let _ = recurrences;
        self.loss(board, solutions)
    }

    /// Continues from an earlier state. Returns `None` if the network has no recurrent state
    /// ([`ModelConfig::has_recurrent_state`]).
    fn forward_from(
        &self,
        board: Tensor<B, 3>,
        solutions: Tensor<B, 3>,
        state: &RecurrentState<B>,
        recurrences: Option<usize>,
    ) -> Option<Continuation<B>> {
        let _ = (board, solutions, state, recurrences);
        None
    }
}

/// The recurrent state of each puzzle of a batch.
#[derive(Clone, Debug)]
pub struct RecurrentState<B: Backend> {
    /// The states, in a layout that the network defines. The values of new puzzles are arbitrary.
    pub states: Option<Tensor<B, 3>>,
    /// 1 for new puzzles, 0 for the others, `[batch, 1, 1]`.
    pub is_new: Tensor<B, 3>,
}

/// The result of continuing from a [`RecurrentState`].
pub struct Continuation<B: Backend> {
    /// The loss over these steps.
    pub loss: Tensor<B, 1>,
    /// The states at the end.
    pub states: Tensor<B, 3>,
    /// The logits at the end, `[batch, cells, digits]`.
    pub logits: Tensor<B, 3>,
}

/// The number of cells and the number of digits, for estimates of sizes.
fn cells_and_side(order: Order) -> (f64, f64) {
    (order.cell_count() as f64, order.side() as f64)
}

/// Checks a dropout probability.
fn valid_dropout(dropout: f64) -> Result<(), String> {
    match (0.0..1.0).contains(&dropout) {
        true => Ok(()),
        false => Err(format!("dropout must be at least 0 and less than 1, not {dropout}")),
    }
}
