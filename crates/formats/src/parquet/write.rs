//! Writing: entries are gathered and leave as row groups.

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

/// Rows that are held before they are written.
pub const ROWS_PER_GROUP: usize = 10_000;

/// The columns, named as in Sudoku-Extreme, and one for positions.
const SCHEMA: &str = "message puzzles {
    OPTIONAL BYTE_ARRAY source (STRING);
    REQUIRED BYTE_ARRAY question (STRING);
    OPTIONAL BYTE_ARRAY answer (STRING);
    OPTIONAL BYTE_ARRAY rating (STRING);
    OPTIONAL BYTE_ARRAY position (STRING);
}";

/// Writes entries as a table, packed with Snappy, which every reader of Parquet knows.
pub(crate) struct TableWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    waiting: Waiting,
}

/// The rows of the next group, column by column.
#[derive(Default)]
struct Waiting {
    sources: Vec<Option<String>>,
    questions: Vec<String>,
    answers: Vec<Option<String>>,
    ratings: Vec<Option<String>>,
    positions: Vec<Option<String>>,
}

impl<W: Write + Send> TableWriter<W> {
    /// Starts a table.
    pub(crate) fn new(sink: W) -> io::Result<TableWriter<W>> {
        let schema = Arc::new(parse_message_type(SCHEMA).map_err(cannot_write)?);
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let file =
            SerializedFileWriter::new(sink, schema, Arc::new(properties)).map_err(cannot_write)?;
        Ok(TableWriter { file, waiting: Waiting::default() })
    }

    /// Adds a row.
    pub(crate) fn write(&mut self, entry: &Entry) -> io::Result<()> {
        self.waiting.sources.push(entry.source.clone());
        self.waiting.questions.push(text::line(&entry.puzzle));
        self.waiting.answers.push(entry.solution.as_ref().map(text::line));
        self.waiting.ratings.push(entry.rating.clone());
        let position = entry.position.as_ref().map(|position| marks::line(&entry.puzzle, position));
        self.waiting.positions.push(position);
        if self.waiting.questions.len() == ROWS_PER_GROUP { self.write_group() } else { Ok(()) }
    }

    /// Writes the last rows and the end of the file, without which nobody can read it.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        if !self.waiting.questions.is_empty() {
            self.write_group()?;
        }
        let mut sink = self.file.into_inner().map_err(cannot_write)?;
        sink.flush()?;
        Ok(sink)
    }

    /// What is written to.
    pub(crate) fn sink(&mut self) -> &mut W {
        self.file.inner_mut()
    }

    fn write_group(&mut self) -> io::Result<()> {
        let Waiting { sources, questions, answers, ratings, positions } =
            std::mem::take(&mut self.waiting);
        let questions = questions.into_iter().map(Some).collect();
        let mut group = self.file.next_row_group().map_err(cannot_write)?;
        let columns = [
            (sources, true),
            (questions, false),
            (answers, true),
            (ratings, true),
            (positions, true),
        ];
        for (texts, is_optional) in columns {
            let levels: Vec<i16> =
                texts.iter().map(|text: &Option<String>| i16::from(text.is_some())).collect();
            let values: Vec<ByteArray> =
                texts.iter().flatten().map(|text| ByteArray::from(text.as_str())).collect();
            let mut column = group
                .next_column()
                .map_err(cannot_write)?
                .expect("there are as many columns as in the schema");
            let levels = is_optional.then_some(&levels[..]);
            column
                .typed::<ByteArrayType>()
                .write_batch(&values, levels, None)
                .map_err(cannot_write)?;
            column.close().map_err(cannot_write)?;
        }
        group.close().map_err(cannot_write)?;
        self.file.flush()
    }
}

/// An error of the sink keeps its kind, so that a reader who has left is told from a full disk.
fn cannot_write(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other.to_string()),
        },
        other => io::Error::other(other.to_string()),
    }
}
