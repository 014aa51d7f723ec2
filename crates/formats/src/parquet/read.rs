//! Reads the rows of a Parquet file as records.
//!
//! ```text
//! file ─▶ row group ─▶ all columns in parallel ─▶ 1,024 rows of each ─▶ records
//! ```
//! A row group is a block of rows that a Parquet file stores column by column.

use super::TableError;
use super::source::{Pages, Source};
use crate::error::{Location, ReadError, ReadErrorKind};
use crate::record::Record;
use crate::table::{Columns, Fields};
use ::parquet::basic::Type;
use ::parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use ::parquet::data_type::{ByteArray, DataType};
use ::parquet::errors::ParquetError;
use ::parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};
use ninefold::grid::Order;
use std::cell::Cell;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The number of rows read at a time.
const BATCH_ROWS: usize = 1_024;

/// Iterator over the rows of a table; created by [`read`].
pub struct Rows {
    file: Box<dyn FileReader>,
    columns: Columns,
    order: Option<Order>,
    /// The current row group, counted from 0.
    group: usize,
    open: Option<Group>,
    /// The number of rows returned.
    row: u64,
    ended: bool,
}

/// A partly read row group.
struct Group {
    columns: Vec<Column>,
    rows_left: u64,
    ready: VecDeque<Row>,
}

/// A column of a partly read row group.
struct Column {
    role: Role,
    reader: ColumnReader,
    /// The definition level of rows that have a value.
    full_level: i16,
}

/// The content of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Puzzle,
    Solution,
    Rating,
    Source,
    Position,
}

/// The fields of one row.
#[derive(Default)]
struct Row {
    puzzle: Field,
    solution: Field,
    rating: Field,
    source: Field,
    position: Field,
}

/// A field of a row; `NotText` if it is not valid UTF-8.
#[derive(Default)]
enum Field {
    #[default]
    Empty,
    Text(String),
    NotText,
}

/// Reads a table of puzzles. `order` is required only for sizes whose boxes are ambiguous or
/// unusual.
///
/// ```
/// use ninefold_formats::{Entry, Format, Writer, parquet};
///
/// let mut writer = Writer::new(Format::Parquet, Vec::new())?;
/// writer.write(&Entry::new("1..4..1..3..4..3".parse()?))?;
/// let file = bytes::Bytes::from(writer.finish()?);
/// let mut rows = parquet::read(file, None)?;
/// assert_eq!(rows.next().unwrap()?.entry()?.puzzle.to_string(), "1..4..1..3..4..3");
/// assert!(rows.next().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read<R: ChunkReader + 'static>(source: R, order: Option<Order>) -> Result<Rows, TableError> {
    let file =
        catch_panic(|| SerializedFileReader::new(Source(source))).map_err(TableError::Damaged)?;
    let schema = file.metadata().file_metadata().schema_descr();
    let paths: Vec<String> = schema.columns().iter().map(|column| column.path().string()).collect();
    let names: Vec<&str> = paths.iter().map(String::as_str).collect();
    let columns = Columns::from_names(&names)
        .ok_or_else(|| TableError::NoPuzzles { found: paths.join(", ") })?;
    for (_, column) in roles(&columns) {
        let kind = schema.column(column);
        let not_text = |found: String| TableError::NotText { column: paths[column].clone(), found };
        if kind.max_rep_level() > 0 {
            return Err(not_text("lists".to_string()));
        }
        if matches!(kind.physical_type(), Type::INT96 | Type::BOOLEAN) {
            return Err(not_text(format!("values of type {}", kind.physical_type())));
        }
    }
    Ok(Rows { file: Box::new(file), columns, order, group: 0, open: None, row: 0, ended: false })
}

fn roles(columns: &Columns) -> Vec<(Role, usize)> {
    let all = [
        (Role::Puzzle, Some(columns.puzzle)),
        (Role::Solution, columns.solution),
        (Role::Rating, columns.rating),
        (Role::Source, columns.source),
        (Role::Position, columns.position),
    ];
    all.into_iter().filter_map(|(role, column)| Some((role, column?.into()))).collect()
}

impl Iterator for Rows {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Result<Record, ReadError>> {
        if self.ended {
            return None;
        }
        let row = match self.next_row() {
            Ok(Some(row)) => row,
            Ok(None) => {
                self.ended = true;
                return None;
            }
            Err(error) => {
                self.ended = true;
                let kind = ReadErrorKind::Stream(std::io::Error::other(error));
                return Some(Err(ReadError { location: self.location(self.row + 1), kind }));
            }
        };
        self.row += 1;
        let location = self.location(self.row);
        let record = fields_from(row).map(|fields| Record::at_row(location, self.order, fields));
        Some(record.map_err(|kind| ReadError { location, kind }))
    }
}

impl Rows {
    /// The next row, from this row group or the next one that is not empty.
    fn next_row(&mut self) -> Result<Option<Row>, String> {
        loop {
            let Some(group) = &mut self.open else {
                if self.group >= self.file.num_row_groups() {
                    return Ok(None);
                }
                self.open = Some(self.open_group()?);
                continue;
            };
            if let Some(row) = group.ready.pop_front() {
                return Ok(Some(row));
            }
            if group.rows_left == 0 {
                self.open = None;
                self.group += 1;
                continue;
            }
            group.read_more()?;
        }
    }

    fn open_group(&self) -> Result<Group, String> {
        catch_panic(|| {
            let reader = self.file.get_row_group(self.group)?;
            let rows_left = reader.metadata().num_rows().max(0) as u64;
            let column = |(role, index): (Role, usize)| {
                let description = reader.metadata().schema_descr().column(index);
                let full_level = description.max_def_level();
                let pages = Box::new(Pages(reader.get_column_page_reader(index)?));
                Ok(Column { role, reader: get_column_reader(description, pages), full_level })
            };
            let columns = roles(&self.columns)
                .into_iter()
                .map(column)
                .collect::<Result<_, ParquetError>>()?;
            Ok(Group { columns, rows_left, ready: VecDeque::new() })
        })
    }

    fn location(&self, row: u64) -> Location {
        Location::Row { group: self.group + 1, row }
    }
}

fn fields_from(row: Row) -> Result<Fields, ReadErrorKind> {
    let text = |field: Field| match field {
        Field::Empty => Ok(None),
        Field::Text(text) => Ok(Some(text)),
        Field::NotText => Err(ReadErrorKind::NotText),
    };
    Ok(Fields {
        puzzle: text(row.puzzle)?,
        solution: text(row.solution)?,
        rating: text(row.rating)?,
        source: text(row.source)?,
        position: text(row.position)?,
    })
}

impl Group {
    fn read_more(&mut self) -> Result<(), String> {
        let wanted = (self.rows_left.min(BATCH_ROWS as u64)) as usize;
        let mut rows: Vec<Row> = (0..wanted).map(|_| Row::default()).collect();
        for column in &mut self.columns {
            let fields = catch_panic(|| column.fields(wanted))?;
            if fields.len() != wanted {
                return Err(format!("a column ends after {} of {wanted} rows", fields.len()));
            }
            for (row, field) in rows.iter_mut().zip(fields) {
                match column.role {
                    Role::Puzzle => row.puzzle = field,
                    Role::Solution => row.solution = field,
                    Role::Rating => row.rating = field,
                    Role::Source => row.source = field,
                    Role::Position => row.position = field,
                }
            }
        }
        self.rows_left -= wanted as u64;
        self.ready.extend(rows);
        Ok(())
    }
}

impl Column {
    /// The next `count` fields; numbers are formatted as text.
    fn fields(&mut self, count: usize) -> Result<Vec<Field>, ParquetError> {
        let from_bytes = |bytes: &[u8]| match str::from_utf8(bytes) {
            Ok(text) if text.trim().is_empty() => Field::Empty,
            Ok(text) => Field::Text(text.trim().to_string()),
            Err(_) => Field::NotText,
        };
        let from_number = |number: &dyn ToString| Field::Text(number.to_string());
        let full = self.full_level;
        match &mut self.reader {
            ColumnReader::ByteArrayColumnReader(reader) => {
                values(reader, full, count, |bytes| from_bytes(bytes.data()))
            }
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                values(reader, full, count, |bytes| {
                    from_bytes(ByteArray::from(bytes.clone()).data())
                })
            }
            ColumnReader::Int32ColumnReader(reader) => {
                values(reader, full, count, |number| from_number(number))
            }
            ColumnReader::Int64ColumnReader(reader) => {
                values(reader, full, count, |number| from_number(number))
            }
            ColumnReader::FloatColumnReader(reader) => {
                values(reader, full, count, |number| from_number(number))
            }
            ColumnReader::DoubleColumnReader(reader) => {
                values(reader, full, count, |number| from_number(number))
            }
            ColumnReader::BoolColumnReader(_) | ColumnReader::Int96ColumnReader(_) => {
                Err(ParquetError::General("unsupported column type".to_string()))
            }
        }
    }
}

fn values<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    full_level: i16,
    count: usize,
    to_field: impl Fn(&T::T) -> Field,
) -> Result<Vec<Field>, ParquetError> {
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    let mut rows = 0;
    while rows < count {
        let (read, ..) = reader.read_records(count - rows, Some(&mut levels), None, &mut values)?;
        if read == 0 {
            break;
        }
        rows += read;
    }
    // A required column has no definition levels.
    if full_level == 0 {
        return Ok(values.iter().map(to_field).collect());
    }
    let mut values = values.iter();
    let mut field =
        |level: i16| if level == full_level { values.next().map(&to_field) } else { None };
    Ok(levels.into_iter().map(|level| field(level).unwrap_or_default()).collect())
}

thread_local! {
    static IS_READING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread reads a Parquet file now. Its panics become errors, so a panic hook should
/// print nothing.
pub fn panics_are_errors() -> bool {
    IS_READING.get()
}

/// Calls into the `parquet` crate, which may panic on maliciously damaged files, and turns a panic
/// into an error.
fn catch_panic<T>(work: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, String> {
    IS_READING.set(true);
    let outcome = catch_unwind(AssertUnwindSafe(work));
    IS_READING.set(false);
    match outcome {
        Ok(outcome) => outcome.map_err(|error| error.to_string()),
        Err(_) => Err("the file is inconsistent".to_string()),
    }
}
