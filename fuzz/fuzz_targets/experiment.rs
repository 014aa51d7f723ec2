//! Fuzzes the reader of experiment files, with the settings of Kaleidoscope.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| ninefold_fuzz::experiment(input));
