//! The checks of the fuzz targets: parsers terminate, return a value or an error but never panic,
//! and accept the output of the writers.

pub mod board;
pub mod networks;

use arbitrary::Arbitrary;
use bytes::Bytes;
use ninefold::grid::{Grid, Order, text};
use ninefold_formats::{Entry, Format, Writer};
use ninefold_kaleidoscope::{Solver, heads, train};
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use serde_json::{Map, Value, json};
use std::io::Read;
use std::sync::Arc;

/// The maximum number of records to read from one input.
const MAX_RECORDS: usize = 200;

/// Replaces the panic hook of libFuzzer, which aborts on every panic. The `parquet` crate panics on
/// some damaged files, and our reader turns these panics into errors. Uncaught panics still stop
/// the fuzzer.
pub fn allow_caught_panics() {
    std::panic::set_hook(Box::new(|_| ()));
}

/// Reads bytes in one of several formats, chosen by the first byte.
pub fn read_in(input: &[u8], available: &[Format]) {
    let (&choice, bytes) = input.split_first().unwrap_or((&0, &[]));
    read_as(bytes, available[usize::from(choice) % available.len()]);
}

/// Reads bytes in one format, and checks that the entries survive a round trip.
pub fn read_as(bytes: &[u8], format: Format) {
    for entry in ninefold_formats::read(format, bytes, None).entries().take(MAX_RECORDS) {
        match entry {
            Ok(entry) => check_round_trip(&entry),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// Checks round trips: through a line, which contains no rules, through JSON, which contains
/// everything, and for puzzles with rules through all formats that may contain them.
fn check_round_trip(entry: &Entry) {
    if entry.puzzle.rules().is_some() {
        board::check_formats(&entry.puzzle);
    } else {
        let line = written_and_read(entry, Format::Line).expect("a line contains every such grid");
        assert_eq!(line.puzzle, entry.puzzle);
    }
    let json = written_and_read(entry, Format::Json).expect("JSON contains every entry");
    assert_eq!((&json.puzzle, &json.position), (&entry.puzzle, &entry.position));
}

/// Writes an entry in a format and reads it again; `None` if the format cannot contain it.
fn written_and_read(entry: &Entry, format: Format) -> Option<Entry> {
    let file = written(entry, format)?;
    let order = Some(entry.puzzle.order()).filter(|_| entry.puzzle.rules().is_none());
    let read = ninefold_formats::read(format, &file[..], order).entries().next();
    let read = read.expect("one entry was written");
    let text = || String::from_utf8_lossy(&file);
    Some(read.unwrap_or_else(|error| panic!("{format}: {error}: {}", text())))
}

fn written(entry: &Entry, format: Format) -> Option<Vec<u8>> {
    let mut writer = Writer::new(format, Vec::new()).expect("writing to memory succeeds");
    writer.write(entry).ok()?;
    Some(writer.finish().expect("writing to memory succeeds"))
}

/// A puzzle with all its rules, for messages.
fn json_of(puzzle: &Grid) -> String {
    let json = written(&Entry::new(puzzle.clone()), Format::Json).unwrap_or_default();
    String::from_utf8_lossy(&json).into_owned()
}

/// Parses a grid from any text.
pub fn grid_text(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let _ = text.parse::<Order>();
    for order in [None, Order::new(2, 3).ok(), Order::new(3, 3).ok()] {
        let (grid, position) = (text::parse(&text, order), text::parse_position(&text, order));
        assert!(grid.is_err() || position.is_ok(), "a grid is also a position");
        if let Ok(grid) = position {
            let line = text::line(&grid);
            assert_eq!(text::parse_position(&line, Some(grid.order())), Ok(grid));
        }
    }
}

/// Decompresses bytes, up to a limit because of decompression bombs.
pub fn decompress(input: &[u8]) {
    if let Ok((_, decompressed)) = ninefold_formats::decompress(input) {
        let mut bytes = Vec::new();
        let _ = decompressed.take(1 << 20).read_to_end(&mut bytes);
    }
}

/// Reads an experiment file. An experiment that is accepted can be written and read again.
pub fn experiment(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    if let Ok(experiment) = train::recipe().with(&text) {
        assert_eq!(train::recipe().with(&experiment.to_toml()), Ok(experiment));
    }
    let _ = heads::recipe().with(&text);
}

/// Reads weights, and runs an iteration of the network if they fit.
pub fn weights(input: &[u8]) {
    if let Ok(solver) = Solver::from_bytes("input", input) {
        let empty = vec![0; solver.frame().order.cell_count()];
        let mut run = solver.run(&empty);
        run.begin(0);
        run.step();
    }
}

/// Reads the variant rules of a board with the side of the first byte, and writes them.
pub fn rules(input: &[u8]) {
    let (&side, text) = input.split_first().unwrap_or((&0, &[]));
    if let Ok(Value::Object(board)) = serde_json::from_slice(text)
        && let Ok(read) = ninefold_formats::rules::read_rules(usize::from(side), &board, &[])
    {
        board::check_formats(&Grid::empty_with(Arc::new(read.rules)));
    }
}

/// Reads arbitrary bytes as a Parquet file.
pub fn parquet(input: &[u8]) {
    let Ok(rows) = ninefold_formats::parquet::read(Bytes::copy_from_slice(input), None) else {
        return;
    };
    for record in rows.take(MAX_RECORDS) {
        if let Ok(entry) = record.and_then(|record| record.entry()) {
            check_round_trip(&entry);
        }
    }
}

/// A valid Parquet file with arbitrary columns.
#[derive(Arbitrary, Debug)]
pub struct Table {
    columns: Vec<Column>,
    compression: u8,
    damage: Vec<(u16, u8)>,
}

#[derive(Arbitrary, Debug)]
struct Column {
    name: u8,
    optional: bool,
    cells: Cells,
}

#[derive(Arbitrary, Debug)]
enum Cells {
    Texts(Vec<Option<Vec<u8>>>),
    Puzzles(Vec<Option<Vec<u8>>>),
    Numbers(Vec<Option<i64>>),
    Fractions(Vec<Option<f64>>),
}

/// Known column names, and one unknown name.
const NAMES: [&str; 9] = [
    "puzzle", "question", "quizzes", "solution", "answer", "rating", "source", "position", "other",
];

impl Table {
    /// Writes the table with the `parquet` crate and reads it with ours, intact and damaged.
    pub fn check(&self) {
        let Some(mut file) = self.file() else { return };
        parquet(&file);
        for &(at, mask) in &self.damage {
            let at = usize::from(at) % file.len();
            file[at] ^= mask;
        }
        parquet(&file);
    }

    fn file(&self) -> Option<Vec<u8>> {
        let columns: Vec<&Column> = self.columns.iter().take(NAMES.len()).collect();
        let rows = columns.iter().map(|column| column.cells.count()).max()?.min(MAX_RECORDS);
        let fields: String =
            columns.iter().enumerate().map(|(index, column)| column.field(index)).collect();
        let schema = Arc::new(parse_message_type(&format!("message table {{ {fields} }}")).ok()?);
        let compressions = [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::LZ4_RAW];
        let compression = compressions[usize::from(self.compression) % compressions.len()];
        let properties = Arc::new(WriterProperties::builder().set_compression(compression).build());
        let mut file = Vec::new();
        let mut writer = SerializedFileWriter::new(&mut file, schema, properties).ok()?;
        let mut group = writer.next_row_group().ok()?;
        for column in columns {
            let mut target = group.next_column().ok()??;
            column.write(&mut target, rows)?;
            target.close().ok()?;
        }
        group.close().ok()?;
        writer.close().ok()?;
        Some(file)
    }
}

impl Column {
    fn field(&self, index: usize) -> String {
        // A schema must not contain a name twice, so some columns get an unknown name.
        let name = NAMES[usize::from(self.name) % NAMES.len()];
        let kind = match self.cells {
            Cells::Texts(_) | Cells::Puzzles(_) => "BYTE_ARRAY",
            Cells::Numbers(_) => "INT64",
            Cells::Fractions(_) => "DOUBLE",
        };
        let need = if self.optional { "OPTIONAL" } else { "REQUIRED" };
        let name = if index % 3 == 2 { format!("{name}_{index}") } else { name.to_string() };
        format!("{need} {kind} {name};")
    }

    fn write(
        &self,
        target: &mut parquet::file::writer::SerializedColumnWriter<'_>,
        rows: usize,
    ) -> Option<()> {
        let levels = |is_present: &dyn Fn(usize) -> bool| -> Vec<i16> {
            (0..rows).map(|row| is_present(row).into()).collect()
        };
        macro_rules! write_column {
            ($kind:ty, $cells:expr, $value:expr) => {{
                let is_present =
                    |row: usize| !self.optional || $cells.get(row).is_some_and(Option::is_some);
                let values: Vec<_> = (0..rows)
                    .filter(|row| is_present(*row))
                    .map(|row| $value($cells.get(row)))
                    .collect();
                let levels = self.optional.then(|| levels(&is_present));
                target.typed::<$kind>().write_batch(&values, levels.as_deref(), None).ok()?;
            }};
        }
        match &self.cells {
            Cells::Texts(cells) => {
                write_column!(ByteArrayType, cells, |cell: Option<&Option<Vec<u8>>>| {
                    ByteArray::from(cell.cloned().flatten().unwrap_or_default())
                })
            }
            Cells::Puzzles(cells) => {
                write_column!(ByteArrayType, cells, |cell: Option<&Option<Vec<u8>>>| {
                    ByteArray::from(
                        puzzle_from(&cell.cloned().flatten().unwrap_or_default()).into_bytes(),
                    )
                })
            }
            Cells::Numbers(cells) => {
                write_column!(Int64Type, cells, |cell: Option<&Option<i64>>| cell
                    .copied()
                    .flatten()
                    .unwrap_or(0));
            }
            Cells::Fractions(cells) => {
                write_column!(DoubleType, cells, |cell: Option<&Option<f64>>| cell
                    .copied()
                    .flatten()
                    .unwrap_or(0.0));
            }
        }
        Some(())
    }
}

impl Cells {
    fn count(&self) -> usize {
        match self {
            Cells::Texts(cells) | Cells::Puzzles(cells) => cells.len(),
            Cells::Numbers(cells) => cells.len(),
            Cells::Fractions(cells) => cells.len(),
        }
    }
}

/// A line of 16 or 81 cells that is almost always a valid grid.
fn puzzle_from(bytes: &[u8]) -> String {
    let length = if bytes.len() < 20 { 16 } else { 81 };
    let symbol = |index: usize| match bytes.get(index) {
        Some(byte) if byte % 8 == 0 => char::from(b'1' + byte / 8 % 9),
        _ => '.',
    };
    (0..length).map(symbol).collect()
}

/// A link with a correctly compressed board of arbitrary content.
#[derive(Arbitrary, Debug)]
pub struct Link {
    site: u8,
    board: Json,
    cells: Vec<Vec<Cell>>,
    extra: Vec<(u8, Json)>,
}

#[derive(Arbitrary, Debug)]
struct Cell {
    value: Option<u8>,
    given: Option<bool>,
    marks: Vec<u8>,
    other: Option<Json>,
}

/// Arbitrary JSON.
#[derive(Arbitrary, Debug)]
enum Json {
    Null,
    Bool(bool),
    Number(i32),
    Fraction(f32),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(u8, Json)>),
}

/// Field names of f-puzzles and SudokuPad.
const KEYS: [&str; 14] = [
    "size",
    "grid",
    "value",
    "given",
    "givenPencilMarks",
    "cornerPencilMarks",
    "centerPencilMarks",
    "title",
    "cells",
    "metadata",
    "regions",
    "cages",
    "solution",
    "c",
];

impl Json {
    fn value(&self) -> Value {
        match self {
            Json::Null => Value::Null,
            Json::Bool(truth) => json!(truth),
            Json::Number(number) => json!(number),
            Json::Fraction(number) => json!(number),
            Json::Text(text) => json!(text),
            Json::List(list) => list.iter().map(Json::value).collect(),
            Json::Object(fields) => Value::Object(object(fields)),
        }
    }
}

fn object(fields: &[(u8, Json)]) -> Map<String, Value> {
    let field = |(key, value): &(u8, Json)| {
        (KEYS[usize::from(*key) % KEYS.len()].to_string(), value.value())
    };
    fields.iter().map(field).collect()
}

impl Link {
    /// Compresses the board and reads the link.
    pub fn check(&self) {
        let cell = |cell: &Cell| {
            let mut fields = Map::new();
            fields.extend(cell.value.map(|value| ("value".to_string(), json!(value % 12))));
            fields.extend(cell.given.map(|given| ("given".to_string(), json!(given))));
            fields.extend(
                cell.other.as_ref().map(|other| ("cornerPencilMarks".to_string(), other.value())),
            );
            if !cell.marks.is_empty() {
                fields.insert("centerPencilMarks".to_string(), json!(cell.marks));
            }
            Value::Object(fields)
        };
        let grid: Vec<Vec<Value>> =
            self.cells.iter().map(|row| row.iter().map(cell).collect()).collect();
        let mut board = object(&self.extra);
        board.insert("size".to_string(), json!(self.cells.len()));
        board.insert("grid".to_string(), json!(grid));
        for board in [Value::Object(board), self.board.value()] {
            let word = ninefold_formats::lz_string::compress(&board.to_string());
            let sites = [
                "https://www.f-puzzles.com/?load=",
                "https://sudokupad.app/fpuzzles",
                "https://sudokupad.app/scl",
            ];
            let link = format!("{}{word}\n", sites[usize::from(self.site) % sites.len()]);
            read_as(link.as_bytes(), Format::detect(link.as_bytes()));
        }
    }
}
