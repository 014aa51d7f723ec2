//! Notes the compiler and the profile, so that a record of a benchmark can name them.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let compiler = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_string());
    let version = Command::new(compiler).arg("--version").output();
    let version =
        version.ok().and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    println!("cargo::rustc-env=NINEFOLD_COMPILER={}", version.trim());
    println!("cargo::rustc-env=NINEFOLD_PROFILE={}", profile().unwrap_or_default());
}

/// The folder that everything of a profile is built in. Cargo's own variable calls every profile that inherits from
/// `release` by that name, and `dist` is another build.
fn profile() -> Option<String> {
    let out = std::env::var("OUT_DIR").ok()?;
    let folder = Path::new(&out)
        .ancestors()
        .find(|folder| folder.ends_with("build"))?
        .parent()?
        .file_name()?;
    Some(folder.to_string_lossy().into_owned())
}
