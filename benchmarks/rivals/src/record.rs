//! Formats the record: command, commit, compiler, CPU, a table for each list, and the raw speeds of
//! every turn.

use crate::Args;
use crate::race::Score;
use std::path::Path;
use std::process::Command;

/// The first lines of the record.
pub fn heading(args: &Args) -> String {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cpu = info
        .lines()
        .find(|line| line.starts_with("model name"))
        .and_then(|line| line.split(": ").nth(1));
    format!(
        "# Comparison of Ninefold with other solvers{}\n\n| | |\n|---|---|\n\
         | command | `cargo run --release -- {}` |\n| commit | {} |\n| compiler | {}, target-cpu=native |\n\
         | CPU | {} |\n| measured | CPU time of one thread, {} turns of {} s each, median; seed {} |\n",
        if args.generators { "" } else { ": count to 2" },
        arguments.join(" "),
        output_of("git", &["describe", "--always", "--dirty", "--abbrev=12"]),
        output_of("rustc", &["--version"]),
        cpu.unwrap_or("unknown"),
        args.turns,
        args.seconds,
        args.seed,
    )
}

/// The table of one list. The first score is the reference.
pub fn table(file: &str, puzzles: usize, scores: &[Score]) -> String {
    let name = Path::new(file).file_name().map_or(file.into(), |name| name.to_string_lossy());
    let mut text = format!(
        "\n## {name}, {puzzles} puzzles\n\n\
         | solver | thousand puzzles/s | ratio | guesses/puzzle | answers | each turn, thousand puzzles/s |\n\
         |---|---:|---:|---:|---|---|\n"
    );
    let reference = scores[0].speed();
    for score in scores {
        let name = if score.ours { format!("**{}**", score.name) } else { score.name.clone() };
        let guesses = match score.guesses {
            Some(guesses) if score.answered > 0 => {
                format!("{:.2}", guesses as f64 / score.answered as f64)
            }
            _ => "-".to_string(),
        };
        let answers = match (score.wrong, score.timed_out) {
            (0, false) => "correct".to_string(),
            (0, true) => "timed out".to_string(),
            (wrong, _) => format!("{wrong} WRONG"),
        };
        let turns: Vec<String> =
            score.speeds.iter().map(|speed| format!("{:.2}", speed / 1e3)).collect();
        let speed = score.speed();
        text += &format!(
            "| {name} | {:.2} | {:.2} | {guesses} | {answers} | {} |\n",
            speed / 1e3,
            speed / reference,
            turns.join(" ")
        );
    }
    text
}

fn output_of(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program)
        .args(arguments)
        .output()
        .ok()
        .filter(|output| output.status.success());
    let text = output.and_then(|output| String::from_utf8(output.stdout).ok());
    text.map_or("unknown".to_string(), |text| text.trim().to_string())
}
