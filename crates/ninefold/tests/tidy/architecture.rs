//! Checks that the tables in `ARCHITECTURE.md` list exactly the crates and modules that exist.

use super::root;
use std::fs;
use std::path::Path;

/// For each table: the heading of its first column, the directory it describes, and the prefix of
/// each name.
const TABLES: &[(&str, &str, &str)] = &[
    ("crate", "crates", "crates/"),
    ("module of the library", "crates/ninefold/src", ""),
    ("module of `crates/neural`", "crates/neural/src", ""),
];

#[test]
fn architecture_tables_match_the_directories() {
    let document = fs::read_to_string(root().join("ARCHITECTURE.md"))
        .expect("ARCHITECTURE.md is in the repository");
    for (heading, directory, prefix) in TABLES {
        let mut listed = first_column(&document, heading);
        assert!(!listed.is_empty(), "ARCHITECTURE.md has no table with the heading {heading:?}");
        let mut modules: Vec<String> = modules_in(&root().join(directory))
            .iter()
            .map(|name| format!("{prefix}{name}"))
            .collect();
        if *heading == "crate" {
            modules.iter_mut().for_each(|name| *name = name.trim_end_matches('/').to_string());
        }
        listed.sort();
        modules.sort();
        assert_eq!(
            listed, modules,
            "left: listed in ARCHITECTURE.md under {heading:?}; right: contents of {directory}"
        );
    }
}

/// Directories as `name/`, files as `name.rs`; `name.rs` beside `name/` is listed as the directory.
fn modules_in(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory)
        .expect("the directory is readable")
        .map(|entry| entry.expect("the entry is readable").path());
    entries
        .filter(|path| path.is_dir() || !path.with_extension("").is_dir())
        .filter(|path| !path.ends_with("lib.rs"))
        .map(|path| {
            let name =
                path.file_name().expect("an entry has a name").to_string_lossy().into_owned();
            if path.is_dir() { format!("{name}/") } else { name }
        })
        .collect()
}

/// The names in the first column of the table with this heading, without backquotes.
fn first_column(document: &str, heading: &str) -> Vec<String> {
    let cell = |line: &str| {
        line.strip_prefix('|')
            .and_then(|row| row.split('|').next())
            .map(|cell| cell.trim().to_string())
    };
    let rows = document.lines().skip_while(|line| cell(line).as_deref() != Some(heading)).skip(2);
    rows.map_while(cell).map(|name| name.trim_matches('`').to_string()).collect()
}

#[test]
fn reads_a_table_from_its_heading_to_its_end() {
    let document = "| module | purpose |\n|---|---|\n| `a/` | x |\n| `b.rs` | y `z` |\n\n| other | |\n|---|---|\n| `c` | |\n";
    assert_eq!(first_column(document, "module"), ["a/", "b.rs"]);
    assert_eq!(first_column(document, "other"), ["c"]);
    assert!(first_column(document, "none").is_empty());
}
