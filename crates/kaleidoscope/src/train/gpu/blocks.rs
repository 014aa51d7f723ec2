//! One kernel for a block of the network without its attention: everything between one attention
//! and the next.
//!
//! ```text
//! middle = norm(input + attended · weight)
//! gated  = silu(middle · gate) · (middle · value)
//! state  = norm(middle + gated · down)
//! next   = state (+ the input, before the first block)
//! next_attention = next · attention of the next block
//! ```
//! As separate kernels these would be eight, and most of their time would be spent on writing rows
//! that the next kernel reads. Here a plane (32 threads) processes 32 rows from start to end, with
//! intermediate results in shared memory. Each tile of a weight is read once for two tiles of rows,
//! because reading weights is the slowest part. Rows in shared memory have eight unused numbers at
//! the end, so that the lines of a tile start in different banks. If a gradient is needed, the
//! intermediate results are written as well.

use super::products::{TILES, inputs_of, squares_of};
use super::{GpuKernels, GpuRows};
use crate::HEAD_WIDTH;
use crate::parameters::BlockSpans;
use crate::train::kernels::{FeedForwardTape, Kernels};
use cubecl::cmma;
use cubecl::cuda::CudaRuntime;
use cubecl::prelude::*;
use half::bf16;

/// Planes of a cube.
const PLANES: usize = 2;

/// Rows of a plane.
const ROWS: usize = 16 * TILES;

/// Vectors in a line of the scratch memory of a plane: those of two tiles, and an unused one.
const SCRATCH: usize = 5;

/// Shared memory of a cube, in bytes.
const SHARED: usize = 48 * 1024;

/// Bytes of shared memory that a cube needs.
fn shared_bytes(width: usize, attended: usize, gates: usize) -> usize {
    let widest = (gates / 8).max(attended / 8) + 1;
    PLANES * (16 * ROWS * (width / 8 + 1 + widest) + 32 * 16 * SCRATCH + 4 * 32 * TILES)
}

/// Stores a tile of sums in the scratch memory of a plane, at this vector of its lines.
#[cube]
fn store_square<N: Size>(
    sum: &cmma::Matrix<f32>,
    scratch: &mut SharedMemory<Vector<f32, N>>,
    place: usize,
) {
    cmma::store(
        &mut scratch.slice_mut(place, comptime!(PLANES * 16 * SCRATCH)),
        sum,
        comptime!(8 * SCRATCH as u32),
        cmma::MatrixLayout::RowMajor,
    );
}

/// rows = norm(rows + inputs · weight), for all rows of a plane. Each unit has every second vector
/// of a row of each tile. If `keeps_tape`, the values before and after the norm are written as
/// well.
#[cube]
#[allow(clippy::too_many_arguments)]
fn add_and_normalize<N: Size>(
    inputs: &Sequence<cmma::Matrix<bf16>>,
    weights: &Tensor<bf16>,
    start: usize,
    rows: &mut SharedMemory<Vector<bf16, N>>,
    own_rows: usize,
    scratch: &mut SharedMemory<Vector<f32, N>>,
    squares: &mut SharedMemory<f32>,
    gains: &Tensor<Vector<f32, N>>,
    gain: usize,
    before: &mut Tensor<Vector<bf16, N>>,
    after: &mut Tensor<Vector<bf16, N>>,
    first_row: usize,
    inverse_width: f32,
    #[comptime] width: usize,
    #[comptime] steps: usize,
    #[comptime] keeps_tape: bool,
) {
    let narrow = comptime!(width / 8 + 1);
    let plane = (UNIT_POS / 32) as usize;
    let lane = (UNIT_POS % 32) as usize;
    let own_scratch = plane * comptime!(16 * SCRATCH);
    let mut found = Array::<f32>::new(TILES);
    #[unroll]
    for tile in 0..TILES {
        found[tile] = 0.0f32;
    }
    for right in 0..comptime!(width / 16) {
        let sums = squares_of(inputs, weights, start, right, steps, steps, TILES, false);
        #[unroll]
        for tile in 0..TILES {
            store_square::<N>(sums.index(tile), scratch, own_scratch);
            sync_plane();
            let place =
                own_rows + (lane / 2 + comptime!(tile * 16)) * narrow + right * 2 + lane % 2;
            let sum = scratch[own_scratch + lane / 2 * SCRATCH + lane % 2]
                + Vector::<f32, N>::cast_from(rows[place]);
            // Rounded like a value that is stored between two kernels.
            let short = Vector::<bf16, N>::cast_from(sum);
            let value = Vector::<f32, N>::cast_from(short);
            let products = value * value;
            let mut square = 0.0f32;
            #[unroll]
            for d in 0..8usize {
                square += products[d];
            }
            found[tile] += square;
            rows[place] = short;
            if comptime!(keeps_tape) {
                let row = first_row + lane / 2 + comptime!(tile * 16);
                before[row * comptime!(width / 8) + right * 2 + lane % 2] = short;
            }
            sync_plane();
        }
    }
    let own_squares = plane * comptime!(32 * TILES);
    #[unroll]
    for tile in 0..TILES {
        squares[own_squares + comptime!(32 * tile) + lane] = found[tile];
    }
    sync_plane();
    let other = lane - lane % 2 + (lane + 1) % 2;
    #[unroll]
    for tile in 0..TILES {
        let total = found[tile] + squares[own_squares + comptime!(32 * tile) + other];
        let inverse = 1.0f32 / f32::sqrt(total * inverse_width + 1.0e-6f32);
        #[unroll]
        for right in 0..comptime!(width / 16) {
            let across = comptime!(right * 2) + lane % 2;
            let place = own_rows + (lane / 2 + comptime!(tile * 16)) * narrow + across;
            let value = Vector::<f32, N>::cast_from(rows[place])
                * Vector::<f32, N>::new(inverse)
                * gains[gain + across];
            let short = Vector::<bf16, N>::cast_from(value);
            rows[place] = short;
            if comptime!(keeps_tape) {
                let row = first_row + lane / 2 + comptime!(tile * 16);
                after[row * comptime!(width / 8) + across] = short;
            }
        }
    }
    sync_plane();
}

/// Computes a block for all rows; starts are indices of parameters. `has_next`: another block
/// follows. `adds_input`: it is the first of the next iteration. `keeps_tape`: a gradient needs the
/// intermediate results.
#[cube(launch)]
#[allow(clippy::too_many_arguments)]
pub fn transform_rows<N: Size>(
    attended: &Tensor<Vector<bf16, N>>,
    input: &Tensor<Vector<bf16, N>>,
    weights: &Tensor<bf16>,
    parameters: &Tensor<Vector<f32, N>>,
    states: &mut Tensor<Vector<bf16, N>>,
    next: &mut Tensor<Vector<bf16, N>>,
    next_attention: &mut Tensor<Vector<bf16, N>>,
    before_first: &mut Tensor<Vector<bf16, N>>,
    middle: &mut Tensor<Vector<bf16, N>>,
    before_gates: &mut Tensor<Vector<bf16, N>>,
    after_gates: &mut Tensor<Vector<bf16, N>>,
    before_second: &mut Tensor<Vector<bf16, N>>,
    attended_start: u32,
    first_gain: u32,
    gate_start: u32,
    down_start: u32,
    second_gain: u32,
    input_start: u32,
    attention_start: u32,
    inverse_width: f32,
    #[comptime] width: usize,
    #[comptime] heads: usize,
    #[comptime] slots: usize,
    #[comptime] gates: usize,
    #[comptime] has_next: bool,
    #[comptime] adds_input: bool,
    #[comptime] keeps_tape: bool,
) {
    // All counts are in vectors of eight numbers.
    let across = comptime!(width / 8);
    let steps = comptime!(width / 16);
    let narrow = comptime!(width / 8 + 1);
    let attended_across = comptime!(slots * heads);
    let widest =
        comptime!(if slots * heads > gates / 8 { slots * heads + 1 } else { gates / 8 + 1 });
    let row_room = comptime!(PLANES * ROWS * (width / 8 + 1));
    let wide_room = comptime!(
        PLANES * ROWS * if slots * heads > gates / 8 { slots * heads + 1 } else { gates / 8 + 1 }
    );
    let mut rows = SharedMemory::<Vector<bf16, N>>::new_aligned(row_room, 128usize);
    let mut wide = SharedMemory::<Vector<bf16, N>>::new_aligned(wide_room, 128usize);
    let mut scratch =
        SharedMemory::<Vector<f32, N>>::new_aligned(comptime!(PLANES * 16 * SCRATCH), 128usize);
    let mut squares = SharedMemory::<f32>::new(comptime!(32 * TILES * PLANES));
    let plane = (UNIT_POS / 32) as usize;
    let lane = (UNIT_POS % 32) as usize;
    let first_row = (CUBE_POS * PLANES + plane) * ROWS;
    let own_rows = plane * comptime!(ROWS * (width / 8 + 1));
    let own_wide = plane * ROWS * widest;
    let own_scratch = plane * comptime!(16 * SCRATCH);
    // Each unit takes every second vector of a row of each tile.
    let row = lane / 2;

    for part in 0..comptime!(ROWS * width / 256) {
        let place = part * 32 + lane;
        rows[own_rows + place / across * narrow + place % across] =
            input[first_row * across + place];
    }
    for part in 0..comptime!(ROWS * slots * heads / 32) {
        let place = part * 32 + lane;
        wide[own_wide + place / attended_across * widest + place % attended_across] =
            attended[first_row * attended_across + place];
    }
    sync_plane();

    let attended_inputs =
        inputs_of::<N>(&wide, own_wide, widest, comptime!(slots * heads / 2), TILES, wide_room);
    add_and_normalize::<N>(
        &attended_inputs,
        weights,
        attended_start as usize,
        &mut rows,
        own_rows,
        &mut scratch,
        &mut squares,
        parameters,
        first_gain as usize / 8,
        before_first,
        middle,
        first_row,
        inverse_width,
        width,
        comptime!(slots * heads / 2),
        keeps_tape,
    );

    let inner = inputs_of::<N>(&rows, own_rows, narrow, steps, TILES, row_room);
    for right in 0..comptime!(gates / 16) {
        let after = right + comptime!(gates / 16);
        let gate_squares =
            squares_of(&inner, weights, gate_start as usize, right, steps, steps, TILES, false);
        let value_squares =
            squares_of(&inner, weights, gate_start as usize, after, steps, steps, TILES, false);
        #[unroll]
        for tile in 0..TILES {
            store_square::<N>(gate_squares.index(tile), &mut scratch, own_scratch);
            store_square::<N>(value_squares.index(tile), &mut scratch, own_scratch + 2);
            sync_plane();
            let place = own_scratch + row * SCRATCH + lane % 2;
            let one = Vector::<f32, N>::new(1.0f32);
            let gate = scratch[place];
            let value = scratch[place + 2];
            let closed = Vector::<f32, N>::exp(Vector::<f32, N>::new(0.0f32) - gate);
            let column = right * 2 + lane % 2;
            let gated = Vector::<bf16, N>::cast_from(gate / (one + closed) * value);
            wide[own_wide + (row + comptime!(tile * 16)) * widest + column] = gated;
            if comptime!(keeps_tape) {
                let place = (first_row + row + comptime!(tile * 16)) * comptime!(gates / 8);
                after_gates[place + column] = gated;
                before_gates[place * 2 + column] = Vector::<bf16, N>::cast_from(gate);
                before_gates[place * 2 + comptime!(gates / 8) + column] =
                    Vector::<bf16, N>::cast_from(value);
            }
            sync_plane();
        }
    }

    let gated = inputs_of::<N>(&wide, own_wide, widest, comptime!(gates / 16), TILES, wide_room);
    add_and_normalize::<N>(
        &gated,
        weights,
        down_start as usize,
        &mut rows,
        own_rows,
        &mut scratch,
        &mut squares,
        parameters,
        second_gain as usize / 8,
        before_second,
        states,
        first_row,
        inverse_width,
        width,
        comptime!(gates / 16),
        keeps_tape,
    );
    // Now consecutive units process consecutive vectors, so that GPU memory is written
    // contiguously.
    for part in 0..comptime!(ROWS * width / 256) {
        let place = part * 32 + lane;
        let own = own_rows + place / across * narrow + place % across;
        // With a tape the states have been written already.
        if comptime!(!keeps_tape && (!has_next || adds_input)) {
            states[first_row * across + place] = rows[own];
        }
        if comptime!(has_next) {
            if comptime!(adds_input) {
                let more = parameters[input_start as usize / 8 + place % across];
                let value = Vector::<f32, N>::cast_from(rows[own]) + more;
                rows[own] = Vector::<bf16, N>::cast_from(value);
            }
            next[first_row * across + place] = rows[own];
        }
    }
    if comptime!(has_next) {
        sync_plane();
        let begun = inputs_of::<N>(&rows, own_rows, narrow, steps, TILES, row_room);
        for right in 0..comptime!(3 * slots * heads / 2) {
            let sums = squares_of(
                &begun,
                weights,
                attention_start as usize,
                right,
                steps,
                steps,
                TILES,
                false,
            );
            #[unroll]
            for tile in 0..TILES {
                store_square::<N>(sums.index(tile), &mut scratch, own_scratch);
                sync_plane();
                let value = scratch[own_scratch + row * SCRATCH + lane % 2];
                let place = (first_row + row + comptime!(tile * 16)) * comptime!(3 * slots * heads)
                    + right * 2
                    + lane % 2;
                next_attention[place] = Vector::<bf16, N>::cast_from(value);
                sync_plane();
            }
        }
    }
}

/// The output rows of a block.
pub(super) struct BlockOutputs {
    pub states: GpuRows,
    /// The input of the next block, and its queries, keys and values.
    next: GpuRows,
    next_attention: GpuRows,
    /// Whether another block follows, and whether it is the first of an iteration.
    has_next: bool,
    adds_input: bool,
}

impl BlockOutputs {
    /// The output of the last block: its states only.
    pub fn last(gpu: &GpuKernels, width: usize) -> BlockOutputs {
        let unused = || gpu.unused(width);
        BlockOutputs {
            states: gpu.rows(width),
            next: unused(),
            next_attention: unused(),
            has_next: false,
            adds_input: false,
        }
    }
}

impl GpuKernels {
    /// Whether the rows of a block fit into shared memory.
    pub(super) fn fits_shared_memory(&self) -> bool {
        let BlockSpans { attended, down, .. } = self.spans.blocks[0];
        shared_bytes(self.spans.start.columns, attended.columns, down.columns) <= SHARED
    }

    /// Runs iterations without a tape, with one kernel per block; none if the rows do not fit into
    /// shared memory.
    pub(super) fn iterate(&self, states: &GpuRows, iterations: usize) -> Option<GpuRows> {
        if self.spans.input.rows > 1 || !self.fits_shared_memory() {
            return None;
        }
        let count = iterations * self.spans.blocks.len();
        let mut states = states.clone();
        let mut rows = self.add_input(&states, self.spans.input);
        let mut next_attention = self.linear(&rows, self.spans.blocks[0].attention, None);
        for index in 0..count {
            let (has_next, adds_input) =
                (index + 1 < count, (index + 1).is_multiple_of(self.spans.blocks.len()));
            let attended = self.attend(&next_attention);
            let unused = || self.unused(rows.width);
            let outputs = BlockOutputs {
                states: if !has_next || adds_input { self.rows(rows.width) } else { unused() },
                next: if has_next { self.rows(rows.width) } else { unused() },
                next_attention: if has_next { self.rows(next_attention.width) } else { unused() },
                has_next,
                adds_input,
            };
            self.transform(index, &attended, &rows, &outputs, None);
            (states, rows, next_attention) = (outputs.states, outputs.next, outputs.next_attention);
        }
        Some(states)
    }

    /// The argument for unused rows.
    pub(super) fn unused(&self, width: usize) -> GpuRows {
        GpuRows { width, numbers: self.nothing.clone() }
    }

    /// Computes the part of a block after attention: the states, and the input and the queries,
    /// keys and values of the next block. Fills the tape if there is one.
    pub(super) fn transform(
        &self,
        index: usize,
        attended: &GpuRows,
        rows: &GpuRows,
        outputs: &BlockOutputs,
        tape: Option<&FeedForwardTape<GpuRows>>,
    ) {
        let count = self.spans.blocks.len();
        let (block, following) =
            (&self.spans.blocks[index % count], &self.spans.blocks[(index + 1) % count]);
        let kept = |rows: fn(&FeedForwardTape<GpuRows>) -> &GpuRows| {
            tape.map_or(&self.nothing, |tape| &rows(tape).numbers)
        };
        transform_rows::launch::<CudaRuntime>(
            self.client,
            CubeCount::Static((self.padded() / (ROWS * PLANES)) as u32, 1, 1),
            CubeDim::new_1d(32 * PLANES as u32),
            HEAD_WIDTH,
            attended.numbers.arg(),
            rows.numbers.arg(),
            self.bf16_parameters.arg(),
            self.parameters.arg(),
            outputs.states.numbers.arg(),
            outputs.next.numbers.arg(),
            outputs.next_attention.numbers.arg(),
            kept(|tape| &tape.before_first).arg(),
            kept(|tape| &tape.middle).arg(),
            kept(|tape| &tape.gates).arg(),
            kept(|tape| &tape.gated).arg(),
            kept(|tape| &tape.before_second).arg(),
            block.attended.start as u32,
            block.first_norm.start as u32,
            block.gate.start as u32,
            block.down.start as u32,
            block.second_norm.start as u32,
            self.spans.input.start as u32,
            following.attention.start as u32,
            1.0 / rows.width as f32,
            rows.width,
            self.heads,
            self.spans.slots,
            block.down.columns,
            outputs.has_next,
            outputs.adds_input,
            tape.is_some(),
        );
    }
}
