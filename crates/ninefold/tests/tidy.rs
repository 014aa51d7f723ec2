//! Keeps the house tidy: arrows between rooms and crates point one way, the map is the tree, packages stand alone, unsafe code
//! stays where it is argued, no file grows out of one sitting, and nothing unfinished is left lying about.

#[path = "tidy/map.rs"]
mod map;
#[path = "tidy/packages.rs"]
mod packages;
#[path = "tidy/paths.rs"]
mod paths;
#[path = "tidy/tokens.rs"]
mod tokens;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tokens::of_product;

/// Which rooms of the library a room may use, beside those for all. A room that is not named here may not exist.
const MAY_USE: &[(&str, &[&str])] = &[
    ("chart", &[]),
    ("clock", &[]),
    ("limits", &[]),
    ("random", &[]),
    ("grid", &[]),
    ("search", &["grid"]),
    ("proof", &["grid"]),
    ("logic", &["grid", "proof"]),
    ("explain", &["grid", "proof", "logic"]),
    ("rate", &["grid", "search", "proof", "logic", "explain"]),
    ("puzzles", &["grid", "search", "proof", "logic", "explain", "rate"]),
    ("generate", &["grid", "search", "proof", "logic", "explain", "rate", "puzzles"]),
    ("hybrid", &["grid", "search"]),
];

/// Rooms that every room may use, as none of them knows what a Sudoku is.
const FOR_ALL: &[&str] = &["chart", "clock", "limits", "random"];

/// The only places with unsafe code; each argues in its header why it is sound.
const UNSAFE_FILES: &[&str] = &[
    "crates/gpu/src/card.rs",
    "crates/kaleidoscope/src/forward/avx2.rs",
    "crates/ninefold/src/search/batch/avx2.rs",
    "crates/ninefold/src/search/batch/avx512.rs",
    "crates/ninefold/src/search/triads/avx2.rs",
    "crates/ninefold/src/search/triads/avx512.rs",
    "crates/ninefold/src/search/triads/neon.rs",
    "crates/ninefold/src/search/triads/simd128.rs",
    "crates/ninefold/src/search/triads/walk.rs",
    "crates/wasm/src/lib.rs",
];

/// No source file is longer.
const LONGEST_FILE: usize = 800;

#[test]
fn arrows_between_rooms_point_one_way() {
    let source = root().join("crates/ninefold/src");
    let lib = fs::read_to_string(source.join("lib.rs")).expect("the library has a root");
    // `crate::Cell` is a way to `grid` as well: the root shows it under a name of its own.
    let shown: BTreeMap<String, String> = paths::shown_by_the_root(&lib)
        .into_iter()
        .map(|named| (named.name, named.path[0].clone()))
        .collect();
    for (path, text) in rust_files(&source) {
        let home = home_of(&source, &path);
        let Some(room) = home.first() else { continue };
        let allowed = MAY_USE.iter().find(|(name, _)| name == room).map(|(_, uses)| *uses);
        let allowed = allowed
            .unwrap_or_else(|| panic!("{room} is not a room of the house: {}", path.display()));
        for named in paths::inside_the_crate(&text, &home) {
            let first = named.path.first().map_or("lib.rs", String::as_str);
            let is_a_room = MAY_USE.iter().any(|(name, _)| *name == first);
            let used =
                if is_a_room { first } else { shown.get(first).map_or("lib.rs", String::as_str) };
            let fine = used == room || allowed.contains(&used) || FOR_ALL.contains(&used);
            assert!(
                fine,
                "{}: {room} may not use {used} ({})",
                path.display(),
                named.path.join("::")
            );
        }
    }
}

#[test]
fn unsafe_code_stays_in_the_vector_files() {
    for (path, text) in rust_files(&root().join("crates")) {
        let name =
            path.strip_prefix(root()).expect("below the root").to_string_lossy().into_owned();
        let has_unsafe = of_product(&text).iter().any(|token| token.is_word("unsafe"));
        assert!(!has_unsafe || UNSAFE_FILES.contains(&name.as_str()), "{name} has unsafe code");
        assert!(!has_unsafe || text.contains("//! Safety."), "{name} does not argue its safety");
    }
}

#[test]
fn files_fit_one_sitting_and_nothing_is_left_unfinished() {
    for (path, text) in rust_files(&root().join("crates")) {
        let lines = text.lines().count();
        assert!(lines <= LONGEST_FILE, "{} has {lines} lines", path.display());
        if path.ends_with("tests/tidy.rs") {
            continue;
        }
        for word in ["todo!(", "unimplemented!(", "FIXME", "TODO", "#[ignore"] {
            assert!(!text.contains(word), "{} holds {word}", path.display());
        }
    }
}

#[test]
fn every_source_file_says_what_it_is_for() {
    for (path, text) in rust_files(&root().join("crates")) {
        assert!(text.starts_with("//!"), "{} has no header", path.display());
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the workspace is there")
}

fn rust_files(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder can be read") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "target") {
                found.extend(rust_files(&path));
            }
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).expect("a source file can be read");
            found.push((path, text));
        }
    }
    found
}

/// The module that a file is: `["logic", "fish"]` for `logic/fish.rs`, `["grid"]` for `grid/mod.rs`.
fn home_of(source: &Path, path: &Path) -> Vec<String> {
    let inside = path.strip_prefix(source).expect("below the source folder").with_extension("");
    let names =
        inside.components().map(|component| component.as_os_str().to_string_lossy().into_owned());
    names.filter(|name| name != "mod" && name != "lib").collect()
}
