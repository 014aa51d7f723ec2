//! Writes entries as a Parquet file, buffering one row group at a time.

use crate::entry::Entry;
use crate::marks;
use ::parquet::basic::Compression;
use ::parquet::data_type::{ByteArray, ByteArrayType};
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::parser::parse_message_type;
use ninefold::grid::text;
use std::io::{self, Write};
use std::sync::Arc;

/// The number of rows per row group, which are buffered before they are written.
pub const ROWS_PER_GROUP: usize = 10_000;

/// The columns of a TSV table.
const SCHEMA: &str = "message puzzles {
    REQUIRED BYTE_ARRAY puzzle (STRING);
    OPTIONAL BYTE_ARRAY solution (STRING);
    OPTIONAL BYTE_ARRAY rating (STRING);
    OPTIONAL BYTE_ARRAY source (STRING);
    OPTIONAL BYTE_ARRAY position (STRING);
}";

/// Writes entries as a table, compressed with Snappy, which every Parquet reader supports.
pub(crate) struct TableWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    pending: PendingRows,
}

/// The rows of the next group, column by column.
#[derive(Default)]
struct PendingRows {
    puzzles: Vec<String>,
    solutions: Vec<Option<String>>,
    ratings: Vec<Option<String>>,
    sources: Vec<Option<String>>,
    positions: Vec<Option<String>>,
}

impl<W: Write + Send> TableWriter<W> {
    pub(crate) fn new(sink: W) -> io::Result<TableWriter<W>> {
        let schema = Arc::new(parse_message_type(SCHEMA).map_err(to_io_error)?);
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let file =
            SerializedFileWriter::new(sink, schema, Arc::new(properties)).map_err(to_io_error)?;
        Ok(TableWriter { file, pending: PendingRows::default() })
    }

    pub(crate) fn write(&mut self, entry: &Entry) -> io::Result<()> {
        self.pending.puzzles.push(text::line(&entry.puzzle));
        self.pending.solutions.push(entry.solution.as_ref().map(text::line));
        self.pending.ratings.push(entry.rating.clone());
        self.pending.sources.push(entry.source.clone());
        let position = entry.position.as_ref().map(|position| marks::line(&entry.puzzle, position));
        self.pending.positions.push(position);
        if self.pending.puzzles.len() == ROWS_PER_GROUP { self.write_group() } else { Ok(()) }
    }

    /// Writes the last rows and the footer, without which the file is unreadable.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        if !self.pending.puzzles.is_empty() {
            self.write_group()?;
        }
        let mut sink = self.file.into_inner().map_err(to_io_error)?;
        sink.flush()?;
        Ok(sink)
    }

    pub(crate) fn sink(&mut self) -> &mut W {
        self.file.inner_mut()
    }

    fn write_group(&mut self) -> io::Result<()> {
        let PendingRows { puzzles, solutions, ratings, sources, positions } =
            std::mem::take(&mut self.pending);
        let puzzles = puzzles.into_iter().map(Some).collect();
        let mut group = self.file.next_row_group().map_err(to_io_error)?;
        let columns = [
            (puzzles, false),
            (solutions, true),
            (ratings, true),
            (sources, true),
            (positions, true),
        ];
        for (texts, is_optional) in columns {
            let levels: Vec<i16> =
                texts.iter().map(|text: &Option<String>| i16::from(text.is_some())).collect();
            let values: Vec<ByteArray> =
                texts.iter().flatten().map(|text| ByteArray::from(text.as_str())).collect();
            let mut column = group
                .next_column()
                .map_err(to_io_error)?
                .expect("the schema has as many columns as this array");
            let levels = is_optional.then_some(&levels[..]);
            column
                .typed::<ByteArrayType>()
                .write_batch(&values, levels, None)
                .map_err(to_io_error)?;
            column.close().map_err(to_io_error)?;
        }
        group.close().map_err(to_io_error)?;
        self.file.flush()
    }
}

/// Converts an error, keeping the kind of I/O errors so that callers can tell a closed pipe from a
/// full disk.
fn to_io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other.to_string()),
        },
        other => io::Error::other(other.to_string()),
    }
}
