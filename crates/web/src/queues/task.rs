//! A running computation: its slot, its cancel flag, and the thread it runs on.

use super::slots::Slot;
use ninefold::limits::Pause;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The priority of a thread as a nice value: the ordinary one is 0, and larger numbers are lower.
#[derive(Clone, Copy, Debug)]
pub struct Priority(i32);

/// For work that takes up to a second.
pub const MEDIUM_PRIORITY: Priority = Priority(5);

/// For long work.
pub const LOW_PRIORITY: Priority = Priority(10);

#[derive(Debug)]
pub struct Task {
    /// Tells the computation to stop.
    pub cancel: AtomicBool,
    /// Makes the computation wait.
    pub pause: Pause,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// The slot of the current queue; `None` while the task is paused and when it is done.
    slot: Option<Slot>,
    is_done: bool,
    has_low_priority: bool,
    /// The thread that runs the task, once it has started.
    thread: Option<ThreadId>,
    /// The CPU time of this thread when the task started.
    cpu_time_before: Duration,
}

impl Task {
    pub fn new(slot: Slot) -> Task {
        let state = State {
            slot: Some(slot),
            is_done: false,
            has_low_priority: false,
            thread: None,
            cpu_time_before: Duration::ZERO,
        };
        Task { cancel: AtomicBool::new(false), pause: Pause::new(), state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Must be called by the thread that runs the task, before the computation starts.
    pub fn begin(&self) {
        let mut state = self.state();
        state.thread = current_thread();
        state.cpu_time_before = cpu_time_of_this_thread();
    }

    /// The CPU time that the computation has used; `None` if the system does not report it.
    pub fn cpu_time(&self) -> Option<Duration> {
        let state = self.state();
        // The thread starts with the computation.
        let Some(thread) = state.thread else { return Some(Duration::ZERO) };
        Some(cpu_time_of(thread)?.saturating_sub(state.cpu_time_before))
    }

    /// Must be called when the computation has ended. Frees the slot.
    pub fn finish(&self) {
        let mut state = self.state();
        state.is_done = true;
        state.slot = None;
    }

    /// Whether the computation has ended.
    pub fn is_done(&self) -> bool {
        self.state().is_done
    }

    /// Pauses the computation and frees its slot.
    pub fn suspend(&self) {
        self.pause.pause();
        self.state().slot = None;
    }

    /// Continues the computation in a slot of another queue.
    pub fn resume(&self, slot: Slot) {
        let mut state = self.state();
        if !state.is_done {
            state.slot = Some(slot);
        }
        self.pause.resume();
    }

    /// Lets the thread of the task run only when other threads leave CPU time.
    ///
    /// Threads are reused, so the state stays locked meanwhile: the task cannot finish and leave
    /// its thread to another task before the priority is lowered.
    pub fn lower_priority(&self, priority: Priority) {
        let mut state = self.state();
        if let Some(thread) = state.thread.filter(|_| !state.is_done) {
            lower_priority_of(thread, priority);
            state.has_low_priority = true;
        }
    }

    /// Whether the thread of the task has low priority now. An ordinary process cannot raise it
    /// again.
    pub fn has_low_priority(&self) -> bool {
        self.state().has_low_priority
    }
}

#[cfg(target_os = "linux")]
type ThreadId = rustix::thread::Pid;
#[cfg(not(target_os = "linux"))]
type ThreadId = ();

#[cfg(target_os = "linux")]
fn current_thread() -> Option<ThreadId> {
    Some(rustix::thread::gettid())
}

#[cfg(not(target_os = "linux"))]
fn current_thread() -> Option<ThreadId> {
    None
}

#[cfg(target_os = "linux")]
fn cpu_time_of_this_thread() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    clock_gettime(ClockId::ThreadCPUTime).try_into().unwrap_or_default()
}

#[cfg(not(target_os = "linux"))]
fn cpu_time_of_this_thread() -> Duration {
    Duration::ZERO
}

/// The kernel adds to this number at least every few milliseconds.
#[cfg(target_os = "linux")]
fn cpu_time_of(thread: ThreadId) -> Option<Duration> {
    let path = format!("/proc/self/task/{}/schedstat", thread.as_raw_nonzero());
    let text = std::fs::read_to_string(path).ok()?;
    Some(Duration::from_nanos(text.split(' ').next()?.parse().ok()?))
}

#[cfg(not(target_os = "linux"))]
fn cpu_time_of(_: ThreadId) -> Option<Duration> {
    None
}

/// Where this fails, long work has the priority of short work.
#[cfg(target_os = "linux")]
fn lower_priority_of(thread: ThreadId, priority: Priority) {
    let _ = rustix::process::setpriority_process(Some(thread), priority.0);
}

#[cfg(not(target_os = "linux"))]
fn lower_priority_of(_: ThreadId, _: Priority) {}

/// Cancels the task when it is dropped.
#[derive(Debug)]
pub struct CancelOnDrop(pub(super) Arc<Task>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel.store(true, Ordering::Relaxed);
        // A paused computation has to wake up to see the flag.
        self.0.pause.resume();
    }
}
