//! CPU tensors as slices, for operations that are faster as loops.
//!
//! Matrix products stay in the library. Its other operations are slower than a loop if one row is
//! added to many, or if a tensor with several owners is read.

use crate::device::Cpu;
use burn::backend::ndarray::NdArrayTensor;
use burn::tensor::Tensor;
use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2};
use std::borrow::Cow;

/// The backend tensor inside a tensor.
pub(crate) fn primitive<const D: usize>(tensor: Tensor<Cpu, D>) -> NdArrayTensor {
    tensor.into_primitive().tensor()
}

/// The values of a tensor in logical order; copied only if the memory layout differs.
pub(crate) fn values(tensor: &NdArrayTensor) -> Cow<'_, [f32]> {
    let NdArrayTensor::F32(values) = tensor else { unreachable!("CPU tensors are f32") };
    let values = values.view();
    values.to_slice().map_or_else(|| Cow::Owned(values.iter().copied().collect()), Cow::Borrowed)
}

/// Computes `into = share · into + rows · weight` for rows of this width.
pub(crate) fn add_product(
    rows: &[f32],
    weight: &[f32],
    share: f32,
    into: &mut [f32],
    width: usize,
) {
    let (count, columns) = (rows.len() / width, weight.len() / width);
    let rows = ArrayView2::from_shape((count, width), rows).expect("all rows have `width` values");
    let weight =
        ArrayView2::from_shape((width, columns), weight).expect("the weight has `width` rows");
    let mut into = ArrayViewMut2::from_shape((count, columns), into)
        .expect("the output has one row per input row");
    general_mat_mul(1.0, &rows, &weight, share, &mut into);
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use burn::backend::NdArray;
    use burn::tensor::TensorData;
    use burn::tensor::backend::Backend;
    use ninefold::random::Random;

    /// The default implementation of every operation, in double precision.
    pub(crate) type Reference = NdArray<f64>;

    pub(crate) fn tensor<B: Backend, const D: usize>(shape: [usize; D], seed: u64) -> Tensor<B, D> {
        let mut random = Random::new(seed);
        let values: Vec<f64> = (0..shape.iter().product())
            .map(|_| random.below(2_001) as f64 / 1_000.0 - 1.0)
            .collect();
        Tensor::from_data(TensorData::new(values, shape), &Default::default())
    }

    pub(crate) fn assert_same<const D: usize>(found: Tensor<Cpu, D>, plain: Tensor<Reference, D>) {
        assert_eq!(found.dims(), plain.dims());
        let (found, plain) = (found.into_data(), plain.into_data());
        for (found, plain) in found.iter::<f64>().zip(plain.iter::<f64>()) {
            assert!(
                (found - plain).abs() < 1e-4 * plain.abs().max(1.0),
                "expected {plain}, found {found}"
            );
        }
    }

    #[test]
    fn values_are_in_logical_order_for_any_memory_layout() {
        let transposed = || tensor::<Cpu, 3>([2, 5, 3], 1).swap_dims(1, 2);
        assert_eq!(
            values(&primitive(transposed())).to_vec(),
            transposed().into_data().into_vec::<f32>().unwrap()
        );
    }
}
