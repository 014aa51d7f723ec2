//! Explains variant puzzles completely and prints statistics by kind.
//!
//! `cargo run --release -p ninefold-formats --example explained_variants -- FILE [--kind=KIND]
//! [--every=N] [--text=ID] [--seconds=S] [--each]`
//!
//! A line of the file is a JSON object with `id`, `kind`, `size`, `givens`, `constraints` and
//! `solution`; the keys of `constraints` are those of f-puzzles. The checker verifies every step.
//! The output lists for each kind the number of puzzles, how many were explained to the end, the
//! number of puzzles with trees, the steps, the trees, the nested trees, and the CPU time per puzzle
//! (median, 90 %, largest), and after that how often each technique was used. `--text=ID` prints an
//! explanation instead. A puzzle that takes longer than S seconds (default 60) is stopped.

use cpu_time::ProcessTime;
use ninefold::explain::{Detail, ExplainOutcome, Explanation};
use ninefold::grid::{Digit, Grid, Position, Solutions};
use ninefold::logic::ExplainOptions;
use ninefold::proof::{Reason, Technique};
use ninefold::search::Limits;
use ninefold_formats::rules::read_rules;
use serde_json::Value;
use std::collections::BTreeMap;
use std::error::Error;
use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

/// What was measured for one puzzle.
struct Measured {
    is_complete: bool,
    steps: usize,
    trees: usize,
    nested: usize,
    seconds: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| {
        arguments.iter().find_map(|argument| argument.strip_prefix(&format!("--{name}=")))
    };
    let file = arguments.iter().find(|argument| !argument.starts_with("--")).ok_or("no file")?;
    let every: usize = option("every").map_or(Ok(1), str::parse)?;
    let seconds: u64 = option("seconds").map_or(Ok(60), str::parse)?;
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(file)?).read_to_string(&mut text)?;
    let mut kinds: BTreeMap<String, Vec<Measured>> = BTreeMap::new();
    let mut techniques: BTreeMap<Technique, (usize, usize)> = BTreeMap::new();
    for line in text.lines().step_by(every) {
        let puzzle: Value = serde_json::from_str(line)?;
        let (id, kind) = (string(&puzzle, "id")?, string(&puzzle, "kind")?);
        let is_wanted = |name, value: &str| option(name).is_none_or(|wanted| wanted == value);
        if !is_wanted("kind", kind) || !is_wanted("text", id) {
            continue;
        }
        let (grid, solution) = read(&puzzle)?;
        let start = ProcessTime::now();
        let position = Position::from_puzzle(&grid)?;
        let limits = Limits::none().with_time(Duration::from_secs(seconds));
        let solutions = Some(Solutions::One(solution));
        let options = ExplainOptions::default();
        let explanation = Explanation::new(&position, solutions, &options, &limits);
        let seconds = start.elapsed().as_secs_f64();
        if option("text").is_some() {
            print(&explanation);
        }
        let is_tree = |technique: Technique| {
            explanation.steps.iter().filter(|step| step.technique == technique).count()
        };
        let measured = Measured {
            is_complete: explanation.is_complete(),
            steps: explanation.steps.len(),
            trees: explanation
                .steps
                .iter()
                .filter(|step| matches!(step.reason, Reason::Tree(_)))
                .count(),
            nested: is_tree(Technique::NestedForcingNet),
            seconds,
        };
        if !measured.is_complete {
            let outcome = match &explanation.outcome {
                ExplainOutcome::NotProven { step, error } => format!("{error}: {step:?}"),
                other => other.name().to_string(),
            };
            println!("{id} ({kind}): {outcome}");
        }
        if arguments.iter().any(|argument| argument == "--each") {
            let Measured { steps, trees, nested, .. } = measured;
            println!("{id}\t{kind}\t{steps}\t{trees}\t{nested}\t{:.1} ms", 1_000.0 * seconds);
        }
        let mut used: BTreeMap<Technique, usize> = BTreeMap::new();
        for step in &explanation.steps {
            *used.entry(step.technique).or_default() += 1;
        }
        for (technique, count) in used {
            let all = techniques.entry(technique).or_default();
            *all = (all.0 + count, all.1 + 1);
        }
        kinds.entry(group_of(kind).to_string()).or_default().push(measured);
    }
    print_table(kinds);
    println!("\n| technique | steps | puzzles |\n|---|---:|---:|");
    for technique in ninefold::proof::all_techniques() {
        if let Some((steps, puzzles)) = techniques.get(&technique) {
            println!("| {technique} | {steps} | {puzzles} |");
        }
    }
    Ok(())
}

fn string<'a>(puzzle: &'a Value, key: &str) -> Result<&'a str, String> {
    puzzle[key].as_str().ok_or_else(|| format!("no {key}"))
}

fn read(puzzle: &Value) -> Result<(Grid, Grid), Box<dyn Error>> {
    let side = puzzle["size"].as_u64().ok_or("no size")? as usize;
    let constraints = puzzle["constraints"].as_object().ok_or("no constraints")?;
    let board = read_rules(side, constraints, &[])?;
    let rules = Arc::new(board.rules);
    let mut grid = Grid::empty(rules.order()).with_rules(rules);
    let mut solution = grid.clone();
    let digit = |sign: char| sign.to_digit(36).and_then(|number| Digit::new(number as u8));
    let (givens, full) = (string(puzzle, "givens")?, string(puzzle, "solution")?);
    for (cell, (given, digit_of)) in grid.order().cells().zip(givens.chars().zip(full.chars())) {
        grid.set(cell, digit(given));
        solution.set(cell, digit(digit_of));
    }
    Ok((grid, solution))
}

/// Combinations of several rules are one group.
fn group_of(kind: &str) -> &str {
    match kind {
        "classic" => "classic",
        "difference+negative" => "consecutive",
        "even+odd" => "even and odd",
        kind if kind.contains("killercage") => "killer",
        kind if kind.starts_with("regions") => "jigsaw",
        "skyscraper" | "thermometer" | "arrow" => kind,
        _ => "other",
    }
}

fn print(explanation: &Explanation) {
    for (number, (position, step)) in (1..).zip(explanation.positions()) {
        println!("{number}. {}", step.explain(&position, Detail::Full));
    }
}

fn print_table(kinds: BTreeMap<String, Vec<Measured>>) {
    println!(
        "| kind | puzzles | to the end | with trees | steps | trees | nested trees | median | 90 % \
         | largest |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    );
    for (kind, mut all) in kinds {
        all.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        let at = |share: f64| 1_000.0 * all[((all.len() - 1) as f64 * share) as usize].seconds;
        let sum = |of: &dyn Fn(&Measured) -> usize| all.iter().map(of).sum::<usize>();
        println!(
            "| {kind} | {} | {} | {} | {} | {} | {} | {:.1} ms | {:.1} ms | {:.0} ms |",
            all.len(),
            sum(&|one| usize::from(one.is_complete)),
            sum(&|one| usize::from(one.trees > 0)),
            sum(&|one| one.steps),
            sum(&|one| one.trees),
            sum(&|one| one.nested),
            at(0.5),
            at(0.9),
            at(1.0),
        );
    }
}
