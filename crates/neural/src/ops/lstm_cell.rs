//! One step of LSTM cells, one cell per node: gates, cell state and hidden state.
//!
//! ```text
//! input, forget, output = sigmoid(…),  value = tanh(…)      of the gates
//! cell   ← forget · cell + input · value
//! hidden ← output · tanh(cell)
//! ```
//! The gradients are written by hand, so that only the gates and the cell state are saved. This
//! file has the default implementation and the loops for CPUs; `kernels.rs` has the GPU kernels.

#[cfg(feature = "cuda")]
mod kernels;

use super::fast_math;
use super::slices::{add_product, primitive, values};
use crate::device::Cpu;
use crate::onnx::{GraphBuilder, Value};
use burn::backend::Autodiff;
use burn::backend::autodiff::checkpoint::base::Checkpointer;
use burn::backend::autodiff::checkpoint::strategy::NoCheckpointing;
use burn::backend::autodiff::grads::Gradients;
use burn::backend::autodiff::ops::{Backward, Ops, OpsKind};
use burn::tensor::activation::sigmoid;
use burn::tensor::backend::Backend;
use burn::tensor::{Tensor, TensorData, TensorPrimitive};

/// Backends that support LSTM cells.
///
/// Networks use [`gates`](LstmCell::gates), [`cell_state`](LstmCell::cell_state) and
/// [`hidden_state`](LstmCell::hidden_state), which have gradients. The other methods are parts of
/// these, without gradients.
pub trait LstmCell: Backend {
    /// The gates before their activations, `[batch, nodes, 4 · width]`: the sum of a constant and
    /// of two products of `[batch, nodes, width]` with `[width, 4 · width]`.
    fn gates(
        constant: Tensor<Self, 3>,
        products: [(Tensor<Self, 3>, Tensor<Self, 2>); 2],
    ) -> Tensor<Self, 3> {
        let [messages, old] = products.map(|(rows, weight)| rows.matmul(weight.unsqueeze()));
        messages + old + constant
    }

    /// The new cell state, `[batch, nodes, width]`, from the old one and the gates, `[batch, nodes,
    /// 4 · width]`, in the order input, forget, new value, output.
    fn cell_state(gates: Tensor<Self, 3>, old: Tensor<Self, 3>) -> Tensor<Self, 3> {
        let [input, forget, value, _] = gates_of(gates);
        forget * old + input * value
    }

    /// The new hidden state, from the gates and the new cell state.
    fn hidden_state(gates: Tensor<Self, 3>, cell: Tensor<Self, 3>) -> Tensor<Self, 3> {
        let [_, _, _, output] = gates_of(gates);
        output * cell.tanh()
    }

    /// The gradients of the gates and the old cell state, from that of the new cell state.
    fn cell_state_backward(
        gates: Tensor<Self, 3>,
        old: Tensor<Self, 3>,
        gradient: Tensor<Self, 3>,
    ) -> [Tensor<Self, 3>; 2] {
        let [input, forget, value, output] = gates_of(gates);
        let for_gates = [
            gradient.clone() * value.clone() * slope(&input),
            gradient.clone() * old * slope(&forget),
            gradient.clone() * input * (-value.clone() * value + 1.0),
            output.zeros_like(),
        ];
        [Tensor::cat(for_gates.to_vec(), 2), gradient * forget]
    }

    /// The gradients of the gates and the new cell state, from that of the hidden state.
    fn hidden_state_backward(
        gates: Tensor<Self, 3>,
        cell: Tensor<Self, 3>,
        gradient: Tensor<Self, 3>,
    ) -> [Tensor<Self, 3>; 2] {
        let [input, _, _, output] = gates_of(gates);
        let tanh_cell = cell.tanh();
        let zero = input.zeros_like();
        let for_output = gradient.clone() * tanh_cell.clone() * slope(&output);
        let for_cell = gradient * output * (-tanh_cell.clone() * tanh_cell + 1.0);
        [Tensor::cat(vec![zero.clone(), zero.clone(), zero, for_output], 2), for_cell]
    }
}

/// Adds a step to an ONNX graph, from its gates, `[…, 4 · width]`, and its old cell state, `None`
/// at first. Returns the new hidden and cell state. `order` gives the positions of input, forget,
/// new value and output among the gates.
pub(crate) fn add_to_graph(
    graph: &mut GraphBuilder<'_>,
    gates: &Value,
    order: [usize; 4],
    width: usize,
    old: Option<&Value>,
) -> [Value; 2] {
    let mut gate = |place: usize, operator| {
        let part = graph.slice(gates, 2, place * width, (place + 1) * width);
        graph.unary(operator, &part)
    };
    let [input, forget, output] =
        [order[0], order[1], order[3]].map(|place| gate(place, "Sigmoid"));
    let value = gate(order[2], "Tanh");
    let mut cell = graph.binary("Mul", &input, &value);
    if let Some(old) = old {
        let kept = graph.binary("Mul", &forget, old);
        cell = graph.binary("Add", &kept, &cell);
    }
    let tanh_cell = graph.unary("Tanh", &cell);
    [graph.binary("Mul", &output, &tanh_cell), cell]
}

impl LstmCell for Cpu {
    fn gates(
        constant: Tensor<Cpu, 3>,
        products: [(Tensor<Cpu, 3>, Tensor<Cpu, 2>); 2],
    ) -> Tensor<Cpu, 3> {
        let (shape, device) = (constant.dims(), constant.device());
        let mut gates = values(&primitive(constant)).into_owned();
        for (rows, weight) in products {
            let width = rows.dims()[2];
            let (rows, weight) = (primitive(rows), primitive(weight));
            add_product(&values(&rows), &values(&weight), 1.0, &mut gates, width);
        }
        Tensor::from_data(TensorData::new(gates, shape), &device)
    }

    fn cell_state(gates: Tensor<Cpu, 3>, old: Tensor<Cpu, 3>) -> Tensor<Cpu, 3> {
        let width = old.dims()[2];
        per_node(gates, old, |gates, old, new| {
            let (input, forget, value) = (&gates[..width], &gates[width..], &gates[2 * width..]);
            for ((((new, old), input), forget), value) in
                new.iter_mut().zip(old).zip(input).zip(forget).zip(value)
            {
                *new = fast_math::sigmoid(*forget) * old
                    + fast_math::sigmoid(*input) * fast_math::tanh(*value);
            }
        })
    }

    fn hidden_state(gates: Tensor<Cpu, 3>, cell: Tensor<Cpu, 3>) -> Tensor<Cpu, 3> {
        let width = cell.dims()[2];
        per_node(gates, cell, |gates, cell, new| {
            for ((new, cell), output) in new.iter_mut().zip(cell).zip(&gates[3 * width..]) {
                *new = fast_math::sigmoid(*output) * fast_math::tanh(*cell);
            }
        })
    }
}

/// Computes new values for each node from its gates and its old values.
fn per_node(
    gates: Tensor<Cpu, 3>,
    old: Tensor<Cpu, 3>,
    update: impl Fn(&[f32], &[f32], &mut [f32]),
) -> Tensor<Cpu, 3> {
    let (shape, device, gates, old) = (old.dims(), old.device(), primitive(gates), primitive(old));
    let (gates, old) = (values(&gates), values(&old));
    let mut new = vec![0.0; old.len()];
    let nodes = gates.chunks_exact(4 * shape[2]).zip(old.chunks_exact(shape[2]));
    nodes
        .zip(new.chunks_exact_mut(shape[2]))
        .for_each(|((gates, old), new)| update(gates, old, new));
    Tensor::from_data(TensorData::new(new, shape), &device)
}

/// Input, forget, new value and output, after their activations.
fn gates_of<B: Backend>(gates: Tensor<B, 3>) -> [Tensor<B, 3>; 4] {
    let [batch, nodes, all] = gates.dims();
    let width = all / 4;
    let part = |number: usize| {
        gates.clone().slice([0..batch, 0..nodes, number * width..(number + 1) * width])
    };
    [sigmoid(part(0)), sigmoid(part(1)), part(2).tanh(), sigmoid(part(3))]
}

/// The derivative of a sigmoid, from its value.
fn slope<B: Backend>(value: &Tensor<B, 3>) -> Tensor<B, 3> {
    value.clone() * (-value.clone() + 1.0)
}

impl<B: LstmCell> LstmCell for Autodiff<B> {
    fn cell_state(gates: Tensor<Self, 3>, old: Tensor<Self, 3>) -> Tensor<Self, 3> {
        let inner = [gates.clone().inner(), old.clone().inner()];
        let new = B::cell_state(inner[0].clone(), inner[1].clone());
        track(Step::CellState, gates, old, inner, new)
    }

    fn hidden_state(gates: Tensor<Self, 3>, cell: Tensor<Self, 3>) -> Tensor<Self, 3> {
        let inner = [gates.clone().inner(), cell.clone().inner()];
        let new = B::hidden_state(inner[0].clone(), inner[1].clone());
        track(Step::HiddenState, gates, cell, inner, new)
    }
}

/// The operations of an LSTM cell.
#[derive(Debug)]
enum Step {
    CellState,
    HiddenState,
}

impl<B: LstmCell> Backward<B, 2> for Step {
    type State = [Tensor<B, 3>; 2];

    fn backward(
        self,
        ops: Ops<[Tensor<B, 3>; 2], 2>,
        gradients: &mut Gradients,
        _: &mut Checkpointer,
    ) {
        let gradient =
            Tensor::from_primitive(TensorPrimitive::Float(gradients.consume::<B>(&ops.node)));
        let [gates, cell] = ops.state;
        let found = match self {
            Step::CellState => B::cell_state_backward(gates, cell, gradient),
            Step::HiddenState => B::hidden_state_backward(gates, cell, gradient),
        };
        for (input, found) in ops.parents.into_iter().zip(found) {
            if let Some(input) = input {
                gradients.register::<B>(input.id, found.into_primitive().tensor());
            }
        }
    }
}

fn track<B: LstmCell>(
    step: Step,
    gates: Tensor<Autodiff<B>, 3>,
    cell: Tensor<Autodiff<B>, 3>,
    inner: [Tensor<B, 3>; 2],
    output: Tensor<B, 3>,
) -> Tensor<Autodiff<B>, 3> {
    let output = output.into_primitive().tensor();
    let inputs = [gates.into_primitive().tensor().node, cell.into_primitive().tensor().node];
    let output = match step.prepare::<NoCheckpointing>(inputs).compute_bound().stateful() {
        OpsKind::UnTracked(untracked) => untracked.finish(output),
        OpsKind::Tracked(tracked) => tracked.finish(inner, output),
    };
    Tensor::from_primitive(TensorPrimitive::Float(output))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::slices::tests::{Reference, assert_same, tensor};

    impl LstmCell for Reference {}

    #[test]
    fn cpu_loops_match_the_default_implementation() {
        fn all<B: LstmCell>() -> [Tensor<B, 3>; 3] {
            let old = || tensor::<B, 3>([2, 3, 5], 2);
            let products = [3, 5].map(|seed| (tensor([2, 3, 5], seed), tensor([5, 20], seed + 1)));
            let gates = B::gates(tensor::<B, 3>([2, 3, 20], 1) * 9.0, products);
            [B::cell_state(gates.clone(), old()), B::hidden_state(gates.clone(), old()), gates]
        }
        all::<Cpu>()
            .into_iter()
            .zip(all::<Reference>())
            .for_each(|(found, plain)| assert_same(found, plain));
    }
}
