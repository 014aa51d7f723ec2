//! Fuzzes the reader of variant rules in f-puzzles boards.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| ninefold_fuzz::rules(input));
