//! The operations of the network with their gradients.
//!
//! `segment.rs` combines them and is written once for all devices. `cpu.rs` implements them as
//! loops over slices, `gpu.rs` as GPU kernels. Rows are the states of all nodes, `[nodes, width]`,
//! or values computed from them. Gradients of weights are accumulated in the implementation until
//! [`Kernels::take_gradients`] returns them.

use crate::layout::{Frame, Layout};
use crate::parameters::{BlockSpans, Span};

/// A value that the device is still computing. The call waits for it.
pub(super) type Deferred<T> = Box<dyn FnOnce() -> T + Send>;

/// The values of a block after attention that its gradient needs.
pub(super) struct FeedForwardTape<R> {
    /// The rows before and after the first norm.
    pub before_first: R,
    pub middle: R,
    /// Gates and values, and the output of the gated layer.
    pub gates: R,
    pub gated: R,
    /// The rows before the second norm.
    pub before_second: R,
}

/// A device that the network computes on.
pub(super) trait Kernels {
    /// A row of numbers per node.
    type Rows;
    /// A number per node.
    type Column;

    /// Sets the parameters.
    fn set_parameters(&mut self, parameters: &[f32]);
    /// Sets the nodes.
    fn set_layout(&mut self, frame: &Frame, layout: &Layout);
    /// Sets the targets: 1 for nodes that belong to the solution, 0 for the others.
    fn set_targets(&mut self, targets: &[f32]);

    /// Sets the source of the state of each node. A source of 0 or more is the row of the node in
    /// the old states. A negative source is a new node, which starts with the initial state plus
    /// noise: -1 - source is the position in the noise table, and i32::MIN means no noise.
    fn set_sources(&mut self, sources: &[i32]);

    /// The initial states. Without old states all sources must be those of new nodes.
    fn states(&mut self, old: Option<&Self::Rows>, start: Span) -> Self::Rows;
    /// Accumulates the gradient of the initial state of new nodes.
    fn states_backward(&mut self, gradient: &Self::Rows, start: Span);

    /// A copy, which may share memory because rows are immutable.
    fn copy(&self, rows: &Self::Rows) -> Self::Rows;

    /// rows + the input of their roles.
    fn add_input(&self, rows: &Self::Rows, input: Span) -> Self::Rows;
    /// Accumulates the gradient of the input.
    fn add_input_backward(&mut self, gradient: &Self::Rows, input: Span);

    /// rows · weightᵀ (+ more).
    fn linear(&self, rows: &Self::Rows, weight: Span, more: Option<&Self::Rows>) -> Self::Rows;
    /// The gradient of the rows: gradient · weight (+ more). Accumulates the gradient of the
    /// weight.
    fn linear_backward(
        &mut self,
        rows: &Self::Rows,
        gradient: &Self::Rows,
        weight: Span,
        more: Option<&Self::Rows>,
    ) -> Self::Rows;

    /// Divides each row by the root of its mean square and multiplies it with the gain.
    fn norm(&self, rows: &Self::Rows, gain: Span) -> Self::Rows;
    fn norm_backward(&mut self, rows: &Self::Rows, gradient: &Self::Rows, gain: Span)
    -> Self::Rows;

    /// silu(first half) · second half.
    fn gate(&self, rows: &Self::Rows) -> Self::Rows;

    /// Attention of every node within its groups: from queries, keys and values,
    /// `[nodes, slots, 3, heads, 8]`, to `[nodes, slots, heads, 8]`. The outputs of the groups of a
    /// slot, such as row and column, are added.
    fn attend(&self, rows: &Self::Rows) -> Self::Rows;
    fn attend_backward(&self, rows: &Self::Rows, gradient: &Self::Rows) -> Self::Rows;

    /// The part of a block after attention: two norms with the gated layer between them. Takes the
    /// input of the block and the output of attention.
    fn feed_forward(
        &self,
        input: &Self::Rows,
        attended: &Self::Rows,
        block: &BlockSpans,
    ) -> (FeedForwardTape<Self::Rows>, Self::Rows)
    where
        Self: Sized,
    {
        feed_forward_step_by_step(self, input, attended, block)
    }
    /// The gradient of gates and values, from that of gated · weightᵀ. Accumulates the gradient of
    /// the weight.
    fn gated_backward(
        &mut self,
        tape: &FeedForwardTape<Self::Rows>,
        gradient: &Self::Rows,
        weight: Span,
    ) -> Self::Rows;

    /// The logit of each node.
    fn answer(&self, rows: &Self::Rows, weight: Span) -> Self::Column;
    /// The gradient of the rows (+ more), from that of the logits. Accumulates the gradient of the
    /// weight.
    fn answer_backward(
        &mut self,
        rows: &Self::Rows,
        gradient: &Self::Column,
        weight: Span,
        more: Option<&Self::Rows>,
    ) -> Self::Rows;

    /// The gradient of the loss: the sum of the cross entropies of all cells, times `scale`.
    fn loss_gradient(&self, logits: &Self::Column, scale: f32) -> Self::Column;
    /// Loss and number of wrong cells per puzzle. Returns before the device has computed them, so
    /// that more work can be queued.
    fn puzzle_results(&self, logits: &Self::Column) -> Deferred<Vec<PuzzleResult>>;
    /// Copies rows to main memory, for a checkpoint.
    fn read_rows(&self, rows: &Self::Rows) -> Vec<f32>;
    /// Copies rows to the device.
    fn write_rows(&self, numbers: &[f32], width: usize) -> Self::Rows;
    /// Returns the accumulated gradients and resets them to zero.
    fn take_gradients(&mut self) -> Vec<f32>;
}

/// [`Kernels::feed_forward`], composed of the other operations.
pub(super) fn feed_forward_step_by_step<K: Kernels>(
    kernels: &K,
    input: &K::Rows,
    attended: &K::Rows,
    block: &BlockSpans,
) -> (FeedForwardTape<K::Rows>, K::Rows) {
    let before_first = kernels.linear(attended, block.attended, Some(input));
    let middle = kernels.norm(&before_first, block.first_norm);
    let gates = kernels.linear(&middle, block.gate, None);
    let gated = kernels.gate(&gates);
    let before_second = kernels.linear(&gated, block.down, Some(&middle));
    let output = kernels.norm(&before_second, block.second_norm);
    (FeedForwardTape { before_first, middle, gates, gated, before_second }, output)
}

/// The share of the loss of hidden candidates, relative to that of cells.
pub(super) const HIDDEN_LOSS: f32 = 0.25;

/// The loss of a puzzle, and its errors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PuzzleResult {
    /// The sum of the cross entropies of the empty cells.
    pub loss: f32,
    /// The number of empty cells with a wrong digit.
    pub wrong: f32,
}
