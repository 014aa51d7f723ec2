//! A segment: some iterations of the network on a batch, with the gradient of their loss.
//!
//! ```text
//! each iteration:   h ← h + input
//!   each block:     h ← norm(h + attended · attend(attention · h))
//!                   h ← norm(h + down · (silu(gate · h) · (value · h)))
//!   logit = answer · h
//! ```
//! The gradient is written out by hand: an iteration has few operations, and all that they need is kept.

use super::Config;
use super::kernels::{FeedTape, Kernels};
use super::parameters::{BlockSpans, Spans};

/// What a block did.
struct BlockTape<K: Kernels> {
    /// Its input.
    input: K::Rows,
    /// Queries, keys and values.
    attention: K::Rows,
    attended: K::Rows,
    /// All that came after.
    feed: FeedTape<K::Rows>,
}

/// What an iteration did.
struct IterationTape<K: Kernels> {
    blocks: Vec<BlockTape<K>>,
    /// The state at its end, if the loss is asked here.
    answered: Option<(K::Rows, K::Column)>,
}

/// The network with its operations.
pub(super) struct Network<K: Kernels> {
    pub kernels: K,
    pub spans: Spans,
}

impl<K: Kernels> Network<K> {
    pub fn new(config: &Config, kernels: K) -> Network<K> {
        Network { kernels, spans: Spans::new(config) }
    }

    /// One iteration without a tape: the state and the logits.
    pub fn step(&self, states: &K::Rows) -> K::Rows {
        let mut states = self.kernels.add_input(states, self.spans.input);
        for block in &self.spans.blocks {
            states = self.block(states, block).1;
        }
        states
    }

    /// The logits of states.
    pub fn logits(&self, states: &K::Rows) -> K::Column {
        self.kernels.answer(states, self.spans.answer)
    }

    fn block(&self, input: K::Rows, spans: &BlockSpans) -> (BlockTape<K>, K::Rows) {
        let attention = self.kernels.linear(&input, spans.attention, None);
        let attended = self.kernels.attend(&attention);
        let (feed, output) = self.kernels.feed(&input, &attended, spans);
        (BlockTape { input, attention, attended, feed }, output)
    }

    fn block_backward(
        &mut self,
        tape: &BlockTape<K>,
        gradient: &K::Rows,
        spans: &BlockSpans,
    ) -> K::Rows {
        let (kernels, feed) = (&mut self.kernels, &tape.feed);
        let second = kernels.norm_backward(&feed.before_second, gradient, spans.second_norm);
        let gates = kernels.gated_backward(feed, &second, spans.down);
        let middle = kernels.linear_backward(&feed.middle, &gates, spans.gate, Some(&second));
        let first = kernels.norm_backward(&feed.before_first, &middle, spans.first_norm);
        let attended = kernels.linear_backward(&tape.attended, &first, spans.attended, None);
        let attention = kernels.attend_backward(&tape.attention, &attended);
        kernels.linear_backward(&tape.input, &attention, spans.attention, Some(&first))
    }

    /// Goes on for some iterations from these states. The loss is asked after the last and after every `every`th before it.
    pub fn forward(&self, mut states: K::Rows, iterations: usize, every: usize) -> Segment<K> {
        let mut tapes: Vec<IterationTape<K>> = Vec::with_capacity(iterations);
        let is_asked = |iteration: usize| (iterations - 1 - iteration).is_multiple_of(every);
        for iteration in 0..iterations {
            let mut rows = self.kernels.add_input(&states, self.spans.input);
            let mut blocks = Vec::with_capacity(self.spans.blocks.len());
            for spans in &self.spans.blocks {
                let (tape, output) = self.block(rows, spans);
                blocks.push(tape);
                rows = output;
            }
            states = rows;
            let answered = is_asked(iteration).then(|| {
                let logits = self.logits(&states);
                let copy = self.kernels.copy(&states);
                (copy, logits)
            });
            tapes.push(IterationTape { blocks, answered });
        }
        Segment { tapes, states }
    }

    /// Adds up the gradient of a segment in the kernels. The loss is the mean cross entropy of a cell; `cells` is the number of open
    /// cells in the batch.
    pub fn backward(&mut self, segment: &Segment<K>, cells: usize) {
        let asked = segment.tapes.iter().filter(|tape| tape.answered.is_some()).count();
        let scale = 1.0 / (asked * cells.max(1)) as f32;
        let mut gradient: Option<K::Rows> = None;
        for tape in segment.tapes.iter().rev() {
            if let Some((states, logits)) = &tape.answered {
                let slopes = self.kernels.loss_gradient(logits, scale);
                gradient = Some(self.kernels.answer_backward(
                    states,
                    &slopes,
                    self.spans.answer,
                    gradient.as_ref(),
                ));
            }
            let mut rows = gradient.take().expect("the last iteration is asked");
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

/// What came of a segment, with all that its gradient needs.
pub(super) struct Segment<K: Kernels> {
    tapes: Vec<IterationTape<K>>,
    /// The states at its end.
    pub states: K::Rows,
}

impl<K: Kernels> Segment<K> {
    /// The logits at its end.
    pub fn logits(&self) -> &K::Column {
        let last = self.tapes.last().and_then(|tape| tape.answered.as_ref());
        &last.expect("the last iteration is asked").1
    }
}
