//! Host side of the GPU solver: allocates GPU memory, uploads puzzles, launches the kernel and
//! checks its answers.
//!
//! Safety: kernels do not check bounds. [`Gpu::with_tuning`] and [`Gpu::load`] compute all array
//! lengths, from the number of threads and of puzzles, and [`Gpu::launch`] passes the same numbers
//! to the kernel.
#![allow(unsafe_code)]

use crate::kernel::{self, ANSWER_WORDS, DEPTH, MAX_UNFINISHED, NODE_WORDS, PIECE, PIECES, WORDS};
use crate::{Answer, GpuError};
use cubecl::CubeElement;
use cubecl::bytes::Bytes;
use cubecl::client::ComputeClient;
use cubecl::cuda::{CudaDevice, CudaRuntime};
use cubecl::prelude::{ArrayArg, CubeCount, CubeDim, Runtime};
use cubecl::server::Handle;
use ninefold::search::nine::{self, Line};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::thread::ScopedJoinHandle;

/// Puzzles per launch. While the GPU solves them, the CPU packs the next chunk and checks the
/// answers of the previous one. The solutions of a chunk take less than 100 MB, because larger
/// transfers do not use pinned memory.
const CHUNK: usize = 1 << 21;

/// Kernel launches per chunk: the first reads puzzles, each later one the nodes that the previous
/// one left unfinished.
const PASSES: usize = 8;

/// Launch parameters. The GPU record in `benchmarks` compares several settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// Threads per block. More threads leave fewer registers for each: with 384 threads it is 168.
    pub threads_per_block: u32,
    /// Blocks per multiprocessor.
    pub blocks: u32,
    /// Propagation rounds between two checks for a dead, solved or stuck node.
    pub rounds: u32,
    /// When no item (puzzle or node of the previous launch) is left, a thread that has made this
    /// many guesses in its item hands over its nodes to the next launch.
    pub guesses: u32,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning { threads_per_block: 384, blocks: 1, rounds: 3, guesses: 8 }
    }
}

/// A GPU that solves puzzles.
pub struct Gpu {
    client: ComputeClient<CudaRuntime>,
    tuning: Tuning,
    multiprocessors: u32,
    threads: usize,
    stack: Handle,
    /// Two lists of unfinished nodes: a launch reads one and writes the other.
    unfinished: [Handle; 2],
}

/// Puzzles in GPU memory, with buffers for their answers.
pub struct LoadedPuzzles {
    count: usize,
    puzzles: Handle,
    answers: Handle,
    solutions: Handle,
}

impl Gpu {
    /// Opens the first GPU of this machine.
    ///
    /// The CUDA runtime panics if the driver does not work. The panic is caught and returned as an
    /// error, but the panic hook of the process still runs.
    pub fn open() -> Result<Gpu, GpuError> {
        Gpu::with_tuning(Tuning::default())
    }

    /// Like [`Gpu::open`], with other launch parameters.
    pub fn with_tuning(tuning: Tuning) -> Result<Gpu, GpuError> {
        if !["/dev/nvidiactl", "/proc/driver/nvidia"]
            .iter()
            .any(|path| std::path::Path::new(path).exists())
        {
            return Err(GpuError::Unavailable("the NVIDIA driver is not loaded".to_string()));
        }
        let opened = catch_unwind(AssertUnwindSafe(|| {
            let client = CudaRuntime::client(&CudaDevice::default());
            let multiprocessors =
                client.properties().hardware.num_streaming_multiprocessors.unwrap_or(64);
            let threads = (tuning.threads_per_block * tuning.blocks * multiprocessors) as usize;
            let stack = client.empty(4 * DEPTH * NODE_WORDS * threads);
            let node_list = || client.empty(4 * MAX_UNFINISHED * NODE_WORDS * threads);
            let unfinished = [node_list(), node_list()];
            Gpu { client, tuning, multiprocessors, threads, stack, unfinished }
        }));
        opened.map_err(|cause| {
            let message = cause.downcast_ref::<String>().map(String::as_str);
            let message = message
                .or_else(|| cause.downcast_ref::<&str>().copied())
                .unwrap_or("the driver does not respond");
            GpuError::Unavailable(message.lines().next().unwrap_or_default().to_string())
        })
    }

    /// Counts the solutions of every puzzle, up to two, and returns the first.
    ///
    /// # Panics
    /// If the kernel returns an invalid solution.
    #[must_use]
    pub fn count_to_two(&mut self, puzzles: &[Line]) -> Vec<Answer> {
        let mut answers = Vec::with_capacity(puzzles.len());
        let slots = &mut answers.spare_capacity_mut()[..puzzles.len()];
        let mut chunks = puzzles.chunks(CHUNK);
        let mut next = chunks.next().map(pack);
        std::thread::scope(|scope| {
            let mut checkers: Vec<ScopedJoinHandle<'_, ()>> = Vec::new();
            for (lines, slots) in puzzles.chunks(CHUNK).zip(slots.chunks_mut(CHUNK)) {
                let loaded = self.load(&next.take().unwrap_or_default());
                self.launch(&loaded);
                next = chunks.next().map(pack);
                let output = Arc::new(self.read(&loaded));
                checkers.drain(..).for_each(finish);
                let share = puzzles_per_thread(lines.len());
                for (part, (lines, slots)) in
                    lines.chunks(share).zip(slots.chunks_mut(share)).enumerate()
                {
                    let output = Arc::clone(&output);
                    checkers.push(scope.spawn(move || output.check(part * share, lines, slots)));
                }
            }
            checkers.into_iter().for_each(finish);
        });
        // SAFETY: the chunks, and the shares of each chunk, cover `slots` without a gap;
        // `Output::check` writes every slot of its share, and all checker threads have been joined.
        unsafe { answers.set_len(puzzles.len()) };
        answers
    }

    /// Uploads packed puzzles to GPU memory.
    #[must_use]
    pub fn load(&self, packed: &[u32]) -> LoadedPuzzles {
        let count = packed.len() / WORDS;
        let puzzles = self.client.create_from_slice(u32::as_bytes(packed));
        let buffer = |words: usize| self.client.empty(4 * words.max(1));
        LoadedPuzzles {
            count,
            puzzles,
            answers: buffer(count * ANSWER_WORDS),
            solutions: buffer(count * WORDS),
        }
    }

    /// Starts solving the loaded puzzles and returns at once.
    pub fn launch(&self, loaded: &LoadedPuzzles) {
        let mut counters = [0; 2 * (PASSES + 1)];
        counters[1] = loaded.count as u32;
        let gpu_counters = self.client.create_from_slice(u32::as_bytes(&counters));
        let unfinished_pieces = MAX_UNFINISHED * PIECES * self.threads;
        for pass in 0..PASSES {
            let guesses_allowed = if pass + 1 == PASSES { u32::MAX } else { self.tuning.guesses };
            // SAFETY: each length below equals the length with which `with_tuning`, `load` or this
            // function allocated the array, and the kernel derives all indices from these lengths.
            unsafe {
                let array = |handle: &Handle, length: usize| {
                    ArrayArg::from_raw_parts(handle.clone(), length)
                };
                kernel::solve::launch_unchecked::<CudaRuntime>(
                    &self.client,
                    CubeCount::Static(self.tuning.blocks * self.multiprocessors, 1, 1),
                    CubeDim::new_1d(self.tuning.threads_per_block),
                    PIECE,
                    array(&loaded.puzzles, loaded.count * WORDS),
                    array(&self.unfinished[pass % 2], unfinished_pieces),
                    array(&self.unfinished[(pass + 1) % 2], unfinished_pieces),
                    array(&gpu_counters, counters.len()),
                    array(&self.stack, DEPTH * PIECES * self.threads),
                    array(&loaded.answers, loaded.count * ANSWER_WORDS),
                    array(&loaded.solutions, loaded.count * WORDS),
                    pass as u32,
                    guesses_allowed,
                    3,
                    self.tuning.rounds,
                    pass > 0,
                );
            }
        }
    }

    /// Waits until the GPU has finished all launches.
    pub fn wait(&self) {
        cubecl::future::block_on(self.client.sync()).expect("the GPU stopped responding");
    }

    /// Waits for the answers to the loaded puzzles and downloads them.
    fn read(&self, loaded: &LoadedPuzzles) -> Output {
        let download = |handle: &Handle| self.client.read_one_unchecked(handle.clone());
        Output { answers: download(&loaded.answers), solutions: download(&loaded.solutions) }
    }
}

/// The downloaded answers of one launch.
struct Output {
    answers: Bytes,
    solutions: Bytes,
}

impl Output {
    /// Checks the answers to `puzzles` and writes them to `slots`. `first` is the index of the
    /// first puzzle in its launch.
    fn check(&self, first: usize, puzzles: &[Line], slots: &mut [MaybeUninit<Answer>]) {
        let (answers, solutions) =
            (u32::from_bytes(&self.answers), u32::from_bytes(&self.solutions));
        for ((index, puzzle), slot) in (first..).zip(puzzles).zip(slots) {
            let answer = &answers[index * ANSWER_WORDS..][..ANSWER_WORDS];
            let solution = &solutions[index * WORDS..][..WORDS];
            slot.write(checked_answer(answer, solution, puzzle));
        }
    }
}

/// Joins a thread and propagates its panic.
fn finish(checker: ScopedJoinHandle<'_, ()>) {
    if let Err(panic) = checker.join() {
        resume_unwind(panic);
    }
}

fn checked_answer(answer: &[u32], packed: &[u32], puzzle: &Line) -> Answer {
    let solutions = answer[0].min(2);
    let first = (solutions > 0).then(|| unpacked(packed));
    if let Some(solution) = &first {
        assert!(
            nine::solves(solution, puzzle),
            "this is a bug in Ninefold: the GPU returned {} as a solution of {}",
            String::from_utf8_lossy(solution),
            String::from_utf8_lossy(puzzle)
        );
    }
    Answer { solutions, guesses: answer[1], first }
}

/// The number of puzzles that each CPU thread handles.
fn puzzles_per_thread(puzzles: usize) -> usize {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    puzzles.div_ceil(threads).max(1)
}

/// Packs puzzles for the kernel: four bits per cell, 0 for an empty cell, [`WORDS`] words per
/// puzzle.
#[must_use]
pub fn pack(puzzles: &[Line]) -> Vec<u32> {
    let mut packed = vec![0; puzzles.len() * WORDS];
    let share = puzzles_per_thread(puzzles.len());
    std::thread::scope(|scope| {
        for (lines, words) in puzzles.chunks(share).zip(packed.chunks_mut(share * WORDS)) {
            scope.spawn(move || {
                for (line, words) in lines.iter().zip(words.chunks_exact_mut(WORDS)) {
                    for (word, cells) in words.iter_mut().zip(line.chunks(8)) {
                        let digit = |&byte: &u8| {
                            if matches!(byte, b'1'..=b'9') { u32::from(byte - b'0') } else { 0 }
                        };
                        *word = cells.iter().rev().fold(0, |word, byte| word << 4 | digit(byte));
                    }
                }
            });
        }
    });
    packed
}

fn unpacked(words: &[u32]) -> Line {
    std::array::from_fn(|cell| b'0' + (words[cell / 8] >> (cell % 8 * 4) & 15) as u8)
}
