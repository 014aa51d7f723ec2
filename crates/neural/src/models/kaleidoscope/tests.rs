//! The network as a whole: its gradients against those of the tensor library, and its learning.

use super::exam::first_start;
use super::host::Host;
use super::kernels::Kernels;
use super::layout::{FAMILIES, Frame, Layout, Neighbours, PuzzleNodes, SLOT_OF_FAMILY};
use super::parameters::{Span, Spans};
use super::segment::Network;
use super::*;
use crate::registry::TrainingJob;
use crate::training::checkpoint;
use crate::training::data::Examples;
use crate::training::train::Ending;
use burn::backend::{Autodiff, NdArray};
use burn::tensor::activation::{log_softmax, silu, softmax};
use burn::tensor::{Tensor, TensorData};
use ninefold::grid::{Grid, Order};
use ninefold::random::Random;

/// The plain form, with twice as many bits.
type Plain = Autodiff<NdArray<f64>>;

const PUZZLES: [&str; 2] = ["1..4..1..3..4..3", ".43.3.....4..1.."];

fn numbers(text: &str) -> Vec<u8> {
    text.parse::<Grid>().unwrap().numbers().collect()
}

/// A network with drawn weights, and two puzzles.
struct Case {
    config: Config,
    spans: Spans,
    parameters: Vec<f32>,
    frame: Frame,
    layout: Layout,
    targets: Vec<f32>,
}

impl Case {
    fn new(nodes: Nodes, width: usize) -> Case {
        let config = Config { nodes, width, blocks: 2, ..Config::tiny() };
        let spans = Spans::new(&config);
        let mut random = Random::new(5);
        let mut parameters = spans.draw(&mut random);
        // Norms that are not 1 and larger queries and keys, so that no mistake cancels out.
        parameters.iter_mut().for_each(|value| *value *= 1.0 + 0.3 * (random.below(3) as f32));
        let examples = Examples::read(PUZZLES.join("\n").as_bytes(), Order::FOUR).unwrap();
        let frame = Frame::new(Order::FOUR);
        let nodes: Vec<PuzzleNodes> = (0..2)
            .map(|index| PuzzleNodes::new(&frame, config.nodes, examples.puzzle(index)))
            .collect();
        let layout = Layout::new(nodes.iter());
        let targets =
            (0..2).flat_map(|index| nodes[index].targets(4, examples.solution(index))).collect();
        Case { config, spans, parameters, frame, layout, targets }
    }

    /// Loss and gradients after three iterations, asked after the first and the third.
    fn ours(&self) -> (f64, Vec<f32>) {
        let mut network = Network::new(&self.config, Host::new(&self.config));
        network.kernels.set_parameters(&self.parameters);
        network.kernels.set_layout(&self.frame, &self.layout);
        network.kernels.set_targets(&self.targets);
        let sources: Vec<i32> = (0..self.layout.len()).map(|node| -1 - node as i32).collect();
        network.kernels.set_sources(&sources);
        let states = network.kernels.states(None, network.spans.start);
        let cells = self.targets.iter().sum::<f32>() as usize;
        let segment = network.forward(states, 3, 2);
        network.backward(&segment, cells);
        let loss: f32 =
            network.kernels.verdicts(segment.logits())().iter().map(|verdict| verdict.loss).sum();
        (f64::from(loss) / cells as f64, network.kernels.take_gradients())
    }

    /// The same by the tensor library, every group as a mask over all nodes.
    fn plain(&self) -> (f64, Vec<f32>) {
        let device = Default::default();
        let weight = |span: Span| -> Tensor<Plain, 2> {
            let values: Vec<f64> =
                span.of(&self.parameters).iter().map(|&value| f64::from(value)).collect();
            Tensor::from_data(TensorData::new(values, [span.rows, span.columns]), &device)
                .require_grad()
        };
        let named = self.spans.named();
        let weights: Vec<Tensor<Plain, 2>> = named.iter().map(|&(_, span)| weight(span)).collect();
        let of = |span: Span| {
            weights
                [named.iter().position(|&(_, other)| other == span).expect("a span has its name")]
            .clone()
        };
        let count = self.layout.len();
        let neighbours = Neighbours::new(&self.frame, &self.layout);
        let masks: Vec<Tensor<Plain, 2>> = (0..FAMILIES)
            .map(|family| {
                let mut mask = vec![-1e9; count * (count + 1)];
                for node in 0..count {
                    for &other in neighbours.group(node, family) {
                        mask[node * (count + 1) + other as usize] = 0.0;
                    }
                    mask[node * (count + 1) + count] =
                        if self.config.has_sink() { 0.0 } else { -1e9 };
                }
                Tensor::from_data(TensorData::new(mask, [count, count + 1]), &device)
            })
            .collect();
        let noise: Vec<f64> = (0..count)
            .flat_map(|node| noise::row(-1 - node as i32, self.config.width))
            .map(f64::from)
            .collect();
        let noise = Tensor::from_data(TensorData::new(noise, [count, self.config.width]), &device);
        let roles: Vec<f64> = self
            .layout
            .roles
            .iter()
            .flat_map(|&role| {
                (0..self.spans.input.rows)
                    .map(move |other| f64::from(u8::from(other == role as usize)))
            })
            .collect();
        let roles: Tensor<Plain, 2> =
            Tensor::from_data(TensorData::new(roles, [count, self.spans.input.rows]), &device);
        let mut states = of(self.spans.start) + noise;
        let mut losses: Vec<Tensor<Plain, 1>> = Vec::new();
        for iteration in 0..3 {
            states = states + roles.clone().matmul(of(self.spans.input));
            for block in &self.spans.blocks {
                let attention = states.clone().matmul(of(block.attention).transpose());
                let attended = self.plain_attention(attention, &masks);
                let first = states + attended.matmul(of(block.attended).transpose());
                let middle = plain_norm(first, of(block.first_norm));
                let gates = middle.clone().matmul(of(block.gate).transpose());
                let half = gates.dims()[1] / 2;
                let gated = silu(gates.clone().slice([0..count, 0..half]))
                    * gates.slice([0..count, half..2 * half]);
                let second = middle + gated.matmul(of(block.down).transpose());
                states = plain_norm(second, of(block.second_norm));
            }
            if iteration != 1 {
                let logits = states.clone().matmul(of(self.spans.answer).transpose()); // [nodes, 1]
                losses.push(self.plain_loss(logits.reshape([1, count]), &masks[0]));
            }
        }
        let last: f64 = losses[1].clone().into_scalar();
        let gradients = ((losses[0].clone() + losses[1].clone()) / 2.0).backward();
        let mut found = vec![0.0; self.spans.count];
        for ((_, span), weight) in named.iter().zip(&weights) {
            let gradient = weight.grad(&gradients).expect("every weight takes part").into_data();
            for (place, value) in span.of_mut(&mut found).iter_mut().zip(gradient.iter::<f64>()) {
                *place = value as f32;
            }
        }
        (last, found)
    }

    fn plain_attention(
        &self,
        rows: Tensor<Plain, 2>,
        masks: &[Tensor<Plain, 2>],
    ) -> Tensor<Plain, 2> {
        let (count, heads) = (self.layout.len(), self.config.heads);
        let part = |slot: usize, kind: usize, head: usize| {
            let start = ((slot * 3 + kind) * heads + head) * HEAD_WIDTH;
            rows.clone().slice([0..count, start..start + HEAD_WIDTH])
        };
        let zeros = || Tensor::<Plain, 2>::zeros([1, HEAD_WIDTH], &Default::default());
        let mut slots: Vec<Vec<Tensor<Plain, 2>>> = vec![Vec::new(); 3];
        for (family, slot) in SLOT_OF_FAMILY.into_iter().enumerate() {
            for head in 0..heads {
                let keys = Tensor::cat(vec![part(slot, 1, head), zeros()], 0);
                let values = Tensor::cat(vec![part(slot, 2, head), zeros()], 0);
                let scores =
                    part(slot, 0, head).matmul(keys.transpose()) / (HEAD_WIDTH as f64).sqrt();
                let taken = softmax(scores + masks[family].clone(), 1).matmul(values);
                match slots[slot].get_mut(head) {
                    Some(before) => *before = before.clone() + taken,
                    None => slots[slot].push(taken),
                }
            }
        }
        Tensor::cat(slots.into_iter().flatten().collect(), 1)
    }

    fn plain_loss(&self, logits: Tensor<Plain, 2>, cells: &Tensor<Plain, 2>) -> Tensor<Plain, 1> {
        let count = self.layout.len();
        let cells = cells.clone().slice([0..count, 0..count]);
        let of_cells = log_softmax(cells + logits.repeat_dim(0, count), 1); // [nodes, nodes]
        let mut diagonal = vec![0.0; count * count];
        (0..count).for_each(|node| diagonal[node * (count + 1)] = f64::from(self.targets[node]));
        let diagonal =
            Tensor::from_data(TensorData::new(diagonal, [count, count]), &Default::default());
        -(of_cells * diagonal).sum() / f64::from(self.targets.iter().sum::<f32>())
    }
}

fn plain_norm(rows: Tensor<Plain, 2>, gain: Tensor<Plain, 2>) -> Tensor<Plain, 2> {
    let mean = (rows.clone() * rows.clone()).mean_dim(1);
    rows / (mean + f64::from(NORM_EPSILON)).sqrt() * gain
}

#[test]
fn losses_and_gradients_are_those_of_the_tensor_library() {
    for (nodes, width) in [(Nodes::Open, 32), (Nodes::All, 32), (Nodes::Open, 48)] {
        let case = Case::new(nodes, width);
        let ((our_loss, ours), (plain_loss, plain)) = (case.ours(), case.plain());
        assert!((our_loss - plain_loss).abs() < 1e-4, "{our_loss} {plain_loss}");
        for (name, span) in case.spans.named() {
            let largest =
                span.of(&plain).iter().fold(0.0f32, |largest, value| largest.max(value.abs()));
            assert!(largest > 0.0, "{name} learns");
            for (ours, plain) in span.of(&ours).iter().zip(span.of(&plain)) {
                assert!(
                    (ours - plain).abs() < 1e-3 * largest,
                    "{nodes:?} {name}: {ours} {plain} of {largest}"
                );
            }
        }
    }
}

#[test]
fn an_exam_counts_puzzles_that_are_right_whatever_the_size_of_the_batch() {
    let config = Config::tiny();
    let mut network = Network::new(&config, Host::new(&config));
    network.kernels.set_parameters(&Spans::new(&config).draw(&mut Random::new(1)));
    let examples =
        Examples::read("1234341223414123\n1..4..1..3..4..3\n".as_bytes(), Order::FOUR).unwrap();
    let right = first_start(&mut network, &config, &examples, &[1, 3]).right;
    assert!(
        right.len() == 2 && right.iter().all(|right| right.len() == 2 && right[0]),
        "{right:?}: the full one is right"
    );
}

#[test]
fn an_answer_after_so_many_iterations_is_that_of_an_exam() {
    let config = Config::tiny();
    let parameters = Spans::new(&config).draw(&mut Random::new(9));
    let mut network = Network::new(&config, Host::new(&config));
    network.kernels.set_parameters(&parameters);
    let lines =
        ["1234341223414123", "12343412234141.3", "1.3434122341412.", "1..4..1..3..4..3"].join("\n");
    let examples = Examples::read(lines.as_bytes(), Order::FOUR).unwrap();
    let expected = first_start(&mut network, &config, &examples, &[1, 4, 5]).right;
    let found =
        Thinker::of_parts(config, &parameters, Order::FOUR).right_after(&examples, &[1, 4, 5]);
    assert_eq!(found, expected);
    assert!(
        found.iter().all(|right| right[1]),
        "a single candidate is right whatever the network says"
    );
}

/// A run that is over in a moment.
fn quick(steps: u64) -> String {
    format!(
        "steps = {steps}\nbatch_size = 8\nwarm_up_steps = 5\nmax_carry_steps = 3\n\
         sources = [{{ boxes = [2, 2], generated = 12, share = [1.0, 1.0], reveal = 0.3 }}, \
         {{ boxes = [2, 3], generated = 6, share = [0.3, 0.3] }}]\n\
         [model]\nwidth = 32\nheads = 2\nblocks = 1\nexpansion = 1\n"
    )
}

fn run(folder: &std::path::Path, changes: &str, seconds: Option<u64>, resume: bool) -> Ending {
    let job = TrainingJob {
        changes: Some(changes),
        time: seconds.map(std::time::Duration::from_secs),
        resume,
        checkpoint_every: std::time::Duration::MAX,
        ..TrainingJob::new(folder)
    };
    train("kaleidoscope", &job, &mut |_| {}).unwrap()
}

#[test]
fn a_run_that_was_stopped_goes_on_to_the_very_same_weights() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, stopped) = (folder.path().join("whole"), folder.path().join("stopped"));
    assert_eq!(run(&whole, &quick(8), None, false), Ending::Finished);
    assert_eq!(run(&stopped, &quick(8), Some(0), false), Ending::OutOfTime);
    while run(&stopped, &quick(8), Some(0), true) == Ending::OutOfTime {}
    for file in ["weights.safetensors", "checkpoint.safetensors", "carried.safetensors"] {
        let tensors = |folder: &std::path::Path| checkpoint::read(&folder.join(file)).unwrap().1;
        assert_eq!(tensors(&whole), tensors(&stopped), "{file}");
    }
}

/// Values are learned, queries and keys stay nothing.
#[test]
fn what_pools_never_learns_to_attend() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), &format!("pooling = true\n{}", quick(6)), None, false);
    let (metadata, tensors) =
        checkpoint::read(&folder.path().join("checkpoint.safetensors")).unwrap();
    assert_eq!(metadata.model, "kaleidoscope");
    let attention = &tensors["blocks.0.attention"].values;
    for (kind, numbers) in attention.chunks_exact(attention.len() / 9).enumerate() {
        let is_nothing = numbers.iter().all(|number| *number == 0.0);
        assert_eq!(is_nothing, kind % 3 < 2, "{kind}");
    }
    let first = &tensors["adam.mean.blocks.0.attention"].values;
    assert!(
        first[2 * first.len() / 9..][..first.len() / 9].iter().any(|mean| *mean != 0.0),
        "values learn"
    );
}

#[test]
fn a_handful_of_puzzles_is_learned() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), &quick(150), None, false);
    let (metadata, tensors) = checkpoint::read(&folder.path().join("weights.safetensors")).unwrap();
    let thinker = Thinker::new(&metadata, &tensors, crate::device::Device::Cpu)
        .unwrap()
        .for_size(Order::FOUR);
    let thinker = thinker.with_patience(Patience { iterations: 16, starts: 1 });
    let puzzles = PUZZLES.map(numbers);
    assert!(
        thinker
            .think(&puzzles.each_ref().map(|puzzle| &puzzle[..]))
            .iter()
            .all(|thought| thought.solved)
    );
}
