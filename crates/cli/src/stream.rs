//! Processes a stream of puzzles on all cores and returns the results in the order of the input.
//!
//! ```text
//! reader ── chunk of puzzles ────────────▶ any free worker
//!    └───── receiver of chunk's results ─▶ writer, which drains the receivers in order
//! ```
//! Every queue is short. While the writer waits for a slow puzzle, the queues fill and the reader
//! stops. Memory use therefore does not depend on the length of the input.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// The default maximum number of puzzles in a chunk. Large chunks make the cost of queues small.
pub const LARGEST_CHUNK: usize = 1_024;

// Results are sent in bundles, because waking the writer costs more than solving an easy puzzle. A
// bundle is sent when it is full, when its chunk is done, or with the first result after
// `LONGEST_WAIT`.
const LARGEST_BUNDLE: usize = 256;
const LONGEST_WAIT: Duration = Duration::from_millis(50);

/// The number of bundles of one chunk that can wait for the writer.
const QUEUED_BUNDLES: usize = 4;

/// A source of work items.
pub trait Feed: Iterator<Item: Send> + Send {
    /// True if the next item is already in memory, so that `next` does not block.
    fn has_buffered(&self) -> bool;
}

/// An event for the writer.
pub enum Event<T> {
    /// The next result.
    Part(T),
    /// No result is ready, so buffered output should be flushed.
    Idle,
}

/// The default number of threads.
pub fn all_cores() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Runs `work` for each chunk of puzzles on `threads` threads, and `write` for each result in
/// order.
///
/// `work` may send any number of results for one puzzle. To stop early, `write` must end the
/// process, because a reader that waits for input and a worker in a long search cannot be
/// interrupted.
pub fn run<F: Feed, T: Send>(
    puzzles: F,
    threads: usize,
    work: impl Fn(Vec<F::Item>, &mut dyn FnMut(T)) + Sync,
    write: impl FnMut(Event<T>),
) {
    run_in_chunks(puzzles, threads, LARGEST_CHUNK, work, write);
}

/// Like [`run`], with another maximum chunk size.
pub fn run_in_chunks<F: Feed, T: Send>(
    puzzles: F,
    threads: usize,
    largest_chunk: usize,
    work: impl Fn(Vec<F::Item>, &mut dyn FnMut(T)) + Sync,
    mut write: impl FnMut(Event<T>),
) {
    let (send_work, receive_work) = sync_channel::<Job<F, T>>(threads);
    let (send_result, receive_result) = sync_channel::<Receiver<Vec<T>>>(threads * 4);
    let receive_work = Mutex::new(receive_work);
    thread::scope(|scope| {
        scope.spawn(move || read(puzzles, threads, largest_chunk, &send_work, &send_result));
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let next = receive_work
                        .lock()
                        .expect("no worker panics while it holds this lock")
                        .recv();
                    let Ok((items, parts)) = next else { break };
                    let mut bundle = Bundle::new(parts);
                    work(items, &mut |part| bundle.add(part));
                    bundle.send();
                }
            });
        }
        while let Some(results) = next(&receive_result, &mut write) {
            while let Some(bundle) = next(&results, &mut write) {
                bundle.into_iter().for_each(|part| write(Event::Part(part)));
            }
        }
    });
}

/// A chunk of items and the sender for their results.
type Job<F, T> = (Vec<<F as Iterator>::Item>, SyncSender<Vec<T>>);

fn read<F: Feed, T>(
    mut puzzles: F,
    threads: usize,
    largest_chunk: usize,
    send_work: &SyncSender<Job<F, T>>,
    send_result: &SyncSender<Receiver<Vec<T>>>,
) {
    let mut read_so_far = 0;
    while let Some(first) = puzzles.next() {
        // The first chunks are small, so that a short list of hard puzzles is spread over all
        // threads.
        let size = (read_so_far / (threads * 8)).clamp(1, largest_chunk);
        let mut chunk = vec![first];
        while chunk.len() < size && puzzles.has_buffered() {
            match puzzles.next() {
                Some(item) => chunk.push(item),
                None => break,
            }
        }
        read_so_far += chunk.len();
        let (parts, results) = sync_channel(QUEUED_BUNDLES);
        if send_result.send(results).is_err() || send_work.send((chunk, parts)).is_err() {
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
        self.to.send(std::mem::take(&mut self.parts)).expect("the writer receives every part");
    }
}

/// The next item of a queue. If the queue is empty, the writer first receives [`Event::Idle`].
fn next<A, T>(queue: &Receiver<A>, write: &mut impl FnMut(Event<T>)) -> Option<A> {
    match queue.try_recv() {
        Ok(item) => Some(item),
        Err(TryRecvError::Disconnected) => None,
        Err(TryRecvError::Empty) => {
            write(Event::Idle);
            queue.recv().ok()
        }
    }
}
