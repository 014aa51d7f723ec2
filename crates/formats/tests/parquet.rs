//! Parquet tables: round trips, tables of other writers, and damaged files.

#![cfg(feature = "parquet")]

use bytes::Bytes;
use ninefold::generate::{self, GenerateOptions};
use ninefold::grid::{Candidates, Order};
use ninefold::random::Random;
use ninefold_formats::parquet::{ROWS_PER_GROUP, Rows, TableError, panics_are_errors};
use ninefold_formats::{Entry, Format, ReadError, Writer};
use parquet::basic::{Compression, GzipLevel, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const PUZZLE: &str = "1..4..1..3..4..3";

fn table(entries: &[Entry]) -> Vec<u8> {
    let mut writer = Writer::new(Format::Parquet, Vec::new()).unwrap();
    entries.iter().for_each(|entry| writer.write(entry).unwrap());
    writer.finish().unwrap()
}

fn open(file: impl Into<Bytes>, order: Option<Order>) -> Result<Rows, TableError> {
    ninefold_formats::parquet::read(file.into(), order)
}

fn entries_of(rows: Rows) -> impl Iterator<Item = Result<Entry, ReadError>> {
    rows.map(|record| record.and_then(|record| record.entry()))
}

/// Entries in which solution, rating, source and position are sometimes missing.
fn entries(count: u64) -> Vec<Entry> {
    let options = GenerateOptions::new(Order::FOUR);
    let entry = |index: u64| {
        let generated = generate::generate_one(&options, 1, index).unwrap();
        let mut position = Candidates::new(&generated.puzzle).unwrap();
        let (cell, digit) =
            generated.solution.clues().find(|(cell, _)| generated.puzzle[*cell].is_none()).unwrap();
        position.place(cell, digit);
        Entry::new(generated.puzzle)
            .with_solution((!index.is_multiple_of(3)).then_some(generated.solution))
            .with_rating((!index.is_multiple_of(4)).then(|| index.to_string()))
            .with_source((!index.is_multiple_of(5)).then(|| format!("list {index}")))
            .with_position(index.is_multiple_of(7).then_some(position))
    };
    (0..count).map(entry).collect()
}

/// A table as another program writes it, with the columns `puzzle`, `solution`, `difficulty` and
/// `id`.
fn foreign_table(puzzles: &[&str], compression: Compression) -> Vec<u8> {
    let schema = "message other {
        REQUIRED INT64 id; REQUIRED BYTE_ARRAY puzzle; OPTIONAL BYTE_ARRAY solution (STRING); OPTIONAL DOUBLE difficulty;
    }";
    let mut file = Vec::new();
    let properties = WriterProperties::builder().set_compression(compression).build();
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer = SerializedFileWriter::new(&mut file, schema, Arc::new(properties)).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let ids: Vec<i64> = (0..).take(puzzles.len()).collect();
    let texts: Vec<ByteArray> = puzzles.iter().map(|&puzzle| ByteArray::from(puzzle)).collect();
    let nulls = vec![0; puzzles.len()];
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<Int64Type>().write_batch(&ids, None, None).unwrap();
    column.close().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<ByteArrayType>().write_batch(&texts, None, None).unwrap();
    column.close().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<ByteArrayType>().write_batch(&[], Some(&nulls), None).unwrap();
    column.close().unwrap();
    let mut levels = nulls.clone();
    levels[0] = 1;
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<DoubleType>().write_batch(&[2.5], Some(&levels), None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    file
}

#[test]
fn reads_back_several_row_groups() {
    let entries = entries(2 * ROWS_PER_GROUP as u64 + 77);
    let read: Vec<Entry> = entries_of(open(Bytes::from(table(&entries)), None).unwrap())
        .collect::<Result<_, _>>()
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(read, entries);
    assert_eq!(open(Bytes::from(table(&[])), None).unwrap().count(), 0);
}

#[test]
fn reads_tables_of_other_writers_with_every_compression() {
    let compressions = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::LZ4_RAW,
        Compression::ZSTD(ZstdLevel::default()),
    ];
    for compression in compressions {
        let file = foreign_table(&[PUZZLE, "0000000000000000"], compression);
        let read: Vec<Entry> =
            entries_of(open(Bytes::from(file), None).unwrap()).collect::<Result<_, _>>().unwrap();
        assert_eq!(
            (read[0].puzzle.to_string().as_str(), read[0].rating.as_deref()),
            (PUZZLE, Some("2.5")),
            "{compression}"
        );
        assert_eq!(
            (read[1].puzzle.clue_count(), &read[1].rating, &read[1].solution),
            (0, &None, &None)
        );
    }
}

#[test]
fn reports_invalid_cells_with_location_and_continues() {
    let file = foreign_table(&[PUZZLE, "1..4..q..3..4..3", "", PUZZLE], Compression::SNAPPY);
    let read: Vec<_> = entries_of(open(Bytes::from(file), None).unwrap()).collect();
    assert_eq!(
        read[1].as_ref().unwrap_err().to_string(),
        "row group 1, row 2: row 2, column 3: expected a digit or '.', found \"q\""
    );
    assert_eq!(
        read[2].as_ref().unwrap_err().to_string(),
        "row group 1, row 3: the puzzle is missing"
    );
    assert!(read[0].is_ok() && read[3].is_ok() && read.len() == 4);
}

#[test]
fn rejects_tables_without_a_puzzle_column() {
    let schema = Arc::new(
        parse_message_type("message other { REQUIRED INT64 id; REQUIRED INT32 size; }").unwrap(),
    );
    let mut file = Vec::new();
    SerializedFileWriter::new(&mut file, schema, Arc::default()).unwrap().close().unwrap();
    let error = open(Bytes::from(file), None).err().unwrap();
    assert_eq!(error.to_string(), "expected a column puzzle, quizzes or question, found id, size");
}

#[test]
fn rejects_a_boolean_puzzle_column() {
    let schema =
        Arc::new(parse_message_type("message other { REQUIRED BOOLEAN puzzle; }").unwrap());
    let mut file = Vec::new();
    SerializedFileWriter::new(&mut file, schema, Arc::default()).unwrap().close().unwrap();
    let error = open(Bytes::from(file), None).err().unwrap();
    assert_eq!(
        error.to_string(),
        "column puzzle: expected one string or number per row, found values of type BOOLEAN"
    );
}

#[test]
fn rejects_files_truncated_at_any_length() {
    let file = table(&entries(50));
    for length in 0..file.len() {
        let error = open(Bytes::copy_from_slice(&file[..length]), None).err();
        assert!(matches!(error, Some(TableError::Damaged(_))), "{length} bytes: {error:?}");
    }
}

/// `NINEFOLD_FUZZ=20000` sets the number of damaged files; the default is 3,000. Panics of the
/// `parquet` crate become errors, and a panic hook can recognise them.
#[test]
fn damaged_files_never_panic() {
    static LOUD: AtomicU64 = AtomicU64::new(0);
    static QUIET: AtomicU64 = AtomicU64::new(0);
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if panics_are_errors() {
            QUIET.fetch_add(1, Ordering::Relaxed);
        } else {
            LOUD.fetch_add(1, Ordering::Relaxed);
            hook(panic);
        }
    }));
    let file = table(&entries(50));
    let mut random = Random::new(3);
    let cases =
        std::env::var("NINEFOLD_FUZZ").ok().and_then(|text| text.parse().ok()).unwrap_or(3_000);
    for number in 0..cases {
        let mut damaged = file.clone();
        for _ in 0..1 + random.below(4) {
            // The end of the file, which contains its structure, is damaged as often as the rest.
            let first = if random.below(2) == 0 { damaged.len() * 3 / 4 } else { 0 };
            let place = first + random.below(damaged.len() - first);
            damaged[place] = random.below(256) as u8;
        }
        // The iterator must end.
        let read_to_end = |rows: Result<Rows, TableError>| {
            if let Ok(rows) = rows {
                assert!(entries_of(rows).take(1_000_000).count() < 1_000_000);
            }
        };
        if number % 2 == 0 {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(&damaged).unwrap();
            read_to_end(ninefold_formats::parquet::read(file, None));
        } else {
            read_to_end(open(Bytes::from(damaged), None));
        }
    }
    println!("{cases} damaged files, {} panics became errors", QUIET.load(Ordering::Relaxed));
    assert_eq!(LOUD.load(Ordering::Relaxed), 0, "panics that would be printed");
    assert!(!panics_are_errors());
}
