//! Links to SudokuWiki, f-puzzles and SudokuPad, as text.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| ninefold_fuzz::read_in(
    input,
    &[formats::Format::Sudokuwiki, formats::Format::Fpuzzles, formats::Format::Sudokupad]
));
