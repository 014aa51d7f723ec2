//! The operations of message passing as kernels for graphics cards.
//!
//! Every kernel has one unit for each number of each node, `[batch, nodes, width]`, which walks along the edges of its
//! node. Neighbouring units look at neighbouring numbers of one row, so every read and write is a run of memory. Nodes
//! are 32-bit numbers; edges are whatever kind they come in, 16 or 32 bits, and are summed in 32.
//!
//! ```text
//! plain:  edges[b, n·degree + k, c] = relu(P[b, n, c] + Q[b, source(n·degree + k), c])
//! ```
//! What was done to make it fast: sums over edges are fused into the step before them, masks are worked out again from
//! what is kept anyway and never stored, no two units write to one place (no atomics), and all sizes are known when
//! the kernel is compiled, so divisions by them are multiplications. Rows may be padded; strides say so.

use super::{Graph, Messenger};
use crate::device::Gpu;
use burn::tensor::{DType, Shape, TensorMetadata, TensorPrimitive};
use burn_cubecl::kernel::into_contiguous_aligned;
use burn_cubecl::ops::numeric::empty_device_contiguous_dtype;
use burn_cubecl::tensor::CubeTensor;
use cubecl::cuda::CudaRuntime;
use cubecl::prelude::*;

/// A tensor as the library hands it around; in kernels, `Tensor` is what is in the card's memory.
type Rows<const D: usize> = burn::tensor::Tensor<Gpu, D>;

/// The same without its number of axes.
type Card = CubeTensor<CudaRuntime>;

/// Units that work together; a multiple of the 32 that march in step.
const UNITS: u32 = 256;

#[cube(launch)]
fn pair_relu<F: Float>(
    pairs: &Tensor<f32>,
    sources: &Tensor<i32>,
    edges: &mut Tensor<F>,
    units: u32,
    #[comptime] nodes: usize,
    #[comptime] degree: usize,
    #[comptime] width: usize,
    #[define(F)] _kind: StorageType,
) {
    let unit = ABSOLUTE_POS;
    if unit >= units as usize {
        terminate!();
    }
    let channel = unit % width;
    let row = unit / width;
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
fn pair_relu_back<F: Float>(
    pairs: &Tensor<f32>,
    gradient: &Tensor<F>,
    sources: &Tensor<i32>,
    outgoing: &Tensor<i32>,
    found: &mut Tensor<f32>,
    units: u32,
    #[comptime] nodes: usize,
    #[comptime] degree: usize,
    #[comptime] width: usize,
    #[define(F)] _kind: StorageType,
) {
    let unit = ABSOLUTE_POS;
    if unit >= units as usize {
        terminate!();
    }
    let channel = unit % width;
    let row = unit / width;
    let node = row % nodes;
    let puzzle = row / nodes;
    let as_target = pairs[row * pairs.stride(1) + channel];
    let as_source = pairs[row * pairs.stride(1) + width + channel];
    let mut for_target = 0.0f32;
    let mut for_source = 0.0f32;
    for k in 0..degree {
        // An edge that leads here: its gradient counts if relu let it through.
        let source = puzzle * nodes + sources[node * degree + k] as usize;
        if as_target + pairs[source * pairs.stride(1) + width + channel] > 0.0f32 {
            for_target += f32::cast_from(gradient[(row * degree + k) * gradient.stride(1) + channel]);
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
    units: u32,
    #[comptime] degree: usize,
    #[comptime] width: usize,
    #[define(F)] _kind: StorageType,
) {
    let unit = ABSOLUTE_POS;
    if unit >= units as usize {
        terminate!();
    }
    let channel = unit % width;
    let row = unit / width;
    let shift = bias[channel];
    for k in 0..degree {
        let edge = row * degree + k;
        let sum = f32::cast_from(edges[edge * edges.stride(1) + channel]) + shift;
        after[edge * after.stride(1) + channel] = F::cast_from(max(sum, 0.0f32));
    }
}

#[cube(launch)]
fn bias_relu_back<F: Float>(
    after: &Tensor<F>,
    gradient: &Tensor<F>,
    found: &mut Tensor<F>,
    for_bias: &mut Tensor<f32>,
    units: u32,
    #[comptime] degree: usize,
    #[comptime] width: usize,
    #[define(F)] _kind: StorageType,
) {
    let unit = ABSOLUTE_POS;
    if unit >= units as usize {
        terminate!();
    }
    let channel = unit % width;
    let row = unit / width;
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
    units: u32,
    #[comptime] degree: usize,
    #[comptime] width: usize,
    #[define(F)] _kind: StorageType,
) {
    let unit = ABSOLUTE_POS;
    if unit >= units as usize {
        terminate!();
    }
    let channel = unit % width;
    let row = unit / width;
    let shift = bias[channel];
    let mut sum = 0.0f32;
    for k in 0..degree {
        let edge = row * degree + k;
        sum += max(f32::cast_from(edges[edge * edges.stride(1) + channel]) + shift, 0.0f32);
    }
    sums[row * sums.stride(1) + channel] = sum;
}

#[cube(launch)]
fn relu_sum_back<F: Float>(
    edges: &Tensor<F>,
    bias: &Tensor<f32>,
    gradient: &Tensor<f32>,
    found: &mut Tensor<F>,
    for_bias: &mut Tensor<f32>,
    units: u32,
    #[comptime] degree: usize,
    #[comptime] width: usize,
    #[define(F)] _kind: StorageType,
) {
    let unit = ABSOLUTE_POS;
    if unit >= units as usize {
        terminate!();
    }
    let channel = unit % width;
    let row = unit / width;
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

#[cube]
fn squash(value: f32) -> f32 {
    1.0f32 / (1.0f32 + f32::exp(-value))
}

#[cube(launch)]
fn memory(gates: &Tensor<f32>, old: &Tensor<f32>, new: &mut Tensor<f32>, units: u32, #[comptime] width: usize) {
    let unit = ABSOLUTE_POS;
    if unit >= units as usize {
        terminate!();
    }
    let channel = unit % width;
    let row = unit / width;
    let start = row * gates.stride(1) + channel;
    let input = squash(gates[start]);
    let forget = squash(gates[start + width]);
    let value = f32::tanh(gates[start + 2 * width]);
    new[row * new.stride(1) + channel] = forget * old[row * old.stride(1) + channel] + input * value;
}

#[cube(launch)]
fn memory_back(
    gates: &Tensor<f32>,
    old: &Tensor<f32>,
    gradient: &Tensor<f32>,
    for_gates: &mut Tensor<f32>,
    for_old: &mut Tensor<f32>,
    units: u32,
    #[comptime] width: usize,
) {
    let unit = ABSOLUTE_POS;
    if unit >= units as usize {
        terminate!();
    }
    let channel = unit % width;
    let row = unit / width;
    let start = row * gates.stride(1) + channel;
    let input = squash(gates[start]);
    let forget = squash(gates[start + width]);
    let value = f32::tanh(gates[start + 2 * width]);
    let before = old[row * old.stride(1) + channel];
    let slope = gradient[row * gradient.stride(1) + channel];
    let place = row * for_gates.stride(1) + channel;
    for_gates[place] = slope * value * input * (1.0f32 - input);
    for_gates[place + width] = slope * before * forget * (1.0f32 - forget);
    for_gates[place + 2 * width] = slope * input * (1.0f32 - value * value);
    for_gates[place + 3 * width] = 0.0f32;
    for_old[row * for_old.stride(1) + channel] = slope * forget;
}

#[cube(launch)]
fn hidden(gates: &Tensor<f32>, memory: &Tensor<f32>, new: &mut Tensor<f32>, units: u32, #[comptime] width: usize) {
    let unit = ABSOLUTE_POS;
    if unit >= units as usize {
        terminate!();
    }
    let channel = unit % width;
    let row = unit / width;
    let output = squash(gates[row * gates.stride(1) + 3 * width + channel]);
    new[row * new.stride(1) + channel] = output * f32::tanh(memory[row * memory.stride(1) + channel]);
}

#[cube(launch)]
fn hidden_back(
    gates: &Tensor<f32>,
    memory: &Tensor<f32>,
    gradient: &Tensor<f32>,
    for_gates: &mut Tensor<f32>,
    for_memory: &mut Tensor<f32>,
    units: u32,
    #[comptime] width: usize,
) {
    let unit = ABSOLUTE_POS;
    if unit >= units as usize {
        terminate!();
    }
    let channel = unit % width;
    let row = unit / width;
    let output = squash(gates[row * gates.stride(1) + 3 * width + channel]);
    let bent = f32::tanh(memory[row * memory.stride(1) + channel]);
    let slope = gradient[row * gradient.stride(1) + channel];
    let place = row * for_gates.stride(1) + channel;
    for_gates[place] = 0.0f32;
    for_gates[place + width] = 0.0f32;
    for_gates[place + 2 * width] = 0.0f32;
    for_gates[place + 3 * width] = slope * bent * output * (1.0f32 - output);
    for_memory[row * for_memory.stride(1) + channel] = slope * output * (1.0f32 - bent * bent);
}

/// Starts a kernel with one unit for each number of so many rows: what it reads, what it writes, and its sizes after the
/// number of units.
macro_rules! start {
    ($kernel:ident, $rows:expr, $width:expr, [$($read:expr),+] => [$($written:ident),+], $($size:expr),*) => {{
        let units = u32::try_from($rows * $width).expect("a batch has fewer than 2³² numbers");
        let client = [$(&$written.client),+][0].clone();
        $kernel::launch::<CudaRuntime>(
            &client,
            CubeCount::Static(units.div_ceil(UNITS), 1, 1),
            CubeDim::new_1d(UNITS),
            $($read.into_tensor_arg(),)+
            $($written.clone().into_tensor_arg(),)+
            units,
            $($size),*
        )
    }};
}

fn card<const D: usize>(tensor: &Rows<D>) -> Card {
    into_contiguous_aligned(tensor.clone().into_primitive().tensor())
}

fn wrapped<const D: usize>(tensor: Card) -> Rows<D> {
    Rows::from_primitive(TensorPrimitive::Float(tensor))
}

fn places(places: &burn::tensor::Tensor<Gpu, 1, burn::tensor::Int>) -> Card {
    into_contiguous_aligned(places.clone().into_primitive())
}

/// Room on the device of another tensor.
fn empty(like: &Card, shape: [usize; 3], kind: DType) -> Card {
    empty_device_contiguous_dtype(like.client.clone(), like.device.clone(), Shape::new(shape), kind)
}

impl Messenger for Gpu {
    fn memory(gates: Rows<3>, old: Rows<3>) -> Rows<3> {
        let ([batch, nodes, width], gates, old) = (old.dims(), card(&gates), card(&old));
        let new = empty(&old, [batch, nodes, width], DType::F32);
        start!(memory, batch * nodes, width, [gates, old] => [new], width);
        wrapped(new)
    }

    fn hidden(gates: Rows<3>, memory: Rows<3>) -> Rows<3> {
        let ([batch, nodes, width], gates, memory) = (memory.dims(), card(&gates), card(&memory));
        let new = empty(&memory, [batch, nodes, width], DType::F32);
        start!(hidden, batch * nodes, width, [gates, memory] => [new], width);
        wrapped(new)
    }

    fn pair_relu(pairs: &Rows<3>, graph: &Graph<Gpu>) -> Rows<3> {
        let [batch, nodes, both] = pairs.dims();
        let (pairs, sources, width, degree) = (card(pairs), places(&graph.sources), both / 2, graph.degree);
        let kind = if graph.half { DType::BF16 } else { DType::F32 };
        let edges = empty(&pairs, [batch, graph.edges(), width], kind);
        start!(pair_relu, batch * nodes, width, [pairs, sources] => [edges], nodes, degree, width, kind.into());
        wrapped(edges)
    }

    fn pair_relu_back(pairs: &Rows<3>, gradient: Rows<3>, graph: &Graph<Gpu>) -> Rows<3> {
        let [batch, nodes, both] = pairs.dims();
        let (pairs, gradient, width, degree) = (card(pairs), card(&gradient), both / 2, graph.degree);
        let (sources, outgoing, kind) = (places(&graph.sources), places(&graph.outgoing), gradient.dtype());
        let found = empty(&pairs, [batch, nodes, both], DType::F32);
        start!(pair_relu_back, batch * nodes, width, [pairs, gradient, sources, outgoing] => [found],
            nodes, degree, width, kind.into());
        wrapped(found)
    }

    fn bias_relu(edges: Rows<3>, bias: &Rows<1>) -> Rows<3> {
        let [batch, rows, width] = edges.dims();
        let (edges, bias) = (card(&edges), card(bias));
        let kind = edges.dtype();
        let after = empty(&edges, [batch, rows, width], kind);
        // Four rows for each unit are enough to keep it busy; any number that divides the rows would do.
        let group = [4, 3, 2, 1].into_iter().find(|group| rows % group == 0).unwrap_or(1);
        start!(bias_relu, batch * rows / group, width, [edges, bias] => [after], group, width, kind.into());
        wrapped(after)
    }

    fn bias_relu_back(after: &Rows<3>, gradient: Rows<3>, graph: &Graph<Gpu>) -> [Rows<3>; 2] {
        let [batch, rows, width] = after.dims();
        let (after, gradient, nodes, degree) = (card(after), card(&gradient), graph.nodes, graph.degree);
        let kind = after.dtype();
        let (found, for_bias) =
            (empty(&after, [batch, rows, width], kind), empty(&after, [batch, nodes, width], DType::F32));
        start!(bias_relu_back, batch * nodes, width, [after, gradient] => [found, for_bias], degree, width, kind.into());
        [wrapped(found), wrapped(for_bias)]
    }

    fn relu_sum(edges: &Rows<3>, bias: &Rows<1>, graph: &Graph<Gpu>) -> Rows<3> {
        let [batch, _, width] = edges.dims();
        let (edges, bias, nodes, degree) = (card(edges), card(bias), graph.nodes, graph.degree);
        let kind = edges.dtype();
        let sums = empty(&edges, [batch, nodes, width], DType::F32);
        start!(relu_sum, batch * nodes, width, [edges, bias] => [sums], degree, width, kind.into());
        wrapped(sums)
    }

    fn relu_sum_back(edges: &Rows<3>, bias: &Rows<1>, gradient: Rows<3>, graph: &Graph<Gpu>) -> [Rows<3>; 2] {
        let [batch, rows, width] = edges.dims();
        let (edges, bias, gradient) = (card(edges), card(bias), card(&gradient));
        let (nodes, degree, kind) = (graph.nodes, graph.degree, edges.dtype());
        let (found, for_bias) =
            (empty(&edges, [batch, rows, width], kind), empty(&edges, [batch, nodes, width], DType::F32));
        start!(relu_sum_back, batch * nodes, width, [edges, bias, gradient] => [found, for_bias],
            degree, width, kind.into());
        [wrapped(found), wrapped(for_bias)]
    }

    fn memory_back(gates: Rows<3>, old: Rows<3>, gradient: Rows<3>) -> [Rows<3>; 2] {
        let [batch, nodes, width] = old.dims();
        let (gates, old, gradient) = (card(&gates), card(&old), card(&gradient));
        let [for_gates, for_old] = [4, 1].map(|times| empty(&old, [batch, nodes, times * width], DType::F32));
        start!(memory_back, batch * nodes, width, [gates, old, gradient] => [for_gates, for_old], width);
        [wrapped(for_gates), wrapped(for_old)]
    }

    fn hidden_back(gates: Rows<3>, memory: Rows<3>, gradient: Rows<3>) -> [Rows<3>; 2] {
        let [batch, nodes, width] = memory.dims();
        let (gates, memory, gradient) = (card(&gates), card(&memory), card(&gradient));
        let [for_gates, for_memory] = [4, 1].map(|times| empty(&memory, [batch, nodes, times * width], DType::F32));
        start!(hidden_back, batch * nodes, width, [gates, memory, gradient] => [for_gates, for_memory], width);
        [wrapped(for_gates), wrapped(for_memory)]
    }
}
