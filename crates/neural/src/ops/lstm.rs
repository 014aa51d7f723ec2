//! Bidirectional LSTM layers, many side by side: this is where a sequence is read from both ends.
//!
//! ```text
//! for each group, for each direction, for each step:
//!   in, forget, out = sigmoid(…),  new = tanh(…)      of  input · kernel + hidden · recurrent + bias
//!   cell   ← forget · cell + in · new
//!   hidden ← out · tanh(cell)
//! the answer of a step: hidden of the forward direction, then hidden of the backward direction
//! ```
//! Several layers stand side by side as groups, with weights of their own stacked on the first axis, so that one product
//! serves all of them.
//!
//! The layer is written twice, each time with its gradients: in [`tensors`] with few large tensor operations, for a
//! graphics card, and in [`slices`] as loops over plain numbers, for the processor, where hundreds of small tensor
//! operations would cost more than the sums. [`Lstm`] chooses. Both keep what their gradients
//! need as [`Saved`]; a tensor library that derives gradients by itself would keep a copy of the whole sequence per step.

mod slices;
mod tensors;

use super::init::{glorot, orthogonal_rows};
use super::lstm_cell;
use crate::device::Cpu;
use crate::onnx::{Drawing, Value};
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
/// In, forget, out, new: the order in which the columns of the weights stand. Keras has "new" before "out".
pub const GATES: usize = 4;

/// The weights of a layer, as the sums need them.
#[derive(Clone, Debug)]
pub struct Weights<B: Backend> {
    /// `[groups, 2, inputs, 4 · hidden]`
    pub kernel: Tensor<B, 4>,
    /// `[groups, 2, hidden, 4 · hidden]`
    pub recurrent: Tensor<B, 4>,
    /// `[groups, 2, 1, 4 · hidden]`
    pub bias: Tensor<B, 4>,
}

/// Draws a bidirectional layer with the weights of this name, step by step: `[groups, batch, steps, inputs]` to
/// `[groups, batch, steps, 2 · hidden]`.
pub(crate) fn draw(
    drawing: &mut Drawing<'_>,
    sequence: &Value,
    name: &str,
    steps: usize,
    hidden: usize,
) -> Value {
    let [kernel, recurrent, bias] =
        ["kernel", "recurrent", "bias"].map(|part| drawing.weight(&format!("{name}.{part}")));
    let read = |drawing: &mut Drawing<'_>, tensor: &Value, at: usize, axis: i64| {
        let rows = drawing.numbers(vec![at as i64]);
        let part = drawing.gather(tensor, &rows, axis);
        let axis = drawing.numbers(vec![axis]);
        drawing.node("Squeeze", &[&part, &axis], &[])
    };
    let mut directions = Vec::new();
    for direction in 0..DIRECTIONS {
        let [kernel, recurrent, bias] =
            [&kernel, &recurrent, &bias].map(|part| read(drawing, part, direction, 1));
        let mut answers = vec![Value::new(); steps];
        let mut before: Option<[Value; 2]> = None;
        for number in 0..steps {
            let step = if direction == 0 { number } else { steps - 1 - number };
            let input = read(drawing, sequence, step, 2); // [groups, batch, inputs]
            let product = drawing.two("MatMul", &input, &kernel);
            let mut gates = drawing.two("Add", &product, &bias);
            if let Some([hidden, _]) = &before {
                let product = drawing.two("MatMul", hidden, &recurrent);
                gates = drawing.two("Add", &gates, &product);
            }
            // In, forget, out, new.
            let old = before.as_ref().map(|[_, cell]| cell);
            let [told, cell] = lstm_cell::draw(drawing, &gates, [0, 1, 3, 2], hidden, old);
            answers[step] = drawing.unsqueeze(&told, 2);
            before = Some([told, cell]);
        }
        directions.push(drawing.concat(&answers.iter().collect::<Vec<_>>(), 2));
    }
    drawing.concat(&directions.iter().collect::<Vec<_>>(), 3)
}

/// What the forward pass saves for the gradients.
#[derive(Clone, Debug)]
pub enum Saved<B: Backend> {
    /// In the form of [`tensors`].
    Tensors(tensors::Saved<B>),
    /// In the form of [`slices`].
    Slices(Arc<slices::Saved>),
}

/// The gradients of a layer.
#[derive(Clone, Debug)]
pub struct Gradients<B: Backend> {
    /// In the shape of the sequence.
    pub sequence: Tensor<B, 4>,
    /// In the shapes of the weights.
    pub weights: Weights<B>,
}

/// A tensor library that can read sequences.
pub trait Lstm: Backend {
    /// A bidirectional LSTM layer, `[groups, batch, steps, inputs]` to `[groups, batch, steps, 2 · hidden]`.
    fn lstm(sequence: Tensor<Self, 4>, weights: Weights<Self>) -> Tensor<Self, 4> {
        Self::lstm_forward(sequence, weights).0
    }

    /// The same, and what its gradients need.
    fn lstm_forward(
        sequence: Tensor<Self, 4>,
        weights: Weights<Self>,
    ) -> (Tensor<Self, 4>, Saved<Self>) {
        let (answer, saved) = tensors::forward(sequence, weights);
        (answer, Saved::Tensors(saved))
    }

    /// The gradients of the layer, from that of its answer.
    fn lstm_backward(saved: Saved<Self>, answer: Tensor<Self, 4>) -> Gradients<Self> {
        match saved {
            Saved::Tensors(saved) => tensors::backward(saved, answer),
            Saved::Slices(_) => {
                unreachable!("only the processor saves slices, and it has its own backward pass")
            }
        }
    }
}

impl Lstm for Cpu {
    fn lstm_forward(
        sequence: Tensor<Cpu, 4>,
        weights: Weights<Cpu>,
    ) -> (Tensor<Cpu, 4>, Saved<Cpu>) {
        let (answer, saved) = slices::forward(sequence, weights);
        (answer, Saved::Slices(Arc::new(saved)))
    }

    fn lstm_backward(saved: Saved<Cpu>, answer: Tensor<Cpu, 4>) -> Gradients<Cpu> {
        match saved {
            Saved::Slices(saved) => slices::backward(&saved, answer),
            Saved::Tensors(saved) => tensors::backward(saved, answer),
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
                let (answer, saved) = B::lstm_forward(sequence, weights);
                prepared.finish(saved, answer.into_primitive().tensor())
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
    /// A layer that has learned nothing yet, begun as Keras begins it: Glorot for the inputs, orthogonal rows for the
    /// recurrence, and a bias of 1 for "forget", so that the cell remembers at first.
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

    /// `[groups, batch, steps, inputs]` to `[groups, batch, steps, 2 · hidden]`.
    pub fn forward(&self, sequence: Tensor<B, 4>) -> Tensor<B, 4> {
        let weights = Weights {
            kernel: self.kernel.val(),
            recurrent: self.recurrent.val(),
            bias: self.bias.val(),
        };
        B::lstm(sequence, weights)
    }
}

/// The layer as one step of the backward pass.
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
        let answer = tensor::<B>(collected.consume::<B>(&ops.node));
        let Gradients { sequence, weights } = B::lstm_backward(ops.state, answer);
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
