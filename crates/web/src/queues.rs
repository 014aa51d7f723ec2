//! Work queues: limit how much work runs at the same time, so that long work never delays short
//! work.
//!
//! Every computation starts in the quick queue. If it is not done after 50 ms (2 ms of CPU time
//! if others wait, and less in a crowd), it is paused, gives its slot back and waits for a slot of the medium queue, where the
//! same computation continues for at most a second. Then it moves to the slow queue, which has few
//! slots, and runs on with low priority, in turns of some seconds if other clients wait. Watching a
//! system has its own queue, because viewers may be slow. In each queue, clients get slots in turn.
//!
//! When a client disconnects, its computation is cancelled. It keeps its slot until it has stopped.

mod slots;
mod task;
mod threads;

use crate::client::Client;
use crate::limits::{
    CROWD, CROWDED_QUICK_CPU_TIME, MEDIUM_TIME, QUICK_CPU_TIME, QUICK_INTERVAL, QUICK_TIME, TURN,
};
use ninefold::Limits;
use ninefold_api::ApiError;
use ninefold_api::limits::Budget;
use serde::Serialize;
use slots::Slots;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
pub use task::CancelOnDrop;
use task::{LOW_PRIORITY, MEDIUM_PRIORITY, Task};
use threads::Threads;
use tokio::sync::oneshot;
use tokio::time::timeout;

#[derive(Clone, Debug)]
pub struct WorkQueues {
    quick: Slots,
    medium: Slots,
    slow: Slots,
    watch: Slots,
    threads: Threads,
    /// After this time in the slow or in the watch queue, it is the turn of another client.
    turn: Duration,
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

impl From<&Slots> for Load {
    fn from(slots: &Slots) -> Load {
        Load { working: slots.in_use(), places: slots.count() }
    }
}

impl WorkQueues {
    /// Queues for the number of CPU cores of this machine.
    pub fn new() -> WorkQueues {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let few = cores.max(2);
        WorkQueues {
            // More threads than this would take the cores from each other within their short time.
            quick: Slots::new(2 * cores, 4096),
            medium: Slots::new(few, 256),
            slow: Slots::new(few, 64),
            watch: Slots::new(few, 32),
            threads: Threads::default(),
            turn: TURN,
        }
    }

    pub fn status(&self) -> Status {
        Status {
            quick: (&self.quick).into(),
            slow: (&self.slow).into(),
            watch: (&self.watch).into(),
        }
    }

    /// Runs work of unknown length with a time limit, which does not count time spent waiting.
    ///
    /// Dropping the future cancels the work.
    pub async fn run<T: Send + 'static>(
        &self,
        client: Client,
        time: Duration,
        work: impl FnOnce(&Budget<'_>) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let task = Arc::new(Task::new(self.quick.acquire(client).await?));
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
        let finished = |answer: Result<T, _>| answer.map_err(|_| ApiError::bug());
        let started = Instant::now();
        loop {
            if let Ok(answer) = timeout(QUICK_INTERVAL, &mut answer).await {
                return finished(answer);
            }
            if self.has_used_its_quick_time(&task, started.elapsed()) {
                break;
            }
        }
        task.suspend();
        tokio::select! {
            biased;
            // It was about to finish when it was paused.
            answer = &mut answer => return finished(answer),
            slot = self.medium.acquire(client) => task.resume(slot?),
        }
        task.lower_priority(MEDIUM_PRIORITY);
        if let Ok(answer) = timeout(MEDIUM_TIME, &mut answer).await {
            return finished(answer);
        }
        task.suspend();
        tokio::select! {
            biased;
            answer = &mut answer => return finished(answer),
            slot = self.slow.acquire(client) => task.resume(slot?),
        }
        task.lower_priority(LOW_PRIORITY);
        loop {
            if let Ok(answer) = timeout(self.turn, &mut answer).await {
                return finished(answer);
            }
            if self.slow.others_wait(client) {
                task.suspend();
                tokio::select! {
                    biased;
                    answer = &mut answer => return finished(answer),
                    slot = self.slow.acquire_again(client) => task.resume(slot?),
                }
            }
        }
    }

    /// Whether work has to leave the quick queue. In a crowd, this depends on its CPU time: on a busy
    /// machine, an easy request may have to wait for a core, and must not lose its place for that.
    fn has_used_its_quick_time(&self, task: &Task, elapsed: Duration) -> bool {
        let waiting = self.quick.waiting();
        if waiting == 0 && elapsed < QUICK_TIME {
            return false;
        }
        let share = if waiting < CROWD { QUICK_CPU_TIME } else { CROWDED_QUICK_CPU_TIME };
        elapsed >= MEDIUM_TIME || task.cpu_time().is_none_or(|time| time >= share)
    }

    /// Whether a viewer waits for a slot.
    pub fn has_waiting_viewers(&self) -> bool {
        self.watch.has_waiting()
    }

    /// Starts work that sends its results to a viewer, with low priority. The flag becomes true
    /// when the guard is dropped, and at the end of the viewer's turn if another client waits.
    pub async fn start_watching(
        &self,
        client: Client,
        work: impl FnOnce(&AtomicBool) + Send + 'static,
    ) -> Result<CancelOnDrop, ApiError> {
        let task = Arc::new(Task::new(self.watch.acquire(client).await?));
        self.threads
            .run(task.clone(), move |task| {
                task.lower_priority(LOW_PRIORITY);
                work(&task.cancel);
                task.finish();
            })
            .map_err(|_| no_thread())?;
        tokio::spawn({
            let (task, queue, turn) = (task.clone(), self.watch.clone(), self.turn);
            async move {
                while !task.is_done() {
                    tokio::time::sleep(turn).await;
                    if queue.others_wait(client) {
                        task.cancel.store(true, Ordering::Relaxed);
                        return;
                    }
                }
            }
        });
        Ok(CancelOnDrop(task))
    }
}

fn no_thread() -> ApiError {
    ApiError::unavailable("the server cannot start another thread", "try again in a moment")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ninefold::Grid;
    use ninefold::grid::Order;
    use ninefold::search::default_for_order;
    use std::sync::LazyLock;
    use tokio::task::JoinHandle;

    const MINUTE: Duration = Duration::from_secs(60);

    static ONE: LazyLock<Client> = LazyLock::new(|| Client::new([10, 0, 0, 1].into()));
    static OTHER: LazyLock<Client> = LazyLock::new(|| Client::new([10, 0, 0, 2].into()));

    /// Counts the solutions of an empty grid until the budget ends; returns how often it was
    /// called.
    fn endless(budget: &Budget<'_>) -> u64 {
        let empty = Grid::empty(Order::NINE);
        let count = default_for_order(Order::NINE).count(&empty, u64::MAX, &budget.limits());
        count.expect("the default solver supports every size").1.nodes
    }

    fn start_endless(queues: &WorkQueues) -> JoinHandle<Result<u64, ApiError>> {
        let queues = queues.clone();
        tokio::spawn(async move { queues.run(*ONE, MINUTE, endless).await })
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
            queues.run(*ONE, MINUTE, work).await
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
        assert_eq!(queues.run(*ONE, MINUTE, |_| 7).await, Ok(7));
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
            async move { queues.run(*ONE, time, endless).await }
        });
        until(|| queues.status().slow.working == 1).await;
        assert_eq!(queues.status().quick.working, 0);
        assert!(work.await.expect("no panic").expect("an answer") > 0);
        assert!(started.elapsed() >= time);
        assert_eq!(queues.status().slow.working, 0);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn work_that_waits_for_a_slot_is_paused_and_occupies_none() {
        let queues = WorkQueues { medium: Slots::new(1, 4), ..WorkQueues::new() };
        let slot = queues.medium.acquire(*ONE).await.expect("the slot is free");
        let (time, started) = (Duration::from_millis(100), std::time::Instant::now());
        let work = tokio::spawn({
            let queues = queues.clone();
            async move { queues.run(*ONE, time, endless).await }
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
        let queues = WorkQueues { slow: Slots::new(1, 4), ..WorkQueues::new() };
        let slow = start_endless(&queues);
        until(|| queues.status().slow.working == 1).await;
        assert!(queues.run(*ONE, 2 * QUICK_TIME, endless).await.is_ok());
        assert_eq!(queues.status().slow.working, 1);
        slow.abort();
    }

    /// An easy request that waits for a core does not lose its place to others.
    #[tokio::test(flavor = "multi_thread")]
    async fn work_without_cpu_time_stays_in_the_quick_queue() {
        let queues =
            WorkQueues { quick: Slots::new(1, 8), medium: Slots::new(0, 0), ..WorkQueues::new() };
        let first = tokio::spawn({
            let queues = queues.clone();
            let work = |_: &Budget<'_>| std::thread::sleep(QUICK_TIME - 2 * QUICK_INTERVAL);
            async move { queues.run(*ONE, MINUTE, work).await }
        });
        until(|| queues.status().quick.working == 1).await;
        let second = queues.run(*OTHER, MINUTE, |_| ());
        assert_eq!(second.await, Ok(()));
        if cfg!(target_os = "linux") {
            assert_eq!(first.await.expect("no panic"), Ok(()));
        }
    }

    #[tokio::test]
    async fn waiting_viewers_are_counted() {
        let queues = WorkQueues { watch: Slots::new(1, 4), ..WorkQueues::new() };
        let until_cancelled = |cancel: &AtomicBool| {
            while !cancel.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
        };
        let first = queues.start_watching(*ONE, until_cancelled).await.expect("the slot is free");
        assert!(!queues.has_waiting_viewers());
        let second = tokio::spawn({
            let queues = queues.clone();
            async move { queues.start_watching(*ONE, until_cancelled).await.map(drop) }
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
            let answer = queues.run(*ONE, MINUTE, |_| panic!("on purpose")).await;
            assert_eq!(answer, Err::<(), _>(ApiError::bug()));
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn clients_with_long_work_take_turns() {
        let turn = Duration::from_millis(100);
        let queues = WorkQueues { slow: Slots::new(1, 64), turn, ..WorkQueues::new() };
        let slow: Vec<_> = (0..3).map(|_| start_endless(&queues)).collect();
        until(|| queues.status().slow.working == 1 && queues.slow.has_waiting()).await;
        // It needs the slow queue, where the others have no end.
        let other =
            queues.run(*OTHER, QUICK_TIME + MEDIUM_TIME + Duration::from_millis(100), endless);
        assert!(other.await.is_ok());
        assert!(slow.iter().all(|task| !task.is_finished()));
        slow.iter().for_each(JoinHandle::abort);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_viewer_without_end_makes_room_for_another_client() {
        let turn = Duration::from_millis(50);
        let queues = WorkQueues { watch: Slots::new(1, 32), turn, ..WorkQueues::new() };
        let endless = |cancel: &AtomicBool| {
            while !cancel.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
        };
        let first = queues.start_watching(*ONE, endless).await.expect("the slot is free");
        let own = tokio::spawn({
            let queues = queues.clone();
            async move { queues.start_watching(*ONE, endless).await.map(drop) }
        });
        until(|| queues.has_waiting_viewers()).await;
        tokio::time::sleep(4 * turn).await;
        assert!(!own.is_finished(), "a client does not end its own shows");
        let other = queues.start_watching(*OTHER, |_| {}).await;
        assert!(other.is_ok());
        drop(first);
        assert_eq!(own.await.expect("no panic"), Ok(()));
    }
}
