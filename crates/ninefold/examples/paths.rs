//! Measures solution paths:
//! `cargo run --release -p ninefold --example paths -- [--no-uniqueness] [--uses] FILE … [EVERY]`.
//!
//! Solves every EVERY-th puzzle of each file (optionally gzipped) by logic alone and prints paths
//! per second of CPU time. Every digit is checked against the solution found by search; this is not
//! part of the measured time. `--uses` also prints how often each technique was used. `ninefold
//! bench benchmarks/logic.toml` does the same measurement on transformed puzzles.

#[path = "common/cpu_time.rs"]
mod cpu_time;
#[path = "common/measuring.rs"]
mod measuring;

use cpu_time::cpu_seconds;
use measuring::{TechniqueCounts, read};
use ninefold::grid::{Candidates, Grid, Position};
use ninefold::logic::{ExplainOptions, Steps, StepsOutcome};
use ninefold::proof::Step;
use ninefold::search::{self, Limits};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut options = ExplainOptions::default();
    let (mut files, mut every, mut shows_uses) = (Vec::new(), 1, false);
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--no-uniqueness" => options.uniqueness = false,
            "--uses" => shows_uses = true,
            other => match other.parse::<usize>() {
                Ok(number) => every = number.max(1),
                Err(_) => files.push(argument),
            },
        }
    }
    if files.is_empty() {
        return Err("usage: paths [--no-uniqueness] [--uses] FILE … [EVERY]".into());
    }
    for file in files {
        let puzzles = read(&file, every, 0)?;
        let started = cpu_seconds();
        let paths: Vec<Path> = puzzles
            .iter()
            .map(|puzzle| Path::new(puzzle, &options))
            .collect::<Result<_, Box<dyn Error>>>()?;
        let seconds = cpu_seconds() - started;
        let solved = paths.iter().filter(|path| path.end == Some(StepsOutcome::Solved)).count();
        let steps: usize = paths.iter().map(|path| path.steps.len()).sum();
        let wrong = paths.iter().filter(|path| !is_right(path)).count();
        let (count, speed) = (puzzles.len(), puzzles.len() as f64 / seconds);
        println!(
            "{file}: {count} puzzles, {solved} solved, {wrong} wrong, {steps} steps, {speed:.0} paths per CPU second"
        );
        if shows_uses {
            let mut uses = TechniqueCounts::default();
            paths.iter().for_each(|path| uses.add(&path.steps));
            uses.print();
        }
    }
    Ok(())
}

/// The steps of a puzzle without proof checking, so that only the finders are measured.
struct Path {
    puzzle: Grid,
    steps: Vec<Step>,
    last: Candidates,
    end: Option<StepsOutcome>,
}

impl Path {
    fn new(puzzle: &Grid, options: &ExplainOptions) -> Result<Path, Box<dyn Error>> {
        let mut steps = Steps::new(&Position::from_puzzle(puzzle)?, options, &Limits::none());
        let found = steps.by_ref().collect();
        Ok(Path {
            puzzle: puzzle.clone(),
            steps: found,
            last: steps.reached(),
            end: steps.outcome(),
        })
    }
}

/// Whether the final grid, complete or not, agrees with the solution.
fn is_right(path: &Path) -> bool {
    let solver = search::default_for(&path.puzzle);
    let solution =
        solver.first(&path.puzzle, &Limits::none()).ok().and_then(|(solution, _)| solution);
    solution.is_some_and(|solution| {
        path.last.grid().clues().all(|(cell, digit)| solution[cell] == Some(digit))
    })
}
