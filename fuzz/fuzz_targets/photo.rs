//! Fuzzes the decoder of image files and everything behind it (`ninefold_vision`).
#![no_main]

use ninefold_vision::{Outcome, Reader, open};
use std::sync::LazyLock;

static READER: LazyLock<Reader> = LazyLock::new(Reader::default);

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Ok(image) = open::open(input) else { return };
    // Reading takes longer for large images without finding more bugs.
    if image.width() * image.height() > 500_000 {
        return;
    }
    if let Ok(reading) = READER.read(&image)
        && reading.outcome == Outcome::Read
    {
        assert!(reading.solution.is_some(), "an accepted puzzle has exactly one solution");
    }
});
