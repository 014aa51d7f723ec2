//! The GPU implementation of the bidirectional LSTM layer: few large tensor operations.
//!
//! Both directions are stacked; the backward one reads the flipped sequence. The products with the
//! kernel and all weight gradients are computed once for all steps. A step consists of one product
//! and a dozen element-wise operations, over all groups and both directions together.

use super::{DIRECTIONS, GATES, Gradients, Weights};
use burn::tensor::Tensor;
use burn::tensor::activation::sigmoid;
use burn::tensor::backend::Backend;

/// Values of the forward pass that the gradients need.
#[derive(Clone, Debug)]
pub struct Saved<B: Backend> {
    /// Both directions, `[groups, 2, steps · batch, inputs]`.
    inputs: Tensor<B, 4>,
    weights: Weights<B>,
    steps: Vec<Step<B>>,
}

/// Values of one step; every tensor is `[groups, 2, batch, hidden]`.
#[derive(Clone, Debug)]
struct Step<B: Backend> {
    /// In, forget, out, new.
    gates: [Tensor<B, 4>; GATES],
    /// The cell state before the step.
    cell_before: Tensor<B, 4>,
    /// The hyperbolic tangent of the cell state after the step.
    tanh_cell: Tensor<B, 4>,
    /// The hidden state after the step.
    hidden: Tensor<B, 4>,
}

/// Maps `[groups, batch, steps, inputs]` to `[groups, batch, steps, 2 · hidden]`; also returns what
/// the gradients need.
pub fn forward<B: Backend>(
    sequence: Tensor<B, 4>,
    weights: Weights<B>,
) -> (Tensor<B, 4>, Saved<B>) {
    let [groups, batch, count, _] = sequence.dims();
    let hidden_width = weights.recurrent.dims()[2];
    let inputs = stack_directions(sequence); // [groups, 2, steps · batch, inputs]
    let drive = inputs.clone().matmul(weights.kernel.clone()) + weights.bias.clone(); // [groups, 2, steps · batch, 4 · hidden]
    let mut cell = Tensor::zeros([groups, DIRECTIONS, batch, hidden_width], &drive.device());
    let mut steps: Vec<Step<B>> = Vec::with_capacity(count);
    for number in 0..count {
        let mut sums = drive.clone().narrow(2, number * batch, batch); // [groups, 2, batch, 4 · hidden]
        if let Some(step) = steps.last() {
            sums = sums + step.hidden.clone().matmul(weights.recurrent.clone());
        }
        let gates = sigmoid(sums.clone().narrow(3, 0, 3 * hidden_width));
        let new = sums.narrow(3, 3 * hidden_width, hidden_width).tanh();
        let [enter, forget, out] =
            [0, 1, 2].map(|gate| gates.clone().narrow(3, gate * hidden_width, hidden_width));
        let cell_before = cell;
        cell = forget.clone() * cell_before.clone() + enter.clone() * new.clone();
        let tanh_cell = cell.clone().tanh();
        let hidden = out.clone() * tanh_cell.clone();
        steps.push(Step { gates: [enter, forget, out, new], cell_before, tanh_cell, hidden });
    }
    let hidden = Tensor::cat(steps.iter().map(|step| step.hidden.clone()).collect(), 2);
    (concat_directions(hidden, batch), Saved { inputs, weights, steps })
}

/// The gradients, from the gradient of the output.
pub fn backward<B: Backend>(saved: Saved<B>, output: Tensor<B, 4>) -> Gradients<B> {
    let Saved { inputs, weights, steps } = saved;
    let batch = output.dims()[1];
    let output = split_output(output); // [groups, 2, steps · batch, hidden]
    let recurrent_transposed = weights.recurrent.clone().swap_dims(2, 3);
    let zeros = steps[0].hidden.zeros_like();
    let (mut hidden_later, mut cell_later) = (zeros.clone(), zeros.clone());
    let mut sums: Vec<Tensor<B, 4>> = Vec::with_capacity(steps.len());
    for (number, step) in steps.iter().enumerate().rev() {
        let [enter, forget, out, new] = step.gates.clone();
        let hidden = output.clone().narrow(2, number * batch, batch) + hidden_later;
        let tanh_cell = step.tanh_cell.clone();
        let flat = tanh_cell.clone() * tanh_cell.clone() * -1.0 + 1.0;
        let cell = cell_later + hidden.clone() * out.clone() * flat;
        let slope = |gate: Tensor<B, 4>| gate.clone() * (gate * -1.0 + 1.0);
        let sum = Tensor::cat(
            vec![
                cell.clone() * new.clone() * slope(enter.clone()),
                cell.clone() * step.cell_before.clone() * slope(forget.clone()),
                hidden * tanh_cell * slope(out),
                cell.clone() * enter * (new.clone() * new * -1.0 + 1.0),
            ],
            3,
        ); // [groups, 2, batch, 4 · hidden]
        hidden_later = sum.clone().matmul(recurrent_transposed.clone());
        cell_later = cell * forget;
        sums.push(sum);
    }
    sums.reverse();
    let sums = Tensor::cat(sums, 2); // [groups, 2, steps · batch, 4 · hidden]
    let earlier = steps[..steps.len() - 1].iter().map(|step| step.hidden.clone());
    let hidden_before = Tensor::cat(std::iter::once(zeros).chain(earlier).collect(), 2);
    // Sum the rows by a product with ones, because GPUs are slow at a few long sums.
    let rows = sums.dims()[2];
    let ones = Tensor::ones([1, 1, 1, rows], &sums.device());
    Gradients {
        weights: Weights {
            kernel: inputs.swap_dims(2, 3).matmul(sums.clone()),
            recurrent: hidden_before.swap_dims(2, 3).matmul(sums.clone()),
            bias: ones.matmul(sums.clone()),
        },
        sequence: sum_directions(sums.matmul(weights.kernel.swap_dims(2, 3)), batch),
    }
}

/// Converts `[groups, batch, steps, width]` to `[groups, 2, steps · batch, width]`; the second
/// direction is reversed.
fn stack_directions<B: Backend>(sequence: Tensor<B, 4>) -> Tensor<B, 4> {
    let [groups, batch, steps, width] = sequence.dims();
    let forward = sequence.swap_dims(1, 2); // [groups, steps, batch, width]
    let backward = forward.clone().flip([1]);
    let rows = [groups, 1, steps * batch, width];
    Tensor::cat(vec![forward.reshape(rows), backward.reshape(rows)], 1)
}

/// Sums both directions of each step, `[groups, batch, steps, width]`.
fn sum_directions<B: Backend>(rows: Tensor<B, 4>, batch: usize) -> Tensor<B, 4> {
    let [forward, backward] = split_directions(rows, batch);
    (forward + backward).swap_dims(1, 2)
}

/// Converts `[groups, 2, steps · batch, hidden]` to `[groups, batch, steps, 2 · hidden]`.
fn concat_directions<B: Backend>(rows: Tensor<B, 4>, batch: usize) -> Tensor<B, 4> {
    let both = split_directions(rows, batch);
    Tensor::cat(both.to_vec(), 3).swap_dims(1, 2)
}

/// The inverse of [`concat_directions`].
fn split_output<B: Backend>(output: Tensor<B, 4>) -> Tensor<B, 4> {
    let [groups, batch, steps, width] = output.dims();
    let hidden = width / DIRECTIONS;
    let output = output.swap_dims(1, 2); // [groups, steps, batch, 2 · hidden]
    let forward = output.clone().narrow(3, 0, hidden);
    let backward = output.narrow(3, hidden, hidden).flip([1]);
    let rows = [groups, 1, steps * batch, hidden];
    Tensor::cat(vec![forward.reshape(rows), backward.reshape(rows)], 1)
}

/// Each direction as `[groups, steps, batch, width]`, both in forward order.
fn split_directions<B: Backend>(rows: Tensor<B, 4>, batch: usize) -> [Tensor<B, 4>; DIRECTIONS] {
    let [groups, _, count, width] = rows.dims();
    let direction =
        |number| rows.clone().narrow(1, number, 1).reshape([groups, count / batch, batch, width]);
    [direction(0), direction(1).flip([1])]
}
