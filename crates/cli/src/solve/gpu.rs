//! `--device gpu` without a network: solves lists of 9×9 puzzles on the GPU, a chunk at a time.
//!
//! Puzzles of another size and puzzles without a unique solution are solved on the CPU.

use super::Args;
use crate::error::CliError;
use ninefold::search::batch::Tally;
use ninefold::search::nine::Line;
use std::sync::{Mutex, PoisonError};

/// Puzzles per call of the GPU. It runs tens of thousands of threads and needs several puzzles for
/// each of them.
pub const LARGEST_CHUNK: usize = 1 << 18;

/// A GPU that all workers share.
pub struct Gpu(Mutex<ninefold_gpu::Gpu>);

/// The GPU, with `--device gpu` and no network.
pub fn from_args(args: &Args) -> Result<Option<Gpu>, CliError> {
    if !is_requested(args) {
        return Ok(None);
    }
    if let Some(option) = args.first_special_option() {
        return Err(CliError::unsupported_option(option, "--device gpu")
            .hint("the GPU solves plain lists, or runs the network that --method names"));
    }
    crate::gpu::open().map(|gpu| Some(Gpu(gpu)))
}

#[cfg(feature = "networks")]
fn is_requested(args: &Args) -> bool {
    args.device == super::network::Device::Gpu && args.search.network().is_none()
}

#[cfg(not(feature = "networks"))]
fn is_requested(_args: &Args) -> bool {
    false
}

impl Gpu {
    /// Counts the solutions of every line up to two and stores the first one in `solutions`.
    pub fn solve(&self, lines: &[Line], solutions: &mut [Line]) -> Vec<Tally> {
        let mut gpu = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let answers = gpu.count_to_two(lines);
        let tally = |(answer, solution): (ninefold_gpu::Answer, &mut Line)| {
            if let Some(first) = answer.first {
                *solution = first;
            }
            Tally::new(u64::from(answer.solutions), u64::from(answer.guesses))
        };
        answers.into_iter().zip(solutions).map(tally).collect()
    }
}
