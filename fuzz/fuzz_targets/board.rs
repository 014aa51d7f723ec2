//! Fuzzes compiling, solving, explaining and writing boards with arbitrary rules.
#![no_main]

libfuzzer_sys::fuzz_target!(|board: ninefold_fuzz::board::Board| board.check());
