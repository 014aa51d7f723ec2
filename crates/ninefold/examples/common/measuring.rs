//! Shared code of the measuring examples: reading lists of puzzles and counting techniques.

use flate2::read::MultiGzDecoder;
use ninefold::grid::Grid;
use ninefold::proof::{Step, Technique};
use std::collections::BTreeMap;
use std::error::Error;
use std::io::Read;

/// Reads every `every`-th puzzle of a list, beginning with number `start`. Gzip is unpacked.
pub fn read(file: &str, every: usize, start: usize) -> Result<Vec<Grid>, Box<dyn Error>> {
    let bytes = std::fs::read(file)?;
    let mut text = String::new();
    if file.ends_with(".gz") {
        MultiGzDecoder::new(&bytes[..]).read_to_string(&mut text)?;
    } else {
        text = String::from_utf8(bytes)?;
    }
    let is_puzzle =
        |line: &&str| !line.is_empty() && !line.starts_with('#') && !line.starts_with("puzzle");
    let puzzles = text.lines().filter(is_puzzle).skip(start).step_by(every);
    Ok(puzzles
        .map(|line| line.split([' ', ',', '\t']).next().unwrap_or_default().parse())
        .collect::<Result<_, _>>()?)
}

/// How often each technique was used, and in how many puzzles.
#[derive(Default)]
pub struct TechniqueCounts(BTreeMap<Technique, (usize, usize)>);

impl TechniqueCounts {
    /// Adds the steps of a puzzle.
    pub fn add(&mut self, steps: &[Step]) {
        let mut counts: BTreeMap<Technique, usize> = BTreeMap::new();
        steps.iter().for_each(|step| *counts.entry(step.technique).or_default() += 1);
        for (technique, count) in counts {
            let (in_all, in_puzzles) = self.0.entry(technique).or_default();
            *in_all += count;
            *in_puzzles += 1;
        }
    }

    /// Prints the counts, the most used technique first.
    pub fn print(&self) {
        let mut uses: Vec<_> = self.0.iter().collect();
        uses.sort_by_key(|(_, (in_all, _))| std::cmp::Reverse(*in_all));
        for (technique, (in_all, in_puzzles)) in uses {
            println!("  {:<34} {in_all:>8} times in {in_puzzles} puzzles", technique.to_string());
        }
    }
}
