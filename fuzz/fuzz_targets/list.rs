//! Lists of lines, drawn grids and numbers.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| ninefold_fuzz::read_in(
    input,
    &[
        formats::Format::Line,
        formats::Format::Sdm,
        formats::Format::Drawn,
        formats::Format::Numbers
    ]
));
