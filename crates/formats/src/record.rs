//! Records: where one puzzle ends and the next begins, before either is understood.

use crate::entry::{Entry, Reading};
use crate::error::{Location, ReadError, Reason};
use crate::format::Format;
use crate::hodoku::LibraryLine;
use crate::lines::Lines;
use crate::table::Fields;
use crate::unpack::unpack;
use crate::{json, links, list, marks, sections, table};
use ninefold::grid::Order;
use std::io::{BufRead, BufReader, Read};

/// The text of one puzzle, found but not yet understood, so that this can happen on another thread.
#[derive(Debug)]
pub struct Record {
    location: Location,
    order: Option<Order>,
    written: Written,
}

/// What was found.
#[derive(Debug)]
pub(crate) enum Written {
    /// A grid, and a note beside it.
    Grid(String, Option<String>),
    Marks(String),
    Hodoku(String),
    Link(String),
    Object(String),
    Row(Box<Fields>),
    Sdk(String),
    Ss(String),
}

impl Record {
    pub(crate) fn at_line(line: u64, order: Option<Order>, written: Written) -> Record {
        Record { location: Location::Line(line), order, written }
    }

    #[cfg(feature = "parquet")]
    pub(crate) fn at_row(location: Location, order: Option<Order>, fields: Fields) -> Record {
        Record { location, order, written: Written::Row(Box::new(fields)) }
    }

    /// Where it stands.
    pub fn location(&self) -> Location {
        self.location
    }

    /// Understands it; the clues keep the rules.
    pub fn entry(&self) -> Result<Entry, ReadError> {
        self.read(false)
    }

    /// Understands it; equal clues in one house are not an error here.
    pub fn entry_that_may_break_rules(&self) -> Result<Entry, ReadError> {
        self.read(true)
    }

    /// The bytes of a 9×9 puzzle that is written plainly, a byte for each cell: digits, or `.`, `0`, `_`, `*`, `x`, `X` for
    /// an empty one. Building a grid takes longer than solving an easy puzzle.
    pub fn plain_nine(&self) -> Option<&[u8; 81]> {
        let Written::Grid(text, _) = &self.written else { return None };
        let line: &[u8; 81] = text.as_bytes().try_into().ok()?;
        line.iter()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'_' | b'*' | b'x' | b'X'))
            .then_some(line)
    }

    fn read(&self, may_break_rules: bool) -> Result<Entry, ReadError> {
        let reading = Reading { order: self.order, may_break_rules };
        let entry = match &self.written {
            Written::Grid(text, note) => reading
                .grid(text)
                .map(|puzzle| Entry::new(puzzle).with_source(note.clone()))
                .map_err(Reason::from),
            Written::Marks(text) => marks::read(text, reading),
            Written::Hodoku(line) => hodoku(line, reading),
            Written::Link(link) => links::read(link, reading),
            Written::Object(text) => json::read(text, reading),
            Written::Row(fields) => fields.read(reading),
            Written::Sdk(text) => sections::read_sdk(text, reading),
            Written::Ss(text) => sections::read_ss(text, reading),
        };
        entry.map_err(|reason| ReadError { location: self.location, reason })
    }
}

fn hodoku(line: &str, reading: Reading) -> Result<Entry, Reason> {
    if reading.order.is_some_and(|order| order != Order::NINE) {
        return Err(Reason::syntax("HoDoKu's library holds 9×9 puzzles only"));
    }
    let line: LibraryLine = line.parse()?;
    Ok(Entry::new(reading.checked(line.puzzle)?)
        .with_position(line.position)
        .with_source(line.code))
}

/// The records of a stream, one by one.
pub struct Records<R> {
    reader: Reader<R>,
    order: Option<Order>,
    ended: bool,
}

enum Reader<R> {
    List(list::List<R>),
    Hodoku(Lines<R>),
    Links(Lines<R>),
    Table(table::Rows<R>),
    Json(json::Objects<R>),
    Marks(marks::Blocks<R>),
    WholeFile(sections::WholeFile<R>),
    #[cfg(feature = "parquet")]
    Parquet(Result<crate::parquet::Rows, Option<ReadError>>),
    #[cfg(not(feature = "parquet"))]
    Parquet(Option<ReadError>),
}

/// Finds the records of a stream in a known format. `order` settles the size where boxes are not the usual ones.
///
/// ```
/// use formats::Format;
///
/// let file = "1..4..1..3..4..3\n1..4..q..3..4..3\n".as_bytes();
/// let items: Vec<_> = formats::read(Format::Line, file, None).entries().collect();
/// assert!(items[0].is_ok());
/// let error = items[1].as_ref().unwrap_err();
/// assert_eq!(error.to_string(), "line 2: row 2, column 3: \"q\" is neither a digit nor an empty cell");
/// ```
///
/// A Parquet file has its table of contents at the end, so a stream of one is first read as a whole;
/// `parquet::read` reads one that can be jumped about in.
pub fn read<R: BufRead>(format: Format, source: R, order: Option<Order>) -> Records<R> {
    let lines = Lines::new(source);
    let reader = match format {
        Format::Line | Format::Sdm | Format::Drawn | Format::Numbers => {
            Reader::List(list::List::new(lines, order))
        }
        Format::Hodoku => Reader::Hodoku(lines),
        Format::Sudokuwiki | Format::Fpuzzles | Format::Sudokupad => Reader::Links(lines),
        Format::Csv | Format::Tsv | Format::Semicolon | Format::Extreme => {
            Reader::Table(table::Rows::new(lines))
        }
        Format::Json => Reader::Json(json::Objects::new(lines.into_source())),
        Format::Marks => Reader::Marks(marks::Blocks { lines }),
        Format::Sdk | Format::Ss => {
            Reader::WholeFile(sections::WholeFile { lines, is_ss: format == Format::Ss })
        }
        Format::Parquet => parquet(lines.into_source(), order),
    };
    Records { reader, order, ended: false }
}

#[cfg(feature = "parquet")]
fn parquet<R: BufRead>(mut source: R, order: Option<Order>) -> Reader<R> {
    let mut file = Vec::new();
    let rows = match source.read_to_end(&mut file) {
        Ok(_) => crate::parquet::read(bytes::Bytes::from(file), order).map_err(Reason::Table),
        Err(error) => Err(Reason::Stream(error)),
    };
    Reader::Parquet(rows.map_err(|reason| Some(reason.at_line(1))))
}

#[cfg(not(feature = "parquet"))]
fn parquet<R: BufRead>(_: R, _: Option<Order>) -> Reader<R> {
    let error = std::io::Error::other("Parquet files are not supported by this build");
    Reader::Parquet(Some(Reason::Stream(error).at_line(1)))
}

/// What [`read_any`] reads from.
pub type Unpacked<'a> = BufReader<Box<dyn Read + Send + 'a>>;

/// Finds the records of a stream in the format that its beginning suggests, unpacked if it is packed.
pub fn read_any<'a>(
    source: impl BufRead + Send + 'a,
    order: Option<Order>,
) -> std::io::Result<(Format, Records<Unpacked<'a>>)> {
    let (_, unpacked) = unpack(source)?;
    let mut source = BufReader::with_capacity(1 << 16, unpacked);
    let format = Format::detect(source.fill_buf()?);
    Ok((format, read(format, source, order)))
}

impl<R: BufRead> Records<R> {
    /// The same, understood one by one; the clues keep the rules.
    pub fn entries(self) -> Entries<R> {
        Entries { records: self }
    }

    /// What is read from, to see what waits in its buffer; `None` for a table that was read as a whole.
    pub fn source(&self) -> Option<&R> {
        Some(match &self.reader {
            Reader::List(list) => list.lines.source(),
            Reader::Hodoku(lines) | Reader::Links(lines) => lines.source(),
            Reader::Table(rows) => rows.lines.source(),
            Reader::Json(objects) => &objects.source,
            Reader::Marks(blocks) => blocks.lines.source(),
            Reader::WholeFile(file) => file.lines.source(),
            Reader::Parquet(_) => return None,
        })
    }

    fn find(&mut self) -> Option<Result<Record, ReadError>> {
        let found = match &mut self.reader {
            Reader::List(list) => list.next(),
            Reader::Hodoku(lines) => next_line(lines, Written::Hodoku),
            Reader::Links(lines) => next_line(lines, Written::Link),
            Reader::Table(rows) => rows.next(),
            Reader::Json(objects) => objects.next(),
            Reader::Marks(blocks) => blocks.next(),
            Reader::WholeFile(file) => file.next(),
            #[cfg(feature = "parquet")]
            Reader::Parquet(Ok(rows)) => return rows.next(),
            #[cfg(feature = "parquet")]
            Reader::Parquet(Err(error)) => return error.take().map(Err),
            #[cfg(not(feature = "parquet"))]
            Reader::Parquet(error) => return error.take().map(Err),
        };
        Some(found?.map(|(line, written)| Record::at_line(line, self.order, written)))
    }
}

/// The next line that is neither empty nor a remark.
fn next_line<R: BufRead>(
    lines: &mut Lines<R>,
    written: fn(String) -> Written,
) -> Option<Result<(u64, Written), ReadError>> {
    loop {
        match lines.next_text()? {
            Ok((_, line)) if line.trim().is_empty() || line.trim().starts_with('#') => {}
            Ok((number, line)) => return Some(Ok((number, written(line)))),
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
        let item = self.find();
        self.ended = match &item {
            None => true,
            Some(Err(error)) => error.is_fatal(),
            Some(Ok(_)) => false,
        };
        item
    }
}

/// The entries of a stream, one by one.
pub struct Entries<R> {
    records: Records<R>,
}

impl<R: BufRead> Iterator for Entries<R> {
    type Item = Result<Entry, ReadError>;

    fn next(&mut self) -> Option<Result<Entry, ReadError>> {
        Some(self.records.next()?.and_then(|record| record.entry()))
    }
}
