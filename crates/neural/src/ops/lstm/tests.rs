//! Compares both implementations with each other, with automatic differentiation and with
//! hand-computed values.

use super::*;
use crate::device::TrainingCpu;

fn values<B: Backend>(tensor: Tensor<B, 4>) -> Vec<f32> {
    tensor.into_data().convert::<f32>().into_vec().unwrap()
}

fn random_tensor<B: Backend>(dims: [usize; 4], random: &mut Random) -> Tensor<B, 4> {
    let values: Vec<f32> =
        (0..dims.iter().product()).map(|_| random.normal() as f32 * 0.7).collect();
    Tensor::from_data(TensorData::new(values, dims), &Default::default())
}

/// Sequence, weights and output gradient; the batch is not a multiple of the lanes.
fn case<B: Backend>() -> (Tensor<B, 4>, Weights<B>, Tensor<B, 4>) {
    let (groups, batch, steps, inputs, hidden) = (2, 11, 5, 3, 4);
    let mut random = Random::new(8);
    let sequence = random_tensor([groups, batch, steps, inputs], &mut random);
    let weights = Weights {
        kernel: random_tensor([groups, 2, inputs, 4 * hidden], &mut random),
        recurrent: random_tensor([groups, 2, hidden, 4 * hidden], &mut random),
        bias: random_tensor([groups, 2, 1, 4 * hidden], &mut random),
    };
    (sequence, weights, random_tensor([groups, batch, steps, 2 * hidden], &mut random))
}

fn assert_near<B: Backend, C: Backend>(found: Tensor<B, 4>, expected: Tensor<C, 4>, what: &str) {
    assert_eq!(found.dims(), expected.dims(), "{what}");
    for (found, expected) in values(found).into_iter().zip(values(expected)) {
        assert!((found - expected).abs() < 1e-4, "{what}: expected {expected}, found {found}");
    }
}

fn assert_alike<B: Backend, C: Backend>(found: Gradients<B>, expected: Gradients<C>) {
    assert_near(found.sequence, expected.sequence, "sequence");
    assert_near(found.weights.kernel, expected.weights.kernel, "kernel");
    assert_near(found.weights.recurrent, expected.weights.recurrent, "recurrent");
    assert_near(found.weights.bias, expected.weights.bias, "bias");
}

#[test]
fn both_implementations_agree() {
    let (sequence, weights, gradient) = case::<Cpu>();
    let (expected, saved) = tensors::forward(sequence.clone(), weights.clone());
    let (found, slices_saved) = slices::forward(sequence, weights);
    assert_near(found, expected, "output");
    assert_alike(
        slices::backward(&slices_saved, gradient.clone()),
        tensors::backward(saved, gradient),
    );
}

/// Compares the hand-written gradients with automatic differentiation.
#[test]
fn gradients_match_automatic_differentiation() {
    let (sequence, weights, gradient) = case::<TrainingCpu>();
    let derived =
        |layer: &dyn Fn(Tensor<TrainingCpu, 4>, Weights<TrainingCpu>) -> Tensor<TrainingCpu, 4>| {
            let sequence = sequence.clone().require_grad();
            let weights = Weights {
                kernel: weights.kernel.clone().require_grad(),
                recurrent: weights.recurrent.clone().require_grad(),
                bias: weights.bias.clone().require_grad(),
            };
            let output = layer(sequence.clone(), weights.clone());
            let collected = (output * gradient.clone()).sum().backward();
            let of = |tensor: &Tensor<TrainingCpu, 4>| tensor.grad(&collected).unwrap();
            Gradients {
                sequence: of(&sequence),
                weights: Weights {
                    kernel: of(&weights.kernel),
                    recurrent: of(&weights.recurrent),
                    bias: of(&weights.bias),
                },
            }
        };
    let library = derived(&|sequence, weights| tensors::forward(sequence, weights).0);
    let ours = derived(&|sequence, weights| TrainingCpu::lstm(sequence, weights));
    assert_alike(ours, library.clone());
    let (sequence, weights, gradient) = case::<Cpu>();
    let (_, saved) = tensors::forward(sequence, weights);
    assert_alike(tensors::backward(saved, gradient), library);
}

/// One input, one unit, two steps. The kernel is 1, 2, 3, 4 for in, forget, out, new; the recurrent
/// weight is 0.5 for "new" and 0 elsewhere; the bias is 0.
#[test]
fn two_steps_match_hand_computation() {
    let device = Default::default();
    let weights: Weights<Cpu> = Weights {
        kernel: Tensor::from_data([[[[1.0, 2.0, 3.0, 4.0]], [[1.0, 2.0, 3.0, 4.0]]]], &device),
        recurrent: Tensor::from_data([[[[0.0, 0.0, 0.0, 0.5]], [[0.0, 0.0, 0.0, 0.5]]]], &device),
        bias: Tensor::zeros([1, 2, 1, 4], &device),
    };
    let sequence = Tensor::from_data([[[[0.1], [0.2]]]], &device);
    let sigmoid = |x: f32| 1.0 / (1.0 + (-x).exp());
    let cell = |x: f32, cell: f32, hidden: f32| {
        let cell = sigmoid(2.0 * x) * cell + sigmoid(x) * (4.0 * x + 0.5 * hidden).tanh();
        (cell, sigmoid(3.0 * x) * cell.tanh())
    };
    let (first_cell, first) = cell(0.1, 0.0, 0.0);
    let (_, second) = cell(0.2, first_cell, first);
    // The backward direction starts at the end.
    let (last_cell, last) = cell(0.2, 0.0, 0.0);
    let (_, last_but_one) = cell(0.1, last_cell, last);
    let expected: Tensor<Cpu, 4> =
        Tensor::from_data([[[[first, last_but_one], [second, last]]]], &device);
    assert_near(slices::forward(sequence.clone(), weights.clone()).0, expected.clone(), "slices");
    assert_near(tensors::forward(sequence, weights).0, expected, "tensors");
}

#[test]
fn recurrent_weights_start_orthonormal_and_forget_bias_at_one() {
    let layer: Bidirectional<Cpu> =
        Bidirectional::new(2, 3, 5, &mut Random::new(2), &Default::default());
    let recurrent = values(layer.recurrent.val());
    for rows in recurrent.chunks(5 * 20) {
        for (one, a) in rows.chunks(20).enumerate() {
            for (other, b) in rows.chunks(20).enumerate() {
                let product: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
                assert!(
                    (product - if one == other { 1.0 } else { 0.0 }).abs() < 1e-5,
                    "{one} {other} {product}"
                );
            }
        }
    }
    let bias = values(layer.bias.val());
    assert!(bias.chunks(20).all(|bias| bias[5..10] == [1.0; 5] && bias.iter().sum::<f32>() == 5.0));
    assert_eq!(layer.num_params(), 2 * 2 * (3 * 20 + 5 * 20 + 20));
}
