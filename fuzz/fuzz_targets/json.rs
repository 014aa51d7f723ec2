//! Fuzzes the reader of puzzles as JSON.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| ninefold_fuzz::read_as(
    input,
    ninefold_formats::Format::Json
));
