//! Threads that are reused, because starting one costs as much as an easy request.

use super::task::Task;
use std::fmt;
use std::io;
use std::sync::mpsc::{SendError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

/// Further threads end when they have nothing to do.
const MAX_IDLE: usize = 64;

/// A task and its computation.
type Job = (Arc<Task>, Box<dyn FnOnce(&Task) + Send>);

/// Idle threads, as channels to them. The queues limit how many threads run at the same time.
#[derive(Clone, Default)]
pub struct Threads {
    idle: Arc<Mutex<Vec<Sender<Job>>>>,
}

impl Threads {
    /// Runs a computation on an idle thread, or on a new one.
    pub fn run(
        &self,
        task: Arc<Task>,
        work: impl FnOnce(&Task) + Send + 'static,
    ) -> io::Result<()> {
        let mut job: Job = (task, Box::new(work));
        while let Some(thread) = self.pop_idle() {
            match thread.send(job) {
                Ok(()) => return Ok(()),
                Err(SendError(unsent)) => job = unsent,
            }
        }
        let idle = Arc::downgrade(&self.idle);
        let run_jobs = move || {
            let mut next = Some(job);
            while let Some((task, work)) = next.take() {
                task.begin();
                work(&task);
                if task.has_low_priority() {
                    return;
                }
                drop(task);
                // The list of idle threads is gone when the server has stopped.
                let Some(idle) = idle.upgrade() else { return };
                let (sender, jobs) = channel();
                let mut threads = idle.lock().unwrap_or_else(PoisonError::into_inner);
                if threads.len() >= MAX_IDLE {
                    return;
                }
                threads.push(sender);
                drop(threads);
                drop(idle);
                next = jobs.recv().ok();
            }
        };
        std::thread::Builder::new().name("request".to_string()).spawn(run_jobs).map(drop)
    }

    fn pop_idle(&self) -> Option<Sender<Job>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }
}

impl fmt::Debug for Threads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Threads").finish_non_exhaustive()
    }
}
