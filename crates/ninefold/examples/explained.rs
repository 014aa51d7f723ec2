//! Explains lists of puzzles completely and prints statistics.
//!
//! `cargo run --release -p ninefold --example explained -- [--few | --quick] [--bare] [--plain]
//! [--without=TECHNIQUE] … FILE … [EVERY [START [COUNT]]]`
//!
//! Explains every EVERY-th puzzle of each file (optionally gzipped), beginning with START, at most
//! COUNT of them. The checker verifies every step. Puzzles without exactly one solution are skipped
//! and counted. The output contains the number of complete explanations, the CPU time, and two
//! sizes of the proof trees of nested forcing nets: the number of trees per puzzle, and the number
//! of true statements per tree. Progress is printed after every thousand puzzles. To divide a list
//! among N processes, use `FILE N K` for part K, counted from 0.
//!
//! - `--few` prefers few steps.
//! - `--quick` uses trees as they are found, without shortening them.
//! - `--bare` uses only singles and nested forcing nets.
//! - `--plain` uses the default techniques except SK-loops, exocets and tridagons.
//! - `--without=TECHNIQUE` does not use this technique, for example `exocet-link`.

#[path = "common/cpu_time.rs"]
mod cpu_time;
#[path = "common/measuring.rs"]
mod measuring;

use cpu_time::cpu_seconds;
use measuring::{TechniqueCounts, read};
use ninefold::explain::{ExplainOutcome, Explanation};
use ninefold::grid::{Grid, Position, Solutions};
use ninefold::logic::{ExplainOptions, Preference};
use ninefold::proof::{Reason, Technique, Tree};
use ninefold::search::{self, Limits};
use std::error::Error;

/// Patterns that experts search for in the hardest puzzles.
const PATTERNS: [Technique; 6] = [
    Technique::SkLoop,
    Technique::JuniorExocet,
    Technique::DoubleExocet,
    Technique::ExocetMirror,
    Technique::ExocetLink,
    Technique::Tridagon,
];

/// The number of puzzles between two progress messages.
const PUZZLES_PER_LINE: usize = 1_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut options = ExplainOptions::default();
    let (mut files, mut numbers) = (Vec::new(), Vec::new());
    for argument in std::env::args().skip(1) {
        match (argument.as_str(), argument.parse::<usize>()) {
            ("--few", _) => options.preference = Preference::FewSteps,
            ("--quick", _) => options.preference = Preference::Quick,
            ("--plain", _) => options.techniques.retain(|technique| !PATTERNS.contains(technique)),
            ("--bare", _) => {
                options.techniques = vec![
                    Technique::NakedSingle,
                    Technique::HiddenSingle,
                    Technique::NestedForcingNet,
                ];
            }
            (_, Ok(number)) => numbers.push(number),
            (option, _) if option.starts_with("--without=") => {
                let technique: Technique = option["--without=".len()..].parse()?;
                options.techniques.retain(|other| *other != technique);
            }
            _ => files.push(argument),
        }
    }
    if files.is_empty() {
        return Err("usage: explained [--few | --quick] [--bare] [--plain] [--without=TECHNIQUE] … FILE … [EVERY [START [COUNT]]]".into());
    }
    let (every, start) =
        (numbers.first().map_or(1, |&every| every.max(1)), numbers.get(1).copied().unwrap_or(0));
    let count = numbers.get(2).copied().unwrap_or(usize::MAX);
    for file in files {
        let mut tally = Tally::default();
        let mut puzzles = read(&file, every, start)?;
        puzzles.truncate(count);
        for (done, puzzle) in (1..).zip(&puzzles) {
            tally.add(puzzle, &options)?;
            if done % PUZZLES_PER_LINE == 0 {
                tally.print_progress(done, puzzles.len());
            }
        }
        tally.print(&file);
    }
    Ok(())
}

#[derive(Default)]
struct Tally {
    puzzles: usize,
    skipped: usize,
    explained: usize,
    seconds: f64,
    slowest: f64,
    steps: usize,
    trees_per_puzzle: Vec<usize>,
    largest_per_puzzle: Vec<usize>,
    statements: Vec<usize>,
    one_split: usize,
    deepest: usize,
    uses: TechniqueCounts,
}

impl Tally {
    fn add(&mut self, puzzle: &Grid, options: &ExplainOptions) -> Result<(), Box<dyn Error>> {
        let Ok(Solutions::One(solution)) = search::prove(puzzle, &Limits::none()).solutions else {
            self.skipped += 1;
            return Ok(());
        };
        let started = cpu_seconds();
        let known = Some(Solutions::One(solution));
        let explanation =
            Explanation::new(&Position::from_puzzle(puzzle)?, known, options, &Limits::none());
        let seconds = cpu_seconds() - started;
        self.puzzles += 1;
        self.seconds += seconds;
        self.slowest = self.slowest.max(seconds);
        self.steps += explanation.steps.len();
        if explanation.is_complete() {
            self.explained += 1;
        } else {
            println!("not explained: {puzzle} {}", explanation.outcome.name());
        }
        assert!(
            !matches!(explanation.outcome, ExplainOutcome::NotProven { .. }),
            "{puzzle}: {:?}",
            explanation.outcome
        );
        self.add_trees(&explanation);
        Ok(())
    }

    fn add_trees(&mut self, explanation: &Explanation) {
        let trees: Vec<&Tree> =
            explanation.steps.iter().filter_map(|step| tree_of(&step.reason)).collect();
        self.one_split += trees.iter().filter(|tree| tree.splits() <= 1).count();
        self.deepest = self.deepest.max(trees.iter().map(|tree| tree.depth()).max().unwrap_or(0));
        let sizes: Vec<usize> = trees.iter().map(|tree| tree.statements()).collect();
        self.trees_per_puzzle.push(sizes.len());
        self.largest_per_puzzle.push(sizes.iter().copied().max().unwrap_or(0));
        self.statements.extend(sizes);
        self.uses.add(&explanation.steps);
    }

    fn milliseconds_per_puzzle(&self) -> f64 {
        1000.0 * self.seconds / self.puzzles.max(1) as f64
    }

    fn print_progress(&self, done: usize, of: usize) {
        let (explained, each) = (self.explained, self.milliseconds_per_puzzle());
        let skipped = self.skipped;
        println!("{done} of {of}: {explained} explained, {skipped} skipped, {each:.1} ms each");
    }

    fn print(&mut self, file: &str) {
        let each = self.milliseconds_per_puzzle();
        println!(
            "{file}: {} of {} explained ({} without exactly one solution), {} steps, {each:.1} ms each, slowest {:.0} ms",
            self.explained,
            self.puzzles,
            self.skipped,
            self.steps,
            1000.0 * self.slowest
        );
        println!("  trees per puzzle           {}", spread(&mut self.trees_per_puzzle));
        println!("  statements per tree        {}", spread(&mut self.statements));
        println!("  largest tree of a puzzle   {}", spread(&mut self.largest_per_puzzle));
        println!(
            "  trees of one split: {} of {}, deepest {}",
            self.one_split,
            self.statements.len(),
            self.deepest
        );
        self.uses.print();
    }
}

fn tree_of(reason: &Reason) -> Option<&Tree> {
    match reason {
        Reason::Tree(tree) => Some(tree),
        _ => None,
    }
}

fn spread(numbers: &mut [usize]) -> String {
    numbers.sort_unstable();
    let at = |share: f64| {
        numbers
            .get((numbers.len() as f64 * share) as usize)
            .or(numbers.last())
            .copied()
            .unwrap_or(0)
    };
    format!(
        "median {}, 90 % {}, largest {}",
        at(0.5),
        at(0.9),
        numbers.last().copied().unwrap_or(0)
    )
}
