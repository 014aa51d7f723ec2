//! Files compressed with gzip, zstd and xz.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| ninefold_fuzz::decompress(input));
