//! Commands as a person meets them: `tests/commands/*.md` and the README are pages to read and tests to run.
//!
//! A block marked `console` holds commands and what they print:
//!
//! ```text
//! $ what was typed
//! what came on stdout
//! ! what came on stderr
//! [exit 2]
//! ```
//! Without an `[exit …]` line the exit code is 0. `[..]` stands for any text inside a line. A block marked
//! `text NAME` is a file that the following commands find in their folder. Commands run in `sh`, in a folder of their
//! own. `BLESS=1 cargo test -p ninefold-cli` writes what was printed into the pages; read the difference before you
//! commit it. Where a page shows one of several solutions or a number of nodes it names the method, so that a new default
//! changes no page.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[test]
fn every_command_prints_what_its_page_says() {
    let mut failures = Vec::new();
    for page in files_in("tests/commands", "md").into_iter().chain([root().join("README.md")]) {
        let text = fs::read_to_string(&page).unwrap();
        let (printed, commands) = run_page(&text);
        assert!(commands > 0, "{} holds no command", page.display());
        settle(&page, &text, &printed, &mut failures);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn the_help_of_every_verb_is_the_committed_file() {
    let mut failures = Vec::new();
    let mut waiting = vec![String::new()];
    while let Some(verb) = waiting.pop() {
        let help = run_in(Path::new("."), &format!("ninefold {verb} --help"));
        let help = String::from_utf8(help.stdout).unwrap();
        let inner = verbs_in(&help);
        assert!(!verb.is_empty() || inner.contains(&"solve".to_string()), "{help}");
        waiting.extend(inner.into_iter().map(|inner| format!("{verb} {inner}").trim().to_string()));
        let name = if verb.is_empty() { "ninefold".to_string() } else { verb.replace(' ', "-") };
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/help/{name}.txt"));
        let expected = fs::read_to_string(&file).unwrap_or_default();
        settle(&file, &expected, &help, &mut failures);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The verbs that a help text lists.
fn verbs_in(help: &str) -> Vec<String> {
    let list = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty());
    list.filter_map(|line| line.split_whitespace().next()).map(str::to_string).collect()
}

/// Compares, or writes the file where the person at the keyboard asked for it.
fn settle(file: &Path, expected: &str, printed: &str, failures: &mut Vec<String>) {
    if expected == printed {
        return;
    }
    if std::env::var_os("BLESS").is_some() {
        fs::write(file, printed).unwrap();
    } else {
        failures.push(format!("{} differs; what came out:\n{printed}", file.display()));
    }
}

/// The page with the output that came out now, and how many commands it holds.
fn run_page(page: &str) -> (String, usize) {
    let folder = tempfile::tempdir().unwrap();
    let (mut printed, mut commands) = (String::new(), 0);
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        printed += &format!("{line}\n");
        let Some(mark) = line.strip_prefix("```").filter(|mark| !mark.is_empty()) else { continue };
        let mut block: Vec<&str> = Vec::new();
        while let Some(inside) = lines.next_if(|line| *line != "```") {
            block.push(inside);
        }
        lines.next();
        if let Some(name) = mark.strip_prefix("text ") {
            fs::write(folder.path().join(name), block.join("\n") + "\n").unwrap();
        }
        if mark == "console" {
            let starts: Vec<usize> =
                (0..block.len()).filter(|&at| block[at].starts_with("$ ")).collect();
            commands += starts.len();
            for (number, &start) in starts.iter().enumerate() {
                let end = starts.get(number + 1).copied().unwrap_or(block.len());
                printed += &run_command(folder.path(), block[start], &block[start + 1..end]);
            }
        } else {
            printed += &block.iter().map(|line| format!("{line}\n")).collect::<String>();
        }
        printed += "```\n";
    }
    (printed, commands)
}

fn run_command(folder: &Path, typed: &str, expected: &[&str]) -> String {
    let output = run_in(folder, &typed[2..]);
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let mut printed: Vec<String> = stdout.lines().map(str::to_string).collect();
    printed.extend(stderr.lines().map(|line| format!("! {line}").trim_end().to_string()));
    match output.status.code() {
        Some(0) => {}
        Some(code) => printed.push(format!("[exit {code}]")),
        None => printed.push("[ended by a signal]".to_string()),
    }
    let equal =
        printed.len() == expected.len() && expected.iter().zip(&printed).all(|(a, b)| fits(a, b));
    let shown =
        if equal { expected.iter().map(|line| line.to_string()).collect() } else { printed };
    format!("{typed}\n{}", shown.iter().map(|line| format!("{line}\n")).collect::<String>())
}

/// Does the printed line fit the expected one, in which `[..]` stands for any text?
fn fits(expected: &str, printed: &str) -> bool {
    match expected.split_once("[..]") {
        None => expected == printed,
        Some((start, rest)) => printed.strip_prefix(start).is_some_and(|tail| {
            (0..=tail.len()).any(|at| tail.is_char_boundary(at) && fits(rest, &tail[at..]))
        }),
    }
}

fn run_in(folder: &Path, command: &str) -> Output {
    let binary = Path::new(env!("CARGO_BIN_EXE_ninefold"));
    let path = std::env::var("PATH").unwrap_or_default();
    Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", binary.parent().unwrap().display()))
        .env("NO_COLOR", "1")
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files_in(folder: &str, ending: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == ending))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files
}
