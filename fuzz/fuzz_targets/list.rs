//! Fuzzes the readers of lists of puzzles written as lines, drawn grids or numbers.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| ninefold_fuzz::read_in(
    input,
    &[
        ninefold_formats::Format::Line,
        ninefold_formats::Format::Sdm,
        ninefold_formats::Format::Drawn,
        ninefold_formats::Format::Numbers
    ]
));
