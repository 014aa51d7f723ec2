//! Parquet tables written and read back, tables of others, and tables that are damaged.

#![cfg(feature = "parquet")]

use bytes::Bytes;
use formats::parquet::{ROWS_PER_GROUP, Rows, TableError};
use formats::{Entry, Format, ReadError, Writer};
use ninefold::generate::{self, Wish};
use ninefold::grid::{Candidates, Order};
use ninefold::random::Random;
use parquet::basic::{Compression, GzipLevel, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::sync::Arc;

const PUZZLE: &str = "1..4..1..3..4..3";

fn table(entries: &[Entry]) -> Vec<u8> {
    let mut writer = Writer::new(Format::Parquet, Vec::new()).unwrap();
    entries.iter().for_each(|entry| writer.write(entry).unwrap());
    writer.finish().unwrap()
}

fn open(file: impl Into<Bytes>, order: Option<Order>) -> Result<Rows, TableError> {
    formats::parquet::read(file.into(), order)
}

fn entries_of(rows: Rows) -> impl Iterator<Item = Result<Entry, ReadError>> {
    rows.map(|record| record.and_then(|record| record.entry()))
}

/// Some entries in which solution, rating, source and position are there or not.
fn entries(count: u64) -> Vec<Entry> {
    let wish = Wish::any(Order::FOUR);
    let entry = |index: u64| {
        let made = generate::make(&wish, 1, index).unwrap();
        let mut position = Candidates::of(&made.puzzle).unwrap();
        let (cell, digit) =
            made.solution.clues().find(|(cell, _)| made.puzzle[*cell].is_none()).unwrap();
        position.place(cell, digit);
        Entry::new(made.puzzle)
            .with_solution((!index.is_multiple_of(3)).then_some(made.solution))
            .with_rating((!index.is_multiple_of(4)).then(|| index.to_string()))
            .with_source((!index.is_multiple_of(5)).then(|| format!("list {index}")))
            .with_position(index.is_multiple_of(7).then_some(position))
    };
    (0..count).map(entry).collect()
}

/// A table of another writer with the columns `puzzle`, `solution`, `difficulty` and `id`.
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
    let nothing = vec![0; puzzles.len()];
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<Int64Type>().write_batch(&ids, None, None).unwrap();
    column.close().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<ByteArrayType>().write_batch(&texts, None, None).unwrap();
    column.close().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<ByteArrayType>().write_batch(&[], Some(&nothing), None).unwrap();
    column.close().unwrap();
    let mut levels = nothing.clone();
    levels[0] = 1;
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<DoubleType>().write_batch(&[2.5], Some(&levels), None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    file
}

#[test]
fn what_is_written_is_read_back_over_several_row_groups() {
    let entries = entries(2 * ROWS_PER_GROUP as u64 + 77);
    let read: Vec<Entry> = entries_of(open(Bytes::from(table(&entries)), None).unwrap())
        .collect::<Result<_, _>>()
        .unwrap_or_else(|bad| panic!("{bad}"));
    assert_eq!(read, entries);
    assert_eq!(open(Bytes::from(table(&[])), None).unwrap().count(), 0);
}

#[test]
fn tables_of_others_are_read_however_they_are_packed() {
    let packings = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::LZ4_RAW,
        Compression::ZSTD(ZstdLevel::default()),
    ];
    for packing in packings {
        let file = foreign_table(&[PUZZLE, "0000000000000000"], packing);
        let read: Vec<Entry> =
            entries_of(open(Bytes::from(file), None).unwrap()).collect::<Result<_, _>>().unwrap();
        assert_eq!(
            (read[0].puzzle.to_string().as_str(), read[0].rating.as_deref()),
            (PUZZLE, Some("2.5")),
            "{packing}"
        );
        assert_eq!(
            (read[1].puzzle.clue_count(), &read[1].rating, &read[1].solution),
            (0, &None, &None)
        );
    }
}

#[test]
fn a_bad_cell_is_named_with_its_place_and_the_next_row_is_read() {
    let file = foreign_table(&[PUZZLE, "1..4..q..3..4..3", "", PUZZLE], Compression::SNAPPY);
    let read: Vec<_> = entries_of(open(Bytes::from(file), None).unwrap()).collect();
    assert_eq!(
        read[1].as_ref().unwrap_err().to_string(),
        "row group 1, row 2: row 2, column 3: \"q\" is neither a digit nor an empty cell"
    );
    assert_eq!(read[2].as_ref().unwrap_err().to_string(), "row group 1, row 3: there is no puzzle");
    assert!(read[0].is_ok() && read[3].is_ok() && read.len() == 4);
}

#[test]
fn a_table_without_puzzles_says_which_columns_it_has() {
    let schema = Arc::new(
        parse_message_type("message other { REQUIRED INT64 id; REQUIRED INT32 size; }").unwrap(),
    );
    let mut file = Vec::new();
    SerializedFileWriter::new(&mut file, schema, Arc::default()).unwrap().close().unwrap();
    let error = open(Bytes::from(file), None).err().unwrap();
    assert_eq!(
        error.to_string(),
        "no column is called quizzes, question or puzzle; there is id, size"
    );
}

#[test]
fn a_column_of_switches_is_not_a_column_of_puzzles() {
    let schema =
        Arc::new(parse_message_type("message other { REQUIRED BOOLEAN puzzle; }").unwrap());
    let mut file = Vec::new();
    SerializedFileWriter::new(&mut file, schema, Arc::default()).unwrap().close().unwrap();
    let error = open(Bytes::from(file), None).err().unwrap();
    assert_eq!(
        error.to_string(),
        "the column puzzle holds values of type BOOLEAN, not one text in each row"
    );
}

#[test]
fn a_file_that_is_cut_off_is_told_so_wherever_it_is_cut() {
    let file = table(&entries(50));
    for length in 0..file.len() {
        let error = open(Bytes::copy_from_slice(&file[..length]), None).err();
        assert!(matches!(error, Some(TableError::Damaged(_))), "{length} bytes: {error:?}");
    }
}

#[test]
fn a_damaged_file_never_makes_the_reader_panic() {
    let file = table(&entries(50));
    let mut random = Random::new(3);
    let cases =
        std::env::var("NINEFOLD_FUZZ").ok().and_then(|text| text.parse().ok()).unwrap_or(3_000);
    for _ in 0..cases {
        let mut damaged = file.clone();
        for _ in 0..1 + random.below(4) {
            let place = random.below(damaged.len());
            damaged[place] = random.below(256) as u8;
        }
        // Whatever comes out, it comes to an end.
        if let Ok(rows) = open(Bytes::from(damaged), None) {
            assert!(entries_of(rows).take(1_000_000).count() < 1_000_000);
        }
    }
}
