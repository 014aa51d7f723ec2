//! Designs: the settings of a model, and what they promise to the rooms that train and ask it.

pub mod cnn;
pub mod encoding;
pub mod hopfield;
pub mod multiverse;
pub mod recurrent_transformer;
pub mod rem;
pub mod rrn;
pub mod staged;

use crate::device::Engine;
use crate::inference::evaluate::Way;
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
pub trait Design: Clone + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned {
    /// The layers.
    type Network<B: Engine>: Network<B>;

    /// How it reads a puzzle.
    fn encoding(&self) -> Encoding;

    /// How it fills a puzzle.
    fn way(&self) -> Way;

    /// Can it think on about a puzzle from where it stopped?
    fn thinks_on(&self) -> bool {
        false
    }

    /// Does it learn to fill puzzles? One that learns something else is no solver, whatever digits it gives.
    fn solves(&self) -> bool {
        true
    }

    /// What keeps it from being built, in words; nothing if it can be.
    fn refuses(&self, order: Order) -> Option<String>;

    /// What the network is held to, for some of the examples: the digits of the solutions, `[batch, cells, digits]`, or
    /// whatever else its loss understands.
    fn targets<B: Engine>(
        &self,
        order: Order,
        examples: &Examples,
        batch: &[usize],
        device: &B::Device,
    ) -> Tensor<B, 3> {
        losses::targets(order, batch.iter().map(|&index| examples.solution(index)), device)
    }

    /// A network that has learned nothing yet. Its first weights depend on `random` alone, not on the device.
    fn build<B: Engine>(&self, order: Order, random: &mut Random, device: &B::Device) -> Self::Network<B>;
}

/// Answers that are worked out one after the other, each when it is asked for: whoever has heard enough asks no more, and
/// nothing more is computed.
pub type Answers<'a, T> = Box<dyn ExactSizeIterator<Item = T> + 'a>;

/// Layers that answer for every cell at once.
///
/// On a backend with gradients it learns: dropout drops and batch statistics are gathered. On a plain one it answers.
pub trait Network<B: Engine>: Module<B> + Sync {
    /// From `[batch, cells, planes]` to one number for each digit of each cell, `[batch, cells, digits]`.
    fn forward(&self, board: Tensor<B, 3>) -> Tensor<B, 3>;

    /// The answers on its way, the last one being that of `forward`; most networks have but this one.
    fn answers_on_the_way(&self, board: Tensor<B, 3>) -> Answers<'_, Tensor<B, 3>> {
        Box::new(std::iter::once_with(move || self.forward(board)))
    }

    /// How wrong it is about the solutions, which are ones in `[batch, cells, digits]`.
    ///
    /// A network that answers several times on its way, or is not asked about the clues, says so here.
    fn loss(&self, board: Tensor<B, 3>, solutions: Tensor<B, 3>) -> Tensor<B, 1> {
        losses::cross_entropy(self.forward(board), solutions)
    }

    /// The same after so many recurrences instead of its own; a network without recurrences takes no notice.
    fn loss_after(&self, board: Tensor<B, 3>, solutions: Tensor<B, 3>, recurrences: Option<usize>) -> Tensor<B, 1> {
        let _ = recurrences;
        self.loss(board, solutions)
    }

    /// Thinks on from earlier thoughts; nothing if the network has none ([`Design::thinks_on`]).
    fn think_on(
        &self,
        board: Tensor<B, 3>,
        solutions: Tensor<B, 3>,
        thoughts: &Thoughts<B>,
        recurrences: Option<usize>,
    ) -> Option<Thinking<B>> {
        let _ = (board, solutions, thoughts, recurrences);
        None
    }
}

/// Where a network stopped to think about each puzzle of a batch.
#[derive(Clone, Debug)]
pub struct Thoughts<B: Backend> {
    /// Its thoughts, in a form of its own; whatever stands there for a puzzle that it has not seen yet.
    pub states: Option<Tensor<B, 3>>,
    /// 1 for puzzles that it has not seen yet, 0 for the others, `[batch, 1, 1]`.
    pub unseen: Tensor<B, 3>,
}

/// What came out of thinking on.
pub struct Thinking<B: Backend> {
    /// How wrong it was on this part of the way.
    pub loss: Tensor<B, 1>,
    /// Its thoughts at the end.
    pub states: Tensor<B, 3>,
    /// Its last answer, `[batch, cells, digits]`.
    pub answer: Tensor<B, 3>,
}
