//! The README's commands, run as they stand: the lines that come first, then every command of the table.
//!
//! Two things differ from what a reader does: `--minutes` is a moment, and the server is stopped when it has said where it is.
#![cfg(unix)]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

fn readme() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md"))
        .expect("there is a README")
}

/// The part of the README under this headline.
fn section<'a>(text: &'a str, headline: &str) -> &'a str {
    let start = text.find(&format!("## {headline}\n")).expect("a section of that name");
    text[start..].split("\n## ").next().expect("a section has a text")
}

/// The lines of the first block of shell commands.
fn first_lines(section: &str) -> Vec<String> {
    let block = section
        .split("```sh\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .expect("a block of commands");
    block.lines().map(str::to_string).collect()
}

/// Everything in backquotes in the last column of the table that is a command.
fn commands_of_the_table(section: &str) -> Vec<String> {
    let rows = section
        .lines()
        .filter(|line| line.starts_with("| "))
        .map(|line| line.replace("\\|", "\u{1}"));
    let cells = rows
        .filter_map(|row| row.trim_end_matches([' ', '|']).rsplit('|').next().map(str::to_string));
    let quoted = cells.flat_map(|cell| {
        cell.split('`').skip(1).step_by(2).map(str::to_string).collect::<Vec<_>>()
    });
    quoted
        .map(|command| command.replace('\u{1}', "|"))
        .filter(|command| command.contains("ninefold "))
        .collect()
}

fn shell(folder: &Path, typed: &str) -> Command {
    let binary = Path::new(env!("CARGO_BIN_EXE_ninefold"));
    let path = std::env::var("PATH").unwrap_or_default();
    let mut shell = Command::new("sh");
    shell.args(["-c", typed]).current_dir(folder).stdin(Stdio::null());
    shell.env("PATH", format!("{}:{path}", binary.parent().expect("a folder").display()));
    shell
}

/// `--minutes 60` → `--minutes 0.01`.
fn made_short(command: &str) -> String {
    let mut words: Vec<&str> = command.split(' ').collect();
    if let Some(at) = words.iter().position(|word| *word == "--minutes") {
        words[at + 1] = "0.01";
    }
    words.join(" ")
}

#[test]
fn every_command_of_the_table_runs_as_it_stands() {
    let text = readme();
    let section = section(&text, "One command per wish");
    let folder = tempfile::tempdir().expect("a folder");
    let lines = first_lines(section);
    let first = shell(folder.path(), &lines.join("\n")).output().expect("sh");
    assert!(first.status.success(), "{}", String::from_utf8_lossy(&first.stderr));
    let variables: Vec<&String> =
        lines.iter().filter(|line| !line.starts_with("ninefold")).collect();
    let commands = commands_of_the_table(section);
    assert!(commands.len() > 30, "{commands:?}");
    for command in &commands {
        if command == "ninefold serve" {
            serves(folder.path());
            continue;
        }
        let typed = variables.iter().map(|line| format!("{line}; ")).collect::<String>()
            + &made_short(command);
        let output = shell(folder.path(), &typed).output().expect("sh");
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(
            matches!(output.status.code(), Some(0 | 1)),
            "{command}: {}\n{words}",
            output.status
        );
        assert!(!words.contains("error:"), "{command}: {words}");
    }
    for file in [
        "list.txt",
        "solutions.txt",
        "list.csv",
        "list.parquet",
        "parts/manifest.toml",
        "climb.txt",
        "multiverse.csv",
    ] {
        assert!(folder.path().join(file).is_file(), "{file} was not made");
    }
}

/// Starts the page and stops it when it has told its address.
fn serves(folder: &Path) {
    let mut server =
        shell(folder, "exec ninefold serve --port 0").stdout(Stdio::piped()).spawn().expect("sh");
    let mut address = String::new();
    BufReader::new(server.stdout.take().expect("stdout"))
        .read_line(&mut address)
        .expect("an address");
    assert!(address.starts_with("http://127.0.0.1:"), "{address}");
    server.kill().expect("it runs");
    server.wait().expect("it ends");
}

#[test]
fn the_table_is_read_as_a_reader_reads_it() {
    let section = "## Wishes\n```sh\nP=1\n```\n| I | command |\n|---|---|\n| a | `ninefold a`, `--b` |\n| c | `cat x \\| ninefold c > y` |\n";
    assert_eq!(first_lines(section), ["P=1"]);
    assert_eq!(commands_of_the_table(section), ["ninefold a", "cat x | ninefold c > y"]);
    assert_eq!(made_short("ninefold x --minutes 60 --y"), "ninefold x --minutes 0.01 --y");
}
