//! Writes the seed corpus: `seeds DIRECTORY` writes valid files for each target into a
//! subdirectory.

// All programs of this workspace are compiled with coverage instrumentation. This one is not linked
// with libFuzzer, so it provides empty callbacks.
mod coverage_stubs;

use ninefold::grid::{Candidates, Grid};
use ninefold_formats::{Entry, Format, Writer};
use ninefold_neural::device::Device;
use ninefold_neural::registry::{self, FileFormat, Weights};
use ninefold_neural::training::TrainOptions;
use ninefold_neural::training::run::WEIGHTS;
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
    (
        "variants",
        &[
            Format::Jigsaw,
            Format::Sumocue,
            Format::Iss,
            Format::Fpuzzles,
            Format::Sudokupad,
            Format::Json,
        ],
        true,
    ),
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
    let recipes = registry::all()
        .iter()
        .map(|model| ("network_experiment", model.name, model.recipe().into_bytes()));
    let others = others.into_iter().chain(recipes).chain(small_network());
    for (target, name, bytes) in others {
        let directory = root.join(target);
        fs::create_dir_all(&directory).expect("the directory can be created");
        fs::write(directory.join(format!("seed-{name}")), bytes).expect("the file can be written");
    }
}

/// The weights of a small network, and the same as ONNX.
fn small_network() -> [(&'static str, &'static str, Vec<u8>); 2] {
    let changes = "
        boxes = [2, 2]
        batch_size = 4
        model = { hidden = 4 }
        data = { source = \"minimal\", train = 8, validation = 4, test = 4 }
        stages = [{ epochs = 1, learning_rate = 0.01, blanks = 4 }]
    ";
    let run = std::env::temp_dir().join(format!("ninefold-fuzz-seeds-{}", std::process::id()));
    let model = registry::by_name("dense").expect("the name is registered");
    let mut options = TrainOptions::new(&run);
    options.changes = Some(changes);
    model.train(&options, Device::Cpu, &mut |_| {}).expect("a small network is trained");
    let file = run.join(WEIGHTS);
    let weights = fs::read(&file).expect("training writes weights");
    let onnx = model.export(Weights::File(&file), FileFormat::Onnx).expect("they can be exported");
    fs::remove_dir_all(&run).expect("the temporary directory is writable");
    [("network_weights", "weights", weights), ("network_weights", "onnx", onnx)]
}

/// Side 9, and rules of several kinds.
const RULES: &str = "\t{\"diagonal+\": true, \"antiknight\": true, \
    \"thermometer\": [{\"lines\": [[\"R1C1\", \"R2C2\", \"R3C3\"]]}], \
    \"killercage\": [{\"cells\": [\"R1C1\", \"R1C2\"], \"value\": \"9\"}], \
    \"arrow\": [{\"lines\": [[\"R4C4\", \"R4C5\"]], \"cells\": [\"R4C4\"]}], \
    \"difference\": [{\"cells\": [\"R7C7\", \"R7C8\"], \"value\": \"1\"}]}";

/// Puzzles with rules.
const VARIANTS: [&str; 3] = [
    r#"{"puzzle": "1...............", "rules": {"boxes": "2x2",
        "cage": [{"cells": "r1c1 r1c2", "sum": 3}, {"cells": "r1c3 r2c3", "sum": 4}]}}"#,
    r#"{"puzzle": "1........................",
        "rules": {"size": 5, "regions": "11122 11222 33333 44455 44555"}}"#,
    r#"{"puzzle": "1........................",
        "rules": {"size": 5, "regions": "11122 11222 33333 44455 44555", "odd": "r1c1"}}"#,
];

/// Puzzles alone, one with all optional fields, and puzzles with rules.
fn entries() -> Vec<Entry> {
    let puzzle: Grid = LINE.parse().expect("the puzzle is valid");
    let position = Candidates::new(&puzzle).ok();
    let plain = Entry::new(puzzle);
    let full = plain.clone().with_position(position).with_solution(SOLUTION.parse::<Grid>().ok());
    let full = full.with_rating("1.5".to_string()).with_source("own".to_string());
    let small = Entry::new("1..4..1..3..4..3".parse().expect("the puzzle is valid"));
    let mut entries = vec![small, plain, full];
    for text in VARIANTS {
        let read = ninefold_formats::read(Format::Json, text.as_bytes(), None).entries().next();
        entries.push(read.expect("an entry").expect("the puzzle is valid"));
    }
    entries
}
