//! Puts the lessons of `testdata/techniques` into the program: one entry for each page, in the order of their names.

use std::fmt::Write;
use std::path::Path;

fn main() {
    let folder =
        Path::new(&std::env::var("CARGO_MANIFEST_DIR").expect("cargo says where")).join("../../testdata/techniques");
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut pages: Vec<_> = std::fs::read_dir(&folder)
        .expect("the lessons are part of the repository")
        .map(|entry| entry.expect("a page can be listed").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .collect();
    pages.sort();
    let mut list = String::from("&[");
    for page in pages {
        let page = page.canonicalize().expect("a page has a place");
        write!(list, "include_str!({:?}),", page.display().to_string()).expect("text can be written to");
    }
    list.push(']');
    let out = std::env::var("OUT_DIR").expect("cargo says where to");
    std::fs::write(Path::new(&out).join("lessons.rs"), list).expect("the list can be written");
}
