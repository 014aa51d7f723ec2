//! im2col: gathers the 3×3 neighbourhood of each cell, so that a convolution becomes one matrix
//! product.
//!
//! The forward pass is a selection. The gradient of a selection in the tensor library adds rows to
//! the board one by one; on a GPU that is one thread per plane, which iterates over all rows. Here
//! each cell is the left neighbour of at most one cell, and so on for every direction. So the
//! gradient is computed as a selection of the mirrored positions and a sum of nine.

use crate::device::Cpu;
use burn::backend::Autodiff;
use burn::backend::autodiff::checkpoint::base::Checkpointer;
use burn::backend::autodiff::checkpoint::strategy::NoCheckpointing;
use burn::backend::autodiff::grads::Gradients;
use burn::backend::autodiff::ops::{Backward, Ops, OpsKind, unary};
use burn::tensor::backend::Backend;
use burn::tensor::ops::FloatTensor;
use burn::tensor::{Int, Tensor, TensorData, TensorPrimitive};
use ninefold::grid::Cell;

/// Backends that support [`im2col`].
pub trait Im2col: Backend {
    /// [`im2col`] on tensor primitives.
    fn im2col(board: FloatTensor<Self>, side: usize) -> FloatTensor<Self> {
        primitive(select_or_zero::<Self>(tensor(board), places(side)))
    }
}

impl Im2col for Cpu {}

#[cfg(feature = "cuda")]
impl Im2col for crate::device::Gpu {}

impl<B: Im2col> Im2col for Autodiff<B> {
    fn im2col(board: FloatTensor<Self>, side: usize) -> FloatTensor<Self> {
        match Gather.prepare::<NoCheckpointing>([board.node.clone()]).compute_bound().stateful() {
            OpsKind::Tracked(prepared) => prepared.finish(side, B::im2col(board.primitive, side)),
            OpsKind::UnTracked(prepared) => prepared.finish(B::im2col(board.primitive, side)),
        }
    }
}

/// Maps `[batch, cells, planes]` to `[batch, cells · 9, planes]`: for each cell, the nine cells of
/// its neighbourhood in reading order, with zeros beyond the edge.
pub fn im2col<B: Im2col>(board: Tensor<B, 3>, side: usize) -> Tensor<B, 3> {
    tensor(B::im2col(primitive(board), side))
}

#[derive(Debug)]
struct Gather;

impl<B: Backend> Backward<B, 1> for Gather {
    type State = usize;

    fn backward(
        self,
        ops: Ops<usize, 1>,
        gradients: &mut Gradients,
        _checkpointer: &mut Checkpointer,
    ) {
        let side = ops.state;
        unary::<B, _>(ops.parents, ops.node, gradients, |gradient| {
            let gradient: Tensor<B, 3> = tensor(gradient); // [batch, cells · 9, planes]
            let [batch, rows, planes] = gradient.dims();
            let mirrored = select_or_zero(gradient, mirrored_places(side));
            let sum = mirrored.reshape([batch, rows / 9, 9, planes]).sum_dim(2);
            primitive(sum.reshape([batch, rows / 9, planes]))
        });
    }
}

/// Selects rows. The index after the last row selects a row of zeros.
fn select_or_zero<B: Backend>(rows: Tensor<B, 3>, places: Vec<i32>) -> Tensor<B, 3> {
    let ([batch, _, planes], device) = (rows.dims(), rows.device());
    let count = places.len();
    let places: Tensor<B, 1, Int> = Tensor::from_data(TensorData::new(places, [count]), &device);
    Tensor::cat(vec![rows, Tensor::zeros([batch, 1, planes], &device)], 1).select(1, places)
}

/// For each cell, the nine cells of its neighbourhood. Positions beyond the edge have the index
/// after the last cell.
fn places(side: usize) -> Vec<i32> {
    let mut places = Vec::with_capacity(side * side * 9);
    for cell in (0..side * side).map(Cell::new) {
        let (row, column) = (cell.index() / side, cell.index() % side);
        for (down, right) in (0..9).map(|place| (place / 3, place % 3)) {
            let inside =
                (1..=side).contains(&(row + down)) && (1..=side).contains(&(column + right));
            let place =
                if inside { (row + down - 1) * side + column + right - 1 } else { side * side };
            places.push(place as i32);
        }
    }
    places
}

/// For each cell, the nine gathered rows that contain it: if cell `a` has neighbour `n` at `b`,
/// then `b` has `a` as its opposite neighbour `8 - n`.
fn mirrored_places(side: usize) -> Vec<i32> {
    let (places, cells) = (places(side), (side * side) as i32);
    let row = |row: usize| {
        let (cell, neighbour) = (row / 9, row % 9);
        let opposite = places[9 * cell + 8 - neighbour];
        9 * opposite + if opposite < cells { neighbour as i32 } else { 0 }
    };
    (0..places.len()).map(row).collect()
}

fn tensor<B: Backend>(primitive: FloatTensor<B>) -> Tensor<B, 3> {
    Tensor::from_primitive(TensorPrimitive::Float(primitive))
}

fn primitive<B: Backend>(tensor: Tensor<B, 3>) -> FloatTensor<B> {
    tensor.into_primitive().tensor()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::TrainingCpu;

    #[test]
    fn gradient_matches_automatic_differentiation() {
        let device = Default::default();
        for side in [2, 4, 5] {
            let count = side * side * 3;
            let values: Vec<f32> = (0..2 * count).map(|value| (value as f32 * 0.7).sin()).collect();
            let data = TensorData::new(values, [2, side * side, 3]);
            let weights: Vec<f32> =
                (0..2 * 9 * count).map(|value| (value as f32 * 0.3).cos()).collect();
            let weights: Tensor<TrainingCpu, 3> =
                Tensor::from_data(TensorData::new(weights, [2, 9 * side * side, 3]), &device);
            let gradient =
                |gathered: fn(Tensor<TrainingCpu, 3>, usize) -> Tensor<TrainingCpu, 3>| {
                    let board: Tensor<TrainingCpu, 3> =
                        Tensor::from_data(data.clone(), &device).require_grad();
                    let loss = (gathered(board.clone(), side) * weights.clone()).sum();
                    board.grad(&loss.backward()).unwrap().into_data()
                };
            let ours = gradient(im2col);
            let theirs = gradient(|board, side| select_or_zero(board, places(side)));
            ours.assert_approx_eq::<f32>(&theirs, burn::tensor::Tolerance::default());
        }
    }

    #[test]
    fn corner_neighbourhood_is_padded_with_zeros() {
        let board: Tensor<Cpu, 3> =
            Tensor::from_data([[[1.0], [2.0], [3.0], [4.0]]], &Default::default());
        let found: Vec<f32> = im2col(board, 2).into_data().into_vec().unwrap();
        assert_eq!(found[..9], [0., 0., 0., 0., 1., 2., 0., 3., 4.]);
        assert_eq!(found[27..], [1., 2., 0., 3., 4., 0., 0., 0., 0.]);
    }
}
