//! Measures solution paths: `cargo run --release -p ninefold --example paths -- [--no-uniqueness] [--uses] FILE … [EVERY]`.
//!
//! Solves every EVERY-th puzzle of each file (gzip is unpacked) by logic alone and prints paths per second of CPU time.
//! Every digit reached is checked against the solution that a search finds, when the clock is stopped. `--uses` also says
//! how often each technique was used. `ninefold bench benchmarks/logic.toml` measures the same on rearranged puzzles.

use flate2::read::MultiGzDecoder;
use ninefold::grid::{Candidates, Grid, Position};
use ninefold::logic::{End, Options, Steps};
use ninefold::proof::{Step, Technique};
use ninefold::search::{self, Limits};
use std::collections::HashMap;
use std::error::Error;
use std::io::Read;
use std::time::Instant;

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
        let puzzles = read(&file, every)?;
        let started = cpu_seconds();
        let paths: Vec<Path> =
            puzzles.iter().map(|puzzle| Path::of(puzzle, &options)).collect::<Result<_, Box<dyn Error>>>()?;
        let seconds = cpu_seconds() - started;
        let solved = paths.iter().filter(|path| path.end == Some(End::Solved)).count();
        let steps: usize = paths.iter().map(|path| path.steps.len()).sum();
        let wrong = paths.iter().filter(|path| !is_right(path)).count();
        let (count, speed) = (puzzles.len(), puzzles.len() as f64 / seconds);
        println!(
            "{file}: {count} puzzles, {solved} solved, {wrong} wrong, {steps} steps, {speed:.0} paths per CPU second"
        );
        if shows_uses {
            print_uses(&paths);
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

fn read(file: &str, every: usize) -> Result<Vec<Grid>, Box<dyn Error>> {
    let bytes = std::fs::read(file)?;
    let mut text = String::new();
    if file.ends_with(".gz") {
        MultiGzDecoder::new(&bytes[..]).read_to_string(&mut text)?;
    } else {
        text = String::from_utf8(bytes)?;
    }
    let is_puzzle = |line: &&str| !line.is_empty() && !line.starts_with('#') && !line.starts_with("puzzle");
    let puzzles = text.lines().filter(is_puzzle).step_by(every);
    Ok(puzzles.map(|line| line.split([' ', ',']).next().unwrap_or_default().parse()).collect::<Result<_, _>>()?)
}

/// The time this process has spent on a processor; where the system does not tell, the time that has passed.
fn cpu_seconds() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds: Option<f64> = text.split_whitespace().next().and_then(|word| word.parse().ok());
    nanoseconds.map_or_else(|| START.get_or_init(Instant::now).elapsed().as_secs_f64(), |ns| ns / 1e9)
}

/// Is the grid at the end, full or not, part of the solution?
fn is_right(path: &Path) -> bool {
    let solver = search::default_for(path.puzzle.order());
    let solution = solver.first(&path.puzzle, &Limits::none()).ok().and_then(|(solution, _)| solution);
    solution.is_some_and(|solution| path.last.grid().clues().all(|(cell, digit)| solution[cell] == Some(digit)))
}

fn print_uses(paths: &[Path]) {
    let mut uses: HashMap<Technique, (usize, usize)> = HashMap::new();
    for path in paths {
        let mut counts: HashMap<Technique, usize> = HashMap::new();
        path.steps.iter().for_each(|step| *counts.entry(step.technique).or_default() += 1);
        for (technique, count) in counts {
            let (in_all, in_puzzles) = uses.entry(technique).or_default();
            *in_all += count;
            *in_puzzles += 1;
        }
    }
    let mut uses: Vec<_> = uses.into_iter().collect();
    uses.sort_by_key(|(_, (in_all, _))| std::cmp::Reverse(*in_all));
    for (technique, (in_all, in_puzzles)) in uses {
        println!("{:<34} {in_all:>8} times in {in_puzzles} puzzles", technique.to_string());
    }
}
