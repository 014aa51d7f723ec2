//! A fast CSV reader for lines without quotes, which searches only for newlines and delimiters.
//!
//! The CSV reader of the query engine (DataFusion) runs every byte through a state machine, because
//! quotes change the meaning of the bytes after them. Lines without quotes do not need this. In
//! outline:
//!
//! ```text
//! for each line of this part of the file:
//!     blank or a comment: skip the line
//!     with a quote, a lone carriage return, a byte order mark, invalid UTF-8
//!     or a wrong number of fields: the engine's reader takes over for the rest of this part
//!     otherwise: split the line at the delimiters; an empty field is NULL
//! ```
//! So the results are always those of the engine. Compressed files, queries that read a column that
//! is not text, and clusters use the engine's reader from the start. It takes 1.8 times as long per
//! row: `benchmarks/records/2026-11-18-plain-csv.md`.

use arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, StringBuilder};
use arrow::csv::{Reader, ReaderBuilder};
use arrow::datatypes::{DataType, SchemaRef};
use async_trait::async_trait;
use datafusion::catalog::Session;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DataFusionError, Result, Statistics, exec_err};
use datafusion::config::CsvOptions;
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::csv::CsvFormat;
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::listing::{FileRange, PartitionedFile};
use datafusion::datasource::physical_plan::{
    FileOpenFuture, FileOpener, FileScanConfig, FileScanConfigBuilder, FileSource,
};
use datafusion::datasource::projection::{ProjectionOpener, SplitProjection};
use datafusion::datasource::source::DataSourceExec;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::object_store::{GetOptions, GetResultPayload, ObjectMeta, ObjectStore};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::projection::ProjectionExprs;
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use datafusion::physical_plan::{DisplayFormatType, ExecutionPlan};
use futures::StreamExt;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read, Seek, SeekFrom, Take};
use std::sync::Arc;

/// The number of bytes read at a time: a few batches, small enough to stay in the cache until they
/// are split into fields.
const BLOCK: usize = 1 << 18;

/// The CSV format of the engine, read by the fast reader of this module where possible.
#[derive(Debug)]
pub struct PlainCsv(pub CsvFormat);

#[async_trait]
impl FileFormat for PlainCsv {
    fn get_ext(&self) -> String {
        self.0.get_ext()
    }

    fn get_ext_with_compression(&self, compression: &FileCompressionType) -> Result<String> {
        self.0.get_ext_with_compression(compression)
    }

    fn compression_type(&self) -> Option<FileCompressionType> {
        self.0.compression_type()
    }

    async fn infer_schema(
        &self,
        state: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        objects: &[ObjectMeta],
    ) -> Result<SchemaRef> {
        self.0.infer_schema(state, store, objects).await
    }

    async fn infer_stats(
        &self,
        state: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        schema: SchemaRef,
        object: &ObjectMeta,
    ) -> Result<Statistics> {
        self.0.infer_stats(state, store, schema, object).await
    }

    async fn create_physical_plan(
        &self,
        _: &dyn Session,
        scan: FileScanConfig,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let compression = self.0.compression_type().unwrap_or(FileCompressionType::UNCOMPRESSED);
        let scan =
            FileScanConfigBuilder::from(scan).with_file_compression_type(compression).build();
        Ok(DataSourceExec::from_data_source(scan))
    }

    fn file_source(&self, table: TableSchema) -> Arc<dyn FileSource> {
        let (engines, options) = (self.0.file_source(table), self.0.options().clone());
        Arc::new(PlainSource { engines, options, rows_at_once: 0 })
    }
}

/// The engine's file source, with the fast reader of this module in place of the engine's reader.
#[derive(Clone)]
struct PlainSource {
    engines: Arc<dyn FileSource>,
    options: CsvOptions,
    rows_at_once: usize,
}

impl PlainSource {
    fn with_engine(&self, engines: Arc<dyn FileSource>) -> Arc<dyn FileSource> {
        Arc::new(PlainSource { engines, ..self.clone() })
    }
}

impl FileSource for PlainSource {
    fn create_file_opener(
        &self,
        store: Arc<dyn ObjectStore>,
        scan: &FileScanConfig,
        part: usize,
    ) -> Result<Arc<dyn FileOpener>> {
        let table = self.engines.table_schema();
        let split = match self.engines.projection() {
            Some(projection) => SplitProjection::new(table.file_schema(), projection),
            None => SplitProjection::unprojected(table),
        };
        let is_text =
            |&column: &usize| *table.file_schema().field(column).data_type() == DataType::Utf8;
        let defaults = CsvOptions::default();
        let has_defaults = (self.options.escape, self.options.terminator, &self.options.null_regex)
            == (defaults.escape, defaults.terminator, &defaults.null_regex);
        if scan.file_compression_type.is_compressed()
            || !has_defaults
            || !split.file_indices.iter().all(is_text)
        {
            return self.engines.create_file_opener(store, scan, part);
        }
        let dialect = Dialect {
            file_schema: Arc::clone(table.file_schema()),
            schema: Arc::new(table.file_schema().project(&split.file_indices)?),
            wanted: split.file_indices.clone(),
            delimiter: self.options.delimiter,
            quote: self.options.quote,
            comment: self.options.comment,
            rows_at_once: self.rows_at_once,
        };
        let has_header = self.options.has_header.unwrap_or(true);
        ProjectionOpener::try_new(
            split,
            Arc::new(Opener { store, dialect, has_header }),
            table.file_schema(),
        )
    }

    fn table_schema(&self) -> &TableSchema {
        self.engines.table_schema()
    }

    fn with_batch_size(&self, rows: usize) -> Arc<dyn FileSource> {
        Arc::new(PlainSource {
            engines: self.engines.with_batch_size(rows),
            options: self.options.clone(),
            rows_at_once: rows,
        })
    }

    fn projection(&self) -> Option<&ProjectionExprs> {
        self.engines.projection()
    }

    fn try_pushdown_projection(
        &self,
        projection: &ProjectionExprs,
    ) -> Result<Option<Arc<dyn FileSource>>> {
        Ok(self
            .engines
            .try_pushdown_projection(projection)?
            .map(|engines| self.with_engine(engines)))
    }

    fn metrics(&self) -> &ExecutionPlanMetricsSet {
        self.engines.metrics()
    }

    fn file_type(&self) -> &str {
        self.engines.file_type()
    }

    fn supports_repartitioning(&self) -> bool {
        self.engines.supports_repartitioning()
    }

    fn fmt_extra(&self, kind: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.engines.fmt_extra(kind, f)
    }

    fn apply_expressions(
        &self,
        visit: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        self.engines.apply_expressions(visit)
    }
}

struct Opener {
    store: Arc<dyn ObjectStore>,
    dialect: Dialect,
    has_header: bool,
}

impl FileOpener for Opener {
    fn open(&self, file: PartitionedFile) -> Result<FileOpenFuture> {
        let (store, dialect, has_header) =
            (Arc::clone(&self.store), self.dialect.clone(), self.has_header);
        Ok(Box::pin(async move {
            let GetResultPayload::File(open, _) =
                store.get_opts(&file.object_meta.location, GetOptions::default()).await?.payload
            else {
                return exec_err!(
                    "this is a bug in Ninefold: {} is not a file",
                    file.object_meta.location
                );
            };
            let rows = PlainRows::new(open, file.range.as_ref(), has_header, dialect)?;
            Ok(futures::stream::iter(rows).boxed())
        }))
    }
}

/// The CSV dialect and the requested columns.
#[derive(Clone, Debug)]
struct Dialect {
    file_schema: SchemaRef,
    /// The requested columns, all text.
    schema: SchemaRef,
    /// The indices of the requested columns in a line, ascending.
    wanted: Vec<usize>,
    delimiter: u8,
    quote: u8,
    comment: Option<u8>,
    rows_at_once: usize,
}

/// Iterator over the batches of a part of a file.
struct PlainRows {
    dialect: Dialect,
    /// Whether the first line that is not blank is a heading.
    has_header: bool,
    reader: Rows,
}

/// The buffered bytes and the rest of the file.
type Rest = Chain<Cursor<Vec<u8>>, Take<File>>;

enum Rows {
    Plain(Lines),
    Engines(Box<Reader<Rest>>),
    End,
}

impl PlainRows {
    fn new(
        mut file: File,
        range: Option<&FileRange>,
        has_header: bool,
        dialect: Dialect,
    ) -> io::Result<PlainRows> {
        let size = file.metadata()?.len();
        let (start, end) = match range {
            Some(range) => (
                align(&mut file, range.start as u64, size)?,
                align(&mut file, range.end as u64, size)?,
            ),
            None => (0, size),
        };
        file.seek(SeekFrom::Start(start))?;
        let has_header = has_header && start == 0;
        Ok(PlainRows {
            dialect,
            has_header,
            reader: Rows::Plain(Lines::new(file.take(end - start))),
        })
    }

    /// The next rows of plain lines. Returns fewer rows than a batch, or none, at the end of the
    /// part or before a line that the reader of the engine must process.
    fn plain(&mut self) -> Result<RecordBatch> {
        let Rows::Plain(lines) = &mut self.reader else {
            unreachable!("the caller has checked this")
        };
        let dialect = &self.dialect;
        let mut columns: Vec<StringBuilder> =
            dialect.wanted.iter().map(|_| dialect.column()).collect();
        let mut rows = 0;
        while rows < dialect.rows_at_once {
            let Some(line) = lines.peek()? else { break };
            let length = line.len();
            let text = line.strip_suffix(b"\n").unwrap_or(line);
            let text = text.strip_suffix(b"\r").unwrap_or(text);
            let is_comment = dialect.comment.is_some() && text.first().copied() == dialect.comment;
            if !text.is_empty() && !is_comment {
                if !dialect.is_plain(text) {
                    break;
                }
                if self.has_header {
                    self.has_header = false;
                } else {
                    dialect.split(text, &mut columns);
                    rows += 1;
                }
            }
            lines.advance(length);
        }
        let columns: Vec<ArrayRef> =
            columns.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        Ok(RecordBatch::try_new_with_options(Arc::clone(&dialect.schema), columns, &options)?)
    }

    fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        if let Rows::Plain(_) = &self.reader {
            let batch = self.plain()?;
            if batch.num_rows() > 0 {
                return Ok(Some(batch));
            }
            if let Rows::Plain(lines) = std::mem::replace(&mut self.reader, Rows::End) {
                let (seen, unread) = lines.rest();
                let rest = Cursor::new(seen).chain(unread);
                self.reader = Rows::Engines(Box::new(
                    self.dialect.engines_reader(self.has_header).build(rest)?,
                ));
            }
        }
        match &mut self.reader {
            Rows::Engines(reader) => Ok(reader.next().transpose()?),
            _ => Ok(None),
        }
    }
}

impl Iterator for PlainRows {
    type Item = Result<RecordBatch, DataFusionError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.next_batch();
        if batch.is_err() {
            self.reader = Rows::End;
        }
        batch.transpose()
    }
}

impl Dialect {
    fn column(&self) -> StringBuilder {
        const BYTES_EXPECTED: usize = 81;
        StringBuilder::with_capacity(self.rows_at_once, BYTES_EXPECTED * self.rows_at_once)
    }

    /// Whether `split` supports this line without its line break.
    fn is_plain(&self, text: &[u8]) -> bool {
        const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
        let fields = memchr::memchr_iter(self.delimiter, text).count() + 1;
        fields == self.file_schema.fields().len()
            && memchr::memchr2(self.quote, b'\r', text).is_none()
            && !text.starts_with(BYTE_ORDER_MARK)
            && std::str::from_utf8(text).is_ok()
    }

    /// Appends the requested fields to their columns.
    fn split(&self, text: &[u8], columns: &mut [StringBuilder]) {
        let mut ends = memchr::memchr_iter(self.delimiter, text).chain([text.len()]);
        let (mut start, mut place) = (0, 0);
        for (&wanted, column) in self.wanted.iter().zip(columns) {
            // Skip fields that are not requested.
            let mut end = ends.next().expect("the fields were counted");
            while place < wanted {
                (start, place) = (end + 1, place + 1);
                end = ends.next().expect("the fields were counted");
            }
            let field = std::str::from_utf8(&text[start..end])
                .expect("UTF-8 split at ASCII delimiters is UTF-8");
            if field.is_empty() {
                column.append_null()
            } else {
                column.append_value(field)
            }
            (start, place) = (end + 1, place + 1);
        }
    }

    fn engines_reader(&self, has_header: bool) -> ReaderBuilder {
        let builder = ReaderBuilder::new(Arc::clone(&self.file_schema))
            .with_delimiter(self.delimiter)
            .with_quote(self.quote)
            .with_header(has_header)
            .with_batch_size(self.rows_at_once)
            .with_projection(self.wanted.clone());
        match self.comment {
            Some(comment) => builder.with_comment(comment),
            None => builder,
        }
    }
}

/// The start of the first line at or after `place`. A line belongs to the part of the file in which
/// it starts.
fn align(file: &mut File, place: u64, size: u64) -> io::Result<u64> {
    if place == 0 || place >= size {
        return Ok(place.min(size));
    }
    file.seek(SeekFrom::Start(place - 1))?;
    let before = place - 1;
    let mut reader = BufReader::new(file);
    let skipped = reader.skip_until(b'\n')?;
    Ok(before + skipped as u64)
}

/// Reads lines in blocks.
struct Lines {
    file: Take<File>,
    /// `block[at..end]` is buffered and not yet consumed.
    block: Vec<u8>,
    at: usize,
    end: usize,
}

impl Lines {
    fn new(file: Take<File>) -> Lines {
        Lines { file, block: vec![0; BLOCK], at: 0, end: 0 }
    }

    /// The next line with its line break, which the last line may lack.
    fn peek(&mut self) -> io::Result<Option<&[u8]>> {
        let mut searched = 0;
        loop {
            let unread = &self.block[self.at..self.end];
            if let Some(newline) = memchr::memchr(b'\n', &unread[searched..]) {
                let line = self.at..self.at + searched + newline + 1;
                return Ok(Some(&self.block[line]));
            }
            searched = unread.len();
            if !self.read_more()? {
                return Ok((self.at < self.end).then(|| &self.block[self.at..self.end]));
            }
        }
    }

    fn advance(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Reads more bytes; false at the end of the file. The block grows for lines that are longer.
    fn read_more(&mut self) -> io::Result<bool> {
        self.block.copy_within(self.at..self.end, 0);
        (self.at, self.end) = (0, self.end - self.at);
        if self.end == self.block.len() {
            self.block.resize(2 * self.end, 0);
        }
        let read = self.file.read(&mut self.block[self.end..])?;
        self.end += read;
        Ok(read > 0)
    }

    /// The buffered bytes and the unread rest of the file.
    fn rest(self) -> (Vec<u8>, Take<File>) {
        (self.block[self.at..self.end].to_vec(), self.file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::datatypes::{Field, Schema};
    use arrow::util::pretty::pretty_format_batches;
    use std::io::Write;

    fn dialect(columns: &[&str], wanted: &[usize], rows_at_once: usize) -> Dialect {
        let fields: Vec<Field> =
            columns.iter().map(|name| Field::new(*name, DataType::Utf8, true)).collect();
        let file_schema = Arc::new(Schema::new(fields));
        let schema = Arc::new(file_schema.project(wanted).unwrap());
        let wanted = wanted.to_vec();
        Dialect {
            file_schema,
            schema,
            wanted,
            delimiter: b',',
            quote: b'"',
            comment: Some(b'#'),
            rows_at_once,
        }
    }

    fn file(text: &str) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file
    }

    /// All rows as a table, or the first error.
    fn format_rows(
        batches: impl Iterator<Item = Result<RecordBatch, String>>,
    ) -> Result<String, String> {
        let batches = batches.collect::<Result<Vec<_>, _>>()?;
        let rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
        Ok(format!("{}\n{rows}", pretty_format_batches(&batches).unwrap()))
    }

    fn ours(text: &str, ranges: &[Option<FileRange>], dialect: &Dialect) -> Result<String, String> {
        let rows = ranges.iter().flat_map(|range| {
            PlainRows::new(file(text), range.as_ref(), true, dialect.clone()).unwrap()
        });
        format_rows(rows.map(|batch| batch.map_err(|error| error.strip_backtrace())))
    }

    fn engines(text: &str, dialect: &Dialect) -> Result<String, String> {
        let mut open = file(text);
        open.rewind().unwrap();
        let reader = dialect.engines_reader(true).build(open).unwrap();
        format_rows(
            reader
                .map(|batch| batch.map_err(|error| DataFusionError::from(error).strip_backtrace())),
        )
    }

    #[test]
    fn rows_match_the_reader_of_the_engine() {
        let long = "x".repeat(3 * BLOCK);
        for text in [
            "a,b,c\n1,2,3\n4,5,6\n",
            "a,b,c\n1,2,3\n4,5,6",
            "a,b,c\r\n1,2,3\r\n\r\n4,,6\r\n",
            "\n\na,b,c\n\n,,\n#,1,2\n  , ü ,€\n",
            "a,b,c\n1,2,3\n\"4,5\",6,7\n8,9,10\n",
            "a,b,c\n1,\"2\n3\",4\n5,6,7\n",
            "\"a\",b,c\n1,2,3\n",
            "\u{feff}a,b,c\n1,2,3\n",
            "a,b,c\r1,2,3\r4,5,6\r",
            "a,b,c\n1,2,3\n4,5\n",
            "a,b,c\n1,2,3\n4,5,6,7\n",
            "a,b,c\n",
            "a,b,c",
            "",
            &format!("a,b,c\n{long},1,{long}\n2,3,4\n"),
            &format!("a,b,c\n{}", "53..7....,534678912,\n".repeat(BLOCK / 8)),
        ] {
            for wanted in [&[0, 1, 2][..], &[1], &[0, 2], &[2], &[]] {
                let dialect = dialect(&["a", "b", "c"], wanted, 100);
                // Errors contain a line number, which is relative if the engine's reader continues.
                let without_line = |result: Result<String, String>| {
                    result.map_err(|error| error.split(" for line").next().unwrap().to_string())
                };
                let (ours, engines) = (ours(text, &[None], &dialect), engines(text, &dialect));
                assert!(
                    without_line(ours.clone()) == without_line(engines.clone()),
                    "{:.60}: {ours:?} {engines:?}",
                    text
                );
            }
        }
    }

    #[test]
    fn every_line_belongs_to_exactly_one_part() {
        let text = "a,b\n1,2\n33,\n\n4,\"5\"\n6,7";
        let dialect = dialect(&["a", "b"], &[0, 1], 2);
        let expected = ours(text, &[None], &dialect).unwrap();
        let size = text.len() as i64;
        for first in 0..=size {
            for second in first..=size {
                let ranges = [(0, first), (first, second), (second, size)]
                    .map(|(start, end)| (start < end).then_some(FileRange { start, end }))
                    .into_iter()
                    .flatten()
                    .map(Some);
                assert_eq!(
                    ours(text, &ranges.collect::<Vec<_>>(), &dialect).unwrap(),
                    expected,
                    "{first} {second}"
                );
            }
        }
    }

    #[test]
    fn invalid_utf8_is_an_error() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"a,b\n1,2\n\xff,3\n").unwrap();
        let mut rows = PlainRows::new(file, None, true, dialect(&["a", "b"], &[0], 10)).unwrap();
        assert_eq!(rows.next().unwrap().unwrap().num_rows(), 1);
        assert!(rows.next().unwrap().is_err());
        assert!(rows.next().is_none());
    }
}
