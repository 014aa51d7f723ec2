//! The map in `ARCHITECTURE.md` is the tree on disk: its tables list exactly the crates and rooms that exist.

use super::root;
use std::fs;
use std::path::Path;

/// The head of each table's first column, the folder that the table is about, and what stands before a name in it.
const MAPS: &[(&str, &str, &str)] = &[
    ("crate", "crates", "crates/"),
    ("room of the library", "crates/ninefold/src", ""),
    ("room of `crates/neural`", "crates/neural/src", ""),
];

#[test]
fn the_map_is_the_tree_on_disk() {
    let document = fs::read_to_string(root().join("ARCHITECTURE.md"))
        .expect("the map is part of the repository");
    for (head, folder, prefix) in MAPS {
        let mut mapped = first_column(&document, head);
        assert!(!mapped.is_empty(), "ARCHITECTURE.md has no table of every {head}");
        let mut rooms: Vec<String> =
            rooms_in(&root().join(folder)).iter().map(|room| format!("{prefix}{room}")).collect();
        if *head == "crate" {
            rooms.iter_mut().for_each(|room| *room = room.trim_end_matches('/').to_string());
        }
        mapped.sort();
        rooms.sort();
        assert_eq!(
            mapped, rooms,
            "left: what ARCHITECTURE.md lists as {head}; right: what {folder} holds"
        );
    }
}

/// Folders as `name/`, files as `name.rs`; a file beside a folder of its name belongs to the folder.
fn rooms_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder)
        .expect("a folder can be read")
        .map(|entry| entry.expect("it has entries").path());
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

/// The names in the first column of the table with this head, without their quotes.
fn first_column(document: &str, head: &str) -> Vec<String> {
    let cell = |line: &str| {
        line.strip_prefix('|')
            .and_then(|row| row.split('|').next())
            .map(|cell| cell.trim().to_string())
    };
    let rows = document.lines().skip_while(|line| cell(line).as_deref() != Some(head)).skip(2);
    rows.map_while(cell).map(|name| name.trim_matches('`').to_string()).collect()
}

#[test]
fn a_table_is_read_from_its_head_to_its_end() {
    let document = "| room | what |\n|---|---|\n| `a/` | x |\n| `b.rs` | y `z` |\n\n| other | |\n|---|---|\n| `c` | |\n";
    assert_eq!(first_column(document, "room"), ["a/", "b.rs"]);
    assert_eq!(first_column(document, "other"), ["c"]);
    assert!(first_column(document, "none").is_empty());
}
