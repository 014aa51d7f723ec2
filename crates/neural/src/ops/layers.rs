//! Layers the models share, for boards in the shape `[batch, cells, planes]`.
//!
//! A layer starts as Keras starts it, because both papers used Keras: weights are drawn evenly between ±√(6 / (in +
//! out)) (Glorot), biases are zero. The draws come from our own random numbers, so they are the same on every device.

use super::im2col;
use crate::device::Engine;
use burn::module::{Module, Param, RunningState};
use burn::tensor::backend::Backend;
use burn::tensor::{Tensor, TensorData};
use ninefold::grid::Order;
use ninefold::random::Random;

/// A fully connected layer on the last axis.
#[derive(Module, Debug)]
pub struct Dense<B: Backend> {
    /// `[in, out]`
    pub weight: Param<Tensor<B, 2>>,
    /// `[out]`
    pub bias: Param<Tensor<B, 1>>,
}

impl<B: Backend> Dense<B> {
    /// A layer that has learned nothing yet.
    pub fn new(inputs: usize, outputs: usize, random: &mut Random, device: &B::Device) -> Dense<B> {
        Dense { weight: glorot([inputs, outputs], inputs + outputs, random, device), bias: zeros(outputs, device) }
    }

    /// As many layers as there are heads, side by side in one matrix; each starts as a layer of its own would.
    pub fn heads(heads: usize, inputs: usize, outputs: usize, random: &mut Random, device: &B::Device) -> Dense<B> {
        let weight = glorot([inputs, heads * outputs], inputs + outputs, random, device);
        Dense { weight, bias: zeros(heads * outputs, device) }
    }

    /// `[rows, in]` to `[rows, out]`.
    pub fn forward(&self, input: Tensor<B, 2>) -> Tensor<B, 2> {
        input.matmul(self.weight.val()) + self.bias.val().unsqueeze()
    }

    /// `[batch, cells, in]` to `[batch, cells, out]`: the same layer for every cell.
    pub fn on_cells(&self, board: Tensor<B, 3>) -> Tensor<B, 3> {
        let [batch, cells, planes] = board.dims();
        let outputs = self.bias.dims()[0];
        self.forward(board.reshape([batch * cells, planes])).reshape([batch, cells, outputs])
    }
}

/// A convolution over the 3×3 surroundings of every cell; beyond the edge everything is zero ("same" padding).
///
/// The surroundings are gathered into rows and multiplied as one matrix, which is the fastest way for a board this
/// small. The weight of a plane of a neighbour stands in row `neighbour · planes + plane`, neighbours in reading order,
/// which is the order of a Keras kernel too.
#[derive(Module, Debug)]
pub struct Convolution<B: Backend> {
    /// The product over the gathered surroundings.
    pub dense: Dense<B>,
    side: usize,
}

impl<B: Backend> Convolution<B> {
    /// A layer that has learned nothing yet.
    pub fn new(order: Order, inputs: usize, filters: usize, random: &mut Random, device: &B::Device) -> Self {
        let dense = Dense {
            weight: glorot([9 * inputs, filters], 9 * (inputs + filters), random, device),
            bias: zeros(filters, device),
        };
        Convolution { dense, side: order.side() }
    }
}

impl<B: Engine> Convolution<B> {
    /// `[batch, cells, in]` to `[batch, cells, filters]`.
    pub fn forward(&self, board: Tensor<B, 3>) -> Tensor<B, 3> {
        let [batch, cells, planes] = board.dims();
        let gathered = im2col::gather(board, self.side); // [batch, cells · 9, in]
        let filters = self.dense.bias.dims()[0];
        self.dense.forward(gathered.reshape([batch * cells, 9 * planes])).reshape([batch, cells, filters])
    }
}

/// Batch normalisation: each plane is brought to mean 0 and variance 1, then scaled and shifted as learned.
///
/// While learning, mean and variance are those of the batch, and a running average of them is kept for answering.
#[derive(Module, Debug)]
pub struct BatchNorm<B: Backend> {
    /// The learned scale of each plane.
    pub scale: Param<Tensor<B, 1>>,
    /// The learned shift of each plane.
    pub shift: Param<Tensor<B, 1>>,
    /// The running mean of each plane.
    pub mean: RunningState<Tensor<B, 1>>,
    /// The running variance of each plane.
    pub variance: RunningState<Tensor<B, 1>>,
    momentum: f64,
    epsilon: f64,
}

impl<B: Backend> BatchNorm<B> {
    /// A layer with the settings of Keras: momentum 0.99, ε 0.001.
    pub fn new(planes: usize, device: &B::Device) -> BatchNorm<B> {
        BatchNorm {
            scale: Param::from_tensor(Tensor::ones([planes], device)),
            shift: zeros(planes, device),
            mean: RunningState::new(Tensor::zeros([planes], device)),
            variance: RunningState::new(Tensor::ones([planes], device)),
            momentum: 0.99,
            epsilon: 1e-3,
        }
    }

    /// `[batch, cells, planes]`, shape unchanged.
    pub fn forward(&self, board: Tensor<B, 3>) -> Tensor<B, 3> {
        let (mean, variance) = match B::ad_enabled(&board.device()) {
            false => (self.mean.value_sync().unsqueeze(), self.variance.value_sync().unsqueeze()),
            true => {
                let mean = mean_of_planes(board.clone()); // [1, 1, planes]
                let variance = mean_of_planes((board.clone() - mean.clone()).powi_scalar(2));
                self.remember(&self.mean, mean.clone());
                self.remember(&self.variance, variance.clone());
                (mean, variance)
            }
        };
        let scale = self.scale.val().unsqueeze() / (variance + self.epsilon).sqrt();
        (board - mean) * scale + self.shift.val().unsqueeze()
    }

    fn remember(&self, running: &RunningState<Tensor<B, 1>>, batch: Tensor<B, 3>) {
        let planes = batch.dims()[2];
        let batch = batch.detach().reshape([planes]);
        running.update(running.value_sync().detach() * self.momentum + batch * (1.0 - self.momentum));
    }
}

/// The mean over cells, then over the batch: two short sums in many places are quicker than one long one in few.
fn mean_of_planes<B: Backend>(board: Tensor<B, 3>) -> Tensor<B, 3> {
    board.mean_dim(1).mean_dim(0)
}

/// Weights of a layer with so many inputs and outputs in all, as Glorot draws them.
pub fn glorot<B: Backend, const D: usize>(
    shape: [usize; D],
    fans: usize,
    random: &mut Random,
    device: &B::Device,
) -> Param<Tensor<B, D>> {
    evenly(shape, (6.0 / fans as f64).sqrt(), random, device)
}

/// Weights drawn evenly between plus and minus the limit.
pub fn evenly<B: Backend, const D: usize>(
    shape: [usize; D],
    limit: f64,
    random: &mut Random,
    device: &B::Device,
) -> Param<Tensor<B, D>> {
    let draw = |_| ((random.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0) * limit;
    let values: Vec<f32> = (0..shape.iter().product()).map(draw).map(|value| value as f32).collect();
    Param::from_tensor(Tensor::from_data(TensorData::new(values, shape), device))
}

fn zeros<B: Backend>(width: usize, device: &B::Device) -> Param<Tensor<B, 1>> {
    Param::from_tensor(Tensor::zeros([width], device))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{Cpu, TrainingCpu};
    use burn::module::AutodiffModule;

    fn values<B: Backend, const D: usize>(tensor: Tensor<B, D>) -> Vec<f32> {
        tensor.into_data().convert::<f32>().into_vec().unwrap()
    }

    #[test]
    fn a_dense_layer_multiplies_and_adds() {
        let device = Default::default();
        let layer: Dense<Cpu> = Dense {
            weight: Param::from_data([[1.0, 2.0], [3.0, 4.0]], &device),
            bias: Param::from_data([10.0, 20.0], &device),
        };
        // (1, 1)·W + b and (2, 0)·W + b.
        assert_eq!(values(layer.forward(Tensor::from_data([[1.0, 1.0], [2.0, 0.0]], &device))), [14., 26., 12., 24.]);
        let board = Tensor::from_data([[[1.0, 1.0]], [[2.0, 0.0]]], &device);
        assert_eq!(values(layer.on_cells(board)), [14., 26., 12., 24.]);
    }

    #[test]
    fn a_convolution_sees_its_neighbours_and_nothing_beyond_the_edge() {
        let device = Default::default();
        // Weights 1, 2, …, 9 in reading order, and one 1 in the corner r1c1 of a 4×4 board.
        let weights: Vec<f32> = (1..=9).map(|weight| weight as f32).collect();
        let mut layer: Convolution<Cpu> = Convolution::new(Order::FOUR, 1, 1, &mut Random::new(1), &device);
        layer.dense.weight = Param::from_data(TensorData::new(weights, [9, 1]), &device);
        layer.dense.bias = Param::from_data([0.5], &device);
        let mut board = [0f32; 16];
        board[0] = 1.0;
        let answer = values(layer.forward(Tensor::from_data(TensorData::new(board.to_vec(), [1, 16, 1]), &device)));
        // The corner is the middle (5) of itself, the left (4) of r1c2, above (2) r2c1 and above left (1) of r2c2.
        let mut expected = [0.5f32; 16];
        (expected[0], expected[1], expected[4], expected[5]) = (5.5, 4.5, 2.5, 1.5);
        assert_eq!(answer, expected);
    }

    #[test]
    fn batch_normalisation_uses_the_batch_while_learning_and_its_memory_afterwards() {
        let device = Default::default();
        let layer: BatchNorm<TrainingCpu> = BatchNorm::new(1, &device);
        // Mean 2, variance 1.
        let board: Tensor<TrainingCpu, 3> = Tensor::from_data([[[1.0], [3.0]], [[3.0], [1.0]]], &device);
        let small = 1.0 / 1.001f32.sqrt();
        for (found, expected) in values(layer.forward(board)).into_iter().zip([-small, small, small, -small]) {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
        // Memory: mean 0.99·0 + 0.01·2, variance 0.99·1 + 0.01·1.
        let answering = layer.valid();
        let found = values(answering.forward(Tensor::from_data([[[0.02 + 2.0]]], &device)));
        assert!((found[0] - 2.0 * small).abs() < 1e-5, "{found:?}");
    }

    #[test]
    fn first_weights_lie_within_their_limit_and_fill_it() {
        let layer: Dense<Cpu> = Dense::new(50, 100, &mut Random::new(3), &Default::default());
        let weights = values(layer.weight.val());
        let limit = (6.0f32 / 150.0).sqrt();
        assert!(weights.iter().all(|weight| weight.abs() <= limit));
        assert!(weights.iter().any(|&weight| weight > 0.99 * limit));
        assert!(weights.iter().any(|&weight| weight < -0.99 * limit));
        assert!((weights.iter().sum::<f32>() / 5000.0).abs() < 0.01 * limit.max(1.0));
    }
}
