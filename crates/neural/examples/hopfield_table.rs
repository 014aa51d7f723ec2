//! Does the commonality rule of Sharaf, Marathe and Nguyen help? Hints and network runs per puzzle for each way to choose the cell.
//!
//! ```text
//! cargo run --release -p ninefold-neural --example hopfield_table -- [PUZZLES PER LIST] [LIST]...
//! ```
//!
//! It takes this many puzzles of each list (1,000 unless told), evenly spread, and prints Markdown tables. Without lists
//! it takes those of `../shared/data`. The co-processor is asked once per puzzle; all ways to choose share its solution.

use cpu_time::ThreadTime;
use flate2::read::GzDecoder;
use neural::models::hopfield::dynamics::Dynamics;
use neural::models::hopfield::{Asking, Choice, CoProcessor, Config, Kind, Outcome, solve_with};
use ninefold::grid::Grid;
use ninefold::search::Limits;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a list holds, and its file.
const LISTS: [(&str, &str); 7] = [
    ("Kaggle, easy", "kaggle_easy_10000.txt"),
    ("generated, minimal", "random_minimal_generated.txt.gz"),
    ("17 clues", "sudoku_17_clue.txt.gz"),
    ("magictour", "magictour_top1465.txt"),
    ("hardest, rated 11+", "forum_hardest_1905_er11plus.txt.gz"),
    ("hardest of 2011", "forum_hardest_1106.txt"),
    ("16×16, easy", "sudoku_16x16_easy.txt"),
];

/// Runs of the real Hopfield network are long, so it gets one puzzle of this many.
const PUZZLES_PER_DYNAMICS: usize = 10;

fn main() {
    let wanted = match std::env::args().nth(1).map(|text| text.parse()) {
        None => 1_000,
        Some(Ok(wanted)) => wanted,
        Some(Err(_)) => {
            eprintln!(
                "error: the first argument is a number of puzzles per list, the others are lists"
            );
            std::process::exit(2);
        }
    };
    let shared = LISTS.map(|(title, file)| {
        (
            title.to_string(),
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(file),
        )
    });
    let named: Vec<(String, PathBuf)> =
        std::env::args().skip(2).map(|file| (file.clone(), file.into())).collect();
    let lists: Vec<(String, Vec<Puzzle>)> = if named.is_empty() { shared.to_vec() } else { named }
        .into_iter()
        .filter_map(|(title, file)| Some((title, read(&file, wanted)?)))
        .map(|(title, grids)| (title, grids.into_iter().map(Puzzle::ask).collect()))
        .collect();
    for (asking, title) in [
        (Asking::AfterEveryRun, "A hint after every run, as in the paper"),
        (Asking::WhenStuck, "A hint only when a run fills no cell"),
    ] {
        print_choices(title, asking, &lists);
    }
    print_savings(&lists);
    print_co_processor(&lists);
    print_dynamics(&lists);
}

/// A puzzle with a co-processor that has been asked already.
struct Puzzle {
    grid: Grid,
    co_processor: CoProcessor,
    /// Processor time, which a busy machine does not lengthen much. The fast solver's share of it is too small to see.
    astar_time: Duration,
    astar_nodes: u64,
    astar_gave_up: bool,
}

impl Puzzle {
    fn ask(grid: Grid) -> Puzzle {
        let mut co_processor = CoProcessor::new(&grid, Config::paper().astar_nodes);
        let started = ThreadTime::now();
        let questions = co_processor.ask(&Limits::none());
        let astar_time = started.elapsed();
        let (astar_nodes, astar_gave_up) = (questions[0].effort.nodes, questions.len() > 1);
        Puzzle { grid, co_processor, astar_time, astar_nodes, astar_gave_up }
    }

    /// Hints and runs.
    fn solve(&self, config: &Config) -> (usize, usize) {
        let trace = solve_with(&mut self.co_processor.clone(), config, &Limits::none());
        assert!(matches!(trace.outcome, Outcome::Solved(_)), "{}: {:?}", self.grid, trace.outcome);
        (trace.hints(), trace.runs())
    }
}

fn print_choices(title: &str, asking: Asking, lists: &[(String, Vec<Puzzle>)]) {
    println!(
        "{title}: hints / network runs per puzzle, and the share of puzzles solved without a hint.\n"
    );
    print!("| list | puzzles | without a hint |");
    Choice::ALL.iter().for_each(|choice| print!(" {} |", choice.name()));
    println!("\n|---|---:|---:|{}", "---:|".repeat(Choice::ALL.len()));
    for (name, puzzles) in lists {
        let mut cells = String::new();
        let mut without = 0;
        for choice in Choice::ALL {
            let results = hints_and_runs(puzzles, choice, asking);
            without = results.iter().filter(|(hints, _)| *hints == 0).count();
            let hints = mean(results.iter().map(|(hints, _)| *hints as f64));
            let runs = mean(results.iter().map(|(_, runs)| *runs as f64));
            cells += &format!(" {hints:.2} / {runs:.2} |");
        }
        println!("| {name} | {} | {} |{cells}", puzzles.len(), percent(without, puzzles.len()));
    }
    println!();
}

/// How many hints the paper's rule saves, puzzle by puzzle, with the standard error of the mean.
fn print_savings(lists: &[(String, Vec<Puzzle>)]) {
    println!(
        "Hints that the commonality index saves per puzzle, ± one standard error; below 0 it costs hints.\n"
    );
    println!(
        "| list | asking | against random draw | against fewest values |\n|---|---|---:|---:|"
    );
    for (name, puzzles) in lists {
        for (asking, when) in
            [(Asking::AfterEveryRun, "after every run"), (Asking::WhenStuck, "when stuck")]
        {
            let hints = |choice| {
                hints_and_runs(puzzles, choice, asking).into_iter().map(|(hints, _)| hints as f64)
            };
            let saved = |other| {
                let saved: Vec<f64> =
                    hints(other).zip(hints(Choice::Commonality)).map(|(a, b)| a - b).collect();
                format!("{:+.2} ± {:.2}", mean(saved.iter().copied()), standard_error(&saved))
            };
            println!(
                "| {name} | {when} | {} | {} |",
                saved(Choice::Random),
                saved(Choice::FewestValues)
            );
        }
    }
    println!();
}

fn hints_and_runs(puzzles: &[Puzzle], choice: Choice, asking: Asking) -> Vec<(usize, usize)> {
    let config = |seed| Config { choice, asking, seed, ..Config::paper() };
    (0..).zip(puzzles).map(|(seed, puzzle)| puzzle.solve(&config(seed))).collect()
}

fn print_co_processor(lists: &[(String, Vec<Puzzle>)]) {
    println!(
        "A*, which proves that there is no second solution, with {} boards at most; processor time.\n",
        Config::paper().astar_nodes
    );
    println!(
        "| list | mean boards | mean ms | median ms | longest ms | gave up |\n|---|---:|---:|---:|---:|---:|"
    );
    for (name, puzzles) in lists {
        let mut millis: Vec<f64> =
            puzzles.iter().map(|puzzle| puzzle.astar_time.as_secs_f64() * 1e3).collect();
        millis.sort_by(f64::total_cmp);
        println!(
            "| {name} | {:.0} | {:.2} | {:.2} | {:.1} | {} |",
            mean(puzzles.iter().map(|puzzle| puzzle.astar_nodes as f64)),
            mean(millis.iter().copied()),
            millis[millis.len() / 2],
            millis[millis.len() - 1],
            percent(puzzles.iter().filter(|puzzle| puzzle.astar_gave_up).count(), puzzles.len()),
        );
    }
    println!();
}

fn print_dynamics(lists: &[(String, Vec<Puzzle>)]) {
    println!(
        "A real Hopfield network in its place: one puzzle of {PUZZLES_PER_DYNAMICS}, the paper's choice of the cell.\n"
    );
    println!(
        "| list | puzzles | energy at rest, first run | without a hint | hints | empty cells |"
    );
    println!("|---|---:|---:|---:|---:|---:|");
    for (name, puzzles) in lists {
        let some: Vec<&Puzzle> = puzzles.iter().step_by(PUZZLES_PER_DYNAMICS).collect();
        let config = Config { kind: Kind::Dynamics, ..Config::paper() };
        let hints: Vec<usize> = some.iter().map(|puzzle| puzzle.solve(&config).0).collect();
        let energies = some.iter().map(|puzzle| {
            let mut dynamics = Dynamics::silent(&puzzle.grid, config.seed);
            dynamics.settle();
            dynamics.energy() as f64
        });
        println!(
            "| {name} | {} | {:.1} | {} | {:.2} | {:.1} |",
            some.len(),
            mean(energies),
            percent(hints.iter().filter(|&&hints| hints == 0).count(), hints.len()),
            mean(hints.iter().map(|&hints| hints as f64)),
            mean(some.iter().map(|puzzle| puzzle.grid.empty_cells().count() as f64)),
        );
    }
}

/// This many puzzles of a list, evenly spread; nothing if the list is not there.
fn read(file: &Path, wanted: usize) -> Option<Vec<Grid>> {
    let Ok(bytes) = std::fs::read(file) else {
        eprintln!("skipped: {} is absent", file.display());
        return None;
    };
    let mut text = String::new();
    match file.extension().is_some_and(|ending| ending == "gz") {
        true => GzDecoder::new(&bytes[..]).read_to_string(&mut text).expect("a gzip file of text"),
        false => (&bytes[..]).read_to_string(&mut text).expect("a file of text"),
    };
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    let count = lines.len().min(wanted);
    Some((0..count).map(|n| lines[n * lines.len() / count].parse().expect("a puzzle")).collect())
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = values.fold((0, 0.0), |(count, sum), value| (count + 1, sum + value));
    if count == 0 { 0.0 } else { sum / f64::from(count) }
}

fn standard_error(values: &[f64]) -> f64 {
    let centre = mean(values.iter().copied());
    let variance = mean(values.iter().map(|value| (value - centre).powi(2)));
    (variance / values.len() as f64).sqrt()
}

fn percent(part: usize, whole: usize) -> String {
    if whole == 0 {
        "–".to_string()
    } else {
        format!("{:.1} %", 100.0 * part as f64 / whole as f64)
    }
}
