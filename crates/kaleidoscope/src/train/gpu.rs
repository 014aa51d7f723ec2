//! The operations of the network as CubeCL kernels for NVIDIA GPUs.
//!
//! In CubeCL a unit is a thread, a plane is a warp of 32 units, and a cube is a thread block.
//!
//! States are bf16. Sums, and parameters that are not multiplied with matrices, are f32. All data
//! stays in GPU memory except the results per puzzle and the gradient, which are copied after a
//! segment. Rows are padded to a multiple of [`PADDING`] with nodes that have no groups and no
//! gradient, so that the matrix units always work on complete 16 × 16 tiles. Weight matrices are
//! stored tile by tile.

// The kernel language has its own operators, which trigger these lints.
#![allow(clippy::assign_op_pattern, clippy::collapsible_if, clippy::manual_div_ceil)]

mod attention;
mod blocks;
mod comparison;
mod entries;
mod products;
mod rows;
mod slots;
pub(super) mod solver;

pub use comparison::{Deviation, compare_with_cpu};

use super::kernels::{Deferred, FeedForwardTape, Kernels, PuzzleResult, feed_forward_step_by_step};
use crate::layout::{FAMILIES, Frame, Layout};
use crate::parameters::{BlockSpans, Span, Spans};
use crate::{Config, HEAD_WIDTH, noise};
use blocks::BlockOutputs;
use cubecl::CubeElement;
use cubecl::client::ComputeClient;
use cubecl::cuda::{CudaDevice, CudaRuntime};
use cubecl::future;
use cubecl::prelude::{CubeCount, CubeDim, Runtime, TensorArg, TensorBinding};
use cubecl::server::Handle;
use entries::Entries;
use half::bf16;
use ninefold::grid::Order;
use ninefold_training::ExperimentError;
use products::{Then, added};
use rows::UNITS;
use std::marker::PhantomData;
use std::sync::LazyLock;

/// An array in GPU memory.
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

/// Rows are padded to a multiple of this: the rows that a cube processes at a time.
const PADDING: usize = 16 * products::TILES * products::ROW_PLANES;
/// Chunks of nodes with separate sums for the gradients of matrices: two per multiprocessor of a
/// large GPU, so that one is multiplied while the other is read.
const CHUNKS: usize = 264;
/// The maximum number of planes of a cube.
const MAX_PLANES: usize = 32;
/// Cubes with separate sums for the gradients of vectors; a multiple of 32.
const CUBES: usize = 512;

/// The client of the first GPU, shared by the process.
fn client() -> &'static ComputeClient<CudaRuntime> {
    static CLIENT: LazyLock<ComputeClient<CudaRuntime>> =
        LazyLock::new(|| CudaRuntime::client(&CudaDevice::default()));
    &CLIENT
}

/// The kernels of the first NVIDIA GPU.
pub(super) struct GpuKernels {
    heads: usize,
    has_sink: bool,
    spans: Spans,
    client: &'static ComputeClient<CudaRuntime>,
    /// The argument for unused tensors.
    nothing: Numbers,
    noise: Numbers,
    /// For each parameter in tiled order: its index in the usual order.
    tile_order: Numbers,
    /// The parameters as f32, and as bf16 in tiled order.
    parameters: Numbers,
    bf16_parameters: Numbers,
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
    /// The groups of the nodes, if the puzzles bring them.
    entries: Option<Entries>,
}

/// Rows of this width in GPU memory.
#[derive(Clone)]
pub(super) struct GpuRows {
    width: usize,
    numbers: Numbers,
}

impl GpuKernels {
    /// Checks that the kernels support these settings. They keep rows and the sums of a weight in
    /// registers, which limits the width.
    pub fn check(config: &Config) -> Result<(), ExperimentError> {
        let matrices = Spans::new(config).blocks.into_iter().flat_map(|block| {
            let BlockSpans { attention, attended, gate, down, .. } = block;
            [attention, attended, gate, down]
        });
        let spans = Spans::new(config);
        let is_small = matrices.into_iter().all(|weight| {
            let slots = if config.rules { products::tiles_of_slot(&spans, weight) } else { [0, 0] };
            let [inner, outer] = products::parts_of_weight(weight, slots);
            products::planes_of_weight(inner, outer) <= MAX_PLANES
        });
        if config.width <= products::WIDEST && is_small {
            return Ok(());
        }
        let reason = format!(
            "model: width {}, {} heads and expansion {} are too large for the GPU kernels, which \
             support widths up to {}; the CPU supports this network",
            config.width,
            config.heads,
            config.expansion,
            products::WIDEST
        );
        Err(ExperimentError::Invalid(reason))
    }

    /// Kernels for training, if they support these settings.
    pub fn try_new(config: &Config) -> Result<GpuKernels, ExperimentError> {
        GpuKernels::check(config)?;
        Ok(GpuKernels::new(config))
    }

    /// Kernels for training.
    fn new(config: &Config) -> GpuKernels {
        let spans = Spans::new(config);
        GpuKernels::with_sums(config, CHUNKS * spans.count, CUBES * vector_count(&spans))
    }

    /// Kernels for inference, without memory for gradients.
    pub fn for_inference(config: &Config) -> GpuKernels {
        GpuKernels::with_sums(config, 1, 1)
    }

    fn with_sums(config: &Config, matrices: usize, vectors: usize) -> GpuKernels {
        let client = client();
        let nothing = numbers(client, &[0.0f32; PADDING]);
        let spans = Spans::new(config);
        let empty = |count: usize| Numbers { handle: client.empty(4 * count), length: count };
        let (matrix_sums, vector_sums) = (empty(matrices), empty(vectors));
        let kernels = GpuKernels {
            heads: config.heads,
            has_sink: config.has_sink(),
            noise: numbers(client, noise::table()),
            tile_order: numbers(client, &tile_order(&spans)),
            parameters: nothing.clone(),
            bf16_parameters: nothing.clone(),
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
            entries: None,
            nothing,
            client,
        };
        kernels.clear_sums();
        kernels
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

    /// The initial states of all nodes, from their sources.
    fn begin(&self, old: Option<&GpuRows>, start: Span) -> GpuRows {
        let out = self.rows(start.columns);
        let of_eight = self.padded() * start.columns / 8;
        rows::begin_rows::launch::<CudaRuntime>(
            self.client,
            units(of_eight),
            CubeDim::new_1d(UNITS as u32),
            HEAD_WIDTH,
            old.map_or(&self.bf16_parameters, |old| &old.numbers).arg(),
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

    /// The number of nodes with padding.
    fn padded(&self) -> usize {
        self.nodes.next_multiple_of(PADDING).max(PADDING)
    }

    /// Uninitialized memory for numbers of four bytes.
    fn empty(&self, length: usize) -> Numbers {
        Numbers { handle: self.client.empty(4 * length), length }
    }

    fn rows(&self, width: usize) -> GpuRows {
        let length = self.padded() * width;
        GpuRows { width, numbers: Numbers { handle: self.client.empty(2 * length), length } }
    }

    /// An integer per node, padded with this value.
    fn indices(&self, numbers: &[i32], padding: i32) -> Numbers {
        let mut padded = Vec::with_capacity(self.padded());
        padded.extend_from_slice(numbers);
        padded.resize(self.padded(), padding);
        self::numbers(self.client, &padded)
    }

    /// The offset of a vector among all vectors.
    fn vector_offset(&self, vector: Span) -> usize {
        let before = self
            .spans
            .named()
            .into_iter()
            .map(|(_, span)| span)
            .take_while(|span| span.start < vector.start);
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

    fn read(&self, numbers: &Numbers) -> Vec<f32> {
        f32::from_bytes(&self.client.read_one_unchecked(numbers.handle.clone())).to_vec()
    }

    /// Copies a number per node to main memory.
    fn read_column(&self, column: &Numbers) -> Vec<f32> {
        let mut numbers = self.read(column);
        numbers.truncate(self.nodes);
        numbers
    }

    /// Zeros, as f32 or integers.
    fn zeros(&self, length: usize) -> Numbers {
        let numbers = self.empty(length);
        self.clear(&numbers);
        numbers
    }

    /// Sums over the nodes of each puzzle, of two numbers per node.
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

    fn sum_rows(&self, gradient: &GpuRows, marks: &Numbers, wanted: Option<i32>, place: usize) {
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

    fn losses_of_nodes(&self, logits: &Numbers, scale: f32, is_gradient: bool) -> Numbers {
        let out = self.empty(self.padded() * if is_gradient { 1 } else { 2 });
        let groups = self.entries.as_ref();
        rows::node_losses::launch::<CudaRuntime>(
            self.client,
            units(self.padded()),
            CubeDim::new_1d(UNITS as u32),
            logits.arg(),
            self.targets.arg(),
            groups.map_or(&self.neighbours, |groups| &groups.packed).arg(),
            groups.map_or(&self.counts, |groups| &groups.places).arg(),
            self.owners.arg(),
            self.roles.arg(),
            out.arg(),
            self.nodes as u32,
            self.padded() as u32,
            scale,
            self.side,
            is_gradient,
            groups.is_some(),
        );
        out
    }
}

/// Cubes for this many units.
fn units(count: usize) -> CubeCount {
    CubeCount::Static(
        u32::try_from(count.div_ceil(UNITS)).expect("a batch has fewer than 2³² numbers"),
        1,
        1,
    )
}

/// Cubes for this many planes.
fn planes(count: usize) -> CubeCount {
    CubeCount::Static(count.div_ceil(UNITS / 32) as u32, 1, 1)
}

/// Whether this is a vector, or a short list of vectors, and not a matrix.
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

fn bf16_numbers(client: &ComputeClient<CudaRuntime>, exact: &[f32]) -> Numbers {
    let short: Vec<bf16> = exact.iter().map(|&number| bf16::from_f32(number)).collect();
    numbers(client, &short)
}

/// The order of the parameters with each matrix tile by tile, of 16 rows and 16 columns. Returns
/// the usual index of each parameter.
fn tile_order(spans: &Spans) -> Vec<u32> {
    let mut order: Vec<u32> = (0..spans.count as u32).collect();
    for (_, span) in spans.named().into_iter().filter(|&(_, span)| !is_vector(spans, span)) {
        let across = span.columns / 16;
        for (place, from) in order[span.start..][..span.len()].iter_mut().enumerate() {
            let (tile, row, column) = (place / products::SQUARE, place / 16 % 16, place % 16);
            let place = span.start
                + (tile / across * 16 + row) * span.columns
                + tile % across * 16
                + column;
            *from = place as u32;
        }
    }
    order
}

impl Kernels for GpuKernels {
    type Rows = GpuRows;
    type Column = Numbers;

    fn set_parameters(&mut self, parameters: &[f32]) {
        let count = parameters.len();
        self.parameters = numbers(self.client, parameters);
        self.bf16_parameters = Numbers { handle: self.client.empty(2 * count), length: count };
        rows::shorten_numbers::launch::<CudaRuntime>(
            self.client,
            units(count),
            CubeDim::new_1d(UNITS as u32),
            self.parameters.arg(),
            self.tile_order.arg(),
            self.bf16_parameters.arg(),
            count as u32,
        );
    }

    fn set_layout(&mut self, frame: &Frame, layout: &Layout) {
        (self.nodes, self.puzzles, self.side) =
            (layout.len(), layout.puzzle_count(), frame.order.side());
        let starts: Vec<i32> = layout.starts.iter().map(|&start| start as i32).collect();
        self.starts = numbers(self.client, &starts);
        self.roles = self.indices(&layout.roles, 0);
        self.owners = self.indices(&layout.puzzles, 0);
        if layout.groups.is_empty() {
            self.candidates = self.indices(&layout.candidates, 0);
            self.build_groups(frame);
        } else {
            let (rows, old) = (self.padded(), self.entries.as_ref());
            self.entries = Some(Entries::new(self.client, layout, self.heads, rows, old));
        }
    }

    fn set_targets(&mut self, targets: &[f32]) {
        let mut targets = targets.to_vec();
        targets.resize(self.padded(), 0.0);
        self.targets = numbers(self.client, &targets);
    }

    fn set_sources(&mut self, sources: &[i32]) {
        self.sources = self.indices(sources, noise::NONE);
    }

    fn states(&mut self, old: Option<&GpuRows>, start: Span) -> GpuRows {
        self.begin(old, start)
    }

    fn states_backward(&mut self, gradient: &GpuRows, start: Span) {
        self.sum_rows(gradient, &self.sources, None, self.vector_offset(start));
    }

    fn copy(&self, rows: &GpuRows) -> GpuRows {
        rows.clone()
    }

    fn add_input(&self, rows: &GpuRows, input: Span) -> GpuRows {
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

    fn add_input_backward(&mut self, gradient: &GpuRows, input: Span) {
        for role in 0..input.rows {
            let place = self.vector_offset(input) + role * input.columns;
            self.sum_rows(gradient, &self.roles, Some(role as i32), place);
        }
    }

    fn linear(&self, rows: &GpuRows, weight: Span, more: Option<&GpuRows>) -> GpuRows {
        self.multiply(rows, weight, more, false, added(more))
    }

    fn linear_backward(
        &mut self,
        rows: &GpuRows,
        gradient: &GpuRows,
        weight: Span,
        more: Option<&GpuRows>,
    ) -> GpuRows {
        self.weight_backward(rows, gradient, weight);
        self.multiply(gradient, weight, more, true, added(more))
    }

    fn norm(&self, rows: &GpuRows, gain: Span) -> GpuRows {
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

    fn norm_backward(&mut self, rows: &GpuRows, gradient: &GpuRows, gain: Span) -> GpuRows {
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
            self.vector_offset(gain) as u32,
            vector_count(&self.spans) as u32,
            CUBES as u32,
            1.0 / rows.width as f32,
            rows.width,
            rows::lanes_of_row(rows.width),
        );
        out
    }

    fn gate(&self, rows: &GpuRows) -> GpuRows {
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

    fn feed_forward(
        &self,
        input: &GpuRows,
        attended: &GpuRows,
        block: &BlockSpans,
    ) -> (FeedForwardTape<GpuRows>, GpuRows) {
        // The kernel for a whole block reads the columns of all slots.
        if self.entries.is_some() || !self.fits_shared_memory() {
            return feed_forward_step_by_step(self, input, attended, block);
        }
        let (width, gates) = (input.width, block.down.columns);
        let tape = FeedForwardTape {
            before_first: self.rows(width),
            middle: self.rows(width),
            gates: self.rows(2 * gates),
            gated: self.rows(gates),
            before_second: self.rows(width),
        };
        let outputs = BlockOutputs::last(self, width);
        let index = self
            .spans
            .blocks
            .iter()
            .position(|one| one == block)
            .expect("the block is one of this network");
        self.transform(index, attended, input, &outputs, Some(&tape));
        (tape, outputs.states)
    }

    fn gated_backward(
        &mut self,
        tape: &FeedForwardTape<GpuRows>,
        gradient: &GpuRows,
        weight: Span,
    ) -> GpuRows {
        self.weight_backward(&tape.gated, gradient, weight);
        self.multiply(gradient, weight, Some(&tape.gates), true, Then::Gates)
    }

    fn attend(&self, rows: &GpuRows) -> GpuRows {
        let out = self.rows(self.spans.slots * self.heads * HEAD_WIDTH);
        if let Some(groups) = &self.entries {
            self.attend_to_entries(groups, rows, &out);
            return out;
        }
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

    fn attend_backward(&self, rows: &GpuRows, gradient: &GpuRows) -> GpuRows {
        let out = self.rows(rows.width);
        if let Some(groups) = &self.entries {
            self.attend_to_entries_backward(groups, rows, gradient, &out);
            return out;
        }
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

    fn answer(&self, rows: &GpuRows, weight: Span) -> Numbers {
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
        rows: &GpuRows,
        gradient: &Numbers,
        weight: Span,
        more: Option<&GpuRows>,
    ) -> GpuRows {
        let out = self.rows(rows.width);
        rows::answer_rows_backward::launch::<CudaRuntime>(
            self.client,
            CubeCount::Static(CUBES as u32, 1, 1),
            CubeDim::new_1d(UNITS as u32),
            HEAD_WIDTH,
            rows.numbers.arg(),
            gradient.arg(),
            more.map_or(&self.bf16_parameters, |more| &more.numbers).arg(),
            self.parameters.arg(),
            out.numbers.arg(),
            self.vector_sums.arg(),
            self.padded() as u32,
            weight.start as u32,
            self.vector_offset(weight) as u32,
            vector_count(&self.spans) as u32,
            CUBES as u32,
            more.is_some(),
            rows.width,
            rows::lanes_of_row(rows.width),
        );
        out
    }

    fn loss_gradient(&self, logits: &Numbers, scale: f32) -> Numbers {
        self.losses_of_nodes(logits, scale, true)
    }

    fn puzzle_results(&self, logits: &Numbers) -> Deferred<Vec<PuzzleResult>> {
        let sums = self.sums_of_puzzles(&self.losses_of_nodes(logits, 1.0, false));
        let read = self.client.read_async(vec![sums.handle]);
        Box::new(|| {
            let bytes = future::block_on(read).expect("GPU memory can be read").remove(0);
            let result = |pair: &[f32]| PuzzleResult { loss: pair[0], wrong: pair[1] };
            f32::from_bytes(&bytes).chunks_exact(2).map(result).collect()
        })
    }

    fn read_rows(&self, rows: &GpuRows) -> Vec<f32> {
        let bytes = self.client.read_one_unchecked(rows.numbers.handle.clone());
        bf16::from_bytes(&bytes).iter().map(|number| number.to_f32()).collect()
    }

    fn write_rows(&self, numbers: &[f32], width: usize) -> GpuRows {
        GpuRows { width, numbers: bf16_numbers(self.client, numbers) }
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
        let (mut gradients, others) = (self.read(&matrices), self.read(&others));
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
    fn networks_that_are_too_wide_are_rejected_with_a_reason() {
        let config =
            |width, heads, expansion| Config { width, heads, expansion, ..Config::default() };
        for config in [
            Config::default(),
            Config::tiny(),
            config(48, 4, 2),
            config(96, 6, 2),
            config(128, 8, 2),
        ] {
            assert_eq!(GpuKernels::check(&config).map_err(|error| error.to_string()), Ok(()));
        }
        for config in [config(144, 4, 2), config(512, 4, 2), config(128, 8, 8)] {
            let error = GpuKernels::check(&config).unwrap_err().to_string();
            assert!(error.contains("widths up to 128"), "{error}");
        }
    }
}
