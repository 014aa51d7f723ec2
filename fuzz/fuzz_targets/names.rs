//! Fuzzes the parsers of technique names and of dataset splits such as `train=80,test=20`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let text = String::from_utf8_lossy(input);
    if let Ok(technique) = text.parse::<ninefold::Technique>() {
        assert_eq!(technique.slug().parse(), Ok(technique));
    }
    let _ = ninefold::puzzles::split::Split::parse(&text, 1);
});
