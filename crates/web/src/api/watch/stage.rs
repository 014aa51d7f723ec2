//! The stage: where a system shows itself to one viewer.

use crate::limits::LONGEST_SEARCH;
use crate::queues::WorkQueues;
use axum::body::Bytes;
use ninefold::explain::view::PictureView;
use ninefold::grid::{Cell, Digit, Grid, text};
use ninefold::search::Limits;
use serde::Serialize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::mpsc;

/// One moment, as it is told. Cells count from 0 in reading order, digits from 1.
#[derive(Debug, Default, Serialize)]
pub struct Frame {
    /// What happens, for a program.
    pub event: &'static str,
    /// What happens, for a person.
    pub text: String,
    /// The whole board.
    pub grid: String,
    /// The cell it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<usize>,
    /// The digit it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digit: Option<u8>,
    /// The number of the move; some may have been left out before it.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// For each cell how likely each digit is, in percent; an empty list where nothing is said.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub odds: Vec<Vec<u8>>,
    /// The candidates of each cell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub candidates: Option<Vec<Vec<u8>>>,
    /// Cells that hold a wrong digit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wrong: Vec<usize>,
    /// What to colour and which arrows to draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<PictureView>,
    /// How it ended, with the last frame: `solved`, `none`, `open`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<&'static str>,
}

impl Frame {
    /// A frame with its board and its words.
    pub fn new(event: &'static str, board: &Grid, text: String) -> Frame {
        Frame { event, grid: board.to_string(), text, ..Frame::default() }
    }

    /// The same about this cell and digit.
    pub fn at(self, cell: Cell, digit: Option<Digit>) -> Frame {
        Frame { cell: Some(cell.index()), digit: digit.map(Digit::number), ..self }
    }

    /// The last frame.
    pub fn last(end: &'static str, board: &Grid, text: String) -> Frame {
        Frame { end: Some(end), ..Frame::new("end", board, text) }
    }
}

/// `4 in r1c3`.
pub fn name(board: &Grid, cell: Cell, digit: Digit) -> String {
    format!("{} in {}", text::symbol(board.order(), digit), board.order().name_of(cell))
}

/// `1 board`, `12 boards`.
pub fn boards(count: u64) -> String {
    format!("{count} {}", if count == 1 { "board" } else { "boards" })
}

/// A viewer who does not take a line for so long has gone.
const PATIENCE: Duration = Duration::from_secs(10);

/// A viewer who does not take a line for so long makes room for one who waits.
const GRACE: Duration = Duration::from_secs(1);

/// One viewer.
pub struct Stage<'a> {
    lines: mpsc::Sender<Bytes>,
    runtime: Handle,
    queues: WorkQueues,
    gone: &'a AtomicBool,
    until: Instant,
}

impl<'a> Stage<'a> {
    /// A stage for a viewer who takes lines from this channel until the flag becomes true.
    pub fn new(lines: mpsc::Sender<Bytes>, runtime: Handle, queues: WorkQueues, gone: &'a AtomicBool) -> Stage<'a> {
        Stage { lines, runtime, queues, gone, until: Instant::now() + LONGEST_SEARCH }
    }

    /// Shows a frame; breaks when nobody looks any more.
    pub fn show(&self, frame: &Frame) -> ControlFlow<()> {
        if self.gone.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        let mut line = serde_json::to_vec(frame).expect("a frame can be written as JSON");
        line.push(b'\n');
        if self.runtime.block_on(self.send(line.into())) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Waits until the line is taken: for some time, or until somebody else would like to have the place.
    async fn send(&self, line: Bytes) -> bool {
        let waiting_since = tokio::time::Instant::now();
        let sending = self.lines.send(line);
        tokio::pin!(sending);
        loop {
            match tokio::time::timeout(GRACE, &mut sending).await {
                Ok(sent) => return sent.is_ok(),
                Err(_) if waiting_since.elapsed() >= PATIENCE || self.queues.shows_are_wanted() => return false,
                Err(_) => {}
            }
        }
    }

    /// How long a search may go on: until nobody looks, and not for ever.
    pub fn limits(&self) -> Limits<'_> {
        Limits {
            time: Some(self.until.saturating_duration_since(Instant::now())),
            nodes: None,
            cancel: Some(self.gone),
        }
    }

    /// The flag of a viewer who has gone.
    pub fn gone(&self) -> &AtomicBool {
        self.gone
    }
}

/// Is this move shown? All of the first thousand are, then every tenth, from ten thousand on every hundredth: a search
/// of millions of moves is seen in thousands of frames, slowly at first and then faster and faster.
pub fn is_shown(number: u64) -> bool {
    number < 1000 || number.is_multiple_of(10_u64.pow(number.ilog10() - 2))
}

#[cfg(test)]
mod tests {
    use super::is_shown;

    #[test]
    fn a_million_moves_make_a_few_thousand_frames() {
        assert!((1..1000).all(is_shown));
        assert!(is_shown(1010) && !is_shown(1011) && is_shown(20_100) && !is_shown(20_110));
        assert_eq!((1..=1_000_000).filter(|&number| is_shown(number)).count(), 3700);
    }
}
