//! Evaluates the commonality rule of Sharaf, Marathe and Nguyen: hints and network runs per puzzle
//! for each rule that selects the cell.
//!
//! ```text
//! cargo run --release -p ninefold-neural --example hopfield_table -- [PUZZLES PER LIST] [LIST]...
//! ```
//!
//! It reads evenly spaced puzzles of each list (default: 1,000) and prints Markdown tables. The
//! default lists are those of `../shared/data`. A hint is a digit that a conventional solver, the
//! paper's co-processor, gives to the stuck network. The solver finds the solution once per puzzle;
//! all rules use it.

use cpu_time::ThreadTime;
use flate2::read::GzDecoder;
use ninefold::grid::Grid;
use ninefold::search::Limits;
use ninefold_neural::models::hopfield::dynamics::Dynamics;
use ninefold_neural::models::hopfield::{
    Choice, CoProcessor, Config, HintPolicy, Kind, Outcome, solve_with,
};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Titles and files of the default lists.
const LISTS: [(&str, &str); 7] = [
    ("Kaggle, easy", "kaggle_easy_10000.txt"),
    ("generated, minimal", "random_minimal_generated.txt.gz"),
    ("17 clues", "sudoku_17_clue.txt.gz"),
    ("magictour", "magictour_top1465.txt"),
    ("hardest, rated 11+", "forum_hardest_1905_er11plus.txt.gz"),
    ("hardest of 2011", "forum_hardest_1106.txt"),
    ("16×16, easy", "sudoku_16x16_easy.txt"),
];

/// Runs of the real Hopfield network are long, so it solves one of this many puzzles.
const PUZZLES_PER_DYNAMICS: usize = 10;

fn main() {
    let count = match std::env::args().nth(1).map(|text| text.parse()) {
        None => 1_000,
        Some(Ok(count)) => count,
        Some(Err(_)) => {
            eprintln!("error: expected the number of puzzles per list as the first argument");
            std::process::exit(2);
        }
    };
    let shared = LISTS.map(|(title, file)| {
        (
            title.to_string(),
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(file),
        )
    });
    let from_args: Vec<(String, PathBuf)> =
        std::env::args().skip(2).map(|file| (file.clone(), file.into())).collect();
    let lists: Vec<(String, Vec<Puzzle>)> =
        if from_args.is_empty() { shared.to_vec() } else { from_args }
            .into_iter()
            .filter_map(|(title, file)| Some((title, read(&file, count)?)))
            .map(|(title, grids)| (title, grids.into_iter().map(Puzzle::search).collect()))
            .collect();
    for (hint_policy, title) in [
        (HintPolicy::AfterEveryRun, "A hint after every run, as in the paper"),
        (HintPolicy::WhenStuck, "A hint only when a run fills no cell"),
    ] {
        print_choices(title, hint_policy, &lists);
    }
    print_savings(&lists);
    print_co_processor(&lists);
    print_dynamics(&lists);
}

/// A puzzle with a coprocessor that has finished its search.
struct Puzzle {
    grid: Grid,
    co_processor: CoProcessor,
    /// CPU time, which depends little on the load of the machine. It includes the negligible time
    /// of the fast solver.
    astar_time: Duration,
    astar_nodes: u64,
    astar_gave_up: bool,
}

impl Puzzle {
    fn search(grid: Grid) -> Puzzle {
        let mut co_processor = CoProcessor::new(&grid, Config::paper().astar_nodes);
        let started = ThreadTime::now();
        let searches = co_processor.search_once(&Limits::none());
        let astar_time = started.elapsed();
        let (astar_nodes, astar_gave_up) = (searches[0].effort.nodes, searches.len() > 1);
        Puzzle { grid, co_processor, astar_time, astar_nodes, astar_gave_up }
    }

    /// Returns the numbers of hints and of runs.
    fn solve(&self, config: &Config) -> (usize, usize) {
        let trace = solve_with(&mut self.co_processor.clone(), config, &Limits::none());
        assert!(matches!(trace.outcome, Outcome::Solved(_)), "{}: {:?}", self.grid, trace.outcome);
        (trace.hints(), trace.runs())
    }
}

fn print_choices(title: &str, hint_policy: HintPolicy, lists: &[(String, Vec<Puzzle>)]) {
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
            let results = hints_and_runs(puzzles, choice, hint_policy);
            without = results.iter().filter(|(hints, _)| *hints == 0).count();
            let hints = mean(results.iter().map(|(hints, _)| *hints as f64));
            let runs = mean(results.iter().map(|(_, runs)| *runs as f64));
            cells += &format!(" {hints:.2} / {runs:.2} |");
        }
        println!("| {name} | {} | {} |{cells}", puzzles.len(), percent(without, puzzles.len()));
    }
    println!();
}

/// Prints the mean number of hints that the paper's rule saves per puzzle, with its standard error.
fn print_savings(lists: &[(String, Vec<Puzzle>)]) {
    println!(
        "Hints that the commonality index saves per puzzle, ± one standard error; below 0 it costs hints.\n"
    );
    println!("| list | hints | against random draw | against fewest values |\n|---|---|---:|---:|");
    for (name, puzzles) in lists {
        for (hint_policy, when) in
            [(HintPolicy::AfterEveryRun, "after every run"), (HintPolicy::WhenStuck, "when stuck")]
        {
            let hints = |choice| {
                hints_and_runs(puzzles, choice, hint_policy)
                    .into_iter()
                    .map(|(hints, _)| hints as f64)
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

fn hints_and_runs(
    puzzles: &[Puzzle],
    choice: Choice,
    hint_policy: HintPolicy,
) -> Vec<(usize, usize)> {
    let config = |seed| Config { choice, hint_policy, seed, ..Config::paper() };
    (0..).zip(puzzles).map(|(seed, puzzle)| puzzle.solve(&config(seed))).collect()
}

fn print_co_processor(lists: &[(String, Vec<Puzzle>)]) {
    println!(
        "A* search for a second solution, limited to {} boards; CPU time.\n",
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
        "A real Hopfield network: one of {PUZZLES_PER_DYNAMICS} puzzles, the cell is selected as in the paper.\n"
    );
    println!(
        "| list | puzzles | final energy of the first run | without a hint | hints | empty cells |"
    );
    println!("|---|---:|---:|---:|---:|---:|");
    for (name, puzzles) in lists {
        let sample: Vec<&Puzzle> = puzzles.iter().step_by(PUZZLES_PER_DYNAMICS).collect();
        let config = Config { kind: Kind::Dynamics, ..Config::paper() };
        let hints: Vec<usize> = sample.iter().map(|puzzle| puzzle.solve(&config).0).collect();
        let energies = sample.iter().map(|puzzle| {
            let mut dynamics = Dynamics::new(&puzzle.grid, config.seed);
            dynamics.settle();
            dynamics.energy() as f64
        });
        println!(
            "| {name} | {} | {:.1} | {} | {:.2} | {:.1} |",
            sample.len(),
            mean(energies),
            percent(hints.iter().filter(|&&hints| hints == 0).count(), hints.len()),
            mean(hints.iter().map(|&hints| hints as f64)),
            mean(sample.iter().map(|puzzle| puzzle.grid.empty_cells().count() as f64)),
        );
    }
}

/// Reads up to `count` evenly spaced puzzles of a list; returns `None` if it does not exist.
fn read(file: &Path, count: usize) -> Option<Vec<Grid>> {
    let Ok(bytes) = std::fs::read(file) else {
        eprintln!("skipped: cannot read {}", file.display());
        return None;
    };
    let mut text = String::new();
    match file.extension().is_some_and(|ending| ending == "gz") {
        true => GzDecoder::new(&bytes[..])
            .read_to_string(&mut text)
            .expect("not a gzip file with UTF-8 text"),
        false => (&bytes[..]).read_to_string(&mut text).expect("not UTF-8 text"),
    };
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    let count = lines.len().min(count);
    Some(
        (0..count)
            .map(|n| lines[n * lines.len() / count].parse().expect("invalid puzzle"))
            .collect(),
    )
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

fn percent(part: usize, total: usize) -> String {
    if total == 0 {
        "–".to_string()
    } else {
        format!("{:.1} %", 100.0 * part as f64 / total as f64)
    }
}
