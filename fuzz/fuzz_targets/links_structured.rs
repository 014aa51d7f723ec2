//! Links with a correctly compressed board of arbitrary content.
#![no_main]

libfuzzer_sys::fuzz_target!(|link: ninefold_fuzz::Link| link.check());
