//! Message passing: computes one message per edge and sums the messages at each node.
//!
//! ```text
//! direct: for each edge i → j:  m = L4(relu(L3(relu(L2(relu(L1[h_i; h_j]))))))         sum over i
//!
//! here:   for each node:        P = A·h + b,  Q = B·h
//!                               (L1 = [B A], so L1[h_i; h_j] = Q[i] + P[j])
//!         for each edge:        relu(L3(relu(L2(relu(P[j] + Q[i])))))                  sum over i
//!         for each node:        L4 of the sum
//! ```
//! Both compute the same result. A 9×9 grid has 1,620 edges but only 81 nodes, so work per node is
//! nearly free. Only L2 and L3 are still computed per edge. L1, whose input is twice as wide, and
//! L4 are computed per node.
//!
//! The gradient is written by hand, because automatic differentiation would save every intermediate
//! result of the edges. The forward pass saves the values of the edges after the first and the
//! second relu and before the third. All sums are over the neighbours of a node (20 in a 9×9 grid).
//! This file has the default implementations, `kernels.rs` the GPU kernels, and `slices.rs` the
//! loops for inference on CPUs.

mod graph;
#[cfg(feature = "cuda")]
mod kernels;
mod slices;

pub use graph::Graph;

use crate::device::Cpu;
use burn::backend::Autodiff;
use burn::backend::autodiff::checkpoint::base::Checkpointer;
use burn::backend::autodiff::checkpoint::strategy::NoCheckpointing;
use burn::backend::autodiff::grads::Gradients;
use burn::backend::autodiff::ops::{Backward, Ops, OpsKind};
use burn::tensor::activation::relu;
use burn::tensor::backend::Backend;
use burn::tensor::{Tensor, TensorPrimitive};

/// Weight `[width, width]` and bias `[width]` of a layer that runs per edge.
pub type EdgeLayer<B> = (Tensor<B, 2>, Tensor<B, 1>);

/// Backends that support message passing.
///
/// Networks use [`messages`](MessagePassing::messages), which has gradients. The other methods are
/// its parts, without gradients.
pub trait MessagePassing: Backend {
    /// Maps `[batch, nodes, 2 · width]`, which is P beside Q, to the sums of messages, `[batch,
    /// nodes, width]`.
    fn messages(
        pairs: Tensor<Self, 3>,
        layers: [EdgeLayer<Self>; 2],
        graph: &Graph<Self>,
    ) -> Tensor<Self, 3> {
        forward(pairs, &layers, graph).0
    }

    /// relu(P\[target\] + Q\[source\]) for each edge, `[batch, edges, width]`.
    fn pair_relu(pairs: &Tensor<Self, 3>, graph: &Graph<Self>) -> Tensor<Self, 3> {
        let [batch, nodes, width] = pair_dims(pairs);
        let targets = pairs.clone().slice([0..batch, 0..nodes, 0..width]);
        let sources = pairs.clone().slice([0..batch, 0..nodes, width..2 * width]);
        let sources = sources.select(1, graph.sources.clone()); // [batch, edges, width]
        let grouped = [batch, nodes, graph.degree, width];
        let sum = sources.reshape(grouped) + targets.reshape([batch, nodes, 1, width]);
        relu(sum).reshape([batch, graph.edges(), width])
    }

    /// The gradient of the pairs, from that of the edges.
    fn pair_relu_backward(
        pairs: &Tensor<Self, 3>,
        gradient: Tensor<Self, 3>,
        graph: &Graph<Self>,
    ) -> Tensor<Self, 3> {
        let edges = Self::pair_relu(pairs, graph);
        let masked = gradient.mask_fill(edges.lower_equal_elem(0.0), 0.0);
        let targets = sum_of_groups(masked.clone(), graph); // [batch, nodes, width]
        let sources = sum_of_groups(masked.select(1, graph.outgoing.clone()), graph);
        Tensor::cat(vec![targets, sources], 2)
    }

    /// relu(edges + bias), shape unchanged.
    fn bias_relu(edges: Tensor<Self, 3>, bias: &Tensor<Self, 1>) -> Tensor<Self, 3> {
        relu(edges + bias.clone().unsqueeze())
    }

    /// From the output of `bias_relu` and its gradient: the gradient of the edges, and the
    /// contribution of each node to the gradient of the bias, `[batch, nodes, width]`.
    fn bias_relu_backward(
        after: &Tensor<Self, 3>,
        gradient: Tensor<Self, 3>,
        graph: &Graph<Self>,
    ) -> [Tensor<Self, 3>; 2] {
        let gradient = gradient.mask_fill(after.clone().lower_equal_elem(0.0), 0.0);
        [gradient.clone(), sum_of_groups(gradient, graph)]
    }

    /// The sum of relu(edges + bias) over the edges into each node, `[batch, nodes, width]`.
    fn relu_sum(
        edges: &Tensor<Self, 3>,
        bias: &Tensor<Self, 1>,
        graph: &Graph<Self>,
    ) -> Tensor<Self, 3> {
        sum_of_groups(Self::bias_relu(edges.clone(), bias), graph)
    }

    /// From the inputs of `relu_sum` and the gradient of the sums: the gradient of the edges, and
    /// the contribution of each node to the gradient of the bias.
    fn relu_sum_backward(
        edges: &Tensor<Self, 3>,
        bias: &Tensor<Self, 1>,
        gradient: Tensor<Self, 3>,
        graph: &Graph<Self>,
    ) -> [Tensor<Self, 3>; 2] {
        let [batch, nodes, width] = gradient.dims();
        let spread = gradient.reshape([batch, nodes, 1, width]).repeat_dim(2, graph.degree);
        let spread = spread.reshape([batch, graph.edges(), width]);
        Self::bias_relu_backward(&Self::bias_relu(edges.clone(), bias), spread, graph)
    }
}

impl MessagePassing for Cpu {
    fn messages(
        pairs: Tensor<Cpu, 3>,
        layers: [EdgeLayer<Cpu>; 2],
        graph: &Graph<Cpu>,
    ) -> Tensor<Cpu, 3> {
        slices::messages(pairs, layers, graph)
    }
}

/// Values of the forward pass that the gradients need.
#[derive(Clone, Debug)]
struct Saved<B: Backend> {
    pairs: Tensor<B, 3>,
    layers: [EdgeLayer<B>; 2],
    graph: Graph<B>,
    /// After the first relu.
    first: Tensor<B, 3>,
    /// After the second relu.
    second: Tensor<B, 3>,
    /// Before the third relu.
    third: Tensor<B, 3>,
}

/// All messages, and the three intermediate results to save.
fn forward<B: MessagePassing>(
    pairs: Tensor<B, 3>,
    layers: &[EdgeLayer<B>; 2],
    graph: &Graph<B>,
) -> (Tensor<B, 3>, [Tensor<B, 3>; 3]) {
    let [(second_weight, second_bias), (third_weight, third_bias)] = layers;
    let first = B::pair_relu(&pairs, graph); // [batch, edges, width]
    let second = B::bias_relu(product(&first, second_weight), second_bias); // [batch, edges, width]
    let third = product(&second, third_weight); // [batch, edges, width]
    let sums = B::relu_sum(&third, third_bias, graph); // [batch, nodes, width]
    (sums, [first, second, third])
}

/// Multiplies the edges by a matrix, in the precision of the edges.
fn product<B: Backend>(edges: &Tensor<B, 3>, weight: &Tensor<B, 2>) -> Tensor<B, 3> {
    edges.clone().matmul(weight.clone().cast(edges.dtype()).unsqueeze())
}

impl<B: Backend> Saved<B> {
    /// The gradients of the pairs and of weight and bias of both layers.
    #[allow(clippy::type_complexity, reason = "five gradients for five inputs")]
    fn backward(self, gradient: Tensor<B, 3>) -> (Tensor<B, 3>, [EdgeLayer<B>; 2])
    where
        B: MessagePassing,
    {
        let Saved { pairs, layers, graph, first, second, third } = self;
        let [(second_weight, _), (third_weight, third_bias)] = layers;
        let [gradient, for_bias] = B::relu_sum_backward(&third, &third_bias, gradient, &graph);
        let for_third =
            (weight_gradient(second.clone(), gradient.clone()), sum_over_nodes(for_bias));
        let gradient = product(&gradient, &third_weight.transpose());
        let [gradient, for_bias] = B::bias_relu_backward(&second, gradient, &graph);
        let for_second = (weight_gradient(first, gradient.clone()), sum_over_nodes(for_bias));
        let gradient = product(&gradient, &second_weight.transpose());
        (B::pair_relu_backward(&pairs, gradient, &graph), [for_second, for_third])
    }
}

/// Computes one product per puzzle and sums over puzzles. A single product over all edges of a
/// batch would be a few sums of a million terms each.
fn weight_gradient<B: Backend>(edges: Tensor<B, 3>, gradient: Tensor<B, 3>) -> Tensor<B, 2> {
    let products = edges.swap_dims(1, 2).matmul(gradient); // [batch, width, width]
    let exact = burn::tensor::DType::F32;
    products.cast(exact).sum_dim(0).squeeze_dim(0)
}

fn sum_over_nodes<B: Backend>(parts: Tensor<B, 3>) -> Tensor<B, 1> {
    let width = parts.dims()[2];
    parts.sum_dim(1).sum_dim(0).reshape([width])
}

fn sum_of_groups<B: Backend>(edges: Tensor<B, 3>, graph: &Graph<B>) -> Tensor<B, 3> {
    let [batch, _, width] = edges.dims();
    edges.reshape([batch, graph.nodes, graph.degree, width]).sum_dim(2).reshape([
        batch,
        graph.nodes,
        width,
    ])
}

fn pair_dims<B: Backend>(pairs: &Tensor<B, 3>) -> [usize; 3] {
    let [batch, nodes, both] = pairs.dims();
    [batch, nodes, both / 2]
}

impl<B: MessagePassing> MessagePassing for Autodiff<B> {
    fn messages(
        pairs: Tensor<Self, 3>,
        layers: [EdgeLayer<Self>; 2],
        graph: &Graph<Self>,
    ) -> Tensor<Self, 3> {
        let [second, third] = layers;
        let graph = graph.inner();
        let plain = |layer: &EdgeLayer<Self>| (layer.0.clone().inner(), layer.1.clone().inner());
        let (inner_pairs, inner_layers) = (pairs.clone().inner(), [plain(&second), plain(&third)]);
        let (sums, [after_first, after_second, before_third]) =
            forward(inner_pairs.clone(), &inner_layers, &graph);
        let sums = sums.into_primitive().tensor();
        let inputs = [
            pairs.into_primitive().tensor().node,
            second.0.into_primitive().tensor().node,
            second.1.into_primitive().tensor().node,
            third.0.into_primitive().tensor().node,
            third.1.into_primitive().tensor().node,
        ];
        let output =
            match Backpropagation.prepare::<NoCheckpointing>(inputs).compute_bound().stateful() {
                OpsKind::UnTracked(untracked) => untracked.finish(sums),
                OpsKind::Tracked(tracked) => {
                    let saved = Saved {
                        pairs: inner_pairs,
                        layers: inner_layers,
                        graph,
                        first: after_first,
                        second: after_second,
                        third: before_third,
                    };
                    tracked.finish(saved, sums)
                }
            };
        Tensor::from_primitive(TensorPrimitive::Float(output))
    }
}

#[derive(Debug)]
struct Backpropagation;

impl<B: MessagePassing> Backward<B, 5> for Backpropagation {
    type State = Saved<B>;

    fn backward(self, ops: Ops<Saved<B>, 5>, gradients: &mut Gradients, _: &mut Checkpointer) {
        let gradient =
            Tensor::from_primitive(TensorPrimitive::Float(gradients.consume::<B>(&ops.node)));
        let (for_pairs, [for_second, for_third]) = ops.state.backward(gradient);
        let found = [
            for_pairs.into_primitive(),
            for_second.0.into_primitive(),
            for_second.1.into_primitive(),
            for_third.0.into_primitive(),
            for_third.1.into_primitive(),
        ];
        for (input, found) in ops.parents.into_iter().zip(found) {
            if let Some(input) = input {
                gradients.register::<B>(input.id, found.tensor());
            }
        }
    }
}

#[cfg(test)]
mod tests;
