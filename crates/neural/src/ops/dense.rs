//! Fully connected layers for boards of shape `[batch, cells, planes]`.

use super::init::{glorot, zeros};
use super::slices;
use crate::device::Cpu;
use burn::backend::Autodiff;
use burn::module::{Module, Param};
use burn::tensor::backend::Backend;
use burn::tensor::{Tensor, TensorData};
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
    /// Creates an untrained layer.
    pub fn new(inputs: usize, outputs: usize, random: &mut Random, device: &B::Device) -> Dense<B> {
        Dense {
            weight: glorot([inputs, outputs], inputs + outputs, random, device),
            bias: zeros(outputs, device),
        }
    }

    /// Creates several layers in one matrix, side by side. Each is initialised like a separate
    /// layer.
    pub fn heads(
        heads: usize,
        inputs: usize,
        outputs: usize,
        random: &mut Random,
        device: &B::Device,
    ) -> Dense<B> {
        let weight = glorot([inputs, heads * outputs], inputs + outputs, random, device);
        Dense { weight, bias: zeros(heads * outputs, device) }
    }

    /// Maps `[rows, in]` to `[rows, out]`.
    pub fn forward(&self, input: Tensor<B, 2>) -> Tensor<B, 2> {
        input.matmul(self.weight.val()) + self.bias.val().unsqueeze()
    }

    /// Maps `[batch, cells, in]` to `[batch, cells, out]`, with the same layer for every
    /// cell.
    pub fn on_cells(&self, board: Tensor<B, 3>) -> Tensor<B, 3> {
        let [batch, cells, planes] = board.dims();
        let outputs = self.bias.dims()[0];
        self.forward(board.reshape([batch * cells, planes])).reshape([batch, cells, outputs])
    }

    /// Like [`on_cells`](Dense::on_cells), with one product per puzzle. The gradient is then many
    /// short sums instead of one long sum.
    pub fn on_nodes(&self, nodes: Tensor<B, 3>) -> Tensor<B, 3>
    where
        B: AddBias,
    {
        B::add_bias(nodes.matmul(self.weight.val().unsqueeze()), self.bias.val())
    }
}

/// Adding one row to many rows. On the CPU, loops over slices are faster than the tensor library.
pub trait AddBias: Backend {
    /// Adds `bias`, `[width]`, to every row of `[batch, nodes, width]`.
    fn add_bias(rows: Tensor<Self, 3>, bias: Tensor<Self, 1>) -> Tensor<Self, 3> {
        rows + bias.unsqueeze()
    }
}

impl AddBias for Cpu {
    fn add_bias(rows: Tensor<Cpu, 3>, bias: Tensor<Cpu, 1>) -> Tensor<Cpu, 3> {
        let (shape, device, bias) = (rows.dims(), rows.device(), slices::primitive(bias));
        let mut rows: Vec<f32> = rows.into_data().into_vec().expect("CPU tensors are f32");
        let bias = slices::values(&bias);
        for row in rows.chunks_exact_mut(shape[2]) {
            row.iter_mut().zip(&*bias).for_each(|(number, bias)| *number += bias);
        }
        Tensor::from_data(TensorData::new(rows, shape), &device)
    }
}

#[cfg(feature = "cuda")]
impl AddBias for crate::device::Gpu {}

impl<B: AddBias> AddBias for Autodiff<B> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::slices::tests::{Reference, assert_same, tensor};

    impl AddBias for Reference {}

    fn values<B: Backend, const D: usize>(tensor: Tensor<B, D>) -> Vec<f32> {
        tensor.into_data().convert::<f32>().into_vec().unwrap()
    }

    #[test]
    fn dense_layer_computes_product_plus_bias() {
        let device = Default::default();
        let layer: Dense<Cpu> = Dense {
            weight: Param::from_data([[1.0, 2.0], [3.0, 4.0]], &device),
            bias: Param::from_data([10.0, 20.0], &device),
        };
        // (1, 1)·W + b and (2, 0)·W + b.
        assert_eq!(
            values(layer.forward(Tensor::from_data([[1.0, 1.0], [2.0, 0.0]], &device))),
            [14., 26., 12., 24.]
        );
        let board = Tensor::from_data([[[1.0, 1.0]], [[2.0, 0.0]]], &device);
        assert_eq!(values(layer.on_cells(board)), [14., 26., 12., 24.]);
    }

    #[test]
    fn bias_is_added_for_any_memory_layout() {
        fn added<B: AddBias>() -> Tensor<B, 3> {
            B::add_bias(tensor::<B, 3>([2, 5, 3], 1).swap_dims(1, 2), tensor([5], 2))
        }
        assert_same(added::<Cpu>(), added::<Reference>());
    }
}
