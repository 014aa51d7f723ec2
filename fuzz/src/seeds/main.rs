//! Writes the seed corpus: `seeds DIRECTORY` writes valid files for each target into a
//! subdirectory.

// All programs of this workspace are compiled with coverage instrumentation. This one is not linked
// with libFuzzer, so it provides empty callbacks.
mod coverage_stubs;

use ninefold::grid::{Candidates, Grid};
use ninefold_formats::{Entry, Format, Writer};
use std::fs;
use std::path::Path;

const LINE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// For each target: its formats in the order of their selector byte, and whether there is such a
/// byte.
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
    let root = std::env::args().nth(1).expect("usage: seeds DIRECTORY");
    write_others(Path::new(&root));
    for (target, available, has_choice) in TARGETS {
        let directory = Path::new(&root).join(target);
        fs::create_dir_all(&directory).expect("the directory can be created");
        for (choice, format) in available.iter().enumerate() {
            for (number, entry) in entries().iter().enumerate() {
                let mut writer =
                    Writer::new(*format, Vec::new()).expect("writing to memory succeeds");
                if writer.write(entry).is_err() {
                    continue;
                }
                let mut bytes = writer.finish().expect("writing to memory succeeds");
                if *has_choice {
                    bytes.insert(0, choice as u8);
                }
                fs::write(directory.join(format!("seed-{}-{number}", format.name())), bytes)
                    .expect("the file can be written");
            }
        }
    }
}

/// Files that are no puzzles.
fn write_others(root: &Path) {
    let others = [
        ("experiment", "recipe", ninefold_kaleidoscope::train::recipe().to_toml().into_bytes()),
        ("experiment", "rules", ninefold_kaleidoscope::heads::recipe().to_toml().into_bytes()),
        ("weights", "shipped", ninefold_kaleidoscope::SHIPPED_WEIGHTS.to_vec()),
        ("rules", "several", RULES.as_bytes().to_vec()),
    ];
    for (target, name, bytes) in others {
        let directory = root.join(target);
        fs::create_dir_all(&directory).expect("the directory can be created");
        fs::write(directory.join(format!("seed-{name}")), bytes).expect("the file can be written");
    }
}

/// Side 9, and rules of several kinds.
const RULES: &str = "\t{\"diagonal+\": true, \"antiknight\": true, \
    \"thermometer\": [{\"lines\": [[\"R1C1\", \"R2C2\", \"R3C3\"]]}], \
    \"killercage\": [{\"cells\": [\"R1C1\", \"R1C2\"], \"value\": \"9\"}], \
    \"arrow\": [{\"lines\": [[\"R4C4\", \"R4C5\"]], \"cells\": [\"R4C4\"]}], \
    \"difference\": [{\"cells\": [\"R7C7\", \"R7C8\"], \"value\": \"1\"}]}";

/// Puzzles alone, and one with all optional fields.
fn entries() -> [Entry; 3] {
    let puzzle: Grid = LINE.parse().expect("the puzzle is valid");
    let position = Candidates::new(&puzzle).ok();
    let plain = Entry::new(puzzle);
    let full = plain.clone().with_position(position).with_solution(SOLUTION.parse::<Grid>().ok());
    let full = full.with_rating("1.5".to_string()).with_source("own".to_string());
    [Entry::new("1..4..1..3..4..3".parse().expect("the puzzle is valid")), plain, full]
}
