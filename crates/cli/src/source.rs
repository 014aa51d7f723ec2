//! Opens the sources of puzzles: arguments, files and standard input.
//!
//! Files compressed with gzip, zstd or xz are decompressed. The module `input` parses the content.

use crate::error::CliError;
use ninefold::grid::Order;
use ninefold_formats::Compression;
use std::collections::VecDeque;
use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Cursor, IsTerminal, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(clap::Args, Debug)]
pub struct SourceArgs {
    /// Puzzles or files [default: standard input, also written as -]
    ///
    /// A puzzle is one line with a character for each cell (1-9, and 0 . _ * or x for empty; A is
    /// 10, B is 11 and so on), or a drawn grid. A file contains one puzzle per line, or drawn grids
    /// separated by empty lines. Sizes may be mixed. Text after a puzzle on the same line is a
    /// label, and lines that start with # are skipped. Files compressed with gzip, zstd or xz are
    /// decompressed. Other formats: tables with column names, JSON, Parquet, .sdk, .ss, HoDoKu
    /// lines, grids of pencil marks, links to SudokuWiki, f-puzzles and SudokuPad, and photos
    /// (JPEG, PNG, WebP; `ninefold read` shows how certain a reading is).
    #[arg(value_name = "PUZZLE|FILE")]
    pub puzzles: Vec<String>,

    /// Shape of a box as rows x columns, if it differs from the default
    #[arg(long, value_name = "ROWSxCOLUMNS")]
    pub boxes: Option<Order>,
}

/// The location of a puzzle in the input, for example `list.txt, line 3`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The file, `standard input` or `argument 2`. Empty if the input is a single argument.
    pub source: Arc<str>,
    /// The line, counted from 1. `None` for an argument of one line.
    pub line: Option<usize>,
    /// The record, counted from 1, in formats whose records are not lines.
    pub number: Option<usize>,
}

impl Place {
    /// The location with a colon, to put before a message. Empty for a single argument.
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

pub enum Source {
    /// A puzzle on the command line.
    Argument {
        /// `argument 2`; empty if it is the only one.
        name: String,
        text: String,
    },
    File(String),
    StandardInput,
}

/// Counts the bytes that have been read from a list of sources.
#[derive(Clone, Default)]
pub struct ReadProgress {
    read: Arc<AtomicU64>,
    /// The total size on disk, if all sources are files.
    total: Option<u64>,
}

impl ReadProgress {
    pub fn new(sources: &VecDeque<Source>) -> ReadProgress {
        let length = |source: &Source| match source {
            Source::File(path) => {
                std::fs::metadata(path).ok().filter(|file| file.is_file()).map(|file| file.len())
            }
            Source::Argument { .. } | Source::StandardInput => None,
        };
        ReadProgress { read: Arc::default(), total: sources.iter().map(length).sum() }
    }

    /// The share that has been read, from 0 to 1, if the total is known.
    pub fn share(&self) -> Option<f64> {
        let total = self.total.filter(|total| *total > 0)?;
        Some(self.read.load(Ordering::Relaxed) as f64 / total as f64)
    }
}

struct CountingReader(File, ReadProgress);

impl Read for CountingReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.0.read(buffer)?;
        self.1.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// Holds more than a thousand 9×9 puzzles, so that a full chunk is buffered for each worker.
const READ_AHEAD: usize = 1 << 17;

/// A decompressed stream of bytes.
pub type Reader = BufReader<Box<dyn Read + Send>>;

pub struct SourceReader {
    /// The name in messages; empty if the input is a single argument.
    pub name: Arc<str>,
    pub reader: Reader,
    /// True if the source is compressed.
    #[cfg_attr(
        not(feature = "parquet"),
        expect(dead_code, reason = "only tables are read from files")
    )]
    compressed: bool,
    /// The path, if the source is a file.
    #[cfg_attr(
        not(feature = "parquet"),
        expect(dead_code, reason = "only tables are read from files")
    )]
    path: Option<String>,
    /// True if messages contain the line number. False for an argument of one line.
    pub numbered: bool,
    /// True if reading can block, as on a terminal or a pipe.
    pub blocks: bool,
}

impl SourceArgs {
    /// Resolves the arguments. A missing file is an error here, before any work starts.
    pub fn list(&self) -> Result<VecDeque<Source>, CliError> {
        let many = self.puzzles.len() > 1;
        let mut sources = VecDeque::new();
        for (number, argument) in (1..).zip(&self.puzzles) {
            let name = if many { format!("argument {number}") } else { String::new() };
            sources.push_back(if argument == "-" {
                Source::StandardInput
            } else if is_readable(Path::new(argument)) {
                Source::File(argument.clone())
            } else if looks_like_a_path(argument) {
                return Err(no_such_file(argument));
            } else {
                Source::Argument { name, text: argument.clone() }
            });
        }
        if sources.is_empty() {
            if io::stdin().is_terminal() {
                eprintln!("reading puzzles from the keyboard, one per line; press Ctrl-D to end");
            }
            sources.push_back(Source::StandardInput);
        }
        Ok(sources)
    }
}

/// Whether a path is a file, or a pipe such as that of `<(head list)`.
fn is_readable(path: &Path) -> bool {
    path.metadata().is_ok_and(|file| !file.is_dir())
}

fn looks_like_a_path(argument: &str) -> bool {
    let ending = Path::new(argument).extension().and_then(|ending| ending.to_str());
    let known = [
        "txt", "gz", "zst", "xz", "csv", "tsv", "sdk", "sdm", "ss", "toml", "json", "jsonl", "md",
        "dat", "parquet", "jpg", "jpeg", "png", "webp", "heic",
    ];
    (argument.contains('/') && !argument.contains("://"))
        || ending.is_some_and(|ending| known.contains(&ending))
        || Path::new(argument).is_dir()
}

fn no_such_file(argument: &str) -> CliError {
    if Path::new(argument).is_dir() {
        return CliError::new(format!("{argument} is a directory"))
            .hint(format!("pass the files in it: {argument}/*"));
    }
    CliError::new(format!("file not found: {argument}"))
        .hint("pass a file or a puzzle, or pipe puzzles to standard input")
}

impl Source {
    /// Opens the source and decompresses it if needed.
    pub fn open(self, progress: &ReadProgress) -> Result<SourceReader, CliError> {
        match self {
            Source::Argument { name, text } => {
                let numbered = text.trim().contains('\n') && !name.is_empty();
                let opened = SourceReader::new(&name, Box::new(Cursor::new(text)))
                    .expect("reading from memory cannot fail");
                Ok(SourceReader { numbered, ..opened })
            }
            Source::File(path) => File::open(&path)
                .and_then(|file| {
                    SourceReader::new(&path, Box::new(CountingReader(file, progress.clone())))
                })
                .map_err(|error| CliError::cannot_read(&path, error))
                .map(|opened| SourceReader {
                    blocks: !Path::new(&path).is_file(),
                    path: Some(path),
                    ..opened
                }),
            Source::StandardInput => {
                let opened = SourceReader::new("standard input", Box::new(io::stdin()));
                let opened =
                    opened.map_err(|error| CliError::cannot_read("standard input", error))?;
                Ok(SourceReader { blocks: true, ..opened })
            }
        }
    }
}

impl SourceReader {
    fn new(name: &str, source: Box<dyn Read + Send>) -> io::Result<SourceReader> {
        let (packing, decompressed) = ninefold_formats::decompress(BufReader::new(source))?;
        let reader = BufReader::with_capacity(READ_AHEAD, decompressed);
        Ok(SourceReader {
            name: name.into(),
            reader,
            compressed: packing != Compression::None,
            path: None,
            numbered: true,
            blocks: false,
        })
    }

    /// The content as a file, for random access. A stream is first copied to a temporary file.
    #[cfg(feature = "parquet")]
    pub fn into_file(mut self) -> io::Result<File> {
        if let Some(path) = self.path.filter(|path| !self.compressed && Path::new(path).is_file()) {
            return File::open(path);
        }
        let mut file = tempfile::tempfile()?;
        io::copy(&mut self.reader, &mut file)?;
        Ok(file)
    }
}
