//! Fuzzes the reader of a file of puzzles together with a file of their solutions.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let middle = input.len() / 2;
    ninefold_formats::Pairs::new(&input[..middle], &input[middle..], None).take(200).for_each(drop);
});
