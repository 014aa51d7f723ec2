//! Batch normalisation of the planes of a board.

use super::init::zeros;
use crate::onnx::{GraphBuilder, Value};
use burn::module::{Module, Param, RunningState};
use burn::tensor::Tensor;
use burn::tensor::backend::Backend;

/// Added to the variance to avoid division by zero; the value of Keras.
const EPSILON: f64 = 1e-3;

/// Batch normalisation: each plane is normalised to mean 0 and variance 1, then scaled and shifted
/// by learned values.
///
/// Training uses the mean and variance of the batch and updates their running averages. Inference
/// uses the running averages.
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
    /// Creates a layer with the settings of Keras: momentum 0.99, ε 0.001.
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
                self.update_average(&self.mean, mean.clone());
                self.update_average(&self.variance, variance.clone());
                (mean, variance)
            }
        };
        let scale = self.scale.val().unsqueeze() / (variance + self.epsilon).sqrt();
        (board - mean) * scale + self.shift.val().unsqueeze()
    }

    fn update_average(&self, running: &RunningState<Tensor<B, 1>>, batch: Tensor<B, 3>) {
        let planes = batch.dims()[2];
        let batch = batch.detach().reshape([planes]);
        running
            .update(running.value_sync().detach() * self.momentum + batch * (1.0 - self.momentum));
    }
}

/// Adds the layer to an ONNX graph, with its weights and running averages.
pub(crate) fn add_to_graph(graph: &mut GraphBuilder<'_>, board: &Value, name: &str) -> Value {
    let [scale, shift, mean, variance] =
        ["scale", "shift", "mean", "variance"].map(|part| graph.weight(&format!("{name}.{part}")));
    let epsilon = graph.constant(&[1], vec![EPSILON as f32]);
    let variance = graph.binary("Add", &variance, &epsilon);
    let deviation = graph.unary("Sqrt", &variance);
    let scale = graph.binary("Div", &scale, &deviation);
    let board = graph.binary("Sub", board, &mean);
    let board = graph.binary("Mul", &board, &scale);
    graph.binary("Add", &board, &shift)
}

/// Averages over cells, then over the batch: many short sums are faster than a few long ones.
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
    fn training_uses_the_batch_and_inference_the_running_averages() {
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
        // Running averages: mean 0.99·0 + 0.01·2, variance 0.99·1 + 0.01·1.
        let inference = layer.valid();
        let found = values(inference.forward(Tensor::from_data([[[0.02 + 2.0]]], &device)));
        assert!((found[0] - 2.0 * small).abs() < 1e-5, "{found:?}");
    }
}
