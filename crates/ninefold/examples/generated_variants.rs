//! Generates variants of ten kinds and checks that each puzzle is unique with a solver that reads
//! the rules as their definitions say and shares no code with the library.
//!
//! ```sh
//! cargo run --release -p ninefold --example generated_variants -- 1000 2 1
//! ```
//! generates 1,000 puzzles of each kind on two threads with the seed 1. Kinds can follow as further
//! arguments, for example `killer,x thermo`; `jigsaw:7` is a jigsaw of side 7, and `killer:9:0` a
//! killer without givens.

#[path = "../tests/common/definitions.rs"]
mod definitions;

use definitions::Definitions;
use ninefold::generate::variants::{self, GeneratedVariant, VariantKind, VariantOptions};
use ninefold::grid::Order;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// The kinds without arguments.
const KINDS: [&str; 10] = [
    "killer:9:0",
    "jigsaw",
    "x",
    "windoku",
    "thermo",
    "arrow",
    "kropki",
    "whispers",
    "anti-knight",
    "even-odd",
];

/// Choices of the checking solver.
const NODES: usize = 1_000_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| {
        arguments.get(at).map_or(default, |text| text.parse().expect("a number"))
    };
    let (count, threads, seed) = (number(0, 100), number(1, 1), number(2, 1));
    let mut specs: Vec<&str> = arguments.iter().skip(3).map(String::as_str).collect();
    if specs.is_empty() {
        specs = KINDS.to_vec();
    }
    println!(
        "| kind | side | puzzles | unique | undecided | puzzles per second | givens | constraints |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    for spec in specs {
        run(spec, count, threads, seed);
    }
}

fn run(spec: &str, count: u64, threads: u64, seed: u64) {
    let mut parts = spec.split(':');
    let kinds = VariantKind::parse_list(parts.next().expect("a kind")).expect("known kinds");
    let mut numbers = parts.map(|part| part.parse::<usize>().expect("a number"));
    let side = numbers.next().unwrap_or(9);
    let order = Order::from_side(side)
        .unwrap_or_else(|| Order::without_boxes(side).expect("a possible side"));
    let mut options = VariantOptions::new(order, kinds);
    if let Some(givens) = numbers.next() {
        options = options.with_clues(0..=givens);
    }
    let started = Instant::now();
    let mut puzzles = Vec::new();
    variants::generate_many(&options, seed, 0..count, threads as usize, |index, variant| {
        match variant {
            Ok(variant) => puzzles.push(variant),
            Err(error) => eprintln!("{spec}, puzzle {index}: {error}"),
        }
        true
    });
    let seconds = started.elapsed().as_secs_f64();
    let checking = Instant::now();
    let (unique, undecided) = check(&puzzles, threads);
    eprintln!("{spec}: checked in {:.1} s", checking.elapsed().as_secs_f64());
    let mut givens: Vec<usize> = puzzles.iter().map(GeneratedVariant::given_count).collect();
    givens.sort_unstable();
    let constraints: usize = puzzles.iter().map(|p| p.rules.constraints().len()).sum();
    println!(
        "| {spec} | {side} | {} | {unique} | {undecided} | {:.0} | {} to {}, mean {:.1} | {:.1} |",
        puzzles.len(),
        puzzles.len() as f64 / seconds,
        givens.first().unwrap_or(&0),
        givens.last().unwrap_or(&0),
        givens.iter().sum::<usize>() as f64 / givens.len().max(1) as f64,
        constraints as f64 / puzzles.len().max(1) as f64,
    );
}

/// The number of puzzles with exactly their solution, and of those that the checking solver does
/// not decide. Panics if a puzzle has another solution or none.
fn check(puzzles: &[GeneratedVariant], threads: u64) -> (u64, u64) {
    let (next, unique, undecided) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(puzzle) = puzzles.get(next.fetch_add(1, Ordering::Relaxed) as usize)
                {
                    let definitions = Definitions::new(&puzzle.rules);
                    assert!(definitions.holds(&puzzle.solution), "{puzzle:?}");
                    match definitions.solutions(&puzzle.givens, 2, NODES) {
                        Some(solutions) => {
                            assert!(
                                solutions == std::slice::from_ref(&puzzle.solution),
                                "{puzzle:?}"
                            );
                            unique.fetch_add(1, Ordering::Relaxed);
                        }
                        None => {
                            undecided.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                }
            });
        }
    });
    (unique.into_inner(), undecided.into_inner())
}
