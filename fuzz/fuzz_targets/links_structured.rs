//! Links whose board is well packed, with anything inside.
#![no_main]

libfuzzer_sys::fuzz_target!(|link: ninefold_fuzz::Link| link.check());
