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

impl Viewer<'_> {
    /// The last frame if the system has to stop now.
    fn early_end(&self, frame: &Frame) -> Option<Frame> {
        let is_open = frame.end.is_none_or(|end| end == "open");
        let text = if self.cancel.load(Ordering::Relaxed) && is_open {
            "Others are waiting, so this show ends here. Start it again to continue."
        } else if Instant::now() >= self.deadline && frame.end.is_none() {
            "The time is up."
        } else {
            return None;
        };
        let (grid, text) = (frame.grid.clone(), text.to_string());
        Some(Frame { event: "end", grid, text, end: Some("open"), ..Frame::default() })
    }

    fn send_frame(&self, frame: &Frame) -> bool {
        let mut line = serde_json::to_vec(frame).expect("a frame can be serialized");
        line.push(b'\n');
        self.runtime.block_on(self.send(line.into()))
    }
}

impl Stage for Viewer<'_> {
    fn show(&self, frame: &Frame) -> ControlFlow<()> {
        if let Some(last) = self.early_end(frame) {
            self.send_frame(&last);
            return ControlFlow::Break(());
        }
        match self.send_frame(frame) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }

    fn limits(&self) -> Limits<'_> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        Limits::none().with_time(left).with_cancel(self.cancel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shows frames until the viewer breaks, at most ten; returns the lines sent.
    async fn show(cancel: bool, deadline: Instant) -> Vec<serde_json::Value> {
        let (sender, mut lines) = mpsc::channel(64);
        let runtime = Handle::current();
        let performed = tokio::task::spawn_blocking(move || {
            let cancel = AtomicBool::new(cancel);
            let mut viewer = Viewer::new(sender, runtime, WorkQueues::new(), &cancel);
            viewer.deadline = deadline;
            let frame = Frame { event: "look", grid: "1234".to_string(), ..Frame::default() };
            (0..10).try_for_each(|_| viewer.show(&frame))
        });
        let _ = performed.await.expect("no panic");
        let mut shown = Vec::new();
        while let Some(line) = lines.recv().await {
            shown.push(serde_json::from_slice(&line).expect("lines are JSON"));
        }
        shown
    }

    #[tokio::test]
    async fn a_show_ends_at_its_time_limit_and_when_it_is_the_turn_of_others() {
        let (now, later) = (Instant::now(), Instant::now() + MAX_SEARCH_TIME);
        assert_eq!(show(false, later).await.len(), 10);
        for (cancel, deadline, text) in [(false, now, "time is up"), (true, later, "Others")] {
            let shown = show(cancel, deadline).await;
            assert_eq!((shown.len(), &shown[0]["end"]), (1, &"open".into()));
            assert_eq!(shown[0]["grid"], "1234");
            assert!(shown[0]["text"].as_str().unwrap().contains(text), "{shown:?}");
        }
    }
}
