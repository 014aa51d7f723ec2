//! Tables with commas, tabs and semicolons.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| ninefold_fuzz::read_in(
    input,
    &[
        formats::Format::Csv,
        formats::Format::Tsv,
        formats::Format::Semicolon,
        formats::Format::Extreme
    ]
));
