//! Fuzzes the reader of lines in the format of HoDoKu's library.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| ninefold_fuzz::read_as(
    input,
    ninefold_formats::Format::Hodoku
));
