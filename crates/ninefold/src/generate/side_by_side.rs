//! Several threads: work is shared out in bundles and handed over in order.
//!
//! ```text
//! worker 1 ── bundle 1, bundle 4, bundle 7 … ──▶ ┐
//! worker 2 ── bundle 2, bundle 5, bundle 8 … ──▶ ├─ deliver, in order
//! worker 3 ── bundle 3, bundle 6, bundle 9 … ──▶ ┘
//! ```
//! A worker may be two bundles ahead of what was handed over, so memory stays bounded.

use std::ops::Range;
use std::sync::mpsc::sync_channel;

/// Bundles that wait for their turn, for each worker.
const AHEAD: usize = 2;

/// Lets `work` do the items with these indices, `bundle` of them at a time, and hands each result to `deliver` in order
/// until it answers with `false`.
pub(super) fn in_order<T: Send>(
    indices: Range<u64>,
    bundle: u64,
    threads: usize,
    work: impl Fn(Range<u64>) -> Vec<T> + Sync,
    mut deliver: impl FnMut(u64, T) -> bool,
) {
    let end = indices.end;
    let bundles = || {
        indices.clone().step_by(bundle as usize).map(move |first| first..end.min(first + bundle))
    };
    let count = (end.saturating_sub(indices.start)).div_ceil(bundle) as usize;
    let threads = threads.clamp(1, count.max(1));
    if threads == 1 {
        for these in bundles() {
            for (index, result) in these.clone().zip(work(these)) {
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
            let (give, take) = sync_channel(AHEAD);
            let mine = bundles().skip(number).step_by(threads);
            scope.spawn(move || {
                // Whoever takes the results may have seen enough; then sending fails and the worker goes home.
                for these in mine {
                    if give.send(work(these)).is_err() {
                        break;
                    }
                }
            });
            take
        };
        let workers: Vec<_> = (0..threads).map(start_worker).collect();
        for (number, these) in bundles().enumerate() {
            let results =
                workers[number % threads].recv().expect("a worker sends every bundle it has");
            for (index, result) in these.zip(results) {
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
        bundle: u64,
        threads: usize,
        enough: usize,
    ) -> Vec<(u64, u64)> {
        let mut seen = Vec::new();
        let square_all = |these: Range<u64>| these.map(|index| index * index).collect();
        in_order(indices, bundle, threads, square_all, |index, square| {
            seen.push((index, square));
            seen.len() < enough
        });
        seen
    }

    #[test]
    fn results_come_in_order_on_any_number_of_threads() {
        let expected: Vec<(u64, u64)> = (5..50).map(|index| (index, index * index)).collect();
        for (bundle, threads) in [(1, 1), (1, 3), (4, 2), (7, 5), (100, 4)] {
            assert_eq!(
                delivered(5..50, bundle, threads, usize::MAX),
                expected,
                "{bundle} at a time, {threads} threads"
            );
        }
        assert_eq!(delivered(3..3, 4, 2, usize::MAX), []);
    }

    #[test]
    fn whoever_has_seen_enough_is_left_alone() {
        for threads in [1, 3] {
            assert_eq!(delivered(0..1_000_000_000, 2, threads, 3), [(0, 0), (1, 1), (2, 4)]);
        }
    }
}
