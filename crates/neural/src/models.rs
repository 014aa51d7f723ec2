//! Models: this is where the published systems live, each in its own file with its recipe.
//!
//! | module | system |
//! |---|---|
//! | [`cnn`] | Kocherzhenko 2020: a convolutional network that fills cell by cell |
//! | [`staged`] | Tran and Manley: dense and convolutional networks, trained from few blanks to many |
//! | [`multiverse`] | Schendowich, Ben Isaac and Azoulay 2024: parallel LSTM verses for 4×4 |
//! | [`recurrent_transformer`] | Yang, Ishay and Lee 2023: one transformer block, applied again and again |
//! | [`rrn`] | Palm, Paquet and Winther 2018: recurrent relational network |
//! | [`rem`] | Cheewaprakobkit and others 2023: a rule-based explaining module on top of it |
//! | [`kaleidoscope`] | our own: attention among candidates, equal for all that is symmetric, for all sizes |
//! | [`hopfield`] | Sharaf, Marathe and Nguyen 2016: a Hopfield network with hints from A*; it is not trained |
//!
//! A file has a `Config` with the settings (`paper()` as published, `tiny()` for tests), a `Model` with the layers, and a
//! `recipe`: the experiment that trains it. This page says what these promise to the rooms that train and ask them.

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
use crate::onnx::{Drawing, Value};
use crate::training::data::Examples;
use crate::training::losses;
use burn::module::Module;
use burn::tensor::Tensor;
use burn::tensor::backend::Backend;
use encoding::Encoding;
use ninefold::grid::Order;
use ninefold::random::Random;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// The settings of a model; its type says which model it is.
pub trait ModelConfig:
    Clone + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned
{
    /// The layers.
    type Network<B: Engine>: Network<B>;

    /// How it reads a puzzle.
    fn encoding(&self) -> Encoding;

    /// How it fills a puzzle.
    fn decoding(&self) -> Decoding;

    /// Can it continue on a puzzle from the state it stopped in ([`Network::forward_from`])?
    fn has_recurrent_state(&self) -> bool {
        false
    }

    /// Does it learn to fill puzzles? One that learns something else is not a solver, whatever digits it gives.
    fn solves(&self) -> bool {
        true
    }

    /// Can it be built for grids of this size? If not, the error says why.
    fn validate(&self, order: Order) -> Result<(), String>;

    /// The training targets of some of the examples: the digits of the solutions, `[batch, cells, digits]`, or whatever
    /// else its loss understands.
    fn targets<B: Engine>(
        &self,
        order: Order,
        examples: &Examples,
        batch: &[usize],
        device: &B::Device,
    ) -> Tensor<B, 3> {
        losses::targets(order, batch.iter().map(|&index| examples.solution(index)), device)
    }

    /// Draws how the numbers of a puzzle pass through the network with its weights, up to the logits of the digits,
    /// `[batch, cells, digits]`; nothing if it cannot be drawn.
    fn draw(&self, order: Order, drawing: &mut Drawing<'_>) -> Option<Value> {
        let _ = (order, drawing);
        None
    }

    /// An untrained network. Its first weights depend on `random` alone, not on the device.
    fn build<B: Engine>(
        &self,
        order: Order,
        random: &mut Random,
        device: &B::Device,
    ) -> Self::Network<B>;
}

/// Outputs that are computed one after the other, each when it is asked for, so nothing is computed that nobody asks
/// for.
pub type StepOutputs<'a, T> = Box<dyn ExactSizeIterator<Item = T> + 'a>;

/// Layers that answer for every cell at once.
///
/// On a backend with gradients it is in training mode: dropout drops and batch statistics are gathered. On a plain one it
/// is in inference mode.
pub trait Network<B: Engine>: Module<B> + Sync {
    /// From `[batch, cells, planes]` to the logits of each digit of each cell, `[batch, cells, digits]`.
    fn forward(&self, board: Tensor<B, 3>) -> Tensor<B, 3>;

    /// The logits after each recurrent step, the last being those of `forward`; a network without recurrence has one step.
    fn forward_each_step(&self, board: Tensor<B, 3>) -> StepOutputs<'_, Tensor<B, 3>> {
        Box::new(std::iter::once_with(move || self.forward(board)))
    }

    /// The training loss for solutions that are one-hot in `[batch, cells, digits]`.
    ///
    /// A network that is supervised after several steps, or not on the clues, says so here.
    fn loss(&self, board: Tensor<B, 3>, solutions: Tensor<B, 3>) -> Tensor<B, 1> {
        losses::cross_entropy(self.forward(board), solutions)
    }

    /// The loss after this many recurrent steps instead of its own; a network without recurrence ignores the number.
    fn loss_after(
        &self,
        board: Tensor<B, 3>,
        solutions: Tensor<B, 3>,
        recurrences: Option<usize>,
    ) -> Tensor<B, 1> {
        let _ = recurrences;
        self.loss(board, solutions)
    }

    /// Continues from an earlier state; nothing if the network has none ([`ModelConfig::has_recurrent_state`]).
    fn forward_from(
        &self,
        board: Tensor<B, 3>,
        solutions: Tensor<B, 3>,
        state: &RecurrentState<B>,
        recurrences: Option<usize>,
    ) -> Option<Continued<B>> {
        let _ = (board, solutions, state, recurrences);
        None
    }
}

/// The state in which a network stopped on each puzzle of a batch.
#[derive(Clone, Debug)]
pub struct RecurrentState<B: Backend> {
    /// The states, in a layout of the network's own; arbitrary numbers for a puzzle that it has not seen yet.
    pub states: Option<Tensor<B, 3>>,
    /// 1 for puzzles that it has not seen yet, 0 for the others, `[batch, 1, 1]`.
    pub unseen: Tensor<B, 3>,
}

/// What came of continuing from a [`RecurrentState`].
pub struct Continued<B: Backend> {
    /// The loss over these steps.
    pub loss: Tensor<B, 1>,
    /// The states at the end.
    pub states: Tensor<B, 3>,
    /// The logits at the end, `[batch, cells, digits]`.
    pub logits: Tensor<B, 3>,
}

/// Is this a share of units that dropout can forget?
fn valid_dropout(dropout: f64) -> Result<(), String> {
    match (0.0..1.0).contains(&dropout) {
        true => Ok(()),
        false => Err(format!("dropout is at least 0 and less than 1; {dropout} is not")),
    }
}
