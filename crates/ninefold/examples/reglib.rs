//! Runs a library of technique cases: `cargo run --release --example reglib -- FILE [CODE …]`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((file, codes)) = arguments.split_first() else {
        eprintln!("usage: reglib FILE [CODE ...]");
        return ExitCode::from(2);
    };
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("error: {file}: {error}");
            return ExitCode::from(2);
        }
    };
    let wanted = |line: &&str| codes.is_empty() || codes.iter().any(|code| line.split([':', '-']).nth(1) == Some(code));
    // Unwanted lines become blank ones, so that line numbers stay those of the file.
    let text: Vec<&str> = text.lines().map(|line| if wanted(&line) { line } else { "" }).collect();
    match ninefold::logic::reglib::run(&text.join("\n")) {
        Ok(report) => {
            print!("{report}");
            if report.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) }
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
