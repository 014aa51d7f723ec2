//! Tests of training as a whole: gradients, evaluation, and small runs.

use super::cpu::CpuKernels;
use super::evaluation::{Problems, first_start};
use super::kernels::HIDDEN_LOSS;
use super::kernels::Kernels;
use super::segment::Network;
use super::*;
use crate::groups::NodeGroups;
use crate::layout::{Frame, HIDDEN, Layout, PuzzleNodes};
use crate::parameters::{Span, Spans};
use crate::{Budget, HEAD_WIDTH, NORM_EPSILON, Nodes, noise};
use ninefold::grid::rules::{Constraint, Dot, Rules};
use ninefold::grid::{Cell, Grid, Order};
use ninefold::random::Random;
use ninefold_training::checkpoint;
use ninefold_training::data::Examples;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const PUZZLES: [&str; 2] = ["1..4..1..3..4..3", ".43.3.....4..1.."];

fn numbers(text: &str) -> Vec<u8> {
    text.parse::<Grid>().unwrap().numbers().collect()
}

/// A network with random weights, and two puzzles.
struct Case {
    config: Config,
    spans: Spans,
    parameters: Vec<f32>,
    frame: Frame,
    layout: Layout,
    targets: Vec<f32>,
}

/// A matrix: its rows.
type Rows = Vec<Vec<f64>>;

impl Case {
    fn new(nodes: Nodes, width: usize) -> Case {
        let config = Config { nodes, width, blocks: 2, ..Config::tiny() };
        let spans = Spans::new(&config);
        let mut random = Random::new(5);
        let mut parameters = spans.draw(&mut random);
        // Norms other than 1, and larger queries and keys, so that errors do not cancel.
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

    /// Two puzzles with every kind of group.
    fn with_rules(width: usize) -> Case {
        let order = Order::FOUR;
        let cells = |list: [usize; 2]| list.map(|cell| order.cell(cell / 4, cell % 4));
        let solution: Grid = "1234341221434321".parse().unwrap();
        let number = |cell: Cell| u32::from(solution[cell].unwrap().number());
        let cage = |list: [usize; 2]| {
            let cells = cells(list).to_vec();
            let sum = Some(cells.iter().map(|&cell| number(cell)).sum());
            Constraint::Cage { cells, sum }
        };
        let arrow = Constraint::Sum {
            terms: vec![(1, order.cell(0, 0)), (1, order.cell(1, 1)), (1, order.cell(2, 2))],
            total: (number(order.cell(0, 0)) + number(order.cell(1, 1)) + number(order.cell(2, 2)))
                as i32,
        };
        let dot = Constraint::Dot { kind: Dot::Difference(1), cells: cells([8, 9]) };
        let lists = [
            vec![cage([0, 1]), cage([5, 6]), dot],
            vec![
                arrow,
                cage([12, 13]),
                Constraint::Cage { cells: cells([3, 6]).to_vec(), sum: None },
            ],
        ];
        let config = Config { width, blocks: 2, rules: true, ..Config::tiny() };
        let mut case = Case::new(Nodes::Open, width);
        let numbers: Vec<u8> = solution.numbers().collect();
        let nodes = lists.map(|constraints| {
            let mut rules = Rules::classic(order);
            rules.extend(constraints).unwrap();
            let puzzle: Grid = "..........4.....".parse().unwrap();
            assert!(rules.hold_for(&solution.clues().map(|clue| clue.1).collect::<Vec<_>>()));
            PuzzleNodes::with_rules(&puzzle.with_rules(Arc::new(rules))).unwrap().0
        });
        case.spans = Spans::new(&config);
        case.config = config;
        case.parameters = case.spans.draw(&mut Random::new(6));
        case.layout = Layout::new(nodes.iter());
        case.targets = nodes.iter().flat_map(|nodes| nodes.targets(4, &numbers)).collect();
        case
    }

    /// The number of cells with a loss.
    fn cells(&self) -> usize {
        let visible = self.layout.candidates.iter().zip(&self.targets);
        visible.filter(|(candidate, target)| **candidate >= 0 && **target > 0.0).count()
    }

    /// The final loss and the gradient of three iterations, with losses after the first and the
    /// third.
    fn loss_and_gradient(&self) -> (f64, Vec<f32>) {
        let mut network = Network::new(&self.config, CpuKernels::new(&self.config));
        network.kernels.set_parameters(&self.parameters);
        network.kernels.set_layout(&self.frame, &self.layout);
        network.kernels.set_targets(&self.targets);
        let sources: Vec<i32> = (0..self.layout.len()).map(|node| -1 - node as i32).collect();
        network.kernels.set_sources(&sources);
        let states = network.kernels.states(None, network.spans.start);
        let cells = self.cells();
        let segment = network.forward(states, 3, 2);
        network.backward(&segment, cells);
        let results = network.kernels.puzzle_results(segment.logits())();
        let loss: f32 = results.iter().map(|result| result.loss).sum();
        (f64::from(loss) / cells as f64, network.kernels.take_gradients())
    }

    /// The losses after the first and the third iteration, computed with plain loops in f64.
    fn plain_losses(&self, parameters: &[f64]) -> [f64; 2] {
        let (count, width) = (self.layout.len(), self.config.width);
        let vector = |span: Span| parameters[span.start..][..span.len()].to_vec();
        let matrix = |span: Span| -> Rows {
            vector(span).chunks(span.columns).map(<[f64]>::to_vec).collect()
        };
        let neighbours = self.layout.node_groups(&self.frame);
        let start = vector(self.spans.start);
        let mut states: Rows = (0..count)
            .map(|node| {
                let noise = noise::row(-1 - node as i32, width);
                start.iter().zip(noise).map(|(start, noise)| start + f64::from(noise)).collect()
            })
            .collect();
        let input = matrix(self.spans.input);
        let mut losses = Vec::new();
        for iteration in 0..3 {
            let roles = self.layout.roles.iter().map(|&role| &input[role as usize]);
            states = states.iter().zip(roles).map(|(state, input)| sum(state, input)).collect();
            for block in &self.spans.blocks {
                let attention = times(&states, &matrix(block.attention));
                let attended = self.plain_attention(&attention, &neighbours);
                let first = add(&states, &times(&attended, &matrix(block.attended)));
                let middle = plain_norm(&first, &vector(block.first_norm));
                let gates = times(&middle, &matrix(block.gate));
                let gated: Rows = gates
                    .iter()
                    .map(|row| {
                        let (gates, values) = row.split_at(row.len() / 2);
                        let silu = |gate: f64| gate / (1.0 + (-gate).exp());
                        gates.iter().zip(values).map(|(&gate, value)| silu(gate) * value).collect()
                    })
                    .collect();
                let second = add(&middle, &times(&gated, &matrix(block.down)));
                states = plain_norm(&second, &vector(block.second_norm));
            }
            if iteration != 1 {
                let logits: Vec<f64> = times(&states, &matrix(self.spans.answer)).concat();
                losses.push(self.plain_loss(&logits, &neighbours));
            }
        }
        [losses[0], losses[1]]
    }

    fn plain_attention(&self, rows: &Rows, neighbours: &NodeGroups) -> Rows {
        let heads = self.config.heads;
        let part = |node: usize, slot: usize, kind: usize, head: usize| {
            &rows[node][((slot * 3 + kind) * heads + head) * HEAD_WIDTH..][..HEAD_WIDTH]
        };
        let slots = self.config.slots();
        let mut out = vec![vec![0.0; slots * heads * HEAD_WIDTH]; rows.len()];
        for (node, out) in out.iter_mut().enumerate() {
            for (slot, group) in neighbours.of(node) {
                for head in 0..heads {
                    let query = part(node, slot, 0, head);
                    let shares: Vec<f64> = group
                        .iter()
                        .map(|&other| dot(query, part(other as usize, slot, 1, head)))
                        .map(|score| (score / (HEAD_WIDTH as f64).sqrt()).exp())
                        .collect();
                    let sink = if self.config.has_sink() { 1.0 } else { 0.0 };
                    let total = shares.iter().sum::<f64>() + sink;
                    for (&other, share) in group.iter().zip(shares) {
                        let values = part(other as usize, slot, 2, head);
                        let out = &mut out[(slot * heads + head) * HEAD_WIDTH..][..HEAD_WIDTH];
                        out.iter_mut()
                            .zip(values)
                            .for_each(|(out, value)| *out += share / total * value);
                    }
                }
            }
        }
        out
    }

    fn plain_loss(&self, logits: &[f64], neighbours: &NodeGroups) -> f64 {
        let cross_entropy = |node: usize| {
            let is_hidden = self.config.rules && self.layout.roles[node] == HIDDEN;
            let share = if is_hidden { f64::from(HIDDEN_LOSS) } else { 1.0 };
            let choice = logits[neighbours.choice(node)].iter().map(|logit| logit.exp());
            share * (choice.sum::<f64>().ln() - logits[node])
        };
        let targets = (0..logits.len()).filter(|&node| self.targets[node] > 0.0);
        targets.map(cross_entropy).sum::<f64>() / self.cells() as f64
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn sum(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

fn add(a: &Rows, b: &Rows) -> Rows {
    a.iter().zip(b).map(|(a, b)| sum(a, b)).collect()
}

/// rows · weightᵀ.
fn times(rows: &Rows, weight: &Rows) -> Rows {
    rows.iter().map(|row| weight.iter().map(|weight| dot(row, weight)).collect()).collect()
}

fn plain_norm(rows: &Rows, gain: &[f64]) -> Rows {
    rows.iter()
        .map(|row| {
            let mean = dot(row, row) / row.len() as f64;
            let scale = (mean + f64::from(NORM_EPSILON)).sqrt().recip();
            row.iter().zip(gain).map(|(number, gain)| number * scale * gain).collect()
        })
        .collect()
}

/// Checks every weight along random directions, in which errors of single numbers do not cancel.
#[test]
fn losses_and_gradients_equal_those_of_plain_loops() {
    let classic = [(Nodes::Open, 32), (Nodes::All, 32), (Nodes::Open, 48)];
    let classic = classic.map(|(nodes, width)| Case::new(nodes, width));
    for case in classic.into_iter().chain([Case::with_rules(32)]) {
        let (loss, gradient) = case.loss_and_gradient();
        let parameters: Vec<f64> = case.parameters.iter().map(|&value| f64::from(value)).collect();
        let plain_loss = case.plain_losses(&parameters)[1];
        assert!((loss - plain_loss).abs() < 1e-4, "{loss} {plain_loss}");
        let mut random = Random::new(11);
        for (name, span) in case.spans.named() {
            let slopes = span.of(&gradient);
            let length = slopes.iter().map(|&slope| f64::from(slope).powi(2)).sum::<f64>().sqrt();
            assert!(length > 0.0, "{name} has a gradient");
            for _ in 0..4 {
                let direction: Vec<f64> = (0..span.len()).map(|_| random.normal()).collect();
                let loss_at = |distance: f64| {
                    let mut moved = parameters.clone();
                    let moved_span = moved[span.start..].iter_mut().zip(&direction);
                    moved_span.for_each(|(value, step)| *value += distance * step);
                    let [first, third] = case.plain_losses(&moved);
                    (first + third) / 2.0
                };
                let expected = (loss_at(1e-5) - loss_at(-1e-5)) / 2e-5;
                let found: f64 = slopes
                    .iter()
                    .zip(&direction)
                    .map(|(&slope, step)| f64::from(slope) * step)
                    .sum();
                assert!(
                    (found - expected).abs() < 1e-3 * length,
                    "{:?} {name}: {found} {expected} of {length}",
                    case.config
                );
            }
        }
    }
}

#[test]
fn evaluation_accepts_full_grids_in_batches_of_any_size() {
    let config = Config::tiny();
    let mut network = Network::new(&config, CpuKernels::new(&config));
    network.kernels.set_parameters(&Spans::new(&config).draw(&mut Random::new(1)));
    let examples =
        Examples::read("1234341223414123\n1..4..1..3..4..3\n".as_bytes(), Order::FOUR).unwrap();
    let correct =
        first_start(&mut network, &Problems::classic(&examples, &config), &[1, 3]).correct;
    assert!(
        correct.len() == 2 && correct.iter().all(|correct| correct.len() == 2 && correct[0]),
        "{correct:?}: the full grid is correct"
    );
}

#[test]
fn solver_and_evaluation_agree_after_a_number_of_iterations() {
    let config = Config::tiny();
    let parameters = Spans::new(&config).draw(&mut Random::new(9));
    let mut network = Network::new(&config, CpuKernels::new(&config));
    network.kernels.set_parameters(&parameters);
    let lines =
        ["1234341223414123", "12343412234141.3", "1.3434122341412.", "1..4..1..3..4..3"].join("\n");
    let examples = Examples::read(lines.as_bytes(), Order::FOUR).unwrap();
    let expected =
        first_start(&mut network, &Problems::classic(&examples, &config), &[1, 4, 5]).correct;
    let solver = crate::Solver::from_parts(config, &parameters, Order::FOUR);
    let found = BatchSolver::from(solver).correct_after(&examples, &[1, 4, 5]);
    assert_eq!(found, expected);
    assert!(found.iter().all(|correct| correct[1]), "a single candidate is always correct");
}

/// A run of less than a second.
fn quick(steps: u64) -> String {
    format!(
        "steps = {steps}\nbatch_size = 8\nwarm_up_steps = 5\nmax_carry_steps = 3\n\
         sources = [{{ boxes = [2, 2], generated = 12, share = [1.0, 1.0], reveal = 0.3 }}, \
         {{ boxes = [2, 3], generated = 6, share = [0.3, 0.3] }}]\n\
         [model]\nwidth = 32\nheads = 2\nblocks = 1\nexpansion = 1\n"
    )
}

fn train_in(directory: &Path, changes: &str, seconds: Option<u64>, resume: bool) -> TrainOutcome {
    let mut options = TrainOptions::new(directory);
    options.changes = Some(changes);
    options.time = seconds.map(Duration::from_secs);
    options.resume = resume;
    options.checkpoint_every = Duration::MAX;
    train(&options, &mut |_| {}).unwrap()
}

#[test]
fn resumed_runs_end_with_the_weights_of_an_uninterrupted_one() {
    let directory = tempfile::tempdir().unwrap();
    let (complete, resumed) = (directory.path().join("complete"), directory.path().join("resumed"));
    assert_eq!(train_in(&complete, &quick(8), None, false), TrainOutcome::Finished);
    assert_eq!(train_in(&resumed, &quick(8), Some(0), false), TrainOutcome::TimeLimit);
    while train_in(&resumed, &quick(8), Some(0), true) == TrainOutcome::TimeLimit {}
    for file in ["weights.safetensors", "checkpoint.safetensors", "carried.safetensors"] {
        let tensors = |directory: &Path| checkpoint::read(&directory.join(file)).unwrap().1;
        assert_eq!(tensors(&complete), tensors(&resumed), "{file}");
    }
}

#[test]
fn resumed_runs_with_rules_end_with_the_weights_of_an_uninterrupted_one() {
    let changes = "steps = 6\nbatch_size = 8\nwarm_up_steps = 3\nmax_carry_steps = 3\n\
         sources = [{ boxes = [2, 2], variants = { rules = \"killer,anti-knight\", count = 6 }, \
         share = [1.0, 1.0], reveal = 0.3 }, \
         { boxes = [1, 5], variants = { rules = \"jigsaw,thermo\", count = 4 }, share = [1.0, 1.0] }, \
         { boxes = [2, 3], generated = 4, share = [0.5, 0.5] }]\n\
         [model]\nwidth = 32\nheads = 2\nblocks = 1\nexpansion = 1\nrules = true\n";
    let directory = tempfile::tempdir().unwrap();
    let (complete, resumed) = (directory.path().join("complete"), directory.path().join("resumed"));
    assert_eq!(train_in(&complete, changes, None, false), TrainOutcome::Finished);
    assert_eq!(train_in(&resumed, changes, Some(0), false), TrainOutcome::TimeLimit);
    while train_in(&resumed, changes, Some(0), true) == TrainOutcome::TimeLimit {}
    for file in ["weights.safetensors", "checkpoint.safetensors", "carried.safetensors"] {
        let tensors = |directory: &Path| checkpoint::read(&directory.join(file)).unwrap().1;
        assert_eq!(tensors(&complete), tensors(&resumed), "{file}");
    }
}

#[test]
fn pooling_trains_values_but_not_queries_and_keys() {
    let directory = tempfile::tempdir().unwrap();
    train_in(directory.path(), &format!("pooling = true\n{}", quick(6)), None, false);
    let (metadata, tensors) =
        checkpoint::read(&directory.path().join("checkpoint.safetensors")).unwrap();
    assert_eq!(metadata.model, "kaleidoscope");
    let attention = &tensors["blocks.0.attention"].values;
    for (kind, numbers) in attention.chunks_exact(attention.len() / 9).enumerate() {
        let is_zero = numbers.iter().all(|number| *number == 0.0);
        assert_eq!(is_zero, kind % 3 < 2, "{kind}");
    }
    let mean = &tensors["adam.mean.blocks.0.attention"].values;
    let values = &mean[2 * mean.len() / 9..][..mean.len() / 9];
    assert!(values.iter().any(|mean| *mean != 0.0), "values have a gradient");
}

#[test]
fn training_on_a_few_puzzles_solves_them() {
    let directory = tempfile::tempdir().unwrap();
    train_in(directory.path(), &quick(150), None, false);
    let (metadata, tensors) =
        checkpoint::read(&directory.path().join("weights.safetensors")).unwrap();
    let solver = BatchSolver::new(&metadata, &tensors).unwrap().for_size(Order::FOUR);
    let solver = solver.with_budget(Budget { iterations: 16, starts: 1 });
    let puzzles = PUZZLES.map(numbers);
    let predictions = solver.solve(&puzzles.each_ref().map(|puzzle| &puzzle[..]));
    assert!(predictions.iter().all(|prediction| prediction.solved));
}
