//! Products of rows and weights as kernels, on the matrix units of a card.
//!
//! Rows and weights are bf16, sums are f32. A cube of eight planes takes 32 rows; each plane works on squares of 16 × 16 of
//! what comes out, which are gathered in shared memory, and then all units write them out side by side. The gradient of a weight is a
//! sum over all nodes: the nodes are divided into chunks, each of which has its own sums, so no two planes write to one place.

use burn::tensor::bf16;
use cubecl::cmma;
use cubecl::prelude::*;

/// rows · weightᵀ (+ more); backward: rows · weight (+ more). `columns` is the number of columns of the weight.
#[cube(launch)]
pub fn rows_product(
    rows: &Tensor<bf16>,
    weights: &Tensor<bf16>,
    more: &Tensor<bf16>,
    out: &mut Tensor<bf16>,
    start: u32,
    #[comptime] inner: usize,
    #[comptime] outer: usize,
    #[comptime] columns: usize,
    #[comptime] is_backward: bool,
    #[comptime] has_more: bool,
) {
    let mut squares = SharedMemory::<f32>::new(comptime!(32 * outer));
    let plane = (UNIT_POS / 32) as usize;
    let first_row = CUBE_POS * 32;
    let weight = start as usize;
    let across = comptime!(outer / 16);
    let count = comptime!(2 * (outer / 16));
    let rounds = comptime!((2 * (outer / 16)).div_ceil(8));
    for round in 0..rounds {
        let square = round * 8 + plane;
        if square < count {
            let down = square / across;
            let right = square % across;
            let sum = cmma::Matrix::<f32>::from_value(
                cmma::MatrixIdent::Accumulator,
                16usize,
                16usize,
                16usize,
                cmma::MatrixLayout::Undefined,
                0.0f32,
            );
            let row = (first_row + down * 16) * inner;
            #[unroll]
            for step in 0..comptime!(inner / 16) {
                let a_place = row + step * 16;
                let a = cmma::Matrix::<bf16>::from_slice(
                    cmma::MatrixIdent::A,
                    16usize,
                    16usize,
                    16usize,
                    cmma::MatrixLayout::RowMajor,
                    &rows.slice(a_place, rows.len()),
                    comptime!(inner as u32),
                );
                if comptime!(is_backward) {
                    let b_place = weight + step * 16 * columns + right * 16;
                    let b = cmma::Matrix::<bf16>::from_slice(
                        cmma::MatrixIdent::B,
                        16usize,
                        16usize,
                        16usize,
                        cmma::MatrixLayout::RowMajor,
                        &weights.slice(b_place, weights.len()),
                        comptime!(columns as u32),
                    );
                    cmma::execute::<bf16, bf16, f32, f32>(&a, &b, &sum, &sum);
                } else {
                    let b_place = weight + right * 16 * columns + step * 16;
                    let b = cmma::Matrix::<bf16>::from_slice(
                        cmma::MatrixIdent::B,
                        16usize,
                        16usize,
                        16usize,
                        cmma::MatrixLayout::ColMajor,
                        &weights.slice(b_place, weights.len()),
                        comptime!(columns as u32),
                    );
                    cmma::execute::<bf16, bf16, f32, f32>(&a, &b, &sum, &sum);
                }
            }
            cmma::store(
                &mut squares.slice_mut(down * 16 * outer + right * 16, comptime!(32 * outer)),
                &sum,
                comptime!(outer as u32),
                cmma::MatrixLayout::RowMajor,
            );
        }
    }
    sync_cube();
    let begin = first_row * outer;
    for part in 0..comptime!(32 * outer / 256) {
        let place = part * 256 + UNIT_POS as usize;
        let mut value = squares[place];
        if comptime!(has_more) {
            value += f32::cast_from(more[begin + place]);
        }
        out[begin + place] = bf16::cast_from(value);
    }
}

/// Adds gradientᵀ · rows to the sums of each chunk: `[chunks, parameters]`.
#[cube(launch)]
pub fn weight_product(
    rows: &Tensor<bf16>,
    gradient: &Tensor<bf16>,
    sums: &mut Tensor<f32>,
    nodes: u32,
    start: u32,
    parameters: u32,
    chunks: u32,
    #[comptime] inner: usize,
    #[comptime] outer: usize,
) {
    let plane = (UNIT_POS / 32) as usize;
    let across = comptime!(inner / 16);
    let count = comptime!((inner / 16) * (outer / 16));
    let groups = comptime!(((inner / 16) * (outer / 16)).div_ceil(8));
    let chunk = CUBE_POS / groups;
    let square = (CUBE_POS % groups) * 8 + plane;
    if square < count {
        let down = square / across * 16;
        let right = square % across * 16;
        let place = chunk * parameters as usize + start as usize + down * inner + right;
        let sum = cmma::Matrix::<f32>::from_value(
            cmma::MatrixIdent::Accumulator,
            16usize,
            16usize,
            16usize,
            cmma::MatrixLayout::Undefined,
            0.0f32,
        );
        cmma::load_with_layout(
            &sum,
            &sums.slice(place, sums.len()),
            comptime!(inner as u32),
            cmma::MatrixLayout::RowMajor,
        );
        let steps = nodes as usize / 16;
        let share = (steps + chunks as usize - 1) / chunks as usize;
        let first = chunk * share;
        let last = min(first + share, steps);
        for step in first..last {
            let a = cmma::Matrix::<bf16>::from_slice(
                cmma::MatrixIdent::A,
                16usize,
                16usize,
                16usize,
                cmma::MatrixLayout::ColMajor,
                &gradient.slice(step * 16 * outer + down, gradient.len()),
                comptime!(outer as u32),
            );
            let b = cmma::Matrix::<bf16>::from_slice(
                cmma::MatrixIdent::B,
                16usize,
                16usize,
                16usize,
                cmma::MatrixLayout::RowMajor,
                &rows.slice(step * 16 * inner + right, rows.len()),
                comptime!(inner as u32),
            );
            cmma::execute::<bf16, bf16, f32, f32>(&a, &b, &sum, &sum);
        }
        cmma::store(
            &mut sums.slice_mut(place, sums.len()),
            &sum,
            comptime!(inner as u32),
            cmma::MatrixLayout::RowMajor,
        );
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
