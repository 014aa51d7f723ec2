//! Checks that published packages read nothing outside their directory and that crates depend on
//! each other in one direction only.

use super::source::{Text, product_tokens, texts, tokens};
use super::{root, rust_files};
use std::fs;
use std::path::{Component, Path, PathBuf};
use toml::{Table, Value};

/// The workspace crates that each crate may depend on. Tests may also use `test-support`.
const MAY_DEPEND_ON: &[(&str, &[&str])] = &[
    ("ninefold", &[]),
    ("test-support", &[]),
    ("files", &[]),
    ("formats", &["ninefold"]),
    ("api", &["ninefold", "formats", "vision"]),
    ("checkpoint", &["ninefold"]),
    ("training", &["ninefold", "files", "formats", "checkpoint"]),
    // `files` and `training` for its features only.
    ("kaleidoscope", &["ninefold", "checkpoint", "files", "training"]),
    ("vision", &["ninefold"]),
    ("weights", &[]),
    ("neural", &["ninefold", "checkpoint", "training", "kaleidoscope", "weights"]),
    ("batch", &["ninefold", "formats", "kaleidoscope"]),
    ("web", &["ninefold", "api", "neural", "vision"]),
    ("wasm", &["ninefold", "api", "kaleidoscope", "vision"]),
    ("python", &["ninefold", "formats", "kaleidoscope", "vision"]),
    ("web-tests", &["ninefold", "formats", "web", "neural", "vision"]),
    ("gpu", &["ninefold"]),
    ("cli", &["ninefold", "files", "formats", "gpu", "neural", "batch", "vision", "web"]),
];

struct Package {
    directory: PathBuf,
    /// The name of the directory.
    name: String,
    manifest: Table,
}

fn packages() -> Vec<Package> {
    let directories = fs::read_dir(root().join("crates")).expect("the workspace has crates");
    directories
        .map(|entry| {
            let directory = entry.expect("the entry is readable").path();
            let name =
                directory.file_name().expect("a directory has a name").to_string_lossy().into();
            let manifest =
                fs::read_to_string(directory.join("Cargo.toml")).expect("a crate has a manifest");
            Package { directory, name, manifest: manifest.parse().expect("a manifest is TOML") }
        })
        .collect()
}

impl Package {
    /// The workspace crates in this table of the manifest, by the names of their directories.
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
fn crates_depend_only_on_allowed_crates() {
    for package in packages() {
        let name = &package.name;
        let allowed = MAY_DEPEND_ON.iter().find(|(other, _)| other == name);
        let allowed =
            allowed.unwrap_or_else(|| panic!("crate {name} is missing in MAY_DEPEND_ON")).1;
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
            "{name}: this test does not check platform-specific dependencies"
        );
    }
}

#[test]
fn libraries_are_published() {
    let published: Vec<String> =
        packages().into_iter().filter(Package::is_published).map(|package| package.name).collect();
    for library in ["ninefold", "formats", "training", "kaleidoscope", "neural"] {
        assert!(
            published.contains(&library.to_string()),
            "{library} must be published: {published:?}"
        );
    }
}

#[test]
fn published_packages_read_no_files_outside_their_directory() {
    for package in packages().iter().filter(|package| package.is_published()) {
        let build_script = package.directory.join("build.rs");
        let mut files = rust_files(&package.directory.join("src"));
        files.extend(fs::read_to_string(&build_script).ok().map(|text| (build_script, text)));
        for (path, text) in files {
            let outside = paths_out_of(&package.directory, &path, &text);
            assert!(
                outside.is_empty(),
                "{} reads files outside its package: {outside:?}",
                path.display()
            );
        }
    }
}

/// The string literals in a file that are paths to something outside the package. The path in
/// `include_str!("…")` is relative to the file, any other to the package (`CARGO_MANIFEST_DIR`).
fn paths_out_of(package: &Path, file: &Path, source: &str) -> Vec<String> {
    let directory = file.parent().expect("a file is in a directory");
    let is_outside = |text: &Text| {
        let base = if text.is_included { directory } else { package };
        text.value.contains("..")
            && text.value.contains('/')
            && leaves(package, &base.join(text.value.trim_start_matches('/')))
    };
    texts(product_tokens(source)).into_iter().filter(is_outside).map(|text| text.value).collect()
}

/// Whether a path leads out of the directory, regardless of what exists on disk.
fn leaves(directory: &Path, path: &Path) -> bool {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    !plain.starts_with(directory)
}

#[test]
fn finds_paths_out_of_a_package() {
    let check = |code: &str, expected: &[&str]| {
        let found = paths_out_of(
            Path::new("/w/crates/a"),
            Path::new("/w/crates/a/src/module/file.rs"),
            code,
        );
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
    check("directory.join(\"../../testdata\")", &["../../testdata"]);
    check("let text = \"wait ... / continue\"; let range = \"1..9\";", &[]);
    check(
        "#[cfg(test)]\nmod tests { const X: &str = include_str!(\"../../../../testdata/x\"); }",
        &[],
    );
}

#[test]
fn tests_find_external_resources_only_through_test_support() {
    for package in packages().iter().filter(|package| package.name != "test-support") {
        let tests = package.directory.join("tests");
        let files = if tests.is_dir() { rust_files(&tests) } else { Vec::new() };
        for (path, source) in files.iter().filter(|(path, _)| !path.ends_with("tidy/packages.rs")) {
            for word in ["shared/data", "NINEFOLD_REQUIRE", "skipped:"] {
                assert!(
                    !texts(tokens(source)).iter().any(|text| text.value.contains(word)),
                    "{} contains {word:?}; use crates/test-support",
                    path.display()
                );
            }
        }
    }
}
