//! The commit of the working directory, for benchmark records and checkpoints.

use std::process::Command;

/// The commit, with `-dirty` appended if files were changed since, or `unknown` outside a
/// repository.
pub fn commit() -> String {
    let output =
        Command::new("git").args(["describe", "--always", "--dirty", "--abbrev=12"]).output();
    let text = output.ok().filter(|output| output.status.success()).map(|output| output.stdout);
    text.and_then(|text| String::from_utf8(text).ok())
        .map_or("unknown".into(), |text| text.trim().to_string())
}
