//! Fuzzes the Parquet reader with valid files of arbitrary columns, intact and damaged.
#![no_main]

libfuzzer_sys::fuzz_target!(init: ninefold_fuzz::allow_caught_panics(), |table: ninefold_fuzz::Table| table.check());
