//! The operations as kernels for a graphics card.
//!
//! States are bf16, sums and parameters that are not multiplied with matrices f32. Everything stays on the card but what the host
//! asks for after a segment: a verdict for each puzzle, and the gradient. Rows are filled up to a multiple of 64 with nodes that
//! have no groups and no gradient, so that the squares of the matrix units are always full. Weights that are multiplied lie square by square.

// The language of kernels has its own operators, not all that clippy would like to see.
#![allow(clippy::assign_op_pattern, clippy::collapsible_if, clippy::manual_div_ceil)]

mod attention;
mod blocks;
pub(super) mod check;
mod products;
mod rows;
pub(super) mod seats;
pub(super) mod thinker;

use super::kernels::{FeedTape, Kernels, Later, Verdict, feed_step_by_step};
use super::layout::{FAMILIES, Frame, Layout};
use super::noise;
use super::parameters::{BlockSpans, Span, Spans};
use super::{Config, HEAD_WIDTH};
use crate::training::experiment::ExperimentError;
use blocks::Onward;
use burn::tensor::bf16;
use cubecl::CubeElement;
use cubecl::client::ComputeClient;
use cubecl::cuda::{CudaDevice, CudaRuntime};
use cubecl::future;
use cubecl::prelude::{CubeCount, CubeDim, Runtime, TensorArg, TensorBinding};
use cubecl::server::Handle;
use ninefold::grid::Order;
use products::{Then, added};
use rows::UNITS;
use std::marker::PhantomData;
use std::sync::LazyLock;

/// Numbers in the card's memory.
#[derive(Clone)]
pub(super) struct Numbers {
    handle: Handle,
    length: usize,
}

impl Numbers {
    fn arg(&self) -> TensorArg<CudaRuntime> {
        let handle = self.handle.clone().binding();
        let (strides, shape) = ([1usize].into(), [self.length].into());
        TensorBinding { handle, strides, shape, runtime: PhantomData }.into_tensor_arg()
    }
}

/// Rows are filled up to a multiple of this: what the planes of a cube take of them at a time.
const FULL: usize = 16 * products::TILES * products::ROW_PLANES;
/// Chunks of nodes that have sums of their own for the gradients of matrices: two for each multiprocessor of a large card, so that one is
/// multiplied while the other is read.
const CHUNKS: usize = 264;
/// Planes of a cube, at most.
const MOST_PLANES: usize = 32;
/// Cubes that have sums of their own for the gradients of vectors; a multiple of 32.
const CUBES: usize = 512;

/// The card's client, for the whole program: what was asked of it is waited for elsewhere.
fn client() -> &'static ComputeClient<CudaRuntime> {
    static CLIENT: LazyLock<ComputeClient<CudaRuntime>> =
        LazyLock::new(|| CudaRuntime::client(&CudaDevice::default()));
    &CLIENT
}

/// A graphics card.
pub(super) struct Card {
    heads: usize,
    has_sink: bool,
    spans: Spans,
    client: &'static ComputeClient<CudaRuntime>,
    /// A tensor that is never looked into, for arguments that are not used.
    nothing: Numbers,
    noise: Numbers,
    /// The order of the parameters with the squares of matrices one after the other.
    in_squares: Numbers,
    /// The parameters, exactly, and as bf16 in that order.
    parameters: Numbers,
    short_parameters: Numbers,
    /// Sums of gradients: `[chunks, parameters]` and `[cubes, parameters of vectors]`.
    matrix_sums: Numbers,
    vector_sums: Numbers,
    members: Vec<(Order, Numbers)>,
    nodes: usize,
    puzzles: usize,
    side: usize,
    roles: Numbers,
    starts: Numbers,
    candidates: Numbers,
    /// The puzzle of each node.
    owners: Numbers,
    sources: Numbers,
    targets: Numbers,
    neighbours: Numbers,
    counts: Numbers,
}

/// Rows of this width on the card.
#[derive(Clone)]
pub(super) struct CardRows {
    width: usize,
    numbers: Numbers,
}

impl Card {
    /// Can a card compute with such a network? Its kernels keep rows and the sums of a weight in the registers of a cube, which sets a limit.
    pub fn check(config: &Config) -> Result<(), ExperimentError> {
        let matrices = Spans::new(config).blocks.into_iter().flat_map(|block| {
            let BlockSpans { attention, attended, gate, down, .. } = block;
            [attention, attended, gate, down]
        });
        let is_small = matrices.map(products::planes_of_weight).all(|planes| planes <= MOST_PLANES);
        if config.width <= products::WIDEST && is_small {
            return Ok(());
        }
        let words = format!(
            "a network of width {} with {} heads and an expansion of {} is too wide for the kernels of a graphics card, which take \
             widths up to {}; the processor takes it",
            config.width,
            config.heads,
            config.expansion,
            products::WIDEST
        );
        Err(ExperimentError::Invalid(words))
    }

    /// A card that can learn.
    pub fn new(config: &Config) -> Card {
        let spans = Spans::new(config);
        Card::with_sums(config, CHUNKS * spans.count, CUBES * vector_count(&spans))
    }

    /// A card that only answers, and needs no room for gradients.
    pub fn to_answer(config: &Config) -> Card {
        Card::with_sums(config, 1, 1)
    }

    fn with_sums(config: &Config, matrices: usize, vectors: usize) -> Card {
        let client = client();
        let nothing = numbers(client, &[0.0f32; FULL]);
        let spans = Spans::new(config);
        let room = |count: usize| Numbers { handle: client.empty(4 * count), length: count };
        let (matrix_sums, vector_sums) = (room(matrices), room(vectors));
        let card = Card {
            heads: config.heads,
            has_sink: config.has_sink(),
            noise: numbers(client, noise::table()),
            in_squares: numbers(client, &in_squares(&spans)),
            parameters: nothing.clone(),
            short_parameters: nothing.clone(),
            matrix_sums,
            vector_sums,
            spans,
            members: Vec::new(),
            nodes: 0,
            puzzles: 0,
            side: 9,
            roles: nothing.clone(),
            starts: nothing.clone(),
            candidates: nothing.clone(),
            owners: nothing.clone(),
            sources: nothing.clone(),
            targets: nothing.clone(),
            neighbours: nothing.clone(),
            counts: nothing.clone(),
            nothing,
            client,
        };
        card.clear_sums();
        card
    }

    fn clear_sums(&self) {
        [&self.matrix_sums, &self.vector_sums].into_iter().for_each(|sums| self.clear(sums));
    }

    fn clear(&self, numbers: &Numbers) {
        rows::clear_numbers::launch::<CudaRuntime>(
            self.client,
            units(numbers.length),
            CubeDim::new_1d(UNITS as u32),
            numbers.arg(),
            numbers.length as u32,
        );
    }

    /// The states of all nodes, wherever they come from.
    fn begin(&self, old: Option<&CardRows>, start: Span) -> CardRows {
        let out = self.rows(start.columns);
        let of_eight = self.padded() * start.columns / 8;
        rows::begin_rows::launch::<CudaRuntime>(
            self.client,
            units(of_eight),
            CubeDim::new_1d(UNITS as u32),
            HEAD_WIDTH,
            old.map_or(&self.short_parameters, |old| &old.numbers).arg(),
            self.sources.arg(),
            self.noise.arg(),
            self.parameters.arg(),
            out.numbers.arg(),
            of_eight as u32,
            start.start as u32,
            start.columns,
        );
        out
    }

    /// Nodes and those that fill up the last rows.
    fn padded(&self) -> usize {
        self.nodes.next_multiple_of(FULL).max(FULL)
    }

    /// Room for numbers of four bytes.
    fn empty(&self, length: usize) -> Numbers {
        Numbers { handle: self.client.empty(4 * length), length }
    }

    fn rows(&self, width: usize) -> CardRows {
        let length = self.padded() * width;
        CardRows { width, numbers: Numbers { handle: self.client.empty(2 * length), length } }
    }

    /// Whole numbers, one for each node, filled up.
    fn indices(&self, numbers: &[i32], filling: i32) -> Numbers {
        let mut filled = Vec::with_capacity(self.padded());
        filled.extend_from_slice(numbers);
        filled.resize(self.padded(), filling);
        self::numbers(self.client, &filled)
    }

    /// Where the sums of a vector are, among those of all vectors.
    fn place_of_vector(&self, wanted: Span) -> usize {
        let before = self
            .spans
            .named()
            .into_iter()
            .map(|(_, span)| span)
            .take_while(|span| span.start < wanted.start);
        before.filter(|&span| is_vector(&self.spans, span)).map(Span::len).sum()
    }

    fn group_members(&mut self, frame: &Frame) -> Numbers {
        if let Some((_, members)) = self.members.iter().find(|(order, _)| *order == frame.order) {
            return members.clone();
        }
        let groups =
            (0..frame.candidates()).flat_map(|one| (0..FAMILIES).map(move |family| (one, family)));
        let members: Vec<i32> = groups
            .flat_map(|(one, family)| frame.group(one, family))
            .map(|&other| other as i32)
            .collect();
        let members = numbers(self.client, &members);
        self.members.push((frame.order, members.clone()));
        members
    }

    fn on_host(&self, numbers: &Numbers) -> Vec<f32> {
        f32::from_bytes(&self.client.read_one_unchecked(numbers.handle.clone())).to_vec()
    }

    /// A number for each node, on the host.
    fn read_column(&self, column: &Numbers) -> Vec<f32> {
        let mut numbers = self.on_host(column);
        numbers.truncate(self.nodes);
        numbers
    }

    /// Numbers that are all 0, whatever they are.
    fn zeros(&self, length: usize) -> Numbers {
        let numbers = self.empty(length);
        self.clear(&numbers);
        numbers
    }

    /// The sums over the nodes of each puzzle, of two numbers for each node.
    fn sums_of_puzzles(&self, of_nodes: &Numbers) -> Numbers {
        let out = self.empty(2 * self.puzzles);
        rows::sum_of_puzzles::launch::<CudaRuntime>(
            self.client,
            planes(self.puzzles),
            CubeDim::new_1d(UNITS as u32),
            of_nodes.arg(),
            self.starts.arg(),
            out.arg(),
            self.puzzles as u32,
        );
        out
    }

    fn sum_rows(&self, gradient: &CardRows, marks: &Numbers, wanted: Option<i32>, place: usize) {
        rows::sum_of_rows::launch::<CudaRuntime>(
            self.client,
            CubeCount::Static(CUBES as u32, 1, 1),
            CubeDim::new_1d(UNITS as u32),
            HEAD_WIDTH,
            gradient.numbers.arg(),
            marks.arg(),
            self.vector_sums.arg(),
            self.nodes as u32,
            wanted.unwrap_or(0),
            place as u32,
            vector_count(&self.spans) as u32,
            CUBES as u32,
            wanted.is_none(),
            gradient.width,
            rows::lanes_of_row(gradient.width),
        );
    }

    fn judge(&self, logits: &Numbers, scale: f32, is_gradient: bool) -> Numbers {
        let out = self.empty(self.padded() * if is_gradient { 1 } else { 2 });
        rows::judge_nodes::launch::<CudaRuntime>(
            self.client,
            units(self.padded()),
            CubeDim::new_1d(UNITS as u32),
            logits.arg(),
            self.targets.arg(),
            self.neighbours.arg(),
            self.counts.arg(),
            out.arg(),
            self.nodes as u32,
            self.padded() as u32,
            scale,
            self.side,
            is_gradient,
        );
        out
    }
}

/// Cubes for so many units.
fn units(count: usize) -> CubeCount {
    CubeCount::Static(
        u32::try_from(count.div_ceil(UNITS)).expect("a batch has fewer than 2³² numbers"),
        1,
        1,
    )
}

/// Cubes for so many planes.
fn planes(count: usize) -> CubeCount {
    CubeCount::Static(count.div_ceil(UNITS / 32) as u32, 1, 1)
}

/// Is this a vector, or a short list of them, that is never multiplied with as a matrix?
fn is_vector(spans: &Spans, span: Span) -> bool {
    span.rows == 1 || span == spans.input
}

fn vector_count(spans: &Spans) -> usize {
    spans
        .named()
        .into_iter()
        .map(|(_, span)| span)
        .filter(|&span| is_vector(spans, span))
        .map(Span::len)
        .sum()
}

fn numbers<E: CubeElement>(client: &ComputeClient<CudaRuntime>, numbers: &[E]) -> Numbers {
    Numbers { handle: client.create_from_slice(E::as_bytes(numbers)), length: numbers.len() }
}

fn short_numbers(client: &ComputeClient<CudaRuntime>, exact: &[f32]) -> Numbers {
    let short: Vec<bf16> = exact.iter().map(|&number| bf16::from_f32(number)).collect();
    numbers(client, &short)
}

/// The order of the parameters with each matrix square by square, 16 rows and 16 columns at a time.
fn in_squares(spans: &Spans) -> Vec<u32> {
    let mut found: Vec<u32> = (0..spans.count as u32).collect();
    for (_, span) in spans.named().into_iter().filter(|&(_, span)| !is_vector(spans, span)) {
        let across = span.columns / 16;
        for (place, from) in found[span.start..][..span.len()].iter_mut().enumerate() {
            let (square, row, column) = (place / products::SQUARE, place / 16 % 16, place % 16);
            let place = span.start
                + (square / across * 16 + row) * span.columns
                + square % across * 16
                + column;
            *from = place as u32;
        }
    }
    found
}

impl Kernels for Card {
    type Rows = CardRows;
    type Column = Numbers;

    fn set_parameters(&mut self, parameters: &[f32]) {
        let count = parameters.len();
        self.parameters = numbers(self.client, parameters);
        self.short_parameters = Numbers { handle: self.client.empty(2 * count), length: count };
        rows::shorten_numbers::launch::<CudaRuntime>(
            self.client,
            units(count),
            CubeDim::new_1d(UNITS as u32),
            self.parameters.arg(),
            self.in_squares.arg(),
            self.short_parameters.arg(),
            count as u32,
        );
    }

    fn set_layout(&mut self, frame: &Frame, layout: &Layout) {
        (self.nodes, self.puzzles, self.side) =
            (layout.len(), layout.puzzle_count(), frame.order.side());
        let starts: Vec<i32> = layout.starts.iter().map(|&start| start as i32).collect();
        self.starts = numbers(self.client, &starts);
        self.roles = self.indices(&layout.roles, 0);
        (self.candidates, self.owners) =
            (self.indices(&layout.candidates, 0), self.indices(&layout.puzzles, 0));
        self.find_groups(frame);
    }

    fn set_targets(&mut self, targets: &[f32]) {
        let mut targets = targets.to_vec();
        targets.resize(self.padded(), 0.0);
        self.targets = numbers(self.client, &targets);
    }

    fn set_sources(&mut self, sources: &[i32]) {
        self.sources = self.indices(sources, noise::NONE);
    }

    fn states(&mut self, old: Option<&CardRows>, start: Span) -> CardRows {
        self.begin(old, start)
    }

    fn states_backward(&mut self, gradient: &CardRows, start: Span) {
        self.sum_rows(gradient, &self.sources, None, self.place_of_vector(start));
    }

    fn copy(&self, rows: &CardRows) -> CardRows {
        rows.clone()
    }

    fn add_input(&self, rows: &CardRows, input: Span) -> CardRows {
        let out = self.rows(rows.width);
        let of_eight = self.padded() * rows.width / 8;
        rows::add_input_to_rows::launch::<CudaRuntime>(
            self.client,
            units(of_eight),
            CubeDim::new_1d(UNITS as u32),
            HEAD_WIDTH,
            rows.numbers.arg(),
            self.roles.arg(),
            self.parameters.arg(),
            out.numbers.arg(),
            of_eight as u32,
            input.start as u32,
            rows.width,
        );
        out
    }

    fn add_input_backward(&mut self, gradient: &CardRows, input: Span) {
        for role in 0..input.rows {
            let place = self.place_of_vector(input) + role * input.columns;
            self.sum_rows(gradient, &self.roles, Some(role as i32), place);
        }
    }

    fn linear(&self, rows: &CardRows, weight: Span, more: Option<&CardRows>) -> CardRows {
        self.multiply(rows, weight, more, false, added(more))
    }

    fn linear_backward(
        &mut self,
        rows: &CardRows,
        gradient: &CardRows,
        weight: Span,
        more: Option<&CardRows>,
    ) -> CardRows {
        self.weight_backward(rows, gradient, weight);
        self.multiply(gradient, weight, more, true, added(more))
    }

    fn norm(&self, rows: &CardRows, gain: Span) -> CardRows {
        let out = self.rows(rows.width);
        rows::normalize_rows::launch::<CudaRuntime>(
            self.client,
            planes(self.padded()),
            CubeDim::new_1d(UNITS as u32),
            rows.numbers.arg(),
            self.parameters.arg(),
            out.numbers.arg(),
            self.padded() as u32,
            gain.start as u32,
            1.0 / rows.width as f32,
            rows.width,
        );
        out
    }

    fn norm_backward(&mut self, rows: &CardRows, gradient: &CardRows, gain: Span) -> CardRows {
        let out = self.rows(rows.width);
        rows::normalize_rows_backward::launch::<CudaRuntime>(
            self.client,
            CubeCount::Static(CUBES as u32, 1, 1),
            CubeDim::new_1d(UNITS as u32),
            HEAD_WIDTH,
            rows.numbers.arg(),
            gradient.numbers.arg(),
            self.parameters.arg(),
            out.numbers.arg(),
            self.vector_sums.arg(),
            self.padded() as u32,
            gain.start as u32,
            self.place_of_vector(gain) as u32,
            vector_count(&self.spans) as u32,
            CUBES as u32,
            1.0 / rows.width as f32,
            rows.width,
            rows::lanes_of_row(rows.width),
        );
        out
    }

    fn gate(&self, rows: &CardRows) -> CardRows {
        let out = self.rows(rows.width / 2);
        rows::gate_rows::launch::<CudaRuntime>(
            self.client,
            units(self.padded() * out.width),
            CubeDim::new_1d(UNITS as u32),
            rows.numbers.arg(),
            out.numbers.arg(),
            (self.padded() * out.width) as u32,
            out.width,
        );
        out
    }

    fn feed(
        &self,
        input: &CardRows,
        attended: &CardRows,
        block: &BlockSpans,
    ) -> (FeedTape<CardRows>, CardRows) {
        if !self.has_room_for_blocks() {
            return feed_step_by_step(self, input, attended, block);
        }
        let (width, gates) = (input.width, block.down.columns);
        let tape = FeedTape {
            before_first: self.rows(width),
            middle: self.rows(width),
            gates: self.rows(2 * gates),
            gated: self.rows(gates),
            before_second: self.rows(width),
        };
        let onward = Onward::last(self, width);
        let index = self
            .spans
            .blocks
            .iter()
            .position(|one| one == block)
            .expect("the block is one of this network");
        self.transform(index, attended, input, &onward, Some(&tape));
        (tape, onward.states)
    }

    fn gated_backward(
        &mut self,
        tape: &FeedTape<CardRows>,
        gradient: &CardRows,
        weight: Span,
    ) -> CardRows {
        self.weight_backward(&tape.gated, gradient, weight);
        self.multiply(gradient, weight, Some(&tape.gates), true, Then::Gates)
    }

    fn attend(&self, rows: &CardRows) -> CardRows {
        let out = self.rows(3 * self.heads * HEAD_WIDTH);
        attention::attend_to_groups::launch::<CudaRuntime>(
            self.client,
            units(self.padded() * self.heads),
            CubeDim::new_1d(UNITS as u32),
            HEAD_WIDTH,
            rows.numbers.arg(),
            self.neighbours.arg(),
            self.counts.arg(),
            out.numbers.arg(),
            (self.padded() * self.heads) as u32,
            self.heads,
            self.side,
            self.has_sink,
        );
        out
    }

    fn attend_backward(&self, rows: &CardRows, gradient: &CardRows) -> CardRows {
        let out = self.rows(rows.width);
        let left = self.empty(self.padded() * FAMILIES * self.heads * 2);
        attention::attend_backward_queries::launch::<CudaRuntime>(
            self.client,
            units(self.padded() * self.heads),
            CubeDim::new_1d(UNITS as u32),
            HEAD_WIDTH,
            rows.numbers.arg(),
            gradient.numbers.arg(),
            self.neighbours.arg(),
            self.counts.arg(),
            out.numbers.arg(),
            left.arg(),
            (self.padded() * self.heads) as u32,
            self.heads,
            self.side,
            self.has_sink,
        );
        attention::attend_backward_keys::launch::<CudaRuntime>(
            self.client,
            units(self.padded() * self.heads),
            CubeDim::new_1d(UNITS as u32),
            HEAD_WIDTH,
            rows.numbers.arg(),
            gradient.numbers.arg(),
            self.neighbours.arg(),
            self.counts.arg(),
            left.arg(),
            out.numbers.arg(),
            (self.padded() * self.heads) as u32,
            self.heads,
            self.side,
        );
        out
    }

    fn answer(&self, rows: &CardRows, weight: Span) -> Numbers {
        let out = self.empty(self.padded());
        rows::answer_rows::launch::<CudaRuntime>(
            self.client,
            planes(self.padded()),
            CubeDim::new_1d(UNITS as u32),
            rows.numbers.arg(),
            self.parameters.arg(),
            out.arg(),
            self.padded() as u32,
            weight.start as u32,
            rows.width,
        );
        out
    }

    fn answer_backward(
        &mut self,
        rows: &CardRows,
        gradient: &Numbers,
        weight: Span,
        more: Option<&CardRows>,
    ) -> CardRows {
        let out = self.rows(rows.width);
        rows::answer_rows_backward::launch::<CudaRuntime>(
            self.client,
            CubeCount::Static(CUBES as u32, 1, 1),
            CubeDim::new_1d(UNITS as u32),
            HEAD_WIDTH,
            rows.numbers.arg(),
            gradient.arg(),
            more.map_or(&self.short_parameters, |more| &more.numbers).arg(),
            self.parameters.arg(),
            out.numbers.arg(),
            self.vector_sums.arg(),
            self.padded() as u32,
            weight.start as u32,
            self.place_of_vector(weight) as u32,
            vector_count(&self.spans) as u32,
            CUBES as u32,
            more.is_some(),
            rows.width,
            rows::lanes_of_row(rows.width),
        );
        out
    }

    fn loss_gradient(&self, logits: &Numbers, scale: f32) -> Numbers {
        self.judge(logits, scale, true)
    }

    fn verdicts(&self, logits: &Numbers) -> Later<Vec<Verdict>> {
        let sums = self.sums_of_puzzles(&self.judge(logits, 1.0, false));
        let asked = self.client.read_async(vec![sums.handle]);
        Box::new(|| {
            let bytes = future::block_on(asked).expect("a card can be read").remove(0);
            let verdict = |pair: &[f32]| Verdict { loss: pair[0], wrong: pair[1] };
            f32::from_bytes(&bytes).chunks_exact(2).map(verdict).collect()
        })
    }

    fn read_rows(&self, rows: &CardRows) -> Vec<f32> {
        let bytes = self.client.read_one_unchecked(rows.numbers.handle.clone());
        bf16::from_bytes(&bytes).iter().map(|number| number.to_f32()).collect()
    }

    fn write_rows(&self, numbers: &[f32], width: usize) -> CardRows {
        CardRows { width, numbers: short_numbers(self.client, numbers) }
    }

    fn take_gradients(&mut self) -> Vec<f32> {
        let (count, vectors) = (self.spans.count, vector_count(&self.spans));
        let (matrices, others) = (self.empty(count), self.empty(vectors));
        products::sum_of_chunks::launch::<CudaRuntime>(
            self.client,
            units(count),
            CubeDim::new_1d(UNITS as u32),
            self.matrix_sums.arg(),
            matrices.arg(),
            count as u32,
            CHUNKS as u32,
        );
        rows::sum_of_cubes::launch::<CudaRuntime>(
            self.client,
            planes(vectors),
            CubeDim::new_1d(UNITS as u32),
            self.vector_sums.arg(),
            others.arg(),
            vectors as u32,
            CUBES as u32,
        );
        let (mut gradients, others) = (self.on_host(&matrices), self.on_host(&others));
        let mut rest = &others[..];
        for (_, span) in self.spans.named() {
            if is_vector(&self.spans, span) {
                let (own, after) = rest.split_at(span.len());
                span.of_mut(&mut gradients).copy_from_slice(own);
                rest = after;
            }
        }
        self.clear_sums();
        gradients
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_wide_for_a_card_is_refused_with_the_reason() {
        let of = |width, heads, expansion| Config { width, heads, expansion, ..Config::default() };
        for config in [Config::default(), Config::tiny(), of(48, 4, 2), of(96, 6, 2), of(128, 8, 2)]
        {
            assert_eq!(Card::check(&config).map_err(|error| error.to_string()), Ok(()));
        }
        for config in [of(144, 4, 2), of(512, 4, 2), of(128, 8, 8)] {
            let error = Card::check(&config).unwrap_err().to_string();
            assert!(error.contains("widths up to 128"), "{error}");
        }
    }
}
