//! Well-formed files to begin with: `seeds FOLDER` leaves some for every target in a folder of its name.

// All programs of this workspace are compiled to report to the fuzzer; this one has none, so nobody listens.
mod silence;

use formats::{Entry, Format, Writer};
use ninefold::grid::{Candidates, Grid};
use std::fs;
use std::path::Path;

const LINE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// The formats that a target reads, in the order of its first byte; a target without a choice has none.
const TARGETS: &[(&str, &[Format], bool)] = &[
    ("list", &[Format::Line, Format::Sdm, Format::Drawn, Format::Numbers], true),
    ("table", &[Format::Csv, Format::Tsv, Format::Semicolon, Format::Extreme], true),
    ("json", &[Format::Json], false),
    ("sections", &[Format::Sdk, Format::Ss], true),
    ("hodoku", &[Format::Hodoku], false),
    ("marks", &[Format::Marks], false),
    ("links", &[Format::Sudokuwiki, Format::Fpuzzles, Format::Sudokupad], true),
    ("parquet", &[Format::Parquet], false),
    ("grid_text", &[Format::Line, Format::Drawn, Format::Numbers], false),
    ("pairs", &[Format::Numbers], false),
];

fn main() {
    let folder = std::env::args().nth(1).expect("usage: seeds FOLDER");
    for (target, available, has_choice) in TARGETS {
        let folder = Path::new(&folder).join(target);
        fs::create_dir_all(&folder).expect("a folder can be made");
        for (choice, format) in available.iter().enumerate() {
            for (number, entry) in entries().iter().enumerate() {
                let mut writer = Writer::new(*format, Vec::new()).expect("memory can be written");
                if writer.write(entry).is_err() {
                    continue;
                }
                let mut bytes = writer.finish().expect("memory can be written");
                if *has_choice {
                    bytes.insert(0, choice as u8);
                }
                fs::write(folder.join(format!("seed-{}-{number}", format.name())), bytes)
                    .expect("a file can be written");
            }
        }
    }
}

/// A puzzle alone, and one with everything that an entry may have.
fn entries() -> [Entry; 3] {
    let puzzle: Grid = LINE.parse().expect("a puzzle");
    let position = Candidates::of(&puzzle).ok();
    let plain = Entry::new(puzzle);
    let full = plain.clone().with_position(position).with_solution(SOLUTION.parse::<Grid>().ok());
    let full = full.with_rating("1.5".to_string()).with_source("own".to_string());
    [Entry::new("1..4..1..3..4..3".parse().expect("a puzzle")), plain, full]
}
