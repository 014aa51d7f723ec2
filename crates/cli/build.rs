//! Notes the compiler, so that a record of a benchmark can name it.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let compiler = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_string());
    let version = Command::new(compiler).arg("--version").output();
    let version = version.ok().and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    println!("cargo::rustc-env=NINEFOLD_COMPILER={}", version.trim());
    println!("cargo::rustc-env=NINEFOLD_PROFILE={}", std::env::var("PROFILE").unwrap_or_default());
}
