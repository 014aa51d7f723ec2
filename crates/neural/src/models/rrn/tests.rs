//! Compares the optimised network with a direct implementation of the paper.

use super::*;
use crate::device::{Cpu, TrainingCpu};
use burn::tensor::backend::AutodiffBackend;

type Device = <Cpu as burn::tensor::backend::BackendTypes>::Device;

fn values<B: Backend, const D: usize>(tensor: Tensor<B, D>) -> Vec<f32> {
    tensor.into_data().convert::<f32>().into_vec().unwrap()
}

fn assert_near(found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len());
    for (place, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!(
            (found - expected).abs() < 1e-4 * (1.0 + expected.abs()),
            "{place}: expected {expected}, found {found}"
        );
    }
}

fn network<B: Engine>(config: &Config, order: Order) -> Model<B> {
    config.build(order, &mut Random::new(1), &Default::default())
}

#[test]
fn both_variants_have_the_published_parameter_counts() {
    assert_eq!(network::<Cpu>(&Config::palm(), Order::NINE).num_params(), PALM_PARAMETERS);
    assert_eq!(network::<Cpu>(&Config::paper(), Order::NINE).num_params(), PARAMETERS);
}

#[test]
fn forward_returns_the_last_step() {
    let network: Model<Cpu> = network(&Config::tiny(), Order::FOUR);
    let board: Tensor<Cpu, 3> = Tensor::zeros([1, 16, 5], &Default::default());
    let answers: Vec<Tensor<Cpu, 3>> = network.forward_each_step(board.clone()).collect();
    assert_eq!(answers.len(), Config::tiny().answer_steps);
    assert_eq!(values(answers.last().unwrap().clone()), values(network.forward(board)));
}

#[test]
fn steps_are_computed_lazily() {
    let network: Model<Cpu> =
        network(&Config { answer_steps: usize::MAX, ..Config::tiny() }, Order::FOUR);
    let mut answers = network.forward_each_step(Tensor::zeros([1, 16, 5], &Default::default()));
    assert_eq!(answers.by_ref().take(3).count(), 3);
    assert_eq!(answers.len(), usize::MAX - 3);
}

#[test]
fn supports_every_order() {
    for order in [Order::FOUR, Order::new(2, 3).unwrap(), Order::NINE] {
        for variant in [Variant::Palm, Variant::Dgl] {
            let network: Model<Cpu> = network(&Config { variant, ..Config::tiny() }, order);
            let board =
                Tensor::zeros([2, order.cell_count(), order.side() + 1], &Default::default());
            assert_eq!(
                network.forward(board.clone()).dims(),
                [2, order.cell_count(), order.side()]
            );
            assert_eq!(network.hidden_states(board, 3).len(), 3);
        }
    }
    assert!(Config { steps: 0, ..Config::tiny() }.validate(Order::FOUR).is_err());
    assert!(Config { hidden: 0, ..Config::tiny() }.validate(Order::FOUR).is_err());
}

/// The network as written in the paper: for every edge, the concatenated states of both ends pass
/// through all four layers, then the messages are summed. All gradients come from automatic
/// differentiation.
fn direct_logits<B: Engine>(network: &Model<B>, board: Tensor<B, 3>, steps: usize) -> Tensor<B, 3> {
    let device = board.device();
    let graph: Graph<B> = Graph::for_grid(network.order(), false, &device);
    let inputs = network.inputs.forward(network.embed_cells(board));
    let [batch, nodes, width] = inputs.dims();
    let targets: Vec<i32> = (0..graph.edges()).map(|edge| (edge / graph.degree) as i32).collect();
    let targets: Tensor<B, 1, Int> =
        Tensor::from_data(TensorData::new(targets, [graph.edges()]), &device);
    let (mut hidden, mut cell) = (inputs.clone(), inputs.zeros_like());
    let mut recurrent = cell.clone();
    for _ in 0..steps {
        let mut ends = vec![
            hidden.clone().select(1, graph.sources.clone()),
            hidden.clone().select(1, targets.clone()),
        ];
        if network.post.is_some() {
            ends.push(Tensor::zeros([batch, graph.edges(), 1], &device));
        }
        let messages = network.message.forward(Tensor::cat(ends, 2));
        let sums = messages
            .reshape([batch, nodes, graph.degree, width])
            .sum_dim(2)
            .reshape([batch, nodes, width]);
        let new_inputs = match &network.post {
            Some(post) => post.forward(Tensor::cat(vec![sums, inputs.clone()], 2)),
            None => Tensor::cat(vec![inputs.clone(), sums], 2),
        };
        let gates = new_inputs.matmul(network.lstm.inputs.val().unsqueeze())
            + recurrent.matmul(network.lstm.hidden.val().unsqueeze());
        let gates = match &network.lstm.bias {
            Some(bias) => gates + bias.val().unsqueeze(),
            None => gates,
        };
        let part = |number: usize| {
            gates.clone().slice([0..batch, 0..nodes, number * width..(number + 1) * width])
        };
        let sigmoid = burn::tensor::activation::sigmoid::<3, B>;
        cell = sigmoid(part(1)) * cell + sigmoid(part(0)) * part(2).tanh();
        hidden = sigmoid(part(3)) * cell.clone().tanh();
        recurrent = hidden.clone();
    }
    network.logits(hidden)
}

/// All gradients of a network, concatenated.
fn all_gradients<B: AutodiffBackend>(
    network: &impl Module<B>,
    gradients: &B::Gradients,
) -> Vec<f32> {
    struct Collect<'a, B: AutodiffBackend> {
        gradients: &'a B::Gradients,
        found: Vec<f32>,
    }
    impl<B: AutodiffBackend> burn::module::ModuleVisitor<B> for Collect<'_, B> {
        fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<B, D>>) {
            let gradient = param.val().grad(self.gradients).expect("every weight has a gradient");
            self.found.extend(values(gradient));
        }
    }
    let mut collect = Collect { gradients, found: Vec::new() };
    network.visit(&mut collect);
    collect.found
}

#[test]
fn optimised_network_matches_the_direct_implementation() {
    for variant in [Variant::Palm, Variant::Dgl] {
        let network: Model<TrainingCpu> =
            network(&Config { variant, ..Config::tiny() }, Order::FOUR);
        let puzzles: [&[u8]; 2] = [&[1, 0, 0, 4, 0, 0, 1, 0, 0, 3, 0, 0, 4, 0, 0, 3], &[0; 16]];
        let board = || {
            Encoding::OneHotWithBlank.batch::<TrainingCpu>(
                Order::FOUR,
                puzzles.into_iter(),
                &Default::default(),
            )
        };
        let optimised = network.logits(network.hidden_states(board(), 3).last().unwrap());
        let direct = direct_logits(&network, board(), 3);
        assert_near(&values(optimised.clone()), &values(direct.clone()));
        let weigh = |logits: Tensor<TrainingCpu, 3>| (logits.clone() * logits).sum();
        let found = all_gradients(&network, &weigh(optimised).backward());
        let expected = all_gradients(&network, &weigh(direct).backward());
        assert!(expected.iter().any(|gradient| gradient.abs() > 0.1));
        assert_near(&found, &expected);
    }
}

#[test]
fn loss_is_the_mean_over_all_steps() {
    let network: Model<Cpu> = network(&Config::tiny(), Order::FOUR);
    let device = Device::default();
    let board =
        Encoding::OneHotWithBlank.batch::<Cpu>(Order::FOUR, [&[0u8; 16][..]].into_iter(), &device);
    let solution: Vec<u8> = (0..16).map(|cell| (cell % 4 + 1) as u8).collect();
    let targets =
        crate::training::losses::targets::<Cpu>(Order::FOUR, [&solution[..]].into_iter(), &device);
    let losses = values(network.losses(board.clone(), targets.clone(), 3));
    for (step, hidden) in network.hidden_states(board.clone(), 3).enumerate() {
        let log_probabilities =
            without_empty(log_softmax(network.logits(hidden), 2)) * targets.clone();
        let expected = -values(log_probabilities.sum())[0] / 16.0;
        assert!((losses[step] - expected).abs() < 1e-5, "step {step}: {} {expected}", losses[step]);
    }
    let mean = losses.iter().sum::<f32>() / 3.0;
    let after = |steps| values(network.loss_after(board.clone(), targets.clone(), steps))[0];
    assert!((after(Some(3)) - mean).abs() < 1e-5);
    assert!((after(None) - after(Some(4))).abs() < 1e-6, "the tiny network trains with four steps");
}

#[test]
fn continuing_from_a_state_matches_one_run() {
    let network: Model<Cpu> = network(&Config::tiny(), Order::FOUR);
    let puzzles = [&b"\x01\0\0\x04\0\0\x01\0\0\x03\0\0\x04\0\0\x03"[..], &[0; 16]];
    let board: Tensor<Cpu, 3> =
        Config::tiny().encoding().batch(Order::FOUR, puzzles.into_iter(), &Default::default());
    let solutions = || Tensor::zeros([2, 16, 4], &Default::default());
    let is_new = |marks: [f32; 2]| {
        Tensor::from_data(TensorData::new(marks.to_vec(), [2, 1, 1]), &Default::default())
    };
    let on = |states: Option<Tensor<Cpu, 3>>, marks: [f32; 2], steps: usize| {
        let state = RecurrentState { states, is_new: is_new(marks) };
        network.forward_from(board.clone(), solutions(), &state, Some(steps)).unwrap()
    };
    let start = on(None, [1.0, 1.0], 2);
    let continued = on(Some(start.states.clone()), [0.0, 1.0], 3);
    let answer_after = |steps: usize| {
        network.digits_of(network.hidden_states(board.clone(), steps).last().unwrap())
    };
    let puzzle = |answer: Tensor<Cpu, 3>, index: usize| {
        values(answer.slice([index..index + 1, 0..16, 0..4]))
    };
    assert_near(&puzzle(continued.logits.clone(), 0), &puzzle(answer_after(5), 0));
    assert_near(&puzzle(continued.logits, 1), &puzzle(answer_after(3), 1));
}
