//! Parquet files, byte by byte.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| ninefold_fuzz::parquet(input));
