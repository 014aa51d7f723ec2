//! Batch normalisation of the planes of a board.

use super::init::zeros;
use crate::onnx::{Drawing, Value};
use burn::module::{Module, Param, RunningState};
use burn::tensor::Tensor;
use burn::tensor::backend::Backend;

/// What keeps a variance of zero from dividing, as in Keras.
const EPSILON: f64 = 1e-3;

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
            epsilon: EPSILON,
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
        running
            .update(running.value_sync().detach() * self.momentum + batch * (1.0 - self.momentum));
    }
}

/// Draws the layer with the weights of this name as it answers, with its running mean and variance.
pub(crate) fn draw(drawing: &mut Drawing<'_>, board: &Value, name: &str) -> Value {
    let [scale, shift, mean, variance] = ["scale", "shift", "mean", "variance"]
        .map(|part| drawing.weight(&format!("{name}.{part}")));
    let epsilon = drawing.constant(&[1], vec![EPSILON as f32]);
    let variance = drawing.two("Add", &variance, &epsilon);
    let deviation = drawing.one("Sqrt", &variance);
    let scale = drawing.two("Div", &scale, &deviation);
    let board = drawing.two("Sub", board, &mean);
    let board = drawing.two("Mul", &board, &scale);
    drawing.two("Add", &board, &shift)
}

/// The mean over cells, then over the batch: two short sums in many places are quicker than one long one in few.
fn mean_of_planes<B: Backend>(board: Tensor<B, 3>) -> Tensor<B, 3> {
    board.mean_dim(1).mean_dim(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::TrainingCpu;
    use burn::module::AutodiffModule;

    fn values<B: Backend, const D: usize>(tensor: Tensor<B, D>) -> Vec<f32> {
        tensor.into_data().convert::<f32>().into_vec().unwrap()
    }

    #[test]
    fn batch_normalisation_uses_the_batch_while_learning_and_its_memory_afterwards() {
        let device = Default::default();
        let layer: BatchNorm<TrainingCpu> = BatchNorm::new(1, &device);
        // Mean 2, variance 1.
        let board: Tensor<TrainingCpu, 3> =
            Tensor::from_data([[[1.0], [3.0]], [[3.0], [1.0]]], &device);
        let small = 1.0 / 1.001f32.sqrt();
        for (found, expected) in
            values(layer.forward(board)).into_iter().zip([-small, small, small, -small])
        {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
        // Memory: mean 0.99·0 + 0.01·2, variance 0.99·1 + 0.01·1.
        let answering = layer.valid();
        let found = values(answering.forward(Tensor::from_data([[[0.02 + 2.0]]], &device)));
        assert!((found[0] - 2.0 * small).abs() < 1e-5, "{found:?}");
    }
}
