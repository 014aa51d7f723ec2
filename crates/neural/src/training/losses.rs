//! Loss functions.

use crate::models::encoding::Encoding;
use burn::tensor::Tensor;
use burn::tensor::activation::{log_softmax, relu};
use burn::tensor::backend::Backend;
use ninefold::grid::Order;

/// One-hot digits of solutions, `[batch, cells, digits]`.
pub fn targets<'a, B: Backend>(
    order: Order,
    solutions: impl ExactSizeIterator<Item = &'a [u8]>,
    device: &B::Device,
) -> Tensor<B, 3> {
    Encoding::OneHot.batch(order, solutions, device)
}

/// The mean cross entropy over all cells of the batch, including clues (Kocherzhenko; Tran and
/// Manley).
///
/// Tran and Manley sum over the 81 cells instead. Their loss is this one times 81, and Adam takes
/// the same steps for both.
pub fn cross_entropy<B: Backend>(logits: Tensor<B, 3>, targets: Tensor<B, 3>) -> Tensor<B, 1> {
    let [batch, cells, _] = logits.dims();
    // The product with the one-hot targets selects the right digit. Its gradient is a product,
    // whereas that of a gather is a scatter.
    (log_softmax(logits, 2) * targets).sum() * (-1.0 / (batch * cells) as f64)
}

/// The mean binary cross entropy of logits.
pub fn binary_cross_entropy<B: Backend, const D: usize>(
    logits: Tensor<B, D>,
    targets: Tensor<B, D>,
) -> Tensor<B, 1> {
    each_binary_cross_entropy(logits, targets).mean()
}

/// The mean over the elements where `mask` is one.
pub fn masked_binary_cross_entropy<B: Backend, const D: usize>(
    logits: Tensor<B, D>,
    targets: Tensor<B, D>,
    mask: Tensor<B, D>,
) -> Tensor<B, 1> {
    let count = mask.clone().sum().clamp_min(1.0);
    (each_binary_cross_entropy(logits, targets) * mask).sum() / count
}

fn each_binary_cross_entropy<B: Backend, const D: usize>(
    logits: Tensor<B, D>,
    targets: Tensor<B, D>,
) -> Tensor<B, D> {
    // ln(1 + eˣ) − x·y, in a form without large exponentials.
    let certain = relu(logits.clone()) - logits.clone() * targets;
    certain + (-logits.abs()).exp().log1p()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Cpu;

    #[test]
    fn cross_entropy_is_the_mean_over_cells() {
        let device = Default::default();
        // Cell 1: equal logits, so the loss is ln 2. Cell 2: logits 0 and ln 3, right digit the
        // second: ln(4/3).
        let logits: Tensor<Cpu, 3> = Tensor::from_data([[[1.0, 1.0], [0.0, 3.0f32.ln()]]], &device);
        let targets: Tensor<Cpu, 3> = Tensor::from_data([[[1.0, 0.0], [0.0, 1.0]]], &device);
        let loss: f32 = cross_entropy(logits, targets).into_scalar();
        assert!((loss - (2f32.ln() + (4f32 / 3.0).ln()) / 2.0).abs() < 1e-6, "{loss}");
    }

    #[test]
    fn binary_cross_entropy_equals_a_hand_calculation() {
        let device = Default::default();
        // Probabilities 1/2 and 3/4, and two certain predictions, one of them wrong.
        let logits: Tensor<Cpu, 2> = Tensor::from_data([[0.0, 3.0f32.ln()], [90.0, 90.0]], &device);
        let targets: Tensor<Cpu, 2> = Tensor::from_data([[1.0, 0.0], [1.0, 0.0]], &device);
        let loss: f32 = binary_cross_entropy(logits.clone(), targets.clone()).into_scalar();
        assert!((loss - (2f32.ln() + 4f32.ln() + 0.0 + 90.0) / 4.0).abs() < 1e-4, "{loss}");
        let mask = Tensor::from_data([[0.0, 1.0], [1.0, 0.0]], &device);
        let loss: f32 = masked_binary_cross_entropy(logits, targets, mask).into_scalar();
        assert!((loss - 4f32.ln() / 2.0).abs() < 1e-4, "{loss}");
    }
}
