//! Keeps the house tidy: arrows between rooms point one way, unsafe code stays where it is argued, no file grows out of
//! one sitting, and nothing unfinished is left lying about.

use std::fs;
use std::path::{Path, PathBuf};

/// Which rooms of the library a room may use. A room that is not named here may not exist.
const MAY_USE: &[(&str, &[&str])] = &[
    ("random", &[]),
    ("grid", &["random"]),
    ("search", &["grid", "random"]),
    ("logic", &["grid", "random"]),
    ("rate", &["grid", "logic", "random"]),
    ("puzzles", &["grid", "search", "rate", "logic", "random"]),
    ("generate", &["grid", "search", "rate", "logic", "puzzles", "random"]),
    ("hybrid", &["grid", "search", "logic", "random"]),
];

/// Which crates of the workspace a crate may depend on.
const MAY_DEPEND_ON: &[(&str, &[&str])] = &[
    ("ninefold", &[]),
    ("colored", &[]),
    ("formats", &["ninefold"]),
    ("neural", &["ninefold", "formats"]),
    ("batch", &["ninefold", "formats"]),
    ("web", &["ninefold", "formats", "neural", "batch"]),
    ("web-tests", &["web", "neural"]),
    ("cli", &["ninefold", "formats", "neural", "batch", "web"]),
];

/// The only places with unsafe code; each argues in its header why it is sound.
const UNSAFE_FILES: &[&str] = &[
    "crates/ninefold/src/search/batch/avx2.rs",
    "crates/ninefold/src/search/batch/avx512.rs",
    "crates/ninefold/src/search/triads/avx512.rs",
];

/// No source file is longer.
const LONGEST_FILE: usize = 800;

#[test]
fn arrows_between_rooms_point_one_way() {
    let source = root().join("crates/ninefold/src");
    for (path, text) in rust_files(&source) {
        let room = room_of(&source, &path);
        if room == "lib" {
            continue;
        }
        let allowed = MAY_USE.iter().find(|(name, _)| *name == room).map(|(_, uses)| *uses);
        let allowed = allowed.unwrap_or_else(|| panic!("{room} is no room of the house: {}", path.display()));
        for used in rooms_used(&product_code(&text)) {
            let fine = used == room || allowed.contains(&used.as_str());
            assert!(fine, "{}: {room} may not use {used}", path.display());
        }
    }
}

#[test]
fn arrows_between_crates_point_one_way() {
    for folder in fs::read_dir(root().join("crates")).expect("the workspace has crates") {
        let folder = folder.expect("a folder can be read").path();
        let name = folder.file_name().expect("a folder has a name").to_string_lossy().into_owned();
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a crate has a manifest");
        let allowed = MAY_DEPEND_ON.iter().find(|(crate_name, _)| *crate_name == name);
        let allowed = allowed.unwrap_or_else(|| panic!("{name} is no crate of the house")).1;
        for (other, _) in MAY_DEPEND_ON.iter().filter(|(other, _)| *other != name) {
            let package = if *other == "ninefold" { "ninefold".to_string() } else { format!("ninefold-{other}") };
            let depends = manifest
                .lines()
                .any(|line| line.strip_prefix(&package).is_some_and(|rest| rest.starts_with([' ', '.', '='])));
            assert!(!depends || allowed.contains(other), "crate {name} may not depend on {other}");
        }
    }
}

#[test]
fn unsafe_code_stays_in_the_vector_files() {
    for (path, text) in rust_files(&root().join("crates")) {
        let name = path.strip_prefix(root()).expect("below the root").to_string_lossy().into_owned();
        if name.ends_with("tests/tidy.rs") {
            continue;
        }
        let has_unsafe = product_code(&text).lines().any(|line| {
            let code = line.split("//").next().unwrap_or("");
            ["unsafe {", "unsafe fn", "unsafe impl"].iter().any(|word| code.contains(word))
        });
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
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace is there")
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

/// The room of a file: its first folder, or its own name at the top.
fn room_of(source: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(source).expect("below the source folder");
    let first = inside.components().next().expect("a file has a name").as_os_str().to_string_lossy().into_owned();
    first.trim_end_matches(".rs").to_string()
}

/// Everything before the tests: tests may look anywhere.
fn product_code(text: &str) -> String {
    text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text).to_string()
}

/// The rooms named in paths such as `crate::grid::Cell` or `use crate::{grid, search}`.
fn rooms_used(code: &str) -> Vec<String> {
    let mut rooms = Vec::new();
    for line in code.lines().map(|line| line.split("//").next().unwrap_or("")) {
        for piece in line.split("crate::").skip(1) {
            let names: Vec<&str> = match piece.strip_prefix('{') {
                Some(list) => list.split([',', '}']).collect(),
                None => vec![piece],
            };
            for name in names {
                let room: String = name.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                if !room.is_empty() {
                    rooms.push(room);
                }
            }
        }
    }
    rooms
}

#[test]
fn the_arrow_test_sees_paths_in_every_form() {
    assert_eq!(rooms_used("use crate::grid::Cell;"), ["grid"]);
    assert_eq!(
        rooms_used("use crate::{grid::Grid, search};\nlet x = crate::rate::of(y); // crate::web"),
        ["grid", "search", "rate"]
    );
}
