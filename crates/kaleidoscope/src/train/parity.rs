//! Compares the fast forward pass with the operations of training: their logits must agree.

use super::cpu::CpuKernels;
use super::kernels::Kernels;
use super::segment::Network;
use crate::forward::{Forward, Weights};
use crate::layout::{Frame, Layout, PuzzleNodes};
use crate::parameters::Spans;
use crate::{Config, Nodes, noise};
use ninefold::grid::Order;
use ninefold::random::Random;
use std::sync::Arc;

/// The largest difference between the logits of both implementations in eight iterations.
fn difference(config: &Config, order: Order, puzzles: &[&str], step: fn(&mut Forward)) -> f32 {
    let parameters = Spans::new(config).draw(&mut Random::new(4));
    let frame = Frame::new(order);
    let nodes: Vec<PuzzleNodes> = puzzles
        .iter()
        .map(|text| text.parse::<ninefold::grid::Grid>().unwrap().numbers().collect::<Vec<u8>>())
        .map(|puzzle| PuzzleNodes::new(&frame, config.nodes, &puzzle))
        .collect();
    let layout = Layout::new(nodes.iter());
    let sources: Vec<i32> = (0..layout.len())
        .map(|node| if node % 3 == 0 { noise::NONE } else { -1 - node as i32 })
        .collect();
    let mut network = Network::new(config, CpuKernels::new(config));
    network.kernels.set_parameters(&parameters);
    network.kernels.set_layout(&frame, &layout);
    network.kernels.set_sources(&sources);
    let mut states = network.kernels.states(None, network.spans.start);
    let mut forward = Forward::new(&Arc::new(Weights::new(config, &parameters)));
    forward.set_layout(&frame, &layout);
    forward.begin(sources.into_iter());
    let mut largest = 0.0f32;
    for _ in 0..8 {
        states = network.step(&states);
        step(&mut forward);
        let plain = network.logits(&states);
        assert!(plain.len() == layout.len() && plain.iter().any(|logit| logit.abs() > 0.01));
        assert_eq!(plain.len(), forward.logits().len());
        plain.iter().zip(forward.logits()).for_each(|(a, b)| largest = largest.max((a - b).abs()));
    }
    largest
}

#[test]
fn fast_logits_equal_those_of_the_training_operations() {
    let four = ["1..4..1..3..4..3", ".43.3.....4..1.."];
    let nine =
        ["53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"];
    for step in [Forward::step, Forward::step_portable] {
        for nodes in [Nodes::Open, Nodes::All] {
            for heads in [2, 4, 6] {
                let config = Config { nodes, heads, ..Config::default() };
                let found = difference(&config, Order::FOUR, &four, step);
                assert!(found < 1e-4, "{nodes:?}, {heads} heads: {found}");
            }
            let found =
                difference(&Config { nodes, ..Config::default() }, Order::NINE, &nine, step);
            assert!(found < 1e-4, "{nodes:?}: {found}");
        }
        let found = difference(&Config::tiny(), Order::FOUR, &four, step);
        assert!(found < 1e-4, "tiny: {found}");
    }
}
