//! Packages stand alone: what is published reads nothing outside its folder, and crates depend on each other one way.

use super::tokens::{self, Token, of_product};
use super::{root, rust_files};
use std::fs;
use std::path::{Component, Path, PathBuf};
use toml::{Table, Value};

/// Which crates of the workspace a crate may depend on. Tests may also use `test-support`.
const MAY_DEPEND_ON: &[(&str, &[&str])] = &[
    ("ninefold", &[]),
    ("test-support", &[]),
    ("files", &[]),
    ("formats", &["ninefold"]),
    ("api", &["ninefold", "formats"]),
    ("checkpoint", &["ninefold"]),
    ("kaleidoscope", &["ninefold", "checkpoint"]),
    ("neural", &["ninefold", "files", "formats", "checkpoint", "kaleidoscope"]),
    ("batch", &["ninefold", "formats", "kaleidoscope"]),
    ("web", &["ninefold", "api", "neural"]),
    ("wasm", &["ninefold", "api", "kaleidoscope"]),
    ("python", &["ninefold", "formats", "kaleidoscope"]),
    ("web-tests", &["ninefold", "web", "neural"]),
    ("gpu", &["ninefold"]),
    ("cli", &["ninefold", "files", "formats", "gpu", "neural", "batch", "web"]),
];

/// A crate of the workspace.
struct Package {
    folder: PathBuf,
    /// The name of its folder.
    name: String,
    manifest: Table,
}

fn packages() -> Vec<Package> {
    let folders = fs::read_dir(root().join("crates")).expect("the workspace has crates");
    folders
        .map(|folder| {
            let folder = folder.expect("a folder can be read").path();
            let name =
                folder.file_name().expect("a folder has a name").to_string_lossy().into_owned();
            let manifest =
                fs::read_to_string(folder.join("Cargo.toml")).expect("a crate has a manifest");
            Package { folder, name, manifest: manifest.parse().expect("a manifest is TOML") }
        })
        .collect()
}

impl Package {
    /// The crates of the workspace that it names in these tables, by the names of their folders.
    fn depends_on(&self, table: &str) -> Vec<String> {
        let dependencies = self.manifest.get(table).and_then(Value::as_table);
        let package = |name: &String| match name.as_str() {
            "ninefold" => Some("ninefold".to_string()),
            _ => name.strip_prefix("ninefold-").map(str::to_string),
        };
        dependencies.into_iter().flat_map(Table::keys).filter_map(package).collect()
    }

    fn is_published(&self) -> bool {
        self.manifest["package"].get("publish").and_then(Value::as_bool) != Some(false)
    }
}

#[test]
fn arrows_between_crates_point_one_way() {
    for package in packages() {
        let name = &package.name;
        let allowed = MAY_DEPEND_ON.iter().find(|(other, _)| other == name);
        let allowed = allowed.unwrap_or_else(|| panic!("{name} is not a crate of the house")).1;
        for table in ["dependencies", "dev-dependencies", "build-dependencies"] {
            for other in package.depends_on(table) {
                let for_tests = table == "dev-dependencies" && other == "test-support";
                assert!(
                    for_tests || allowed.contains(&&*other),
                    "crate {name} may not depend on {other} ({table})"
                );
            }
        }
        assert!(
            !package.manifest.contains_key("target"),
            "{name}: dependencies for one platform are not looked at here"
        );
    }
}

#[test]
fn the_libraries_are_published() {
    let published: Vec<String> =
        packages().into_iter().filter(Package::is_published).map(|package| package.name).collect();
    for library in ["ninefold", "formats", "kaleidoscope", "neural"] {
        assert!(published.contains(&library.to_string()), "{library} is a library: {published:?}");
    }
}

#[test]
fn what_is_published_reads_nothing_outside_its_package() {
    for package in packages().iter().filter(|package| package.is_published()) {
        let build_script = package.folder.join("build.rs");
        let mut files = rust_files(&package.folder.join("src"));
        files.extend(fs::read_to_string(&build_script).ok().map(|text| (build_script, text)));
        for (path, text) in files {
            let outside = paths_out_of(&package.folder, &path, &text);
            assert!(
                outside.is_empty(),
                "{} reads what is not in its package: {outside:?}",
                path.display()
            );
        }
    }
}

/// The texts in a file that are paths out of the package. `include_str!("…")` counts from the file, anything else from the
/// package, as `CARGO_MANIFEST_DIR` does.
fn paths_out_of(package: &Path, file: &Path, text: &str) -> Vec<String> {
    let tokens = of_product(text);
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let Token::Text(path) = token else { continue };
        let from = if is_included(&tokens[..at]) {
            file.parent().expect("a file lies in a folder")
        } else {
            package
        };
        if path.contains("..")
            && path.contains('/')
            && leaves(package, &from.join(path.trim_start_matches('/')))
        {
            found.push(path.clone());
        }
    }
    found
}

/// Does `include_str!(` or `include_str!(concat!(` end here, or one of its kind?
fn is_included(before: &[Token]) -> bool {
    let call = |name: &str| tokens::of(&format!("{name}!("));
    let before = before.strip_suffix(&call("concat")[..]).unwrap_or(before);
    ["include_str", "include_bytes", "include"].iter().any(|name| before.ends_with(&call(name)))
}

/// Does a path climb out of the folder, whatever exists on disk?
fn leaves(folder: &Path, path: &Path) -> bool {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    !plain.starts_with(folder)
}

#[test]
fn paths_out_of_a_package_are_seen() {
    let check = |code: &str, expected: &[&str]| {
        let found =
            paths_out_of(Path::new("/w/crates/a"), Path::new("/w/crates/a/src/room/file.rs"), code);
        assert_eq!(found, expected, "{code}");
    };
    check("include_bytes!(\"../../weights/x\")", &[]);
    check("include_str!(\"../../../b/x.md\")", &["../../../b/x.md"]);
    check("include_str!(concat!(\"../../lessons/\", $name, \".md\"))", &[]);
    check("include_str!(concat!(\"../../../lessons/\", $name))", &["../../../lessons/"]);
    check(
        "include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/../../testdata/x\"))",
        &["/../../testdata/x"],
    );
    check("folder.join(\"../../testdata\")", &["../../testdata"]);
    check("let words = \"wait ... / go on\"; let range = \"1..9\";", &[]);
    check(
        "#[cfg(test)]\nmod tests { const X: &str = include_str!(\"../../../../testdata/x\"); }",
        &[],
    );
}

#[test]
fn tests_find_lists_and_browser_through_test_support_alone() {
    for package in packages().iter().filter(|package| package.name != "test-support") {
        let tests = package.folder.join("tests");
        let files = if tests.is_dir() { rust_files(&tests) } else { Vec::new() };
        for (path, source) in files.iter().filter(|(path, _)| !path.ends_with("tidy/packages.rs")) {
            for word in ["shared/data", "NINEFOLD_REQUIRE", "skipped:"] {
                let is_there =
                    |token: &Token| matches!(token, Token::Text(text) if text.contains(word));
                assert!(
                    !tokens::of(source).iter().any(is_there),
                    "{} asks for {word} itself",
                    path.display()
                );
            }
        }
    }
}
