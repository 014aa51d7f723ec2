//! Holds every kernel to the loops of the processor, on puzzles of several sizes and random numbers.
//!
//! The processor computes with f32, a card with bf16 rows: numbers of 8 bits. So what is compared is the distance of two results, as a
//! share of their length; a kernel that is right stays below one percent.

use super::super::host::{Host, HostRows};
use super::super::kernels::Kernels;
use super::super::layout::{Frame, Layout, PuzzleNodes};
use super::super::parameters::Span;
use super::super::reading::Reading;
use super::super::segment::Network;
use super::super::{Config, noise, noise_of_start};
use super::seats::Seats;
use super::{Card, CardRows};
use ninefold::grid::{Grid, Order};
use ninefold::random::Random;

/// Results that differ by more than this share of their length are wrong.
const TOLERANCE: f64 = 0.02;

/// How far a kernel is from the processor.
#[derive(Clone, Debug, PartialEq)]
pub struct Deviation {
    /// What was computed, and on which size.
    pub what: String,
    /// The length of the difference, as a share of the length of the result.
    pub share: f64,
    /// Is it one kernel, or a whole segment, in which many roundings follow each other?
    is_one_kernel: bool,
}

impl Deviation {
    /// Is a kernel wrong? A segment says more than it decides.
    #[must_use]
    pub fn is_wrong(&self) -> bool {
        self.is_one_kernel && self.share > TOLERANCE
    }
}

/// Compares all kernels.
pub fn deviations(config: &Config) -> Vec<Deviation> {
    let sizes = [Order::FOUR, Order::boxes(2, 3).expect("boxes of 2 × 3"), Order::NINE];
    sizes.into_iter().flat_map(|order| Pair::new(config, order).compare()).collect()
}

/// The same network on both.
struct Pair {
    config: Config,
    order: Order,
    host: Network<Host>,
    card: Network<Card>,
    nodes: usize,
    puzzles: Vec<(Vec<u8>, PuzzleNodes)>,
    cells: usize,
    random: Random,
    found: Vec<Deviation>,
}

impl Pair {
    fn new(config: &Config, order: Order) -> Pair {
        let mut random = Random::new(order.side() as u64);
        let mut host = Network::new(config, Host::new(config));
        let mut card = Network::new(config, Card::new(config));
        let parameters = rounded(host.spans.draw(&mut random));
        let solution: Vec<u8> =
            ninefold::generate::full::random(order, &mut random).numbers().collect();
        // Puzzles with many and with few clues, one of them complete.
        let puzzles = [70, 45, 30, 100, 20].map(|percent| -> Vec<u8> {
            solution
                .iter()
                .map(|&digit| if random.chance(f64::from(percent) / 100.0) { digit } else { 0 })
                .collect()
        });
        debug_assert!(puzzles.iter().all(|puzzle| Grid::from_numbers(order, puzzle).is_some()));
        let frame = Frame::new(order);
        let nodes: Vec<PuzzleNodes> =
            puzzles.iter().map(|puzzle| PuzzleNodes::new(&frame, config.nodes, puzzle)).collect();
        let layout = Layout::new(nodes.iter());
        let targets: Vec<f32> =
            nodes.iter().flat_map(|nodes| nodes.targets(order.side(), &solution)).collect();
        let cells = targets.iter().sum::<f32>() as usize;
        host.kernels.set_parameters(&parameters);
        card.kernels.set_parameters(&parameters);
        host.kernels.set_layout(&frame, &layout);
        card.kernels.set_layout(&frame, &layout);
        host.kernels.set_targets(&targets);
        card.kernels.set_targets(&targets);
        let config = config.clone();
        let puzzles = puzzles.into_iter().zip(nodes).collect();
        Pair {
            config,
            order,
            host,
            card,
            nodes: layout.len(),
            puzzles,
            cells,
            random,
            found: Vec::new(),
        }
    }

    /// Random rows on both.
    fn rows(&mut self, width: usize) -> (HostRows, CardRows) {
        let draw = |_| self.random.below(2_001) as f32 / 500.0 - 2.0;
        let numbers = rounded((0..self.nodes * width).map(draw).collect());
        let mut padded = numbers.clone();
        padded.resize(self.card.kernels.padded() * width, 0.0);
        (
            self.host.kernels.write_rows(&numbers, width),
            self.card.kernels.write_rows(&padded, width),
        )
    }

    fn set_sources(&mut self, sources: &[i32]) {
        self.host.kernels.set_sources(sources);
        self.card.kernels.set_sources(sources);
    }

    fn note(&mut self, what: &str, host: &[f32], card: &[f32]) {
        let share = share_of_difference(host, card);
        self.found.push(Deviation {
            what: format!("{what}, {}", self.order),
            share,
            is_one_kernel: true,
        });
    }

    fn note_segment(&mut self, what: &str, host: &[f32], card: &[f32]) {
        let share = share_of_difference(host, card);
        self.found.push(Deviation {
            what: format!("segment's {what}, {}", self.order),
            share,
            is_one_kernel: false,
        });
    }

    fn note_rows(&mut self, what: &str, host: &HostRows, card: &CardRows) {
        let card = self.card.kernels.read_rows(card);
        self.note(what, &host.numbers, &card);
    }

    fn note_gradients(&mut self, what: &str, span: Span) {
        let (host, card) = (self.host.kernels.take_gradients(), self.card.kernels.take_gradients());
        self.note(what, span.of(&host), span.of(&card));
    }

    fn compare(mut self) -> Vec<Deviation> {
        self.compare_rows();
        self.compare_products();
        self.compare_feed();
        self.compare_seats();
        self.compare_attention();
        self.compare_answers();
        self.compare_segments();
        self.found
    }

    fn compare_rows(&mut self) {
        let spans = self.host.spans.clone();
        let width = self.config.width;
        let block = spans.blocks[0];
        let (rows, card_rows) = self.rows(width);
        let (slopes, card_slopes) = self.rows(width);
        let sources: Vec<i32> = (0..self.nodes as i32)
            .map(|node| [node, -1 - node, noise::NONE][node as usize % 3])
            .collect();
        self.set_sources(&sources);
        let begun = self.host.kernels.states(Some(&rows), spans.start);
        let card_begun = self.card.kernels.states(Some(&card_rows), spans.start);
        self.note_rows("start", &begun, &card_begun);
        self.host.kernels.states_backward(&slopes, spans.start);
        self.card.kernels.states_backward(&card_slopes, spans.start);
        self.note_gradients("start's gradient", spans.start);
        let (with, card_with) = (
            self.host.kernels.add_input(&rows, spans.input),
            self.card.kernels.add_input(&card_rows, spans.input),
        );
        self.note_rows("input", &with, &card_with);
        self.host.kernels.add_input_backward(&slopes, spans.input);
        self.card.kernels.add_input_backward(&card_slopes, spans.input);
        self.note_gradients("input's gradient", spans.input);
        let gain = block.first_norm;
        let (normed, card_normed) =
            (self.host.kernels.norm(&rows, gain), self.card.kernels.norm(&card_rows, gain));
        self.note_rows("norm", &normed, &card_normed);
        let back = self.host.kernels.norm_backward(&rows, &slopes, gain);
        let card_back = self.card.kernels.norm_backward(&card_rows, &card_slopes, gain);
        self.note_rows("norm backward", &back, &card_back);
        self.note_gradients("gain's gradient", gain);
        let (gates, card_gates) = self.rows(2 * width);
        let (gated, card_gated) =
            (self.host.kernels.gate(&gates), self.card.kernels.gate(&card_gates));
        self.note_rows("gate", &gated, &card_gated);
    }

    fn compare_products(&mut self) {
        let block = self.host.spans.blocks[0];
        for (name, weight) in [
            ("attention", block.attention),
            ("attended", block.attended),
            ("gate", block.gate),
            ("down", block.down),
        ] {
            let (rows, card_rows) = self.rows(weight.columns);
            let (slopes, card_slopes) = self.rows(weight.rows);
            for more in [false, true] {
                let product = self.host.kernels.linear(&rows, weight, more.then_some(&slopes));
                let card =
                    self.card.kernels.linear(&card_rows, weight, more.then_some(&card_slopes));
                self.note_rows(&format!("{name} product {more}"), &product, &card);
                let product = self.host.kernels.linear_backward(
                    &rows,
                    &slopes,
                    weight,
                    more.then_some(&rows),
                );
                let card = self.card.kernels.linear_backward(
                    &card_rows,
                    &card_slopes,
                    weight,
                    more.then_some(&card_rows),
                );
                self.note_rows(&format!("{name} product backward {more}"), &product, &card);
            }
            self.note_gradients(&format!("{name}'s gradient"), weight);
        }
    }

    /// All of a block after attention, and back through its gates.
    fn compare_feed(&mut self) {
        let block = self.host.spans.blocks[0];
        let (input, card_input) = self.rows(block.attended.rows);
        let (attended, card_attended) = self.rows(block.attended.columns);
        let (slopes, card_slopes) = self.rows(block.down.rows);
        let (tape, output) = self.host.kernels.feed(&input, &attended, &block);
        let (card_tape, card_output) = self.card.kernels.feed(&card_input, &card_attended, &block);
        self.note_rows("block before its first norm", &tape.before_first, &card_tape.before_first);
        self.note_rows("block before its gates", &tape.middle, &card_tape.middle);
        self.note_rows("block's gates", &tape.gates, &card_tape.gates);
        self.note_rows("block after its gates", &tape.gated, &card_tape.gated);
        self.note_rows(
            "block before its second norm",
            &tape.before_second,
            &card_tape.before_second,
        );
        self.note_rows("block", &output, &card_output);
        let back = self.host.kernels.gated_backward(&tape, &slopes, block.down);
        let card_back = self.card.kernels.gated_backward(&card_tape, &card_slopes, block.down);
        self.note_rows("gates backward from behind a weight", &back, &card_back);
        self.note_gradients("gradient of the weight behind gates", block.down);
    }

    /// Nodes that the card works out by itself, and the digits that it reads off. Attention is compared after this, so it shows whether
    /// everybody has the right neighbours.
    fn compare_seats(&mut self) {
        let (frame, spans) = (Frame::new(self.order), self.host.spans.clone());
        let mut seats = Seats::new();
        let mut sources = Vec::new();
        for (index, (_, nodes)) in self.puzzles.iter().enumerate() {
            let start = index % 3;
            let noise = (start > 0).then(|| noise_of_start(start)).into_iter().flatten();
            sources
                .extend(noise.chain(std::iter::repeat(noise::NONE)).take(nodes.candidates.len()));
            seats.add(&frame, nodes, -1 - start as i32);
            seats.roles.extend(&nodes.roles);
        }
        let noise: Vec<i32> = [1, 2]
            .into_iter()
            .flat_map(|start| noise_of_start(start).take(frame.candidates()))
            .collect();
        let card = &mut self.card.kernels;
        let noise = super::numbers(card.client, &noise);
        self.host.kernels.set_sources(&sources);
        let begun = self.host.kernels.states(None, spans.start);
        let card_begun = card.seat(&frame, &seats, None, &noise, spans.start);
        let logits = card.answer(&card_begun, spans.answer);
        let digits = card.likeliest_digits(&logits, frame.order.cell_count());
        let logits = card.read_column(&logits);
        self.note_rows("seats", &begun, &card_begun);
        let mut expected = Vec::new();
        for ((puzzle, nodes), &first) in self.puzzles.iter().zip(&seats.starts) {
            let candidates = &nodes.candidates;
            let logits = &logits[first as usize..][..candidates.len()];
            let mut digits = vec![0; puzzle.len()];
            Reading { frame: &frame, puzzle, candidates, logits }.fill(&mut digits);
            // Where all candidates are nodes, those of clues are there, too.
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
        self.note("digits", &expected, &found);
    }

    fn compare_attention(&mut self) {
        let block = self.host.spans.blocks[0];
        let (rows, card_rows) = self.rows(block.attention.rows);
        let (slopes, card_slopes) = self.rows(block.attended.columns);
        let (taken, card_taken) =
            (self.host.kernels.attend(&rows), self.card.kernels.attend(&card_rows));
        self.note_rows("attend", &taken, &card_taken);
        let back = self.host.kernels.attend_backward(&rows, &slopes);
        let card_back = self.card.kernels.attend_backward(&card_rows, &card_slopes);
        self.note_rows("attend backward", &back, &card_back);
    }

    fn compare_answers(&mut self) {
        let answer = self.host.spans.answer;
        let (rows, card_rows) = self.rows(self.config.width);
        let (more, card_more) = self.rows(self.config.width);
        let (logits, card_logits) =
            (self.host.kernels.answer(&rows, answer), self.card.kernels.answer(&card_rows, answer));
        let on_card = self.card.kernels.read_column(&card_logits);
        self.note("logits", &logits, &on_card);
        let (slopes, card_slopes) = (
            self.host.kernels.loss_gradient(&logits, 1.0),
            self.card.kernels.loss_gradient(&card_logits, 1.0),
        );
        let on_card = self.card.kernels.read_column(&card_slopes);
        self.note("loss gradient", &slopes, &on_card);
        for more in [None, Some((&more, &card_more))] {
            let back =
                self.host.kernels.answer_backward(&rows, &slopes, answer, more.map(|more| more.0));
            let card = self.card.kernels.answer_backward(
                &card_rows,
                &card_slopes,
                answer,
                more.map(|more| more.1),
            );
            self.note_rows("answer backward", &back, &card);
        }
        self.note_gradients("answer's gradient", answer);
        let flat = |verdicts: Vec<super::Verdict>| -> Vec<f32> {
            verdicts.iter().flat_map(|verdict| [verdict.loss, verdict.wrong]).collect()
        };
        let (host, card) = (
            flat(self.host.kernels.verdicts(&logits)()),
            flat(self.card.kernels.verdicts(&card_logits)()),
        );
        self.note("verdicts", &host, &card);
    }

    /// A block in one kernel, and a whole segment.
    fn compare_segments(&mut self) {
        let sources: Vec<i32> = (0..self.nodes as i32).map(|node| -1 - node).collect();
        self.set_sources(&sources);
        let states = self.host.kernels.states(None, self.host.spans.start);
        let card_states = self.card.kernels.states(None, self.card.spans.start);
        let after = self.host.step(&self.host.step(&states));
        if let Some(card_after) = self.card.kernels.iterate(&card_states, 2) {
            self.note_rows("two iterations, a kernel for each block", &after, &card_after);
        }
        let segment = self.host.forward(states, 4, 2);
        let card_segment = self.card.forward(card_states, 4, 2);
        let on_card = self.card.kernels.read_column(card_segment.logits());
        self.note_segment("logits", segment.logits(), &on_card);
        self.host.backward(&segment, self.cells);
        self.card.backward(&card_segment, self.cells);
        let (host, card) = (self.host.kernels.take_gradients(), self.card.kernels.take_gradients());
        self.note_segment("gradient", &host, &card);
    }
}

/// How far two results are apart, as a share of the length of the first.
fn share_of_difference(host: &[f32], card: &[f32]) -> f64 {
    let card = &card[..host.len().min(card.len())];
    let length = |numbers: &mut dyn Iterator<Item = f32>| {
        numbers.map(|number| f64::from(number) * f64::from(number)).sum::<f64>().sqrt()
    };
    let apart = length(&mut host.iter().zip(card).map(|(host, card)| host - card));
    let share = apart / length(&mut host.iter().copied()).max(1e-9);
    if share.is_finite() { share } else { f64::INFINITY }
}

/// Numbers that a bf16 can hold, so that both compute with the same.
fn rounded(numbers: Vec<f32>) -> Vec<f32> {
    numbers.into_iter().map(|number| burn::tensor::bf16::from_f32(number).to_f32()).collect()
}
