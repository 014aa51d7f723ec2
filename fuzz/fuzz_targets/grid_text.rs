//! Fuzzes the parser of grids written as lines, drawings or numbers.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| ninefold_fuzz::grid_text(input));
