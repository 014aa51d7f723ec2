//! Checks the structure of the workspace: dependencies between modules and crates point one way,
//! the tables in `ARCHITECTURE.md` match the tree, published packages are self-contained, unsafe
//! code is confined to a list of files, files have a header and a maximum length, and no
//! placeholders such as `todo!` are left.

#[path = "tidy/architecture.rs"]
mod architecture;
#[path = "tidy/packages.rs"]
mod packages;
#[path = "tidy/paths.rs"]
mod paths;
#[path = "tidy/source.rs"]
mod source;

use source::{contains_word, product_tokens};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of the library that each module may use, besides `FOR_ALL`. Every module must be
/// listed here.
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

/// Modules that every module may use; none of them depends on Sudoku concepts.
const FOR_ALL: &[&str] = &["chart", "clock", "limits", "random"];

/// The only files with unsafe code; the header of each explains why it is sound.
const UNSAFE_FILES: &[&str] = &[
    "crates/gpu/src/solver.rs",
    "crates/kaleidoscope/src/forward/avx2.rs",
    "crates/ninefold/src/search/batch/avx2.rs",
    "crates/ninefold/src/search/batch/avx512.rs",
    "crates/ninefold/src/search/triads/avx2.rs",
    "crates/ninefold/src/search/triads/avx512.rs",
    "crates/ninefold/src/search/triads/boxes.rs",
    "crates/ninefold/src/search/triads/neon.rs",
    "crates/ninefold/src/search/triads/simd128.rs",
    "crates/ninefold/src/search/triads/walk.rs",
    "crates/wasm/src/lib.rs",
];

/// The maximum number of lines of a source file.
const MAX_LINES: usize = 800;

#[test]
fn modules_use_only_allowed_modules() {
    let source = root().join("crates/ninefold/src");
    let lib = fs::read_to_string(source.join("lib.rs")).expect("the library has a lib.rs");
    // `crate::Cell` also leads to `grid`, because the root re-exports it.
    let exports: BTreeMap<String, String> = paths::root_exports(&lib)
        .into_iter()
        .map(|used| (used.name, used.path[0].clone()))
        .collect();
    for (path, text) in rust_files(&source) {
        // Tests may compare modules with each other.
        if path.ends_with("tests.rs") || path.ends_with("test_grid.rs") {
            continue;
        }
        let home = home_of(&source, &path);
        let Some(module) = home.first() else { continue };
        let allowed = MAY_USE.iter().find(|(name, _)| name == module).map(|(_, uses)| *uses);
        let allowed = allowed
            .unwrap_or_else(|| panic!("module {module} is missing in MAY_USE: {}", path.display()));
        for used in paths::paths_in_crate(&text, &home) {
            let first = used.path.first().map_or("lib.rs", String::as_str);
            let is_module = MAY_USE.iter().any(|(name, _)| *name == first);
            let target =
                if is_module { first } else { exports.get(first).map_or("lib.rs", String::as_str) };
            let is_allowed =
                target == module || allowed.contains(&target) || FOR_ALL.contains(&target);
            assert!(
                is_allowed,
                "{}: {module} may not use {target} ({})",
                path.display(),
                used.path.join("::")
            );
        }
    }
}

#[test]
fn unsafe_code_is_confined_to_listed_files() {
    for (path, text) in rust_files(&root().join("crates")) {
        let name =
            path.strip_prefix(root()).expect("below the root").to_string_lossy().into_owned();
        let has_unsafe = contains_word(product_tokens(&text), "unsafe");
        assert!(!has_unsafe || UNSAFE_FILES.contains(&name.as_str()), "{name} has unsafe code");
        assert!(
            !has_unsafe || text.contains("//! Safety:"),
            "the header of {name} has no paragraph \"Safety:\""
        );
    }
}

#[test]
fn files_are_short_and_contain_no_placeholders() {
    for (path, text) in rust_files(&root().join("crates")) {
        let lines = text.lines().count();
        assert!(lines <= MAX_LINES, "{} has {lines} lines", path.display());
        if path.ends_with("tests/tidy.rs") {
            continue;
        }
        for word in ["todo!(", "unimplemented!(", "FIXME", "TODO", "#[ignore"] {
            assert!(!text.contains(word), "{} contains {word}", path.display());
        }
    }
}

#[test]
fn every_source_file_has_a_header() {
    for (path, text) in rust_files(&root().join("crates")) {
        assert!(text.starts_with("//!"), "{} has no header", path.display());
    }
}

#[test]
fn the_table_of_faults_lists_every_command_and_path() {
    let read = |path: &str| fs::read_to_string(root().join(path)).unwrap();
    let table = read("docs/faults.md");
    let is_listed =
        |name: &str| table.contains(&format!("`{name}`")) || table.contains(&format!("`{name} "));
    let help = fs::read_dir(root().join("crates/cli/tests/help")).unwrap();
    let commands = help.filter_map(|file| {
        let name = file.unwrap().file_name().into_string().unwrap();
        // Names with a hyphen belong to subcommands.
        name.strip_suffix(".txt")
            .filter(|name| *name != "ninefold" && !name.contains('-'))
            .map(str::to_string)
    });
    let paths = read("crates/web/openapi.json");
    let paths = paths.lines().filter_map(|line| line.trim().strip_prefix("\"/api/"));
    let paths = paths.filter_map(|rest| Some(rest.split_once('"')?.0.to_string()));
    let names: Vec<String> = commands.chain(paths).collect();
    assert!(names.len() > 30, "{names:?}");
    let missing: Vec<&String> = names.iter().filter(|name| !is_listed(name)).collect();
    assert!(missing.is_empty(), "docs/faults.md does not mention {missing:?}");
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the workspace exists")
}

fn rust_files(directory: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).expect("the directory is readable") {
        let path = entry.expect("the entry is readable").path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "target") {
                found.extend(rust_files(&path));
            }
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).expect("the source file is readable");
            found.push((path, text));
        }
    }
    found
}

/// The module path of a file: `["logic", "fish"]` for `logic/fish.rs`.
fn home_of(source: &Path, path: &Path) -> Vec<String> {
    let inside = path.strip_prefix(source).expect("below the source directory").with_extension("");
    let names =
        inside.components().map(|component| component.as_os_str().to_string_lossy().into_owned());
    names.filter(|name| name != "lib").collect()
}
