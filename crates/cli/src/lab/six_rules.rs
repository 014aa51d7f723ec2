//! `ninefold lab six-rules`: counts the puzzles that the six rules of Cheewaprakobkit et al. solve.

use crate::console::outln;
use crate::error::CliError;
use crate::evaluate;
use crate::humanize;
use crate::stream;
use crate::verdict::Verdict;
use ninefold::grid::{Grid, Order};
use ninefold::logic::six_rules::{self, RULES};
use ninefold_neural::training::data::Examples;
use std::path::Path;

#[derive(Clone, Copy, Default)]
struct Count {
    puzzles: usize,
    solved: usize,
    digits: usize,
    /// The number of digits that need each rule.
    in_digits: [usize; RULES.len()],
    /// The number of puzzles that need each rule.
    in_puzzles: [usize; RULES.len()],
}

pub fn run(file: &str) -> Result<Verdict, CliError> {
    let examples = evaluate::read(Path::new(file), Order::NINE)?;
    let count = count_all(&examples, stream::all_cores());
    let share = |part: usize, all: usize| 100.0 * part as f64 / all.max(1) as f64;
    outln!(
        "{} of {} puzzles solved ({:.2} %)",
        humanize::thousands(count.solved as u64),
        humanize::thousands(count.puzzles as u64),
        share(count.solved, count.puzzles)
    );
    outln!("rule  {:<24}  {:>9}  digits %  {:>8}  puzzles %", "", "digits", "puzzles");
    for (index, rule) in RULES.iter().enumerate() {
        let (digits, puzzles) = (count.in_digits[index], count.in_puzzles[index]);
        outln!(
            "{:>4}  {:<24}  {:>9}  {:>8.2}  {:>8}  {:>9.2}",
            index + 1,
            rule.slug(),
            humanize::thousands(digits as u64),
            share(digits, count.digits),
            humanize::thousands(puzzles as u64),
            share(puzzles, count.puzzles)
        );
    }
    Ok(if count.solved == count.puzzles { Verdict::Yes } else { Verdict::No })
}

fn count_all(examples: &Examples, threads: usize) -> Count {
    let share = examples.len().div_ceil(threads.max(1)).max(1);
    let parts: Vec<Count> = std::thread::scope(|scope| {
        let start = |first: usize| {
            scope.spawn(move || count_some(examples, first..(first + share).min(examples.len())))
        };
        let counting: Vec<_> = (0..examples.len()).step_by(share).map(start).collect();
        counting.into_iter().map(|part| part.join().expect("counting does not panic")).collect()
    });
    parts.into_iter().fold(Count::default(), |all, part| all.with(&part))
}

fn count_some(examples: &Examples, indices: std::ops::Range<usize>) -> Count {
    let mut count = Count::default();
    for index in indices {
        let puzzle = Grid::from_numbers(examples.order(), examples.puzzle(index))
            .expect("examples contain valid numbers");
        let run = six_rules::solve(&puzzle).expect("a puzzle with one solution has no conflict");
        count.puzzles += 1;
        count.solved += usize::from(run.is_solved());
        count.digits += run.digits.len();
        for rule in 0..RULES.len() {
            let used = run.digits.iter().filter(|digit| digit.uses_rule(rule + 1)).count();
            count.in_digits[rule] += used;
            count.in_puzzles[rule] += usize::from(used > 0);
        }
    }
    count
}

impl Count {
    fn with(mut self, other: &Count) -> Count {
        self.puzzles += other.puzzles;
        self.solved += other.solved;
        self.digits += other.digits;
        for rule in 0..RULES.len() {
            self.in_digits[rule] += other.in_digits[rule];
            self.in_puzzles[rule] += other.in_puzzles[rule];
        }
        self
    }
}
