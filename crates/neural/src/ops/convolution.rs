//! Convolutions over the 3×3 neighbourhood of every cell.

use super::dense::Dense;
use super::im2col::{Im2col, im2col};
use super::init::{glorot, zeros};
use crate::onnx::{Drawing, Value};
use burn::module::Module;
use burn::tensor::Tensor;
use burn::tensor::backend::Backend;
use ninefold::grid::Order;
use ninefold::random::Random;

/// A convolution over the 3×3 neighbourhood of every cell; beyond the edge everything is zero ("same" padding).
///
/// The neighbourhoods are gathered into rows (im2col) and multiplied as one matrix, which is the fastest way for a board this
/// small. The weight of a plane of a neighbour stands in row `neighbour · planes + plane`, neighbours in reading order,
/// which is the order of a Keras kernel too.
#[derive(Module, Debug)]
pub struct Convolution<B: Backend> {
    /// The product over the gathered neighbourhoods.
    pub dense: Dense<B>,
    side: usize,
}

impl<B: Backend> Convolution<B> {
    /// A layer that has learned nothing yet.
    pub fn new(
        order: Order,
        inputs: usize,
        filters: usize,
        random: &mut Random,
        device: &B::Device,
    ) -> Self {
        let dense = Dense {
            weight: glorot([9 * inputs, filters], 9 * (inputs + filters), random, device),
            bias: zeros(filters, device),
        };
        Convolution { dense, side: order.side() }
    }
}

impl<B: Im2col> Convolution<B> {
    /// `[batch, cells, in]` to `[batch, cells, filters]`.
    pub fn forward(&self, board: Tensor<B, 3>) -> Tensor<B, 3> {
        let [batch, cells, planes] = board.dims();
        let gathered = im2col(board, self.side); // [batch, cells · 9, in]
        let filters = self.dense.bias.dims()[0];
        self.dense
            .forward(gathered.reshape([batch * cells, 9 * planes]))
            .reshape([batch, cells, filters])
    }
}

/// Draws the convolution with the weights of this name: `[batch, cells, planes]` to `[batch, cells, filters]`.
pub(crate) fn draw(
    drawing: &mut Drawing<'_>,
    board: &Value,
    name: &str,
    order: Order,
    planes: usize,
) -> Value {
    let (side, cells) = (order.side() as i64, order.cell_count() as i64);
    // Beyond the edge everything is zero: there lies one more cell, after all others.
    let beyond = drawing.numbers(vec![0, 0, 0, 0, 1, 0]);
    let board = drawing.node("Pad", &[board, &beyond], &[]);
    let place = |row: i64, column: i64| {
        let is_inside = (0..side).contains(&row) && (0..side).contains(&column);
        if is_inside { row * side + column } else { cells }
    };
    let around = (-1..=1).flat_map(|down| (-1..=1).map(move |right| (down, right)));
    let places = (0..cells)
        .flat_map(|cell| {
            around.clone().map(move |(down, right)| (cell / side + down, cell % side + right))
        })
        .map(|(row, column)| place(row, column))
        .collect();
    let places = drawing.numbers(places);
    let gathered = drawing.gather(&board, &places, 1); // [batch, cells · 9, planes]
    let gathered = drawing.reshape(&gathered, &[-1, cells, 9 * planes as i64]);
    drawing.dense(&gathered, &format!("{name}.dense"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Cpu;
    use burn::module::Param;
    use burn::tensor::TensorData;

    fn values<B: Backend, const D: usize>(tensor: Tensor<B, D>) -> Vec<f32> {
        tensor.into_data().convert::<f32>().into_vec().unwrap()
    }

    #[test]
    fn a_convolution_sees_its_neighbours_and_nothing_beyond_the_edge() {
        let device = Default::default();
        // Weights 1, 2, …, 9 in reading order, and one 1 in the corner r1c1 of a 4×4 board.
        let weights: Vec<f32> = (1..=9).map(|weight| weight as f32).collect();
        let mut layer: Convolution<Cpu> =
            Convolution::new(Order::FOUR, 1, 1, &mut Random::new(1), &device);
        layer.dense.weight = Param::from_data(TensorData::new(weights, [9, 1]), &device);
        layer.dense.bias = Param::from_data([0.5], &device);
        let mut board = [0f32; 16];
        board[0] = 1.0;
        let answer = values(
            layer.forward(Tensor::from_data(TensorData::new(board.to_vec(), [1, 16, 1]), &device)),
        );
        // The corner is the middle (5) of itself, the left (4) of r1c2, above (2) r2c1 and above left (1) of r2c2.
        let mut expected = [0.5f32; 16];
        (expected[0], expected[1], expected[4], expected[5]) = (5.5, 4.5, 2.5, 1.5);
        assert_eq!(answer, expected);
    }
}
