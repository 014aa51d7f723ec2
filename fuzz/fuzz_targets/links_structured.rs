//! Fuzzes the reader of links with correctly compressed boards of arbitrary content.
#![no_main]

libfuzzer_sys::fuzz_target!(|link: ninefold_fuzz::Link| link.check());
