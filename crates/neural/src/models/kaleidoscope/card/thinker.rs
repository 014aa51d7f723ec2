//! Answers from a graphics card: many puzzles think at a time, and those that are solved leave.
//!
//! A card is asked only now and then whether grids keep the rules, as every question interrupts it: after 4 iterations, and then after
//! a fifth more each time. When enough puzzles are solved, the others move together. Every batch has a thread of its own, so that
//! one is on the card while another is prepared. What a card believes to be solved is checked again before it is called so.

use super::super::kernels::Kernels;
use super::super::layout::{Frame, Layout, PuzzleNodes};
use super::super::reading::{Reading, keeps_the_rules};
use super::super::segment::Network;
use super::super::think::{Patience, Thought};
use super::super::{Config, noise};
use super::Card;
use crate::parallel;
use ninefold::random::Random;

/// Candidates in a batch: enough to keep a large card busy.
const NODES_PER_BATCH: usize = 400_000;
/// The first time a card is asked.
const FIRST_LOOK: usize = 4;
/// Puzzles move together when no more than this share of a batch is still open.
const SHARE_TO_MOVE: f64 = 0.85;

/// The network on a graphics card.
pub(in super::super) struct CardThinker<'a> {
    pub config: &'a Config,
    pub parameters: &'a [f32],
    pub frame: &'a Frame,
    pub patience: Patience,
}

/// A puzzle and what is known of it.
struct Place<'a> {
    puzzle: &'a [u8],
    nodes: PuzzleNodes,
    iterations: usize,
    thought: Option<Thought>,
}

impl CardThinker<'_> {
    /// Thinks about each puzzle.
    pub fn think(&self, puzzles: &[&[u8]]) -> Vec<Thought> {
        let per_batch = (NODES_PER_BATCH * 3 / self.frame.candidates()).max(1);
        let batches: Vec<&[&[u8]]> = puzzles.chunks(per_batch).collect();
        parallel::map(&batches, |batch| self.think_about(batch)).into_iter().flatten().collect()
    }

    fn think_about(&self, puzzles: &[&[u8]]) -> Vec<Thought> {
        let mut places: Vec<Place<'_>> = Vec::with_capacity(puzzles.len());
        for &puzzle in puzzles {
            let nodes = PuzzleNodes::new(self.frame, self.config.nodes, puzzle);
            places.push(Place { puzzle, nodes, iterations: 0, thought: None });
        }
        let mut network = Network::new(self.config, Card::to_answer(self.config));
        network.kernels.set_parameters(self.parameters);
        let starts = self.patience.starts.max(1);
        for start in 0..starts {
            self.from_start(&mut network, &mut places, start, start + 1 == starts);
        }
        places
            .into_iter()
            .map(|place| place.thought.expect("the last start leaves a thought for every puzzle"))
            .collect()
    }

    /// Thinks about what is not solved yet. The last start leaves its thoughts even if they are wrong.
    fn from_start(&self, network: &mut Network<Card>, places: &mut [Place<'_>], start: usize, is_last: bool) {
        let mut open: Vec<usize> = (0..places.len()).filter(|&place| places[place].thought.is_none()).collect();
        if open.is_empty() {
            return;
        }
        let mut random = Random::for_part(0x0073_7461_7274, start as u64);
        let mut layout = Layout::new(open.iter().map(|&place| &places[place].nodes));
        network.kernels.set_layout(self.frame, &layout);
        let source = |_| if start == 0 { noise::NONE } else { noise::source(&mut random) };
        let sources: Vec<i32> = (0..layout.len()).map(source).collect();
        let mut states = network.kernels.states(None, &sources, network.spans.start);
        let (mut done, mut next) = (0, FIRST_LOOK.min(self.patience.iterations));
        while done < self.patience.iterations {
            while done < next {
                states = network.step(&states);
                done += 1;
            }
            next = (done + (done / 5).max(2)).min(self.patience.iterations);
            let is_end = done == self.patience.iterations;
            let logits = network.logits(&states);
            let broken = network.kernels.broken_rules(&logits);
            if broken.iter().any(|&broken| !broken) || is_end {
                let numbers = network.kernels.read_column(&logits);
                for (index, &place) in open.iter().enumerate() {
                    let nodes = layout.starts[index]..layout.starts[index + 1];
                    if places[place].thought.is_none() && (!broken[index] || is_end) {
                        let place = &mut places[place];
                        let thought = self.thought(place, &numbers[nodes], done, start + 1);
                        if thought.solved || (is_end && is_last) {
                            place.thought = Some(thought);
                        }
                    }
                }
            }
            let left: Vec<usize> = (0..open.len()).filter(|&index| places[open[index]].thought.is_none()).collect();
            if is_end || left.is_empty() {
                break;
            }
            if (left.len() as f64) < SHARE_TO_MOVE * open.len() as f64 {
                let rows = left.iter().flat_map(|&index| layout.starts[index]..layout.starts[index + 1]);
                let sources: Vec<i32> = rows.map(|row| row as i32).collect();
                open = left.iter().map(|&index| open[index]).collect();
                layout = Layout::new(open.iter().map(|&place| &places[place].nodes));
                network.kernels.set_layout(self.frame, &layout);
                states = network.kernels.states(Some(&states), &sources, network.spans.start);
            }
        }
        open.iter().for_each(|&place| places[place].iterations += self.patience.iterations);
    }

    fn thought(&self, place: &Place<'_>, logits: &[f32], iterations: usize, starts: usize) -> Thought {
        let reading = Reading { frame: self.frame, puzzle: place.puzzle, candidates: &place.nodes.candidates, logits };
        let mut digits = place.puzzle.to_vec();
        reading.fill(&mut digits);
        let solved = keeps_the_rules(self.frame, &digits);
        digits.iter_mut().for_each(|digit| *digit = (*digit).max(1));
        let log_probabilities = reading.log_probabilities();
        Thought { digits, solved, iterations: place.iterations + iterations, starts, log_probabilities }
    }
}
