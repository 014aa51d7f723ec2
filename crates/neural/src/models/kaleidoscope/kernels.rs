//! The operations that the network is made of, each with its gradient.
//!
//! `segment.rs` says in which order they come, and is written once. `host.rs` has them as loops over slices for the processor,
//! `card.rs` as kernels for graphics cards. Rows are the states of all nodes,
//! `[nodes, width]`, or something that is computed of them. Gradients of weights are summed up inside, until they are asked for.

use super::layout::{Frame, Layout};
use super::parameters::{BlockSpans, Span};

/// An answer that was asked for; calling it waits until it is there.
pub(super) type Later<T> = Box<dyn FnOnce() -> T + Send>;

/// What the gradient needs of what happens to rows in a block after attention.
pub(super) struct FeedTape<R> {
    /// Before and after the first norm.
    pub before_first: R,
    pub middle: R,
    /// Gates and values, and what comes of them.
    pub gates: R,
    pub gated: R,
    /// Before the second norm.
    pub before_second: R,
}

/// What the network computes with.
pub(super) trait Kernels {
    /// A row of numbers for each node.
    type Rows;
    /// A number for each node.
    type Column;

    /// From now on these are the parameters.
    fn set_parameters(&mut self, parameters: &[f32]);
    /// From now on these are the nodes.
    fn set_layout(&mut self, frame: &Frame, layout: &Layout);
    /// From now on these nodes belong to the solution (1, the others 0).
    fn set_targets(&mut self, targets: &[f32]);

    /// From now on states come from here. A source of 0 or more is the row where a node has been until now; another is a
    /// new node, which starts as all do, plus some noise: -1 - source is its place among the noise, and i32::MIN means none.
    fn set_sources(&mut self, sources: &[i32]);

    /// The states to begin with. Without old ones all sources are those of new nodes.
    fn states(&mut self, old: Option<&Self::Rows>, start: Span) -> Self::Rows;
    /// Adds up the gradient of the first state of new nodes.
    fn states_backward(&mut self, gradient: &Self::Rows, start: Span);

    /// The same rows again; they may share memory, as nobody writes to them.
    fn copy(&self, rows: &Self::Rows) -> Self::Rows;

    /// rows + input of their roles.
    fn add_input(&self, rows: &Self::Rows, input: Span) -> Self::Rows;
    /// Adds up the gradient of the input.
    fn add_input_backward(&mut self, gradient: &Self::Rows, input: Span);

    /// rows · weightᵀ (+ more).
    fn linear(&self, rows: &Self::Rows, weight: Span, more: Option<&Self::Rows>) -> Self::Rows;
    /// gradient · weight (+ more), the gradient of the rows; that of the weight is added up.
    fn linear_backward(
        &mut self,
        rows: &Self::Rows,
        gradient: &Self::Rows,
        weight: Span,
        more: Option<&Self::Rows>,
    ) -> Self::Rows;

    /// Each row divided by the root of its mean square, times the gain.
    fn norm(&self, rows: &Self::Rows, gain: Span) -> Self::Rows;
    fn norm_backward(&mut self, rows: &Self::Rows, gradient: &Self::Rows, gain: Span)
    -> Self::Rows;

    /// silu(first half) · second half.
    fn gate(&self, rows: &Self::Rows) -> Self::Rows;

    /// Every node attends to its groups: from queries, keys and values, `[nodes, 3 slots, 3, heads, 8]`, to
    /// `[nodes, 3 slots, heads, 8]`; what comes of row and column is added.
    fn attend(&self, rows: &Self::Rows) -> Self::Rows;
    fn attend_backward(&self, rows: &Self::Rows, gradient: &Self::Rows) -> Self::Rows;

    /// What a block does after attention: its input, what came of attention, two norms and the gates between.
    fn feed(
        &self,
        input: &Self::Rows,
        attended: &Self::Rows,
        block: &BlockSpans,
    ) -> (FeedTape<Self::Rows>, Self::Rows)
    where
        Self: Sized,
    {
        feed_step_by_step(self, input, attended, block)
    }
    /// From the gradient of what a weight makes of the gated rows to that of gates and values; that of the weight is added up.
    fn gated_backward(
        &mut self,
        tape: &FeedTape<Self::Rows>,
        gradient: &Self::Rows,
        weight: Span,
    ) -> Self::Rows;

    /// The logit of each node.
    fn answer(&self, rows: &Self::Rows, weight: Span) -> Self::Column;
    /// From the gradient of the logits to that of the rows (+ more); that of the weight is added up.
    fn answer_backward(
        &mut self,
        rows: &Self::Rows,
        gradient: &Self::Column,
        weight: Span,
        more: Option<&Self::Rows>,
    ) -> Self::Rows;

    /// The gradient of the loss (cross entropy of each cell, times `scale`) for these logits.
    fn loss_gradient(&self, logits: &Self::Column, scale: f32) -> Self::Column;
    /// For each puzzle: the sum of the cross entropies of its cells, and how many cells are wrong. It is only asked for here, so
    /// that a card gets more to do before it has answered.
    fn verdicts(&self, logits: &Self::Column) -> Later<Vec<Verdict>>;
    /// States on the host, for a checkpoint, and back.
    fn read_rows(&self, rows: &Self::Rows) -> Vec<f32>;
    fn write_rows(&self, numbers: &[f32], width: usize) -> Self::Rows;
    /// All gradients since the last time.
    fn take_gradients(&mut self) -> Vec<f32>;
}

/// [`Kernels::feed`] made of the other operations.
pub(super) fn feed_step_by_step<K: Kernels>(
    kernels: &K,
    input: &K::Rows,
    attended: &K::Rows,
    block: &BlockSpans,
) -> (FeedTape<K::Rows>, K::Rows) {
    let before_first = kernels.linear(attended, block.attended, Some(input));
    let middle = kernels.norm(&before_first, block.first_norm);
    let gates = kernels.linear(&middle, block.gate, None);
    let gated = kernels.gate(&gates);
    let before_second = kernels.linear(&gated, block.down, Some(&middle));
    let output = kernels.norm(&before_second, block.second_norm);
    (FeedTape { before_first, middle, gates, gated, before_second }, output)
}

/// How a puzzle looks after some iterations.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Verdict {
    /// The sum of the cross entropies of its open cells.
    pub loss: f32,
    /// Open cells with another digit than the solution.
    pub wrong: f32,
}
