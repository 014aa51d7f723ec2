//! Lists of objects, and boards in them.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| ninefold_fuzz::read_as(input, formats::Format::Json));
