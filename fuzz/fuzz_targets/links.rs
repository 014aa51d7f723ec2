//! Fuzzes the reader of links to SudokuWiki, f-puzzles and SudokuPad with arbitrary text.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| ninefold_fuzz::read_in(
    input,
    &[
        ninefold_formats::Format::Sudokuwiki,
        ninefold_formats::Format::Fpuzzles,
        ninefold_formats::Format::Sudokupad
    ]
));
