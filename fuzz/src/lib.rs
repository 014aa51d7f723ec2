//! What every fuzz target checks: a parser reads or refuses, it ends, and what it has read it can write and read again.

use arbitrary::Arbitrary;
use bytes::Bytes;
use formats::{Entry, Format, Writer};
use ninefold::grid::{Order, text};
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use serde_json::{Map, Value, json};
use std::io::Read;
use std::sync::Arc;

/// Records that are looked at in one input; more of them show nothing new.
const MOST_RECORDS: usize = 200;

/// The Parquet crate panics on some damaged files, and our reader makes an error of that; a panic that nobody catches still
/// ends the fuzzer. Without this, every panic does.
pub fn let_panics_be_caught() {
    std::panic::set_hook(Box::new(|_| ()));
}

/// Reads bytes in each of these formats.
pub fn read_in(input: &[u8], available: &[Format]) {
    let (&choice, bytes) = input.split_first().unwrap_or((&0, &[]));
    read_as(bytes, available[usize::from(choice) % available.len()]);
}

/// Reads bytes in one format, and what was read is written and read again.
pub fn read_as(bytes: &[u8], format: Format) {
    for entry in formats::read(format, bytes, None).entries().take(MOST_RECORDS) {
        match entry {
            Ok(entry) => check_written(&entry),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// A format that keeps the puzzle, and one that keeps all of an entry.
fn check_written(entry: &Entry) {
    let again = |format| {
        let mut writer = Writer::new(format, Vec::new()).expect("memory can be written");
        writer.write(entry).expect("these formats hold every entry");
        let file = writer.finish().expect("memory can be written");
        let read = formats::read(format, &file[..], Some(entry.puzzle.order())).entries().next();
        read.expect("one was written").expect("what we write we can read")
    };
    assert_eq!(again(Format::Line).puzzle, entry.puzzle);
    let all = again(Format::Json);
    assert_eq!((all.puzzle, all.position), (entry.puzzle.clone(), entry.position.clone()));
}

/// A grid in the middle of any text.
pub fn grid_text(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let _ = text.parse::<Order>();
    for order in [None, Order::boxes(2, 3).ok(), Order::boxes(3, 3).ok()] {
        let (grid, position) = (text::read(&text, order), text::read_position(&text, order));
        assert!(grid.is_err() || position.is_ok(), "a grid is also a position");
        if let Ok(grid) = position {
            let line = text::line(&grid);
            assert_eq!(text::read_position(&line, Some(grid.order())), Ok(grid));
        }
    }
}

/// Packed bytes, as many as a bomb of this size may hold before we look away.
pub fn unpack(input: &[u8]) {
    if let Ok((_, unpacked)) = formats::unpack(input) {
        let mut bytes = Vec::new();
        let _ = unpacked.take(1 << 20).read_to_end(&mut bytes);
    }
}

/// A Parquet file, which may be anything.
pub fn parquet(input: &[u8]) {
    let Ok(rows) = formats::parquet::read(Bytes::copy_from_slice(input), None) else { return };
    for record in rows.take(MOST_RECORDS) {
        if let Ok(entry) = record.and_then(|record| record.entry()) {
            check_written(&entry);
        }
    }
}

/// A Parquet file that is whole, with columns that are not what they should be.
#[derive(Arbitrary, Debug)]
pub struct Table {
    columns: Vec<Column>,
    packing: u8,
    damage: Vec<(u16, u8)>,
}

/// A column: which name, and what is in it.
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

/// The names that a table of puzzles may have for its columns, and one that means nothing.
const NAMES: [&str; 9] = [
    "puzzle", "question", "quizzes", "solution", "answer", "rating", "source", "position", "other",
];

impl Table {
    /// Writes it with the writer of the Parquet crate and reads it with ours, whole and damaged.
    pub fn check(&self) {
        let Some(mut file) = self.file() else { return };
        parquet(&file);
        for &(at, sign) in &self.damage {
            let at = usize::from(at) % file.len();
            file[at] ^= sign;
        }
        parquet(&file);
    }

    fn file(&self) -> Option<Vec<u8>> {
        let columns: Vec<&Column> = self.columns.iter().take(NAMES.len()).collect();
        let rows = columns.iter().map(|column| column.cells.count()).max()?.min(MOST_RECORDS);
        let fields: String =
            columns.iter().enumerate().map(|(index, column)| column.field(index)).collect();
        let schema = Arc::new(parse_message_type(&format!("message table {{ {fields} }}")).ok()?);
        let packings = [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::LZ4_RAW];
        let packing = packings[usize::from(self.packing) % packings.len()];
        let properties = Arc::new(WriterProperties::builder().set_compression(packing).build());
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
        // Two columns of one name are no schema; the second gets a name that means nothing.
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
        let levels = |is_there: &dyn Fn(usize) -> bool| -> Vec<i16> {
            (0..rows).map(|row| is_there(row).into()).collect()
        };
        macro_rules! written {
            ($kind:ty, $cells:expr, $value:expr) => {{
                let there =
                    |row: usize| !self.optional || $cells.get(row).is_some_and(Option::is_some);
                let values: Vec<_> = (0..rows)
                    .filter(|row| there(*row))
                    .map(|row| $value($cells.get(row)))
                    .collect();
                let levels = self.optional.then(|| levels(&there));
                target.typed::<$kind>().write_batch(&values, levels.as_deref(), None).ok()?;
            }};
        }
        match &self.cells {
            Cells::Texts(cells) => {
                written!(ByteArrayType, cells, |cell: Option<&Option<Vec<u8>>>| {
                    ByteArray::from(cell.cloned().flatten().unwrap_or_default())
                })
            }
            Cells::Puzzles(cells) => {
                written!(ByteArrayType, cells, |cell: Option<&Option<Vec<u8>>>| {
                    ByteArray::from(
                        puzzle_of(&cell.cloned().flatten().unwrap_or_default()).into_bytes(),
                    )
                })
            }
            Cells::Numbers(cells) => {
                written!(Int64Type, cells, |cell: Option<&Option<i64>>| cell
                    .copied()
                    .flatten()
                    .unwrap_or(0));
            }
            Cells::Fractions(cells) => {
                written!(DoubleType, cells, |cell: Option<&Option<f64>>| cell
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

/// A line of 16 or 81 cells that is nearly always a grid of some sort.
fn puzzle_of(bytes: &[u8]) -> String {
    let length = if bytes.len() < 20 { 16 } else { 81 };
    let sign = |index: usize| match bytes.get(index) {
        Some(byte) if byte % 8 == 0 => char::from(b'1' + byte / 8 % 9),
        _ => '.',
    };
    (0..length).map(sign).collect()
}

/// A link to a page of puzzles whose board is well packed, with anything inside.
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

/// Any JSON, not too deep.
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

/// Names that mean something to f-puzzles or to SudokuPad.
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
    /// Packs the board and reads the link.
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
            let word = formats::lz_string::pack(&board.to_string());
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
