//! Fuzzes the reader of weights and ONNX files of a published network.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| ninefold_fuzz::networks::weights(input));
