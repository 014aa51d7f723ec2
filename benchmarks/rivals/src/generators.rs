//! Compares generators: puzzles per CPU second, and properties of the puzzles.
//!
//! By default, crate `sudoku` removes clues in pairs with half-turn symmetry. Without symmetry its
//! puzzles are minimal like those of Ninefold, so that is the fair comparison. The table contains
//! both.

use crate::Args;
use cpu_time::ThreadTime;
use ninefold::generate::{self, GenerateOptions, PatternSymmetry};
use ninefold::grid::{Grid, Order};
use sudoku::{Sudoku, board::Symmetry};

/// The number of puzzles between two reads of the clock, for all generators.
const BATCH: u64 = 256;

/// The number of puzzles of each generator whose properties are measured.
const SAMPLE_SIZE: usize = 500;

struct Generator {
    name: &'static str,
    ours: bool,
    /// Generates a batch from a seed and the number of the batch.
    generate: fn(u64, u64) -> Vec<Grid>,
    speeds: Vec<f64>,
    sample: Vec<Grid>,
}

/// Runs all generators in turns and returns the table.
pub fn race(args: &Args) -> String {
    let mut generators = [
        generator("sudoku 0.8, no symmetry", false, |_, _| rival(Symmetry::None)),
        generator("minimal", true, |seed, batch| {
            ours(&GenerateOptions::new(Order::NINE).with_minimal(true), seed, batch)
        }),
        generator("sudoku 0.8, half turn", false, |_, _| rival(Symmetry::HalfRotation)),
        generator("half turn", true, |seed, batch| {
            ours(
                &GenerateOptions::new(Order::NINE).with_symmetry(PatternSymmetry::HalfTurn),
                seed,
                batch,
            )
        }),
    ];
    let mut batch = 0;
    for _ in 0..args.turns {
        for generator in &mut generators {
            let (mut time, mut made) = (0.0, 0);
            while time < args.seconds {
                batch += 1;
                let started = ThreadTime::now();
                let puzzles = (generator.generate)(args.seed, batch);
                time += started.elapsed().as_secs_f64();
                made += puzzles.len();
                let room = SAMPLE_SIZE - generator.sample.len();
                generator.sample.extend(puzzles.into_iter().take(room));
            }
            generator.speeds.push(made as f64 / time);
        }
    }
    table(&generators)
}

fn generator(name: &'static str, ours: bool, generate: fn(u64, u64) -> Vec<Grid>) -> Generator {
    Generator { name, ours, generate, speeds: Vec::new(), sample: Vec::new() }
}

fn rival(symmetry: Symmetry) -> Vec<Grid> {
    let grid = |puzzle: Sudoku| {
        Grid::from_numbers(Order::NINE, &puzzle.to_bytes()).expect("81 digits are a 9×9 grid")
    };
    (0..BATCH).map(|_| grid(Sudoku::generate_with_symmetry(symmetry))).collect()
}

fn ours(options: &GenerateOptions<'_>, seed: u64, batch: u64) -> Vec<Grid> {
    let mut puzzles = Vec::new();
    generate::generate_many(
        options,
        seed,
        batch * BATCH..(batch + 1) * BATCH,
        1,
        |_, generated| {
            puzzles.push(generated.expect("such puzzles are easy to generate").puzzle);
            true
        },
    );
    puzzles
}

fn table(generators: &[Generator]) -> String {
    let mut text = format!(
        "\n## Generators, minimal 9×9 puzzles\n\nRatios refer to the row of crate `sudoku` above. The first {SAMPLE_SIZE} \
         puzzles of each generator were tested for uniqueness and minimality.\n\n\
         | generator | puzzles per CPU second | ratio | clues, average | one solution | minimal | each turn |\n\
         |---|---:|---:|---:|---:|---:|---|\n"
    );
    let mut reference = 0.0;
    for generator in generators {
        let speed = median(&generator.speeds);
        reference = if generator.ours { reference } else { speed };
        let name = if generator.ours {
            format!("**{}**", generator.name)
        } else {
            generator.name.to_string()
        };
        let sample = &generator.sample;
        let clues: usize = sample.iter().map(Grid::clue_count).sum();
        let share = |holds: fn(&Grid) -> bool| {
            let count = sample.iter().filter(|puzzle| holds(puzzle)).count();
            format!("{:.1} %", 100.0 * count as f64 / sample.len() as f64)
        };
        let turns: Vec<String> =
            generator.speeds.iter().map(|speed| format!("{speed:.0}")).collect();
        text += &format!(
            "| {name} | {speed:.0} | {:.2} | {:.2} | {} | {} | {} |\n",
            speed / reference,
            clues as f64 / sample.len() as f64,
            share(|puzzle| generate::is_unique(puzzle) == Ok(true)),
            share(|puzzle| generate::is_minimal(puzzle) == Ok(true)),
            turns.join(" "),
        );
    }
    text
}

fn median(speeds: &[f64]) -> f64 {
    let mut sorted = speeds.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}
