//! Packed files and other encodings: they are read, and what is cut off or damaged is told so.

use formats::{Format, Packing};
use ninefold::random::Random;
use std::io::{Read, Write};

const LINE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

fn list() -> String {
    format!("{LINE}\n").repeat(2000)
}

fn packings() -> Vec<(Packing, Vec<u8>)> {
    let list = list();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(list.as_bytes()).unwrap();
    let zstd = ruzstd::encoding::compress_to_vec(
        list.as_bytes(),
        ruzstd::encoding::CompressionLevel::Fastest,
    );
    let mut xz = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::default()).unwrap();
    xz.write_all(list.as_bytes()).unwrap();
    vec![
        (Packing::Gzip, gzip.finish().unwrap()),
        (Packing::Zstd, zstd),
        (Packing::Xz, xz.finish().unwrap()),
    ]
}

/// How many puzzles are read, and the first complaint.
fn read(bytes: &[u8]) -> (usize, Option<String>) {
    let (_, records) = match formats::read_any(bytes, None) {
        Ok(records) => records,
        Err(error) => return (0, Some(error.to_string())),
    };
    let (mut count, mut complaint) = (0, None);
    for entry in records.entries() {
        match entry {
            Ok(_) => count += 1,
            Err(error) => complaint = complaint.or(Some(error.to_string())),
        }
    }
    (count, complaint)
}

#[test]
fn packed_lists_are_read() {
    for (packing, file) in packings() {
        assert_eq!(Packing::detect(&file), packing);
        assert_eq!(read(&file), (2000, None), "{packing:?}");
        let twice = [&file[..], &file[..]].concat();
        assert_eq!(
            read(&twice),
            (4000, None),
            "two files packed one after the other are one: {packing:?}"
        );
    }
}

#[test]
fn a_packed_file_that_is_cut_off_is_an_error() {
    for (packing, file) in packings() {
        for end in [7, file.len() / 2, file.len() - 1] {
            let (_, complaint) = read(&file[..end]);
            assert!(complaint.is_some(), "{packing:?} cut at {end} of {}", file.len());
        }
    }
}

#[test]
fn a_damaged_packed_file_never_makes_the_reader_panic() {
    let mut random = Random::new(8);
    for (_, file) in packings() {
        for _ in 0..200 {
            let mut damaged = file.clone();
            let at = random.below(damaged.len());
            damaged[at] ^= 1 << random.below(8);
            read(&damaged);
        }
    }
}

#[test]
fn utf_16_is_read_in_both_orders() {
    let text = format!("\u{feff}{}", list());
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!(read(&little), (2000, None));
    assert_eq!(read(&big), (2000, None));
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(&little).unwrap();
    assert_eq!(read(&packed.finish().unwrap()), (2000, None));
    let table = format!("\u{feff}puzzle;source\r\n{LINE};Größe 😀\r\n");
    let table: Vec<u8> = table.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let (format, records) = formats::read_any(&table[..], None).unwrap();
    assert_eq!(format, Format::Semicolon);
    assert_eq!(records.entries().next().unwrap().unwrap().source.as_deref(), Some("Größe 😀"));
}

#[test]
fn unpacking_takes_no_more_than_it_is_asked_for() {
    let zeros = ruzstd::encoding::compress_to_vec(
        &vec![b'.'; 50_000_000][..],
        ruzstd::encoding::CompressionLevel::Fastest,
    );
    let (_, mut unpacked) = formats::unpack(&zeros[..]).unwrap();
    let mut few = [0; 10];
    unpacked.read_exact(&mut few).unwrap();
    assert_eq!(&few, b"..........");
}
