//! The card and its memory: what goes there, what is launched, what comes back.
//!
//! Safety. Kernels check no bounds. Every array is as long as the kernel takes it to be: the lengths are computed in one place,
//! [`Card::load`] and [`Card::open`], from the number of puzzles and threads that the launch is told.
#![allow(unsafe_code)]

use crate::kernel::{self, ANSWER_WORDS, DEPTH, MOST_PUT_DOWN, NODE_WORDS, PIECE, PIECES, WORDS};
use crate::{Answer, NoCard};
use cubecl::CubeElement;
use cubecl::bytes::Bytes;
use cubecl::client::ComputeClient;
use cubecl::cuda::{CudaDevice, CudaRuntime};
use cubecl::prelude::{ArrayArg, CubeCount, CubeDim, Runtime};
use cubecl::server::Handle;
use ninefold::search::nine::{self, Line};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook, take_hook};
use std::sync::Arc;
use std::thread::ScopedJoinHandle;

/// Puzzles of one launch. While the card solves them, the processor packs those of the next launch and checks the answers to
/// those before. Their solutions take less than 100 MB: what is longer does not come back through pinned memory.
const CHUNK: usize = 1 << 21;

/// Launches that share a list: the first takes puzzles, the others what the one before has put down.
const PASSES: usize = 8;

/// How the work is cut up. The record of the card in `benchmarks` compares some divisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// Threads of a block. More leave fewer registers to each: 384 have 168.
    pub threads_per_block: u32,
    /// Blocks for each multiprocessor.
    pub blocks: u32,
    /// Rounds of propagation between two looks at the nodes.
    pub rounds: u32,
    /// Guesses after which a thread puts its nodes down when no puzzle is left.
    pub guesses: u32,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning { threads_per_block: 384, blocks: 1, rounds: 3, guesses: 8 }
    }
}

/// A graphics card that solves puzzles.
pub struct Card {
    client: ComputeClient<CudaRuntime>,
    tuning: Tuning,
    multiprocessors: u32,
    threads: usize,
    stack: Handle,
    /// Two lists of nodes that were put down: one is read while the other is written.
    put_down: [Handle; 2],
}

/// Puzzles in the card's memory, with room for their answers.
pub struct Loaded {
    count: usize,
    puzzles: Handle,
    answers: Handle,
    solutions: Handle,
}

impl Card {
    /// The first card of this machine.
    pub fn open() -> Result<Card, NoCard> {
        Card::tuned(Tuning::default())
    }

    /// The same with another division of the work.
    pub fn tuned(tuning: Tuning) -> Result<Card, NoCard> {
        if !["/dev/nvidiactl", "/proc/driver/nvidia"]
            .iter()
            .any(|path| std::path::Path::new(path).exists())
        {
            return Err(NoCard::NotFound("the NVIDIA driver is not loaded".to_string()));
        }
        // The library that talks to the driver panics where it cannot, and that is told in one line.
        let hook = take_hook();
        set_hook(Box::new(|_| {}));
        let opened = catch_unwind(AssertUnwindSafe(|| {
            let client = CudaRuntime::client(&CudaDevice::default());
            let multiprocessors =
                client.properties().hardware.num_streaming_multiprocessors.unwrap_or(64);
            let threads = (tuning.threads_per_block * tuning.blocks * multiprocessors) as usize;
            let stack = client.empty(4 * DEPTH * NODE_WORDS * threads);
            let room = || client.empty(4 * MOST_PUT_DOWN * NODE_WORDS * threads);
            let put_down = [room(), room()];
            Card { client, tuning, multiprocessors, threads, stack, put_down }
        }));
        set_hook(hook);
        opened.map_err(|cause| {
            let words = cause.downcast_ref::<String>().map(String::as_str);
            let words = words
                .or_else(|| cause.downcast_ref::<&str>().copied())
                .unwrap_or("the driver does not answer");
            NoCard::NotFound(words.lines().next().unwrap_or_default().to_string())
        })
    }

    /// Counts the solutions of every puzzle up to two and shows the first.
    ///
    /// # Panics
    /// If the card calls something a solution that is none.
    #[must_use]
    pub fn count_to_two(&mut self, puzzles: &[Line]) -> Vec<Answer> {
        let mut answers = Vec::with_capacity(puzzles.len());
        let room = &mut answers.spare_capacity_mut()[..puzzles.len()];
        let mut chunks = puzzles.chunks(CHUNK);
        let mut next = chunks.next().map(pack);
        std::thread::scope(|scope| {
            let mut checkers: Vec<ScopedJoinHandle<'_, ()>> = Vec::new();
            for (lines, room) in puzzles.chunks(CHUNK).zip(room.chunks_mut(CHUNK)) {
                let loaded = self.load(&next.take().unwrap_or_default());
                self.launch(&loaded);
                next = chunks.next().map(pack);
                let found = Arc::new(self.read(&loaded));
                checkers.drain(..).for_each(finish);
                let share = share_of_thread(lines.len());
                for (part, (lines, room)) in
                    lines.chunks(share).zip(room.chunks_mut(share)).enumerate()
                {
                    let found = Arc::clone(&found);
                    checkers.push(scope.spawn(move || found.check(part * share, lines, room)));
                }
            }
            checkers.into_iter().for_each(finish);
        });
        // SAFETY: every answer has been written: the chunks, and the shares of a chunk, cover the room without a gap.
        unsafe { answers.set_len(puzzles.len()) };
        answers
    }

    /// Brings packed puzzles onto the card.
    #[must_use]
    pub fn load(&self, packed: &[u32]) -> Loaded {
        let count = packed.len() / WORDS;
        let puzzles = self.client.create_from_slice(u32::as_bytes(packed));
        let room = |words: usize| self.client.empty(4 * words.max(1));
        Loaded {
            count,
            puzzles,
            answers: room(count * ANSWER_WORDS),
            solutions: room(count * WORDS),
        }
    }

    /// Solves what was loaded; returns before the card has done it.
    pub fn launch(&self, loaded: &Loaded) {
        let mut counters = [0; 2 * (PASSES + 1)];
        counters[1] = loaded.count as u32;
        let counters_on_card = self.client.create_from_slice(u32::as_bytes(&counters));
        let room = MOST_PUT_DOWN * PIECES * self.threads;
        for pass in 0..PASSES {
            let guesses_allowed = if pass + 1 == PASSES { u32::MAX } else { self.tuning.guesses };
            // SAFETY: each array has the length that was asked for when it was made.
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
                    array(&self.put_down[pass % 2], room),
                    array(&self.put_down[(pass + 1) % 2], room),
                    array(&counters_on_card, counters.len()),
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

    /// Waits until the card has done everything.
    pub fn wait(&self) {
        cubecl::future::block_on(self.client.sync()).expect("the card answers");
    }

    /// Waits for the answers to what was loaded and brings them back.
    fn read(&self, loaded: &Loaded) -> Found {
        let bring = |handle: &Handle| self.client.read_one_unchecked(handle.clone());
        Found { answers: bring(&loaded.answers), solutions: bring(&loaded.solutions) }
    }
}

/// What came back from the card.
struct Found {
    answers: Bytes,
    solutions: Bytes,
}

impl Found {
    /// Checks the answers to these puzzles, the first of which has the number `first` in its launch.
    fn check(&self, first: usize, puzzles: &[Line], room: &mut [MaybeUninit<Answer>]) {
        let (answers, solutions) =
            (u32::from_bytes(&self.answers), u32::from_bytes(&self.solutions));
        for ((place, puzzle), room) in (first..).zip(puzzles).zip(room) {
            let answer = &answers[place * ANSWER_WORDS..][..ANSWER_WORDS];
            let solution = &solutions[place * WORDS..][..WORDS];
            room.write(checked_answer(answer, solution, puzzle));
        }
    }
}

/// Waits for a thread and takes over its panic.
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
            "this is a bug in Ninefold: the card calls {} a solution of {}",
            String::from_utf8_lossy(solution),
            String::from_utf8_lossy(puzzle)
        );
    }
    Answer { solutions, guesses: answer[1], first }
}

/// The puzzles that one of the processor's threads takes.
fn share_of_thread(puzzles: usize) -> usize {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    puzzles.div_ceil(threads).max(1)
}

/// Puzzles as the kernel reads them: four bits for each cell, 0 for an empty one.
#[must_use]
pub fn pack(puzzles: &[Line]) -> Vec<u32> {
    let mut packed = vec![0; puzzles.len() * WORDS];
    let share = share_of_thread(puzzles.len());
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
