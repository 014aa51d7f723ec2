//! Answers from a graphics card: many puzzles think at a time; those that are solved leave, and others take their seats.
//!
//! ```text
//! until nobody is left:   fill up with puzzles that wait; those that stay keep their states
//!                         two iterations
//!                         who keeps the rules leaves; who ran out of iterations begins again from another start
//! ```
//! Seats that are refilled keep the kernels large: a batch that only shrinks ends with many iterations about few puzzles. Some
//! threads each have a batch of their own, so that one is on the card while another is prepared. Little goes to the card and comes
//! back, as that is what it would wait for: a bit for each candidate of a puzzle, from which it works out all nodes, and a digit for each cell,
//! which is held to the rules here.

use super::super::kernels::Kernels;
use super::super::layout::{Frame, PuzzleNodes};
use super::super::reading::{Reading, keeps_the_rules};
use super::super::segment::Network;
use super::super::{Config, Nodes, Patience, Thought, noise_of_start};
use super::seats::Seats;
use super::{Card, CardRows, Numbers};
use crate::parallel;
use std::cell::LazyCell;

/// Candidates in a batch, at most. Launching kernels takes the host as long for a small batch as for a large one, so few large ones are best:
/// six of 1,000,000 answer 102,000 puzzles a second on an H200, eight 98,000, four of twice the size 90,000, sixteen of a quarter 82,000.
const NODES_PER_BATCH: usize = 1_000_000;
/// Batches that think at the same time.
const BATCHES: usize = 6;
/// What a candidate takes of the card's memory, in bytes, generously: rows of several kernels, and what is free but not used again at once. On a
/// smaller card than an H200 batches are smaller.
const BYTES_PER_NODE: u64 = 16_384;
/// Iterations between two looks.
const ITERATIONS_PER_LOOK: usize = 2;
/// Those who are left move together when no more than this share of a batch is still open.
const SHARE_TO_MOVE: f64 = 0.8;

/// The network on a graphics card.
pub(in super::super) struct CardThinker<'a> {
    pub config: &'a Config,
    pub parameters: &'a [f32],
    pub frame: &'a Frame,
    pub patience: Patience,
    /// Are probabilities wanted of puzzles that are solved? Those of the others are always there.
    pub explains_solutions: bool,
}

/// A puzzle in its seat.
struct Guest {
    /// Which puzzle.
    index: usize,
    nodes: PuzzleNodes,
    /// Starts before this one.
    start: usize,
    /// Iterations since this start.
    done: usize,
    is_settled: bool,
    /// Its first row in the states, if it has some.
    row: Option<usize>,
}

impl CardThinker<'_> {
    /// Thinks about each puzzle.
    pub fn think(&self, puzzles: &[&[u8]]) -> Vec<Thought> {
        let shares: Vec<&[&[u8]]> =
            puzzles.chunks(puzzles.len().div_ceil(BATCHES).max(64)).collect();
        parallel::map(&shares, |share| self.think_about(share)).into_iter().flatten().collect()
    }

    fn think_about(&self, puzzles: &[&[u8]]) -> Vec<Thought> {
        let mut network = Network::new(self.config, Card::to_answer(self.config));
        network.kernels.set_parameters(self.parameters);
        let client = network.kernels.client;
        let thoughts = self.think_with(network, puzzles);
        // What a thread had on the card stays reserved for it, though it ends here; the next list has other threads.
        client.memory_cleanup();
        thoughts
    }

    fn think_with(&self, mut network: Network<Card>, puzzles: &[&[u8]]) -> Vec<Thought> {
        let noise = self.noise_of_starts(&network.kernels);
        let most_nodes = nodes_per_batch(&network.kernels);
        let cells = self.frame.order.cell_count();
        let mut thoughts: Vec<Option<Thought>> = vec![None; puzzles.len()];
        let mut waiting = 0..puzzles.len();
        let mut guests: Vec<Guest> = Vec::new();
        let mut states: Option<CardRows> = None;
        loop {
            if has_room(&guests) {
                guests.retain(|guest| !guest.is_settled);
                self.fill_up(&mut guests, puzzles, &mut waiting, most_nodes);
                if guests.is_empty() {
                    return thoughts
                        .into_iter()
                        .map(|thought| thought.expect("a guest leaves a thought"))
                        .collect();
                }
                let seats = self.seats(&mut guests);
                let start = network.spans.start;
                states =
                    Some(network.kernels.seat(self.frame, &seats, states.as_ref(), &noise, start));
            }
            let mut now = states.take().expect("guests have states");
            let open = guests.iter().filter(|guest| !guest.is_settled);
            let left = open
                .map(|guest| self.patience.iterations.saturating_sub(guest.done))
                .min()
                .unwrap_or(0);
            let steps = left.clamp(1, ITERATIONS_PER_LOOK);
            now = match network.kernels.iterate(&now, steps) {
                Some(after) => after,
                None => (0..steps).fold(now, |now, _| network.step(&now)),
            };
            guests.iter_mut().for_each(|guest| guest.done += steps);
            let logits = network.logits(&now);
            let likeliest = network.kernels.likeliest_digits(&logits, cells);
            let numbers = LazyCell::new(|| network.kernels.read_column(&logits));
            for (guest, likeliest) in guests
                .iter_mut()
                .zip(likeliest.chunks(cells))
                .filter(|(guest, _)| !guest.is_settled)
            {
                let puzzle = puzzles[guest.index];
                let digits: Vec<u8> = puzzle
                    .iter()
                    .zip(likeliest)
                    .map(|(&given, &digit)| if given > 0 { given } else { digit as u8 })
                    .collect();
                let solved = keeps_the_rules(self.frame, &digits);
                if solved || guest.done >= self.patience.iterations {
                    thoughts[guest.index] =
                        self.end(guest, puzzle, digits, solved, || &numbers[..]);
                }
            }
            states = Some(now);
        }
    }

    /// Where the noise of each node comes from, for the second start, the third and so on.
    fn noise_of_starts(&self, card: &Card) -> Numbers {
        let sources = (1..self.patience.starts)
            .flat_map(|start| noise_of_start(start).take(self.frame.candidates()));
        let sources: Vec<i32> = sources.chain([0]).collect();
        super::numbers(card.client, &sources)
    }

    fn fill_up(
        &self,
        guests: &mut Vec<Guest>,
        puzzles: &[&[u8]],
        waiting: &mut std::ops::Range<usize>,
        most_nodes: usize,
    ) {
        let mut nodes: usize = guests.iter().map(|guest| guest.nodes.candidates.len()).sum();
        while nodes < most_nodes
            && let Some(index) = waiting.next()
        {
            let guest = PuzzleNodes::new(self.frame, self.config.nodes, puzzles[index]);
            nodes += guest.candidates.len();
            guests.push(Guest {
                index,
                nodes: guest,
                start: 0,
                done: 0,
                is_settled: false,
                row: None,
            });
        }
    }

    /// The seats of all guests: old ones bring their states, new ones begin.
    fn seats(&self, guests: &mut [Guest]) -> Seats {
        let mut seats = Seats::new();
        for guest in guests {
            let row = guest.row.map_or(-1 - guest.start as i32, |row| row as i32);
            guest.row = Some(seats.nodes());
            seats.add(self.frame, &guest.nodes, row);
            if self.config.nodes == Nodes::All {
                seats.roles.extend(&guest.nodes.roles);
            }
        }
        seats
    }

    /// A guest that is done leaves a thought; one whose start is over goes to another, if there is one.
    fn end<'a>(
        &self,
        guest: &mut Guest,
        puzzle: &[u8],
        mut digits: Vec<u8>,
        solved: bool,
        logits: impl FnOnce() -> &'a [f32],
    ) -> Option<Thought> {
        if !solved && guest.start + 1 < self.patience.starts {
            (guest.start, guest.done, guest.row) = (guest.start + 1, 0, None);
            return None;
        }
        guest.is_settled = true;
        digits.iter_mut().for_each(|digit| *digit = (*digit).max(1));
        let row = guest.row.expect("a guest that thinks has states");
        let candidates = &guest.nodes.candidates;
        let log_probabilities = if solved && !self.explains_solutions {
            Vec::new()
        } else {
            let logits = &logits()[row..][..candidates.len()];
            Reading { frame: self.frame, puzzle, candidates, logits }.log_probabilities()
        };
        Some(Thought {
            digits,
            solved,
            iterations: guest.start * self.patience.iterations + guest.done,
            starts: guest.start + 1,
            log_probabilities,
        })
    }
}

/// Candidates in a batch on this card.
fn nodes_per_batch(card: &Card) -> usize {
    // The library gives a page a quarter of the memory.
    let memory = 4 * card.client.properties().memory.max_page_size;
    let nodes = memory / (BATCHES as u64 * BYTES_PER_NODE);
    usize::try_from(nodes).unwrap_or(NODES_PER_BATCH).clamp(1, NODES_PER_BATCH)
}

/// Is it worth while to move together and to let others in? One who begins anew cannot wait.
fn has_room(guests: &[Guest]) -> bool {
    let open = guests.iter().filter(|guest| !guest.is_settled);
    let begins_anew = open.clone().any(|guest| guest.row.is_none());
    let open = open.count();
    open == 0 || begins_anew || (open as f64) < SHARE_TO_MOVE * guests.len() as f64
}
