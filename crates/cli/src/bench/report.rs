//! Benchmark results as a table, as JSON and as a Markdown record.

use super::definition::Definition;
use super::race::{Score, Settings};
use crate::{humanize, provenance};
use serde::Serialize;

/// The results of all solvers on one list.
pub struct BenchResult {
    pub definition: Definition,
    /// The number of puzzles in the list.
    pub puzzles: usize,
    pub scores: Vec<Score>,
}

/// The raw numbers of one solver on one list.
#[derive(Serialize)]
struct ResultRow<'a> {
    bench: &'a str,
    list: &'a str,
    task: super::Task,
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions: Option<super::Expected>,
    seed: u64,
    passes: u64,
    puzzles_in_list: usize,
    solver: &'static str,
    puzzles_answered: u64,
    cpu_seconds: f64,
    puzzles_per_cpu_second: f64,
    guesses: u64,
    guesses_per_puzzle: f64,
    share_without_a_guess: f64,
    capped: bool,
    wrong_answers: u64,
}

impl BenchResult {
    pub fn table(&self) -> String {
        let task = serde_json::to_value(self.definition.task).expect("a task has a name");
        let mut text = format!(
            "{}: {} of {}, {}\n",
            self.definition.name,
            humanize::count(self.puzzles as u64, "puzzle", "puzzles"),
            self.definition.list,
            task.as_str().unwrap_or_default(),
        );
        text += &format!(
            "{:<14} {:>14} {:>14} {:>10} {:>10} {:>9}  {}\n",
            "solver",
            "puzzles/CPU s",
            "guesses/puzzle",
            "no guess",
            "puzzles",
            "CPU time",
            "answers"
        );
        for score in &self.scores {
            let row = TableRow::new(score);
            text += &format!(
                "{:<14} {:>14} {:>14} {:>10} {:>10} {:>9}  {}\n",
                score.name,
                row.speed,
                row.guesses,
                row.no_guess,
                row.answered,
                row.time,
                row.answers
            );
        }
        text + "\n"
    }

    /// One JSON object for each solver.
    pub fn json(&self, settings: &Settings) -> String {
        let line =
            |row| serde_json::to_string(&row).expect("numbers can be written as JSON") + "\n";
        self.rows(settings).into_iter().map(line).collect()
    }

    fn rows(&self, settings: &Settings) -> Vec<ResultRow<'_>> {
        let row = |score: &Score| ResultRow {
            bench: &self.definition.name,
            list: &self.definition.list,
            task: self.definition.task,
            solutions: self.definition.solutions,
            seed: settings.seed,
            passes: settings.passes,
            puzzles_in_list: self.puzzles,
            solver: score.name,
            puzzles_answered: score.answered,
            cpu_seconds: score.time.as_secs_f64(),
            puzzles_per_cpu_second: per(score.answered as f64, score.time.as_secs_f64()),
            guesses: score.guesses,
            guesses_per_puzzle: per(score.guesses as f64, score.answered as f64),
            share_without_a_guess: per(score.without_a_guess as f64, score.answered as f64),
            capped: score.capped,
            wrong_answers: score.wrong,
        };
        self.scores.iter().map(row).collect()
    }
}

/// The formatted numbers of one row of a table.
struct TableRow {
    speed: String,
    guesses: String,
    no_guess: String,
    answered: String,
    time: String,
    answers: String,
}

impl TableRow {
    fn new(score: &Score) -> TableRow {
        let answered = score.answered as f64;
        let mut answers = match (score.wrong, score.answered) {
            (_, 0) => "none".to_string(),
            (0, _) => "all correct".to_string(),
            (wrong, _) => format!("{} WRONG", humanize::thousands(wrong)),
        };
        if score.capped {
            answers += ", capped";
        }
        TableRow {
            speed: humanize::three_digits(per(answered, score.time.as_secs_f64())),
            guesses: humanize::three_digits(per(score.guesses as f64, answered)),
            no_guess: format!("{:.1} %", 100.0 * per(score.without_a_guess as f64, answered)),
            answered: humanize::thousands(score.answered),
            time: humanize::time(score.time),
            answers,
        }
    }
}

fn per(amount: f64, unit: f64) -> f64 {
    if unit > 0.0 { amount / unit } else { 0.0 }
}

/// The record of a run as Markdown.
pub fn record(results: &[BenchResult], settings: &Settings) -> String {
    let command: Vec<String> = std::env::args().skip(1).collect();
    let mut text = format!(
        "# Benchmark record\n\n\
         | | |\n|---|---|\n\
         | command | `ninefold {}` |\n| commit | {} |\n| version | {} ({} build) |\n| compiler | {} |\n\
         | CPU | {} |\n| measured | CPU time of one thread; list shuffled and transformed with seed {}, {} |\n",
        command.join(" "),
        provenance::commit(),
        env!("CARGO_PKG_VERSION"),
        env!("NINEFOLD_PROFILE"),
        env!("NINEFOLD_COMPILER"),
        cpu_name(),
        settings.seed,
        humanize::count(settings.passes, "pass", "passes"),
    );
    for result in results {
        text += &format!(
            "\n## {}\n\n| solver | puzzles per CPU second | guesses per puzzle | without a guess | puzzles | answers |\n\
             |---|---:|---:|---:|---:|---|\n",
            result.definition.name
        );
        for score in &result.scores {
            let row = TableRow::new(score);
            text += &format!(
                "| {} | {} | {} | {} | {} | {} |\n",
                score.name, row.speed, row.guesses, row.no_guess, row.answered, row.answers
            );
        }
    }
    text += "\n## Raw numbers\n\n```toml\n";
    for row in results.iter().flat_map(|result| result.rows(settings)) {
        let table = toml::to_string(&row).expect("numbers can be written as TOML");
        text += &format!("[[result]]\n{table}\n");
    }
    text.trim_end().to_string() + "\n```\n"
}

fn cpu_name() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info
        .lines()
        .find(|line| line.starts_with("model name"))
        .and_then(|line| line.split(':').nth(1));
    name.map_or_else(|| std::env::consts::ARCH.to_string(), |name| name.trim().to_string())
}
