//! Compares every GPU kernel with the CPU implementation, on puzzles of several sizes and random
//! numbers.
//!
//! The CPU computes with f32, the GPU with rows of bf16, which have 8 significant bits. So results
//! are compared by the norm of their difference, relative to the norm of the result. It is below
//! one percent for a correct kernel.

use super::slots::SlotLayout;
use super::{GpuKernels, GpuRows, PADDING};
use crate::decoding::NodeLogits;
use crate::layout::{Frame, Layout, PuzzleNodes};
use crate::parameters::Span;
use crate::train::cpu::{CpuKernels, CpuRows};
use crate::train::kernels::Kernels;
use crate::train::segment::Network;
use crate::{Config, noise, noise_of_start};
use ninefold::generate::variants::{self, GeneratedVariant, VariantKind, VariantOptions};
use ninefold::grid::{Grid, Order};
use ninefold::random::Random;
use std::sync::Arc;

/// A kernel with a larger relative difference is wrong.
const TOLERANCE: f64 = 0.02;

/// The difference between a GPU result and the CPU result.
#[derive(Clone, Debug, PartialEq)]
pub struct Deviation {
    /// The operation and the grid size.
    pub what: String,
    /// The norm of the difference, relative to the norm of the result.
    pub share: f64,
    /// Whether it is a single kernel and not a segment, in which rounding errors accumulate.
    is_one_kernel: bool,
}

impl Deviation {
    /// Whether a kernel is wrong. Segments are informative only.
    #[must_use]
    pub fn is_wrong(&self) -> bool {
        self.is_one_kernel && self.share > TOLERANCE
    }
}

/// Compares all GPU kernels with the CPU for a network with these settings.
pub fn compare_with_cpu(config: &Config) -> Vec<Deviation> {
    let sizes = [Order::FOUR, Order::new(2, 3).expect("boxes of 2 × 3"), Order::NINE];
    sizes.into_iter().flat_map(|order| Pair::new(config, order).compare()).collect()
}

/// A puzzle with groups of every slot.
fn variant(order: Order) -> GeneratedVariant {
    let mut kinds = vec![VariantKind::Killer, VariantKind::Thermo, VariantKind::Arrow];
    if order == Order::NINE {
        kinds.push(VariantKind::AntiKnight);
    }
    variants::generate_one(&VariantOptions::new(order, kinds), 1, 0).expect("such puzzles exist")
}

/// The same network on CPU and GPU.
struct Pair {
    config: Config,
    order: Order,
    cpu: Network<CpuKernels>,
    gpu: Network<GpuKernels>,
    nodes: usize,
    puzzles: Vec<(Vec<u8>, PuzzleNodes)>,
    cells: usize,
    random: Random,
    deviations: Vec<Deviation>,
}

impl Pair {
    fn new(config: &Config, order: Order) -> Pair {
        let mut random = Random::new(order.side() as u64);
        let mut cpu = Network::new(config, CpuKernels::new(config));
        let mut gpu = Network::new(config, GpuKernels::new(config));
        let parameters = rounded(cpu.spans.draw(&mut random));
        let variant = config.rules.then(|| variant(order));
        let solution: Vec<u8> = match &variant {
            Some(variant) => variant.solution.iter().map(|digit| digit.number()).collect(),
            None => ninefold::generate::full::random(order, &mut random).numbers().collect(),
        };
        // Puzzles with many and with few clues, and a complete grid.
        let puzzles = [70, 45, 30, 100, 20].map(|percent| -> Vec<u8> {
            solution
                .iter()
                .map(|&digit| if random.chance(f64::from(percent) / 100.0) { digit } else { 0 })
                .collect()
        });
        debug_assert!(puzzles.iter().all(|puzzle| Grid::from_numbers(order, puzzle).is_some()));
        let frame = Frame::new(order);
        let nodes_of = |puzzle: &Vec<u8>| match &variant {
            Some(variant) => {
                let grid = Grid::from_numbers(order, puzzle).expect("digits of a solution");
                let grid = grid.with_rules(Arc::new(variant.rules.clone()));
                PuzzleNodes::with_rules(&grid).expect("digits of a solution").0
            }
            None => PuzzleNodes::new(&frame, config.nodes, puzzle),
        };
        let nodes: Vec<PuzzleNodes> = puzzles.iter().map(nodes_of).collect();
        let layout = Layout::new(nodes.iter());
        let targets: Vec<f32> =
            nodes.iter().flat_map(|nodes| nodes.targets(order.side(), &solution)).collect();
        let cells = targets.iter().sum::<f32>() as usize;
        cpu.kernels.set_parameters(&parameters);
        gpu.kernels.set_parameters(&parameters);
        cpu.kernels.set_layout(&frame, &layout);
        // The groups of the first three puzzles are copied from this layout.
        gpu.kernels.set_layout(&frame, &Layout::new(nodes[..3].iter()));
        gpu.kernels.set_layout(&frame, &layout);
        cpu.kernels.set_targets(&targets);
        gpu.kernels.set_targets(&targets);
        let config = config.clone();
        let puzzles = puzzles.into_iter().zip(nodes).collect();
        Pair {
            config,
            order,
            cpu,
            gpu,
            nodes: layout.len(),
            puzzles,
            cells,
            random,
            deviations: Vec::new(),
        }
    }

    /// The same random rows on both devices.
    fn rows(&mut self, width: usize) -> (CpuRows, GpuRows) {
        let draw = |_| self.random.below(2_001) as f32 / 500.0 - 2.0;
        let numbers = rounded((0..self.nodes * width).map(draw).collect());
        let mut padded = numbers.clone();
        padded.resize(self.gpu.kernels.padded() * width, 0.0);
        (self.cpu.kernels.write_rows(&numbers, width), self.gpu.kernels.write_rows(&padded, width))
    }

    /// Random rows with columns for every slot. Columns of skipped slots are zero.
    fn rows_of_slots(&mut self, width: usize) -> (CpuRows, GpuRows) {
        let (mut rows, _) = self.rows(width);
        self.clear_skipped(&mut rows.numbers, width);
        let mut padded = rows.numbers.clone();
        padded.resize(self.gpu.kernels.padded() * width, 0.0);
        (rows, self.gpu.kernels.write_rows(&padded, width))
    }

    /// Sets the columns of slots that the GPU skips to zero.
    fn clear_skipped(&self, numbers: &mut [f32], width: usize) {
        let Some(masks) = self.gpu.kernels.masks_of_chunks() else { return };
        let slots = self.cpu.spans.slots;
        for (node, row) in numbers.chunks_exact_mut(width).enumerate() {
            for (slot, columns) in row.chunks_exact_mut(width / slots).enumerate() {
                if masks.get(node / PADDING).is_none_or(|mask| mask >> slot & 1 == 0) {
                    columns.fill(0.0);
                }
            }
        }
    }

    /// Compares rows with columns for every slot, except those of skipped slots.
    fn record_slots(&mut self, what: &str, cpu: &CpuRows, gpu: &GpuRows) {
        let (mut cpu, mut gpu_rows) = (cpu.numbers.clone(), self.gpu.kernels.read_rows(gpu));
        self.clear_skipped(&mut cpu, gpu.width);
        self.clear_skipped(&mut gpu_rows, gpu.width);
        self.record(what, &cpu, &gpu_rows);
    }

    fn set_sources(&mut self, sources: &[i32]) {
        self.cpu.kernels.set_sources(sources);
        self.gpu.kernels.set_sources(sources);
    }

    fn record(&mut self, what: &str, cpu: &[f32], gpu: &[f32]) {
        let share = relative_difference(cpu, gpu);
        self.deviations.push(Deviation {
            what: format!("{what}, {}", self.order),
            share,
            is_one_kernel: true,
        });
    }

    fn record_segment(&mut self, what: &str, cpu: &[f32], gpu: &[f32]) {
        let share = relative_difference(cpu, gpu);
        self.deviations.push(Deviation {
            what: format!("segment's {what}, {}", self.order),
            share,
            is_one_kernel: false,
        });
    }

    fn record_rows(&mut self, what: &str, cpu: &CpuRows, gpu: &GpuRows) {
        let gpu = self.gpu.kernels.read_rows(gpu);
        self.record(what, &cpu.numbers, &gpu);
    }

    fn record_gradients(&mut self, what: &str, span: Span) {
        let (cpu, gpu) = (self.cpu.kernels.take_gradients(), self.gpu.kernels.take_gradients());
        self.record(what, span.of(&cpu), span.of(&gpu));
    }

    fn compare(mut self) -> Vec<Deviation> {
        self.compare_rows();
        self.compare_products();
        self.compare_feed();
        if !self.config.rules {
            self.compare_slots();
        }
        self.compare_attention();
        self.compare_answers();
        self.compare_segments();
        self.deviations
    }

    fn compare_rows(&mut self) {
        let spans = self.cpu.spans.clone();
        let width = self.config.width;
        let block = spans.blocks[0];
        let (rows, card_rows) = self.rows(width);
        let (slopes, card_slopes) = self.rows(width);
        let sources: Vec<i32> = (0..self.nodes as i32)
            .map(|node| [node, -1 - node, noise::NONE][node as usize % 3])
            .collect();
        self.set_sources(&sources);
        let begun = self.cpu.kernels.states(Some(&rows), spans.start);
        let card_begun = self.gpu.kernels.states(Some(&card_rows), spans.start);
        self.record_rows("start", &begun, &card_begun);
        self.cpu.kernels.states_backward(&slopes, spans.start);
        self.gpu.kernels.states_backward(&card_slopes, spans.start);
        self.record_gradients("start's gradient", spans.start);
        let (with, card_with) = (
            self.cpu.kernels.add_input(&rows, spans.input),
            self.gpu.kernels.add_input(&card_rows, spans.input),
        );
        self.record_rows("input", &with, &card_with);
        self.cpu.kernels.add_input_backward(&slopes, spans.input);
        self.gpu.kernels.add_input_backward(&card_slopes, spans.input);
        self.record_gradients("input's gradient", spans.input);
        let gain = block.first_norm;
        let (normed, card_normed) =
            (self.cpu.kernels.norm(&rows, gain), self.gpu.kernels.norm(&card_rows, gain));
        self.record_rows("norm", &normed, &card_normed);
        let back = self.cpu.kernels.norm_backward(&rows, &slopes, gain);
        let card_back = self.gpu.kernels.norm_backward(&card_rows, &card_slopes, gain);
        self.record_rows("norm backward", &back, &card_back);
        self.record_gradients("gain's gradient", gain);
        let (gates, card_gates) = self.rows(2 * width);
        let (gated, card_gated) =
            (self.cpu.kernels.gate(&gates), self.gpu.kernels.gate(&card_gates));
        self.record_rows("gate", &gated, &card_gated);
    }

    fn compare_products(&mut self) {
        let block = self.cpu.spans.blocks[0];
        for (name, weight) in [
            ("attention", block.attention),
            ("attended", block.attended),
            ("gate", block.gate),
            ("down", block.down),
        ] {
            let (inner, outer) = (weight == block.attended, weight == block.attention);
            let draw = |pair: &mut Pair, width, has_slots| match has_slots {
                true => pair.rows_of_slots(width),
                false => pair.rows(width),
            };
            let (rows, card_rows) = draw(self, weight.columns, inner);
            let (slopes, card_slopes) = draw(self, weight.rows, outer);
            for more in [false, true] {
                let product = self.cpu.kernels.linear(&rows, weight, more.then_some(&slopes));
                let gpu = self.gpu.kernels.linear(&card_rows, weight, more.then_some(&card_slopes));
                let what = format!("{name} product {more}");
                match outer {
                    true => self.record_slots(&what, &product, &gpu),
                    false => self.record_rows(&what, &product, &gpu),
                }
                let product =
                    self.cpu.kernels.linear_backward(&rows, &slopes, weight, more.then_some(&rows));
                let gpu = self.gpu.kernels.linear_backward(
                    &card_rows,
                    &card_slopes,
                    weight,
                    more.then_some(&card_rows),
                );
                let what = format!("{name} product backward {more}");
                match inner {
                    true => self.record_slots(&what, &product, &gpu),
                    false => self.record_rows(&what, &product, &gpu),
                }
            }
            self.record_gradients(&format!("{name}'s gradient"), weight);
        }
    }

    /// The part of a block after attention, and the gradient of its gates.
    fn compare_feed(&mut self) {
        let block = self.cpu.spans.blocks[0];
        let (input, card_input) = self.rows(block.attended.rows);
        let (attended, card_attended) = self.rows_of_slots(block.attended.columns);
        let (slopes, card_slopes) = self.rows(block.down.rows);
        let (tape, output) = self.cpu.kernels.feed_forward(&input, &attended, &block);
        let (card_tape, card_output) =
            self.gpu.kernels.feed_forward(&card_input, &card_attended, &block);
        self.record_rows(
            "block before its first norm",
            &tape.before_first,
            &card_tape.before_first,
        );
        self.record_rows("block before its gates", &tape.middle, &card_tape.middle);
        self.record_rows("block's gates", &tape.gates, &card_tape.gates);
        self.record_rows("block after its gates", &tape.gated, &card_tape.gated);
        self.record_rows(
            "block before its second norm",
            &tape.before_second,
            &card_tape.before_second,
        );
        self.record_rows("block", &output, &card_output);
        let back = self.cpu.kernels.gated_backward(&tape, &slopes, block.down);
        let card_back = self.gpu.kernels.gated_backward(&card_tape, &card_slopes, block.down);
        self.record_rows("gates backward from behind a weight", &back, &card_back);
        self.record_gradients("gradient of the weight behind gates", block.down);
    }

    /// The graph that the GPU builds, and the digits that it decodes. Attention is compared after
    /// this and shows whether the groups are correct.
    fn compare_slots(&mut self) {
        let (frame, spans) = (Frame::new(self.order), self.cpu.spans.clone());
        let mut slots = SlotLayout::new();
        let mut sources = Vec::new();
        for (index, (_, nodes)) in self.puzzles.iter().enumerate() {
            let start = index % 3;
            let noise = (start > 0).then(|| noise_of_start(start)).into_iter().flatten();
            sources
                .extend(noise.chain(std::iter::repeat(noise::NONE)).take(nodes.candidates.len()));
            slots.add(&frame, nodes, -1 - start as i32);
            slots.roles.extend(&nodes.roles);
        }
        let noise: Vec<i32> = [1, 2]
            .into_iter()
            .flat_map(|start| noise_of_start(start).take(frame.candidates()))
            .collect();
        let gpu = &mut self.gpu.kernels;
        let noise = super::numbers(gpu.client, &noise);
        self.cpu.kernels.set_sources(&sources);
        let begun = self.cpu.kernels.states(None, spans.start);
        let card_begun = gpu.assign_slots(&frame, &slots, None, &noise, spans.start);
        let logits = gpu.answer(&card_begun, spans.answer);
        let digits = gpu.likeliest_digits(&logits, frame.order.cell_count());
        let logits = gpu.read_column(&logits);
        self.record_rows("slots", &begun, &card_begun);
        let mut expected = Vec::new();
        for ((puzzle, nodes), &first) in self.puzzles.iter().zip(&slots.starts) {
            let candidates = &nodes.candidates;
            let logits = &logits[first as usize..][..candidates.len()];
            let mut digits = vec![0; puzzle.len()];
            NodeLogits { frame: &frame, puzzle, candidates, logits }.fill(&mut digits);
            // With `Nodes::All` the candidates of clues are nodes as well.
            expected.extend(
                digits
                    .iter()
                    .zip(puzzle)
                    .map(|(&digit, &given)| if given > 0 { 0.0 } else { f32::from(digit) }),
            );
        }
        let givens = self.puzzles.iter().flat_map(|(puzzle, _)| puzzle);
        let found: Vec<f32> = digits
            .iter()
            .zip(givens)
            .map(|(&digit, &given)| if given > 0 { 0.0 } else { digit as f32 })
            .collect();
        self.record("digits", &expected, &found);
    }

    fn compare_attention(&mut self) {
        let block = self.cpu.spans.blocks[0];
        let (rows, card_rows) = self.rows(block.attention.rows);
        let (slopes, card_slopes) = self.rows(block.attended.columns);
        let (taken, card_taken) =
            (self.cpu.kernels.attend(&rows), self.gpu.kernels.attend(&card_rows));
        self.record_slots("attend", &taken, &card_taken);
        let back = self.cpu.kernels.attend_backward(&rows, &slopes);
        let card_back = self.gpu.kernels.attend_backward(&card_rows, &card_slopes);
        self.record_slots("attend backward", &back, &card_back);
    }

    fn compare_answers(&mut self) {
        let answer = self.cpu.spans.answer;
        let (rows, card_rows) = self.rows(self.config.width);
        let (more, card_more) = self.rows(self.config.width);
        let (logits, card_logits) =
            (self.cpu.kernels.answer(&rows, answer), self.gpu.kernels.answer(&card_rows, answer));
        let on_card = self.gpu.kernels.read_column(&card_logits);
        self.record("logits", &logits, &on_card);
        let (slopes, card_slopes) = (
            self.cpu.kernels.loss_gradient(&logits, 1.0),
            self.gpu.kernels.loss_gradient(&card_logits, 1.0),
        );
        let on_card = self.gpu.kernels.read_column(&card_slopes);
        self.record("loss gradient", &slopes, &on_card);
        for more in [None, Some((&more, &card_more))] {
            let back =
                self.cpu.kernels.answer_backward(&rows, &slopes, answer, more.map(|more| more.0));
            let gpu = self.gpu.kernels.answer_backward(
                &card_rows,
                &card_slopes,
                answer,
                more.map(|more| more.1),
            );
            self.record_rows("answer backward", &back, &gpu);
        }
        self.record_gradients("answer's gradient", answer);
        let flat = |puzzle_results: Vec<super::PuzzleResult>| -> Vec<f32> {
            puzzle_results.iter().flat_map(|result| [result.loss, result.wrong]).collect()
        };
        let (cpu, gpu) = (
            flat(self.cpu.kernels.puzzle_results(&logits)()),
            flat(self.gpu.kernels.puzzle_results(&card_logits)()),
        );
        self.record("puzzle_results", &cpu, &gpu);
    }

    /// The kernel for a whole block, and a segment.
    fn compare_segments(&mut self) {
        let sources: Vec<i32> = (0..self.nodes as i32).map(|node| -1 - node).collect();
        self.set_sources(&sources);
        let states = self.cpu.kernels.states(None, self.cpu.spans.start);
        let card_states = self.gpu.kernels.states(None, self.gpu.spans.start);
        let after = self.cpu.step(&self.cpu.step(&states));
        if let Some(card_after) = self.gpu.kernels.iterate(&card_states, 2) {
            self.record_rows("two iterations, a kernel for each block", &after, &card_after);
        }
        let segment = self.cpu.forward(states, 4, 2);
        let card_segment = self.gpu.forward(card_states, 4, 2);
        let on_card = self.gpu.kernels.read_column(card_segment.logits());
        self.record_segment("logits", segment.logits(), &on_card);
        self.cpu.backward(&segment, self.cells);
        self.gpu.backward(&card_segment, self.cells);
        let (cpu, gpu) = (self.cpu.kernels.take_gradients(), self.gpu.kernels.take_gradients());
        self.record_segment("gradient", &cpu, &gpu);
    }
}

/// The norm of the difference, relative to the norm of the first result.
fn relative_difference(cpu: &[f32], gpu: &[f32]) -> f64 {
    let gpu = &gpu[..cpu.len().min(gpu.len())];
    let length = |numbers: &mut dyn Iterator<Item = f32>| {
        numbers.map(|number| f64::from(number) * f64::from(number)).sum::<f64>().sqrt()
    };
    let difference = length(&mut cpu.iter().zip(gpu).map(|(cpu, gpu)| cpu - gpu));
    let share = difference / length(&mut cpu.iter().copied()).max(1e-9);
    if share.is_finite() { share } else { f64::INFINITY }
}

/// Rounds numbers to bf16, so that both devices compute with the same values.
fn rounded(numbers: Vec<f32>) -> Vec<f32> {
    numbers.into_iter().map(|number| half::bf16::from_f32(number).to_f32()).collect()
}
