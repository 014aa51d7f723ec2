//! Splits a stream into records. A record is the unparsed text of one puzzle. Parsing it is a
//! separate step, which callers may run on other threads.

use crate::compression::decompress;
use crate::entry::{Entry, ParseOptions};
use crate::error::{Location, ReadError, ReadErrorKind};
use crate::format::Format;
use crate::hodoku::LibraryLine;
use crate::lines::Lines;
use crate::table::Fields;
use crate::{json, links, list, marks, notation, sections, table};
use ninefold::grid::Order;
use std::io::{BufRead, BufReader, Read};

/// The unparsed text of one puzzle and its location.
#[derive(Debug)]
pub struct Record {
    location: Location,
    order: Option<Order>,
    text: RecordText,
}

/// The text of a record, by kind of source.
#[derive(Debug)]
pub(crate) enum RecordText {
    /// A grid, and the note after it.
    Grid(String, Option<String>),
    Marks(String),
    Hodoku(String),
    Link(String),
    Notation(String),
    Object(String),
    Row(Box<Fields>),
    TableLine(String, table::Layout),
    Sdk(String),
    Ss(String),
}

impl Record {
    pub(crate) fn at_line(line: u64, order: Option<Order>, text: RecordText) -> Record {
        Record { location: Location::Line(line), order, text }
    }

    #[cfg(feature = "parquet")]
    pub(crate) fn at_row(location: Location, order: Option<Order>, fields: Fields) -> Record {
        Record { location, order, text: RecordText::Row(Box::new(fields)) }
    }

    /// The location of the record in its stream.
    pub fn location(&self) -> Location {
        self.location
    }

    /// Parses the record. Clues that break the rules are an error.
    pub fn entry(&self) -> Result<Entry, ReadError> {
        self.read(false)
    }

    /// Parses the record. Clues may break the rules.
    pub fn entry_allowing_conflicts(&self) -> Result<Entry, ReadError> {
        self.read(true)
    }

    /// The bytes of a plain 9×9 puzzle with one byte per cell: a digit, or `.`, `0`, `_`, `*`, `x`
    /// or `X` for an empty cell. Lets fast solvers skip building a [`Grid`](ninefold::grid::Grid),
    /// which takes longer than solving an easy puzzle. `None` for a row of a table with a position or
    /// a wrong solution.
    pub fn plain_nine(&self) -> Option<&[u8; 81]> {
        match &self.text {
            RecordText::Grid(text, _) => plain_nine(text),
            RecordText::Row(fields) => fields.plain_nine(),
            RecordText::TableLine(line, layout) => layout.plain_nine(line),
            _ => None,
        }
    }

    fn read(&self, allow_conflicts: bool) -> Result<Entry, ReadError> {
        let options = ParseOptions { order: self.order, allow_conflicts };
        let entry = match &self.text {
            RecordText::Grid(text, note) => options
                .grid(text)
                .map(|puzzle| Entry::new(puzzle).with_source(note.clone()))
                .map_err(ReadErrorKind::from),
            RecordText::Marks(text) => marks::read(text, options),
            RecordText::Hodoku(line) => hodoku(line, options),
            RecordText::Link(link) => links::read(link, options),
            RecordText::Notation(line) => notation::read(line, options),
            RecordText::Object(text) => json::read(text, options),
            RecordText::Row(fields) => fields.read(options),
            RecordText::TableLine(line, layout) => layout.read(line, options),
            RecordText::Sdk(text) => sections::read_sdk(text, options),
            RecordText::Ss(text) => sections::read_ss(text, options),
        };
        entry.map_err(|kind| ReadError { location: self.location, kind })
    }
}

/// The bytes of a plain 9×9 puzzle.
pub(crate) fn plain_nine(text: &str) -> Option<&[u8; 81]> {
    let line: &[u8; 81] = text.as_bytes().try_into().ok()?;
    line.iter()
        .all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'_' | b'*' | b'x' | b'X'))
        .then_some(line)
}

fn hodoku(line: &str, options: ParseOptions) -> Result<Entry, ReadErrorKind> {
    if options.order.is_some_and(|order| order != Order::NINE) {
        return Err(ReadErrorKind::syntax("HoDoKu library lines support 9×9 puzzles only"));
    }
    let line: LibraryLine = line.parse()?;
    Ok(Entry::new(options.checked(line.puzzle)?)
        .with_position(line.position)
        .with_source(line.code))
}

/// Iterator over the records of a stream; created by [`read`].
pub struct Records<R> {
    reader: Reader<R>,
    order: Option<Order>,
    ended: bool,
}

enum Reader<R> {
    List(list::List<R>),
    Hodoku(Lines<R>),
    Links(Lines<R>),
    Notation(Lines<R>),
    Table(table::Rows<R>),
    Json(json::Objects<R>),
    Marks(marks::Blocks<R>),
    SinglePuzzle(sections::SinglePuzzleFile<R>),
    #[cfg(feature = "parquet")]
    Parquet(Result<crate::parquet::Rows, Option<ReadError>>),
    #[cfg(not(feature = "parquet"))]
    Parquet(Option<ReadError>),
}

/// Reads the records of a stream in a known format. `order` is required only for sizes whose boxes
/// are ambiguous or unusual.
///
/// ```
/// use ninefold_formats::Format;
///
/// let file = "1..4..1..3..4..3\n1..4..q..3..4..3\n".as_bytes();
/// let items: Vec<_> = ninefold_formats::read(Format::Line, file, None).entries().collect();
/// assert!(items[0].is_ok());
/// let error = items[1].as_ref().unwrap_err();
/// assert_eq!(error.to_string(), "line 2: row 2, column 3: expected a digit or '.', found \"q\"");
/// ```
///
/// The index of a Parquet file is at its end, so a Parquet stream is first read into memory;
/// `parquet::read` reads from sources with random access instead.
pub fn read<R: BufRead>(format: Format, source: R, order: Option<Order>) -> Records<R> {
    let lines = Lines::new(source);
    let reader = match format {
        Format::Line | Format::Sdm | Format::Drawn | Format::Numbers => {
            Reader::List(list::List::new(lines, order))
        }
        Format::Hodoku => Reader::Hodoku(lines),
        Format::Sudokuwiki | Format::Fpuzzles | Format::Sudokupad => Reader::Links(lines),
        Format::Jigsaw | Format::Sumocue | Format::Iss => Reader::Notation(lines),
        Format::Csv | Format::Tsv | Format::Semicolon | Format::Extreme => {
            Reader::Table(table::Rows::new(lines))
        }
        Format::Json => Reader::Json(json::Objects::new(lines.into_source())),
        Format::Marks => Reader::Marks(marks::Blocks { lines }),
        Format::Sdk | Format::Ss => {
            Reader::SinglePuzzle(sections::SinglePuzzleFile { lines, is_ss: format == Format::Ss })
        }
        Format::Parquet => parquet(lines.into_source(), order),
    };
    Records { reader, order, ended: false }
}

#[cfg(feature = "parquet")]
fn parquet<R: BufRead>(mut source: R, order: Option<Order>) -> Reader<R> {
    let mut file = Vec::new();
    let rows = match source.read_to_end(&mut file) {
        Ok(_) => {
            crate::parquet::read(bytes::Bytes::from(file), order).map_err(ReadErrorKind::Table)
        }
        Err(error) => Err(ReadErrorKind::Stream(error)),
    };
    Reader::Parquet(rows.map_err(|kind| Some(kind.at_line(1))))
}

#[cfg(not(feature = "parquet"))]
fn parquet<R: BufRead>(_: R, _: Option<Order>) -> Reader<R> {
    let error = std::io::Error::other("this build does not support Parquet files");
    Reader::Parquet(Some(ReadErrorKind::Stream(error).at_line(1)))
}

/// The source of the records that [`read_any`] returns.
pub type DecompressedReader<'a> = BufReader<Box<dyn Read + Send + 'a>>;

/// Reads the records of a stream, detecting compression and format from its first bytes.
pub fn read_any<'a>(
    source: impl BufRead + Send + 'a,
    order: Option<Order>,
) -> std::io::Result<(Format, Records<DecompressedReader<'a>>)> {
    let (_, decompressed) = decompress(source)?;
    let mut source = BufReader::with_capacity(1 << 16, decompressed);
    let format = Format::detect(source.fill_buf()?);
    Ok((format, read(format, source, order)))
}

impl<R: BufRead> Records<R> {
    /// Parses each record. Clues that break the rules are an error.
    pub fn entries(self) -> Entries<R> {
        Entries { records: self }
    }

    /// The underlying reader, for example to inspect its buffer; `None` for a Parquet table, which
    /// is in memory.
    pub fn source(&self) -> Option<&R> {
        Some(match &self.reader {
            Reader::List(list) => list.lines.source(),
            Reader::Hodoku(lines) | Reader::Links(lines) | Reader::Notation(lines) => {
                lines.source()
            }
            Reader::Table(rows) => rows.lines.source(),
            Reader::Json(objects) => &objects.source,
            Reader::Marks(blocks) => blocks.lines.source(),
            Reader::SinglePuzzle(file) => file.lines.source(),
            Reader::Parquet(_) => return None,
        })
    }

    fn next_record(&mut self) -> Option<Result<Record, ReadError>> {
        let item = match &mut self.reader {
            Reader::List(list) => list.next(),
            Reader::Hodoku(lines) => next_line(lines, RecordText::Hodoku),
            Reader::Links(lines) => next_line(lines, RecordText::Link),
            Reader::Notation(lines) => next_line(lines, RecordText::Notation),
            Reader::Table(rows) => rows.next(),
            Reader::Json(objects) => objects.next(),
            Reader::Marks(blocks) => blocks.next(),
            Reader::SinglePuzzle(file) => file.next(),
            #[cfg(feature = "parquet")]
            Reader::Parquet(Ok(rows)) => return rows.next(),
            #[cfg(feature = "parquet")]
            Reader::Parquet(Err(error)) => return error.take().map(Err),
            #[cfg(not(feature = "parquet"))]
            Reader::Parquet(error) => return error.take().map(Err),
        };
        Some(item?.map(|(line, text)| Record::at_line(line, self.order, text)))
    }
}

/// The next line that is neither blank nor a comment.
fn next_line<R: BufRead>(
    lines: &mut Lines<R>,
    kind: fn(String) -> RecordText,
) -> Option<Result<(u64, RecordText), ReadError>> {
    loop {
        match lines.next_text()? {
            Ok((_, line)) if line.trim().is_empty() || line.trim().starts_with('#') => {}
            Ok((number, line)) => return Some(Ok((number, kind(line)))),
            Err(error) => return Some(Err(error)),
        }
    }
}

impl<R: BufRead> Iterator for Records<R> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Result<Record, ReadError>> {
        if self.ended {
            return None;
        }
        let item = self.next_record();
        self.ended = match &item {
            None => true,
            Some(Err(error)) => error.is_fatal(),
            Some(Ok(_)) => false,
        };
        item
    }
}

/// Iterator over the parsed records of a stream; created by [`Records::entries`].
pub struct Entries<R> {
    records: Records<R>,
}

impl<R: BufRead> Iterator for Entries<R> {
    type Item = Result<Entry, ReadError>;

    fn next(&mut self) -> Option<Result<Entry, ReadError>> {
        Some(self.records.next()?.and_then(|record| record.entry()))
    }
}
