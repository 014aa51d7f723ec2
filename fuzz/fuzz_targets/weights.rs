//! Fuzzes the reader of files with weights.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| ninefold_fuzz::weights(input));
