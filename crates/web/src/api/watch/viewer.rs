//! One viewer: the stage of a show that is told line by line.

use crate::limits::LONGEST_SEARCH;
use crate::queues::WorkQueues;
use axum::body::Bytes;
use ninefold::search::Limits;
use ninefold_api::watch::{Frame, Stage};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::mpsc;

/// A viewer who does not take a line for so long has gone.
const PATIENCE: Duration = Duration::from_secs(10);

/// A viewer who does not take a line for so long makes room for one who waits.
const GRACE: Duration = Duration::from_secs(1);

/// One viewer.
pub struct Viewer<'a> {
    lines: mpsc::Sender<Bytes>,
    runtime: Handle,
    queues: WorkQueues,
    gone: &'a AtomicBool,
    until: Instant,
}

impl<'a> Viewer<'a> {
    /// A viewer who takes lines from this channel until the flag becomes true.
    pub fn new(
        lines: mpsc::Sender<Bytes>,
        runtime: Handle,
        queues: WorkQueues,
        gone: &'a AtomicBool,
    ) -> Viewer<'a> {
        Viewer { lines, runtime, queues, gone, until: Instant::now() + LONGEST_SEARCH }
    }

    /// Waits until the line is taken: for some time, or until somebody else would like to have the place.
    async fn send(&self, line: Bytes) -> bool {
        let waiting_since = tokio::time::Instant::now();
        let sending = self.lines.send(line);
        tokio::pin!(sending);
        loop {
            match tokio::time::timeout(GRACE, &mut sending).await {
                Ok(sent) => return sent.is_ok(),
                Err(_) if waiting_since.elapsed() >= PATIENCE || self.queues.shows_are_wanted() => {
                    return false;
                }
                Err(_) => {}
            }
        }
    }
}

impl Stage for Viewer<'_> {
    fn show(&self, frame: &Frame) -> ControlFlow<()> {
        if self.gone.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        let mut line = serde_json::to_vec(frame).expect("a frame can be written as JSON");
        line.push(b'\n');
        if self.runtime.block_on(self.send(line.into())) {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    fn limits(&self) -> Limits<'_> {
        Limits {
            time: Some(self.until.saturating_duration_since(Instant::now())),
            nodes: None,
            cancel: Some(self.gone),
        }
    }

    fn gone(&self) -> &AtomicBool {
        self.gone
    }
}
