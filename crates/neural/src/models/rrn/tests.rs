//! The network as a whole, and message passing against numbers worked out by hand and against the plain form.

use super::*;
use crate::device::{Cpu, TrainingCpu};
use burn::tensor::backend::AutodiffBackend;

type Device = <Cpu as burn::tensor::backend::BackendTypes>::Device;

fn values<B: Backend, const D: usize>(tensor: Tensor<B, D>) -> Vec<f32> {
    tensor.into_data().convert::<f32>().into_vec().unwrap()
}

fn near(found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len());
    for (place, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() < 1e-4 * (1.0 + expected.abs()), "{place}: {found}, not {expected}");
    }
}

fn network<B: Engine>(design: &Rrn, order: Order) -> RrnNetwork<B> {
    design.build(order, &mut Random::new(1), &Default::default())
}

#[test]
fn both_readings_have_the_parameters_of_their_code() {
    assert_eq!(network::<Cpu>(&Rrn::palm(), Order::NINE).num_params(), 201_194);
    assert_eq!(network::<Cpu>(&Rrn::paper(), Order::NINE).num_params(), 191_114);
}

#[test]
fn the_last_answer_on_the_way_is_the_answer() {
    let network: RrnNetwork<Cpu> = network(&Rrn::tiny(), Order::FOUR);
    let board: Tensor<Cpu, 3> = Tensor::zeros([1, 16, 5], &Default::default());
    let answers: Vec<Tensor<Cpu, 3>> = network.answers_on_the_way(board.clone()).collect();
    assert_eq!(answers.len(), Rrn::tiny().answer_steps);
    assert_eq!(values(answers.last().unwrap().clone()), values(network.forward(board)));
}

#[test]
fn a_step_that_nobody_asks_for_is_not_taken() {
    let network: RrnNetwork<Cpu> = network(&Rrn { answer_steps: usize::MAX, ..Rrn::tiny() }, Order::FOUR);
    let mut answers = network.answers_on_the_way(Tensor::zeros([1, 16, 5], &Default::default()));
    assert_eq!(answers.by_ref().take(3).count(), 3);
    assert_eq!(answers.len(), usize::MAX - 3);
}

#[test]
fn it_takes_every_order_and_answers_for_every_cell() {
    for order in [Order::FOUR, Order::boxes(2, 3).unwrap(), Order::NINE] {
        for reading in [Reading::Palm, Reading::Dgl] {
            let network: RrnNetwork<Cpu> = network(&Rrn { reading, ..Rrn::tiny() }, order);
            let board = Tensor::zeros([2, order.cell_count(), order.side() + 1], &Default::default());
            assert_eq!(network.forward(board.clone()).dims(), [2, order.cell_count(), order.side()]);
            assert_eq!(network.think(board, 3).len(), 3);
        }
    }
    assert!(Rrn { steps: 0, ..Rrn::tiny() }.refuses(Order::FOUR).is_some());
    assert!(Rrn { hidden: 0, ..Rrn::tiny() }.refuses(Order::FOUR).is_some());
}

/// Three nodes in a ring that see each other, states of one number.
///
/// P is 1, 2, −3 and Q is 1, −1, 2. The edges into node 1 come from 2 and 3, and so on:
///
/// ```text
/// P + Q            relu        2·x + 1     relu   −1·x + 6     relu   sum
/// 1−1, 1+2         0, 3        1, 7        1, 7   5, −1        5, 0   5
/// 2+1, 2+2         3, 4        7, 9        7, 9   −1, −3       0, 0   0
/// −3+1, −3−1       0, 0        1, 1        1, 1   5, 5         5, 5   10
/// ```
/// The gradient of (sum of node 1) + 2·(sum of node 2) + 3·(sum of node 3) passes the third relu on the edges 2→1 (1),
/// 1→3 (3) and 2→3 (3), so the bias of the third layer has 7, its weight 1·1 + 3·1 + 3·1 = 7; times −1 it passes the
/// second relu: the bias of the second has −7, its weight 0, because all three edges stand at 0 after the first relu,
/// which passes nothing on to P and Q.
fn ring<B: Engine>() -> (Tensor<B, 3>, [EdgeLayer<B>; 2], Graph<B>) {
    let device = Default::default();
    let pairs = Tensor::from_data([[[1.0, 1.0], [2.0, -1.0], [-3.0, 2.0]]], &device);
    let layer = |weight: f32, bias: f32| (Tensor::from_data([[weight]], &device), Tensor::from_data([bias], &device));
    let graph = Graph::from_sources(3, &[1, 2, 0, 2, 0, 1], false, &device);
    (pairs, [layer(2.0, 1.0), layer(-1.0, 6.0)], graph)
}

#[test]
fn messages_on_a_ring_of_three_by_hand() {
    let (pairs, layers, graph) = ring::<Cpu>();
    assert_eq!(values(Cpu::messages(pairs, layers, &graph)), [5.0, 0.0, 10.0]);
}

#[test]
fn gradients_on_a_ring_of_three_by_hand() {
    let (pairs, [second, third], graph) = ring::<TrainingCpu>();
    let device = Device::default();
    let weigh = |sums: Tensor<TrainingCpu, 3>| (sums * Tensor::from_data([[[1.0], [2.0], [3.0]]], &device)).sum();
    let pairs = pairs.require_grad();
    let (second, third) =
        ((second.0.require_grad(), second.1.require_grad()), (third.0.require_grad(), third.1.require_grad()));
    let sums = TrainingCpu::messages(pairs.clone(), [second.clone(), third.clone()], &graph);
    let gradients = weigh(sums).backward();
    assert_eq!(values(third.1.grad(&gradients).unwrap()), [7.0]);
    assert_eq!(values(third.0.grad(&gradients).unwrap()), [7.0]);
    assert_eq!(values(second.1.grad(&gradients).unwrap()), [-7.0]);
    assert_eq!(values(second.0.grad(&gradients).unwrap()), [0.0]);
    assert_eq!(values(pairs.clone().grad(&gradients).unwrap()), [0.0; 6]);

    // With a third bias of 20 every edge passes the third relu. Then −1·2 times the weight of the target passes the
    // first relu on the edges 3→1 (1), 1→2 and 3→2 (2 each); P of node 1 has −2, of node 2 −8, Q of node 1 −4, of
    // node 3 −2 − 4.
    let open = (third.0.clone(), Tensor::<TrainingCpu, 1>::from_data([20.0], &device));
    let gradients = weigh(TrainingCpu::messages(pairs.clone(), [second.clone(), open], &graph)).backward();
    assert_eq!(values(pairs.grad(&gradients).unwrap()), [-2.0, -4.0, -8.0, 0.0, 0.0, -6.0]);
    // −1 times weight of the target times the edge after the first relu: −(1·3 + 2·3 + 2·4).
    assert_eq!(values(second.0.grad(&gradients).unwrap()), [-17.0]);
    assert_eq!(values(second.1.grad(&gradients).unwrap()), [-12.0]);
}

/// The network exactly as the paper writes it: for every edge the states of both ends side by side through all four
/// layers, then the sum; every gradient is the library's own.
fn written_out<B: Engine>(network: &RrnNetwork<B>, board: Tensor<B, 3>, steps: usize) -> Tensor<B, 3> {
    let device = board.device();
    let graph: Graph<B> = Graph::of(network.order(), false, &device);
    let inputs = network.inputs.forward(network.look(board));
    let [batch, nodes, width] = inputs.dims();
    let targets: Vec<i32> = (0..graph.edges()).map(|edge| (edge / graph.degree) as i32).collect();
    let targets: Tensor<B, 1, Int> = Tensor::from_data(TensorData::new(targets, [graph.edges()]), &device);
    let (mut hidden, mut memory) = (inputs.clone(), inputs.zeros_like());
    let mut recurrent = memory.clone();
    for _ in 0..steps {
        let mut ends = vec![hidden.clone().select(1, graph.sources.clone()), hidden.clone().select(1, targets.clone())];
        if network.post.is_some() {
            ends.push(Tensor::zeros([batch, graph.edges(), 1], &device));
        }
        let messages = network.message.forward(Tensor::cat(ends, 2));
        let sums = messages.reshape([batch, nodes, graph.degree, width]).sum_dim(2).reshape([batch, nodes, width]);
        let news = match &network.post {
            Some(post) => post.forward(Tensor::cat(vec![sums, inputs.clone()], 2)),
            None => Tensor::cat(vec![inputs.clone(), sums], 2),
        };
        let gates = news.matmul(network.lstm.inputs.val().unsqueeze())
            + recurrent.matmul(network.lstm.hidden.val().unsqueeze());
        let gates = match &network.lstm.bias {
            Some(bias) => gates + bias.val().unsqueeze(),
            None => gates,
        };
        let part = |number: usize| gates.clone().slice([0..batch, 0..nodes, number * width..(number + 1) * width]);
        let sigmoid = burn::tensor::activation::sigmoid::<3, B>;
        memory = sigmoid(part(1)) * memory + sigmoid(part(0)) * part(2).tanh();
        hidden = sigmoid(part(3)) * memory.clone().tanh();
        recurrent = hidden.clone();
    }
    network.logits(hidden)
}

/// All gradients of a network, one after the other.
fn all_gradients<B: AutodiffBackend>(network: &impl Module<B>, gradients: &B::Gradients) -> Vec<f32> {
    struct Collect<'a, B: AutodiffBackend> {
        gradients: &'a B::Gradients,
        found: Vec<f32>,
    }
    impl<B: AutodiffBackend> burn::module::ModuleVisitor<B> for Collect<'_, B> {
        fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<B, D>>) {
            let gradient = param.val().grad(self.gradients).expect("every weight takes part");
            self.found.extend(values(gradient));
        }
    }
    let mut collect = Collect { gradients, found: Vec::new() };
    network.visit(&mut collect);
    collect.found
}

#[test]
fn the_cheap_way_and_the_written_out_way_agree_in_answers_and_gradients() {
    for reading in [Reading::Palm, Reading::Dgl] {
        let network: RrnNetwork<TrainingCpu> = network(&Rrn { reading, ..Rrn::tiny() }, Order::FOUR);
        let puzzles: [&[u8]; 2] = [&[1, 0, 0, 4, 0, 0, 1, 0, 0, 3, 0, 0, 4, 0, 0, 3], &[0; 16]];
        let board =
            || Encoding::OneHotWithBlank.batch::<TrainingCpu>(Order::FOUR, puzzles.into_iter(), &Default::default());
        let cheap = network.logits(network.think(board(), 3).last().unwrap());
        let plain = written_out(&network, board(), 3);
        near(&values(cheap.clone()), &values(plain.clone()));
        let weigh = |logits: Tensor<TrainingCpu, 3>| (logits.clone() * logits).sum();
        let found = all_gradients(&network, &weigh(cheap).backward());
        let expected = all_gradients(&network, &weigh(plain).backward());
        assert!(expected.iter().any(|gradient| gradient.abs() > 0.1));
        near(&found, &expected);
    }
}

#[test]
fn every_step_is_held_to_the_solution() {
    let network: RrnNetwork<Cpu> = network(&Rrn::tiny(), Order::FOUR);
    let device = Device::default();
    let board = Encoding::OneHotWithBlank.batch::<Cpu>(Order::FOUR, [&[0u8; 16][..]].into_iter(), &device);
    let solution: Vec<u8> = (0..16).map(|cell| (cell % 4 + 1) as u8).collect();
    let targets = crate::training::losses::targets::<Cpu>(Order::FOUR, [&solution[..]].into_iter(), &device);
    let losses = values(network.losses(board.clone(), targets.clone(), 3));
    for (step, hidden) in network.think(board.clone(), 3).enumerate() {
        let told = without_empty(log_softmax(network.logits(hidden), 2)) * targets.clone();
        let expected = -values(told.sum())[0] / 16.0;
        assert!((losses[step] - expected).abs() < 1e-5, "step {step}: {} {expected}", losses[step]);
    }
    let mean = losses.iter().sum::<f32>() / 3.0;
    let after = |steps| values(network.loss_after(board.clone(), targets.clone(), steps))[0];
    assert!((after(Some(3)) - mean).abs() < 1e-5);
    assert!((after(None) - after(Some(4))).abs() < 1e-6, "four is what the tiny network learns with");
}

#[test]
fn who_thinks_on_comes_to_the_same_answer_as_who_thinks_in_one_go() {
    let network: RrnNetwork<Cpu> = network(&Rrn::tiny(), Order::FOUR);
    let puzzles = [&b"\x01\0\0\x04\0\0\x01\0\0\x03\0\0\x04\0\0\x03"[..], &[0; 16]];
    let board: Tensor<Cpu, 3> = Rrn::tiny().encoding().batch(Order::FOUR, puzzles.into_iter(), &Default::default());
    let solutions = || Tensor::zeros([2, 16, 4], &Default::default());
    let unseen = |marks: [f32; 2]| Tensor::from_data(TensorData::new(marks.to_vec(), [2, 1, 1]), &Default::default());
    let on = |states: Option<Tensor<Cpu, 3>>, marks: [f32; 2], steps: usize| {
        let thoughts = Thoughts { states, unseen: unseen(marks) };
        network.think_on(board.clone(), solutions(), &thoughts, Some(steps)).unwrap()
    };
    let begun = on(None, [1.0, 1.0], 2);
    let went_on = on(Some(begun.states.clone()), [0.0, 1.0], 3);
    let answer_after = |steps: usize| network.digits_of(network.think(board.clone(), steps).last().unwrap());
    let puzzle = |answer: Tensor<Cpu, 3>, index: usize| values(answer.slice([index..index + 1, 0..16, 0..4]));
    near(&puzzle(went_on.answer.clone(), 0), &puzzle(answer_after(5), 0));
    near(&puzzle(went_on.answer, 1), &puzzle(answer_after(3), 1));
}
