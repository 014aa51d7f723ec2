//! The race of the generators: puzzles per CPU second, and what kind of puzzles they are.
//!
//! Crate `sudoku` takes clues away in pairs that a half turn exchanges, unless it is asked for no symmetry: then its
//! puzzles are minimal like ours, and that is the fair comparison. Both kinds stand in the table.

use crate::Options;
use cpu_time::ThreadTime;
use ninefold::generate::{self, PatternSymmetry, Wish};
use ninefold::grid::{Grid, Order};
use sudoku::{Sudoku, board::Symmetry};

/// Puzzles made between two looks at the clock, by us and by the rival alike.
const BUNDLE: u64 = 256;

/// Puzzles of each generator that are looked at closely after the race.
const LOOKED_AT: usize = 500;

struct Generator {
    name: &'static str,
    ours: bool,
    /// Makes the bundle with this number.
    make: fn(u64, u64) -> Vec<Grid>,
    speeds: Vec<f64>,
    sample: Vec<Grid>,
}

/// Lets all generators take turns and returns the table.
pub fn race(options: &Options) -> String {
    let mut generators = [
        generator("sudoku 0.8, no symmetry", false, |_, _| rival(Symmetry::None)),
        generator("minimal", true, |seed, bundle| {
            ours(&Wish { minimal: true, ..Wish::any(Order::NINE) }, seed, bundle)
        }),
        generator("sudoku 0.8, half turn", false, |_, _| rival(Symmetry::HalfRotation)),
        generator("half turn", true, |seed, bundle| {
            ours(
                &Wish { symmetry: PatternSymmetry::HalfTurn, ..Wish::any(Order::NINE) },
                seed,
                bundle,
            )
        }),
    ];
    let mut bundle = 0;
    for _ in 0..options.turns {
        for generator in &mut generators {
            let (mut time, mut made) = (0.0, 0);
            while time < options.seconds {
                bundle += 1;
                let started = ThreadTime::now();
                let puzzles = (generator.make)(options.seed, bundle);
                time += started.elapsed().as_secs_f64();
                made += puzzles.len();
                let room = LOOKED_AT - generator.sample.len();
                generator.sample.extend(puzzles.into_iter().take(room));
            }
            generator.speeds.push(made as f64 / time);
        }
    }
    table(&generators)
}

fn generator(name: &'static str, ours: bool, make: fn(u64, u64) -> Vec<Grid>) -> Generator {
    Generator { name, ours, make, speeds: Vec::new(), sample: Vec::new() }
}

fn rival(symmetry: Symmetry) -> Vec<Grid> {
    let grid = |puzzle: Sudoku| {
        Grid::from_numbers(Order::NINE, &puzzle.to_bytes()).expect("81 digits make a grid")
    };
    (0..BUNDLE).map(|_| grid(Sudoku::generate_with_symmetry(symmetry))).collect()
}

fn ours(wish: &Wish<'_>, seed: u64, bundle: u64) -> Vec<Grid> {
    let mut puzzles = Vec::new();
    generate::make_many(wish, seed, bundle * BUNDLE..(bundle + 1) * BUNDLE, 1, |_, made| {
        puzzles.push(made.expect("such puzzles are easy to make").puzzle);
        true
    });
    puzzles
}

fn table(generators: &[Generator]) -> String {
    let mut text = format!(
        "\n## Generators, minimal 9×9 puzzles\n\nRatios are to the row of crate `sudoku` above. Of the first {LOOKED_AT} \
         puzzles of each, every one was tested for a single solution and for clues that are not needed.\n\n\
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
