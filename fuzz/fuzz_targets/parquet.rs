//! Parquet files, byte by byte.
#![no_main]

libfuzzer_sys::fuzz_target!(init: ninefold_fuzz::let_panics_be_caught(), |input: &[u8]| ninefold_fuzz::parquet(input));
