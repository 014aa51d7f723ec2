//! Fuzzes the readers of puzzles with rules: jigsaws, SumoCue, Interactive Sudoku Solver, f-puzzles,
//! SudokuPad and JSON.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| ninefold_fuzz::read_in(
    input,
    &[
        ninefold_formats::Format::Jigsaw,
        ninefold_formats::Format::Sumocue,
        ninefold_formats::Format::Iss,
        ninefold_formats::Format::Fpuzzles,
        ninefold_formats::Format::Sudokupad,
        ninefold_formats::Format::Json
    ]
));
