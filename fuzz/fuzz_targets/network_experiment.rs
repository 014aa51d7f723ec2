//! Fuzzes the reader of experiment files of the published networks.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| ninefold_fuzz::networks::experiment(input));
