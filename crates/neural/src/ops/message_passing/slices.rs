//! Message passing as loops over slices, for inference on CPUs.
//!
//! The edges of a few nodes at a time pass through all layers, in two reused buffers that stay in
//! the cache. Tensors with the length of all edges are never allocated; the default implementation
//! creates nine of them per step.

use super::{EdgeLayer, Graph};
use crate::device::Cpu;
use crate::ops::slices::{add_product, primitive, values};
use burn::tensor::{Tensor, TensorData};

/// Nodes that are processed together. With 20 edges of 96 values per node, both buffers take 123
/// kB.
const NODES_PER_BLOCK: usize = 8;

/// See [`MessagePassing::messages`](super::MessagePassing::messages).
pub fn messages(
    pairs: Tensor<Cpu, 3>,
    layers: [EdgeLayer<Cpu>; 2],
    graph: &Graph<Cpu>,
) -> Tensor<Cpu, 3> {
    let ([batch, nodes, both], device) = (pairs.dims(), pairs.device());
    let (width, degree) = (both / 2, graph.degree);
    let (pairs, layers) =
        (primitive(pairs), layers.map(|(weight, bias)| (primitive(weight), primitive(bias))));
    let (pairs, [second, third]) =
        (values(&pairs), layers.each_ref().map(|(weight, bias)| (values(weight), values(bias))));
    let sources: Vec<usize> =
        graph.sources.to_data().iter::<i64>().map(|node| node as usize).collect();
    let mut buffers = [0, 1].map(|_| vec![0.0; NODES_PER_BLOCK * degree * width]);
    let mut sums = vec![0.0; batch * nodes * width];
    for (pairs, sums) in pairs.chunks_exact(nodes * both).zip(sums.chunks_exact_mut(nodes * width))
    {
        let targets: Vec<&[f32]> = pairs.chunks_exact(both).map(|pair| &pair[..width]).collect();
        let source_rows: Vec<&[f32]> =
            pairs.chunks_exact(both).map(|pair| &pair[width..]).collect();
        for (first, sums) in
            (0..nodes).step_by(NODES_PER_BLOCK).zip(sums.chunks_mut(NODES_PER_BLOCK * width))
        {
            let edges = first * degree..first * degree + sums.len() / width * degree;
            let [one, other] = buffers.each_mut().map(|buffer| &mut buffer[..edges.len() * width]);
            for (edge, row) in edges.zip(one.chunks_exact_mut(width)) {
                let (target, source) = (targets[edge / degree], source_rows[sources[edge]]);
                row.iter_mut().zip(target).zip(source).for_each(|((to, p), q)| *to = relu(p + q));
            }
            add_product(one, &second.0, 0.0, other, width);
            for row in other.chunks_exact_mut(width) {
                row.iter_mut()
                    .zip(&*second.1)
                    .for_each(|(number, bias)| *number = relu(*number + bias));
            }
            add_product(other, &third.0, 0.0, one, width);
            for (sums, rows) in sums.chunks_exact_mut(width).zip(one.chunks_exact(degree * width)) {
                for row in rows.chunks_exact(width) {
                    let row = row.iter().zip(&*third.1);
                    sums.iter_mut()
                        .zip(row)
                        .for_each(|(sum, (number, bias))| *sum += relu(number + bias));
                }
            }
        }
    }
    Tensor::from_data(TensorData::new(sums, [batch, nodes, width]), &device)
}

/// Does not handle NaN, so that the compiler can use a single instruction.
fn relu(number: f32) -> f32 {
    if number > 0.0 { number } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::message_passing::MessagePassing;
    use crate::ops::slices::tests::{Reference, assert_same, tensor};
    use ninefold::grid::Order;

    impl MessagePassing for Reference {}

    /// The messages of one step.
    fn sums<B: MessagePassing>(order: Order) -> Tensor<B, 3> {
        let (nodes, width) = (order.cell_count(), 6);
        let graph = Graph::<B>::for_grid(order, false, &Default::default());
        let layers = [3, 5].map(|seed| (tensor([width, width], seed), tensor([width], seed + 1)));
        B::messages(tensor([2, nodes, 2 * width], 1), layers, &graph)
    }

    #[test]
    fn cpu_loops_match_the_default_implementation() {
        for order in [Order::FOUR, Order::new(2, 3).unwrap(), Order::NINE] {
            assert_same(sums::<Cpu>(order), sums::<Reference>(order));
        }
    }
}
