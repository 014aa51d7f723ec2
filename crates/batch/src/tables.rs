//! Files as tables: `select … from 'lists/*.csv.gz'`. This is where a name in a query is looked up on the disk.
//!
//! CSV and TSV with a line of column names, JSON (one object per line, or a list of them), Parquet, and plain lists with one
//! puzzle per line, whose only column is called `puzzle`. All but Parquet may be packed with gzip, zstd, bzip2 or xz. A name
//! with `*` or `?` stands for all files that fit, a folder for all files in it.

use crate::error::BatchError;
use crate::plain_csv::PlainCsv;
use crate::version::SessionOptions;
use arrow::array::AsArray;
use arrow::csv::ReaderBuilder;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::common::{GetExt, TableReference};
use datafusion::config::Dialect;
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::csv::CsvFormat;
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::file_format::json::JsonFormat;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::prelude::SessionContext;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Registers every file that a query names as a table of that name.
pub async fn register(context: &SessionContext, query: &str) -> Result<(), BatchError> {
    let state = context.state();
    let statement = state.sql_to_statement(query, &Dialect::Generic)?;
    for reference in state.resolve_table_references(&statement)? {
        let TableReference::Bare { table } = &reference else { continue };
        if !context.table_exist(reference.clone())? && looks_like_a_file(table) {
            let files = Files::named(table)?;
            let listing = files.table(context).await?;
            context.register_table(reference.clone(), Arc::new(listing))?;
        }
    }
    Ok(())
}

fn looks_like_a_file(name: &str) -> bool {
    name.contains(['/', '.', '*', '?']) || Path::new(name).exists()
}

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Csv,
    Tsv,
    List,
    Json,
    Parquet,
}

/// Files of one kind.
#[derive(Debug)]
struct Files {
    paths: Vec<PathBuf>,
    content: Content,
    packing: FileCompressionType,
    /// What all names end with.
    ending: String,
}

impl Files {
    /// The files that a name stands for.
    fn named(name: &str) -> Result<Files, BatchError> {
        let paths = expanded(name)?;
        let mut kinds = paths.iter().map(|path| kind_of(path).map(|kind| (path, kind)));
        let (first, (content, packing, ending)) = kinds.next().expect("there is a file")?;
        for kind in kinds {
            let (path, (_, _, other)) = kind?;
            if other != ending {
                let (first, path) = (first.display(), path.display());
                return Err(BatchError::new(format!(
                    "{name} stands for files of different kinds: {first} and {path}"
                ))
                .hint(format!("name the files of one kind: '*{ending}'")));
            }
        }
        let paths = paths.clone();
        Ok(Files { paths, content, packing, ending })
    }

    /// The table that they make together.
    async fn table(self, context: &SessionContext) -> Result<ListingTable, BatchError> {
        let state = context.state();
        // Plans that travel name the engine's readers; ours is for queries that stay in this process.
        let is_local = state.config_options().extensions.get::<SessionOptions>().is_none();
        let format = self.format(&state.default_table_options(), is_local)?;
        let options = ListingOptions::new(format).with_file_extension(&self.ending);
        let urls = self.paths.iter().map(|path| ListingTableUrl::parse(path.to_string_lossy()));
        let urls = urls.collect::<Result<Vec<_>, _>>()?;
        let mut schema = match self.content {
            Content::List => {
                Arc::new(Schema::new(vec![Field::new("puzzle", DataType::Utf8, true)]))
            }
            _ => options
                .infer_schema(&state, &urls[0])
                .await
                .map_err(|error| self.unreadable(0, error.into()))?,
        };
        if let (Content::Csv, delimiter) | (Content::Tsv, delimiter) =
            (self.content, self.delimiter())
        {
            schema = self
                .with_long_numbers_as_text(schema, delimiter)
                .map_err(|error| self.unreadable(0, error))?;
        }
        if self.content == Content::Parquet {
            // Each footer is read, so that a damaged file is told by its name before the work begins.
            for (place, url) in urls.iter().enumerate().skip(1) {
                options
                    .infer_schema(&state, url)
                    .await
                    .map_err(|error| self.unreadable(place, error.into()))?;
            }
        }
        let config = ListingTableConfig::new_with_multi_paths(urls)
            .with_listing_options(options)
            .with_schema(schema);
        Ok(ListingTable::try_new(config)?)
    }

    fn delimiter(&self) -> u8 {
        match self.content {
            Content::Tsv => b'\t',
            // A list has one column, so nothing in a line may end it.
            Content::List => 0x1f,
            _ => b',',
        }
    }

    fn format(
        &self,
        defaults: &datafusion::config::TableOptions,
        is_local: bool,
    ) -> Result<Arc<dyn FileFormat>, BatchError> {
        let csv = CsvFormat::default()
            .with_options(defaults.csv.clone())
            .with_delimiter(self.delimiter());
        let csv = csv.with_file_compression_type(self.packing);
        let lines = |csv: CsvFormat| -> Arc<dyn FileFormat> {
            if is_local { Arc::new(PlainCsv(csv)) } else { Arc::new(csv) }
        };
        Ok(match self.content {
            Content::Csv | Content::Tsv => lines(csv.with_has_header(true)),
            Content::List => {
                lines(csv.with_has_header(false).with_quote(0x1e).with_comment(Some(b'#')))
            }
            Content::Json => Arc::new(
                JsonFormat::default()
                    .with_options(defaults.json.clone())
                    .with_newline_delimited(!self.is_a_json_list()?)
                    .with_file_compression_type(self.packing),
            ),
            Content::Parquet => {
                Arc::new(ParquetFormat::default().with_options(defaults.parquet.clone()))
            }
        })
    }

    /// Does the first file begin with `[`?
    fn is_a_json_list(&self) -> Result<bool, BatchError> {
        let mut reader = self.open(0)?;
        let beginning = reader
            .fill_buf()
            .map_err(|error| self.unreadable(0, BatchError::new(error.to_string())))?;
        Ok(beginning.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'['))
    }

    /// A puzzle that is written with zeros looks like a very large number. Columns whose numbers are longer than any number
    /// are text.
    fn with_long_numbers_as_text(
        &self,
        schema: SchemaRef,
        delimiter: u8,
    ) -> Result<SchemaRef, BatchError> {
        const LONGEST_NUMBER: usize = 15;
        let as_text = |field: &Arc<Field>| Field::new(field.name(), DataType::Utf8, true);
        let all_text =
            Arc::new(Schema::new(schema.fields().iter().map(as_text).collect::<Vec<_>>()));
        let sample = ReaderBuilder::new(all_text)
            .with_header(true)
            .with_delimiter(delimiter)
            .with_batch_size(1_000);
        let mut sample = sample
            .build_buffered(self.open(0)?)
            .map_err(|error| BatchError::new(error.to_string()))?;
        let Some(Ok(rows)) = sample.next() else { return Ok(schema) };
        let is_long = |column: usize| {
            rows.column(column)
                .as_string::<i32>()
                .iter()
                .flatten()
                .any(|value| value.trim().len() > LONGEST_NUMBER)
        };
        let fields =
            schema.fields().iter().enumerate().map(|(column, field)| match field.data_type() {
                kind if kind.is_numeric() && is_long(column) => as_text(field),
                _ => field.as_ref().clone(),
            });
        Ok(Arc::new(Schema::new(fields.collect::<Vec<_>>())))
    }

    fn open(&self, place: usize) -> Result<impl BufRead, BatchError> {
        let unpacked =
            File::open(&self.paths[place]).and_then(|file| formats::unpack(BufReader::new(file)));
        let (_, reader) =
            unpacked.map_err(|error| self.unreadable(place, BatchError::new(error.to_string())))?;
        Ok(BufReader::new(reader))
    }

    fn unreadable(&self, place: usize, error: BatchError) -> BatchError {
        let (path, kind) = (self.paths[place].display(), self.ending.trim_start_matches('.'));
        let hint = match self.content {
            Content::Parquet => {
                "a Parquet file is read from its end, so one that was cut off cannot be read; fetch it again"
            }
            _ => "the ending of its name says what a file holds; is it right?",
        };
        BatchError::new(format!("{path} cannot be read as {kind}: {}", error.message)).hint(hint)
    }
}

/// The files behind a name, sorted; at least one.
fn expanded(name: &str) -> Result<Vec<PathBuf>, BatchError> {
    let path = Path::new(name);
    let mut found = if path.is_file() {
        vec![path.to_path_buf()]
    } else if path.is_dir() {
        let entries =
            std::fs::read_dir(path).map_err(|error| BatchError::new(format!("{name}: {error}")))?;
        let files = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
        files.filter(|file| file.is_file() && !is_hidden(file)).collect()
    } else if name.contains(['*', '?', '[']) {
        let paths =
            glob::glob(name).map_err(|error| BatchError::new(format!("{name}: {error}")))?;
        paths.filter_map(Result::ok).filter(|path| path.is_file()).collect()
    } else {
        return Err(BatchError::new(format!("there is no file {name}"))
            .hint("names in quotes are files: from 'puzzles.csv'"));
    };
    if found.is_empty() {
        let words = if path.is_dir() {
            format!("the folder {name} is empty")
        } else {
            format!("no file fits {name}")
        };
        return Err(
            BatchError::new(words).hint("'lists/*.csv' stands for all files in lists that end so")
        );
    }
    found.sort();
    // Other processes may work in other folders.
    let absolute = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
    Ok(found.into_iter().map(absolute).collect())
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(['.', '_']))
}

/// What the ending of a name says.
fn kind_of(path: &Path) -> Result<(Content, FileCompressionType, String), BatchError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let (stem, packing) = match name.rsplit_once('.') {
        Some((stem, "gz")) => (stem, FileCompressionType::GZIP),
        Some((stem, "zst")) => (stem, FileCompressionType::ZSTD),
        Some((stem, "bz2")) => (stem, FileCompressionType::BZIP2),
        Some((stem, "xz")) => (stem, FileCompressionType::XZ),
        _ => (name.as_str(), FileCompressionType::UNCOMPRESSED),
    };
    let content = match stem.rsplit_once('.').map(|(_, ending)| ending) {
        Some("csv") => Content::Csv,
        Some("tsv") => Content::Tsv,
        Some("txt" | "sdm") => Content::List,
        Some("json" | "jsonl" | "ndjson") => Content::Json,
        Some("parquet") if packing == FileCompressionType::UNCOMPRESSED => Content::Parquet,
        _ => {
            return Err(BatchError::new(format!("what {} holds cannot be told from its name", path.display())).hint(
                "files end with .csv, .tsv, .json, .jsonl, .parquet, .txt or .sdm, and all but Parquet may be packed: .csv.gz",
            ));
        }
    };
    let ending = stem.rsplit_once('.').map_or(String::new(), |(_, ending)| format!(".{ending}"));
    Ok((content, packing, ending + &packing.get_ext()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_says_what_a_file_holds() {
        let kind = |name: &str| kind_of(Path::new(name)).ok();
        let plain = FileCompressionType::UNCOMPRESSED;
        assert_eq!(kind("a.csv"), Some((Content::Csv, plain, ".csv".to_string())));
        assert_eq!(
            kind("a.b.CSV.gz"),
            Some((Content::Csv, FileCompressionType::GZIP, ".csv.gz".to_string()))
        );
        assert_eq!(
            kind("a.jsonl.zst"),
            Some((Content::Json, FileCompressionType::ZSTD, ".jsonl.zst".to_string()))
        );
        assert_eq!(kind("a.parquet").map(|kind| kind.0), Some(Content::Parquet));
        assert_eq!((kind("a.parquet.gz"), kind("a"), kind("a.docx")), (None, None, None));
    }

    #[test]
    fn a_name_without_files_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().to_string_lossy().into_owned();
        assert!(expanded(&name).unwrap_err().message.contains("is empty"));
        assert!(expanded(&format!("{name}/*.csv")).unwrap_err().message.contains("no file fits"));
        assert!(
            expanded(&format!("{name}/x.csv")).unwrap_err().message.contains("there is no file")
        );
        std::fs::write(folder.path().join("b.csv"), "").unwrap();
        std::fs::write(folder.path().join("a.csv"), "").unwrap();
        std::fs::write(folder.path().join(".hidden.csv"), "").unwrap();
        let found = expanded(&name).unwrap();
        assert!(found.len() == 2 && found[0].ends_with("a.csv") && found[0].is_absolute());
        std::fs::write(folder.path().join("c.parquet"), "").unwrap();
        assert!(Files::named(&name).unwrap_err().message.contains("different kinds"));
    }
}
