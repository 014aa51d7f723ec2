//! Fuzzes the Parquet reader with arbitrary bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(init: ninefold_fuzz::allow_caught_panics(), |input: &[u8]| ninefold_fuzz::parquet(input));
