//! Tensors of the processor as plain slices, for operations that are loops there.
//!
//! Products are left to the library; its other operations take longer than such a loop where a row is added to many, and
//! where a tensor with several owners is read.

use crate::device::Cpu;
use burn::backend::ndarray::NdArrayTensor;
use burn::tensor::Tensor;
use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2};
use std::borrow::Cow;

/// What lies under a tensor.
pub(crate) fn primitive<const D: usize>(tensor: Tensor<Cpu, D>) -> NdArrayTensor {
    tensor.into_primitive().tensor()
}

/// The numbers of a tensor; those that lie in order are not copied.
pub(crate) fn numbers(tensor: &NdArrayTensor) -> Cow<'_, [f32]> {
    let NdArrayTensor::F32(numbers) = tensor else {
        unreachable!("numbers on the processor are f32")
    };
    let numbers = numbers.view();
    numbers.to_slice().map_or_else(|| Cow::Owned(numbers.iter().copied().collect()), Cow::Borrowed)
}

/// Rows of this width times a matrix, and so much of what is there already.
pub(crate) fn add_product(
    rows: &[f32],
    weight: &[f32],
    share: f32,
    into: &mut [f32],
    width: usize,
) {
    let (count, columns) = (rows.len() / width, weight.len() / width);
    let rows = ArrayView2::from_shape((count, width), rows).expect("all rows have this width");
    let weight = ArrayView2::from_shape((width, columns), weight)
        .expect("a matrix has a row for each number of a row");
    let mut into =
        ArrayViewMut2::from_shape((count, columns), into).expect("there is a product for each row");
    general_mat_mul(1.0, &rows, &weight, share, &mut into);
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use burn::backend::NdArray;
    use burn::tensor::TensorData;
    use burn::tensor::backend::Backend;
    use ninefold::random::Random;

    /// The plain form of every operation, with twice as many bits.
    pub(crate) type Plain = NdArray<f64>;

    pub(crate) fn tensor<B: Backend, const D: usize>(shape: [usize; D], seed: u64) -> Tensor<B, D> {
        let mut random = Random::new(seed);
        let values: Vec<f64> = (0..shape.iter().product())
            .map(|_| random.below(2_001) as f64 / 1_000.0 - 1.0)
            .collect();
        Tensor::from_data(TensorData::new(values, shape), &Default::default())
    }

    pub(crate) fn same<const D: usize>(found: Tensor<Cpu, D>, plain: Tensor<Plain, D>) {
        assert_eq!(found.dims(), plain.dims());
        let (found, plain) = (found.into_data(), plain.into_data());
        for (found, plain) in found.iter::<f64>().zip(plain.iter::<f64>()) {
            assert!(
                (found - plain).abs() < 1e-4 * plain.abs().max(1.0),
                "{found} instead of {plain}"
            );
        }
    }

    #[test]
    fn numbers_come_in_the_order_of_the_tensor_however_they_lie_in_memory() {
        let turned = || tensor::<Cpu, 3>([2, 5, 3], 1).swap_dims(1, 2);
        assert_eq!(
            numbers(&primitive(turned())).to_vec(),
            turned().into_data().into_vec::<f32>().unwrap()
        );
    }
}
