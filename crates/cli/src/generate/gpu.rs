//! `--device gpu`: proves on the GPU that puzzles have one solution.

use super::Args;
use crate::error::CliError;
use crate::gpu;
use ninefold::generate::{self, GenerateError, GenerateOptions, GeneratedPuzzle};
use ninefold::search::nine::Line;
use ninefold_gpu::Gpu;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Puzzles that are generated in parallel. Each of them needs one proof at a time, and the GPU runs
/// tens of thousands of threads.
const PARALLEL_PUZZLES: u64 = 1 << 16;

/// The GPU, with `--device gpu`.
pub fn from_args(args: &Args) -> Result<Option<Mutex<Gpu>>, CliError> {
    if !is_requested(args) {
        return Ok(None);
    }
    gpu::open().map(Some)
}

#[cfg(feature = "networks")]
pub fn is_requested(args: &Args) -> bool {
    args.device == ninefold_neural::device::Device::Gpu
}

#[cfg(not(feature = "networks"))]
pub fn is_requested(_args: &Args) -> bool {
    false
}

/// Generates the same puzzles as [`generate::generate_many`].
pub fn generate_many(
    gpu: &Mutex<Gpu>,
    options: &GenerateOptions<'_>,
    seed: u64,
    indices: Range<u64>,
    threads: usize,
    deliver: impl FnMut(u64, Result<GeneratedPuzzle, GenerateError>) -> bool,
) {
    let are_unique = |puzzles: &[Line]| {
        let mut gpu = gpu.lock().unwrap_or_else(PoisonError::into_inner);
        gpu.count_to_two(puzzles).iter().map(|answer| answer.solutions == 1).collect()
    };
    generate::generate_many_with(
        options,
        seed,
        indices,
        threads,
        PARALLEL_PUZZLES,
        &are_unique,
        deliver,
    );
}
