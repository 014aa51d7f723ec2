//! Fuzzes the reader of grids with pencil marks.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| ninefold_fuzz::read_as(
    input,
    ninefold_formats::Format::Marks
));
