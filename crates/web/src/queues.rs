//! Work queues: limit how much work runs at the same time, so that long work never delays short
//! work.
//!
//! Every computation starts in the quick queue. If it is not done after 50 ms, it is paused, gives
//! its slot back and waits for a slot of the medium queue, where the same computation continues for
//! at most a second. Then it moves to the slow queue, which has few slots, and runs on with low
//! priority. Watching a system has its own queue, because viewers may be slow.
//!
//! When a client disconnects, its computation is cancelled. It keeps its slot until it has stopped.

mod task;
mod threads;

use crate::limits::{MEDIUM_TIME, QUICK_TIME};
use ninefold::Limits;
use ninefold_api::ApiError;
use ninefold_api::limits::Budget;
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
pub use task::CancelOnDrop;
use task::Task;
use threads::Threads;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::timeout;

#[derive(Clone, Debug)]
pub struct WorkQueues {
    quick: Queue,
    medium: Queue,
    slow: Queue,
    watch: Queue,
    threads: Threads,
}

/// The load of the queues that `/api/status` reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    pub quick: Load,
    pub slow: Load,
    pub watch: Load,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Load {
    /// Slots in use. Cancelled work counts until it has stopped.
    pub working: usize,
    /// All slots.
    pub places: usize,
}

/// A number of slots, and a number of tasks that may wait for one. Further tasks are rejected.
#[derive(Clone, Debug)]
struct Queue {
    slot_count: usize,
    slots: Arc<Semaphore>,
    max_waiting: usize,
    waiting: Arc<Semaphore>,
}

impl WorkQueues {
    /// Queues for the number of CPU cores of this machine.
    pub fn new() -> WorkQueues {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let few = cores.max(2);
        WorkQueues {
            quick: Queue::new(4 * cores, 4096),
            medium: Queue::new(few, 256),
            slow: Queue::new(few, 64),
            watch: Queue::new(few, 32),
            threads: Threads::default(),
        }
    }

    pub fn status(&self) -> Status {
        Status { quick: self.quick.load(), slow: self.slow.load(), watch: self.watch.load() }
    }

    /// Runs work of unknown length with a time limit, which does not count time spent waiting.
    ///
    /// Dropping the future cancels the work.
    pub async fn run<T: Send + 'static>(
        &self,
        time: Duration,
        work: impl FnOnce(&Budget<'_>) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let task = Arc::new(Task::new(self.quick.acquire().await?));
        // The server drops this future, and with it the guard, when the connection closes.
        let _cancel = CancelOnDrop(task.clone());
        let (sender, mut answer) = oneshot::channel();
        self.threads
            .run(task.clone(), move |task| {
                let limits = Limits::none().with_cancel(&task.cancel).with_pause(&task.pause);
                let answer = work(&Budget::new(time, limits));
                task.finish();
                // The receiver is gone if the client has disconnected.
                let _ = sender.send(answer);
            })
            .map_err(|_| no_thread())?;
        for (time, next) in [(QUICK_TIME, &self.medium), (MEDIUM_TIME, &self.slow)] {
            if let Ok(answer) = timeout(time, &mut answer).await {
                return answer.map_err(|_| ApiError::bug());
            }
            task.suspend();
            tokio::select! {
                biased;
                // It was about to finish when it was paused.
                answer = &mut answer => return answer.map_err(|_| ApiError::bug()),
                slot = next.acquire() => task.resume(slot?),
            }
        }
        task.lower_priority();
        answer.await.map_err(|_| ApiError::bug())
    }

    /// Whether a viewer waits for a slot.
    pub fn has_waiting_viewers(&self) -> bool {
        self.watch.has_waiting()
    }

    /// Starts work that sends its results to a viewer, with low priority. The flag becomes true
    /// when the guard is dropped.
    pub async fn start_watching(
        &self,
        work: impl FnOnce(&AtomicBool) + Send + 'static,
    ) -> Result<CancelOnDrop, ApiError> {
        let task = Arc::new(Task::new(self.watch.acquire().await?));
        self.threads
            .run(task.clone(), move |task| {
                task.lower_priority();
                work(&task.cancel);
                task.finish();
            })
            .map_err(|_| no_thread())?;
        Ok(CancelOnDrop(task))
    }
}

fn no_thread() -> ApiError {
    ApiError::unavailable("the server cannot start another thread", "try again in a moment")
}

impl Queue {
    fn new(slot_count: usize, max_waiting: usize) -> Queue {
        let slots = Arc::new(Semaphore::new(slot_count));
        let waiting = Arc::new(Semaphore::new(max_waiting));
        Queue { slot_count, slots, max_waiting, waiting }
    }

    fn has_waiting(&self) -> bool {
        self.waiting.available_permits() < self.max_waiting
    }

    fn load(&self) -> Load {
        let working = self.slot_count - self.slots.available_permits();
        Load { working, places: self.slot_count }
    }

    /// Waits for a slot. An error if too many tasks are waiting.
    async fn acquire(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        let Ok(_waiting) = self.waiting.try_acquire() else {
            return Err(ApiError::unavailable(
                "too many requests are waiting",
                "try again in a moment",
            ));
        };
        self.slots.clone().acquire_owned().await.map_err(|_| ApiError::bug())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ninefold::Grid;
    use ninefold::grid::Order;
    use ninefold::search::default_for_order;
    use std::sync::atomic::Ordering;
    use tokio::task::JoinHandle;

    const MINUTE: Duration = Duration::from_secs(60);

    /// Counts the solutions of an empty grid until the budget ends; returns how often it was
    /// called.
    fn endless(budget: &Budget<'_>) -> u64 {
        let empty = Grid::empty(Order::NINE);
        let count = default_for_order(Order::NINE).count(&empty, u64::MAX, &budget.limits());
        count.expect("the default solver supports every size").1.nodes
    }

    fn start_endless(queues: &WorkQueues) -> JoinHandle<Result<u64, ApiError>> {
        let queues = queues.clone();
        tokio::spawn(async move { queues.run(MINUTE, endless).await })
    }

    async fn until(condition: impl Fn() -> bool) {
        while !condition() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    #[tokio::test]
    async fn disconnecting_cancels_the_work() {
        let queues = WorkQueues::new();
        let (sender, receiver) = std::sync::mpsc::channel();
        let (started, is_started) = oneshot::channel();
        let waiting = tokio::spawn(async move {
            let work = move |budget: &Budget<'_>| {
                let _ = started.send(());
                endless(budget);
                sender.send("stopped").expect("the test waits for the message");
            };
            queues.run(MINUTE, work).await
        });
        is_started.await.expect("the work starts");
        waiting.abort();
        let received = tokio::task::spawn_blocking(move || receiver.recv()).await;
        assert_eq!(received.expect("the thread does not panic"), Ok("stopped"));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn quick_work_does_not_wait_for_long_work() {
        let queues = WorkQueues::new();
        let long: Vec<_> = (0..40).map(|_| start_endless(&queues)).collect();
        until(|| queues.status().slow.working > 0).await;
        assert_eq!(queues.run(MINUTE, |_| 7).await, Ok(7));
        long.iter().for_each(JoinHandle::abort);
        until(|| queues.status().slow.working == 0).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn long_work_continues_in_the_next_queue_until_its_time_limit() {
        let queues = WorkQueues::new();
        let time = QUICK_TIME + MEDIUM_TIME + Duration::from_millis(100);
        let started = std::time::Instant::now();
        let work = tokio::spawn({
            let queues = queues.clone();
            async move { queues.run(time, endless).await }
        });
        until(|| queues.status().slow.working == 1).await;
        assert_eq!(queues.status().quick.working, 0);
        assert!(work.await.expect("no panic").expect("an answer") > 0);
        assert!(started.elapsed() >= time);
        assert_eq!(queues.status().slow.working, 0);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn work_that_waits_for_a_slot_is_paused_and_occupies_none() {
        let queues = WorkQueues { medium: Queue::new(1, 4), ..WorkQueues::new() };
        let slot = queues.medium.acquire().await.expect("the slot is free");
        let (time, started) = (Duration::from_millis(100), std::time::Instant::now());
        let work = tokio::spawn({
            let queues = queues.clone();
            async move { queues.run(time, endless).await }
        });
        until(|| queues.medium.has_waiting()).await;
        tokio::time::sleep(2 * time).await;
        assert!(!work.is_finished(), "waiting does not count");
        assert_eq!(queues.status().quick.working, 0);
        drop(slot);
        assert!(work.await.expect("no panic").is_ok());
        assert!(started.elapsed() >= 3 * time - QUICK_TIME);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn work_of_a_second_does_not_wait_for_slow_work() {
        let queues = WorkQueues { slow: Queue::new(1, 4), ..WorkQueues::new() };
        let slow = start_endless(&queues);
        until(|| queues.status().slow.working == 1).await;
        assert!(queues.run(2 * QUICK_TIME, endless).await.is_ok());
        assert_eq!(queues.status().slow.working, 1);
        slow.abort();
    }

    #[tokio::test]
    async fn waiting_viewers_are_counted() {
        let queues = WorkQueues { watch: Queue::new(1, 4), ..WorkQueues::new() };
        let until_cancelled = |cancel: &AtomicBool| {
            while !cancel.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
        };
        let first = queues.start_watching(until_cancelled).await.expect("the slot is free");
        assert!(!queues.has_waiting_viewers());
        let second = tokio::spawn({
            let queues = queues.clone();
            async move { queues.start_watching(until_cancelled).await.map(drop) }
        });
        while !queues.has_waiting_viewers() {
            tokio::task::yield_now().await;
        }
        drop(first);
        assert_eq!(second.await.expect("no panic"), Ok(()));
        assert!(!queues.has_waiting_viewers());
    }

    #[tokio::test]
    async fn a_panic_is_reported_as_a_bug_and_frees_the_slot() {
        let queues = WorkQueues::new();
        for _ in 0..100 {
            let answer = queues.run(MINUTE, |_| panic!("on purpose")).await;
            assert_eq!(answer, Err::<(), _>(ApiError::bug()));
        }
    }
}
