//! Runs work on several threads and delivers the results in order.
//!
//! ```text
//! worker 1 ── batch 1, batch 4, batch 7 … ──▶ ┐
//! worker 2 ── batch 2, batch 5, batch 8 … ──▶ ├─ deliver, in order
//! worker 3 ── batch 3, batch 6, batch 9 … ──▶ ┘
//! ```
//! A worker is at most two finished batches ahead of the delivery, which bounds the memory.

use std::ops::Range;
use std::sync::mpsc::sync_channel;

/// The number of finished batches that each worker may hold.
const AHEAD: usize = 2;

/// Calls `work` for batches of `batch` indices and passes each result to `deliver` in order, until
/// `deliver` returns `false`.
pub(super) fn in_order<T: Send>(
    indices: Range<u64>,
    batch: u64,
    threads: usize,
    work: impl Fn(Range<u64>) -> Vec<T> + Sync,
    mut deliver: impl FnMut(u64, T) -> bool,
) {
    let end = indices.end;
    let batches =
        || indices.clone().step_by(batch as usize).map(move |first| first..end.min(first + batch));
    let count = (end.saturating_sub(indices.start)).div_ceil(batch) as usize;
    let threads = threads.clamp(1, count.max(1));
    if threads == 1 {
        for part in batches() {
            for (index, result) in part.clone().zip(work(part)) {
                if !deliver(index, result) {
                    return;
                }
            }
        }
        return;
    }
    std::thread::scope(|scope| {
        let work = &work;
        let start_worker = |number: usize| {
            let (sender, receiver) = sync_channel(AHEAD);
            let parts = batches().skip(number).step_by(threads);
            scope.spawn(move || {
                for part in parts {
                    // Sending fails after `deliver` has returned `false`.
                    if sender.send(work(part)).is_err() {
                        break;
                    }
                }
            });
            receiver
        };
        let workers: Vec<_> = (0..threads).map(start_worker).collect();
        for (number, part) in batches().enumerate() {
            let results = workers[number % threads].recv().expect("a worker sends all its batches");
            for (index, result) in part.zip(results) {
                if !deliver(index, result) {
                    return;
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delivered(
        indices: Range<u64>,
        batch: u64,
        threads: usize,
        enough: usize,
    ) -> Vec<(u64, u64)> {
        let mut seen = Vec::new();
        let square_all = |part: Range<u64>| part.map(|index| index * index).collect();
        in_order(indices, batch, threads, square_all, |index, square| {
            seen.push((index, square));
            seen.len() < enough
        });
        seen
    }

    #[test]
    fn results_are_in_order_for_any_number_of_threads() {
        let expected: Vec<(u64, u64)> = (5..50).map(|index| (index, index * index)).collect();
        for (batch, threads) in [(1, 1), (1, 3), (4, 2), (7, 5), (100, 4)] {
            assert_eq!(
                delivered(5..50, batch, threads, usize::MAX),
                expected,
                "{batch} at a time, {threads} threads"
            );
        }
        assert_eq!(delivered(3..3, 4, 2, usize::MAX), []);
    }

    #[test]
    fn stops_when_deliver_returns_false() {
        for threads in [1, 3] {
            assert_eq!(delivered(0..1_000_000_000, 2, threads, 3), [(0, 0), (1, 1), (2, 4)]);
        }
    }
}
