//! Where a result comes from: the commit, for records and checkpoints.

use std::process::Command;

/// The commit of the folder we run in, with a word if something in it was changed since.
pub fn commit() -> String {
    let output =
        Command::new("git").args(["describe", "--always", "--dirty", "--abbrev=12"]).output();
    let text = output.ok().filter(|output| output.status.success()).map(|output| output.stdout);
    text.and_then(|text| String::from_utf8(text).ok())
        .map_or("unknown".into(), |text| text.trim().to_string())
}
