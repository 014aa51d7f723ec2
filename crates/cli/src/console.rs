//! Data to stdout, messages to stderr: this is where we keep the two apart.

use crate::error::CliError;
use crate::source::Reading;
use crate::verdict::Verdict;
use crate::words;
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::process;
use std::time::{Duration, Instant};

/// How many remarks of one kind are shown before the rest is only counted.
const REMARKS_SHOWN: usize = 10;

/// One answer or a part of it, as a worker hands it over.
#[derive(Debug, Default)]
pub struct Part {
    /// What goes to stdout.
    pub data: String,
    /// What goes to stderr.
    pub remarks: Vec<Remark>,
    /// The answer so far.
    pub verdict: Verdict,
    /// How many puzzles are finished with this part.
    pub puzzles: u64,
}

/// Something to say about a puzzle.
#[derive(Debug)]
pub struct Remark {
    /// What kind of remark it is, to count those that are not shown.
    pub topic: &'static str,
    /// What to say; trouble says `error:` by itself.
    pub words: Result<String, CliError>,
}

/// The two channels, and how far we have come.
pub struct Console {
    out: BufWriter<io::StdoutLock<'static>>,
    said: BTreeMap<&'static str, usize>,
    hints: HashSet<String>,
    quiet: bool,
    /// Stop at the first trouble.
    strict: bool,
    progress: Option<Progress>,
    /// The worst answer so far.
    pub verdict: Verdict,
    /// Puzzles answered so far.
    pub puzzles: u64,
}

impl Console {
    /// Opens both channels; `quiet` says nothing but errors, `strict` ends at the first of them.
    pub fn open(quiet: bool, strict: bool) -> Console {
        Console {
            out: BufWriter::with_capacity(1 << 16, io::stdout().lock()),
            said: BTreeMap::new(),
            hints: HashSet::new(),
            quiet,
            strict,
            progress: Progress::if_someone_watches(Total::Unknown, io::stdout().is_terminal()),
            verdict: Verdict::Yes,
            puzzles: 0,
        }
    }

    /// Says how far we have come, out of so much in all.
    pub fn counting_to(mut self, total: Total) -> Console {
        if let Some(progress) = &mut self.progress {
            progress.total = total;
        }
        self
    }

    /// Prints nothing before the end, so that progress can be shown on the screen of the answers too.
    pub fn silent_until_the_end(mut self) -> Console {
        self.progress = Progress::if_someone_watches(Total::Unknown, false);
        self
    }

    /// Counts puzzles that are finished and not printed.
    pub fn count(&mut self, puzzles: u64) {
        self.print(Part { puzzles, ..Part::default() });
    }

    /// Prints one part.
    pub fn print(&mut self, part: Part) {
        self.write(part.data.as_bytes());
        self.puzzles += part.puzzles;
        self.verdict = self.verdict.max(part.verdict);
        for remark in part.remarks {
            self.say(remark);
        }
        if let Some(progress) = &mut self.progress {
            progress.show(self.puzzles);
        }
        if self.strict && self.verdict == Verdict::Trouble {
            self.finish();
            end_process(Verdict::Trouble);
        }
    }

    /// Says something about a puzzle.
    pub fn remark(&mut self, topic: &'static str, words: String) {
        self.say(Remark { topic, words: Ok(words) });
    }

    /// Tells of trouble that ends nothing.
    pub fn error(&mut self, error: CliError) {
        self.say(Remark { topic: "such an error", words: Err(error) });
    }

    /// Ends the process: what came before was printed, nothing comes after. Whoever reads and works for us may be
    /// waiting and cannot be woken.
    pub fn stop(&mut self, error: &CliError) -> ! {
        self.finish();
        eprintln!("{error}");
        end_process(Verdict::Trouble)
    }

    /// Hands on what is still in the buffer.
    pub fn flush(&mut self) {
        let flushed = self.out.flush();
        self.survive(flushed);
    }

    /// Flushes stdout and counts the remarks that were not shown.
    pub fn finish(&mut self) {
        self.flush();
        self.clear_progress();
        for (topic, &said) in &self.said {
            if said > REMARKS_SHOWN {
                eprintln!(
                    "… and {} more with {topic}",
                    words::thousands((said - REMARKS_SHOWN) as u64)
                );
            }
        }
    }

    fn say(&mut self, remark: Remark) {
        if self.quiet && remark.words.is_ok() {
            return;
        }
        let said = self.said.entry(remark.topic).or_default();
        *said += 1;
        if *said > REMARKS_SHOWN {
            return;
        }
        // On a terminal both channels meet: the remark must not overtake the data it belongs to.
        self.flush();
        self.clear_progress();
        match remark.words {
            Ok(words) => eprintln!("{words}"),
            Err(error)
                if error.hint.as_ref().is_some_and(|hint| !self.hints.insert(hint.clone())) =>
            {
                eprintln!("error: {}", error.message);
            }
            Err(error) => eprintln!("{error}"),
        }
    }

    /// Writes bytes to stdout that are not an answer by themselves.
    pub fn write(&mut self, data: &[u8]) {
        let written = self.out.write_all(data);
        self.survive(written);
    }

    fn survive(&mut self, outcome: io::Result<()>) {
        if let Err(error) = outcome {
            self.cannot_write(error);
        }
    }

    /// Ends the process, because nothing can be written any more. Whoever reads our output may leave at any time
    /// (`ninefold solve … | head`); that is no error of ours.
    pub fn cannot_write(&self, error: io::Error) -> ! {
        leave(error, self.verdict)
    }

    fn clear_progress(&mut self) {
        if let Some(progress) = &mut self.progress {
            progress.clear();
        }
    }
}

/// Prints a short answer at once, for verbs that have no stream of puzzles.
pub fn print(words: fmt::Arguments<'_>) {
    if let Err(error) = io::stdout().lock().write_fmt(words) {
        leave(error, Verdict::Yes);
    }
}

/// Prints bytes at once, for verbs that have no stream of puzzles.
pub fn print_bytes(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    if let Err(error) = out.write_all(bytes).and_then(|()| out.flush()) {
        leave(error, Verdict::Yes);
    }
}

/// Ends the process from anywhere. Files that are not finished do not stay behind.
fn end_process(verdict: Verdict) -> ! {
    files::remove_unfinished();
    process::exit(verdict as i32)
}

/// `println!` that does not mind when its reader leaves.
macro_rules! tell {
    ($($words:tt)*) => { $crate::console::print(format_args!("{}\n", format_args!($($words)*))) };
}
pub(crate) use tell;

fn leave(error: io::Error, verdict: Verdict) -> ! {
    if error.kind() == ErrorKind::BrokenPipe {
        end_process(verdict);
    }
    eprintln!("{}", CliError::new(format!("standard output cannot be written: {error}")));
    end_process(Verdict::Trouble);
}

/// How much there is to do in all.
#[derive(Clone)]
pub enum Total {
    /// Nobody knows: the input is a stream.
    Unknown,
    /// So many puzzles.
    Puzzles(u64),
    /// So many bytes of files, of which some have been read.
    Bytes(Reading),
}

impl Total {
    /// Which share is done after so many puzzles?
    fn share(&self, puzzles: u64) -> Option<f64> {
        match self {
            Total::Unknown => None,
            Total::Puzzles(all) => Some(puzzles as f64 / (*all).max(1) as f64),
            Total::Bytes(reading) => reading.share(),
        }
    }
}

/// A line on stderr that says how far we have come.
struct Progress {
    total: Total,
    started: Instant,
    shown: Instant,
    visible: bool,
}

impl Progress {
    /// Only where stderr is watched and no answers appear on the same screen: the line would run into them.
    fn if_someone_watches(total: Total, answers_appear: bool) -> Option<Progress> {
        let now = Instant::now();
        let watched = io::stderr().is_terminal() && !answers_appear;
        watched.then_some(Progress { total, started: now, shown: now, visible: false })
    }

    fn show(&mut self, puzzles: u64) {
        if self.shown.elapsed() < Duration::from_millis(500) {
            return;
        }
        self.shown = Instant::now();
        eprint!("\r{} \x1b[K", how_far(puzzles, self.started.elapsed(), self.total.share(puzzles)));
        self.visible = true;
    }

    fn clear(&mut self) {
        if std::mem::take(&mut self.visible) {
            eprint!("\r\x1b[K");
        }
    }
}

/// `12,000 puzzles, 6,000 per second, 25 %, 6 s left`.
fn how_far(puzzles: u64, elapsed: Duration, share: Option<f64>) -> String {
    let seconds = elapsed.as_secs_f64();
    let per_second = puzzles as f64 / seconds.max(1e-9);
    let counted = words::counted(puzzles, "puzzle", "puzzles");
    let mut text = format!("{counted}, {} per second", words::three_digits(per_second));
    // Out of nothing no time can be told.
    if let Some(share) = share.filter(|share| *share > 0.0) {
        let share = share.min(1.0);
        text += &format!(
            ", {:.0} %, {} left",
            100.0 * share,
            words::duration(seconds * (1.0 - share) / share)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_tells_the_share_and_the_time_that_is_left_where_the_total_is_known() {
        let elapsed = Duration::from_secs(30);
        assert_eq!(
            how_far(6_000, elapsed, Total::Unknown.share(6_000)),
            "6,000 puzzles, 200 per second"
        );
        let known = Total::Puzzles(24_000).share(6_000);
        assert_eq!(
            how_far(6_000, elapsed, known),
            "6,000 puzzles, 200 per second, 25 %, 1 min 30 s left"
        );
        assert_eq!(how_far(0, elapsed, Total::Puzzles(9).share(0)), "0 puzzles, 0.00 per second");
        assert_eq!(how_far(9, elapsed, Some(1.5)), "9 puzzles, 0.30 per second, 100 %, 0 s left");
    }
}
