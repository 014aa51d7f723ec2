//! Solving on the GPU: batches of many puzzles, in which solved puzzles are replaced.
//!
//! ```text
//! until no puzzle is left:
//!   fill the batch with new puzzles; the unsolved ones keep their states
//!   run two iterations
//!   remove the solved puzzles; restart those that have used the iterations of a start
//!   report those that have used all starts as unsolved, and remove them
//! ```
//! Refilling keeps the kernels large. A batch that only shrinks would end with many iterations on
//! few puzzles. Several threads have a batch each, so that the GPU works on one while another is
//! prepared. Transfers are small, because the GPU would wait for them: a bit per candidate of a
//! puzzle, from which the GPU builds the graph, and a digit per cell, which the CPU checks against
//! the rules.

use super::slots::SlotLayout;
use super::{GpuKernels, GpuRows, Numbers};
use crate::decoding::{NodeLogits, is_complete};
use crate::layout::{Frame, PuzzleNodes};
use crate::train::kernels::Kernels;
use crate::train::segment::Network;
use crate::{Budget, Config, Nodes, Prediction, noise_of_start};
use ninefold_training::parallel;
use std::cell::LazyCell;

/// The maximum number of nodes in a batch. Launching kernels takes as long for a small batch as for
/// a large one, so few large ones are best. On an H200 six of 1,000,000 solve 102,000 puzzles per
/// second, eight 98,000, four of twice the size 90,000, sixteen of a quarter 82,000.
const NODES_PER_BATCH: usize = 1_000_000;
/// Concurrent batches.
const BATCHES: usize = 6;
/// GPU memory per node in bytes, a generous estimate: rows of several kernels, and freed memory
/// that is not reused immediately. GPUs with less memory than an H200 use smaller batches.
const BYTES_PER_NODE: u64 = 16_384;
/// Iterations between two checks whether puzzles are solved.
const ITERATIONS_PER_CHECK: usize = 2;
/// A batch is refilled when less than this share of it is unsolved.
const REFILL_SHARE: f64 = 0.8;

/// The network on the GPU.
pub(in crate::train) struct GpuSolver<'a> {
    pub config: &'a Config,
    pub parameters: &'a [f32],
    pub frame: &'a Frame,
    pub budget: Budget,
    /// Whether predictions of solved puzzles contain probabilities. Others always do.
    pub probabilities_of_solved: bool,
}

/// A puzzle in a batch.
struct Slot {
    /// The index of the puzzle.
    index: usize,
    nodes: PuzzleNodes,
    /// Starts before this one.
    start: usize,
    /// Iterations since this start.
    iterations: usize,
    is_done: bool,
    /// The first row in the states, if the puzzle has states.
    row: Option<usize>,
}

impl GpuSolver<'_> {
    /// Solves each puzzle.
    pub fn solve(&self, puzzles: &[&[u8]]) -> Vec<Prediction> {
        let shares: Vec<&[&[u8]]> =
            puzzles.chunks(puzzles.len().div_ceil(BATCHES).max(64)).collect();
        parallel::map(&shares, |share| self.solve_share(share)).into_iter().flatten().collect()
    }

    fn solve_share(&self, puzzles: &[&[u8]]) -> Vec<Prediction> {
        let mut network = Network::new(self.config, GpuKernels::for_inference(self.config));
        network.kernels.set_parameters(self.parameters);
        let client = network.kernels.client;
        let predictions = self.solve_batches(network, puzzles);
        // Memory stays reserved for the thread that allocated it, which ends here.
        client.memory_cleanup();
        predictions
    }

    fn solve_batches(
        &self,
        mut network: Network<GpuKernels>,
        puzzles: &[&[u8]],
    ) -> Vec<Prediction> {
        let noise = self.noise_of_starts(&network.kernels);
        let max_nodes = nodes_per_batch(&network.kernels);
        let cells = self.frame.order.cell_count();
        let mut predictions: Vec<Option<Prediction>> = vec![None; puzzles.len()];
        let mut waiting = 0..puzzles.len();
        let mut active: Vec<Slot> = Vec::new();
        let mut states: Option<GpuRows> = None;
        loop {
            if has_room(&active) {
                active.retain(|slot| !slot.is_done);
                self.fill_up(&mut active, puzzles, &mut waiting, max_nodes);
                if active.is_empty() {
                    return predictions
                        .into_iter()
                        .map(|prediction| prediction.expect("every puzzle has a prediction"))
                        .collect();
                }
                let slots = self.slots(&mut active);
                let start = network.spans.start;
                states = Some(network.kernels.assign_slots(
                    self.frame,
                    &slots,
                    states.as_ref(),
                    &noise,
                    start,
                ));
            }
            let mut now = states.take().expect("active slots have states");
            let open = active.iter().filter(|slot| !slot.is_done);
            let left = open
                .map(|slot| self.budget.iterations.saturating_sub(slot.iterations))
                .min()
                .unwrap_or(0);
            let steps = left.clamp(1, ITERATIONS_PER_CHECK);
            now = match network.kernels.iterate(&now, steps) {
                Some(after) => after,
                None => (0..steps).fold(now, |now, _| network.step(&now)),
            };
            active.iter_mut().for_each(|slot| slot.iterations += steps);
            let logits = network.logits(&now);
            let likeliest = network.kernels.likeliest_digits(&logits, cells);
            let numbers = LazyCell::new(|| network.kernels.read_column(&logits));
            for (slot, likeliest) in
                active.iter_mut().zip(likeliest.chunks(cells)).filter(|(slot, _)| !slot.is_done)
            {
                let puzzle = puzzles[slot.index];
                let digits: Vec<u8> = puzzle
                    .iter()
                    .zip(likeliest)
                    .map(|(&given, &digit)| if given > 0 { given } else { digit as u8 })
                    .collect();
                let solved = is_complete(self.frame.order, &digits);
                if solved || slot.iterations >= self.budget.iterations {
                    predictions[slot.index] =
                        self.finish(slot, puzzle, digits, solved, || &numbers[..]);
                }
            }
            states = Some(now);
        }
    }

    /// The noise sources of all candidates for the second start, the third and so on.
    fn noise_of_starts(&self, kernels: &GpuKernels) -> Numbers {
        let sources = (1..self.budget.starts)
            .flat_map(|start| noise_of_start(start).take(self.frame.candidates()));
        let sources: Vec<i32> = sources.chain([0]).collect();
        super::numbers(kernels.client, &sources)
    }

    fn fill_up(
        &self,
        active: &mut Vec<Slot>,
        puzzles: &[&[u8]],
        waiting: &mut std::ops::Range<usize>,
        max_nodes: usize,
    ) {
        let mut nodes: usize = active.iter().map(|slot| slot.nodes.candidates.len()).sum();
        while nodes < max_nodes
            && let Some(index) = waiting.next()
        {
            let new = PuzzleNodes::new(self.frame, self.config.nodes, puzzles[index]);
            nodes += new.candidates.len();
            active.push(Slot {
                index,
                nodes: new,
                start: 0,
                iterations: 0,
                is_done: false,
                row: None,
            });
        }
    }

    /// The layout of the batch. Old puzzles keep their states.
    fn slots(&self, active: &mut [Slot]) -> SlotLayout {
        let mut slots = SlotLayout::new();
        for slot in active {
            let row = slot.row.map_or(-1 - slot.start as i32, |row| row as i32);
            slot.row = Some(slots.nodes());
            slots.add(self.frame, &slot.nodes, row);
            if self.config.nodes == Nodes::All {
                slots.roles.extend(&slot.nodes.roles);
            }
        }
        slots
    }

    /// The prediction of a puzzle that is solved or out of iterations; none if it restarts.
    fn finish<'a>(
        &self,
        slot: &mut Slot,
        puzzle: &[u8],
        mut digits: Vec<u8>,
        solved: bool,
        logits: impl FnOnce() -> &'a [f32],
    ) -> Option<Prediction> {
        if !solved && slot.start + 1 < self.budget.starts {
            (slot.start, slot.iterations, slot.row) = (slot.start + 1, 0, None);
            return None;
        }
        slot.is_done = true;
        digits.iter_mut().for_each(|digit| *digit = (*digit).max(1));
        let row = slot.row.expect("active slots have states");
        let candidates = &slot.nodes.candidates;
        let log_probabilities = if solved && !self.probabilities_of_solved {
            Vec::new()
        } else {
            let logits = &logits()[row..][..candidates.len()];
            NodeLogits { frame: self.frame, puzzle, candidates, logits }.log_probabilities()
        };
        Some(Prediction {
            digits,
            solved,
            iterations: slot.start * self.budget.iterations + slot.iterations,
            starts: slot.start + 1,
            log_probabilities,
        })
    }
}

/// The maximum number of nodes in a batch on this GPU.
fn nodes_per_batch(kernels: &GpuKernels) -> usize {
    // CubeCL limits a memory page to a quarter of the GPU memory.
    let memory = 4 * kernels.client.properties().memory.max_page_size;
    let nodes = memory / (BATCHES as u64 * BYTES_PER_NODE);
    usize::try_from(nodes).unwrap_or(NODES_PER_BATCH).clamp(1, NODES_PER_BATCH)
}

/// Whether to refill the batch. Puzzles that restart need it immediately.
fn has_room(active: &[Slot]) -> bool {
    let open = active.iter().filter(|slot| !slot.is_done);
    let restarts = open.clone().any(|slot| slot.row.is_none());
    let open = open.count();
    open == 0 || restarts || (open as f64) < REFILL_SHARE * active.len() as f64
}
