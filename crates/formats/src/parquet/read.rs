//! Reading: rows as records, a few at a time.
//!
//! ```text
//! file ─▶ row group ─▶ its columns side by side ─▶ 1,024 rows of each ─▶ records
//! ```

use super::TableError;
use crate::error::{Location, ReadError, Reason};
use crate::record::Record;
use crate::table::{Columns, Fields};
use ::parquet::basic::Type;
use ::parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use ::parquet::data_type::{ByteArray, DataType};
use ::parquet::errors::ParquetError;
use ::parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};
use ninefold::grid::Order;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Rows that are read at once.
const ROWS_AT_ONCE: usize = 1_024;

/// The rows of a table, one by one.
pub struct Rows {
    file: Box<dyn FileReader>,
    columns: Columns,
    order: Option<Order>,
    /// The row group that is read, counted from 0.
    group: usize,
    open: Option<Group>,
    /// Rows handed out so far.
    row: u64,
    ended: bool,
}

/// A row group under way.
struct Group {
    columns: Vec<Column>,
    rows_left: u64,
    ready: VecDeque<Row>,
}

/// A column of a row group under way.
struct Column {
    role: Role,
    reader: ColumnReader,
    /// The level of rows that have a value.
    full_level: i16,
}

/// What a column says about a puzzle.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Puzzle,
    Solution,
    Rating,
    Source,
    Position,
}

/// The texts of one row.
#[derive(Default)]
struct Row {
    puzzle: Cell,
    solution: Cell,
    rating: Cell,
    source: Cell,
    position: Cell,
}

/// A text, nothing, or bytes that are not text.
#[derive(Default)]
enum Cell {
    #[default]
    Empty,
    Text(String),
    NotText,
}

/// Finds the rows of a table of puzzles. `order` settles the size where boxes are not the usual ones.
///
/// ```
/// use formats::{Entry, Format, Writer, parquet};
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
    let file = guarded(|| SerializedFileReader::new(source)).map_err(TableError::Damaged)?;
    let schema = file.metadata().file_metadata().schema_descr();
    let paths: Vec<String> = schema.columns().iter().map(|column| column.path().string()).collect();
    let names: Vec<&str> = paths.iter().map(String::as_str).collect();
    let columns =
        Columns::named(&names).ok_or_else(|| TableError::NoPuzzles { found: paths.join(", ") })?;
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
    all.into_iter().filter_map(|(role, column)| Some((role, column?))).collect()
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
                let reason = Reason::Stream(std::io::Error::other(error));
                return Some(Err(ReadError { location: self.location(self.row + 1), reason }));
            }
        };
        self.row += 1;
        let location = self.location(self.row);
        let record = fields_of(row).map(|fields| Record::at_row(location, self.order, fields));
        Some(record.map_err(|reason| ReadError { location, reason }))
    }
}

impl Rows {
    /// The texts of the next row, from this row group or the next one that has any.
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
        guarded(|| {
            let reader = self.file.get_row_group(self.group)?;
            let rows_left = reader.metadata().num_rows().max(0) as u64;
            let column = |(role, index): (Role, usize)| {
                let full_level = reader.metadata().column(index).column_descr().max_def_level();
                Ok(Column { role, reader: reader.get_column_reader(index)?, full_level })
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

fn fields_of(row: Row) -> Result<Fields, Reason> {
    let text = |cell: Cell| match cell {
        Cell::Empty => Ok(None),
        Cell::Text(text) => Ok(Some(text)),
        Cell::NotText => Err(Reason::NotText),
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
        let wanted = (self.rows_left.min(ROWS_AT_ONCE as u64)) as usize;
        let mut rows: Vec<Row> = (0..wanted).map(|_| Row::default()).collect();
        for column in &mut self.columns {
            let cells = guarded(|| column.cells(wanted))?;
            if cells.len() != wanted {
                return Err(format!("a column ends after {} of {wanted} rows", cells.len()));
            }
            for (row, cell) in rows.iter_mut().zip(cells) {
                match column.role {
                    Role::Puzzle => row.puzzle = cell,
                    Role::Solution => row.solution = cell,
                    Role::Rating => row.rating = cell,
                    Role::Source => row.source = cell,
                    Role::Position => row.position = cell,
                }
            }
        }
        self.rows_left -= wanted as u64;
        self.ready.extend(rows);
        Ok(())
    }
}

impl Column {
    /// The next cells; numbers are written out.
    fn cells(&mut self, count: usize) -> Result<Vec<Cell>, ParquetError> {
        let of_bytes = |bytes: &[u8]| match str::from_utf8(bytes) {
            Ok(text) if text.trim().is_empty() => Cell::Empty,
            Ok(text) => Cell::Text(text.trim().to_string()),
            Err(_) => Cell::NotText,
        };
        let written = |number: &dyn ToString| Cell::Text(number.to_string());
        let full = self.full_level;
        match &mut self.reader {
            ColumnReader::ByteArrayColumnReader(reader) => {
                values(reader, full, count, |bytes| of_bytes(bytes.data()))
            }
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                values(reader, full, count, |bytes| of_bytes(ByteArray::from(bytes.clone()).data()))
            }
            ColumnReader::Int32ColumnReader(reader) => {
                values(reader, full, count, |number| written(number))
            }
            ColumnReader::Int64ColumnReader(reader) => {
                values(reader, full, count, |number| written(number))
            }
            ColumnReader::FloatColumnReader(reader) => {
                values(reader, full, count, |number| written(number))
            }
            ColumnReader::DoubleColumnReader(reader) => {
                values(reader, full, count, |number| written(number))
            }
            ColumnReader::BoolColumnReader(_) | ColumnReader::Int96ColumnReader(_) => {
                Err(ParquetError::General("a column of another type".to_string()))
            }
        }
    }
}

fn values<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    full_level: i16,
    count: usize,
    cell_of: impl Fn(&T::T) -> Cell,
) -> Result<Vec<Cell>, ParquetError> {
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    let mut rows = 0;
    while rows < count {
        let (read, ..) = reader.read_records(count - rows, Some(&mut levels), None, &mut values)?;
        if read == 0 {
            break;
        }
        rows += read;
    }
    // A column in which every row must have a value has no levels.
    if full_level == 0 {
        return Ok(values.iter().map(cell_of).collect());
    }
    let mut values = values.iter();
    let mut cell =
        |level: i16| if level == full_level { values.next().map(&cell_of) } else { None };
    Ok(levels.into_iter().map(|level| cell(level).unwrap_or_default()).collect())
}

/// Calls into the Parquet crate, which may panic on files that were damaged with skill; that is an error like others.
fn guarded<T>(work: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(outcome) => outcome.map_err(|error| error.to_string()),
        Err(_) => Err("the file contradicts itself".to_string()),
    }
}
