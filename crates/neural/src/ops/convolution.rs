//! Convolutions over the 3×3 neighbourhood of every cell.

use super::dense::Dense;
use super::im2col::{Im2col, im2col};
use super::init::{glorot, zeros};
use crate::onnx::{GraphBuilder, Value};
use burn::module::Module;
use burn::tensor::Tensor;
use burn::tensor::backend::Backend;
use ninefold::grid::Order;
use ninefold::random::Random;

/// A convolution over the 3×3 neighbourhood of every cell, with zeros beyond the edge ("same"
/// padding).
///
/// The neighbourhoods are gathered into rows (im2col) and multiplied as one matrix, which is the
/// fastest method for a board this small. Row `neighbour · planes + plane` of the weight belongs to
/// one plane of one neighbour, with neighbours in reading order, as in a Keras kernel.
#[derive(Module, Debug)]
pub struct Convolution<B: Backend> {
    /// The dense layer that is applied to the gathered neighbourhoods.
    pub dense: Dense<B>,
    side: usize,
}

impl<B: Backend> Convolution<B> {
    /// Creates an untrained layer.
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
    /// Maps `[batch, cells, in]` to `[batch, cells, filters]`.
    pub fn forward(&self, board: Tensor<B, 3>) -> Tensor<B, 3> {
        let [batch, cells, planes] = board.dims();
        let gathered = im2col(board, self.side); // [batch, cells · 9, in]
        let filters = self.dense.bias.dims()[0];
        self.dense
            .forward(gathered.reshape([batch * cells, 9 * planes]))
            .reshape([batch, cells, filters])
    }
}

/// Adds the convolution with the weights of this name to an ONNX graph: `[batch, cells, planes]` to
/// `[batch, cells, filters]`.
pub(crate) fn add_to_graph(
    graph: &mut GraphBuilder<'_>,
    board: &Value,
    name: &str,
    order: Order,
    planes: usize,
) -> Value {
    let (side, cells) = (order.side() as i64, order.cell_count() as i64);
    // Neighbours beyond the edge refer to one extra cell of zeros at the end.
    let beyond = graph.integers(vec![0, 0, 0, 0, 1, 0]);
    let board = graph.node("Pad", &[board, &beyond], &[]);
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
    let places = graph.integers(places);
    let gathered = graph.gather(&board, &places, 1); // [batch, cells · 9, planes]
    let gathered = graph.reshape(&gathered, &[-1, cells, 9 * planes as i64]);
    graph.dense(&gathered, &format!("{name}.dense"))
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
    fn convolution_pads_with_zeros_at_the_edge() {
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
        // r1c1 is the centre (5) of its own neighbourhood, the left neighbour (4) of r1c2,
        // the upper (2) of r2c1 and the upper left (1) of r2c2.
        let mut expected = [0.5f32; 16];
        (expected[0], expected[1], expected[4], expected[5]) = (5.5, 4.5, 2.5, 1.5);
        assert_eq!(answer, expected);
    }
}
