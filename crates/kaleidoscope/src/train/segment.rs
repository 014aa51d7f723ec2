//! A segment: iterations of the network on a batch, and the gradient of their loss.
//!
//! ```text
//! each iteration:   h ← h + input
//!   each block:     h ← norm(h + attended · attend(attention · h))
//!                   h ← norm(h + down · (silu(gate · h) · (value · h)))
//!   logit = answer · h
//! ```
//! The gradient is written by hand: an iteration has few operations, and the tape keeps all of
//! their inputs.

use super::kernels::{FeedForwardTape, Kernels};
use crate::Config;
use crate::parameters::{BlockSpans, Spans};

/// The values of a block that its gradient needs.
struct BlockTape<K: Kernels> {
    input: K::Rows,
    /// Queries, keys and values.
    attention: K::Rows,
    attended: K::Rows,
    feed_forward: FeedForwardTape<K::Rows>,
}

/// The values of an iteration that its gradient needs.
struct IterationTape<K: Kernels> {
    blocks: Vec<BlockTape<K>>,
    /// The final states and logits, if the loss is computed after this iteration.
    at_loss: Option<(K::Rows, K::Column)>,
}

/// The network: its operations and the positions of its weights.
pub(super) struct Network<K: Kernels> {
    pub kernels: K,
    pub spans: Spans,
}

impl<K: Kernels> Network<K> {
    pub fn new(config: &Config, kernels: K) -> Network<K> {
        Network { kernels, spans: Spans::new(config) }
    }

    /// Runs one iteration without a tape. Returns the states.
    pub fn step(&self, states: &K::Rows) -> K::Rows {
        let mut states = self.kernels.add_input(states, self.spans.input);
        for block in &self.spans.blocks {
            states = self.block(states, block).1;
        }
        states
    }

    pub fn logits(&self, states: &K::Rows) -> K::Column {
        self.kernels.answer(states, self.spans.answer)
    }

    fn block(&self, input: K::Rows, spans: &BlockSpans) -> (BlockTape<K>, K::Rows) {
        let attention = self.kernels.linear(&input, spans.attention, None);
        let attended = self.kernels.attend(&attention);
        let (feed_forward, output) = self.kernels.feed_forward(&input, &attended, spans);
        (BlockTape { input, attention, attended, feed_forward }, output)
    }

    fn block_backward(
        &mut self,
        tape: &BlockTape<K>,
        gradient: &K::Rows,
        spans: &BlockSpans,
    ) -> K::Rows {
        let (kernels, feed) = (&mut self.kernels, &tape.feed_forward);
        let second = kernels.norm_backward(&feed.before_second, gradient, spans.second_norm);
        let gates = kernels.gated_backward(feed, &second, spans.down);
        let middle = kernels.linear_backward(&feed.middle, &gates, spans.gate, Some(&second));
        let first = kernels.norm_backward(&feed.before_first, &middle, spans.first_norm);
        let attended = kernels.linear_backward(&tape.attended, &first, spans.attended, None);
        let attention = kernels.attend_backward(&tape.attention, &attended);
        kernels.linear_backward(&tape.input, &attention, spans.attention, Some(&first))
    }

    /// Runs iterations from these states. The loss is computed after the last one, and each time
    /// after `every` iterations before it.
    pub fn forward(&self, mut states: K::Rows, iterations: usize, every: usize) -> Segment<K> {
        let mut tapes: Vec<IterationTape<K>> = Vec::with_capacity(iterations);
        let has_loss = |iteration: usize| (iterations - 1 - iteration).is_multiple_of(every);
        for iteration in 0..iterations {
            let mut rows = self.kernels.add_input(&states, self.spans.input);
            let mut blocks = Vec::with_capacity(self.spans.blocks.len());
            for spans in &self.spans.blocks {
                let (tape, output) = self.block(rows, spans);
                blocks.push(tape);
                rows = output;
            }
            states = rows;
            let at_loss = has_loss(iteration).then(|| {
                let logits = self.logits(&states);
                let copy = self.kernels.copy(&states);
                (copy, logits)
            });
            tapes.push(IterationTape { blocks, at_loss });
        }
        Segment { tapes, states }
    }

    /// Adds the gradient of a segment to that of the kernels. The loss is the mean cross entropy
    /// per cell; `cells` is the number of empty cells in the batch.
    pub fn backward(&mut self, segment: &Segment<K>, cells: usize) {
        let with_loss = segment.tapes.iter().filter(|tape| tape.at_loss.is_some()).count();
        let scale = 1.0 / (with_loss * cells.max(1)) as f32;
        let mut gradient: Option<K::Rows> = None;
        for tape in segment.tapes.iter().rev() {
            if let Some((states, logits)) = &tape.at_loss {
                let slopes = self.kernels.loss_gradient(logits, scale);
                gradient = Some(self.kernels.answer_backward(
                    states,
                    &slopes,
                    self.spans.answer,
                    gradient.as_ref(),
                ));
            }
            let mut rows = gradient.take().expect("the last iteration has a loss");
            for (index, block) in tape.blocks.iter().enumerate().rev() {
                let spans = self.spans.blocks[index];
                rows = self.block_backward(block, &rows, &spans);
            }
            self.kernels.add_input_backward(&rows, self.spans.input);
            gradient = Some(rows);
        }
        if let Some(gradient) = gradient {
            self.kernels.states_backward(&gradient, self.spans.start);
        }
    }
}

/// The result of a segment, with all values that its gradient needs.
pub(super) struct Segment<K: Kernels> {
    tapes: Vec<IterationTape<K>>,
    /// The final states.
    pub states: K::Rows,
}

impl<K: Kernels> Segment<K> {
    /// The final logits.
    pub fn logits(&self) -> &K::Column {
        let last = self.tapes.last().and_then(|tape| tape.at_loss.as_ref());
        &last.expect("the last iteration has a loss").1
    }
}
