//! Measures solution paths: `cargo run --release --example paths -- [--no-uniqueness] FILE [EVERY]`.
//!
//! Solves every EVERY-th puzzle of the file by logic alone and prints paths per second, how many were solved, and how
//! often each technique was used.

use ninefold::grid::{Candidates, Grid};
use ninefold::logic::{self, End, Options};
use std::collections::HashMap;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut options = Options::default();
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    arguments.retain(|argument| {
        let is_switch = argument == "--no-uniqueness";
        options.uniqueness &= !is_switch;
        !is_switch
    });
    let file = arguments.first().ok_or("usage: paths [--no-uniqueness] FILE [EVERY]")?;
    let every: usize = arguments.get(1).map_or(Ok(1), |text| text.parse())?;
    let text = std::fs::read_to_string(file)?;
    let is_puzzle = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let puzzles = text.lines().filter(is_puzzle).step_by(every.max(1));
    let puzzles: Vec<Grid> =
        puzzles.map(|line| line.split([' ', ',']).next().unwrap_or_default().parse()).collect::<Result<_, _>>()?;
    let started = Instant::now();
    let mut uses: HashMap<String, (usize, usize)> = HashMap::new();
    let (mut solved, mut steps) = (0, 0);
    for puzzle in &puzzles {
        let path = logic::solve(puzzle, &Candidates::of(puzzle)?, &options);
        solved += usize::from(path.end == End::Solved);
        steps += path.trace.steps.len();
        let mut here: HashMap<String, usize> = HashMap::new();
        for step in &path.trace.steps {
            *here.entry(step.technique.to_string()).or_default() += 1;
        }
        for (name, count) in here {
            let (in_all, in_puzzles) = uses.entry(name).or_default();
            *in_all += count;
            *in_puzzles += 1;
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    let count = puzzles.len();
    println!("{count} puzzles, {solved} solved, {steps} steps, {:.1} paths per second", count as f64 / seconds);
    let mut uses: Vec<_> = uses.into_iter().collect();
    uses.sort_by_key(|(_, (in_all, _))| std::cmp::Reverse(*in_all));
    for (name, (in_all, in_puzzles)) in uses {
        println!("{name:<34} {in_all:>8} times in {in_puzzles} puzzles");
    }
    Ok(())
}
