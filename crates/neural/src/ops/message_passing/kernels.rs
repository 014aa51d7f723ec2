//! GPU kernels of message passing.
//!
//! Every kernel has one thread per value of each node, `[batch, nodes, width]`, which loops over
//! the edges of its node. Adjacent threads access adjacent values of one row, so memory accesses
//! are coalesced. Node values have 32 bits. Edge values have 16 or 32 bits and are summed in 32.
//!
//! ```text
//! edges[b, n·degree + k, c] = relu(P[b, n, c] + Q[b, source(n·degree + k), c])
//! ```
//! Optimisations: sums over edges are fused into the step before them, relu masks are recomputed
//! and never stored, no two threads write to the same address (no atomics), and all sizes are
//! compile-time constants, so divisions become multiplications. Rows may be padded, hence the
//! strides.

use super::{Graph, MessagePassing};
use crate::device::Gpu;
use crate::ops::cuda::{Rows, empty, from_kernel, indices, launch, to_kernel};
use burn::tensor::{DType, TensorMetadata};
use cubecl::prelude::*;

#[cube(launch)]
fn pair_relu<F: Float>(
    pairs: &Tensor<f32>,
    sources: &Tensor<i32>,
    edges: &mut Tensor<F>,
    threads: u32,
    #[comptime] nodes: usize,
    #[comptime] degree: usize,
    #[comptime] width: usize,
    #[define(F)] _kind: StorageType,
) {
    let thread = ABSOLUTE_POS;
    if thread >= threads as usize {
        terminate!();
    }
    let channel = thread % width;
    let row = thread / width;
    let node = row % nodes;
    let puzzle = row / nodes;
    let target = pairs[row * pairs.stride(1) + channel];
    for k in 0..degree {
        let source = puzzle * nodes + sources[node * degree + k] as usize;
        let sum = target + pairs[source * pairs.stride(1) + width + channel];
        edges[(row * degree + k) * edges.stride(1) + channel] = F::cast_from(max(sum, 0.0f32));
    }
}

#[cube(launch)]
fn pair_relu_backward<F: Float>(
    pairs: &Tensor<f32>,
    gradient: &Tensor<F>,
    sources: &Tensor<i32>,
    outgoing: &Tensor<i32>,
    found: &mut Tensor<f32>,
    threads: u32,
    #[comptime] nodes: usize,
    #[comptime] degree: usize,
    #[comptime] width: usize,
    #[define(F)] _kind: StorageType,
) {
    let thread = ABSOLUTE_POS;
    if thread >= threads as usize {
        terminate!();
    }
    let channel = thread % width;
    let row = thread / width;
    let node = row % nodes;
    let puzzle = row / nodes;
    let as_target = pairs[row * pairs.stride(1) + channel];
    let as_source = pairs[row * pairs.stride(1) + width + channel];
    let mut for_target = 0.0f32;
    let mut for_source = 0.0f32;
    for k in 0..degree {
        // An incoming edge: its gradient counts if the relu was active.
        let source = puzzle * nodes + sources[node * degree + k] as usize;
        if as_target + pairs[source * pairs.stride(1) + width + channel] > 0.0f32 {
            for_target +=
                f32::cast_from(gradient[(row * degree + k) * gradient.stride(1) + channel]);
        }
        // An edge that starts here.
        let edge = outgoing[node * degree + k] as usize;
        let target = puzzle * nodes + edge / degree;
        if pairs[target * pairs.stride(1) + channel] + as_source > 0.0f32 {
            let place = (puzzle * nodes * degree + edge) * gradient.stride(1) + channel;
            for_source += f32::cast_from(gradient[place]);
        }
    }
    found[row * found.stride(1) + channel] = for_target;
    found[row * found.stride(1) + width + channel] = for_source;
}

#[cube(launch)]
fn bias_relu<F: Float>(
    edges: &Tensor<F>,
    bias: &Tensor<f32>,
    after: &mut Tensor<F>,
    threads: u32,
    #[comptime] degree: usize,
    #[comptime] width: usize,
    #[define(F)] _kind: StorageType,
) {
    let thread = ABSOLUTE_POS;
    if thread >= threads as usize {
        terminate!();
    }
    let channel = thread % width;
    let row = thread / width;
    let shift = bias[channel];
    for k in 0..degree {
        let edge = row * degree + k;
        let sum = f32::cast_from(edges[edge * edges.stride(1) + channel]) + shift;
        after[edge * after.stride(1) + channel] = F::cast_from(max(sum, 0.0f32));
    }
}

#[cube(launch)]
fn bias_relu_backward<F: Float>(
    after: &Tensor<F>,
    gradient: &Tensor<F>,
    found: &mut Tensor<F>,
    for_bias: &mut Tensor<f32>,
    threads: u32,
    #[comptime] degree: usize,
    #[comptime] width: usize,
    #[define(F)] _kind: StorageType,
) {
    let thread = ABSOLUTE_POS;
    if thread >= threads as usize {
        terminate!();
    }
    let channel = thread % width;
    let row = thread / width;
    let mut sum = 0.0f32;
    for k in 0..degree {
        let edge = row * degree + k;
        let mut passed = 0.0f32;
        if f32::cast_from(after[edge * after.stride(1) + channel]) > 0.0f32 {
            passed = f32::cast_from(gradient[edge * gradient.stride(1) + channel]);
        }
        found[edge * found.stride(1) + channel] = F::cast_from(passed);
        sum += passed;
    }
    for_bias[row * for_bias.stride(1) + channel] = sum;
}

#[cube(launch)]
fn relu_sum<F: Float>(
    edges: &Tensor<F>,
    bias: &Tensor<f32>,
    sums: &mut Tensor<f32>,
    threads: u32,
    #[comptime] degree: usize,
    #[comptime] width: usize,
    #[define(F)] _kind: StorageType,
) {
    let thread = ABSOLUTE_POS;
    if thread >= threads as usize {
        terminate!();
    }
    let channel = thread % width;
    let row = thread / width;
    let shift = bias[channel];
    let mut sum = 0.0f32;
    for k in 0..degree {
        let edge = row * degree + k;
        sum += max(f32::cast_from(edges[edge * edges.stride(1) + channel]) + shift, 0.0f32);
    }
    sums[row * sums.stride(1) + channel] = sum;
}

#[cube(launch)]
fn relu_sum_backward<F: Float>(
    edges: &Tensor<F>,
    bias: &Tensor<f32>,
    gradient: &Tensor<f32>,
    found: &mut Tensor<F>,
    for_bias: &mut Tensor<f32>,
    threads: u32,
    #[comptime] degree: usize,
    #[comptime] width: usize,
    #[define(F)] _kind: StorageType,
) {
    let thread = ABSOLUTE_POS;
    if thread >= threads as usize {
        terminate!();
    }
    let channel = thread % width;
    let row = thread / width;
    let shift = bias[channel];
    let spread = gradient[row * gradient.stride(1) + channel];
    let mut sum = 0.0f32;
    for k in 0..degree {
        let edge = row * degree + k;
        let mut passed = 0.0f32;
        if f32::cast_from(edges[edge * edges.stride(1) + channel]) + shift > 0.0f32 {
            passed = spread;
        }
        found[edge * found.stride(1) + channel] = F::cast_from(passed);
        sum += passed;
    }
    for_bias[row * for_bias.stride(1) + channel] = sum;
}

impl MessagePassing for Gpu {
    fn pair_relu(pairs: &Rows<3>, graph: &Graph<Gpu>) -> Rows<3> {
        let [batch, nodes, both] = pairs.dims();
        let (pairs, sources, width, degree) =
            (to_kernel(pairs), indices(&graph.sources), both / 2, graph.degree);
        let kind = if graph.half { DType::BF16 } else { DType::F32 };
        let edges = empty(&pairs, [batch, graph.edges(), width], kind);
        launch!(pair_relu, batch * nodes, width, [pairs, sources] => [edges], nodes, degree, width, kind.into());
        from_kernel(edges)
    }

    fn pair_relu_backward(pairs: &Rows<3>, gradient: Rows<3>, graph: &Graph<Gpu>) -> Rows<3> {
        let [batch, nodes, both] = pairs.dims();
        let (pairs, gradient, width, degree) =
            (to_kernel(pairs), to_kernel(&gradient), both / 2, graph.degree);
        let (sources, outgoing, kind) =
            (indices(&graph.sources), indices(&graph.outgoing), gradient.dtype());
        let found = empty(&pairs, [batch, nodes, both], DType::F32);
        launch!(pair_relu_backward, batch * nodes, width, [pairs, gradient, sources, outgoing] => [found],
            nodes, degree, width, kind.into());
        from_kernel(found)
    }

    fn bias_relu(edges: Rows<3>, bias: &Rows<1>) -> Rows<3> {
        let [batch, rows, width] = edges.dims();
        let (edges, bias) = (to_kernel(&edges), to_kernel(bias));
        let kind = edges.dtype();
        let after = empty(&edges, [batch, rows, width], kind);
        // Four rows per thread are enough work; any divisor of the rows is correct.
        let group = [4, 3, 2, 1].into_iter().find(|group| rows % group == 0).unwrap_or(1);
        launch!(bias_relu, batch * rows / group, width, [edges, bias] => [after], group, width, kind.into());
        from_kernel(after)
    }

    fn bias_relu_backward(after: &Rows<3>, gradient: Rows<3>, graph: &Graph<Gpu>) -> [Rows<3>; 2] {
        let [batch, rows, width] = after.dims();
        let (after, gradient, nodes, degree) =
            (to_kernel(after), to_kernel(&gradient), graph.nodes, graph.degree);
        let kind = after.dtype();
        let (found, for_bias) = (
            empty(&after, [batch, rows, width], kind),
            empty(&after, [batch, nodes, width], DType::F32),
        );
        launch!(bias_relu_backward, batch * nodes, width, [after, gradient] => [found, for_bias], degree, width, kind.into());
        [from_kernel(found), from_kernel(for_bias)]
    }

    fn relu_sum(edges: &Rows<3>, bias: &Rows<1>, graph: &Graph<Gpu>) -> Rows<3> {
        let [batch, _, width] = edges.dims();
        let (edges, bias, nodes, degree) =
            (to_kernel(edges), to_kernel(bias), graph.nodes, graph.degree);
        let kind = edges.dtype();
        let sums = empty(&edges, [batch, nodes, width], DType::F32);
        launch!(relu_sum, batch * nodes, width, [edges, bias] => [sums], degree, width, kind.into());
        from_kernel(sums)
    }

    fn relu_sum_backward(
        edges: &Rows<3>,
        bias: &Rows<1>,
        gradient: Rows<3>,
        graph: &Graph<Gpu>,
    ) -> [Rows<3>; 2] {
        let [batch, rows, width] = edges.dims();
        let (edges, bias, gradient) = (to_kernel(edges), to_kernel(bias), to_kernel(&gradient));
        let (nodes, degree, kind) = (graph.nodes, graph.degree, edges.dtype());
        let (found, for_bias) = (
            empty(&edges, [batch, rows, width], kind),
            empty(&edges, [batch, nodes, width], DType::F32),
        );
        launch!(relu_sum_backward, batch * nodes, width, [edges, bias, gradient] => [found, for_bias],
            degree, width, kind.into());
        [from_kernel(found), from_kernel(for_bias)]
    }
}
