//! Reads puzzles from files, arguments and standard input.
//!
//! Sources are read record by record and never loaded completely, so a stream may be endless. The
//! reader only splits the input into records. Workers parse each record once.

use crate::console::Message;
use crate::error::CliError;
use crate::source::{Place, ReadProgress, Reader, Source, SourceArgs, SourceReader};
use crate::stream::Feed;
use crate::values;
use crate::verdict::Verdict;
use clap::builder::TypedValueParser;
use ninefold::grid::Order;
#[cfg(feature = "parquet")]
use ninefold_formats::parquet::{self, TableError};
use ninefold_formats::{Entry, Format, Location, Pairs, ReadError, ReadErrorKind, Record, Records};
use std::collections::VecDeque;
use std::io::BufRead;
use std::sync::Arc;

#[derive(clap::Args, Debug)]
pub struct InputArgs {
    #[command(flatten)]
    pub sources: SourceArgs,

    /// Format of the input [default: detected from its beginning]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    pub from: Option<Format>,
}

pub fn format_parser() -> impl TypedValueParser<Value = Format> {
    values::parser(Format::ALL, Format::name)
}

/// What to do with boards whose rules are not all known.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct RulesArgs {
    /// Accept boards with rules that Ninefold does not know; the answer ignores these rules
    #[arg(long)]
    pub ignore_unknown_rules: bool,
}

impl RulesArgs {
    /// The message about rules that are not known, and the verdict about them. `None` if all are
    /// known.
    pub fn judge(self, entry: &Entry, place: &Place) -> Option<(Message, Verdict)> {
        if entry.unknown_rules.is_empty() {
            return None;
        }
        let error = unknown_rules(entry);
        Some(match self.ignore_unknown_rules {
            true => {
                let text = Ok(format!("{}{}", place.prefix(), error.message));
                (Message { topic: "boards with unknown rules", text }, Verdict::Yes)
            }
            false => {
                let text = Err(error
                    .at(place)
                    .hint("use --ignore-unknown-rules to accept such an answer"));
                (Message { topic: "boards with unknown rules", text }, Verdict::Error)
            }
        })
    }
}

fn unknown_rules(entry: &Entry) -> CliError {
    CliError::new(format!(
        "this board has rules that Ninefold does not know: {}; the answer ignores them",
        entry.unknown_rules.join("; ")
    ))
}

/// The input of commands that normally require every entry to be valid.
#[derive(clap::Args, Debug)]
pub struct CollectionArgs {
    #[command(flatten)]
    pub input: InputArgs,

    /// Skip and count invalid entries instead of stopping at the first one
    #[arg(long)]
    pub skip_bad: bool,
}

/// A record and its location.
pub struct InputRecord {
    source: Arc<str>,
    /// True if messages contain the line or record number. False for an argument of one line.
    numbered: bool,
    /// True if messages contain the line instead of the record number.
    by_line: bool,
    /// The record number in the source, counted from 1.
    number: usize,
    boxes: Option<Order>,
    record: Record,
}

impl InputRecord {
    pub fn place(&self) -> Place {
        let line = match self.record.location() {
            Location::Line(line) if self.by_line && self.numbered => Some(line as usize),
            _ => None,
        };
        let number = (self.numbered && !self.by_line).then_some(self.number);
        Place { source: self.source.clone(), line, number }
    }

    /// Parses the record for a command that only knows classic Sudoku. Clues that break the rules
    /// and rules of the puzzle's own are errors.
    pub fn entry(&self) -> Result<Entry, InputError> {
        self.require_classic(self.entry_with_rules()?)
    }

    /// Parses the record for a command that knows all rules. Clues that break the rules are an
    /// error.
    pub fn entry_with_rules(&self) -> Result<Entry, InputError> {
        self.record.entry().map_err(|error| self.invalid(&error))
    }

    /// Like [`entry`](InputRecord::entry), but the clues may break the rules.
    pub fn entry_allowing_conflicts(&self) -> Result<Entry, InputError> {
        self.require_classic(self.entry_with_rules_allowing_conflicts()?)
    }

    /// Like [`entry_with_rules`](InputRecord::entry_with_rules), but the clues may break the rules.
    pub fn entry_with_rules_allowing_conflicts(&self) -> Result<Entry, InputError> {
        self.record.entry_allowing_conflicts().map_err(|error| self.invalid(&error))
    }

    /// Like [`entry_allowing_conflicts`](InputRecord::entry_allowing_conflicts), for a command that
    /// knows all rules and must not miss any.
    pub fn entry_with_known_rules(&self) -> Result<Entry, InputError> {
        self.require_known_rules(self.entry_with_rules_allowing_conflicts()?)
    }

    /// Like [`entry`](InputRecord::entry), for a command that knows all rules and must not miss any.
    pub fn valid_entry_with_known_rules(&self) -> Result<Entry, InputError> {
        self.require_known_rules(self.entry_with_rules()?)
    }

    fn require_known_rules(&self, entry: Entry) -> Result<Entry, InputError> {
        if entry.unknown_rules.is_empty() {
            return Ok(entry);
        }
        Err(self.other_rules(CliError::new(format!(
            "this board has rules that Ninefold does not know: {}",
            entry.unknown_rules.join("; ")
        ))))
    }

    fn require_classic(&self, entry: Entry) -> Result<Entry, InputError> {
        match entry.puzzle.rules() {
            None => self.require_known_rules(entry),
            Some(rules) => Err(self.other_rules(CliError::new(format!(
                "this command only knows classic Sudoku, and this puzzle has other rules: {}",
                rules.names().join(", ")
            )))),
        }
    }

    fn other_rules(&self, error: CliError) -> InputError {
        let error = error
            .hint("solve, check, explain, hint, rate, convert, stats and batch know other rules");
        InputError { place: self.place(), error, ends_source: false }
    }

    /// The cells of a 9×9 puzzle as bytes, if the record is a plain line.
    pub fn plain_nine(&self) -> Option<&[u8; 81]> {
        self.record.plain_nine()
    }

    fn invalid(&self, error: &ReadError) -> InputError {
        InputError::new(error, &self.source, self.numbered, self.boxes)
    }
}

/// A record, or an error in its place.
pub type InputResult = Result<InputRecord, InputError>;

pub struct InputError {
    pub place: Place,
    /// The error, without the place.
    pub error: CliError,
    /// True if the rest of the source cannot be read.
    pub ends_source: bool,
}

impl InputError {
    fn new(
        error: &ReadError,
        source: &Arc<str>,
        numbered: bool,
        boxes: Option<Order>,
    ) -> InputError {
        let cli_error = match &error.kind {
            ReadErrorKind::Puzzle(error) => CliError::invalid_grid(error, boxes),
            #[cfg(feature = "parquet")]
            ReadErrorKind::Table(error) => invalid_table(error),
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
        InputError { place, error: cli_error, ends_source: error.is_fatal() }
    }
}

impl From<InputError> for CliError {
    fn from(error: InputError) -> CliError {
        error.error.at(&error.place)
    }
}

#[cfg(feature = "parquet")]
fn invalid_table(error: &TableError) -> CliError {
    let hint = match error {
        TableError::NoPuzzles { .. } => "rename the column that contains the puzzles",
        TableError::NotText { .. } => "the column must contain text with a character for each cell",
        _ => {
            "Parquet files are read from the end, so a truncated file cannot be read; download or \
             write it again"
        }
    };
    CliError::new(error.to_string()).hint(hint)
}

struct OpenSource {
    name: Arc<str>,
    numbered: bool,
    by_line: bool,
    /// True if reading can block.
    blocks: bool,
    records: SourceRecords,
    read: usize,
    boxes: Option<Order>,
}

enum SourceRecords {
    Text(Records<Reader>),
    #[cfg(feature = "parquet")]
    Table(parquet::Rows),
    Pairs(Box<Pairs<Reader, Reader>>),
}

impl OpenSource {
    fn new(
        mut opened: SourceReader,
        from: Option<Format>,
        boxes: Option<Order>,
    ) -> Result<OpenSource, CliError> {
        let (name, numbered, blocks) = (opened.name.clone(), opened.numbered, opened.blocks);
        let cannot_read = |error: std::io::Error| CliError::cannot_read(&name, error);
        let beginning = opened.reader.fill_buf().map_err(cannot_read)?;
        #[cfg(feature = "photos")]
        if from.is_none() && crate::photo::is_photo(beginning) {
            let records = crate::photo::records(&name, &mut opened.reader, boxes)?;
            let records = SourceRecords::Text(records);
            let (by_line, numbered) = (false, false);
            return Ok(OpenSource { name, numbered, by_line, blocks, records, read: 0, boxes });
        }
        let format = from.unwrap_or_else(|| Format::detect(beginning));
        let records = match format {
            #[cfg(feature = "parquet")]
            Format::Parquet => {
                let file = opened.into_file().map_err(cannot_read)?;
                let place = Place { source: name.clone(), ..Place::default() };
                SourceRecords::Table(
                    parquet::read(file, boxes).map_err(|error| invalid_table(&error).at(&place))?,
                )
            }
            format => SourceRecords::Text(ninefold_formats::read(format, opened.reader, boxes)),
        };
        Ok(OpenSource {
            name,
            numbered,
            by_line: format.is_list_of_lines(),
            blocks,
            records,
            read: 0,
            boxes,
        })
    }

    /// A file of puzzles and a file of their solutions.
    fn from_pair(
        puzzles: SourceReader,
        solutions: SourceReader,
        boxes: Option<Order>,
    ) -> OpenSource {
        let (name, numbered, blocks) =
            (puzzles.name.clone(), puzzles.numbered, puzzles.blocks || solutions.blocks);
        let pairs = Pairs::new(puzzles.reader, solutions.reader, boxes);
        OpenSource {
            name,
            numbered,
            by_line: true,
            blocks,
            records: SourceRecords::Pairs(Box::new(pairs)),
            read: 0,
            boxes,
        }
    }

    fn next(&mut self) -> Option<InputResult> {
        let record = match &mut self.records {
            SourceRecords::Text(records) => records.next(),
            #[cfg(feature = "parquet")]
            SourceRecords::Table(rows) => rows.next(),
            SourceRecords::Pairs(pairs) => pairs.next(),
        };
        self.read += 1;
        let (source, numbered, boxes) = (&self.name, self.numbered, self.boxes);
        Some(match record? {
            Ok(record) => {
                let (by_line, number) = (self.by_line, self.read);
                Ok(InputRecord { source: source.clone(), numbered, by_line, number, boxes, record })
            }
            Err(error) => Err(InputError::new(&error, source, numbered, boxes)),
        })
    }

    /// True if the next record is probably in memory already.
    fn has_buffered(&self) -> bool {
        match &self.records {
            SourceRecords::Text(records) if self.blocks => {
                records.source().is_some_and(|source| source.buffer().contains(&b'\n'))
            }
            SourceRecords::Pairs(_) => !self.blocks,
            _ => true,
        }
    }
}

/// Iterates over the records of all sources.
pub struct Puzzles {
    /// The sources that have not been opened yet.
    queue: VecDeque<Source>,
    open: Option<OpenSource>,
    boxes: Option<Order>,
    from: Option<Format>,
    pub progress: ReadProgress,
    /// True if the only source is a puzzle on the command line.
    pub is_single_argument: bool,
}

impl Puzzles {
    /// Resolves the arguments. A missing file is an error here, before any work starts.
    pub fn from_sources(sources: &SourceArgs) -> Result<Puzzles, CliError> {
        let mut queue = sources.list()?;
        let is_single_argument = matches!(queue.make_contiguous(), [Source::Argument { .. }]);
        Ok(Puzzles { is_single_argument, ..Puzzles::new(queue, None, sources.boxes) })
    }

    pub fn from_input(input: &InputArgs) -> Result<Puzzles, CliError> {
        Ok(Puzzles { from: input.from, ..Puzzles::from_sources(&input.sources)? })
    }

    pub fn from_file(path: &str, boxes: Option<Order>) -> Puzzles {
        Puzzles::new([Source::File(path.to_string())].into(), None, boxes)
    }

    pub fn from_files(paths: &[String], from: Option<Format>) -> Puzzles {
        Puzzles::new(paths.iter().cloned().map(Source::File).collect(), from, None)
    }

    /// Reads puzzles from an option value.
    pub fn from_text(text: &str, boxes: Option<Order>) -> Puzzles {
        let argument = Source::Argument { name: String::new(), text: text.to_string() };
        Puzzles { is_single_argument: true, ..Puzzles::new([argument].into(), None, boxes) }
    }

    fn new(queue: VecDeque<Source>, from: Option<Format>, boxes: Option<Order>) -> Puzzles {
        let progress = ReadProgress::new(&queue);
        Puzzles { queue, open: None, boxes, from, progress, is_single_argument: false }
    }
}

impl Iterator for Puzzles {
    type Item = InputResult;

    fn next(&mut self) -> Option<InputResult> {
        loop {
            if let Some(record) = self.open.as_mut().and_then(OpenSource::next) {
                if record.as_ref().is_err_and(|error| error.ends_source) {
                    self.open = None;
                }
                return Some(record);
            }
            self.open = None;
            match self
                .queue
                .pop_front()?
                .open(&self.progress)
                .and_then(|opened| OpenSource::new(opened, self.from, self.boxes))
            {
                Ok(open) => self.open = Some(open),
                Err(error) => {
                    return Some(Err(InputError {
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
    fn has_buffered(&self) -> bool {
        self.open.as_ref().is_some_and(OpenSource::has_buffered)
    }
}

/// Iterates over the entries of all sources. The first invalid entry ends it, unless invalid
/// entries are skipped.
pub struct Collection {
    puzzles: Puzzles,
    skip_bad: bool,
    /// `None` if the command only knows classic Sudoku.
    rules: Option<RulesArgs>,
}

impl Collection {
    /// Accepts puzzles with rules of their own.
    pub fn with_rules(self, rules: RulesArgs) -> Collection {
        Collection { rules: Some(rules), ..self }
    }

    fn entry(&self, record: &InputRecord) -> Result<Entry, InputError> {
        let Some(rules) = self.rules else { return record.entry() };
        let entry = record.entry_with_rules()?;
        match rules.judge(&entry, &Place::default()) {
            Some((Message { text: Err(error), .. }, _)) => {
                Err(InputError { place: record.place(), error, ends_source: false })
            }
            _ => Ok(entry),
        }
    }

    pub fn progress(&self) -> ReadProgress {
        self.puzzles.progress.clone()
    }
}

impl CollectionArgs {
    pub fn open(&self) -> Result<Collection, CliError> {
        let puzzles = Puzzles::from_input(&self.input)?;
        Ok(Collection { puzzles, skip_bad: self.skip_bad, rules: None })
    }

    /// Opens these sources instead of those on the command line.
    pub fn open_sources(&self, queue: VecDeque<Source>) -> Collection {
        let (from, boxes) = (self.input.from, self.input.sources.boxes);
        let puzzles = Puzzles::new(queue, from, boxes);
        Collection { puzzles, skip_bad: self.skip_bad, rules: None }
    }

    /// Opens a file of puzzles together with a file of their solutions.
    pub fn open_pair(&self, solutions: &str) -> Result<Collection, CliError> {
        let mut sources = self.input.sources.list()?;
        let (Some(puzzles), None) = (sources.pop_front(), sources.pop_front()) else {
            return Err(CliError::new("--solutions needs exactly one file of puzzles")
                .hint("convert the files one by one"));
        };
        let both = VecDeque::from([puzzles, Source::File(solutions.to_string())]);
        let progress = ReadProgress::new(&both);
        let [puzzles, solutions] =
            <[Source; 2]>::try_from(Vec::from(both)).ok().expect("there are two sources");
        let (puzzles, solutions) = (puzzles.open(&progress)?, solutions.open(&progress)?);
        let open = OpenSource::from_pair(puzzles, solutions, self.input.sources.boxes);
        let mut collection = self.open_sources(VecDeque::new());
        collection.puzzles.progress = progress;
        collection.puzzles.open = Some(open);
        Ok(collection)
    }
}

pub enum Item {
    Entry(Place, Box<Entry>),
    /// An invalid entry that is skipped because of `--skip-bad`.
    Skipped(CliError),
    /// An error that ends the collection.
    Failed(CliError),
}

impl Iterator for Collection {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        let record = self.puzzles.next()?;
        let entry = record.and_then(|record| Ok((record.place(), self.entry(&record)?)));
        Some(match entry {
            Ok((place, entry)) => Item::Entry(place, Box::new(entry)),
            // The rest of a source that failed cannot be read, so there is nothing to skip.
            Err(error) if error.ends_source => self.fail(error.into()),
            Err(error) if self.skip_bad => Item::Skipped(error.into()),
            Err(error) => self.fail(with_skip_hint(error.into())),
        })
    }
}

impl Collection {
    fn fail(&mut self, error: CliError) -> Item {
        self.puzzles.open = None;
        self.puzzles.queue.clear();
        Item::Failed(error)
    }
}

impl Feed for Collection {
    fn has_buffered(&self) -> bool {
        self.puzzles.has_buffered()
    }
}

fn with_skip_hint(error: CliError) -> CliError {
    let skip = "--skip-bad skips and counts invalid entries";
    let hint = match &error.hint {
        Some(hint) => format!("{hint}; {skip}"),
        None => skip.to_string(),
    };
    error.hint(hint)
}
