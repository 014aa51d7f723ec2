//! Products of rows and weights, on the matrix units of the GPU.
//!
//! A plane is a warp of 32 threads. Rows and weights are bf16, sums are f32. A matrix unit takes
//! tiles of 16 × 16 numbers. Reading a tile is slow if its lines are far apart in memory, because
//! eight lines touch eight cache lines. Therefore
//! - weights are stored tile by tile in GPU memory ([`SQUARE`]);
//! - rows are read contiguously and staged in shared memory, each with eight unused numbers at the
//!   end, so that the lines of a tile start in different banks;
//! - a plane keeps the tiles of its rows in registers and reads every tile of the weight once. If
//!   rows are too wide for that, it keeps its sums in registers and reads the rows in parts.
//!
//! The gradient of a weight is a sum over all nodes. The nodes are divided into chunks with
//! separate sums, so no two planes write to the same address. A plane computes a rectangle of
//! tiles, and uses each tile of rows and slopes that it reads for all of them.
//!
//! Queries, keys, values and the output of attention have columns for every slot. If the puzzles
//! bring their groups, most nodes have no group in most slots. The columns of a slot are skipped
//! for the [`PADDING`] rows of a cube if none of their nodes has a group in it: they are neither
//! computed nor written nor read. A mask per cube has a bit for each slot.

use super::{CHUNKS, GpuKernels, GpuRows, Numbers, PADDING};
use crate::HEAD_WIDTH;
use crate::parameters::{BlockSpans, Span, Spans};
use cubecl::cmma;
use cubecl::cuda::CudaRuntime;
use cubecl::prelude::*;
use half::bf16;

/// Numbers in a tile.
pub(super) const SQUARE: usize = 256;

/// Planes of a cube of [`rows_product`] and [`wide_product`].
pub(super) const ROW_PLANES: usize = 4;

/// The default number of tiles of 16 rows per plane.
pub(super) const TILES: usize = 2;

/// The maximum length of a row whose tiles fit into the registers of a plane.
pub(super) const WIDEST: usize = 128;
/// Numbers of a longer row that are processed at a time.
const WIDEST_PART: usize = 144;
/// Nodes that [`weight_product`] stages at a time.
const STAGED: usize = 32;

/// The operation of [`rows_product`] on a product before it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Then {
    /// Nothing.
    Write,
    /// Adds rows of the same width.
    Add,
    /// Computes the gradient of the gates, with the product as the gradient of their output.
    Gates,
}

/// Tiles of rows in shared memory from vector `first` on: those of the first 16 rows, then the
/// others.
#[cube]
pub(super) fn inputs_of<N: Size>(
    rows: &SharedMemory<Vector<bf16, N>>,
    first: usize,
    #[comptime] stride: usize,
    #[comptime] steps: usize,
    #[comptime] tiles: usize,
    #[comptime] room: usize,
) -> Sequence<cmma::Matrix<bf16>> {
    let mut inputs = Sequence::<cmma::Matrix<bf16>>::new();
    #[unroll]
    for tile in 0..tiles {
        #[unroll]
        for step in 0..steps {
            let input = cmma::Matrix::<bf16>::from_value(
                cmma::MatrixIdent::A,
                16usize,
                16usize,
                16usize,
                cmma::MatrixLayout::RowMajor,
                bf16::cast_from(0.0f32),
            );
            let place = first + comptime!(tile * 16 * stride + step * 2);
            cmma::load(&input, &rows.slice(place, room), comptime!(8 * stride as u32));
            inputs.push(input);
        }
    }
    inputs
}

/// The mask of the slots of these rows; without slots its first bit is set.
#[cube]
fn mask_of(masks: &Tensor<u32>, chunk: usize, #[comptime] slot: usize) -> u32 {
    let mut mask = 1u32;
    if comptime!(slot > 0) {
        mask = masks[chunk];
    }
    mask
}

#[cube]
pub(super) fn has_slot(mask: u32, slot: usize) -> bool {
    (mask >> slot as u32) & 1u32 == 1u32
}

/// This many tiles of zero sums.
#[cube]
fn no_sums(#[comptime] count: usize) -> Sequence<cmma::Matrix<f32>> {
    let mut sums = Sequence::<cmma::Matrix<f32>>::new();
    #[unroll]
    for _ in 0..count {
        sums.push(cmma::Matrix::<f32>::from_value(
            cmma::MatrixIdent::Accumulator,
            16usize,
            16usize,
            16usize,
            cmma::MatrixLayout::Undefined,
            0.0f32,
        ));
    }
    sums
}

/// A tile of a weight, for rows · weightᵀ or, backward, for rows · weight.
#[cube]
fn weight_square(
    weights: &Tensor<bf16>,
    start: usize,
    square: usize,
    #[comptime] is_backward: bool,
) -> cmma::Matrix<bf16> {
    let place = start + square * SQUARE;
    cmma::Matrix::<bf16>::from_slice(
        cmma::MatrixIdent::B,
        16usize,
        16usize,
        16usize,
        comptime!(if is_backward {
            cmma::MatrixLayout::RowMajor
        } else {
            cmma::MatrixLayout::ColMajor
        }),
        &weights.slice(place, weights.len()),
        16u32,
    )
}

/// 16 outputs of all rows of a plane. `across` is the number of tiles in a row of the weight.
#[cube]
pub(super) fn squares_of(
    inputs: &Sequence<cmma::Matrix<bf16>>,
    weights: &Tensor<bf16>,
    start: usize,
    right: usize,
    #[comptime] across: usize,
    #[comptime] steps: usize,
    #[comptime] tiles: usize,
    #[comptime] is_backward: bool,
) -> Sequence<cmma::Matrix<f32>> {
    let sums = no_sums(tiles);
    #[unroll]
    for step in 0..steps {
        let mut square = right * across + step;
        if comptime!(is_backward) {
            square = step * across + right;
        }
        let weight = weight_square(weights, start, square, is_backward);
        #[unroll]
        for tile in 0..tiles {
            let sum = sums.index(tile);
            cmma::execute::<bf16, bf16, f32, f32>(
                inputs.index(comptime!(tile * steps + step)),
                &weight,
                sum,
                sum,
            );
        }
    }
    sums
}

/// rows · weightᵀ; backward: rows · weight. `columns` is the number of columns of the weight.
/// `more` contains the rows to add, or the gates. `slot` is the number of tiles of a slot in a row
/// of outputs, or 0.
#[cube(launch)]
#[allow(clippy::too_many_arguments)]
pub fn rows_product<N: Size>(
    rows: &Tensor<Vector<bf16, N>>,
    weights: &Tensor<bf16>,
    more: &Tensor<Vector<bf16, N>>,
    masks: &Tensor<u32>,
    out: &mut Tensor<Vector<bf16, N>>,
    start: u32,
    #[comptime] inner: usize,
    #[comptime] outer: usize,
    #[comptime] columns: usize,
    #[comptime] slot: usize,
    #[comptime] is_backward: bool,
    #[comptime] then: Then,
) {
    let across = comptime!(inner / 8);
    let stride = comptime!(inner / 8 + 1);
    let room = comptime!(16 * TILES * (inner / 8 + 1));
    let steps = comptime!(inner / 16);
    let mut staged =
        SharedMemory::<Vector<bf16, N>>::new_aligned(comptime!(ROW_PLANES * room), 128usize);
    let mut squares =
        SharedMemory::<Vector<f32, N>>::new_aligned(comptime!(ROW_PLANES * SQUARE / 8), 128usize);
    let plane = (UNIT_POS / 32) as usize;
    let lane = (UNIT_POS % 32) as usize;
    let first_row = (CUBE_POS * ROW_PLANES + plane) * comptime!(16 * TILES);
    for part in 0..comptime!(TILES * inner / 16) {
        let place = part * 32 + lane;
        staged[plane * room + place / across * stride + place % across] =
            rows[first_row * across + place];
    }
    sync_plane();
    let inputs =
        inputs_of::<N>(&staged, plane * room, stride, steps, TILES, comptime!(ROW_PLANES * room));
    let mask = mask_of(masks, CUBE_POS, slot);
    for right in 0..comptime!(outer / 16) {
        if has_slot(mask, right / comptime!(if slot > 0 { slot } else { outer })) {
            let sums = squares_of(
                &inputs,
                weights,
                start as usize,
                right,
                comptime!(columns / 16),
                steps,
                TILES,
                is_backward,
            );
            #[unroll]
            for tile in 0..TILES {
                let row = first_row + comptime!(tile * 16) + lane / 2;
                let sum = sums.index(tile);
                write_square::<N>(sum, &mut squares, more, out, row, right, outer, then);
            }
        }
    }
}

/// The same for rows that do not fit into registers: keeps all sums there and reads rows in
/// `parts`. `slot` is the number of parts of a slot, or 0.
#[cube(launch)]
#[allow(clippy::too_many_arguments)]
pub fn wide_product<N: Size>(
    rows: &Tensor<Vector<bf16, N>>,
    weights: &Tensor<bf16>,
    more: &Tensor<Vector<bf16, N>>,
    masks: &Tensor<u32>,
    out: &mut Tensor<Vector<bf16, N>>,
    start: u32,
    #[comptime] inner: usize,
    #[comptime] outer: usize,
    #[comptime] columns: usize,
    #[comptime] parts: usize,
    #[comptime] slot: usize,
    #[comptime] is_backward: bool,
    #[comptime] then: Then,
) {
    let across = comptime!(inner / 8);
    let part_across = comptime!(inner / parts / 8);
    let stride = comptime!(inner / parts / 8 + 1);
    let room = comptime!(16 * TILES * (inner / parts / 8 + 1));
    let steps = comptime!(inner / parts / 16);
    let rights = comptime!(outer / 16);
    let mut staged =
        SharedMemory::<Vector<bf16, N>>::new_aligned(comptime!(ROW_PLANES * room), 128usize);
    let mut squares =
        SharedMemory::<Vector<f32, N>>::new_aligned(comptime!(ROW_PLANES * SQUARE / 8), 128usize);
    let plane = (UNIT_POS / 32) as usize;
    let lane = (UNIT_POS % 32) as usize;
    let first_row = (CUBE_POS * ROW_PLANES + plane) * comptime!(16 * TILES);
    let sums = no_sums(comptime!(TILES * rights));
    let mask = mask_of(masks, CUBE_POS, slot);
    for part in 0..parts {
        if has_slot(mask, part / comptime!(if slot > 0 { slot } else { parts })) {
            for piece in 0..comptime!(TILES * inner / parts / 16) {
                let place = piece * 32 + lane;
                let row = place / part_across;
                let column = place % part_across;
                staged[plane * room + row * stride + column] =
                    rows[(first_row + row) * across + part * part_across + column];
            }
            sync_plane();
            #[unroll]
            for step in 0..steps {
                let inputs = inputs_of::<N>(
                    &staged,
                    plane * room + comptime!(step * 2),
                    stride,
                    1usize,
                    TILES,
                    comptime!(ROW_PLANES * room),
                );
                #[unroll]
                for right in 0..rights {
                    let mut square = right * comptime!(columns / 16) + part * steps + step;
                    if comptime!(is_backward) {
                        square = (part * steps + step) * comptime!(columns / 16) + right;
                    }
                    let weight = weight_square(weights, start as usize, square, is_backward);
                    #[unroll]
                    for tile in 0..TILES {
                        let sum = sums.index(comptime!(right * TILES + tile));
                        cmma::execute::<bf16, bf16, f32, f32>(
                            inputs.index(tile),
                            &weight,
                            sum,
                            sum,
                        );
                    }
                }
            }
            sync_plane();
        }
    }
    #[unroll]
    for right in 0..rights {
        #[unroll]
        for tile in 0..TILES {
            let row = first_row + comptime!(tile * 16) + lane / 2;
            let sum = sums.index(comptime!(right * TILES + tile));
            write_square::<N>(sum, &mut squares, more, out, row, right, outer, then);
        }
    }
}

/// Writes a tile of outputs. Each unit writes half of the line `row`.
#[cube]
#[allow(clippy::too_many_arguments)]
fn write_square<N: Size>(
    sum: &cmma::Matrix<f32>,
    squares: &mut SharedMemory<Vector<f32, N>>,
    more: &Tensor<Vector<bf16, N>>,
    out: &mut Tensor<Vector<bf16, N>>,
    row: usize,
    right: usize,
    #[comptime] outer: usize,
    #[comptime] then: Then,
) {
    let plane = (UNIT_POS / 32) as usize;
    let lane = (UNIT_POS % 32) as usize;
    let own = plane * comptime!(SQUARE / 8);
    cmma::store(
        &mut squares.slice_mut(own, comptime!(ROW_PLANES * SQUARE / 8)),
        sum,
        16u32,
        cmma::MatrixLayout::RowMajor,
    );
    sync_plane();
    let value = squares[own + lane];
    let across = comptime!(outer / 8);
    let column = right * 2 + lane % 2;
    let place = row * across + column;
    if comptime!(then == Then::Gates) {
        let place = row * comptime!(2 * across) + column;
        let gate = Vector::<f32, N>::cast_from(more[place]);
        let passed = Vector::<f32, N>::cast_from(more[place + across]);
        let one = Vector::<f32, N>::new(1.0f32);
        let open = one / (one + Vector::<f32, N>::exp(Vector::<f32, N>::new(0.0f32) - gate));
        out[place] =
            Vector::<bf16, N>::cast_from(value * passed * open * (one + gate * (one - open)));
        out[place + across] = Vector::<bf16, N>::cast_from(value * gate * open);
    } else if comptime!(then == Then::Add) {
        out[place] = Vector::<bf16, N>::cast_from(value + Vector::<f32, N>::cast_from(more[place]));
    } else {
        out[place] = Vector::<bf16, N>::cast_from(value);
    }
    sync_plane();
}

/// The tiles that a plane of [`weight_product`] computes: rows and columns of tiles.
///
/// With more tiles per plane fewer are read for each product. But a multiprocessor needs eight
/// planes to hide latencies, and sixteen fit into a cube.
pub(super) fn share_of_plane(inner: usize, outer: usize) -> (usize, usize) {
    let (downs, rights) = (outer / 16, inner / 16);
    let shares = (1..=3).flat_map(|down| (1..=4).map(move |right| (down, right)));
    let fitting =
        shares.filter(|(down, right)| downs.is_multiple_of(*down) && rights.is_multiple_of(*right));
    let cost = |&(down, right): &(usize, usize)| {
        let planes = downs * rights / (down * right);
        // 72 is a multiple of all these numbers of tiles.
        (planes > 16, planes < 8, (down + right) * 72 / (down * right))
    };
    fitting.min_by_key(cost).expect("one square always fits")
}

/// Planes of a cube of [`weight_product`].
pub(super) fn planes_of_weight(inner: usize, outer: usize) -> usize {
    let (down, right) = share_of_plane(inner, outer);
    inner * outer / (SQUARE * down * right)
}

/// Adds gradientᵀ · rows to the sums of each chunk, `[chunks, parameters]`. A cube computes a chunk
/// (`CUBE_POS_X`) of the columns of a slot (`CUBE_POS_Y`), and a plane `down` times `right` tiles.
/// `row_part` and `slope_part` are the numbers of columns that a cube reads; without slots these
/// are all.
#[cube(launch)]
#[allow(clippy::too_many_arguments)]
pub fn weight_product<N: Size>(
    rows: &Tensor<Vector<bf16, N>>,
    gradient: &Tensor<Vector<bf16, N>>,
    masks: &Tensor<u32>,
    sums: &mut Tensor<f32>,
    nodes: u32,
    start: u32,
    parameters: u32,
    chunks: u32,
    #[comptime] inner: usize,
    #[comptime] outer: usize,
    #[comptime] row_part: usize,
    #[comptime] slope_part: usize,
    #[comptime] down: usize,
    #[comptime] right: usize,
) {
    let plane = (UNIT_POS / 32) as usize;
    let chunk = CUBE_POS_X as usize;
    let slot = CUBE_POS_Y as usize;
    let has_slots = comptime!(row_part < inner || slope_part < outer);
    let units = comptime!((row_part / 16 / right) * (slope_part / 16 / down) * 32);
    let row_stride = comptime!(row_part / 8 + 1);
    let slope_stride = comptime!(slope_part / 8 + 1);
    let mut staged =
        SharedMemory::<Vector<bf16, N>>::new_aligned(comptime!(STAGED * row_stride), 128usize);
    let mut slopes =
        SharedMemory::<Vector<bf16, N>>::new_aligned(comptime!(STAGED * slope_stride), 128usize);
    let first_down = plane / comptime!(row_part / 16 / right) * down;
    let first_right = plane % comptime!(row_part / 16 / right) * right;
    let mut first_row = 0usize;
    let mut first_slope = 0usize;
    if comptime!(row_part < inner) {
        first_row = slot * row_part;
    }
    if comptime!(slope_part < outer) {
        first_slope = slot * slope_part;
    }
    let begin = chunk * parameters as usize
        + start as usize
        + (first_slope + first_down * 16) * inner
        + first_row
        + first_right * 16;
    let found = no_sums(comptime!(down * right));
    #[unroll]
    for index in 0..comptime!(down * right) {
        let place = begin + comptime!(index / right * 16 * inner + index % right * 16);
        cmma::load_with_layout(
            found.index(index),
            &sums.slice(place, sums.len()),
            comptime!(inner as u32),
            cmma::MatrixLayout::RowMajor,
        );
    }
    let steps = nodes as usize / STAGED;
    let share = (steps + chunks as usize - 1) / chunks as usize;
    let first = chunk * share;
    let last = min(first + share, steps);
    // The rows of the next step are loaded while a step is multiplied.
    let mut rows_ahead =
        Array::<Vector<bf16, N>>::new(comptime!((STAGED * row_part / 8).div_ceil(units)));
    let mut slopes_ahead =
        Array::<Vector<bf16, N>>::new(comptime!((STAGED * slope_part / 8).div_ceil(units)));
    let mut is_used = false;
    if first < last {
        is_used = is_step_used(masks, first, slot, has_slots);
        if is_used {
            fetch::<N>(rows, &mut rows_ahead, first, first_row, inner, row_part, units);
            fetch::<N>(gradient, &mut slopes_ahead, first, first_slope, outer, slope_part, units);
        }
    }
    for step in first..last {
        let is_current = is_used;
        if is_current {
            sync_cube();
            stage::<N>(&rows_ahead, &mut staged, row_part, units);
            stage::<N>(&slopes_ahead, &mut slopes, slope_part, units);
            sync_cube();
        }
        let next = step + 1;
        if next < last {
            is_used = is_step_used(masks, next, slot, has_slots);
            if is_used {
                fetch::<N>(rows, &mut rows_ahead, next, first_row, inner, row_part, units);
                fetch::<N>(
                    gradient,
                    &mut slopes_ahead,
                    next,
                    first_slope,
                    outer,
                    slope_part,
                    units,
                );
            }
        }
        if is_current {
            #[unroll]
            for part in 0..comptime!(STAGED / 16) {
                let mut of_slopes = Sequence::<cmma::Matrix<bf16>>::new();
                #[unroll]
                for index in 0..down {
                    let slope = cmma::Matrix::<bf16>::from_value(
                        cmma::MatrixIdent::A,
                        16usize,
                        16usize,
                        16usize,
                        cmma::MatrixLayout::ColMajor,
                        bf16::cast_from(0.0f32),
                    );
                    let place = comptime!(part * 16 * slope_stride + index * 2) + first_down * 2;
                    cmma::load(
                        &slope,
                        &slopes.slice(place, comptime!(STAGED * slope_stride)),
                        comptime!(8 * slope_stride as u32),
                    );
                    of_slopes.push(slope);
                }
                #[unroll]
                for beside in 0..right {
                    let row = cmma::Matrix::<bf16>::from_value(
                        cmma::MatrixIdent::B,
                        16usize,
                        16usize,
                        16usize,
                        cmma::MatrixLayout::RowMajor,
                        bf16::cast_from(0.0f32),
                    );
                    let place = comptime!(part * 16 * row_stride + beside * 2) + first_right * 2;
                    cmma::load(
                        &row,
                        &staged.slice(place, comptime!(STAGED * row_stride)),
                        comptime!(8 * row_stride as u32),
                    );
                    #[unroll]
                    for index in 0..down {
                        let sum = found.index(comptime!(index * right + beside));
                        let slope = of_slopes.index(index);
                        cmma::execute::<bf16, bf16, f32, f32>(slope, &row, sum, sum);
                    }
                }
            }
        }
    }
    #[unroll]
    for index in 0..comptime!(down * right) {
        let place = begin + comptime!(index / right * 16 * inner + index % right * 16);
        cmma::store(
            &mut sums.slice_mut(place, sums.len()),
            found.index(index),
            comptime!(inner as u32),
            cmma::MatrixLayout::RowMajor,
        );
    }
}

/// Whether a node of a step has a group in this slot.
#[cube]
fn is_step_used(
    masks: &Tensor<u32>,
    step: usize,
    slot: usize,
    #[comptime] has_slots: bool,
) -> bool {
    let mut is_used = true;
    if comptime!(has_slots) {
        is_used = has_slot(masks[step * STAGED / PADDING], slot);
    }
    is_used
}

/// Reads the part of the rows of a step that a unit stages: `part` numbers of each row, which has
/// `width` numbers, from `first` on.
#[cube]
fn fetch<N: Size>(
    rows: &Tensor<Vector<bf16, N>>,
    ahead: &mut Array<Vector<bf16, N>>,
    step: usize,
    first: usize,
    #[comptime] width: usize,
    #[comptime] part: usize,
    #[comptime] units: usize,
) {
    #[unroll]
    for round in 0..comptime!((STAGED * part / 8).div_ceil(units)) {
        let place = comptime!(round * units) + UNIT_POS as usize;
        // Numbers after the last row of a step are not used.
        if comptime!(part == width) {
            ahead[round] = rows[step * comptime!(STAGED * width / 8) + place];
        } else {
            let row = step * STAGED + place / comptime!(part / 8);
            let column = first / 8 + place % comptime!(part / 8);
            ahead[round] = rows[row * comptime!(width / 8) + column];
        }
    }
}

/// Stores what [`fetch`] has read in shared memory.
#[cube]
fn stage<N: Size>(
    ahead: &Array<Vector<bf16, N>>,
    staged: &mut SharedMemory<Vector<bf16, N>>,
    #[comptime] width: usize,
    #[comptime] units: usize,
) {
    let across = comptime!(width / 8);
    let count = comptime!(STAGED * width / 8);
    #[unroll]
    for part in 0..comptime!((STAGED * width / 8).div_ceil(units)) {
        let place = comptime!(part * units) + UNIT_POS as usize;
        if place < count {
            staged[place / across * comptime!(width / 8 + 1) + place % across] = ahead[part];
        }
    }
}

/// The sum of each parameter over all chunks.
#[cube(launch)]
pub fn sum_of_chunks(sums: &Tensor<f32>, out: &mut Tensor<f32>, parameters: u32, chunks: u32) {
    let unit = ABSOLUTE_POS;
    if unit >= parameters as usize {
        terminate!();
    }
    let mut sum = 0.0f32;
    for chunk in 0..chunks as usize {
        sum += sums[chunk * parameters as usize + unit];
    }
    out[unit] = sum;
}

impl GpuKernels {
    /// rows · weightᵀ; backward: rows · weight.
    pub(super) fn multiply(
        &self,
        rows: &GpuRows,
        weight: Span,
        more: Option<&GpuRows>,
        is_backward: bool,
        then: Then,
    ) -> GpuRows {
        let (inner, outer) =
            if is_backward { (weight.rows, weight.columns) } else { (weight.columns, weight.rows) };
        let out = self.rows(if then == Then::Gates { 2 * outer } else { outer });
        let cubes = CubeCount::Static((self.padded() / PADDING) as u32, 1, 1);
        let units = CubeDim::new_1d(32 * ROW_PLANES as u32);
        let [slot_columns, slot_rows] = self.tiles_of_slot(weight);
        let (inner_slot, outer_slot) =
            if is_backward { (slot_rows, slot_columns) } else { (slot_columns, slot_rows) };
        let (rows, more) =
            (rows.numbers.arg(), more.map_or(&self.nothing, |more| &more.numbers).arg());
        let (weights, start, columns) =
            (self.bf16_parameters.arg(), weight.start as u32, weight.columns);
        if inner <= WIDEST && inner_slot == 0 {
            rows_product::launch::<CudaRuntime>(
                self.client,
                cubes,
                units,
                HEAD_WIDTH,
                rows,
                weights,
                more,
                self.masks().arg(),
                out.numbers.arg(),
                start,
                inner,
                outer,
                columns,
                outer_slot,
                is_backward,
                then,
            );
        } else {
            let is_fine = |parts: &usize| {
                inner.is_multiple_of(16 * parts)
                    && inner / parts <= WIDEST_PART
                    && inner_slot.is_multiple_of(inner / parts / 16)
            };
            let parts = (1..=inner / 16).find(is_fine).expect("parts of 16 numbers are fine");
            wide_product::launch::<CudaRuntime>(
                self.client,
                cubes,
                units,
                HEAD_WIDTH,
                rows,
                weights,
                more,
                self.masks().arg(),
                out.numbers.arg(),
                start,
                inner,
                outer,
                columns,
                parts,
                inner_slot * 16 * parts / inner,
                is_backward,
                then,
            );
        }
        out
    }

    /// Accumulates the gradient of a weight.
    pub(super) fn weight_backward(&self, rows: &GpuRows, gradient: &GpuRows, weight: Span) {
        let (inner, outer) = (weight.columns, weight.rows);
        let [row_part, slope_part] = parts_of_weight(weight, self.tiles_of_slot(weight));
        let (down, right) = share_of_plane(row_part, slope_part);
        let slots = inner * outer / (row_part * slope_part);
        weight_product::launch::<CudaRuntime>(
            self.client,
            CubeCount::Static(CHUNKS as u32, slots as u32, 1),
            CubeDim::new_1d(32 * planes_of_weight(row_part, slope_part) as u32),
            HEAD_WIDTH,
            rows.numbers.arg(),
            gradient.numbers.arg(),
            self.masks().arg(),
            self.matrix_sums.arg(),
            self.padded() as u32,
            weight.start as u32,
            self.spans.count as u32,
            CHUNKS as u32,
            inner,
            outer,
            row_part,
            slope_part,
            down,
            right,
        );
    }

    /// The numbers of tiles of a slot in a row and in a column of a weight; 0 if slots are not
    /// skipped.
    fn tiles_of_slot(&self, weight: Span) -> [usize; 2] {
        let has_masks = self.entries.as_ref().is_some_and(|entries| entries.masks.is_some());
        if has_masks { tiles_of_slot(&self.spans, weight) } else { [0, 0] }
    }

    /// The masks of slots, or an argument that is not used.
    pub(super) fn masks(&self) -> &Numbers {
        let masks = self.entries.as_ref().and_then(|entries| entries.masks.as_ref());
        masks.unwrap_or(&self.nothing)
    }
}

/// The numbers of columns of rows and of slopes that a cube of [`weight_product`] reads, with these
/// tiles of a slot.
pub(super) fn parts_of_weight(weight: Span, [row_slot, slope_slot]: [usize; 2]) -> [usize; 2] {
    let part = |all: usize, slot: usize| if slot > 0 { 16 * slot } else { all };
    [part(weight.columns, row_slot), part(weight.rows, slope_slot)]
}

/// The numbers of tiles of a slot in a row and in a column of a weight; 0 if its columns do not
/// belong to slots.
pub(super) fn tiles_of_slot(spans: &Spans, weight: Span) -> [usize; 2] {
    let is = |of_block: fn(&BlockSpans) -> Span| {
        spans.blocks.iter().any(|block| of_block(block) == weight)
    };
    if is(|block| block.attention) {
        [0, weight.rows / spans.slots / 16]
    } else if is(|block| block.attended) {
        [weight.columns / spans.slots / 16, 0]
    } else {
        [0, 0]
    }
}

/// The operation after a product to which rows may be added.
pub(super) fn added(more: Option<&GpuRows>) -> Then {
    if more.is_some() { Then::Add } else { Then::Write }
}
