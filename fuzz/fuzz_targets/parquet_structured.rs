//! Valid Parquet files with arbitrary columns.
#![no_main]

libfuzzer_sys::fuzz_target!(init: ninefold_fuzz::allow_caught_panics(), |table: ninefold_fuzz::Table| table.check());
