//! Solves a list of variants and reports time by kind. Each answer is compared with the published
//! solution and proven unique.
//!
//! ```sh
//! cargo run --release -p ninefold-formats --example variants -- verified.jsonl 3
//! ```
//! reads one JSON object per line with `id`, `kind`, `size`, `givens`, `solution` and `constraints`
//! (the keys of f-puzzles), and solves each puzzle three times. With a third argument, it writes the
//! puzzles that Interactive Sudoku Solver can read to this file, for `benchmarks/variants/iss.mjs`,
//! and solves only those.

use ninefold::Limits;
use ninefold::grid::rules::Rules;
use ninefold::grid::{Digit, Grid};
use ninefold::search::rules::solve;
use ninefold_formats::rules::read_rules;
use ninefold_formats::{Entry, Format, Writer};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

struct Puzzle {
    id: String,
    kind: String,
    rules: Rules,
    givens: Vec<Option<Digit>>,
    solution: Vec<Option<Digit>>,
}

#[derive(Default)]
struct Sum {
    puzzles: usize,
    time: Duration,
    longest: Duration,
    nodes: u64,
    guesses: u64,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("usage: variants LIST.jsonl [REPETITIONS]");
    let repetitions = arguments.next().map_or(1, |text| text.parse().expect("a number"));
    let text = std::fs::read_to_string(&path).expect("a readable list");
    let mut puzzles: Vec<Puzzle> = text.lines().map(read).collect();
    if let Some(path) = arguments.next() {
        puzzles.retain(|puzzle| notation(puzzle).is_some());
        let lines = puzzles.iter().filter_map(notation).collect::<String>();
        std::fs::write(path, lines).expect("the file can be written");
    }
    let mut sums: BTreeMap<String, Sum> = BTreeMap::new();
    let mut slow = Vec::new();
    for puzzle in &puzzles {
        let mut best = Duration::MAX;
        let mut effort = None;
        for _ in 0..repetitions {
            let started = Instant::now();
            let found = solve(&puzzle.rules, &puzzle.givens, 2, &Limits::none());
            best = best.min(started.elapsed());
            assert_eq!(found.effort.stop, None, "{}", puzzle.id);
            let digits: Vec<Vec<Option<Digit>>> =
                found.solutions.iter().map(|s| s.iter().copied().map(Some).collect()).collect();
            assert_eq!(digits, std::slice::from_ref(&puzzle.solution), "{}", puzzle.id);
            effort = Some(found.effort);
        }
        let effort = effort.expect("at least one repetition");
        for name in [puzzle.kind.as_str(), "all"] {
            let sum = sums.entry(name.to_string()).or_default();
            sum.puzzles += 1;
            sum.time += best;
            sum.longest = sum.longest.max(best);
            sum.nodes += effort.nodes;
            sum.guesses += effort.guesses;
        }
        slow.push((best, puzzle.id.clone(), effort.nodes));
    }
    println!("| kind | puzzles | ms | ms per puzzle | longest ms | nodes | guesses |");
    println!("|---|---:|---:|---:|---:|---:|---:|");
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    for (kind, sum) in &sums {
        println!(
            "| {kind} | {} | {:.2} | {:.4} | {:.3} | {} | {} |",
            sum.puzzles,
            ms(sum.time),
            ms(sum.time) / sum.puzzles as f64,
            ms(sum.longest),
            sum.nodes,
            sum.guesses
        );
    }
    slow.sort_by_key(|(time, ..)| std::cmp::Reverse(*time));
    for (time, id, nodes) in slow.iter().take(10) {
        println!("{id}: {:.1} ms, {nodes} nodes", ms(*time));
    }
}

/// A line for `iss.mjs`; `None` if the notation does not have a rule of the puzzle.
fn notation(puzzle: &Puzzle) -> Option<String> {
    let order = puzzle.rules.order();
    let mut grid = Grid::empty(order);
    for (cell, given) in order.cells().zip(&puzzle.givens) {
        grid.set(cell, *given);
    }
    let grid = grid.with_rules(Arc::new(puzzle.rules.clone()));
    let mut writer = Writer::new(Format::Iss, Vec::new()).ok()?;
    writer.write(&Entry::new(grid)).ok()?;
    let text = String::from_utf8(writer.finish().ok()?).ok()?;
    let sign = |digit: &Option<Digit>| {
        digit.map_or('.', |digit| {
            char::from_digit(digit.number().into(), 36).unwrap_or('.').to_ascii_uppercase()
        })
    };
    let solution: String = puzzle.solution.iter().map(sign).collect();
    Some(format!("{}\t{}\t{solution}\n", puzzle.id, text.trim_end()))
}

fn read(line: &str) -> Puzzle {
    let value: Value = serde_json::from_str(line).expect("a JSON object");
    let text = |key: &str| value[key].as_str().unwrap_or_else(|| panic!("{key}")).to_string();
    let side = value["size"].as_u64().expect("a size") as usize;
    let constraints = value["constraints"].as_object().expect("constraints");
    let board = read_rules(side, constraints, &[]).expect("known rules");
    let digit = |sign: char| sign.to_digit(36).and_then(|number| Digit::new(number as u8));
    Puzzle {
        id: text("id"),
        kind: text("kind"),
        rules: board.rules,
        givens: text("givens").chars().map(digit).collect(),
        solution: text("solution").chars().map(digit).collect(),
    }
}
