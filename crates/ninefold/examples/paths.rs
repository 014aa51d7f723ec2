//! Measures solution paths: `cargo run --release -p ninefold --example paths -- [--no-uniqueness] [--uses] FILE … [EVERY]`.
//!
//! Solves every EVERY-th puzzle of each file (gzip is unpacked) by logic alone and prints paths per second of CPU time.
//! Every digit reached is checked against the solution that a search finds, when the clock is stopped. `--uses` also says
//! how often each technique was used. `ninefold bench benchmarks/logic.toml` measures the same on rearranged puzzles.

#[path = "common/measuring.rs"]
mod measuring;
#[path = "common/processor.rs"]
mod processor;

use measuring::{Uses, read};
use ninefold::grid::{Candidates, Grid, Position};
use ninefold::logic::{End, Options, Steps};
use ninefold::proof::Step;
use ninefold::search::{self, Limits};
use processor::cpu_seconds;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut options = Options::default();
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
            .map(|puzzle| Path::of(puzzle, &options))
            .collect::<Result<_, Box<dyn Error>>>()?;
        let seconds = cpu_seconds() - started;
        let solved = paths.iter().filter(|path| path.end == Some(End::Solved)).count();
        let steps: usize = paths.iter().map(|path| path.steps.len()).sum();
        let wrong = paths.iter().filter(|path| !is_right(path)).count();
        let (count, speed) = (puzzles.len(), puzzles.len() as f64 / seconds);
        println!(
            "{file}: {count} puzzles, {solved} solved, {wrong} wrong, {steps} steps, {speed:.0} paths per CPU second"
        );
        if shows_uses {
            let mut uses = Uses::default();
            paths.iter().for_each(|path| uses.add(&path.steps));
            uses.print();
        }
    }
    Ok(())
}

/// The steps of a puzzle as the finders found them: what is measured here is the finding.
struct Path {
    puzzle: Grid,
    steps: Vec<Step>,
    last: Candidates,
    end: Option<End>,
}

impl Path {
    fn of(puzzle: &Grid, options: &Options) -> Result<Path, Box<dyn Error>> {
        let mut steps = Steps::new(&Position::start(puzzle)?, options, &Limits::none());
        let found = steps.by_ref().collect();
        Ok(Path { puzzle: puzzle.clone(), steps: found, last: steps.reached(), end: steps.end() })
    }
}

/// Is the grid at the end, full or not, part of the solution?
fn is_right(path: &Path) -> bool {
    let solver = search::default_for(path.puzzle.order());
    let solution =
        solver.first(&path.puzzle, &Limits::none()).ok().and_then(|(solution, _)| solution);
    solution.is_some_and(|solution| {
        path.last.grid().clues().all(|(cell, digit)| solution[cell] == Some(digit))
    })
}
