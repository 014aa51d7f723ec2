//! Bidirectional LSTM layers, several side by side.
//!
//! ```text
//! for each group, for each direction, for each step:
//!   in, forget, out = sigmoid(…),  new = tanh(…)   of  input · kernel + hidden · recurrent + bias
//!   cell   ← forget · cell + in · new
//!   hidden ← out · tanh(cell)
//! output of a step: hidden state of the forward direction, then of the backward direction
//! ```
//! A group is one layer with its own weights. The weights of all groups are stacked on the first
//! axis, so that one product serves all of them.
//!
//! There are two implementations, each with its gradients: [`tensors`] uses few large tensor
//! operations and is for GPUs; [`slices`] uses loops over slices and is for CPUs, where hundreds of
//! small tensor operations would cost more than the arithmetic. [`Lstm`] selects one. Both save
//! what the gradients need as [`Saved`]; automatic differentiation would keep a copy of the
//! complete sequence per step.

mod slices;
mod tensors;

use super::init::{glorot, orthogonal_rows};
use super::lstm_cell;
use crate::device::Cpu;
use crate::onnx::{GraphBuilder, Value};
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
use std::sync::Arc;

/// Forward and backward.
pub const DIRECTIONS: usize = 2;
/// In, forget, out, new: the order of the gates in the columns of the weights. In Keras, "new"
/// precedes "out".
pub const GATES: usize = 4;

/// The weights of all groups.
#[derive(Clone, Debug)]
pub struct Weights<B: Backend> {
    /// `[groups, 2, inputs, 4 · hidden]`
    pub kernel: Tensor<B, 4>,
    /// `[groups, 2, hidden, 4 · hidden]`
    pub recurrent: Tensor<B, 4>,
    /// `[groups, 2, 1, 4 · hidden]`
    pub bias: Tensor<B, 4>,
}

/// Adds a bidirectional layer with the weights of this name to an ONNX graph, with unrolled steps:
/// `[groups, batch, steps, inputs]` to `[groups, batch, steps, 2 · hidden]`.
pub(crate) fn add_to_graph(
    graph: &mut GraphBuilder<'_>,
    sequence: &Value,
    name: &str,
    steps: usize,
    hidden: usize,
) -> Value {
    let [kernel, recurrent, bias] =
        ["kernel", "recurrent", "bias"].map(|part| graph.weight(&format!("{name}.{part}")));
    let read = |graph: &mut GraphBuilder<'_>, tensor: &Value, at: usize, axis: i64| {
        let rows = graph.integers(vec![at as i64]);
        let part = graph.gather(tensor, &rows, axis);
        let axis = graph.integers(vec![axis]);
        graph.node("Squeeze", &[&part, &axis], &[])
    };
    let mut directions = Vec::new();
    for direction in 0..DIRECTIONS {
        let [kernel, recurrent, bias] =
            [&kernel, &recurrent, &bias].map(|part| read(graph, part, direction, 1));
        let mut outputs = vec![Value::new(); steps];
        let mut before: Option<[Value; 2]> = None;
        for number in 0..steps {
            let step = if direction == 0 { number } else { steps - 1 - number };
            let input = read(graph, sequence, step, 2); // [groups, batch, inputs]
            let product = graph.binary("MatMul", &input, &kernel);
            let mut gates = graph.binary("Add", &product, &bias);
            if let Some([hidden, _]) = &before {
                let product = graph.binary("MatMul", hidden, &recurrent);
                gates = graph.binary("Add", &gates, &product);
            }
            // In, forget, out, new.
            let old = before.as_ref().map(|[_, cell]| cell);
            let [hidden_state, cell] =
                lstm_cell::add_to_graph(graph, &gates, [0, 1, 3, 2], hidden, old);
            outputs[step] = graph.unsqueeze(&hidden_state, 2);
            before = Some([hidden_state, cell]);
        }
        directions.push(graph.concat(&outputs.iter().collect::<Vec<_>>(), 2));
    }
    graph.concat(&directions.iter().collect::<Vec<_>>(), 3)
}

/// Values of the forward pass that the gradients need.
#[derive(Clone, Debug)]
pub enum Saved<B: Backend> {
    /// Saved by [`tensors`].
    Tensors(tensors::Saved<B>),
    /// Saved by [`slices`].
    Slices(Arc<slices::Saved>),
}

/// The gradients of a layer.
#[derive(Clone, Debug)]
pub struct Gradients<B: Backend> {
    /// Same shape as the sequence.
    pub sequence: Tensor<B, 4>,
    /// Same shapes as the weights.
    pub weights: Weights<B>,
}

/// Backends that support bidirectional LSTM layers.
pub trait Lstm: Backend {
    /// A bidirectional LSTM layer: `[groups, batch, steps, inputs]` to `[groups, batch, steps, 2 ·
    /// hidden]`.
    fn lstm(sequence: Tensor<Self, 4>, weights: Weights<Self>) -> Tensor<Self, 4> {
        Self::lstm_forward(sequence, weights).0
    }

    /// Like [`lstm`](Lstm::lstm); also returns what the gradients need.
    fn lstm_forward(
        sequence: Tensor<Self, 4>,
        weights: Weights<Self>,
    ) -> (Tensor<Self, 4>, Saved<Self>) {
        let (output, saved) = tensors::forward(sequence, weights);
        (output, Saved::Tensors(saved))
    }

    /// The gradients of the layer, from the gradient of its output.
    fn lstm_backward(saved: Saved<Self>, output: Tensor<Self, 4>) -> Gradients<Self> {
        match saved {
            Saved::Tensors(saved) => tensors::backward(saved, output),
            Saved::Slices(_) => {
                unreachable!("only the CPU saves slices, and it overrides this method")
            }
        }
    }
}

impl Lstm for Cpu {
    fn lstm_forward(
        sequence: Tensor<Cpu, 4>,
        weights: Weights<Cpu>,
    ) -> (Tensor<Cpu, 4>, Saved<Cpu>) {
        let (output, saved) = slices::forward(sequence, weights);
        (output, Saved::Slices(Arc::new(saved)))
    }

    fn lstm_backward(saved: Saved<Cpu>, output: Tensor<Cpu, 4>) -> Gradients<Cpu> {
        match saved {
            Saved::Slices(saved) => slices::backward(&saved, output),
            Saved::Tensors(saved) => tensors::backward(saved, output),
        }
    }
}

#[cfg(feature = "cuda")]
impl Lstm for crate::device::Gpu {}

impl<B: Lstm> Lstm for Autodiff<B> {
    fn lstm(sequence: Tensor<Self, 4>, weights: Weights<Self>) -> Tensor<Self, 4> {
        let parents: [FloatTensor<Autodiff<B>>; 4] =
            [sequence, weights.kernel, weights.recurrent, weights.bias]
                .map(|tensor| tensor.into_primitive().tensor());
        let nodes = parents.each_ref().map(|parent| parent.node.clone());
        let [sequence, kernel, recurrent, bias] =
            parents.map(|parent| tensor::<B>(parent.primitive));
        let weights = Weights { kernel, recurrent, bias };
        let output = match Layer.prepare::<NoCheckpointing>(nodes).compute_bound().stateful() {
            OpsKind::Tracked(prepared) => {
                let (output, saved) = B::lstm_forward(sequence, weights);
                prepared.finish(saved, output.into_primitive().tensor())
            }
            OpsKind::UnTracked(prepared) => {
                prepared.finish(B::lstm(sequence, weights).into_primitive().tensor())
            }
        };
        Tensor::from_primitive(TensorPrimitive::Float(output))
    }
}

/// A bidirectional LSTM layer for each group.
#[derive(Module, Debug)]
pub struct Bidirectional<B: Backend> {
    /// `[groups, 2, inputs, 4 · hidden]`
    pub kernel: Param<Tensor<B, 4>>,
    /// `[groups, 2, hidden, 4 · hidden]`
    pub recurrent: Param<Tensor<B, 4>>,
    /// `[groups, 2, 1, 4 · hidden]`
    pub bias: Param<Tensor<B, 4>>,
}

impl<B: Lstm> Bidirectional<B> {
    /// Creates an untrained layer with the initialisation of Keras: Glorot for the inputs,
    /// orthogonal rows for the recurrent weights, and a bias of 1 for "forget", so that the cell
    /// state is kept at first.
    pub fn new(
        groups: usize,
        inputs: usize,
        hidden: usize,
        random: &mut Random,
        device: &B::Device,
    ) -> Self {
        let stacks = groups * DIRECTIONS;
        let width = GATES * hidden;
        let recurrent: Vec<f32> =
            (0..stacks).flat_map(|_| orthogonal_rows(hidden, width, random)).collect();
        let is_forget = |column: usize| column % width / hidden == 1;
        let bias: Vec<f32> =
            (0..stacks * width).map(|column| f32::from(u8::from(is_forget(column)))).collect();
        let param = |values, rows| {
            Param::from_tensor(Tensor::from_data(
                TensorData::new(values, [groups, DIRECTIONS, rows, width]),
                device,
            ))
        };
        Bidirectional {
            kernel: glorot([groups, DIRECTIONS, inputs, width], inputs + width, random, device),
            recurrent: param(recurrent, hidden),
            bias: param(bias, 1),
        }
    }

    /// Maps `[groups, batch, steps, inputs]` to `[groups, batch, steps, 2 · hidden]`.
    pub fn forward(&self, sequence: Tensor<B, 4>) -> Tensor<B, 4> {
        let weights = Weights {
            kernel: self.kernel.val(),
            recurrent: self.recurrent.val(),
            bias: self.bias.val(),
        };
        B::lstm(sequence, weights)
    }
}

/// The layer as a node of the autodiff graph.
#[derive(Debug)]
struct Layer;

impl<B: Lstm> Backward<B, 4> for Layer {
    type State = Saved<B>;

    fn backward(
        self,
        ops: Ops<Saved<B>, 4>,
        collected: &mut Collected,
        _checkpointer: &mut Checkpointer,
    ) {
        let output = tensor::<B>(collected.consume::<B>(&ops.node));
        let Gradients { sequence, weights } = B::lstm_backward(ops.state, output);
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
