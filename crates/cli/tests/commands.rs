//! Runs the commands in `tests/commands/*.md` and the README and compares their output.
//!
//! A block marked `console` contains commands and their output:
//!
//! ```text
//! $ command
//! a line of stdout
//! ! a line of stderr
//! [exit 2]
//! ```
//! Without an `[exit …]` line the exit code is 0. `[..]` matches any text within a line. A block
//! marked `text NAME` is a file for the following commands. Commands run in `sh` in a temporary
//! directory. `BLESS=1 cargo test -p ninefold-cli` updates the pages and help files; review the
//! difference before you commit it. If the output contains one of several solutions or a number of
//! nodes, the command sets `--method`, so that a new default method does not change the page.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[test]
fn commands_print_the_documented_output() {
    let mut failures = Vec::new();
    for page in files_in("tests/commands", "md").into_iter().chain([root().join("README.md")]) {
        let text = fs::read_to_string(&page).unwrap();
        let (printed, commands) = run_page(&text);
        assert!(commands > 0, "{} contains no command", page.display());
        compare(&page, &text, &printed, &mut failures);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn help_matches_the_committed_files() {
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
        compare(&file, &expected, &help, &mut failures);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The subcommands in a help text.
fn verbs_in(help: &str) -> Vec<String> {
    let list = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty());
    list.filter_map(|line| line.split_whitespace().next()).map(str::to_string).collect()
}

/// Compares the output with a file, or updates the file if `BLESS` is set.
fn compare(file: &Path, expected: &str, printed: &str, failures: &mut Vec<String>) {
    if expected == printed {
        return;
    }
    if std::env::var_os("BLESS").is_some() {
        fs::write(file, printed).unwrap();
    } else {
        failures.push(format!("{} differs; the output is:\n{printed}", file.display()));
    }
}

/// The page with the current output, and the number of its commands.
fn run_page(page: &str) -> (String, usize) {
    let directory = tempfile::tempdir().unwrap();
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
            fs::write(directory.path().join(name), block.join("\n") + "\n").unwrap();
        }
        if mark == "console" {
            let starts: Vec<usize> =
                (0..block.len()).filter(|&at| block[at].starts_with("$ ")).collect();
            commands += starts.len();
            for (number, &start) in starts.iter().enumerate() {
                let end = starts.get(number + 1).copied().unwrap_or(block.len());
                printed += &run_command(directory.path(), block[start], &block[start + 1..end]);
            }
        } else {
            printed += &block.iter().map(|line| format!("{line}\n")).collect::<String>();
        }
        printed += "```\n";
    }
    (printed, commands)
}

fn run_command(directory: &Path, typed: &str, expected: &[&str]) -> String {
    let output = run_in(directory, &typed[2..]);
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let mut printed: Vec<String> = stdout.lines().map(str::to_string).collect();
    printed.extend(stderr.lines().map(|line| format!("! {line}").trim_end().to_string()));
    match output.status.code() {
        Some(0) => {}
        Some(code) => printed.push(format!("[exit {code}]")),
        None => printed.push("[ended by a signal]".to_string()),
    }
    let equal = printed.len() == expected.len()
        && expected.iter().zip(&printed).all(|(a, b)| matches(a, b));
    let shown: Vec<String> = match equal {
        true => expected.iter().map(|line| line.to_string()).collect(),
        // Keep `[..]` in lines that still match.
        false => {
            let expected = expected.iter().copied().map(Some).chain(std::iter::repeat(None));
            let lines = printed.into_iter().zip(expected);
            lines
                .map(|(line, expected)| match expected.filter(|pattern| matches(pattern, &line)) {
                    Some(pattern) => pattern.to_string(),
                    None => line,
                })
                .collect()
        }
    };
    format!("{typed}\n{}", shown.iter().map(|line| format!("{line}\n")).collect::<String>())
}

/// Returns true if a line matches the expected line, in which `[..]` matches any text.
fn matches(expected: &str, printed: &str) -> bool {
    match expected.split_once("[..]") {
        None => expected == printed,
        Some((start, rest)) => printed.strip_prefix(start).is_some_and(|tail| {
            (0..=tail.len()).any(|at| tail.is_char_boundary(at) && matches(rest, &tail[at..]))
        }),
    }
}

fn run_in(directory: &Path, command: &str) -> Output {
    let binary = Path::new(env!("CARGO_BIN_EXE_ninefold"));
    let path = std::env::var("PATH").unwrap_or_default();
    Command::new("sh")
        .args(["-c", command])
        .current_dir(directory)
        .env("PATH", format!("{}:{path}", binary.parent().unwrap().display()))
        .env("NO_COLOR", "1")
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files_in(directory: &str, extension: &str) -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join(directory);
    let mut files: Vec<PathBuf> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files
}
