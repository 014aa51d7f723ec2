//! Readers on mutated files: they never panic, they always end, and what they read they can write and read again.
//!
//! `NINEFOLD_FUZZ=10000000` sets the number of inputs; without it a short run of 20,000 is made. Every input follows
//! from its number, so a failure names the input that caused it.

use ninefold::grid::{Candidates, Grid};
use ninefold::puzzles::format::{self, Entry, Format, Writer};
use ninefold::random::Random;

/// Well-formed files to begin with, one for each format and some more.
fn seeds() -> Vec<String> {
    let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let solution = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    let puzzle: Grid = line.parse().unwrap();
    let entry = Entry {
        position: Candidates::of(&puzzle).ok(),
        solution: solution.parse().ok(),
        rating: Some("1.5".to_string()),
        source: Some("own".to_string()),
        ..Entry::new(puzzle)
    };
    let mut seeds: Vec<String> = Format::ALL
        .into_iter()
        .map(|format| {
            let mut writer = Writer::new(format);
            let body: String = (0..2).filter_map(|_| writer.entry(&entry)).collect();
            writer.start() + &body + &writer.end()
        })
        .collect();
    seeds.push("1..4..1..3..4..3\n".to_string());
    seeds.push("{\"a\": [{\"board\": [[1,0],[null,2]]}]}".to_string());
    seeds.push(". . | . . | . .\n".repeat(6));
    seeds
}

/// Changes some bytes: replaces, inserts, deletes, doubles or cuts.
fn mutate(seed: &str, random: &mut Random) -> Vec<u8> {
    const SIGNS: &[u8] = b"0123456789.,:;|+-*xX_#[]{}\"\\ \n\r\t\0\xff\xc3AGZagz";
    let mut bytes = seed.as_bytes().to_vec();
    for _ in 0..1 + random.below(6) {
        let at = random.below(bytes.len() + 1);
        let sign = SIGNS[random.below(SIGNS.len())];
        match random.below(6) {
            0 if at < bytes.len() => bytes[at] = sign,
            1 => bytes.insert(at, sign),
            2 if at < bytes.len() => _ = bytes.remove(at),
            3 => {
                let end = (at + random.below(40)).min(bytes.len());
                let part = bytes[at..end].to_vec();
                let to = random.below(bytes.len() + 1);
                bytes.splice(to..to, part);
            }
            4 => bytes.truncate(at),
            _ => {
                let end = (at + random.below(12)).min(bytes.len());
                bytes.drain(at..end);
            }
        }
    }
    bytes
}

fn read_and_write_again(bytes: &[u8], format: Format) {
    for item in format::read(format, bytes, None) {
        let Ok(entry) = item else { continue };
        let mut writer = Writer::new(Format::Line);
        let line = writer.entry(&entry).unwrap();
        let order = Some(entry.puzzle.order());
        let again = format::read(Format::Line, line.as_bytes(), order).next().unwrap().unwrap();
        assert_eq!(again.puzzle, entry.puzzle);
    }
}

#[test]
fn mutated_files_are_read_or_refused_but_never_break_a_reader() {
    let inputs: u64 = std::env::var("NINEFOLD_FUZZ").ok().and_then(|count| count.parse().ok()).unwrap_or(20_000);
    let seeds = seeds();
    for number in 0..inputs {
        let mut random = Random::for_part(1, number);
        let seed = &seeds[random.below(seeds.len())];
        let bytes = mutate(seed, &mut random);
        let format = match random.below(2) {
            0 => Format::of(&bytes),
            _ => Format::ALL[random.below(Format::ALL.len())],
        };
        let outcome = std::panic::catch_unwind(|| read_and_write_again(&bytes, format));
        assert!(outcome.is_ok(), "input {number}, format {}: {:?}", format.name(), String::from_utf8_lossy(&bytes));
    }
}
