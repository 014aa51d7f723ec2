//! The state of a climb.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    if let Ok(climb) = ninefold::generate::climb::Climb::read(&String::from_utf8_lossy(input)) {
        let again = ninefold::generate::climb::Climb::read(&climb.to_string())
            .expect("what we write we can read");
        assert_eq!(again.to_string(), climb.to_string());
    }
});
