//! Runs a query and writes its results batch by batch, so that memory use is bounded.

use crate::error::BatchError;
use crate::tables;
use arrow::array::{ArrayRef, RecordBatch};
use arrow::compute::cast;
use arrow::csv::WriterBuilder;
use arrow::datatypes::{DataType, Field, Schema};
use arrow::ipc::writer::StreamWriter;
use arrow::json::LineDelimitedWriter;
use arrow::util::pretty::pretty_format_batches;
use datafusion::execution::SendableRecordBatchStream;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::basic::Compression;
use datafusion::parquet::file::properties::WriterProperties;
use datafusion::prelude::SessionContext;
use futures::StreamExt;
use std::io::Write;
use std::str::FromStr;
use std::sync::Arc;

/// An output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The beginning of a table, for a terminal.
    Preview,
    /// A table with all rows, which are first collected in memory.
    Table,
    /// Comma-separated values with a heading.
    Csv,
    /// One object per line.
    Json,
    /// A Parquet file.
    Parquet,
    /// A stream of Arrow record batches.
    Arrow,
}

impl Format {
    /// All formats that can be selected, with their names.
    pub const ALL: [(&'static str, Format); 5] = [
        ("table", Format::Table),
        ("csv", Format::Csv),
        ("json", Format::Json),
        ("parquet", Format::Parquet),
        ("arrow", Format::Arrow),
    ];

    /// The format for the extension of a file name.
    #[must_use]
    pub fn from_path(path: &str) -> Option<Format> {
        match path.rsplit_once('.')?.1 {
            "csv" => Some(Format::Csv),
            "json" | "jsonl" | "ndjson" => Some(Format::Json),
            "parquet" => Some(Format::Parquet),
            "arrows" => Some(Format::Arrow),
            _ => None,
        }
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Format, String> {
        let format =
            Format::ALL.iter().find(|(other, _)| *other == name).map(|(_, format)| *format);
        format.ok_or_else(|| {
            let names = Format::ALL.map(|(name, _)| name).join(", ");
            format!("unknown format {name:?}, expected one of {names}")
        })
    }
}

/// The number of rows per row group of a Parquet file. Threads and executors process one row group
/// at a time; rating one takes a few seconds.
const ROWS_PER_GROUP: usize = 1 << 16;

/// The maximum number of rows in a preview.
const PREVIEW_ROWS: usize = 100;

/// Runs a query and writes its rows. Calls `progress` after every batch with the number of rows so
/// far. Returns the number of rows.
pub async fn run(
    context: &SessionContext,
    query: &str,
    format: Format,
    sink: &mut (dyn Write + Send),
    progress: &mut dyn FnMut(u64),
) -> Result<u64, BatchError> {
    tables::register(context, query).await?;
    let frame = context.sql(query).await?;
    let schema = Arc::new(frame.schema().as_arrow().clone());
    let stream = frame.execute_stream().await?;
    match format {
        Format::Preview => table(stream, &schema, PREVIEW_ROWS, sink, progress).await,
        Format::Table => table(stream, &schema, usize::MAX, sink, progress).await,
        Format::Csv => {
            let mut header = true;
            let mut rows = each(stream, progress, |batch| {
                let mut writer =
                    WriterBuilder::new().with_header(std::mem::take(&mut header)).build(&mut *sink);
                writer.write(&flatten(batch)?).map_err(cannot_write)
            });
            let count = rows.as_mut().await?;
            drop(rows);
            if header {
                let names: Vec<&str> =
                    schema.fields().iter().map(|field| field.name().as_str()).collect();
                writeln!(sink, "{}", names.join(",")).map_err(cannot_write)?;
            }
            Ok(count)
        }
        Format::Json => {
            let mut writer = LineDelimitedWriter::new(&mut *sink);
            let count =
                each(stream, progress, |batch| writer.write(&batch).map_err(cannot_write)).await?;
            writer.finish().map_err(cannot_write)?;
            Ok(count)
        }
        Format::Parquet => {
            let properties = WriterProperties::builder()
                .set_compression(Compression::SNAPPY)
                .set_max_row_group_row_count(Some(ROWS_PER_GROUP))
                .build();
            let mut writer =
                ArrowWriter::try_new(&mut *sink, schema, Some(properties)).map_err(cannot_write)?;
            let count =
                each(stream, progress, |batch| writer.write(&batch).map_err(cannot_write)).await?;
            writer.close().map_err(cannot_write)?;
            Ok(count)
        }
        Format::Arrow => {
            let mut writer = StreamWriter::try_new(&mut *sink, &schema).map_err(cannot_write)?;
            let count =
                each(stream, progress, |batch| writer.write(&batch).map_err(cannot_write)).await?;
            writer.finish().map_err(cannot_write)?;
            Ok(count)
        }
    }
}

fn cannot_write(error: impl std::fmt::Display) -> BatchError {
    let words = error.to_string();
    let full = words.contains("No space left on device");
    let error = BatchError::new(format!("the rows cannot be written: {words}"));
    if full { error.hint("make room, or write somewhere else with --out") } else { error }
}

/// Hands every batch on and counts rows.
fn each<'a>(
    mut stream: SendableRecordBatchStream,
    progress: &'a mut dyn FnMut(u64),
    mut take: impl FnMut(RecordBatch) -> Result<(), BatchError> + 'a,
) -> std::pin::Pin<Box<dyn Future<Output = Result<u64, BatchError>> + 'a>> {
    Box::pin(async move {
        let mut count = 0;
        while let Some(batch) = stream.next().await {
            let batch = batch?;
            count += batch.num_rows() as u64;
            take(batch)?;
            progress(count);
        }
        Ok(count)
    })
}

/// Converts nested values to text, for formats without nesting.
fn flatten(batch: RecordBatch) -> Result<RecordBatch, BatchError> {
    let schema = batch.schema();
    if schema.fields().iter().all(|field| !field.data_type().is_nested()) {
        return Ok(batch);
    }
    let as_text = |column: &ArrayRef| cast(column, &DataType::Utf8).map_err(cannot_write);
    let columns = batch.columns().iter().map(as_text).collect::<Result<Vec<_>, _>>()?;
    let fields = schema.fields().iter().map(|field| Field::new(field.name(), DataType::Utf8, true));
    RecordBatch::try_new(Arc::new(Schema::new(fields.collect::<Vec<_>>())), columns)
        .map_err(cannot_write)
}

async fn table(
    stream: SendableRecordBatchStream,
    schema: &Arc<Schema>,
    max_rows: usize,
    sink: &mut (dyn Write + Send),
    progress: &mut dyn FnMut(u64),
) -> Result<u64, BatchError> {
    let (mut batches, mut room) = (Vec::new(), max_rows);
    let count = each(stream, progress, |batch| {
        let rows = batch.num_rows().min(room);
        if rows > 0 {
            batches.push(batch.slice(0, rows));
            room -= rows;
        }
        Ok(())
    })
    .await?;
    if batches.is_empty() {
        batches.push(RecordBatch::new_empty(Arc::clone(schema)));
    }
    let text = pretty_format_batches(&batches).map_err(cannot_write)?;
    writeln!(sink, "{text}").map_err(cannot_write)?;
    if count > max_rows as u64 {
        let rest = count - max_rows as u64;
        writeln!(sink, "… and {rest} more rows; --format table prints all rows")
            .map_err(cannot_write)?;
    }
    Ok(count)
}
