//! Collections: puzzles with everything a file says about them, in any format.

use crate::error::CliError;
use crate::format::{self as file_format, FileFormat};
use crate::source::{Opened, Place, Source, Sources};
use crate::stream::Feed;
use clap::Args;
use ninefold::grid::Order;
use ninefold::puzzles::format::{self, BadEntry, Pairs, Reason};
use ninefold_parquet::{BadRow, TableError};
use std::collections::VecDeque;
use std::io::BufRead;
use std::sync::Arc;

/// Which collections to read, and how.
#[derive(Args, Debug)]
pub struct Reading {
    #[command(flatten)]
    pub sources: Sources,

    /// The format of the input [default: found out from its beginning]
    #[arg(long, value_name = "FORMAT", value_parser = file_format::names())]
    pub from: Option<FileFormat>,

    /// Leave bad entries out and count them, instead of stopping at the first
    #[arg(long)]
    pub skip_bad: bool,
}

/// An entry and where it stands.
pub struct Found {
    /// Where it stands.
    pub place: Place,
    /// What is said there.
    pub entry: format::Entry,
}

/// Something that is no puzzle, and where it stands.
pub struct Bad {
    /// Where it stands.
    pub place: Place,
    reason: Reason,
}

impl Bad {
    /// Did the stream itself fail?
    pub fn is_fatal(&self) -> bool {
        matches!(self.reason, Reason::Stream(_))
    }

    /// What is wrong, with its place. `boxes` is the shape the user asked for.
    pub fn error(&self, boxes: Option<Order>) -> CliError {
        self.trouble_without_place(boxes).at(&self.place)
    }

    /// What is wrong, for those who name the place themselves.
    pub fn trouble_without_place(&self, boxes: Option<Order>) -> CliError {
        match &self.reason {
            Reason::Puzzle(error) => CliError::unreadable(error, boxes),
            other => CliError::new(other.to_string()),
        }
    }
}

/// What the reader of a format yields.
type Items = Box<dyn Iterator<Item = Result<format::Entry, Amiss>> + Send>;

/// Something that is no puzzle, in the words of its format.
enum Amiss {
    /// In a text.
    Text(BadEntry),
    /// In a table.
    Table(BadRow),
}

/// The entries of one source, or of two that belong together.
pub struct Entries {
    name: Arc<str>,
    numbered: bool,
    /// May asking for the next one wait for somebody?
    pub waits: bool,
    items: Items,
    read: usize,
}

impl Entries {
    /// The entries of an open source in a known format.
    pub fn of(opened: Opened, format: FileFormat, boxes: Option<Order>) -> Result<Entries, CliError> {
        let (name, numbered, mut waits) = (opened.name.clone(), opened.numbered, opened.waits);
        let items: Items = match format {
            FileFormat::Text(format) => {
                Box::new(format::read(format, opened.reader, boxes).map(|item| item.map_err(Amiss::Text)))
            }
            FileFormat::Parquet => {
                // The end of the file comes first, so by now everything has been waited for.
                waits = false;
                let file =
                    opened.into_file().map_err(|error| CliError::new(format!("{name} cannot be read: {error}")))?;
                let rows = ninefold_parquet::open(file, boxes).map_err(|error| no_table(&name, &error))?;
                Box::new(rows.map(|row| row.map_err(Amiss::Table)))
            }
        };
        Ok(Entries { name, numbered, waits, items, read: 0 })
    }

    /// Paper 2's two files: puzzles in one, their solutions in the other.
    fn paired(puzzles: Opened, solutions: Opened, boxes: Option<Order>) -> Entries {
        let (name, numbered, waits) = (puzzles.name.clone(), puzzles.numbered, puzzles.waits || solutions.waits);
        let pairs = Pairs::new(puzzles.reader, solutions.reader, boxes);
        Entries { name, numbered, waits, items: Box::new(pairs.map(|item| item.map_err(Amiss::Text))), read: 0 }
    }
}

impl Iterator for Entries {
    type Item = Result<Found, Bad>;

    fn next(&mut self) -> Option<Result<Found, Bad>> {
        let item = self.items.next()?;
        self.read += 1;
        let place = Place { source: self.name.clone(), line: None, number: None };
        Some(match item {
            Ok(entry) => Ok(Found { place: Place { number: self.numbered.then_some(self.read), ..place }, entry }),
            Err(Amiss::Text(BadEntry { line, reason })) => {
                Err(Bad { place: Place { line: self.numbered.then_some(line as usize), ..place }, reason })
            }
            Err(Amiss::Table(BadRow { group, row, reason })) => {
                let source = format!("{}, row group {group}, row {row}", self.name).into();
                Err(Bad { place: Place { source, ..place }, reason })
            }
        })
    }
}

/// A file that is no table of puzzles.
fn no_table(name: &str, error: &TableError) -> CliError {
    let hint = match error {
        TableError::Damaged(_) | TableError::Write(_) => {
            "a Parquet file is read from its end, so one that was cut off cannot be read; fetch or write it again"
        }
        TableError::NoPuzzles { .. } => "give the column of the puzzles one of these names",
        TableError::NotText { .. } => "write each puzzle as one text, a character for each cell",
    };
    CliError::new(format!("{name}: {error}")).hint(hint)
}

/// The entries of all sources, one after the other.
pub struct Collection {
    waiting: VecDeque<Source>,
    open: Option<Entries>,
    from: Option<FileFormat>,
    boxes: Option<Order>,
    skip_bad: bool,
}

impl Reading {
    /// All sources as one collection.
    pub fn open(&self) -> Result<Collection, CliError> {
        Ok(self.open_some(self.sources.list()?))
    }

    /// Some sources as one collection.
    pub fn open_some(&self, waiting: VecDeque<Source>) -> Collection {
        let (from, boxes, skip_bad) = (self.from, self.sources.boxes, self.skip_bad);
        Collection { waiting, open: None, from, boxes, skip_bad }
    }

    /// One file of puzzles and one of solutions, as in paper 2.
    pub fn open_pair(&self, solutions: &str) -> Result<Collection, CliError> {
        let mut sources = self.sources.list()?;
        let (Some(puzzles), None) = (sources.pop_front(), sources.pop_front()) else {
            return Err(CliError::new("solutions in a file of their own belong to one file of puzzles")
                .hint("convert the files one by one"));
        };
        let solutions = Source::File(solutions.to_string()).open()?;
        let open = Entries::paired(puzzles.open()?, solutions, self.sources.boxes);
        Ok(Collection { open: Some(open), ..self.open_some(VecDeque::new()) })
    }
}

impl Collection {
    fn open(&self, source: Source) -> Result<Entries, CliError> {
        let mut opened = source.open()?;
        let format = match self.from {
            Some(format) => format,
            None => FileFormat::of(
                opened
                    .reader
                    .fill_buf()
                    .map_err(|error| CliError::new(format!("{} cannot be read: {error}", opened.name)))?,
            ),
        };
        Entries::of(opened, format, self.boxes)
    }
}

impl Feed for Collection {
    fn more_is_ready(&self) -> bool {
        self.open.as_ref().is_some_and(|entries| !entries.waits)
    }
}

/// What a collection yields: after trouble that ends it nothing more comes.
pub enum Item {
    /// A puzzle.
    Found(Box<Found>),
    /// A bad entry that is left out because the user wants so.
    Skipped(CliError),
    /// The end, too early.
    Broken(CliError),
}

impl Iterator for Collection {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            if let Some(entries) = &mut self.open {
                match entries.next() {
                    None => self.open = None,
                    Some(Ok(found)) => return Some(Item::Found(Box::new(found))),
                    Some(Err(bad)) if self.skip_bad && !bad.is_fatal() => {
                        return Some(Item::Skipped(bad.error(self.boxes)));
                    }
                    Some(Err(bad)) => {
                        let error = bad.error(self.boxes);
                        // A stream that has failed has no more entries to go on with.
                        let error = if bad.is_fatal() { error } else { with_a_way_on(error) };
                        return Some(self.broken(error));
                    }
                }
            }
            let source = self.waiting.pop_front()?;
            match self.open(source) {
                Ok(entries) => self.open = Some(entries),
                Err(error) => return Some(self.broken(error)),
            }
        }
    }
}

/// CliError with an entry, and the way to go on without it.
fn with_a_way_on(error: CliError) -> CliError {
    let way = "--skip-bad leaves such entries out and counts them";
    let hint = match &error.hint {
        Some(hint) => format!("{hint}; {way}"),
        None => way.to_string(),
    };
    error.hint(hint)
}

impl Collection {
    fn broken(&mut self, error: CliError) -> Item {
        self.open = None;
        self.waiting.clear();
        Item::Broken(error)
    }
}
