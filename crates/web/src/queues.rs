//! Work queues: where work waits for a thread, so that long work never keeps short work waiting.
//!
//! There are four queues. What takes milliseconds goes to the quick one; what takes longer to the medium one, for a second
//! at most; what may take many seconds goes to the slow one, which has few places; what is shown while it happens has places of its own, because a viewer may be slow. A question
//! of unknown length is tried quickly first and handed on when it does not come to an end. Long work runs on threads of
//! its own with a low priority, so that it takes what short work leaves. When a client goes away its work is told to
//! stop, and its place is free as soon as it does.

use crate::error::ApiError;
use crate::limits::{LONGEST, MEDIUM, QUICK};
use axum::http::StatusCode;
use ninefold_api::limits::Time;
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::{Semaphore, oneshot};

/// Four queues of work.
#[derive(Clone, Debug)]
pub struct WorkQueues {
    quick: Queue,
    medium: Queue,
    slow: Queue,
    shows: Queue,
}

/// What is going on in the queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    room: usize,
    waiting: Arc<Semaphore>,
    /// Does its work give way to other work?
    gives_way: bool,
}

impl WorkQueues {
    /// Queues for this machine.
    pub fn new() -> WorkQueues {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let few = cores.max(2);
        WorkQueues {
            quick: Queue::new(4 * cores, 4096, false),
            medium: Queue::new(few, 256, false),
            slow: Queue::new(few, 64, true),
            shows: Queue::new(few, 32, true),
        }
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

    /// Tries work for a moment, then for a second, and only if it does not come to an end goes to the slow queue with it.
    /// `work` gets a time and the flag, and answers `None` if the time was not enough; a last answer is asked for with
    /// `Time::Last`.
    pub async fn quickly_first<T: Send + 'static>(
        &self,
        work: impl Fn(Time, &AtomicBool) -> Option<T> + Clone + Send + 'static,
    ) -> Result<Option<T>, ApiError> {
        let (again, at_last) = (work.clone(), work.clone());
        if let Some(answer) = self.quickly(move |gone| work(Time::First(QUICK), gone)).await? {
            return Ok(Some(answer));
        }
        if let Some(answer) = self.medium.run(move |gone| again(Time::First(MEDIUM), gone)).await? {
            return Ok(Some(answer));
        }
        self.slowly(move |gone| at_last(Time::Last(LONGEST), gone)).await
    }

    /// Does somebody wait for a place to be shown something?
    pub fn shows_are_wanted(&self) -> bool {
        self.shows.is_waited_for()
    }

    /// Begins work that tells of itself on its way. The flag becomes true when the guard is dropped.
    pub async fn begin(
        &self,
        work: impl FnOnce(&AtomicBool) + Send + 'static,
    ) -> Result<CancelOnDrop, ApiError> {
        Ok(self.shows.start(work).await?.1)
    }
}

impl Queue {
    fn new(size: usize, room: usize, gives_way: bool) -> Queue {
        let (places, waiting) = (Arc::new(Semaphore::new(size)), Arc::new(Semaphore::new(room)));
        Queue { size, places, room, waiting, gives_way }
    }

    fn is_waited_for(&self) -> bool {
        self.waiting.available_permits() < self.room
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
    ) -> Result<(oneshot::Receiver<T>, CancelOnDrop), ApiError> {
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
        let (sender, answer) = oneshot::channel();
        let work = move || {
            let answer = work(&flag);
            drop(place);
            let _ = sender.send(answer);
        };
        if self.gives_way {
            on_a_thread_that_gives_way(work)?;
        } else {
            tokio::task::spawn_blocking(work);
        }
        Ok((answer, cancel))
    }
}

/// Starts work on a thread of its own that gets the time which others leave.
fn on_a_thread_that_gives_way(work: impl FnOnce() + Send + 'static) -> Result<(), ApiError> {
    let work = || {
        // Where this is not allowed, long work competes with short work, as it would without it.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::setpriority_process(None, 10);
        work();
    };
    std::thread::Builder::new().name("long work".to_string()).spawn(work).map(drop).map_err(|_| {
        let hint = "ask again in a moment";
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "there is no thread left for this", hint)
    })
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
    use std::time::Duration;

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
        assert_eq!(
            tokio::task::spawn_blocking(move || receiver.recv()).await.unwrap(),
            Ok("stopped")
        );
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
    async fn work_that_is_not_finished_in_a_moment_gets_more_time() {
        let queues = WorkQueues::new();
        let short = |time: Time, _: &AtomicBool| time.is_first().then_some("short");
        assert_eq!(queues.quickly_first(short).await, Ok(Some("short")));
        let long = |time: Time, _: &AtomicBool| (!time.is_first()).then_some(time.limit());
        assert_eq!(queues.quickly_first(long).await, Ok(Some(LONGEST)));
    }

    #[tokio::test]
    async fn work_of_a_second_does_not_wait_for_slow_work() {
        let queues = WorkQueues { slow: Queue::new(1, 4, true), ..WorkQueues::new() };
        let slow_work = tokio::spawn({
            let queues = queues.clone();
            async move {
                queues
                    .slowly(|gone| {
                        while !gone.load(Ordering::Relaxed) {
                            std::thread::sleep(Duration::from_millis(1));
                        }
                    })
                    .await
            }
        });
        let takes_a_while =
            |time: Time, _: &AtomicBool| (time == Time::First(MEDIUM)).then_some("done");
        assert_eq!(queues.quickly_first(takes_a_while).await, Ok(Some("done")));
        slow_work.abort();
    }

    #[tokio::test]
    async fn it_is_known_whether_somebody_waits_to_be_shown_something() {
        let queues = WorkQueues { shows: Queue::new(1, 4, true), ..WorkQueues::new() };
        let until_gone = |gone: &AtomicBool| {
            while !gone.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
        };
        let first = queues.begin(until_gone).await.expect("there is a place");
        assert!(!queues.shows_are_wanted());
        let second = tokio::spawn({
            let queues = queues.clone();
            async move { queues.begin(until_gone).await.map(drop) }
        });
        while !queues.shows_are_wanted() {
            tokio::task::yield_now().await;
        }
        drop(first);
        assert_eq!(second.await.expect("it does not panic"), Ok(()));
        assert!(!queues.shows_are_wanted());
    }

    #[tokio::test]
    async fn a_panic_is_called_a_bug_and_frees_its_place() {
        let queues = WorkQueues::new();
        for _ in 0..100 {
            assert_eq!(
                queues.slowly(|_| panic!("on purpose")).await,
                Err::<(), _>(ApiError::bug())
            );
        }
    }
}
