//! Runs the commands of README.md and of the pages in `docs/`, in order, as a reader would type
//! them.
//!
//! Only the `sh` blocks are run, and of these only the lines that call `ninefold` or set a variable.
//! `--minutes` is shortened, and the server is stopped once it has printed its address.
#![cfg(unix)]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// The documents whose commands are run.
const DOCUMENTS: [&str; 5] =
    ["README.md", "docs/players.md", "docs/setters.md", "docs/researchers.md", "docs/operators.md"];

fn read_document(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The lines of all `sh` blocks that call `ninefold` or set a variable.
fn commands(text: &str) -> Vec<String> {
    let blocks = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let lines = blocks.flat_map(str::lines).map(|line| line.split("  #").next().unwrap().trim());
    lines
        .filter(|line| line.contains("ninefold ") || is_variable(line))
        .map(str::to_string)
        .collect()
}

/// `P=53..7…`
fn is_variable(line: &str) -> bool {
    line.split_once('=')
        .is_some_and(|(name, _)| name.chars().all(|letter| letter.is_ascii_uppercase()))
}

fn shell(directory: &Path, script: &str) -> Command {
    let binary = Path::new(env!("CARGO_BIN_EXE_ninefold"));
    let path = std::env::var("PATH").unwrap_or_default();
    let mut shell = Command::new("sh");
    shell.args(["-c", script]).current_dir(directory).stdin(Stdio::null());
    shell.env("PATH", format!("{}:{path}", binary.parent().expect("a directory").display()));
    shell
}

/// `--minutes 60` → `--minutes 0.01`.
fn shortened(command: &str) -> String {
    let mut words: Vec<&str> = command.split(' ').collect();
    if let Some(at) = words.iter().position(|word| *word == "--minutes") {
        words[at + 1] = "0.01";
    }
    words.join(" ")
}

#[test]
fn documented_commands_succeed() {
    for document in DOCUMENTS {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let mut variables = String::new();
        let mut count = 0;
        for command in commands(&read_document(document)) {
            if is_variable(&command) {
                variables.push_str(&command);
                variables.push('\n');
                continue;
            }
            if command.starts_with("cargo ") {
                continue;
            }
            count += 1;
            if command.starts_with("ninefold serve") {
                assert_server_starts(directory.path(), &command);
                continue;
            }
            let script = format!("{variables}{}", shortened(&command));
            let output = shell(directory.path(), &script).output().expect("sh");
            let stderr = String::from_utf8_lossy(&output.stderr);
            let succeeded = matches!(output.status.code(), Some(0 | 1));
            assert!(succeeded, "{document}: {command}: {}\n{stderr}", output.status);
            assert!(!stderr.contains("error:"), "{document}: {command}: {stderr}");
        }
        assert!(count >= 6, "{document}: only {count} commands found");
    }
}

/// Starts the server and stops it when it has printed its address.
fn assert_server_starts(directory: &Path, command: &str) {
    let mut server = shell(directory, &format!("exec {command} --port 0"))
        .stdout(Stdio::piped())
        .spawn()
        .expect("sh");
    let mut address = String::new();
    BufReader::new(server.stdout.take().expect("stdout"))
        .read_line(&mut address)
        .expect("an address");
    assert!(address.starts_with("http://127.0.0.1:"), "{address}");
    server.kill().expect("the server is running");
    server.wait().expect("the server ends");
}

#[test]
fn finds_the_commands_of_a_document() {
    let text = "```sh\nP=1\ncargo test\nninefold a $P   # comment\n```\ntext `ninefold b`\n```text\nninefold c\n```\n\
                ```sh\nninefold d --minutes 60 --e\n```\n";
    assert_eq!(commands(text), ["P=1", "ninefold a $P", "ninefold d --minutes 60 --e"]);
    assert_eq!(shortened("ninefold d --minutes 60 --e"), "ninefold d --minutes 0.01 --e");
}
