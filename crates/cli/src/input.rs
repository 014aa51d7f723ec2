//! Puzzles from all sources: this is where files and arguments become entries.
//!
//! A source is read record by record and never held as a whole, so a stream may be endless. A record is understood where the work
//! is done, once.

use crate::error::CliError;
use crate::source::{Opened, Place, Reader, Reading, Source, Sources};
use crate::stream::Feed;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
#[cfg(feature = "parquet")]
use formats::parquet::{self, TableError};
use formats::{Entry, Format, Location, Pairs, ReadError, Reason, Record, Records};
use ninefold::grid::Order;
use std::collections::VecDeque;
use std::io::BufRead;
use std::sync::Arc;

/// Which puzzles to read, and how they are written.
#[derive(Args, Debug)]
pub struct Input {
    #[command(flatten)]
    pub sources: Sources,

    /// The format of the input [default: detected from its beginning]
    #[arg(long, value_name = "FORMAT", value_parser = format_names())]
    pub from: Option<Format>,
}

/// Reads the name of a format.
pub fn format_names() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name))
        .map(|name| name.parse().expect("the parser lets only these names through"))
}

/// Which collections to read, and what to do about bad entries.
#[derive(Args, Debug)]
pub struct CollectionInput {
    #[command(flatten)]
    pub input: Input,

    /// Leave bad entries out and count them, instead of stopping at the first
    #[arg(long)]
    pub skip_bad: bool,
}

/// A record and where it stands.
pub struct Found {
    source: Arc<str>,
    /// Do messages name the line or the number? Not for an argument of one line.
    numbered: bool,
    /// Does the line say more than the number?
    by_line: bool,
    /// Its number in the source, counted from 1.
    number: usize,
    boxes: Option<Order>,
    record: Record,
}

impl Found {
    /// Where it stands.
    pub fn place(&self) -> Place {
        let line = match self.record.location() {
            Location::Line(line) if self.by_line && self.numbered => Some(line as usize),
            _ => None,
        };
        let number = (self.numbered && !self.by_line).then_some(self.number);
        Place { source: self.source.clone(), line, number }
    }

    /// What is said there; the clues keep the rules.
    pub fn entry(&self) -> Result<Entry, Unreadable> {
        self.record.entry().map_err(|error| self.unreadable(&error))
    }

    /// What is said there; the clues may break the rules.
    pub fn entry_that_may_break_rules(&self) -> Result<Entry, Unreadable> {
        self.record.entry_that_may_break_rules().map_err(|error| self.unreadable(&error))
    }

    /// A 9×9 puzzle as bytes, if it is written plainly.
    pub fn plain_nine(&self) -> Option<&[u8; 81]> {
        self.record.plain_nine()
    }

    fn unreadable(&self, error: &ReadError) -> Unreadable {
        Unreadable::of(error, &self.source, self.numbered, self.boxes)
    }
}

/// A record, or why there is none.
pub type Question = Result<Found, Unreadable>;

/// Something that is not a puzzle.
pub struct Unreadable {
    /// Where it stands.
    pub place: Place,
    /// What is wrong, without its place.
    pub error: CliError,
    /// Is this the end of its source? Otherwise it stands where a puzzle should be.
    pub ends_source: bool,
}

impl Unreadable {
    fn of(
        error: &ReadError,
        source: &Arc<str>,
        numbered: bool,
        boxes: Option<Order>,
    ) -> Unreadable {
        let words = match &error.reason {
            Reason::Puzzle(error) => CliError::unreadable(error, boxes),
            #[cfg(feature = "parquet")]
            Reason::Table(error) => no_table(error),
            other => CliError::new(other.to_string()),
        };
        let place = match error.location {
            Location::Line(line) => Place {
                source: source.clone(),
                line: numbered.then_some(line as usize),
                number: None,
            },
            row => Place { source: format!("{source}, {row}").into(), line: None, number: None },
        };
        Unreadable { place, error: words, ends_source: error.is_fatal() }
    }
}

/// The error with its place.
impl From<Unreadable> for CliError {
    fn from(unreadable: Unreadable) -> CliError {
        unreadable.error.at(&unreadable.place)
    }
}

/// A file that is not a table of puzzles.
#[cfg(feature = "parquet")]
fn no_table(error: &TableError) -> CliError {
    let hint = match error {
        TableError::NoPuzzles { .. } => "give the column of the puzzles one of these names",
        TableError::NotText { .. } => "write each puzzle as one text, a character for each cell",
        _ => {
            "a Parquet file is read from its end, so one that was cut off cannot be read; fetch or write it again"
        }
    };
    CliError::new(error.to_string()).hint(hint)
}

/// A source that is being read.
struct Open {
    name: Arc<str>,
    numbered: bool,
    by_line: bool,
    /// May reading wait for somebody?
    waits: bool,
    records: OpenRecords,
    read: usize,
    boxes: Option<Order>,
}

enum OpenRecords {
    Text(Records<Reader>),
    #[cfg(feature = "parquet")]
    Table(parquet::Rows),
    Pairs(Box<Pairs<Reader, Reader>>),
}

impl Open {
    fn of(
        mut opened: Opened,
        from: Option<Format>,
        boxes: Option<Order>,
    ) -> Result<Open, CliError> {
        let (name, numbered, waits) = (opened.name.clone(), opened.numbered, opened.waits);
        let cannot_read =
            |error: std::io::Error| CliError::new(format!("{name} cannot be read: {error}"));
        let beginning = opened.reader.fill_buf().map_err(cannot_read)?;
        let format = from.unwrap_or_else(|| Format::detect(beginning));
        let records = match format {
            #[cfg(feature = "parquet")]
            Format::Parquet => {
                let file = opened.into_file().map_err(cannot_read)?;
                let place = Place { source: name.clone(), ..Place::default() };
                OpenRecords::Table(
                    parquet::read(file, boxes).map_err(|error| no_table(&error).at(&place))?,
                )
            }
            format => OpenRecords::Text(formats::read(format, opened.reader, boxes)),
        };
        Ok(Open {
            name,
            numbered,
            by_line: format.is_list_of_lines(),
            waits,
            records,
            read: 0,
            boxes,
        })
    }

    /// A file of puzzles and one of their solutions.
    fn paired(puzzles: Opened, solutions: Opened, boxes: Option<Order>) -> Open {
        let (name, numbered, waits) =
            (puzzles.name.clone(), puzzles.numbered, puzzles.waits || solutions.waits);
        let pairs = Pairs::new(puzzles.reader, solutions.reader, boxes);
        Open {
            name,
            numbered,
            by_line: true,
            waits,
            records: OpenRecords::Pairs(Box::new(pairs)),
            read: 0,
            boxes,
        }
    }

    fn next(&mut self) -> Option<Question> {
        let record = match &mut self.records {
            OpenRecords::Text(records) => records.next(),
            #[cfg(feature = "parquet")]
            OpenRecords::Table(rows) => rows.next(),
            OpenRecords::Pairs(pairs) => pairs.next(),
        };
        self.read += 1;
        let (source, numbered, boxes) = (&self.name, self.numbered, self.boxes);
        Some(match record? {
            Ok(record) => {
                let (by_line, number) = (self.by_line, self.read);
                Ok(Found { source: source.clone(), numbered, by_line, number, boxes, record })
            }
            Err(error) => Err(Unreadable::of(&error, source, numbered, boxes)),
        })
    }

    /// Is the next record already in memory, as far as that can be told?
    fn more_is_ready(&self) -> bool {
        match &self.records {
            OpenRecords::Text(records) if self.waits => {
                records.source().is_some_and(|source| source.buffer().contains(&b'\n'))
            }
            OpenRecords::Pairs(_) => !self.waits,
            _ => true,
        }
    }
}

/// All records of all sources, one after the other.
pub struct Puzzles {
    waiting: VecDeque<Source>,
    open: Option<Open>,
    boxes: Option<Order>,
    from: Option<Format>,
    /// How much of the files has been read.
    pub reading: Reading,
    /// Is the only source a puzzle that was typed as an argument?
    pub typed: bool,
}

impl Puzzles {
    /// Looks at the arguments; a file that is not there is trouble now, not after an hour.
    pub fn of(sources: &Sources) -> Result<Puzzles, CliError> {
        let mut waiting = sources.list()?;
        let typed = matches!(waiting.make_contiguous(), [Source::Argument { .. }]);
        Ok(Puzzles { typed, ..Puzzles::some(waiting, None, sources.boxes) })
    }

    /// The same in the format that the user names.
    pub fn of_input(input: &Input) -> Result<Puzzles, CliError> {
        Ok(Puzzles { from: input.from, ..Puzzles::of(&input.sources)? })
    }

    /// The puzzles of one file.
    pub fn of_file(path: &str, boxes: Option<Order>) -> Puzzles {
        Puzzles::some([Source::File(path.to_string())].into(), None, boxes)
    }

    /// The puzzles of some files, one after the other.
    pub fn of_files(paths: &[String], from: Option<Format>) -> Puzzles {
        Puzzles::some(paths.iter().cloned().map(Source::File).collect(), from, None)
    }

    /// The only entry of a text that was typed.
    pub fn of_text(text: &str, boxes: Option<Order>) -> Puzzles {
        let typed = Source::Argument { name: String::new(), text: text.to_string() };
        Puzzles { typed: true, ..Puzzles::some([typed].into(), None, boxes) }
    }

    fn some(waiting: VecDeque<Source>, from: Option<Format>, boxes: Option<Order>) -> Puzzles {
        let reading = Reading::of(&waiting);
        Puzzles { waiting, open: None, boxes, from, reading, typed: false }
    }
}

impl Iterator for Puzzles {
    type Item = Question;

    fn next(&mut self) -> Option<Question> {
        loop {
            if let Some(question) = self.open.as_mut().and_then(Open::next) {
                if question.as_ref().is_err_and(|unreadable| unreadable.ends_source) {
                    self.open = None;
                }
                return Some(question);
            }
            self.open = None;
            match self
                .waiting
                .pop_front()?
                .open(&self.reading)
                .and_then(|opened| Open::of(opened, self.from, self.boxes))
            {
                Ok(open) => self.open = Some(open),
                Err(error) => {
                    return Some(Err(Unreadable {
                        place: Place::default(),
                        error,
                        ends_source: true,
                    }));
                }
            }
        }
    }
}

impl Feed for Puzzles {
    fn more_is_ready(&self) -> bool {
        self.open.as_ref().is_some_and(Open::more_is_ready)
    }
}

/// The entries of all sources, for verbs that need all of them to be good.
pub struct Collection {
    puzzles: Puzzles,
    skip_bad: bool,
}

impl Collection {
    /// How much of the files has been read.
    pub fn reading(&self) -> Reading {
        self.puzzles.reading.clone()
    }
}

impl CollectionInput {
    /// All sources as one collection.
    pub fn open(&self) -> Result<Collection, CliError> {
        Ok(Collection { puzzles: Puzzles::of_input(&self.input)?, skip_bad: self.skip_bad })
    }

    /// Some sources as one collection.
    pub fn open_some(&self, waiting: VecDeque<Source>) -> Collection {
        let (from, boxes) = (self.input.from, self.input.sources.boxes);
        Collection { puzzles: Puzzles::some(waiting, from, boxes), skip_bad: self.skip_bad }
    }

    /// One file of puzzles and one of solutions.
    pub fn open_pair(&self, solutions: &str) -> Result<Collection, CliError> {
        let mut sources = self.input.sources.list()?;
        let (Some(puzzles), None) = (sources.pop_front(), sources.pop_front()) else {
            return Err(CliError::new(
                "solutions in a file of their own belong to one file of puzzles",
            )
            .hint("convert the files one by one"));
        };
        let both = VecDeque::from([puzzles, Source::File(solutions.to_string())]);
        let reading = Reading::of(&both);
        let [puzzles, solutions] =
            <[Source; 2]>::try_from(Vec::from(both)).ok().expect("two were put in");
        let (puzzles, solutions) = (puzzles.open(&reading)?, solutions.open(&reading)?);
        let open = Open::paired(puzzles, solutions, self.input.sources.boxes);
        let mut collection = self.open_some(VecDeque::new());
        collection.puzzles.reading = reading;
        collection.puzzles.open = Some(open);
        Ok(collection)
    }
}

/// What a collection yields: after trouble that ends it nothing more comes.
pub enum Item {
    /// A puzzle and where it stands.
    Found(Place, Box<Entry>),
    /// A bad entry that is left out because the user wants so.
    Skipped(CliError),
    /// The end, too early.
    Broken(CliError),
}

impl Iterator for Collection {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        let found = self.puzzles.next()?.and_then(|found| Ok((found.place(), found.entry()?)));
        Some(match found {
            Ok((place, entry)) => Item::Found(place, Box::new(entry)),
            // A stream that has failed has no more entries to go on with.
            Err(unreadable) if unreadable.ends_source => self.broken(unreadable.into()),
            Err(unreadable) if self.skip_bad => Item::Skipped(unreadable.into()),
            Err(unreadable) => self.broken(with_a_way_on(unreadable.into())),
        })
    }
}

impl Collection {
    fn broken(&mut self, error: CliError) -> Item {
        self.puzzles.open = None;
        self.puzzles.waiting.clear();
        Item::Broken(error)
    }
}

impl Feed for Collection {
    fn more_is_ready(&self) -> bool {
        self.puzzles.more_is_ready()
    }
}

/// A bad entry, and the way to go on without it.
fn with_a_way_on(error: CliError) -> CliError {
    let way = "--skip-bad leaves such entries out and counts them";
    let hint = match &error.hint {
        Some(hint) => format!("{hint}; {way}"),
        None => way.to_string(),
    };
    error.hint(hint)
}
