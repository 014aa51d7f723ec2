//! Grids as lines, drawings and numbers.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| ninefold_fuzz::grid_text(input));
