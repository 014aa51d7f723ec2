//! Work queues: where work waits for a thread, so that long work never keeps short work waiting.
//!
//! There are three queues. What takes milliseconds goes to the quick one; what may take seconds goes to the slow one,
//! which has few places; what is shown while it happens has places of its own, because a viewer may be slow. A question
//! of unknown length is tried quickly first and handed on when it does not come to an end. When a client goes away its
//! work is told to stop, and its place is free as soon as it does.

use crate::error::ApiError;
use axum::http::StatusCode;
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

/// Three queues of work.
#[derive(Clone, Debug)]
pub struct WorkQueues {
    quick: Queue,
    slow: Queue,
    shows: Queue,
}

/// What is going on in the queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Status {
    /// Work of a few milliseconds.
    pub quick: Busy,
    /// Work that may take long.
    pub slow: Busy,
    /// Work that is shown while it happens.
    pub shows: Busy,
}

/// What is going on in one queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Busy {
    /// Threads at work now; one that was told to stop counts until it has stopped.
    pub working: usize,
    /// How many may be.
    pub places: usize,
}

/// Some work at once, some more waiting, the rest refused.
#[derive(Clone, Debug)]
struct Queue {
    size: usize,
    places: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
}

/// What quick work may take; longer work is handed on to the slow queue.
pub const QUICK: Duration = Duration::from_millis(50);

/// The time limit of paper 2 for a search: 2 minutes.
pub const SLOW: Duration = Duration::from_secs(120);

impl WorkQueues {
    /// Queues for this machine.
    pub fn new() -> WorkQueues {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let few = cores.max(2);
        WorkQueues { quick: Queue::new(4 * cores, 4096), slow: Queue::new(few, 64), shows: Queue::new(few, 32) }
    }

    /// What is going on.
    pub fn status(&self) -> Status {
        Status { quick: self.quick.busy(), slow: self.slow.busy(), shows: self.shows.busy() }
    }

    /// Does work of a few milliseconds. The flag becomes true when nobody waits for the answer any more.
    pub async fn quickly<T: Send + 'static>(
        &self,
        work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        self.quick.run(work).await
    }

    /// Does work that may take long. It must look at the flag and stop soon after it becomes true.
    pub async fn slowly<T: Send + 'static>(
        &self,
        work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        self.slow.run(work).await
    }

    /// Begins work that tells of itself on its way. The flag becomes true when the guard is dropped.
    pub async fn begin(&self, work: impl FnOnce(&AtomicBool) + Send + 'static) -> Result<CancelOnDrop, ApiError> {
        Ok(self.shows.start(work).await?.1)
    }
}

impl Queue {
    fn new(places: usize, waiting: usize) -> Queue {
        let (size, waiting) = (places, Arc::new(Semaphore::new(waiting)));
        Queue { size, places: Arc::new(Semaphore::new(places)), waiting }
    }

    fn busy(&self) -> Busy {
        Busy { working: self.size - self.places.available_permits(), places: self.size }
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        // The guard lives in this future, and the server drops the future when the connection closes.
        let (working, _cancel) = self.start(work).await?;
        working.await.map_err(|_| ApiError::bug())
    }

    /// Waits for a place and starts the work there.
    async fn start<T: Send + 'static>(
        &self,
        work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<(JoinHandle<T>, CancelOnDrop), ApiError> {
        let Ok(_waiting) = self.waiting.try_acquire() else {
            return Err(ApiError::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "too many requests are waiting",
                "ask again in a moment",
            ));
        };
        let place = self.places.clone().acquire_owned().await.map_err(|_| ApiError::bug())?;
        let cancel = CancelOnDrop(Arc::new(AtomicBool::new(false)));
        let flag = cancel.0.clone();
        let working = tokio::task::spawn_blocking(move || {
            let answer = work(&flag);
            drop(place);
            answer
        });
        Ok((working, cancel))
    }
}

/// Lives as long as somebody waits for the work: dropping it tells the work to stop.
#[derive(Debug)]
pub struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_is_told_when_nobody_waits_any_more() {
        let queues = WorkQueues::new();
        let (sender, receiver) = std::sync::mpsc::channel();
        let (started, is_started) = tokio::sync::oneshot::channel();
        let waiting = tokio::spawn(async move {
            queues
                .slowly(move |gone| {
                    let _ = started.send(());
                    while !gone.load(Ordering::Relaxed) {
                        std::thread::yield_now();
                    }
                    sender.send("stopped").expect("the test listens");
                })
                .await
        });
        is_started.await.expect("the work starts");
        waiting.abort();
        assert_eq!(tokio::task::spawn_blocking(move || receiver.recv()).await.unwrap(), Ok("stopped"));
    }

    #[tokio::test]
    async fn quick_work_does_not_wait_for_slow_work() {
        let queues = WorkQueues::new();
        let slow_work: Vec<_> = (0..40)
            .map(|_| {
                let queues = queues.clone();
                tokio::spawn(async move {
                    queues
                        .slowly(|gone| {
                            while !gone.load(Ordering::Relaxed) {
                                std::thread::sleep(Duration::from_millis(1));
                            }
                        })
                        .await
                })
            })
            .collect();
        assert_eq!(queues.quickly(|_| 7).await, Ok(7));
        slow_work.iter().for_each(|work| work.abort());
    }

    #[tokio::test]
    async fn a_panic_is_called_a_bug_and_frees_its_place() {
        let queues = WorkQueues::new();
        for _ in 0..100 {
            assert_eq!(queues.slowly(|_| panic!("on purpose")).await, Err::<(), _>(ApiError::bug()));
        }
    }
}
