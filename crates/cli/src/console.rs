//! Prints results to stdout, and messages and progress to stderr.

use crate::error::{CliError, printable};
use crate::humanize;
use crate::source::ReadProgress;
use crate::verdict::Verdict;
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::process;
use std::time::{Duration, Instant};

/// The number of messages with the same topic that are printed. Further messages are only counted.
const MESSAGES_SHOWN: usize = 10;

/// A result, or a part of one, from a worker.
#[derive(Debug, Default)]
pub struct Part {
    /// Text for stdout.
    pub data: String,
    /// Messages for stderr.
    pub messages: Vec<Message>,
    pub verdict: Verdict,
    /// The number of puzzles that this part completes.
    pub puzzles: u64,
}

impl Part {
    /// The part for an error that completes this many puzzles.
    pub fn error(error: CliError, puzzles: u64) -> Part {
        let message = Message { topic: "errors like this", text: Err(error) };
        Part { messages: vec![message], verdict: Verdict::Error, puzzles, ..Part::default() }
    }
}

/// A message about a puzzle.
#[derive(Debug)]
pub struct Message {
    /// The kind of message, in plural, for `12 more …` after too many messages.
    pub topic: &'static str,
    /// A note, or an error.
    pub text: Result<String, CliError>,
}

/// The output of a command.
pub struct Console {
    out: BufWriter<io::StdoutLock<'static>>,
    shown: BTreeMap<&'static str, usize>,
    hints: HashSet<String>,
    quiet: bool,
    /// End the process after the first error.
    strict: bool,
    progress: Option<Progress>,
    /// The worst verdict so far.
    pub verdict: Verdict,
    /// The number of completed puzzles.
    pub puzzles: u64,
}

impl Console {
    /// `quiet` prints only errors to stderr. `strict` ends the process after the first error.
    pub fn open(quiet: bool, strict: bool) -> Console {
        Console {
            out: BufWriter::with_capacity(1 << 16, io::stdout().lock()),
            shown: BTreeMap::new(),
            hints: HashSet::new(),
            quiet,
            strict,
            progress: Progress::new_if_visible(Total::Unknown, io::stdout().is_terminal()),
            verdict: Verdict::Yes,
            puzzles: 0,
        }
    }

    /// Sets the total, so that progress shows a percentage and the remaining time.
    pub fn with_total(mut self, total: Total) -> Console {
        if let Some(progress) = &mut self.progress {
            progress.total = total;
        }
        self
    }

    /// Shows progress even if stdout is a terminal, for commands that print only at the end.
    pub fn with_progress_on_terminal(mut self) -> Console {
        self.progress = Progress::new_if_visible(Total::Unknown, false);
        self
    }

    /// Counts completed puzzles that print nothing.
    pub fn count(&mut self, puzzles: u64) {
        self.print(Part { puzzles, ..Part::default() });
    }

    pub fn print(&mut self, part: Part) {
        self.write(part.data.as_bytes());
        self.puzzles += part.puzzles;
        self.verdict = self.verdict.max(part.verdict);
        for message in part.messages {
            self.show(message);
        }
        if let Some(progress) = &mut self.progress {
            progress.show(self.puzzles);
        }
        if self.strict && self.verdict == Verdict::Error {
            self.finish();
            end_process(Verdict::Error);
        }
    }

    /// Prints a note about a puzzle.
    pub fn note(&mut self, topic: &'static str, text: String) {
        self.show(Message { topic, text: Ok(text) });
    }

    /// Prints an error and continues.
    pub fn error(&mut self, error: CliError) {
        self.show(Message { topic: "errors like this", text: Err(error) });
    }

    /// Prints the results so far and the error, and ends the process. The reader and the workers of
    /// a stream may be blocked, so they cannot be stopped in another way.
    pub fn stop(&mut self, error: &CliError) -> ! {
        self.finish();
        eprintln!("{error}");
        end_process(Verdict::Error)
    }

    pub fn flush(&mut self) {
        let flushed = self.out.flush();
        self.check(flushed);
    }

    /// Flushes stdout and prints how many messages were not printed.
    pub fn finish(&mut self) {
        self.flush();
        self.clear_progress();
        for (topic, &shown) in &self.shown {
            if shown > MESSAGES_SHOWN {
                eprintln!(
                    "… and {} more {topic}",
                    humanize::thousands((shown - MESSAGES_SHOWN) as u64)
                );
            }
        }
    }

    fn show(&mut self, message: Message) {
        if self.quiet && message.text.is_ok() {
            return;
        }
        let shown = self.shown.entry(message.topic).or_default();
        *shown += 1;
        if *shown > MESSAGES_SHOWN {
            return;
        }
        // On a terminal, a message must appear after the results that it refers to.
        self.flush();
        self.clear_progress();
        match message.text {
            Ok(text) => eprintln!("{}", printable(&text)),
            Err(error)
                if error.hint.as_ref().is_some_and(|hint| !self.hints.insert(hint.clone())) =>
            {
                eprintln!("error: {}", printable(&error.message));
            }
            Err(error) => eprintln!("{error}"),
        }
    }

    /// Writes bytes to stdout without counting a puzzle.
    pub fn write(&mut self, data: &[u8]) {
        let written = self.out.write_all(data);
        self.check(written);
    }

    fn check(&mut self, outcome: io::Result<()>) {
        if let Err(error) = outcome {
            end_after_write_error(error, self.verdict);
        }
    }

    fn clear_progress(&mut self) {
        if let Some(progress) = &mut self.progress {
            progress.clear();
        }
    }
}

/// Prints text immediately, for commands without a stream of puzzles.
pub fn print(text: fmt::Arguments<'_>) {
    if let Err(error) = io::stdout().lock().write_fmt(text) {
        end_after_write_error(error, Verdict::Yes);
    }
}

/// Prints bytes immediately, for commands without a stream of puzzles.
pub fn print_bytes(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    if let Err(error) = out.write_all(bytes).and_then(|()| out.flush()) {
        end_after_write_error(error, Verdict::Yes);
    }
}

/// Removes unfinished files and ends the process.
fn end_process(verdict: Verdict) -> ! {
    ninefold_files::remove_unfinished();
    process::exit(verdict as i32)
}

/// `println!` that ends the process quietly if the reader of stdout is gone.
macro_rules! outln {
    ($($text:tt)*) => { $crate::console::print(format_args!("{}\n", format_args!($($text)*))) };
}
pub(crate) use outln;

/// Ends the process because stdout cannot be written. A closed pipe (`ninefold solve … | head`) is
/// not an error.
fn end_after_write_error(error: io::Error, verdict: Verdict) -> ! {
    if error.kind() == ErrorKind::BrokenPipe {
        end_process(verdict);
    }
    eprintln!("{}", CliError::cannot_write("standard output", error));
    end_process(Verdict::Error);
}

/// The total amount of work, for progress.
#[derive(Clone)]
pub enum Total {
    /// The input is a stream.
    Unknown,
    Puzzles(u64),
    /// The input consists of files of known size.
    Bytes(ReadProgress),
}

impl Total {
    /// The share that is done after this many puzzles.
    fn share(&self, puzzles: u64) -> Option<f64> {
        match self {
            Total::Unknown => None,
            Total::Puzzles(all) => Some(puzzles as f64 / (*all).max(1) as f64),
            Total::Bytes(progress) => progress.share(),
        }
    }
}

/// A progress line on stderr.
struct Progress {
    total: Total,
    started: Instant,
    shown: Instant,
    visible: bool,
}

impl Progress {
    /// Returns `None` unless stderr is a terminal on which no results appear.
    fn new_if_visible(total: Total, results_on_terminal: bool) -> Option<Progress> {
        let now = Instant::now();
        let is_visible = io::stderr().is_terminal() && !results_on_terminal;
        is_visible.then_some(Progress { total, started: now, shown: now, visible: false })
    }

    fn show(&mut self, puzzles: u64) {
        if self.shown.elapsed() < Duration::from_millis(500) {
            return;
        }
        self.shown = Instant::now();
        eprint!(
            "\r{} \x1b[K",
            progress_text(puzzles, self.started.elapsed(), self.total.share(puzzles))
        );
        self.visible = true;
    }

    fn clear(&mut self) {
        if std::mem::take(&mut self.visible) {
            eprint!("\r\x1b[K");
        }
    }
}

/// `12,000 puzzles, 6,000 per second, 25 %, 6 s left`.
fn progress_text(puzzles: u64, elapsed: Duration, share: Option<f64>) -> String {
    let seconds = elapsed.as_secs_f64();
    let per_second = puzzles as f64 / seconds.max(1e-9);
    let count = humanize::count(puzzles, "puzzle", "puzzles");
    let mut text = format!("{count}, {} per second", humanize::three_digits(per_second));
    // With a share of 0, the remaining time is unknown.
    if let Some(share) = share.filter(|share| *share > 0.0) {
        let share = share.min(1.0);
        text += &format!(
            ", {:.0} %, {} left",
            100.0 * share,
            humanize::duration(seconds * (1.0 - share) / share)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_share_and_remaining_time_if_the_total_is_known() {
        let elapsed = Duration::from_secs(30);
        assert_eq!(
            progress_text(6_000, elapsed, Total::Unknown.share(6_000)),
            "6,000 puzzles, 200 per second"
        );
        let known = Total::Puzzles(24_000).share(6_000);
        assert_eq!(
            progress_text(6_000, elapsed, known),
            "6,000 puzzles, 200 per second, 25 %, 1 min 30 s left"
        );
        assert_eq!(
            progress_text(0, elapsed, Total::Puzzles(9).share(0)),
            "0 puzzles, 0.00 per second"
        );
        assert_eq!(
            progress_text(9, elapsed, Some(1.5)),
            "9 puzzles, 0.30 per second, 100 %, 0 s left"
        );
    }
}
