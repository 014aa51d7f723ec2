//! Work: many threads share it, and Ctrl+C ends it.

use pyo3::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// How long Ctrl+C may wait to be noticed.
const LISTENS_EVERY: Duration = Duration::from_millis(50);

/// As many threads as were asked for; 0 means one for each core.
pub fn threads(asked: usize) -> usize {
    if asked > 0 {
        asked.min(1024)
    } else {
        std::thread::available_parallelism().map_or(1, usize::from)
    }
}

/// Does work on another thread and without the interpreter's lock, while this one listens for Ctrl+C. The flag becomes
/// true when it is pressed; work has to end soon after.
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
            let heard = listen(&finished, cancel);
            let answer = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            heard.map(|()| answer)
        })
    })
}

/// Waits until the other end is gone, or for Ctrl+C.
fn listen(finished: &Receiver<()>, cancel: &AtomicBool) -> PyResult<()> {
    while let Err(RecvTimeoutError::Timeout) = finished.recv_timeout(LISTENS_EVERY) {
        if let Err(interrupt) = Python::attach(|py| py.check_signals()) {
            cancel.store(true, Ordering::Relaxed);
            return Err(interrupt);
        }
    }
    Ok(())
}

/// Hands items to threads until there are none left or the flag becomes true.
pub fn share<I>(threads: usize, items: I, cancel: &AtomicBool, work: impl Fn(I::Item) + Sync)
where
    I: Iterator + Send,
    I::Item: Send,
{
    let items = Mutex::new(items);
    let run = || {
        while !cancel.load(Ordering::Relaxed) {
            let next = items.lock().expect("taking an item does not panic").next();
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

/// What `work` says about each item, in order; an item that was not reached is left out, which is only the case after
/// Ctrl+C.
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
