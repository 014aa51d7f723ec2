//! Products of rows and weights as kernels, on the matrix units of a card.
//!
//! Rows and weights are bf16, sums are f32. Squares of 16 × 16 numbers that a matrix unit takes are expensive to read where their lines
//! lie far apart: eight lines touch eight cache lines. So
//! - weights lie square by square in the card's memory ([`SQUARE`]);
//! - rows are read in one piece and staged in shared memory, each followed by eight numbers that are not used, so that lines of a square
//!   begin in different banks;
//! - a plane keeps the squares of its rows in registers and meets every square of the weight once.
//!
//! The gradient of a weight is a sum over all nodes: the nodes are divided into chunks, each of which has its own sums, so no two planes
//! write to one place.

use burn::tensor::bf16;
use cubecl::cmma;
use cubecl::prelude::*;

/// Numbers of a square.
pub(super) const SQUARE: usize = 256;

/// Planes of a cube of [`rows_product`].
pub(super) const ROW_PLANES: usize = 4;

/// Nodes that [`weight_product`] stages at a time.
const STAGED: usize = 32;

/// rows · weightᵀ (+ more); backward: rows · weight (+ more). `columns` is the number of columns of the weight. A plane takes
/// `tiles` times 16 rows.
#[cube(launch)]
pub fn rows_product<N: Size>(
    rows: &Tensor<Vector<bf16, N>>,
    weights: &Tensor<bf16>,
    more: &Tensor<Vector<bf16, N>>,
    out: &mut Tensor<Vector<bf16, N>>,
    start: u32,
    #[comptime] inner: usize,
    #[comptime] outer: usize,
    #[comptime] columns: usize,
    #[comptime] tiles: usize,
    #[comptime] is_backward: bool,
    #[comptime] has_more: bool,
) {
    let across = comptime!(inner / 8);
    let stride = comptime!(inner / 8 + 1);
    let room = comptime!(16 * tiles * (inner / 8 + 1));
    let steps = comptime!(inner / 16);
    let mut staged = SharedMemory::<Vector<bf16, N>>::new_aligned(comptime!(ROW_PLANES * room), 128usize);
    let mut squares = SharedMemory::<Vector<f32, N>>::new_aligned(comptime!(ROW_PLANES * SQUARE / 8), 128usize);
    let plane = (UNIT_POS / 32) as usize;
    let lane = (UNIT_POS % 32) as usize;
    let first_row = (CUBE_POS * ROW_PLANES + plane) * comptime!(16 * tiles);
    for part in 0..comptime!(tiles * inner / 16) {
        let place = part * 32 + lane;
        staged[plane * room + place / across * stride + place % across] = rows[first_row * across + place];
    }
    sync_plane();
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
            let place = plane * room + comptime!(tile * 16 * stride + step * 2);
            cmma::load(&input, &staged.slice(place, comptime!(ROW_PLANES * room)), comptime!(8 * stride as u32));
            inputs.push(input);
        }
    }
    for right in 0..comptime!(outer / 16) {
        let mut sums = Sequence::<cmma::Matrix<f32>>::new();
        #[unroll]
        for _ in 0..tiles {
            sums.push(cmma::Matrix::<f32>::from_value(
                cmma::MatrixIdent::Accumulator,
                16usize,
                16usize,
                16usize,
                cmma::MatrixLayout::Undefined,
                0.0f32,
            ));
        }
        #[unroll]
        for step in 0..steps {
            let mut square = right * comptime!(columns / 16) + step;
            if comptime!(is_backward) {
                square = step * comptime!(columns / 16) + right;
            }
            let place = start as usize + square * SQUARE;
            let weight = cmma::Matrix::<bf16>::from_slice(
                cmma::MatrixIdent::B,
                16usize,
                16usize,
                16usize,
                comptime!(if is_backward { cmma::MatrixLayout::RowMajor } else { cmma::MatrixLayout::ColMajor }),
                &weights.slice(place, weights.len()),
                16u32,
            );
            #[unroll]
            for tile in 0..tiles {
                let sum = sums.index(tile);
                let input = inputs.index(comptime!(tile * steps + step));
                cmma::execute::<bf16, bf16, f32, f32>(input, &weight, sum, sum);
            }
        }
        #[unroll]
        for tile in 0..tiles {
            let own = plane * comptime!(SQUARE / 8);
            cmma::store(
                &mut squares.slice_mut(own, comptime!(ROW_PLANES * SQUARE / 8)),
                sums.index(tile),
                16u32,
                cmma::MatrixLayout::RowMajor,
            );
            sync_plane();
            // Each unit takes half a line.
            let mut value = squares[own + lane];
            let row = first_row + comptime!(tile * 16) + lane / 2;
            let place = row * comptime!(outer / 8) + right * 2 + lane % 2;
            if comptime!(has_more) {
                value = value + Vector::<f32, N>::cast_from(more[place]);
            }
            out[place] = Vector::<bf16, N>::cast_from(value);
            sync_plane();
        }
    }
}

/// Adds gradientᵀ · rows to the sums of each chunk, which has a cube: `[chunks, parameters]`.
#[cube(launch)]
pub fn weight_product<N: Size>(
    rows: &Tensor<Vector<bf16, N>>,
    gradient: &Tensor<Vector<bf16, N>>,
    sums: &mut Tensor<f32>,
    nodes: u32,
    start: u32,
    parameters: u32,
    chunks: u32,
    #[comptime] inner: usize,
    #[comptime] outer: usize,
) {
    let unit = UNIT_POS as usize;
    let plane = unit / 32;
    let row_stride = comptime!(inner / 8 + 1);
    let slope_stride = comptime!(outer / 8 + 1);
    let mut staged = SharedMemory::<Vector<bf16, N>>::new_aligned(comptime!(STAGED * row_stride), 128usize);
    let mut slopes = SharedMemory::<Vector<bf16, N>>::new_aligned(comptime!(STAGED * slope_stride), 128usize);
    let across = comptime!(inner / 16);
    let count = comptime!((inner / 16) * (outer / 16));
    let own = comptime!(((inner / 16) * (outer / 16)).div_ceil(8));
    let mut found = Sequence::<cmma::Matrix<f32>>::new();
    let begin = CUBE_POS * parameters as usize + start as usize;
    #[unroll]
    for index in 0..own {
        let sum = cmma::Matrix::<f32>::from_value(
            cmma::MatrixIdent::Accumulator,
            16usize,
            16usize,
            16usize,
            cmma::MatrixLayout::Undefined,
            0.0f32,
        );
        let square = plane * own + index;
        if square < count {
            let place = begin + square / across * comptime!(16 * inner) + square % across * 16;
            cmma::load_with_layout(
                &sum,
                &sums.slice(place, sums.len()),
                comptime!(inner as u32),
                cmma::MatrixLayout::RowMajor,
            );
        }
        found.push(sum);
    }
    let steps = nodes as usize / STAGED;
    let share = (steps + chunks as usize - 1) / chunks as usize;
    let first = CUBE_POS * share;
    let last = min(first + share, steps);
    for step in first..last {
        sync_cube();
        stage::<N>(rows, &mut staged, step, inner);
        stage::<N>(gradient, &mut slopes, step, outer);
        sync_cube();
        #[unroll]
        for index in 0..own {
            let square = plane * own + index;
            if square < count {
                let down = square / across * 2;
                let right = square % across * 2;
                let sum = found.index(index);
                #[unroll]
                for part in 0..comptime!(STAGED / 16) {
                    let slope = cmma::Matrix::<bf16>::from_value(
                        cmma::MatrixIdent::A,
                        16usize,
                        16usize,
                        16usize,
                        cmma::MatrixLayout::ColMajor,
                        bf16::cast_from(0.0f32),
                    );
                    let place = comptime!(part * 16 * slope_stride) + down;
                    cmma::load(
                        &slope,
                        &slopes.slice(place, comptime!(STAGED * slope_stride)),
                        comptime!(8 * slope_stride as u32),
                    );
                    let row = cmma::Matrix::<bf16>::from_value(
                        cmma::MatrixIdent::B,
                        16usize,
                        16usize,
                        16usize,
                        cmma::MatrixLayout::RowMajor,
                        bf16::cast_from(0.0f32),
                    );
                    let place = comptime!(part * 16 * row_stride) + right;
                    cmma::load(
                        &row,
                        &staged.slice(place, comptime!(STAGED * row_stride)),
                        comptime!(8 * row_stride as u32),
                    );
                    cmma::execute::<bf16, bf16, f32, f32>(&slope, &row, sum, sum);
                }
            }
        }
    }
    #[unroll]
    for index in 0..own {
        let square = plane * own + index;
        if square < count {
            let place = begin + square / across * comptime!(16 * inner) + square % across * 16;
            cmma::store(
                &mut sums.slice_mut(place, sums.len()),
                found.index(index),
                comptime!(inner as u32),
                cmma::MatrixLayout::RowMajor,
            );
        }
    }
}

/// Brings the rows of a step into shared memory.
#[cube]
fn stage<N: Size>(
    rows: &Tensor<Vector<bf16, N>>,
    staged: &mut SharedMemory<Vector<bf16, N>>,
    step: usize,
    #[comptime] width: usize,
) {
    let across = comptime!(width / 8);
    let count = comptime!(STAGED * width / 8);
    for part in 0..comptime!((STAGED * width / 8).div_ceil(256)) {
        let place = part * 256 + UNIT_POS as usize;
        if place < count {
            staged[place / across * comptime!(width / 8 + 1) + place % across] = rows[step * count + place];
        }
    }
}

/// The sum over all chunks for each parameter.
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
