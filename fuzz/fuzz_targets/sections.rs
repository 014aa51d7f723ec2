//! Fuzzes the readers of SadMan Sudoku and Simple Sudoku files.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| ninefold_fuzz::read_in(
    input,
    &[ninefold_formats::Format::Sdk, ninefold_formats::Format::Ss]
));
