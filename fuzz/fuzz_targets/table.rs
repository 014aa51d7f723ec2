//! Fuzzes the readers of tables with commas, tabs or semicolons.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| ninefold_fuzz::read_in(
    input,
    &[
        ninefold_formats::Format::Csv,
        ninefold_formats::Format::Tsv,
        ninefold_formats::Format::Semicolon,
        ninefold_formats::Format::Extreme
    ]
));
