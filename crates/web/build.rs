//! Embeds the WebAssembly engine, if `crates/wasm/build` has built it, and the baked daily puzzles.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The files of the engine. The weights are for photos, the last one is for browsers without vector
/// instructions.
const ENGINE: [&str; 5] =
    ["index.js", "engine-worker.js", "engine.wasm", "digits.bin", "engine-plain.wasm"];

fn main() {
    let directory = |name: &str| {
        Path::new(&std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join(name)
    };
    let (engine, daily) = (directory("../wasm/npm"), directory("daily"));
    println!("cargo::rerun-if-changed=build.rs");
    // Whole directories, because cargo treats a missing file as changed.
    for watched in [&engine, &daily] {
        println!("cargo::rerun-if-changed={}", watched.display());
    }
    let is_built = ENGINE[..4].iter().all(|name| engine.join(name).is_file());
    let files = if is_built { ENGINE.map(|name| engine.join(name)).to_vec() } else { Vec::new() };
    let mut source = String::from("pub static ENGINE: &[(&str, &[u8])] = &[\n");
    embed(&files, &mut source);
    let mut months: Vec<PathBuf> = std::fs::read_dir(&daily)
        .expect("the directory of daily puzzles")
        .map(|entry| entry.expect("an entry of the directory").path())
        .collect();
    months.sort();
    source += "];\npub static DAILY: &[(&str, &[u8])] = &[\n";
    embed(&months, &mut source);
    source += "];\n";
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it"));
    std::fs::write(out.join("embedded.rs"), source).expect("the build directory is writable");
}

/// Adds the existing files, compressed, to the source text.
fn embed(files: &[PathBuf], source: &mut String) {
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it"));
    for file in files.iter().filter(|file| file.is_file()) {
        let name = file.file_name().expect("a file has a name").to_string_lossy().into_owned();
        let packed = out.join(format!("{name}.gz"));
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&std::fs::read(file).expect("the file can be read")).expect("in memory");
        let bytes = encoder.finish().expect("in memory");
        std::fs::write(&packed, bytes).expect("the build directory is writable");
        writeln!(source, "    ({name:?}, include_bytes!({packed:?})),").expect("in memory");
    }
}
