//! Parquet files that are whole, with columns that are not what they should be.
#![no_main]

libfuzzer_sys::fuzz_target!(init: ninefold_fuzz::let_panics_be_caught(), |table: ninefold_fuzz::Table| table.check());
