//! A viewer: sends each frame as a line to one client.

use crate::limits::MAX_SEARCH_TIME;
use crate::queues::WorkQueues;
use axum::body::Bytes;
use ninefold::search::Limits;
use ninefold_api::watch::{Frame, Stage};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::mpsc;

/// The client is disconnected if it does not read a line for this long.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The client is disconnected after this time if another viewer waits for a slot.
const GRACE: Duration = Duration::from_secs(1);

pub struct Viewer<'a> {
    lines: mpsc::Sender<Bytes>,
    runtime: Handle,
    queues: WorkQueues,
    cancel: &'a AtomicBool,
    deadline: Instant,
}

impl<'a> Viewer<'a> {
    /// A viewer that sends lines to this channel until the flag becomes true.
    pub fn new(
        lines: mpsc::Sender<Bytes>,
        runtime: Handle,
        queues: WorkQueues,
        cancel: &'a AtomicBool,
    ) -> Viewer<'a> {
        Viewer { lines, runtime, queues, cancel, deadline: Instant::now() + MAX_SEARCH_TIME }
    }

    /// Waits until the line fits into the buffer. False if the client does not read in time.
    async fn send(&self, line: Bytes) -> bool {
        let waiting_since = tokio::time::Instant::now();
        let sending = self.lines.send(line);
        tokio::pin!(sending);
        loop {
            match tokio::time::timeout(GRACE, &mut sending).await {
                Ok(sent) => return sent.is_ok(),
                Err(_)
                    if waiting_since.elapsed() >= TIMEOUT || self.queues.has_waiting_viewers() =>
                {
                    return false;
                }
                Err(_) => {}
            }
        }
    }
}

impl Stage for Viewer<'_> {
    fn show(&self, frame: &Frame) -> ControlFlow<()> {
        if self.cancel.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        let mut line = serde_json::to_vec(frame).expect("a frame can be serialized");
        line.push(b'\n');
        if self.runtime.block_on(self.send(line.into())) {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    fn limits(&self) -> Limits<'_> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        Limits::none().with_time(left).with_cancel(self.cancel)
    }
}
