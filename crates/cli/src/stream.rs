//! Many puzzles on all cores, answers in the order of the questions: this is where we share out the work.
//!
//! ```text
//! reader ── chunk of puzzles ──▶ any free worker
//!    └───── its answer's end ──▶ writer, in order; waits for the first answer, then the second …
//! ```
//! Every queue is short. When the writer waits for a slow puzzle the queues fill and the reader stops, so memory stays
//! the same however long the input is.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// The most puzzles that are usually handed to a worker at once; large enough that handing over costs little.
pub const LARGEST_CHUNK: usize = 1_024;

/// Parts of an answer travel in bundles, because waking the writer costs more than an easy puzzle does. A bundle
/// leaves when it is full, when its chunk is done, or with the first part after this time.
const LARGEST_BUNDLE: usize = 256;
const LONGEST_WAIT: Duration = Duration::from_millis(50);

/// How many bundles of one chunk may wait for the writer.
const BUNDLES_WAITING: usize = 4;

/// Where the questions come from.
pub trait Feed: Iterator<Item: Send> + Send {
    /// Is the next question already in memory, so that asking for it will not wait?
    fn more_is_ready(&self) -> bool;
}

/// What the writer is told.
pub enum Told<T> {
    /// A part of the answers, in order.
    Part(T),
    /// Nothing is ready at the moment: a good time to flush.
    Idle,
}

/// The number of threads to use when the user names none.
pub fn all_cores() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Lets `work` answer all puzzles, a chunk at a time, on `threads` threads and hands the parts of the answers to
/// `write` in order. `work` may send any number of parts for one puzzle.
///
/// A writer that has seen enough ends the process: the reader may be waiting for a keyboard and a worker may be deep
/// in a search, and neither can be woken.
pub fn run<F: Feed, T: Send>(
    puzzles: F,
    threads: usize,
    work: impl Fn(Vec<F::Item>, &mut dyn FnMut(T)) + Sync,
    write: impl FnMut(Told<T>),
) {
    run_in_chunks(puzzles, threads, LARGEST_CHUNK, work, write);
}

/// The same for work that wants to see more puzzles, or fewer, at once.
pub fn run_in_chunks<F: Feed, T: Send>(
    puzzles: F,
    threads: usize,
    largest_chunk: usize,
    work: impl Fn(Vec<F::Item>, &mut dyn FnMut(T)) + Sync,
    mut write: impl FnMut(Told<T>),
) {
    let (give_work, take_work) = sync_channel::<Job<F, T>>(threads);
    let (give_answer, take_answer) = sync_channel::<Receiver<Vec<T>>>(threads * 4);
    let take_work = Mutex::new(take_work);
    thread::scope(|scope| {
        scope.spawn(move || read(puzzles, threads, largest_chunk, &give_work, &give_answer));
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let next =
                        take_work.lock().expect("no worker panics while it takes work").recv();
                    let Ok((questions, parts)) = next else { break };
                    let mut bundle = Bundle::new(parts);
                    work(questions, &mut |part| bundle.add(part));
                    bundle.send();
                }
            });
        }
        while let Some(answer) = next(&take_answer, &mut write) {
            while let Some(bundle) = next(&answer, &mut write) {
                bundle.into_iter().for_each(|part| write(Told::Part(part)));
            }
        }
    });
}

/// Questions, and where their answers go.
type Job<F, T> = (Vec<<F as Iterator>::Item>, SyncSender<Vec<T>>);

fn read<F: Feed, T>(
    mut puzzles: F,
    threads: usize,
    largest_chunk: usize,
    give_work: &SyncSender<Job<F, T>>,
    give_answer: &SyncSender<Receiver<Vec<T>>>,
) {
    let mut read_so_far = 0;
    while let Some(first) = puzzles.next() {
        // The first chunks are small, so that a short list of hard puzzles is spread over all threads.
        let wanted = (read_so_far / (threads * 8)).clamp(1, largest_chunk);
        let mut chunk = vec![first];
        while chunk.len() < wanted && puzzles.more_is_ready() {
            match puzzles.next() {
                Some(question) => chunk.push(question),
                None => break,
            }
        }
        read_so_far += chunk.len();
        let (parts, answer) = sync_channel(BUNDLES_WAITING);
        if give_answer.send(answer).is_err() || give_work.send((chunk, parts)).is_err() {
            break;
        }
    }
}

struct Bundle<T> {
    parts: Vec<T>,
    to: SyncSender<Vec<T>>,
    sent: Instant,
}

impl<T> Bundle<T> {
    fn new(to: SyncSender<Vec<T>>) -> Bundle<T> {
        Bundle { parts: Vec::new(), to, sent: Instant::now() }
    }

    fn add(&mut self, part: T) {
        self.parts.push(part);
        if self.parts.len() >= LARGEST_BUNDLE || self.sent.elapsed() >= LONGEST_WAIT {
            self.send();
        }
    }

    fn send(&mut self) {
        self.sent = Instant::now();
        self.to.send(std::mem::take(&mut self.parts)).expect("the writer takes every part");
    }
}

/// The next thing from a queue; if it must be waited for, the writer hears of it first.
fn next<A, T>(queue: &Receiver<A>, write: &mut impl FnMut(Told<T>)) -> Option<A> {
    match queue.try_recv() {
        Ok(item) => Some(item),
        Err(TryRecvError::Disconnected) => None,
        Err(TryRecvError::Empty) => {
            write(Told::Idle);
            queue.recv().ok()
        }
    }
}
