//! Parquet files that are whole, with columns that are not what they should be.
#![no_main]

libfuzzer_sys::fuzz_target!(|table: ninefold_fuzz::Table| table.check());
