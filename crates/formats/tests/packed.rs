//! Compressed files and UTF-16: valid ones are read, truncated and damaged ones are errors.

use ninefold::random::Random;
use ninefold_formats::{Compression, Format};
use std::io::{Read, Write};

const LINE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

fn list() -> String {
    format!("{LINE}\n").repeat(2000)
}

fn compressed_lists() -> Vec<(Compression, Vec<u8>)> {
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
        (Compression::Gzip, gzip.finish().unwrap()),
        (Compression::Zstd, zstd),
        (Compression::Xz, xz.finish().unwrap()),
    ]
}

/// The number of puzzles, and the first error.
fn read(bytes: &[u8]) -> (usize, Option<String>) {
    let (_, records) = match ninefold_formats::read_any(bytes, None) {
        Ok(records) => records,
        Err(error) => return (0, Some(error.to_string())),
    };
    let (mut count, mut first_error) = (0, None);
    for entry in records.entries() {
        match entry {
            Ok(_) => count += 1,
            Err(error) => first_error = first_error.or(Some(error.to_string())),
        }
    }
    (count, first_error)
}

#[test]
fn reads_compressed_lists() {
    for (compression, file) in compressed_lists() {
        assert_eq!(Compression::detect(&file), compression);
        assert_eq!(read(&file), (2000, None), "{compression:?}");
        let twice = [&file[..], &file[..]].concat();
        assert_eq!(read(&twice), (4000, None), "concatenated compressed files: {compression:?}");
    }
}

#[test]
fn truncated_compressed_files_are_errors() {
    for (compression, file) in compressed_lists() {
        for end in [7, file.len() / 2, file.len() - 1] {
            let (_, first_error) = read(&file[..end]);
            assert!(first_error.is_some(), "{compression:?} truncated at {end} of {}", file.len());
        }
    }
}

#[test]
fn damaged_compressed_files_never_panic() {
    let mut random = Random::new(8);
    for (_, file) in compressed_lists() {
        for _ in 0..200 {
            let mut damaged = file.clone();
            let at = random.below(damaged.len());
            damaged[at] ^= 1 << random.below(8);
            read(&damaged);
        }
    }
}

#[test]
fn reads_utf_16_in_both_byte_orders() {
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
    let (format, records) = ninefold_formats::read_any(&table[..], None).unwrap();
    assert_eq!(format, Format::Semicolon);
    assert_eq!(records.entries().next().unwrap().unwrap().source.as_deref(), Some("Größe 😀"));
}

#[test]
fn decompression_is_lazy() {
    let zeros = ruzstd::encoding::compress_to_vec(
        &vec![b'.'; 50_000_000][..],
        ruzstd::encoding::CompressionLevel::Fastest,
    );
    let (_, mut decompressed) = ninefold_formats::decompress(&zeros[..]).unwrap();
    let mut few = [0; 10];
    decompressed.read_exact(&mut few).unwrap();
    assert_eq!(&few, b"..........");
}
