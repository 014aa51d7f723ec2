//! Compares message passing with hand-computed values.

use super::*;
use crate::device::TrainingCpu;

type Device = <Cpu as burn::tensor::backend::BackendTypes>::Device;

fn values<B: Backend, const D: usize>(tensor: Tensor<B, D>) -> Vec<f32> {
    tensor.into_data().convert::<f32>().into_vec().unwrap()
}

/// Three nodes, all connected, with states of one value.
///
/// P is 1, 2, −3 and Q is 1, −1, 2. The edges into node 1 come from nodes 2 and 3, and so on:
///
/// ```text
/// P + Q            relu        2·x + 1     relu   −1·x + 6     relu   sum
/// 1−1, 1+2         0, 3        1, 7        1, 7   5, −1        5, 0   5
/// 2+1, 2+2         3, 4        7, 9        7, 9   −1, −3       0, 0   0
/// −3+1, −3−1       0, 0        1, 1        1, 1   5, 5         5, 5   10
/// ```
/// The gradient of (sum of node 1) + 2·(sum of node 2) + 3·(sum of node 3) passes the third relu on
/// the edges 2→1 (1), 1→3 (3) and 2→3 (3), so the bias of the third layer has 7, its weight 1·1 +
/// 3·1 + 3·1 = 7; times −1 it passes the second relu: the bias of the second has −7, its weight 0,
/// because all three edges are 0 after the first relu, which blocks the gradient of P and Q.
fn ring<B: MessagePassing>() -> (Tensor<B, 3>, [EdgeLayer<B>; 2], Graph<B>) {
    let device = Default::default();
    let pairs = Tensor::from_data([[[1.0, 1.0], [2.0, -1.0], [-3.0, 2.0]]], &device);
    let layer = |weight: f32, bias: f32| {
        (Tensor::from_data([[weight]], &device), Tensor::from_data([bias], &device))
    };
    let graph = Graph::from_sources(3, &[1, 2, 0, 2, 0, 1], false, &device);
    (pairs, [layer(2.0, 1.0), layer(-1.0, 6.0)], graph)
}

#[test]
fn messages_match_hand_computation() {
    let (pairs, layers, graph) = ring::<Cpu>();
    assert_eq!(values(Cpu::messages(pairs, layers, &graph)), [5.0, 0.0, 10.0]);
}

#[test]
fn gradients_match_hand_computation() {
    let (pairs, [second, third], graph) = ring::<TrainingCpu>();
    let device = Device::default();
    let weigh = |sums: Tensor<TrainingCpu, 3>| {
        (sums * Tensor::from_data([[[1.0], [2.0], [3.0]]], &device)).sum()
    };
    let pairs = pairs.require_grad();
    let (second, third) = (
        (second.0.require_grad(), second.1.require_grad()),
        (third.0.require_grad(), third.1.require_grad()),
    );
    let sums = TrainingCpu::messages(pairs.clone(), [second.clone(), third.clone()], &graph);
    let gradients = weigh(sums).backward();
    assert_eq!(values(third.1.grad(&gradients).unwrap()), [7.0]);
    assert_eq!(values(third.0.grad(&gradients).unwrap()), [7.0]);
    assert_eq!(values(second.1.grad(&gradients).unwrap()), [-7.0]);
    assert_eq!(values(second.0.grad(&gradients).unwrap()), [0.0]);
    assert_eq!(values(pairs.clone().grad(&gradients).unwrap()), [0.0; 6]);

    // With a third bias of 20 every edge passes the third relu. Then −1·2 times the weight of the
    // target passes the first relu on the edges 3→1 (1), 1→2 and 3→2 (2 each); P of node 1 has −2,
    // of node 2 −8, Q of node 1 −4, of node 3 −2 − 4.
    let open = (third.0.clone(), Tensor::<TrainingCpu, 1>::from_data([20.0], &device));
    let gradients =
        weigh(TrainingCpu::messages(pairs.clone(), [second.clone(), open], &graph)).backward();
    assert_eq!(values(pairs.grad(&gradients).unwrap()), [-2.0, -4.0, -8.0, 0.0, 0.0, -6.0]);
    // −1 times weight of the target times the edge after the first relu: −(1·3 + 2·3 + 2·4).
    assert_eq!(values(second.0.grad(&gradients).unwrap()), [-17.0]);
    assert_eq!(values(second.1.grad(&gradients).unwrap()), [-12.0]);
}
