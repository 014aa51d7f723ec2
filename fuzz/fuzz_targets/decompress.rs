//! Fuzzes the decompression of gzip, zstd and xz files.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| ninefold_fuzz::decompress(input));
