//! The fast forward pass on the CPU, for inference.
//!
//! The unoptimized implementation, which also computes gradients, is in `train/cpu.rs`; the tests
//! of the feature `train` compare both. A row is the state of a node. One iteration in outline:
//!
//! ```text
//! state ← state + input
//! each block:   queries, keys, values ← state · attention      all nodes
//!               attended ← attention within the groups         all nodes
//!               24 rows at a time, so that all but the weights stay in the L1 cache:
//!                 state ← norm(state + attended · weight)
//!                 gated ← silu(state · gate) · (state · value)
//!                 state ← norm(state + gated · down)
//! ```
//! Optimizations:
//! - Weights are packed once into panels of 16 outputs, so that a product reads them in order. The
//!   sums of a tile of 6 rows and 16 outputs stay in twelve vector registers.
//! - Four heads are interleaved: a vector of eight contains two numbers of each of four heads. The
//!   scores of a pair of nodes take four multiplications and one addition of halves, and no
//!   shuffles. If the number of heads is not a multiple of four, the missing heads have zero
//!   weights. The factor 1/√8 of the scores is part of the weights of the queries.
//! - The code is compiled for each set of vector instructions and selected at run time (`Lanes`).

#[cfg(target_arch = "x86_64")]
mod avx2;
mod lanes;

use super::groups::NodeGroups;
use super::layout::{Frame, Layout};
use super::noise;
use super::parameters::{BlockSpans, Span, Spans};
use super::{Config, HEAD_WIDTH, NORM_EPSILON};
use lanes::{Eight, Lanes, Portable};
use std::sync::Arc;

/// Rows of a tile.
const TILE: usize = 6;
/// Rows that are transformed together; a multiple of [`TILE`].
const ROWS: usize = 24;
/// Outputs of a panel.
const PANEL: usize = 16;
/// Interleaved heads.
const QUAD: usize = 4;
/// Vectors of four heads in a query, key or value.
const QUAD_VECTORS: usize = QUAD * HEAD_WIDTH / 8;

/// A weight in panels of 16 outputs: two vectors for each panel and input.
#[derive(Debug)]
struct Packed {
    inputs: usize,
    panels: Vec<[Eight; 2]>,
}

impl Packed {
    fn new(outputs: usize, inputs: usize, weight: impl Fn(usize, usize) -> f32) -> Packed {
        let mut panels = Vec::with_capacity(outputs * inputs / PANEL);
        for panel in 0..outputs / PANEL {
            for input in 0..inputs {
                let vector = |first: usize| {
                    Eight::from_fn(|lane| weight(panel * PANEL + first + lane, input))
                };
                panels.push([vector(0), vector(8)]);
            }
        }
        Packed { inputs, panels }
    }

    /// The outputs `first..first + outputs` of a weight among the parameters.
    fn part(parameters: &[f32], span: Span, first: usize, outputs: usize) -> Packed {
        let weight = span.of(parameters);
        Packed::new(outputs, span.columns, |output, input| {
            weight[(first + output) * span.columns + input]
        })
    }
}

fn eights(numbers: &[f32]) -> Vec<Eight> {
    numbers.chunks_exact(8).map(|eight| Eight::from_fn(|lane| eight[lane])).collect()
}

#[derive(Debug)]
struct Block {
    attention: Packed,
    attended: Packed,
    first_gain: Vec<Eight>,
    gate: Packed,
    value: Packed,
    down: Packed,
    second_gain: Vec<Eight>,
}

impl Block {
    fn new(config: &Config, spans: &BlockSpans, parameters: &[f32]) -> Block {
        let (heads, quads) = (config.heads, config.heads.div_ceil(QUAD));
        let slots = config.slots();
        // From an index in `[quads, numbers, heads]` to one in `[heads, numbers]`, if the head
        // exists.
        let place = |index: usize| {
            let (part, within) =
                (index / (quads * QUAD * HEAD_WIDTH), index % (quads * QUAD * HEAD_WIDTH));
            let (quad, within) = (within / (QUAD * HEAD_WIDTH), within % (QUAD * HEAD_WIDTH));
            let (number, head) = (within / QUAD, quad * QUAD + within % QUAD);
            (head < heads).then_some((part * heads + head) * HEAD_WIDTH + number)
        };
        let attention = spans.attention.of(parameters);
        let scale = (HEAD_WIDTH as f32).sqrt().recip();
        let all = quads * QUAD * HEAD_WIDTH;
        let attention = Packed::new(3 * slots * all, config.width, |output, input| {
            let scale = if (output / all).is_multiple_of(3) { scale } else { 1.0 };
            place(output).map_or(0.0, |output| scale * attention[output * config.width + input])
        });
        let attended = spans.attended.of(parameters);
        let attended = Packed::new(config.width, slots * all, |output, input| {
            place(input).map_or(0.0, |input| attended[output * spans.attended.columns + input])
        });
        let half = spans.gate.rows / 2;
        Block {
            attention,
            attended,
            first_gain: eights(spans.first_norm.of(parameters)),
            gate: Packed::part(parameters, spans.gate, 0, half),
            value: Packed::part(parameters, spans.gate, half, half),
            down: Packed::part(parameters, spans.down, 0, spans.down.rows),
            second_gain: eights(spans.second_norm.of(parameters)),
        }
    }
}

/// The weights, packed for [`Forward`].
#[derive(Debug)]
pub struct Weights {
    slots: usize,
    quads: usize,
    has_sink: bool,
    start: Vec<f32>,
    /// The input of each role.
    inputs: Vec<Vec<Eight>>,
    blocks: Vec<Block>,
    answer: Vec<Eight>,
}

impl Weights {
    /// Packs the parameters.
    pub fn new(config: &Config, parameters: &[f32]) -> Weights {
        let spans = Spans::new(config);
        Weights {
            slots: config.slots(),
            quads: config.heads.div_ceil(QUAD),
            has_sink: config.has_sink(),
            start: spans.start.of(parameters).to_vec(),
            inputs: spans.input.of(parameters).chunks_exact(config.width).map(eights).collect(),
            blocks: spans
                .blocks
                .iter()
                .map(|block| Block::new(config, block, parameters))
                .collect(),
            answer: eights(spans.answer.of(parameters)),
        }
    }
}

/// The state of the network on a batch of puzzles.
pub struct Forward {
    weights: Arc<Weights>,
    nodes: usize,
    roles: Vec<i32>,
    groups: NodeGroups,
    /// Padded to complete tiles.
    states: Vec<Eight>,
    logits: Vec<f32>,
    buffers: Buffers,
}

#[derive(Default)]
struct Buffers {
    /// Queries, keys and values: `[rows, slots, 3, quads, 8, 4]`.
    attention: Vec<Eight>,
    /// `[rows, slots, quads, 8, 4]`.
    attended: Vec<Eight>,
    /// The output of the gated layer, for [`ROWS`] rows.
    gated: Vec<Eight>,
    /// The scores of a group.
    scores: Vec<Eight>,
}

impl Forward {
    /// A network without puzzles.
    pub fn new(weights: &Arc<Weights>) -> Forward {
        Forward {
            weights: Arc::clone(weights),
            nodes: 0,
            roles: Vec::new(),
            groups: NodeGroups::default(),
            states: Vec::new(),
            logits: Vec::new(),
            buffers: Buffers::default(),
        }
    }

    /// Sets the nodes.
    pub fn set_layout(&mut self, frame: &Frame, layout: &Layout) {
        self.nodes = layout.len();
        self.logits.clear();
        self.roles.clone_from(&layout.roles);
        self.groups = layout.node_groups(frame);
    }

    /// Sets the initial states, with the noise of these sources.
    pub fn begin(&mut self, sources: impl Iterator<Item = i32>) {
        let width = self.weights.start.len();
        self.states.clear();
        for source in sources {
            let numbers: Vec<f32> = self
                .weights
                .start
                .iter()
                .zip(noise::row(source, width))
                .map(|(start, noise)| start + noise)
                .collect();
            self.states
                .extend(numbers.chunks_exact(8).map(|eight| Eight::from_fn(|lane| eight[lane])));
        }
        self.states.resize(self.nodes.next_multiple_of(TILE) * width / 8, Eight::ZERO);
    }

    /// The logit of each node after the last iteration.
    pub fn logits(&self) -> &[f32] {
        &self.logits
    }

    /// The state of a node.
    pub fn state(&self, node: usize) -> impl Iterator<Item = f32> {
        let vectors = self.weights.answer.len();
        self.states[node * vectors..][..vectors].iter().flat_map(|eight| eight.0)
    }

    /// Runs one iteration.
    pub fn step(&mut self) {
        #[cfg(target_arch = "x86_64")]
        if avx2::step(self) {
            return;
        }
        self.step_portable();
    }

    /// Runs one iteration without vector instructions.
    pub fn step_portable(&mut self) {
        self.step_with::<Portable>();
    }

    #[inline(always)]
    fn step_with<L: Lanes>(&mut self) {
        let weights = Arc::clone(&self.weights);
        let width = weights.answer.len();
        for (row, &role) in self.states.chunks_exact_mut(width).zip(&self.roles) {
            for (number, input) in row.iter_mut().zip(&weights.inputs[role as usize]) {
                *number = L::load(number).plus(L::load(input)).stored();
            }
        }
        for block in &weights.blocks {
            self.attention_rows::<L>(block);
            self.attend::<L>(weights.slots, weights.quads, weights.has_sink);
            self.transform_rows::<L>(block);
        }
        self.logits.clear();
        for row in self.states.chunks_exact(width).take(self.nodes) {
            let mut sum = L::splat(0.0);
            for (number, weight) in row.iter().zip(&weights.answer) {
                sum = L::load(number).times_plus(L::load(weight), sum);
            }
            self.logits.push(sum.sum());
        }
    }

    /// Queries, keys and values of all nodes.
    #[inline(always)]
    fn attention_rows<L: Lanes>(&mut self, block: &Block) {
        let (inputs, outputs) = (block.attention.inputs / 8, block.attention.outputs() / 8);
        let rows = self.states.len() / inputs;
        self.buffers.attention.resize(rows * outputs, Eight::ZERO);
        let parts = self.buffers.attention.chunks_mut(ROWS * outputs);
        for (rows, out) in self.states.chunks(ROWS * inputs).zip(parts) {
            product::<L>(&block.attention, rows, out, false);
        }
    }

    /// Attention of every node within its groups.
    #[inline(always)]
    fn attend<L: Lanes>(&mut self, slots: usize, quads: usize, has_sink: bool) {
        let Buffers { attention, attended, scores, .. } = &mut self.buffers;
        let width = slots * quads * QUAD_VECTORS;
        attended.clear();
        attended.resize(attention.len() / 3, Eight::ZERO);
        for (node, out) in attended.chunks_exact_mut(width).take(self.nodes).enumerate() {
            for (slot, group) in self.groups.of(node) {
                for index in 0..quads {
                    let place = slot * quads + index;
                    let out = &mut out[place * QUAD_VECTORS..][..QUAD_VECTORS];
                    let first = (slot * 3 * quads + index) * QUAD_VECTORS;
                    let quad = HeadQuad {
                        rows: attention,
                        width: 3 * width,
                        first,
                        step: quads * QUAD_VECTORS,
                    };
                    quad.attend::<L>(
                        node,
                        group,
                        has_sink,
                        scores,
                        out.try_into().expect("a quad has this many vectors"),
                    );
                }
            }
        }
    }

    /// The part of a block after attention.
    #[inline(always)]
    fn transform_rows<L: Lanes>(&mut self, block: &Block) {
        let (width, attended, gated) =
            (block.first_gain.len(), block.attended.inputs / 8, block.down.inputs / 8);
        let parts = self.buffers.attended.chunks(ROWS * attended);
        for (states, attended) in self.states.chunks_mut(ROWS * width).zip(parts) {
            product::<L>(&block.attended, attended, states, true);
            norm::<L>(states, &block.first_gain);
            let out = &mut self.buffers.gated;
            out.resize(states.len() / width * gated, Eight::ZERO);
            gates::<L>(block, states, out);
            product::<L>(&block.down, out, states, true);
            norm::<L>(states, &block.second_gain);
        }
    }
}

/// Queries, keys and values of four heads.
struct HeadQuad<'a> {
    rows: &'a [Eight],
    /// Vectors of a row.
    width: usize,
    /// The offset of the queries in a row.
    first: usize,
    /// The distance from the queries to the keys, and from the keys to the values.
    step: usize,
}

impl HeadQuad<'_> {
    #[inline(always)]
    fn part(&self, node: u32, kind: usize) -> &[Eight; QUAD_VECTORS] {
        let start = node as usize * self.width + self.first + kind * self.step;
        self.rows[start..][..QUAD_VECTORS].try_into().expect("a quad has this many vectors")
    }

    /// Adds the attention output of a node in a group.
    #[inline(always)]
    fn attend<L: Lanes>(
        &self,
        node: usize,
        group: &[u32],
        has_sink: bool,
        scores: &mut Vec<Eight>,
        out: &mut [Eight; QUAD_VECTORS],
    ) {
        let [a, b, c, d] = self.part(node as u32, 0);
        let query = [L::load(a), L::load(b), L::load(c), L::load(d)];
        let mut highest = L::splat(if has_sink { 0.0 } else { -1e30 });
        scores.clear();
        for &other in group {
            let key = self.part(other, 1);
            let mut sum = L::splat(0.0);
            for (query, key) in query.into_iter().zip(key) {
                sum = query.times_plus(L::load(key), sum);
            }
            let score = sum.plus_other_half();
            highest = highest.max(score);
            scores.push(score.stored());
        }
        // The sink is one more member, with score and value 0.
        let zero = L::splat(0.0);
        let mut total = if has_sink { zero.minus(highest).exp() } else { zero };
        let mut taken = [zero; QUAD_VECTORS];
        for (&other, score) in group.iter().zip(&*scores) {
            let share = L::load(score).minus(highest).exp();
            total = total.plus(share);
            for (taken, value) in taken.iter_mut().zip(self.part(other, 2)) {
                *taken = share.times_plus(L::load(value), *taken);
            }
        }
        for (out, taken) in out.iter_mut().zip(taken) {
            *out = L::load(out).plus(taken.over(total)).stored();
        }
    }
}

impl Packed {
    fn outputs(&self) -> usize {
        self.panels.len() / self.inputs * PANEL
    }
}

/// Six rows times one panel.
#[inline(always)]
fn tile<L: Lanes>(
    inputs: usize,
    panel: &[[Eight; 2]],
    rows: &[Eight],
    mut sums: [[L; 2]; TILE],
) -> [[L; 2]; TILE] {
    // Written out, because a call here would save and restore all registers.
    let line = |row: usize| &rows[row * inputs / 8..][..inputs / 8];
    let rows: [&[Eight]; TILE] = [line(0), line(1), line(2), line(3), line(4), line(5)];
    for place in 0..inputs / 8 {
        let weights = &panel[8 * place..][..8];
        for (lane, [low, high]) in weights.iter().enumerate() {
            let (low, high) = (L::load(low), L::load(high));
            for (sums, row) in sums.iter_mut().zip(&rows) {
                let number = L::splat(row[place].0[lane]);
                sums[0] = number.times_plus(low, sums[0]);
                sums[1] = number.times_plus(high, sums[1]);
            }
        }
    }
    sums
}

/// out = rows · weight, or out += rows · weight if `is_added`.
#[inline(always)]
fn product<L: Lanes>(weight: &Packed, rows: &[Eight], out: &mut [Eight], is_added: bool) {
    let (inputs, width) = (weight.inputs, weight.outputs() / 8);
    for (index, panel) in weight.panels.chunks_exact(inputs).enumerate() {
        let tiles = rows.chunks_exact(TILE * inputs / 8);
        for (rows, out) in tiles.zip(out.chunks_exact_mut(TILE * width)) {
            let mut sums = [[L::splat(0.0); 2]; TILE];
            if is_added {
                for (sums, out) in sums.iter_mut().zip(out.chunks_exact(width)) {
                    *sums = [L::load(&out[2 * index]), L::load(&out[2 * index + 1])];
                }
            }
            let sums = tile(inputs, panel, rows, sums);
            for ([low, high], out) in sums.into_iter().zip(out.chunks_exact_mut(width)) {
                out[2 * index] = low.stored();
                out[2 * index + 1] = high.stored();
            }
        }
    }
}

/// silu(rows · gate) · (rows · value).
#[inline(always)]
fn gates<L: Lanes>(block: &Block, rows: &[Eight], out: &mut [Eight]) {
    let (inputs, width) = (block.gate.inputs, block.gate.outputs() / 8);
    let panels =
        block.gate.panels.chunks_exact(inputs).zip(block.value.panels.chunks_exact(inputs));
    for (index, (gate, value)) in panels.enumerate() {
        let tiles = rows.chunks_exact(TILE * inputs / 8);
        for (rows, out) in tiles.zip(out.chunks_exact_mut(TILE * width)) {
            let zeros = [[L::splat(0.0); 2]; TILE];
            for (gates, out) in
                tile(inputs, gate, rows, zeros).into_iter().zip(out.chunks_exact_mut(width))
            {
                for (gate, out) in gates.into_iter().zip(&mut out[2 * index..]) {
                    *out = gate.over(L::splat(0.0).minus(gate).exp().plus(L::splat(1.0))).stored();
                }
            }
            for (values, out) in
                tile(inputs, value, rows, zeros).into_iter().zip(out.chunks_exact_mut(width))
            {
                for (value, out) in values.into_iter().zip(&mut out[2 * index..]) {
                    *out = L::load(out).times(value).stored();
                }
            }
        }
    }
}

/// Divides each row by the root of its mean square and multiplies it with the gain.
#[inline(always)]
fn norm<L: Lanes>(rows: &mut [Eight], gain: &[Eight]) {
    for row in rows.chunks_exact_mut(gain.len()) {
        let mut square = L::splat(0.0);
        for number in row.iter() {
            square = L::load(number).times_plus(L::load(number), square);
        }
        let mean = square.sum() / (8 * gain.len()) as f32;
        let inverse = L::splat((mean + NORM_EPSILON).sqrt().recip());
        for (number, gain) in row.iter_mut().zip(gain) {
            *number = L::load(number).times(inverse.times(L::load(gain))).stored();
        }
    }
}
