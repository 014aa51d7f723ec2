//! Fuzzes the parser of saved local searches (`ninefold::generate::climb::Climb`).
#![no_main]

use ninefold::generate::climb::Climb;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    if let Ok(climb) = String::from_utf8_lossy(input).parse::<Climb>() {
        let again = climb.to_string().parse::<Climb>().expect("a saved climb can be parsed");
        assert_eq!(again.to_string(), climb.to_string());
    }
});
