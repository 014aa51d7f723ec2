//! Passes the compiler version and the profile to the program, for benchmark records.

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

/// The name of the profile, from the name of the target directory. Cargo's variable `PROFILE` is
/// `release` for every profile that inherits from it, such as `dist`.
fn profile() -> Option<String> {
    let out = std::env::var("OUT_DIR").ok()?;
    let directory = Path::new(&out)
        .ancestors()
        .find(|directory| directory.ends_with("build"))?
        .parent()?
        .file_name()?;
    Some(directory.to_string_lossy().into_owned())
}
