//! Files of SadMan Sudoku and of Simple Sudoku.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| ninefold_fuzz::read_in(
    input,
    &[formats::Format::Sdk, formats::Format::Ss]
));
