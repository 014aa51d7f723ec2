//! A bidirectional LSTM layer in few large tensor operations: the form for a graphics card.
//!
//! Both directions are one stack: the backward one reads the sequence flipped. The products with the kernel and all
//! gradients of weights are taken once for all steps; a step itself holds one product and a dozen sums, over all groups
//! and both directions together.

use super::{DIRECTIONS, GATES, Gradients, Weights};
use burn::tensor::Tensor;
use burn::tensor::activation::sigmoid;
use burn::tensor::backend::Backend;

/// What the forward pass saves.
#[derive(Clone, Debug)]
pub struct Saved<B: Backend> {
    /// Both directions, `[groups, 2, steps · batch, inputs]`.
    inputs: Tensor<B, 4>,
    weights: Weights<B>,
    steps: Vec<Step<B>>,
}

/// One step; every tensor is `[groups, 2, batch, hidden]`.
#[derive(Clone, Debug)]
struct Step<B: Backend> {
    /// In, forget, out, new.
    gates: [Tensor<B, 4>; GATES],
    /// The cell before the step.
    cell_before: Tensor<B, 4>,
    /// The hyperbolic tangent of the cell after it.
    squashed: Tensor<B, 4>,
    /// What the step answers with.
    hidden: Tensor<B, 4>,
}

/// `[groups, batch, steps, inputs]` to `[groups, batch, steps, 2 · hidden]`, and what the gradients need.
pub fn forward<B: Backend>(
    sequence: Tensor<B, 4>,
    weights: Weights<B>,
) -> (Tensor<B, 4>, Saved<B>) {
    let [groups, batch, count, _] = sequence.dims();
    let hidden_width = weights.recurrent.dims()[2];
    let inputs = in_both_directions(sequence); // [groups, 2, steps · batch, inputs]
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
        let squashed = cell.clone().tanh();
        let hidden = out.clone() * squashed.clone();
        steps.push(Step { gates: [enter, forget, out, new], cell_before, squashed, hidden });
    }
    let hidden = Tensor::cat(steps.iter().map(|step| step.hidden.clone()).collect(), 2);
    (side_by_side(hidden, batch), Saved { inputs, weights, steps })
}

/// The gradients, from that of the answer.
pub fn backward<B: Backend>(saved: Saved<B>, answer: Tensor<B, 4>) -> Gradients<B> {
    let Saved { inputs, weights, steps } = saved;
    let batch = answer.dims()[1];
    let answer = from_side_by_side(answer); // [groups, 2, steps · batch, hidden]
    let turned = weights.recurrent.clone().swap_dims(2, 3);
    let nothing = steps[0].hidden.zeros_like();
    let (mut hidden_later, mut cell_later) = (nothing.clone(), nothing.clone());
    let mut sums: Vec<Tensor<B, 4>> = Vec::with_capacity(steps.len());
    for (number, step) in steps.iter().enumerate().rev() {
        let [enter, forget, out, new] = step.gates.clone();
        let hidden = answer.clone().narrow(2, number * batch, batch) + hidden_later;
        let squashed = step.squashed.clone();
        let flat = squashed.clone() * squashed.clone() * -1.0 + 1.0;
        let cell = cell_later + hidden.clone() * out.clone() * flat;
        let slope = |gate: Tensor<B, 4>| gate.clone() * (gate * -1.0 + 1.0);
        let sum = Tensor::cat(
            vec![
                cell.clone() * new.clone() * slope(enter.clone()),
                cell.clone() * step.cell_before.clone() * slope(forget.clone()),
                hidden * squashed * slope(out),
                cell.clone() * enter * (new.clone() * new * -1.0 + 1.0),
            ],
            3,
        ); // [groups, 2, batch, 4 · hidden]
        hidden_later = sum.clone().matmul(turned.clone());
        cell_later = cell * forget;
        sums.push(sum);
    }
    sums.reverse();
    let sums = Tensor::cat(sums, 2); // [groups, 2, steps · batch, 4 · hidden]
    let earlier = steps[..steps.len() - 1].iter().map(|step| step.hidden.clone());
    let hidden_before = Tensor::cat(std::iter::once(nothing).chain(earlier).collect(), 2);
    // A product with ones adds all rows up; a card is slow at long sums in few places.
    let rows = sums.dims()[2];
    let ones = Tensor::ones([1, 1, 1, rows], &sums.device());
    Gradients {
        weights: Weights {
            kernel: inputs.swap_dims(2, 3).matmul(sums.clone()),
            recurrent: hidden_before.swap_dims(2, 3).matmul(sums.clone()),
            bias: ones.matmul(sums.clone()),
        },
        sequence: from_both_directions(sums.matmul(weights.kernel.swap_dims(2, 3)), batch),
    }
}

/// `[groups, batch, steps, width]` to `[groups, 2, steps · batch, width]`, the second direction from behind.
fn in_both_directions<B: Backend>(sequence: Tensor<B, 4>) -> Tensor<B, 4> {
    let [groups, batch, steps, width] = sequence.dims();
    let forward = sequence.swap_dims(1, 2); // [groups, steps, batch, width]
    let backward = forward.clone().flip([1]);
    let rows = [groups, 1, steps * batch, width];
    Tensor::cat(vec![forward.reshape(rows), backward.reshape(rows)], 1)
}

/// The sum over both directions of what belongs to the same step, `[groups, batch, steps, width]`.
fn from_both_directions<B: Backend>(rows: Tensor<B, 4>, batch: usize) -> Tensor<B, 4> {
    let [forward, backward] = apart(rows, batch);
    (forward + backward).swap_dims(1, 2)
}

/// `[groups, 2, steps · batch, hidden]` to `[groups, batch, steps, 2 · hidden]`.
fn side_by_side<B: Backend>(rows: Tensor<B, 4>, batch: usize) -> Tensor<B, 4> {
    let both = apart(rows, batch);
    Tensor::cat(both.to_vec(), 3).swap_dims(1, 2)
}

/// The way back from [`side_by_side`].
fn from_side_by_side<B: Backend>(answer: Tensor<B, 4>) -> Tensor<B, 4> {
    let [groups, batch, steps, width] = answer.dims();
    let hidden = width / DIRECTIONS;
    let answer = answer.swap_dims(1, 2); // [groups, steps, batch, 2 · hidden]
    let forward = answer.clone().narrow(3, 0, hidden);
    let backward = answer.narrow(3, hidden, hidden).flip([1]);
    let rows = [groups, 1, steps * batch, hidden];
    Tensor::cat(vec![forward.reshape(rows), backward.reshape(rows)], 1)
}

/// Each direction as `[groups, steps, batch, width]`, both from the front.
fn apart<B: Backend>(rows: Tensor<B, 4>, batch: usize) -> [Tensor<B, 4>; DIRECTIONS] {
    let [groups, _, count, width] = rows.dims();
    let direction =
        |number| rows.clone().narrow(1, number, 1).reshape([groups, count / batch, batch, width]);
    [direction(0), direction(1).flip([1])]
}
