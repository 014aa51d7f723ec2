//! A block in one kernel, for answers: all that happens to a row between attention and the next attention.
//!
//! ```text
//! middle = norm(input + attended · weight)
//! gated  = silu(middle · gate) · (middle · value)
//! state  = norm(middle + gated · down)
//! next   = state (+ the input, before the first block)       looks = next · attention of the next block
//! ```
//! One by one these are eight kernels, and nearly all of their time goes into writing rows that the next one reads. Here a plane takes
//! 16 rows through all of it; what lies between stays in shared memory. Rows there are followed by eight numbers that are not used, so
//! that the lines of a square begin in different banks. A gradient would need what is not kept here, so learning has the other kernels.

use super::products::SQUARE;
use burn::tensor::bf16;
use cubecl::cmma;
use cubecl::prelude::*;

/// Planes of a cube.
pub(super) const PLANES: usize = 4;

/// Rows of a plane.
pub(super) const ROWS: usize = 16;

/// The squares of 16 rows in shared memory, as a matrix unit takes them.
#[cube]
fn inputs_of<N: Size>(
    rows: &SharedMemory<Vector<bf16, N>>,
    first: usize,
    #[comptime] stride: usize,
    #[comptime] steps: usize,
    #[comptime] room: usize,
) -> Sequence<cmma::Matrix<bf16>> {
    let mut inputs = Sequence::<cmma::Matrix<bf16>>::new();
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
        cmma::load(&input, &rows.slice(first + comptime!(step * 2), room), comptime!(8 * stride as u32));
        inputs.push(input);
    }
    inputs
}

/// 16 outputs of 16 rows.
#[cube]
fn square_of(
    inputs: &Sequence<cmma::Matrix<bf16>>,
    weights: &Tensor<bf16>,
    start: usize,
    right: usize,
    #[comptime] steps: usize,
) -> cmma::Matrix<f32> {
    let sum = cmma::Matrix::<f32>::from_value(
        cmma::MatrixIdent::Accumulator,
        16usize,
        16usize,
        16usize,
        cmma::MatrixLayout::Undefined,
        0.0f32,
    );
    #[unroll]
    for step in 0..steps {
        let place = start + (right * steps + step) * SQUARE;
        let weight = cmma::Matrix::<bf16>::from_slice(
            cmma::MatrixIdent::B,
            16usize,
            16usize,
            16usize,
            cmma::MatrixLayout::ColMajor,
            &weights.slice(place, weights.len()),
            16u32,
        );
        cmma::execute::<bf16, bf16, f32, f32>(inputs.index(step), &weight, &sum, &sum);
    }
    sum
}

/// Adds a residual to the sums of half a row and normalizes the row; the result lies in `out`, where the residual may be, too.
#[cube]
#[allow(clippy::too_many_arguments)]
fn add_and_normalize<N: Size>(
    sums: &SharedMemory<Vector<f32, N>>,
    first_sum: usize,
    out: &mut SharedMemory<Vector<bf16, N>>,
    first_out: usize,
    squares: &mut SharedMemory<f32>,
    gains: &Tensor<Vector<f32, N>>,
    gain: usize,
    inverse_width: f32,
    #[comptime] half: usize,
) {
    let unit = UNIT_POS as usize;
    let mut found = Array::<Vector<f32, N>>::new(half);
    let mut square = 0.0f32;
    #[unroll]
    for part in 0..half {
        let value = sums[first_sum + part] + Vector::<f32, N>::cast_from(out[first_out + part]);
        // As where it is stored between two kernels.
        let value = Vector::<f32, N>::cast_from(Vector::<bf16, N>::cast_from(value));
        let products = value * value;
        #[unroll]
        for d in 0..8usize {
            square += products[d];
        }
        found[part] = value;
    }
    squares[unit] = square;
    sync_plane();
    let total = square + squares[unit - unit % 2 + (unit + 1) % 2];
    let inverse = 1.0f32 / f32::sqrt(total * inverse_width + 1.0e-6f32);
    #[unroll]
    for part in 0..half {
        let value = found[part] * Vector::<f32, N>::new(inverse) * gains[gain + part];
        out[first_out + part] = Vector::<bf16, N>::cast_from(value);
    }
    sync_plane();
}

/// Takes rows through a block; starts are places among the parameters. `goes_on` says whether another block follows, and
/// `adds_input` whether it is the first of the next iteration.
#[cube(launch)]
#[allow(clippy::too_many_arguments)]
pub fn transform_rows<N: Size>(
    attended: &Tensor<Vector<bf16, N>>,
    input: &Tensor<Vector<bf16, N>>,
    weights: &Tensor<bf16>,
    parameters: &Tensor<Vector<f32, N>>,
    states: &mut Tensor<Vector<bf16, N>>,
    next: &mut Tensor<Vector<bf16, N>>,
    looks: &mut Tensor<Vector<bf16, N>>,
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
    #[comptime] gates: usize,
    #[comptime] goes_on: bool,
    #[comptime] adds_input: bool,
) {
    // All counted in vectors of eight numbers.
    let across = comptime!(width / 8);
    let half = comptime!(width / 16);
    let narrow = comptime!(width / 8 + 1);
    let attended_across = comptime!(3 * heads);
    let widest = comptime!(if 3 * heads > gates / 8 { 3 * heads + 1 } else { gates / 8 + 1 });
    let mut rows = SharedMemory::<Vector<bf16, N>>::new_aligned(comptime!(PLANES * ROWS * (width / 8 + 1)), 128usize);
    let mut wide = SharedMemory::<Vector<bf16, N>>::new_aligned(
        comptime!(PLANES * ROWS * if 3 * heads > gates / 8 { 3 * heads + 1 } else { gates / 8 + 1 }),
        128usize,
    );
    let mut sums = SharedMemory::<Vector<f32, N>>::new_aligned(comptime!(PLANES * ROWS * (width / 8 + 1)), 128usize);
    let mut squares = SharedMemory::<f32>::new(comptime!(32 * PLANES));
    let row_room = comptime!(PLANES * ROWS * (width / 8 + 1));
    let wide_room = comptime!(PLANES * ROWS * if 3 * heads > gates / 8 { 3 * heads + 1 } else { gates / 8 + 1 });
    let plane = (UNIT_POS / 32) as usize;
    let lane = (UNIT_POS % 32) as usize;
    let first_row = (CUBE_POS * PLANES + plane) * ROWS;
    let own_rows = plane * comptime!(ROWS * (width / 8 + 1));
    let own_wide = plane * ROWS * widest;
    // Each unit takes half a row where rows are taken one by one.
    let row = lane / 2;
    let own_half = own_rows + row * narrow + lane % 2 * half;

    for part in 0..comptime!(ROWS * width / 256) {
        let place = part * 32 + lane;
        rows[own_rows + place / across * narrow + place % across] = input[first_row * across + place];
    }
    for part in 0..comptime!((ROWS * 3 * heads).div_ceil(32)) {
        let place = part * 32 + lane;
        if place < comptime!(ROWS * 3 * heads) {
            wide[own_wide + place / attended_across * widest + place % attended_across] =
                attended[first_row * attended_across + place];
        }
    }
    sync_plane();

    let attended_inputs = inputs_of::<N>(&wide, own_wide, widest, comptime!(heads * 3 / 2), wide_room);
    for right in 0..comptime!(width / 16) {
        let sum = square_of(&attended_inputs, weights, attended_start as usize, right, comptime!(heads * 3 / 2));
        cmma::store(
            &mut sums.slice_mut(own_rows + right * 2, row_room),
            &sum,
            comptime!(8 * (width / 8 + 1) as u32),
            cmma::MatrixLayout::RowMajor,
        );
    }
    sync_plane();
    let gain = first_gain as usize / 8 + lane % 2 * half;
    add_and_normalize::<N>(&sums, own_half, &mut rows, own_half, &mut squares, parameters, gain, inverse_width, half);

    let middle = inputs_of::<N>(&rows, own_rows, narrow, comptime!(width / 16), row_room);
    for right in 0..comptime!(gates / 16) {
        let gate = square_of(&middle, weights, gate_start as usize, right, comptime!(width / 16));
        let value =
            square_of(&middle, weights, gate_start as usize, right + comptime!(gates / 16), comptime!(width / 16));
        // A pair of squares side by side where the sums were.
        cmma::store(
            &mut sums.slice_mut(own_rows, row_room),
            &gate,
            comptime!(8 * (width / 8 + 1) as u32),
            cmma::MatrixLayout::RowMajor,
        );
        cmma::store(
            &mut sums.slice_mut(own_rows + 2, row_room),
            &value,
            comptime!(8 * (width / 8 + 1) as u32),
            cmma::MatrixLayout::RowMajor,
        );
        sync_plane();
        let place = own_rows + row * narrow + lane % 2;
        let one = Vector::<f32, N>::new(1.0f32);
        let gate = sums[place];
        let value = sums[place + 2];
        let closed = Vector::<f32, N>::exp(Vector::<f32, N>::new(0.0f32) - gate);
        wide[own_wide + row * widest + right * 2 + lane % 2] =
            Vector::<bf16, N>::cast_from(gate / (one + closed) * value);
        sync_plane();
    }

    let gated = inputs_of::<N>(&wide, own_wide, widest, comptime!(gates / 16), wide_room);
    for right in 0..comptime!(width / 16) {
        let sum = square_of(&gated, weights, down_start as usize, right, comptime!(gates / 16));
        cmma::store(
            &mut sums.slice_mut(own_rows + right * 2, row_room),
            &sum,
            comptime!(8 * (width / 8 + 1) as u32),
            cmma::MatrixLayout::RowMajor,
        );
    }
    sync_plane();
    let gain = second_gain as usize / 8 + lane % 2 * half;
    add_and_normalize::<N>(&sums, own_half, &mut rows, own_half, &mut squares, parameters, gain, inverse_width, half);
    let place = (first_row + row) * across + lane % 2 * half;
    if comptime!(!goes_on || adds_input) {
        #[unroll]
        for part in 0..half {
            states[place + part] = rows[own_half + part];
        }
    }
    if comptime!(goes_on) {
        #[unroll]
        for part in 0..half {
            if comptime!(adds_input) {
                let more = parameters[input_start as usize / 8 + lane % 2 * half + part];
                let value = Vector::<f32, N>::cast_from(rows[own_half + part]) + more;
                rows[own_half + part] = Vector::<bf16, N>::cast_from(value);
            }
            next[place + part] = rows[own_half + part];
        }
        sync_plane();
        let begun = inputs_of::<N>(&rows, own_rows, narrow, comptime!(width / 16), row_room);
        for right in 0..comptime!(heads * 9 / 2) {
            let sum = square_of(&begun, weights, attention_start as usize, right, comptime!(width / 16));
            cmma::store(
                &mut sums.slice_mut(own_rows, row_room),
                &sum,
                comptime!(8 * (width / 8 + 1) as u32),
                cmma::MatrixLayout::RowMajor,
            );
            sync_plane();
            let value = sums[own_rows + row * narrow + lane % 2];
            looks[(first_row + row) * comptime!(9 * heads) + right * 2 + lane % 2] =
                Vector::<bf16, N>::cast_from(value);
            sync_plane();
        }
    }
}
