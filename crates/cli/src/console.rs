//! Data to stdout, messages to stderr: this is where we keep the two apart.

use crate::error::CliError;
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
            progress: Progress::if_someone_watches(),
            verdict: Verdict::Yes,
            puzzles: 0,
        }
    }

    /// How many puzzles will come, where that is known.
    pub fn expect(&mut self, puzzles: impl FnOnce() -> Option<u64>) {
        if let Some(progress) = &mut self.progress {
            progress.expected = puzzles();
        }
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
            process::exit(Verdict::Trouble as i32);
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
        process::exit(Verdict::Trouble as i32)
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
                eprintln!("… and {} more with {topic}", words::thousands((said - REMARKS_SHOWN) as u64));
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
            Err(error) if error.hint.as_ref().is_some_and(|hint| !self.hints.insert(hint.clone())) => {
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

/// `println!` that does not mind when its reader leaves.
macro_rules! tell {
    ($($words:tt)*) => { $crate::console::print(format_args!("{}\n", format_args!($($words)*))) };
}
pub(crate) use tell;

fn leave(error: io::Error, verdict: Verdict) -> ! {
    if error.kind() == ErrorKind::BrokenPipe {
        process::exit(verdict as i32);
    }
    eprintln!("{}", CliError::new(format!("standard output cannot be written: {error}")));
    process::exit(Verdict::Trouble as i32);
}

/// A line on stderr that says how far we have come.
struct Progress {
    started: Instant,
    shown: Instant,
    visible: bool,
    /// How many puzzles will come, where that is known.
    expected: Option<u64>,
}

impl Progress {
    /// Only where stderr is watched and stdout is not: on one screen the line would run into the answers.
    fn if_someone_watches() -> Option<Progress> {
        let now = Instant::now();
        let watched = io::stderr().is_terminal() && !io::stdout().is_terminal();
        watched.then_some(Progress { started: now, shown: now, visible: false, expected: None })
    }

    fn show(&mut self, puzzles: u64) {
        if self.shown.elapsed() < Duration::from_millis(500) {
            return;
        }
        self.shown = Instant::now();
        let per_second = puzzles as f64 / self.started.elapsed().as_secs_f64();
        let end = self.expected.filter(|&expected| expected > puzzles).map_or_else(String::new, |expected| {
            let left = Duration::from_secs_f64((expected - puzzles) as f64 / per_second.max(1e-6));
            format!(" of about {}, {} left", words::thousands(expected), words::time(left))
        });
        let puzzles = words::counted(puzzles, "puzzle", "puzzles");
        eprint!("\r{puzzles}{end}, {} per second \x1b[K", words::three_digits(per_second));
        self.visible = true;
    }

    fn clear(&mut self) {
        if std::mem::take(&mut self.visible) {
            eprint!("\r\x1b[K");
        }
    }
}
