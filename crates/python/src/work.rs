//! Runs work on several threads, and stops it when the user presses Ctrl+C in Python.

use pyo3::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// How often to check for Ctrl+C.
const SIGNAL_CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// The number of threads to use; 0 means one per core.
pub fn threads(requested: usize) -> usize {
    if requested > 0 {
        requested.min(1024)
    } else {
        std::thread::available_parallelism().map_or(1, usize::from)
    }
}

/// Runs work on another thread without the interpreter lock, while this thread checks for Ctrl+C.
/// The flag becomes true on Ctrl+C; the work must end soon after.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    let cancel = AtomicBool::new(false);
    py.detach(|| {
        std::thread::scope(|scope| {
            let (done, finished) = channel::<()>();
            let cancel = &cancel;
            let worker = scope.spawn(move || {
                let _done = done;
                work(cancel)
            });
            let interrupted = wait_or_interrupt(&finished, cancel);
            let answer = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            interrupted.map(|()| answer)
        })
    })
}

/// Waits for the end of the work or for Ctrl+C.
fn wait_or_interrupt(finished: &Receiver<()>, cancel: &AtomicBool) -> PyResult<()> {
    while let Err(RecvTimeoutError::Timeout) = finished.recv_timeout(SIGNAL_CHECK_INTERVAL) {
        if let Err(interrupt) = Python::attach(|py| py.check_signals()) {
            cancel.store(true, Ordering::Relaxed);
            return Err(interrupt);
        }
    }
    Ok(())
}

/// Processes items on several threads until none are left or the flag becomes true.
pub fn share<I>(threads: usize, items: I, cancel: &AtomicBool, work: impl Fn(I::Item) + Sync)
where
    I: Iterator + Send,
    I::Item: Send,
{
    let items = Mutex::new(items);
    let run = || {
        while !cancel.load(Ordering::Relaxed) {
            let next = items.lock().expect("no thread panics while it holds the lock").next();
            match next {
                Some(item) => work(item),
                None => break,
            }
        }
    };
    if threads <= 1 {
        return run();
    }
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(run);
        }
    });
}

/// The results of `work` for all items, in order. After Ctrl+C, some results are missing.
pub fn map<T: Sync, R: Send>(
    threads: usize,
    items: &[T],
    cancel: &AtomicBool,
    work: impl Fn(usize, &T) -> R + Sync,
) -> Vec<R> {
    let mut answers: Vec<Option<R>> = items.iter().map(|_| None).collect();
    let places = answers.iter_mut().zip(items.iter().enumerate());
    share(threads.min(items.len()), places, cancel, |(place, (index, item))| {
        *place = Some(work(index, item))
    });
    answers.into_iter().flatten().collect()
}
