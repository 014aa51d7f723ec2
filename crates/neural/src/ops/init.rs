//! Initial weights.
//!
//! Layers are initialised as in Keras, which Kocherzhenko and Tran and Manley used: weights are
//! uniform between ±√(6 / (in + out)) (Glorot), biases are zero. They are drawn from
//! [`ninefold::random`], so they are equal on every device.

use burn::module::Param;
use burn::tensor::backend::Backend;
use burn::tensor::{Tensor, TensorData};
use ninefold::random::Random;

/// Glorot initialisation; `fans` is the number of inputs plus outputs.
pub(crate) fn glorot<B: Backend, const D: usize>(
    shape: [usize; D],
    fans: usize,
    random: &mut Random,
    device: &B::Device,
) -> Param<Tensor<B, D>> {
    uniform(shape, (6.0 / fans as f64).sqrt(), random, device)
}

/// Weights drawn uniformly between `-limit` and `limit`.
pub(crate) fn uniform<B: Backend, const D: usize>(
    shape: [usize; D],
    limit: f64,
    random: &mut Random,
    device: &B::Device,
) -> Param<Tensor<B, D>> {
    let draw = |_| ((random.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0) * limit;
    let values: Vec<f32> =
        (0..shape.iter().product()).map(draw).map(|value| value as f32).collect();
    Param::from_tensor(Tensor::from_data(TensorData::new(values, shape), device))
}

pub(crate) fn zeros<B: Backend>(width: usize, device: &B::Device) -> Param<Tensor<B, 1>> {
    Param::from_tensor(Tensor::zeros([width], device))
}

/// Random orthonormal rows (Gram–Schmidt).
pub(crate) fn orthogonal_rows(rows: usize, columns: usize, random: &mut Random) -> Vec<f32> {
    let mut kept: Vec<Vec<f64>> = Vec::new();
    while kept.len() < rows {
        let mut row: Vec<f64> = (0..columns).map(|_| random.normal()).collect();
        for other in &kept {
            let along: f64 = row.iter().zip(other).map(|(a, b)| a * b).sum();
            row.iter_mut().zip(other).for_each(|(value, other)| *value -= along * other);
        }
        let length = row.iter().map(|value| value * value).sum::<f64>().sqrt();
        row.iter_mut().for_each(|value| *value /= length);
        kept.push(row);
    }
    kept.into_iter().flatten().map(|value| value as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Cpu;
    use crate::ops::dense::Dense;

    #[test]
    fn initial_weights_cover_their_range() {
        let layer: Dense<Cpu> = Dense::new(50, 100, &mut Random::new(3), &Default::default());
        let weights = layer.weight.val().into_data().convert::<f32>().into_vec::<f32>().unwrap();
        let limit = (6.0f32 / 150.0).sqrt();
        assert!(weights.iter().all(|weight| weight.abs() <= limit));
        assert!(weights.iter().any(|&weight| weight > 0.99 * limit));
        assert!(weights.iter().any(|&weight| weight < -0.99 * limit));
        assert!((weights.iter().sum::<f32>() / 5000.0).abs() < 0.01 * limit.max(1.0));
    }
}
