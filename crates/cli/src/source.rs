//! Arguments, files and standard input: this is where we open what puzzles are read from.
//!
//! Files packed with gzip, zstd or xz are unpacked on the way. What stands in a source is decided later, by `input`.

use crate::error::CliError;
use clap::Args;
use formats::Packing;
use ninefold::grid::Order;
use std::collections::VecDeque;
use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Cursor, IsTerminal, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Which puzzles to read.
#[derive(Args, Debug)]
pub struct Sources {
    /// Puzzles or files; without any, or for `-`, standard input is read
    ///
    /// A puzzle is one line with a character for each cell (1-9, and 0 . _ * or x for empty; A is 10, B is 11 and so on),
    /// or a drawn grid. A file holds one puzzle per line, or drawn grids with an empty line between them; sizes may be
    /// mixed, what follows a puzzle on its line is a label, lines that start with # are skipped, and files packed
    /// with gzip, zstd or xz are unpacked. Tables with a line of column names, JSON, Parquet, .sdk, .ss, HoDoKu's lines,
    /// grids of pencil marks and links of SudokuWiki, f-puzzles and SudokuPad are read as well.
    #[arg(value_name = "PUZZLE|FILE")]
    pub puzzles: Vec<String>,

    /// Shape of a box, rows x columns, where it is not the usual one
    #[arg(long, value_name = "ROWSxCOLUMNS")]
    pub boxes: Option<Order>,
}

/// Where a puzzle stands: `list.txt, line 3`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The file, `standard input` or `argument 2`; empty if there is nothing to tell apart.
    pub source: Arc<str>,
    /// The line, counted from 1; an argument of one line has none.
    pub line: Option<usize>,
    /// The number of the record, counted from 1, in a file in which lines say little.
    pub number: Option<usize>,
}

impl Place {
    /// The place in front of a message, with a colon; nothing if there is only one puzzle.
    pub fn prefix(&self) -> String {
        if self.source.is_empty() { String::new() } else { format!("{self}: ") }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.number) {
            (Some(line), _) => write!(f, "{}, line {line}", self.source),
            (None, Some(number)) => write!(f, "{}, puzzle {number}", self.source),
            (None, None) => f.write_str(&self.source),
        }
    }
}

/// Something to read from.
pub enum Source {
    /// A puzzle that was typed, with its name among other arguments.
    Argument {
        /// `argument 2`; empty if it is the only one.
        name: String,
        /// What was typed.
        text: String,
    },
    /// A file.
    File(String),
    /// Standard input.
    StandardInput,
}

/// How much of some files has been read.
#[derive(Clone, Default)]
pub struct Reading {
    read: Arc<AtomicU64>,
    /// Their bytes as they lie on the disk, if all sources are files.
    total: Option<u64>,
}

impl Reading {
    /// Nothing has been read of these yet.
    pub fn of(sources: &VecDeque<Source>) -> Reading {
        let length = |source: &Source| match source {
            Source::File(path) => std::fs::metadata(path).ok().map(|file| file.len()),
            Source::Argument { .. } | Source::StandardInput => None,
        };
        Reading { read: Arc::default(), total: sources.iter().map(length).sum() }
    }

    /// Which share has been read, if that is known.
    pub fn share(&self) -> Option<f64> {
        let total = self.total.filter(|total| *total > 0)?;
        Some(self.read.load(Ordering::Relaxed) as f64 / total as f64)
    }
}

/// A file whose bytes are counted as they are read.
struct Counted(File, Reading);

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.0.read(buffer)?;
        self.1.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// Room for more than a thousand 9×9 puzzles, as many as go to a worker at once.
const READ_AHEAD: usize = 1 << 17;

/// A stream of bytes, unpacked.
pub type Reader = BufReader<Box<dyn Read + Send>>;

/// A source that was opened.
pub struct Opened {
    /// Its name in messages; empty if there is nothing to tell apart.
    pub name: Arc<str>,
    /// Its bytes.
    pub reader: Reader,
    /// Were the bytes packed?
    #[cfg_attr(
        not(feature = "parquet"),
        expect(dead_code, reason = "only tables are read from files")
    )]
    packed: bool,
    /// The file they come from.
    #[cfg_attr(
        not(feature = "parquet"),
        expect(dead_code, reason = "only tables are read from files")
    )]
    path: Option<String>,
    /// Do messages name the line? Not for an argument of one line.
    pub numbered: bool,
    /// May reading wait for somebody?
    pub waits: bool,
}

impl Sources {
    /// Looks at the arguments; a file that is not there is trouble now, not after an hour.
    pub fn list(&self) -> Result<VecDeque<Source>, CliError> {
        let many = self.puzzles.len() > 1;
        let mut sources = VecDeque::new();
        for (number, argument) in (1..).zip(&self.puzzles) {
            let name = if many { format!("argument {number}") } else { String::new() };
            sources.push_back(if argument == "-" {
                Source::StandardInput
            } else if Path::new(argument).is_file() {
                Source::File(argument.clone())
            } else if looks_like_a_path(argument) {
                return Err(no_such_file(argument));
            } else {
                Source::Argument { name, text: argument.clone() }
            });
        }
        if sources.is_empty() {
            if io::stdin().is_terminal() {
                eprintln!("reading puzzles from the keyboard, one per line; Ctrl-D ends the list");
            }
            sources.push_back(Source::StandardInput);
        }
        Ok(sources)
    }
}

fn looks_like_a_path(argument: &str) -> bool {
    let ending = Path::new(argument).extension().and_then(|ending| ending.to_str());
    let known = [
        "txt", "gz", "zst", "xz", "csv", "tsv", "sdk", "sdm", "ss", "toml", "json", "jsonl", "md",
        "dat", "parquet",
    ];
    (argument.contains('/') && !argument.contains("://"))
        || ending.is_some_and(|ending| known.contains(&ending))
        || Path::new(argument).is_dir()
}

fn no_such_file(argument: &str) -> CliError {
    if Path::new(argument).is_dir() {
        return CliError::new(format!("{argument} is a folder"))
            .hint(format!("name the files in it: {argument}/*"));
    }
    CliError::new(format!("there is no file {argument}"))
        .hint("a puzzle itself may be given instead, or piped in through standard input")
}

impl Source {
    /// Opens it and unpacks it if it is packed.
    pub fn open(self, reading: &Reading) -> Result<Opened, CliError> {
        let cannot_read =
            |name: &str, error: io::Error| CliError::new(format!("{name} cannot be read: {error}"));
        match self {
            Source::Argument { name, text } => {
                let numbered = text.trim().contains('\n') && !name.is_empty();
                let opened =
                    Opened::of(&name, Box::new(Cursor::new(text))).expect("memory can be read");
                Ok(Opened { numbered, ..opened })
            }
            Source::File(path) => File::open(&path)
                .and_then(|file| Opened::of(&path, Box::new(Counted(file, reading.clone()))))
                .map_err(|error| cannot_read(&path, error))
                .map(|opened| Opened { path: Some(path), ..opened }),
            Source::StandardInput => {
                let opened = Opened::of("standard input", Box::new(io::stdin()));
                let opened = opened.map_err(|error| cannot_read("standard input", error))?;
                Ok(Opened { waits: true, ..opened })
            }
        }
    }
}

impl Opened {
    /// A stream with a name.
    pub fn of(name: &str, source: Box<dyn Read + Send>) -> io::Result<Opened> {
        let (packing, unpacked) = formats::unpack(BufReader::new(source))?;
        let reader = BufReader::with_capacity(READ_AHEAD, unpacked);
        Ok(Opened {
            name: name.into(),
            reader,
            packed: packing != Packing::Plain,
            path: None,
            numbered: true,
            waits: false,
        })
    }

    /// All its bytes as a file, for those who jump about in it; a stream is first written into one that nobody else sees.
    #[cfg(feature = "parquet")]
    pub fn into_file(mut self) -> io::Result<File> {
        if let Some(path) = self.path.filter(|path| !self.packed && Path::new(path).is_file()) {
            return File::open(path);
        }
        let mut file = tempfile::tempfile()?;
        io::copy(&mut self.reader, &mut file)?;
        Ok(file)
    }
}
