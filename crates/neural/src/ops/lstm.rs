//! Bidirectional LSTM layers, many side by side: this is where a sequence is read from both ends.
//!
//! ```text
//! for each verse, for each direction, for each step:
//!   in, forget, out = sigmoid(…),  new = tanh(…)      of  input · kernel + hidden · recurrent + bias
//!   cell   ← forget · cell + in · new
//!   hidden ← out · tanh(cell)
//! the answer of a step: hidden of the forward direction, then hidden of the backward direction
//! ```
//! All verses have weights of their own, stacked on the first axis, so that one product serves all of them.
//!
//! The layer is written twice, each time with its gradients: in [`tensors`] with few large tensor operations, for a
//! graphics card, and in [`slices`] as loops over plain numbers, for the processor, where hundreds of small tensor
//! operations would cost more than the sums. [`Engine`] chooses. Both keep a [`Memory`] of the
//! way forward; a tensor library that derives gradients by itself would keep a copy of the whole sequence per step.

pub mod slices;
pub mod tensors;

use crate::device::Engine;
use crate::ops::layers::glorot;
use burn::backend::Autodiff;
use burn::backend::autodiff::checkpoint::base::Checkpointer;
use burn::backend::autodiff::checkpoint::strategy::NoCheckpointing;
use burn::backend::autodiff::grads::Gradients as Collected;
use burn::backend::autodiff::ops::{Backward, Ops, OpsKind};
use burn::module::{Module, Param};
use burn::tensor::backend::Backend;
use burn::tensor::ops::FloatTensor;
use burn::tensor::{Tensor, TensorData, TensorPrimitive};
use ninefold::random::Random;

/// Forward and backward.
pub const DIRECTIONS: usize = 2;
/// In, forget, out, new: the order in which the columns of the weights stand. Keras has "new" before "out".
pub const GATES: usize = 4;

/// The weights of a layer, as the sums need them.
#[derive(Clone, Debug)]
pub struct Weights<B: Backend> {
    /// `[verses, 2, inputs, 4 · hidden]`
    pub kernel: Tensor<B, 4>,
    /// `[verses, 2, hidden, 4 · hidden]`
    pub recurrent: Tensor<B, 4>,
    /// `[verses, 2, 1, 4 · hidden]`
    pub bias: Tensor<B, 4>,
}

/// What the way forward leaves behind for the gradients.
#[derive(Clone, Debug)]
pub enum Memory<B: Backend> {
    /// That of [`tensors`].
    Tensors(tensors::Memory<B>),
    /// That of [`slices`].
    Slices(std::sync::Arc<slices::Memory>),
}

/// The gradients of a layer.
#[derive(Clone, Debug)]
pub struct Gradients<B: Backend> {
    /// In the shape of the sequence.
    pub sequence: Tensor<B, 4>,
    /// In the shapes of the weights.
    pub weights: Weights<B>,
}

/// A bidirectional LSTM layer for each verse.
#[derive(Module, Debug)]
pub struct Bidirectional<B: Backend> {
    /// `[verses, 2, inputs, 4 · hidden]`
    pub kernel: Param<Tensor<B, 4>>,
    /// `[verses, 2, hidden, 4 · hidden]`
    pub recurrent: Param<Tensor<B, 4>>,
    /// `[verses, 2, 1, 4 · hidden]`
    pub bias: Param<Tensor<B, 4>>,
}

impl<B: Engine> Bidirectional<B> {
    /// A layer that has learned nothing yet, begun as Keras begins it: Glorot for the inputs, orthogonal rows for the
    /// recurrence, and a bias of 1 for "forget", so that the cell remembers at first.
    pub fn new(verses: usize, inputs: usize, hidden: usize, random: &mut Random, device: &B::Device) -> Self {
        let stacks = verses * DIRECTIONS;
        let width = GATES * hidden;
        let recurrent: Vec<f32> = (0..stacks).flat_map(|_| orthogonal_rows(hidden, width, random)).collect();
        let is_forget = |column: usize| column % width / hidden == 1;
        let bias: Vec<f32> = (0..stacks * width).map(|column| f32::from(u8::from(is_forget(column)))).collect();
        let param = |values, rows| {
            Param::from_tensor(Tensor::from_data(TensorData::new(values, [verses, DIRECTIONS, rows, width]), device))
        };
        Bidirectional {
            kernel: glorot([verses, DIRECTIONS, inputs, width], inputs + width, random, device),
            recurrent: param(recurrent, hidden),
            bias: param(bias, 1),
        }
    }

    /// `[verses, batch, steps, inputs]` to `[verses, batch, steps, 2 · hidden]`.
    pub fn forward(&self, sequence: Tensor<B, 4>) -> Tensor<B, 4> {
        let weights = Weights { kernel: self.kernel.val(), recurrent: self.recurrent.val(), bias: self.bias.val() };
        B::lstm(sequence, weights)
    }
}

/// Rows of length 1 that stand at right angles to each other, in a random position (Gram and Schmidt).
fn orthogonal_rows(rows: usize, columns: usize, random: &mut Random) -> Vec<f32> {
    let mut kept: Vec<Vec<f64>> = Vec::new();
    while kept.len() < rows {
        let mut row: Vec<f64> = (0..columns).map(|_| normal(random)).collect();
        for other in &kept {
            let along: f64 = row.iter().zip(other).map(|(a, b)| a * b).sum();
            row.iter_mut().zip(other).for_each(|(value, other)| *value -= along * other);
        }
        let length = row.iter().map(|value| value * value).sum::<f64>().sqrt();
        row.iter_mut().for_each(|value| *value /= length);
        kept.push(row);
    }
    kept.into_iter().flatten().map(|value| value as f32).collect()
}

/// A draw from the normal distribution (Box and Muller).
pub(crate) fn normal(random: &mut Random) -> f64 {
    let mut share = || ((random.bits() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
    let (far, angle) = (share(), share());
    (-2.0 * far.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

/// The layer on an engine that collects gradients around another one.
pub fn with_gradients<B: Engine>(
    sequence: Tensor<Autodiff<B>, 4>,
    weights: Weights<Autodiff<B>>,
) -> Tensor<Autodiff<B>, 4> {
    let parents: [FloatTensor<Autodiff<B>>; 4] =
        [sequence, weights.kernel, weights.recurrent, weights.bias].map(|tensor| tensor.into_primitive().tensor());
    let nodes = parents.each_ref().map(|parent| parent.node.clone());
    let [sequence, kernel, recurrent, bias] = parents.map(|parent| tensor::<B>(parent.primitive));
    let weights = Weights { kernel, recurrent, bias };
    let output = match Layer.prepare::<NoCheckpointing>(nodes).compute_bound().stateful() {
        OpsKind::Tracked(prepared) => {
            let (answer, memory) = B::lstm_remembered(sequence, weights);
            prepared.finish(memory, answer.into_primitive().tensor())
        }
        OpsKind::UnTracked(prepared) => prepared.finish(B::lstm(sequence, weights).into_primitive().tensor()),
    };
    Tensor::from_primitive(TensorPrimitive::Float(output))
}

/// The layer as one step of the way back.
#[derive(Debug)]
struct Layer;

impl<B: Engine> Backward<B, 4> for Layer {
    type State = Memory<B>;

    fn backward(self, ops: Ops<Memory<B>, 4>, collected: &mut Collected, _checkpointer: &mut Checkpointer) {
        let answer = tensor::<B>(collected.consume::<B>(&ops.node));
        let Gradients { sequence, weights } = B::lstm_gradients(ops.state, answer);
        let gradients = [sequence, weights.kernel, weights.recurrent, weights.bias];
        for (parent, gradient) in ops.parents.into_iter().zip(gradients) {
            if let Some(parent) = parent {
                collected.register::<B>(parent.id, gradient.into_primitive().tensor());
            }
        }
    }
}

fn tensor<B: Backend>(primitive: FloatTensor<B>) -> Tensor<B, 4> {
    Tensor::from_primitive(TensorPrimitive::Float(primitive))
}

#[cfg(test)]
mod tests;
