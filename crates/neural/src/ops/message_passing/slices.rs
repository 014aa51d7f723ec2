//! Message passing as loops over plain numbers: the form in which the processor answers.
//!
//! What makes it fast: the edges of a few nodes at a time go through all layers, in two rooms that are used again and
//! again and stay close to the processor. Nothing as long as all edges is ever allocated or read a second time; for
//! each step of a network, the plain form makes nine such tensors. Products are left to the library; its other operations
//! take longer than they do where a row is added to many, and where a tensor with several owners is read.

use super::{EdgeLayer, Graph};
use crate::device::Cpu;
use crate::ops::fast_math::{sigmoid, tanh};
use burn::backend::ndarray::NdArrayTensor;
use burn::tensor::{Tensor, TensorData};
use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2};
use std::borrow::Cow;

/// The nodes whose edges are passed on together: with 20 edges of 96 numbers for each node, both rooms have 123 kB.
const TOGETHER: usize = 8;

/// See [`Messenger::messages`](super::Messenger::messages).
pub fn messages(pairs: Tensor<Cpu, 3>, layers: [EdgeLayer<Cpu>; 2], graph: &Graph<Cpu>) -> Tensor<Cpu, 3> {
    let ([batch, nodes, both], device) = (pairs.dims(), pairs.device());
    let (width, degree) = (both / 2, graph.degree);
    let (pairs, layers) = (inner(pairs), layers.map(|(weight, bias)| (inner(weight), inner(bias))));
    let (pairs, [second, third]) =
        (numbers(&pairs), layers.each_ref().map(|(weight, bias)| (numbers(weight), numbers(bias))));
    let sources: Vec<usize> = graph.sources.to_data().iter::<i64>().map(|node| node as usize).collect();
    let mut rooms = [0, 1].map(|_| vec![0.0; TOGETHER * degree * width]);
    let mut sums = vec![0.0; batch * nodes * width];
    for (pairs, sums) in pairs.chunks_exact(nodes * both).zip(sums.chunks_exact_mut(nodes * width)) {
        let targets: Vec<&[f32]> = pairs.chunks_exact(both).map(|pair| &pair[..width]).collect();
        let starts: Vec<&[f32]> = pairs.chunks_exact(both).map(|pair| &pair[width..]).collect();
        for (first, sums) in (0..nodes).step_by(TOGETHER).zip(sums.chunks_mut(TOGETHER * width)) {
            let edges = first * degree..first * degree + sums.len() / width * degree;
            let [one, other] = rooms.each_mut().map(|room| &mut room[..edges.len() * width]);
            for (edge, row) in edges.zip(one.chunks_exact_mut(width)) {
                let (target, start) = (targets[edge / degree], starts[sources[edge]]);
                row.iter_mut().zip(target).zip(start).for_each(|((to, p), q)| *to = relu(p + q));
            }
            add_product(one, &second.0, 0.0, other, width);
            for row in other.chunks_exact_mut(width) {
                row.iter_mut().zip(&*second.1).for_each(|(number, bias)| *number = relu(*number + bias));
            }
            add_product(other, &third.0, 0.0, one, width);
            for (sums, rows) in sums.chunks_exact_mut(width).zip(one.chunks_exact(degree * width)) {
                for row in rows.chunks_exact(width) {
                    let row = row.iter().zip(&*third.1);
                    sums.iter_mut().zip(row).for_each(|(sum, (number, bias))| *sum += relu(number + bias));
                }
            }
        }
    }
    Tensor::from_data(TensorData::new(sums, [batch, nodes, width]), &device)
}

/// See [`Messenger::shifted`](super::Messenger::shifted).
pub fn shifted(rows: Tensor<Cpu, 3>, shift: Tensor<Cpu, 1>) -> Tensor<Cpu, 3> {
    let (shape, device, shift) = (rows.dims(), rows.device(), inner(shift));
    let mut rows: Vec<f32> = rows.into_data().into_vec().expect("numbers on the processor are f32");
    let shift = numbers(&shift);
    for row in rows.chunks_exact_mut(shape[2]) {
        row.iter_mut().zip(&*shift).for_each(|(number, shift)| *number += shift);
    }
    Tensor::from_data(TensorData::new(rows, shape), &device)
}

/// See [`Messenger::gates`](super::Messenger::gates).
pub fn gates(constant: Tensor<Cpu, 3>, products: [(Tensor<Cpu, 3>, Tensor<Cpu, 2>); 2]) -> Tensor<Cpu, 3> {
    let (shape, device) = (constant.dims(), constant.device());
    let mut gates = numbers(&inner(constant)).into_owned();
    for (rows, weight) in products {
        let width = rows.dims()[2];
        let (rows, weight) = (inner(rows), inner(weight));
        add_product(&numbers(&rows), &numbers(&weight), 1.0, &mut gates, width);
    }
    Tensor::from_data(TensorData::new(gates, shape), &device)
}

/// See [`Messenger::memory`](super::Messenger::memory).
pub fn memory(gates: Tensor<Cpu, 3>, old: Tensor<Cpu, 3>) -> Tensor<Cpu, 3> {
    let width = old.dims()[2];
    per_node(gates, old, |gates, old, new| {
        let (input, forget, value) = (&gates[..width], &gates[width..], &gates[2 * width..]);
        for ((((new, old), input), forget), value) in new.iter_mut().zip(old).zip(input).zip(forget).zip(value) {
            *new = sigmoid(*forget) * old + sigmoid(*input) * tanh(*value);
        }
    })
}

/// See [`Messenger::hidden`](super::Messenger::hidden).
pub fn hidden(gates: Tensor<Cpu, 3>, memory: Tensor<Cpu, 3>) -> Tensor<Cpu, 3> {
    let width = memory.dims()[2];
    per_node(gates, memory, |gates, memory, new| {
        for ((new, memory), output) in new.iter_mut().zip(memory).zip(&gates[3 * width..]) {
            *new = sigmoid(*output) * tanh(*memory);
        }
    })
}

/// New numbers for each node from its gates and its old numbers.
fn per_node(gates: Tensor<Cpu, 3>, old: Tensor<Cpu, 3>, renew: impl Fn(&[f32], &[f32], &mut [f32])) -> Tensor<Cpu, 3> {
    let (shape, device, gates, old) = (old.dims(), old.device(), inner(gates), inner(old));
    let (gates, old) = (numbers(&gates), numbers(&old));
    let mut new = vec![0.0; old.len()];
    let nodes = gates.chunks_exact(4 * shape[2]).zip(old.chunks_exact(shape[2]));
    nodes.zip(new.chunks_exact_mut(shape[2])).for_each(|((gates, old), new)| renew(gates, old, new));
    Tensor::from_data(TensorData::new(new, shape), &device)
}

/// Rows of this width times a matrix, and so much of what is there already.
fn add_product(rows: &[f32], weight: &[f32], share: f32, into: &mut [f32], width: usize) {
    let (count, columns) = (rows.len() / width, weight.len() / width);
    let rows = ArrayView2::from_shape((count, width), rows).expect("all rows have this width");
    let weight = ArrayView2::from_shape((width, columns), weight).expect("a matrix has a row for each number of a row");
    let mut into = ArrayViewMut2::from_shape((count, columns), into).expect("there is a product for each row");
    general_mat_mul(1.0, &rows, &weight, share, &mut into);
}

/// Without a word about what is no number, so that the compiler may take one instruction.
fn relu(number: f32) -> f32 {
    if number > 0.0 { number } else { 0.0 }
}

fn inner<const D: usize>(tensor: Tensor<Cpu, D>) -> NdArrayTensor {
    tensor.into_primitive().tensor()
}

/// The numbers of a tensor; those that lie in order are not copied.
fn numbers(tensor: &NdArrayTensor) -> Cow<'_, [f32]> {
    let NdArrayTensor::F32(numbers) = tensor else { unreachable!("numbers on the processor are f32") };
    let numbers = numbers.view();
    numbers.to_slice().map_or_else(|| Cow::Owned(numbers.iter().copied().collect()), Cow::Borrowed)
}

#[cfg(test)]
mod tests {
    use super::super::Messenger;
    use super::*;
    use burn::backend::NdArray;
    use burn::tensor::backend::Backend;
    use ninefold::grid::Order;
    use ninefold::random::Random;

    /// The plain form, with twice as many bits.
    type Plain = NdArray<f64>;

    impl Messenger for Plain {}

    fn tensor<B: Backend, const D: usize>(shape: [usize; D], seed: u64) -> Tensor<B, D> {
        let mut random = Random::new(seed);
        let values: Vec<f64> =
            (0..shape.iter().product()).map(|_| random.below(2_001) as f64 / 1_000.0 - 1.0).collect();
        Tensor::from_data(TensorData::new(values, shape), &Default::default())
    }

    fn same<const D: usize>(found: Tensor<Cpu, D>, plain: Tensor<Plain, D>) {
        assert_eq!(found.dims(), plain.dims());
        let (found, plain) = (found.into_data(), plain.into_data());
        for (found, plain) in found.iter::<f64>().zip(plain.iter::<f64>()) {
            assert!((found - plain).abs() < 1e-4 * plain.abs().max(1.0), "{found} instead of {plain}");
        }
    }

    /// One step's messages, for grids of a size that rooms divide and of one that they do not.
    fn sums<B: Messenger>(order: Order) -> Tensor<B, 3> {
        let (nodes, width) = (order.cell_count(), 6);
        let graph = Graph::<B>::of(order, false, &Default::default());
        let layers = [3, 5].map(|seed| (tensor([width, width], seed), tensor([width], seed + 1)));
        B::messages(tensor([2, nodes, 2 * width], 1), layers, &graph)
    }

    #[test]
    fn messages_are_those_of_the_plain_form() {
        for order in [Order::FOUR, Order::boxes(2, 3).unwrap(), Order::NINE] {
            same(sums::<Cpu>(order), sums::<Plain>(order));
        }
    }

    #[test]
    fn gates_memory_and_hidden_state_are_those_of_the_plain_form() {
        fn all<B: Messenger>() -> [Tensor<B, 3>; 3] {
            let old = || tensor::<B, 3>([2, 3, 5], 2);
            let products = [3, 5].map(|seed| (tensor([2, 3, 5], seed), tensor([5, 20], seed + 1)));
            let gates = B::gates(tensor::<B, 3>([2, 3, 20], 1) * 9.0, products);
            [B::memory(gates.clone(), old()), B::hidden(gates.clone(), old()), gates]
        }
        all::<Cpu>().into_iter().zip(all::<Plain>()).for_each(|(found, plain)| same(found, plain));
    }

    #[test]
    fn rows_are_shifted_in_whatever_order_they_lie_in_memory() {
        fn shifted<B: Messenger>() -> Tensor<B, 3> {
            B::shifted(tensor::<B, 3>([2, 5, 3], 1).swap_dims(1, 2), tensor([5], 2))
        }
        same(shifted::<Cpu>(), shifted::<Plain>());
        let turned = |seed| tensor::<Cpu, 3>([2, 5, 3], seed).swap_dims(1, 2);
        let numbers = numbers(&inner(turned(1))).to_vec();
        assert_eq!(numbers, turned(1).into_data().into_vec::<f32>().unwrap());
    }
}
