//! Answers from a graphics card: many puzzles think at a time; those that are solved leave, and others take their places.
//!
//! ```text
//! until nobody is left:   fill up with puzzles that wait; those that stay keep their states
//!                         two iterations
//!                         who keeps the rules leaves; who ran out of iterations begins again from another start
//! ```
//! Places that are refilled keep the kernels large: a batch that only shrinks ends with many iterations about few puzzles. Some
//! threads each have a batch of their own, so that one is on the card while another is prepared. What a card believes to be solved is
//! checked again before it is called so.

use super::super::kernels::Kernels;
use super::super::layout::{Frame, Layout, PuzzleNodes};
use super::super::reading::{Reading, keeps_the_rules};
use super::super::segment::Network;
use super::super::{Config, Patience, Thought, noise, noise_of_start};
use super::Card;
use crate::parallel;

/// Candidates in a batch: enough to keep a large card busy.
const NODES_PER_BATCH: usize = 500_000;
/// Batches that think at the same time.
const BATCHES: usize = 8;
/// Iterations between two looks.
const ITERATIONS_PER_LOOK: usize = 2;
/// Those who are left move together when no more than this share of a batch is still open.
const SHARE_TO_MOVE: f64 = 0.9;

/// The network on a graphics card.
pub(in super::super) struct CardThinker<'a> {
    pub config: &'a Config,
    pub parameters: &'a [f32],
    pub frame: &'a Frame,
    pub patience: Patience,
}

/// A puzzle in its place in a batch.
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
        let shares: Vec<&[&[u8]]> = puzzles.chunks(puzzles.len().div_ceil(BATCHES).max(64)).collect();
        parallel::map(&shares, |share| self.think_about(share)).into_iter().flatten().collect()
    }

    fn think_about(&self, puzzles: &[&[u8]]) -> Vec<Thought> {
        let mut network = Network::new(self.config, Card::to_answer(self.config));
        network.kernels.set_parameters(self.parameters);
        let mut thoughts: Vec<Option<Thought>> = vec![None; puzzles.len()];
        let mut waiting = 0..puzzles.len();
        let mut guests: Vec<Guest> = Vec::new();
        let mut states: Option<<Card as Kernels>::Rows> = None;
        loop {
            if has_room(&guests) {
                guests.retain(|guest| !guest.is_settled);
                self.fill_up(&mut guests, puzzles, &mut waiting);
                if guests.is_empty() {
                    return thoughts.into_iter().map(|thought| thought.expect("a guest leaves a thought")).collect();
                }
                states = Some(self.seat(&mut network, &mut guests, states));
            }
            let mut now = states.take().expect("guests have states");
            let open = guests.iter().filter(|guest| !guest.is_settled);
            let left = open.map(|guest| self.patience.iterations.saturating_sub(guest.done)).min().unwrap_or(0);
            let steps = left.clamp(1, ITERATIONS_PER_LOOK);
            now = match network.kernels.iterate(&now, steps) {
                Some(after) => after,
                None => (0..steps).fold(now, |now, _| network.step(&now)),
            };
            guests.iter_mut().for_each(|guest| guest.done += steps);
            let logits = network.logits(&now);
            let broken = network.kernels.broken_rules(&logits);
            let is_over = |(guest, broken): (&Guest, &bool)| {
                !guest.is_settled && (!broken || guest.done >= self.patience.iterations)
            };
            if guests.iter().zip(&broken).any(is_over) {
                let numbers = network.kernels.read_column(&logits);
                for (guest, &broken) in guests.iter_mut().zip(&broken) {
                    self.look(guest, broken, puzzles[guest.index], &numbers, &mut thoughts[guest.index]);
                }
            }
            states = Some(now);
        }
    }

    fn fill_up(&self, guests: &mut Vec<Guest>, puzzles: &[&[u8]], waiting: &mut std::ops::Range<usize>) {
        let mut nodes: usize = guests.iter().map(|guest| guest.nodes.candidates.len()).sum();
        while nodes < NODES_PER_BATCH
            && let Some(index) = waiting.next()
        {
            let guest = PuzzleNodes::new(self.frame, self.config.nodes, puzzles[index]);
            nodes += guest.candidates.len();
            guests.push(Guest { index, nodes: guest, start: 0, done: 0, is_settled: false, row: None });
        }
    }

    /// Gives every guest its place: old ones bring their states, new ones begin.
    fn seat(
        &self,
        network: &mut Network<Card>,
        guests: &mut [Guest],
        states: Option<<Card as Kernels>::Rows>,
    ) -> <Card as Kernels>::Rows {
        let mut sources: Vec<i32> = Vec::with_capacity(NODES_PER_BATCH);
        for guest in guests.iter_mut() {
            let count = guest.nodes.candidates.len();
            let first = sources.len();
            match guest.row {
                Some(row) => sources.extend((row..row + count).map(|row| row as i32)),
                None if guest.start == 0 => sources.resize(first + count, noise::NONE),
                None => sources.extend(noise_of_start(guest.start).take(count)),
            }
            guest.row = Some(first);
        }
        let layout = Layout::new(guests.iter().map(|guest| &guest.nodes));
        network.kernels.set_layout(self.frame, &layout);
        network.kernels.states(states.as_ref(), &sources, network.spans.start)
    }

    /// Leaves a thought if the guest is done, and sends it to another start if only this one is over.
    fn look(&self, guest: &mut Guest, broken: bool, puzzle: &[u8], logits: &[f32], thought: &mut Option<Thought>) {
        let is_over = guest.done >= self.patience.iterations;
        if guest.is_settled || (broken && !is_over) {
            return;
        }
        let row = guest.row.expect("a guest that thinks has states");
        let candidates = &guest.nodes.candidates;
        let reading = Reading { frame: self.frame, puzzle, candidates, logits: &logits[row..][..candidates.len()] };
        let mut digits = puzzle.to_vec();
        reading.fill(&mut digits);
        let solved = keeps_the_rules(self.frame, &digits);
        let is_last = guest.start + 1 >= self.patience.starts;
        if solved || (is_over && is_last) {
            digits.iter_mut().for_each(|digit| *digit = (*digit).max(1));
            *thought = Some(Thought {
                digits,
                solved,
                iterations: guest.start * self.patience.iterations + guest.done,
                starts: guest.start + 1,
                log_probabilities: reading.log_probabilities(),
            });
            guest.is_settled = true;
        } else if is_over {
            (guest.start, guest.done, guest.row) = (guest.start + 1, 0, None);
        }
    }
}

/// Is it worth while to move together and to let others in? One who begins anew cannot wait.
fn has_room(guests: &[Guest]) -> bool {
    let open = guests.iter().filter(|guest| !guest.is_settled);
    let begins_anew = open.clone().any(|guest| guest.row.is_none());
    let open = open.count();
    open == 0 || begins_anew || (open as f64) < SHARE_TO_MOVE * guests.len() as f64
}
