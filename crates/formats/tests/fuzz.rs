//! Reads randomly mutated files: readers never panic, always end, and entries survive a round trip.
//!
//! `NINEFOLD_FUZZ=10000000` sets the number of inputs; the default is 20,000. Each input is derived
//! from its number, which a failure message contains.

use ninefold::grid::{Candidates, Grid};
use ninefold::random::Random;
use ninefold_formats::{Entry, Format, Writer};

/// Valid files to mutate: two for each format and some more.
fn seeds() -> Vec<Vec<u8>> {
    let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let solution =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    let puzzle: Grid = line.parse().unwrap();
    let position = Candidates::new(&puzzle).ok();
    let plain = Entry::new(puzzle);
    let entry = plain.clone().with_position(position).with_solution(solution.parse::<Grid>().ok());
    let entry = entry.with_rating("1.5".to_string()).with_source("own".to_string());
    let written = |format, entry: &Entry| {
        let mut writer = Writer::new(format, Vec::new()).unwrap();
        writer.write(entry).unwrap();
        // Some formats allow only one puzzle per file.
        _ = writer.write(entry);
        writer.finish().unwrap()
    };
    // Parquet is tested in tests/parquet.rs.
    let mut seeds: Vec<Vec<u8>> = Format::ALL
        .into_iter()
        .filter(|format| !matches!(format, Format::Parquet | Format::Sumocue))
        .flat_map(|format| [written(format, &entry), written(format, &plain)])
        .collect();
    let more = [
        "1..4..1..3..4..3\n".to_string(),
        format!("3x3:d:k:769:769:{}", "0:".repeat(79)),
        format!("F<<7^0000000{}", "0".repeat(69)),
        ".Shape~6x6.~R1C1_5.Cage~9~R1C2~R1C3.Arrow~R2C2~R3C3.LittleKiller~9~R1C4".to_string(),
        "{\"a\": [{\"board\": [[1,0],[null,2]]}]}".to_string(),
        ". . | . . | . .\n".repeat(6),
        line.replace('.', " "),
        format!("{:#}", line.parse::<Grid>().unwrap()).replace('.', " "),
        format!("https://www.sudokuwiki.org/sudoku.htm?bd={}", "vu".repeat(81)),
    ];
    seeds.extend(more.map(String::into_bytes));
    let utf_16: Vec<u8> =
        format!("\u{feff}{line}\n").encode_utf16().flat_map(u16::to_le_bytes).collect();
    seeds.push(utf_16);
    seeds
}

/// Changes some bytes: replaces, inserts, deletes, duplicates or truncates.
fn mutate(seed: &[u8], random: &mut Random) -> Vec<u8> {
    const BYTES: &[u8] = b"0123456789.,:;|+-*xX_#[]{}\"\\ \n\r\t\0\xff\xc3AGZagz/=?%";
    let mut bytes = seed.to_vec();
    for _ in 0..1 + random.below(6) {
        let at = random.below(bytes.len() + 1);
        let sign = BYTES[random.below(BYTES.len())];
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
    // For speed, only the last entry is also written in a format that keeps everything.
    let mut last = None;
    for item in ninefold_formats::read(format, bytes, None).entries() {
        let Ok(entry) = item else { continue };
        // A line cannot contain rules.
        let quick = if entry.puzzle.rules().is_some() { Format::Json } else { Format::Line };
        assert_eq!(written_and_read(&entry, quick).puzzle, entry.puzzle);
        last = Some(entry);
    }
    if let Some(entry) = last {
        let again = written_and_read(&entry, Format::Json);
        assert_eq!((again.puzzle, again.position), (entry.puzzle, entry.position));
    }
    if let Ok((_, records)) = ninefold_formats::read_any(bytes, None) {
        assert!(records.entries().take(10_000).count() < 10_000);
    }
}

fn written_and_read(entry: &Entry, format: Format) -> Entry {
    let mut writer = Writer::new(format, Vec::new()).unwrap();
    writer.write(entry).unwrap();
    let file = writer.finish().unwrap();
    ninefold_formats::read(format, &file[..], Some(entry.puzzle.order()))
        .entries()
        .next()
        .unwrap()
        .unwrap()
}

#[test]
fn mutated_files_never_panic() {
    let inputs: u64 =
        std::env::var("NINEFOLD_FUZZ").ok().and_then(|count| count.parse().ok()).unwrap_or(20_000);
    let seeds = seeds();
    for number in 0..inputs {
        let mut random = Random::for_part(1, number);
        let seed = &seeds[random.below(seeds.len())];
        let bytes = mutate(seed, &mut random);
        let format = match random.below(2) {
            0 => Format::detect(&bytes),
            _ => Format::ALL[random.below(Format::ALL.len())],
        };
        let outcome = std::panic::catch_unwind(|| read_and_write_again(&bytes, format));
        assert!(
            outcome.is_ok(),
            "input {number}, format {format}: {:?}",
            String::from_utf8_lossy(&bytes)
        );
    }
}
