//! Files as SQL tables: `select … from 'lists/*.csv.gz'`.
//!
//! Supports CSV and TSV with a heading, JSON (one object per line, or a list of objects), Parquet,
//! and plain lists with one puzzle per line, whose only column is `puzzle`. All formats except
//! Parquet may be compressed with gzip, zstd, bzip2 or xz. A name with `*` or `?` is a table of all
//! matching files, and the name of a directory is a table of all files in it. Names can be addresses
//! of web servers and object stores (`remote.rs`).

use crate::error::BatchError;
use crate::plain_csv::PlainCsv;
use crate::remote::{self, RemoteFiles};
use crate::version::SessionOptions;
use arrow::array::AsArray;
use arrow::csv::ReaderBuilder;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::common::{GetExt, TableReference};
use datafusion::config::Dialect;
use datafusion::datasource::TableProvider;
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::csv::CsvFormat;
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::file_format::json::JsonFormat;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::prelude::{Expr, SessionContext, ident};
use ninefold_formats::{PUZZLE_COLUMNS, SOLUTION_COLUMNS};
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Registers every file in a query as a table of that name.
pub async fn register(context: &SessionContext, query: &str) -> Result<(), BatchError> {
    let state = context.state();
    let statement = state.sql_to_statement(query, &Dialect::Generic)?;
    for reference in state.resolve_table_references(&statement)? {
        // A schema that does not exist is an error here: `puzzles.csv` without quotes.
        if context.table_exist(reference.clone()).unwrap_or(false) {
            continue;
        }
        let TableReference::Bare { table } = &reference else {
            if let Some(error) = missing_quotes(&reference) {
                return Err(error);
            }
            continue;
        };
        if looks_like_file(table) {
            let files = Files::find(context, table).await?;
            let listing = Arc::new(files.table(context).await?);
            match with_usual_names(&listing.schema(), query) {
                None => context.register_table(reference.clone(), listing)?,
                Some(columns) => {
                    let renamed = context.read_table(listing)?.select(columns)?;
                    context.register_table(reference.clone(), renamed.into_view())?
                }
            };
        }
    }
    Ok(())
}

/// The error for a file name without quotes, which SQL parses as `schema.table`.
fn missing_quotes(reference: &TableReference) -> Option<BatchError> {
    let name = [reference.catalog(), reference.schema(), Some(reference.table())]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(".");
    let is_file = Path::new(&name).is_file() || kind_of(Path::new(&name)).is_ok();
    is_file.then(|| {
        BatchError::new(format!("unknown table {name}"))
            .hint(format!("names of files are in single quotes: from '{name}'"))
    })
}

/// The columns of a table in which puzzles and solutions have names of other programs, such as
/// `quizzes`, renamed to `puzzle` and `solution` if the query uses these names. `None` if nothing
/// has to be renamed.
fn with_usual_names(schema: &Schema, query: &str) -> Option<Vec<Expr>> {
    let words: HashSet<String> = query
        .split(|symbol: char| !symbol.is_alphanumeric() && symbol != '_')
        .map(str::to_lowercase)
        .collect();
    let names = schema.fields().iter().map(|field| field.name().as_str());
    let mut columns: Vec<Expr> = names.clone().map(ident).collect();
    let mut has_changed = false;
    for (usual, known) in [("puzzle", PUZZLE_COLUMNS.as_slice()), ("solution", &SOLUTION_COLUMNS)] {
        let mut lowercase = names.clone().map(str::to_lowercase);
        let is_missing = names.clone().all(|name| name != usual);
        let Some(place) = lowercase.position(|name| known.contains(&name.as_str())) else {
            continue;
        };
        if is_missing && words.contains(usual) {
            let name = schema.field(place).name();
            let renamed = ident(name).alias(usual);
            // A query may use both names.
            if words.contains(&name.to_lowercase()) {
                columns.push(renamed);
            } else {
                columns[place] = renamed;
            }
            has_changed = true;
        }
    }
    has_changed.then_some(columns)
}

fn looks_like_file(name: &str) -> bool {
    name.contains(['/', '.', '*', '?']) || Path::new(name).exists()
}

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileKind {
    Csv,
    Tsv,
    List,
    Json,
    Parquet,
}

/// Files of the same kind.
#[derive(Debug)]
struct Files {
    paths: Vec<PathBuf>,
    kind: FileKind,
    compression: FileCompressionType,
    /// The common extension.
    ending: String,
    /// For remote files, whose only path is the address.
    remote: Option<RemoteFiles>,
}

impl Files {
    /// The files that a name matches.
    async fn find(context: &SessionContext, name: &str) -> Result<Files, BatchError> {
        if remote::is_address(name) {
            Files::at_address(context, name).await
        } else {
            Files::local(name)
        }
    }

    /// The files at an address.
    async fn at_address(context: &SessionContext, address: &str) -> Result<Files, BatchError> {
        if address.starts_with("http") && address.contains(['*', '?']) {
            return Err(BatchError::new(format!("{address}: web servers do not list their files"))
                .hint("name one file, without a query after `?`"));
        }
        let (kind, compression, ending) = kind_of(Path::new(address))?;
        let remote = Some(RemoteFiles::find(context, address, &ending).await?);
        Ok(Files { paths: vec![PathBuf::from(address)], kind, compression, ending, remote })
    }

    /// The files on this machine that a name matches.
    fn local(name: &str) -> Result<Files, BatchError> {
        let paths = matching_files(name)?;
        let mut kinds = paths.iter().map(|path| kind_of(path).map(|kind| (path, kind)));
        let (first, (kind, compression, ending)) =
            kinds.next().expect("there is at least one file")?;
        for other in kinds {
            let (path, (_, _, other)) = other?;
            if other != ending {
                let (first, path) = (first.display(), path.display());
                return Err(BatchError::new(format!(
                    "{name} matches files of different kinds: {first} and {path}"
                ))
                .hint(format!("use a pattern for one kind: '*{ending}'")));
            }
        }
        let paths = paths.clone();
        Ok(Files { paths, kind, compression, ending, remote: None })
    }

    /// The table of all files.
    async fn table(self, context: &SessionContext) -> Result<ListingTable, BatchError> {
        let state = context.state();
        // Our CSV reader cannot be sent to other processes, so it is for local queries of files on
        // this machine only.
        let is_local = self.remote.is_none()
            && state.config_options().extensions.get::<SessionOptions>().is_none();
        let format = self.format(&state.default_table_options(), is_local)?;
        let options = ListingOptions::new(format).with_file_extension(&self.ending);
        let parse = |path: &PathBuf| ListingTableUrl::parse(path.to_string_lossy());
        let urls = match &self.remote {
            Some(remote) => vec![remote.url.clone()],
            None => self.paths.iter().map(parse).collect::<Result<Vec<_>, _>>()?,
        };
        let mut schema = match self.kind {
            FileKind::List => {
                Arc::new(Schema::new(vec![Field::new("puzzle", DataType::Utf8, true)]))
            }
            _ => options
                .infer_schema(&state, &urls[0])
                .await
                .map_err(|error| self.unreadable(0, error.into()))?,
        };
        if let (FileKind::Csv, delimiter) | (FileKind::Tsv, delimiter) =
            (self.kind, self.delimiter())
        {
            schema = self
                .with_long_numbers_as_text(schema, delimiter)
                .map_err(|error| self.unreadable(0, error))?;
        }
        if self.kind == FileKind::Parquet {
            // Read each footer, to report damaged files by name before the query runs.
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
        match self.kind {
            FileKind::Tsv => b'\t',
            // A list has one column, so the delimiter must not occur in it.
            FileKind::List => 0x1f,
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
        let csv = csv.with_file_compression_type(self.compression);
        let lines = |csv: CsvFormat| -> Arc<dyn FileFormat> {
            if is_local { Arc::new(PlainCsv(csv)) } else { Arc::new(csv) }
        };
        Ok(match self.kind {
            FileKind::Csv | FileKind::Tsv => lines(csv.with_has_header(true)),
            FileKind::List => {
                lines(csv.with_has_header(false).with_quote(0x1e).with_comment(Some(b'#')))
            }
            FileKind::Json => Arc::new(
                JsonFormat::default()
                    .with_options(defaults.json.clone())
                    .with_newline_delimited(!self.is_json_list()?)
                    .with_file_compression_type(self.compression),
            ),
            FileKind::Parquet => {
                Arc::new(ParquetFormat::default().with_options(defaults.parquet.clone()))
            }
        })
    }

    /// Whether the first file starts with `[`.
    fn is_json_list(&self) -> Result<bool, BatchError> {
        let mut reader = self.open(0)?;
        let beginning = reader
            .fill_buf()
            .map_err(|error| self.unreadable(0, BatchError::new(error.to_string())))?;
        Ok(beginning.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'['))
    }

    /// Changes columns with very long numbers to text, because a puzzle with zeros looks like a
    /// number.
    fn with_long_numbers_as_text(
        &self,
        schema: SchemaRef,
        delimiter: u8,
    ) -> Result<SchemaRef, BatchError> {
        const MAX_NUMBER_LENGTH: usize = 15;
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
                .any(|value| value.trim().len() > MAX_NUMBER_LENGTH)
        };
        let fields =
            schema.fields().iter().enumerate().map(|(column, field)| match field.data_type() {
                kind if kind.is_numeric() && is_long(column) => as_text(field),
                _ => field.as_ref().clone(),
            });
        Ok(Arc::new(Schema::new(fields.collect::<Vec<_>>())))
    }

    fn open(&self, place: usize) -> Result<Box<dyn BufRead + '_>, BatchError> {
        if let Some(remote) = &self.remote {
            return Ok(Box::new(remote.beginning.as_slice()));
        }
        let reader = File::open(&self.paths[place])
            .and_then(|file| ninefold_formats::decompress(BufReader::new(file)));
        let (_, reader) =
            reader.map_err(|error| self.unreadable(place, BatchError::new(error.to_string())))?;
        Ok(Box::new(BufReader::new(reader)))
    }

    fn unreadable(&self, place: usize, error: BatchError) -> BatchError {
        let (path, kind) = (self.paths[place].display(), self.ending.trim_start_matches('.'));
        let hint = match self.kind {
            FileKind::Parquet => {
                "the index of a Parquet file is at its end; the file may be incomplete"
            }
            _ => "check that the extension matches the contents of the file",
        };
        BatchError::new(format!("cannot read {path} as {kind}: {}", error.message)).hint(hint)
    }
}

/// The files that a name matches, sorted; at least one.
fn matching_files(name: &str) -> Result<Vec<PathBuf>, BatchError> {
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
        return Err(BatchError::new(format!("file not found: {name}"))
            .hint("relative names start from the current directory"));
    };
    if found.is_empty() {
        let message = if path.is_dir() {
            format!("the directory {name} is empty")
        } else {
            format!("no file matches {name}")
        };
        return Err(BatchError::new(message)
            .hint("for example, 'lists/*.csv' matches all CSV files in lists"));
    }
    found.sort();
    // Other processes may have other working directories.
    let absolute = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
    Ok(found.into_iter().map(absolute).collect())
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(['.', '_']))
}

/// Detects the kind of a file from its extension.
fn kind_of(path: &Path) -> Result<(FileKind, FileCompressionType, String), BatchError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let (stem, compression) = match name.rsplit_once('.') {
        Some((stem, "gz")) => (stem, FileCompressionType::GZIP),
        Some((stem, "zst")) => (stem, FileCompressionType::ZSTD),
        Some((stem, "bz2")) => (stem, FileCompressionType::BZIP2),
        Some((stem, "xz")) => (stem, FileCompressionType::XZ),
        _ => (name.as_str(), FileCompressionType::UNCOMPRESSED),
    };
    let kind = match stem.rsplit_once('.').map(|(_, ending)| ending) {
        Some("csv") => FileKind::Csv,
        Some("tsv") => FileKind::Tsv,
        Some("txt" | "sdm") => FileKind::List,
        Some("json" | "jsonl" | "ndjson") => FileKind::Json,
        Some("parquet") if compression == FileCompressionType::UNCOMPRESSED => FileKind::Parquet,
        _ => {
            return Err(BatchError::new(format!("unknown file extension: {}", path.display())).hint(
                "expected .csv, .tsv, .json, .jsonl, .parquet, .txt or .sdm; all but Parquet may be compressed: .csv.gz",
            ));
        }
    };
    let ending = stem.rsplit_once('.').map_or(String::new(), |(_, ending)| format!(".{ending}"));
    Ok((kind, compression, ending + &compression.get_ext()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects_files_by_extension() {
        let kind = |name: &str| kind_of(Path::new(name)).ok();
        let plain = FileCompressionType::UNCOMPRESSED;
        assert_eq!(kind("a.csv"), Some((FileKind::Csv, plain, ".csv".to_string())));
        assert_eq!(
            kind("a.b.CSV.gz"),
            Some((FileKind::Csv, FileCompressionType::GZIP, ".csv.gz".to_string()))
        );
        assert_eq!(
            kind("a.jsonl.zst"),
            Some((FileKind::Json, FileCompressionType::ZSTD, ".jsonl.zst".to_string()))
        );
        assert_eq!(kind("a.parquet").map(|kind| kind.0), Some(FileKind::Parquet));
        assert_eq!((kind("a.parquet.gz"), kind("a"), kind("a.docx")), (None, None, None));
    }

    #[test]
    fn reports_names_without_files() {
        let directory = tempfile::tempdir().unwrap();
        let name = directory.path().to_string_lossy().into_owned();
        assert!(matching_files(&name).unwrap_err().message.contains("is empty"));
        assert!(
            matching_files(&format!("{name}/*.csv"))
                .unwrap_err()
                .message
                .contains("no file matches")
        );
        assert!(
            matching_files(&format!("{name}/x.csv"))
                .unwrap_err()
                .message
                .contains("file not found")
        );
        std::fs::write(directory.path().join("b.csv"), "").unwrap();
        std::fs::write(directory.path().join("a.csv"), "").unwrap();
        std::fs::write(directory.path().join(".hidden.csv"), "").unwrap();
        let found = matching_files(&name).unwrap();
        assert!(found.len() == 2 && found[0].ends_with("a.csv") && found[0].is_absolute());
        std::fs::write(directory.path().join("c.parquet"), "").unwrap();
        assert!(Files::local(&name).unwrap_err().message.contains("different kinds"));
    }
}
