//! `ninefold lab hopfield-hints`: evaluates the commonality rule of Sharaf, Marathe and Nguyen.

use crate::console::outln;
use crate::error::CliError;
use crate::input::Puzzles;
use crate::verdict::Verdict;
use cpu_time::ThreadTime;
use ninefold::grid::Grid;
use ninefold::search::Limits;
use ninefold_neural::models::hopfield::dynamics::Dynamics;
use ninefold_neural::models::hopfield::{
    Choice, CoProcessor, Config, HintPolicy, Kind, Outcome, solve_with,
};
use ninefold_neural::training::parallel;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Count the hints that the Hopfield network of Sharaf et al. needs, by the choice of the cell
///
/// A hint is a digit that a conventional solver, the paper's coprocessor, gives to the stuck
/// network. The tables contain hints and network runs per puzzle for each rule that selects the
/// cell, the hints that the paper's rule saves, the effort of A*, and a real Hopfield network on
/// one of ten puzzles.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Lists of puzzles in any format
    #[arg(required = true, value_name = "LIST")]
    lists: Vec<PathBuf>,

    /// Number of puzzles of each list, evenly spaced
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    limit: usize,

    /// Print a JSON object for each list
    #[arg(long)]
    json: bool,
}

/// Runs of the real Hopfield network are long, so it solves one of this many puzzles.
const PUZZLES_PER_DYNAMICS: usize = 10;

/// When a hint is given, with its name in JSON.
const POLICIES: [(HintPolicy, &str); 2] =
    [(HintPolicy::AfterEveryRun, "after_every_run"), (HintPolicy::WhenStuck, "when_stuck")];

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    let mut lists = Vec::new();
    for path in &args.lists {
        let grids = read(path, args.limit)?;
        let name = path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into());
        lists.push(List { name, puzzles: parallel::map(&grids, Puzzle::search) });
    }
    if args.json {
        lists.iter().for_each(|list| outln!("{}", list.to_json()));
        return Ok(Verdict::Yes);
    }
    for (policy, title) in [
        (HintPolicy::AfterEveryRun, "A hint after every run, as in the paper"),
        (HintPolicy::WhenStuck, "A hint only when a run fills no cell"),
    ] {
        print_choices(title, policy, &lists);
    }
    print_savings(&lists);
    print_co_processor(&lists);
    print_dynamics(&lists);
    Ok(Verdict::Yes)
}

/// Reads up to `count` evenly spaced puzzles of a list.
fn read(path: &Path, count: usize) -> Result<Vec<Grid>, CliError> {
    let name = path.display().to_string();
    let mut grids = Vec::new();
    for record in Puzzles::from_file(&name, None) {
        let entry = record
            .and_then(|record| record.entry())
            .map_err(|error| error.error.at(&error.place))?;
        grids.push(entry.puzzle);
    }
    if grids.is_empty() {
        return Err(CliError::empty_input());
    }
    let count = grids.len().min(count);
    Ok((0..count).map(|number| grids[number * grids.len() / count].clone()).collect())
}

struct List {
    name: String,
    puzzles: Vec<Puzzle>,
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
    fn search(grid: &Grid) -> Puzzle {
        let mut co_processor = CoProcessor::new(grid, Config::paper().astar_nodes);
        let started = ThreadTime::now();
        let searches = co_processor.search_once(&Limits::none());
        let astar_time = started.elapsed();
        let (astar_nodes, astar_gave_up) = (searches[0].effort.nodes, searches.len() > 1);
        Puzzle { grid: grid.clone(), co_processor, astar_time, astar_nodes, astar_gave_up }
    }

    /// Returns the numbers of hints and of runs.
    fn solve(&self, config: &Config) -> (usize, usize) {
        let trace = solve_with(&mut self.co_processor.clone(), config, &Limits::none());
        assert!(matches!(trace.outcome, Outcome::Solved(_)), "{}: {:?}", self.grid, trace.outcome);
        (trace.hints(), trace.runs())
    }
}

/// Hints and network runs of each puzzle.
struct Counts(Vec<(usize, usize)>);

impl Counts {
    fn hints(&self) -> f64 {
        mean(self.0.iter().map(|(hints, _)| *hints as f64))
    }

    fn runs(&self) -> f64 {
        mean(self.0.iter().map(|(_, runs)| *runs as f64))
    }

    fn without_a_hint(&self) -> usize {
        self.0.iter().filter(|(hints, _)| *hints == 0).count()
    }

    /// The mean number of hints that this saves against the other, with its standard error.
    fn saved_against(&self, other: &Counts) -> (f64, f64) {
        let pairs = self.0.iter().zip(&other.0);
        let saved: Vec<f64> =
            pairs.map(|((own, _), (other, _))| *other as f64 - *own as f64).collect();
        (mean(saved.iter().copied()), standard_error(&saved))
    }
}

/// The effort of A* for a list.
struct CoProcessorCounts {
    boards: f64,
    mean_ms: f64,
    median_ms: f64,
    longest_ms: f64,
    gave_up: usize,
}

/// A real Hopfield network on some puzzles of a list.
struct DynamicsCounts {
    puzzles: usize,
    energy: f64,
    hints: Counts,
    empty_cells: f64,
}

impl List {
    fn counts(&self, choice: Choice, hint_policy: HintPolicy) -> Counts {
        let numbered: Vec<(u64, &Puzzle)> = (0..).zip(&self.puzzles).collect();
        Counts(parallel::map(&numbered, |(seed, puzzle)| {
            puzzle.solve(&Config { choice, hint_policy, seed: *seed, ..Config::paper() })
        }))
    }

    fn co_processor(&self) -> CoProcessorCounts {
        let puzzles = &self.puzzles;
        let mut millis: Vec<f64> =
            puzzles.iter().map(|puzzle| puzzle.astar_time.as_secs_f64() * 1e3).collect();
        millis.sort_by(f64::total_cmp);
        CoProcessorCounts {
            boards: mean(puzzles.iter().map(|puzzle| puzzle.astar_nodes as f64)),
            mean_ms: mean(millis.iter().copied()),
            median_ms: millis[millis.len() / 2],
            longest_ms: millis[millis.len() - 1],
            gave_up: puzzles.iter().filter(|puzzle| puzzle.astar_gave_up).count(),
        }
    }

    fn dynamics(&self) -> DynamicsCounts {
        let sample: Vec<&Puzzle> = self.puzzles.iter().step_by(PUZZLES_PER_DYNAMICS).collect();
        let config = Config { kind: Kind::Dynamics, ..Config::paper() };
        let energies = parallel::map(&sample, |puzzle| {
            let mut dynamics = Dynamics::new(&puzzle.grid, config.seed);
            dynamics.settle();
            dynamics.energy() as f64
        });
        DynamicsCounts {
            puzzles: sample.len(),
            energy: mean(energies.into_iter()),
            hints: Counts(parallel::map(&sample, |puzzle| puzzle.solve(&config))),
            empty_cells: mean(sample.iter().map(|puzzle| puzzle.grid.empty_cells().count() as f64)),
        }
    }

    fn to_json(&self) -> Value {
        let mut value = json!({ "list": self.name, "puzzles": self.puzzles.len() });
        for (policy, name) in POLICIES {
            let paper = self.counts(Choice::Commonality, policy);
            for choice in Choice::ALL {
                let counts = self.counts(choice, policy);
                let (saves, error) = paper.saved_against(&counts);
                value[name][choice.name()] = json!({
                    "hints": counts.hints(), "runs": counts.runs(),
                    "without_a_hint": counts.without_a_hint(),
                    "commonality_saves": saves, "standard_error": error,
                });
            }
        }
        let astar = self.co_processor();
        value["astar"] = json!({
            "boards": astar.boards, "mean_ms": astar.mean_ms, "median_ms": astar.median_ms,
            "longest_ms": astar.longest_ms, "gave_up": astar.gave_up,
        });
        let dynamics = self.dynamics();
        value["dynamics"] = json!({
            "puzzles": dynamics.puzzles, "energy": dynamics.energy,
            "hints": dynamics.hints.hints(), "without_a_hint": dynamics.hints.without_a_hint(),
            "empty_cells": dynamics.empty_cells,
        });
        value
    }
}

fn print_choices(title: &str, hint_policy: HintPolicy, lists: &[List]) {
    outln!(
        "{title}: hints / network runs per puzzle, and the share of puzzles solved without a hint.\n"
    );
    let names: String = Choice::ALL.iter().map(|choice| format!(" {} |", choice.name())).collect();
    outln!("| list | puzzles | without a hint |{names}");
    outln!("|---|---:|---:|{}", "---:|".repeat(Choice::ALL.len()));
    for list in lists {
        let counts = Choice::ALL.map(|choice| list.counts(choice, hint_policy));
        let cells: String = counts
            .iter()
            .map(|counts| format!(" {:.2} / {:.2} |", counts.hints(), counts.runs()))
            .collect();
        // All choices solve the same puzzles without a hint.
        let without = percent(counts[0].without_a_hint(), list.puzzles.len());
        outln!("| {} | {} | {without} |{cells}", list.name, list.puzzles.len());
    }
    outln!("");
}

/// Prints the mean number of hints that the paper's rule saves per puzzle, with its standard error.
fn print_savings(lists: &[List]) {
    outln!(
        "Hints that the commonality index saves per puzzle, ± one standard error; below 0 it costs \
         hints.\n"
    );
    outln!("| list | hints | against random draw | against fewest values |\n|---|---|---:|---:|");
    for list in lists {
        for (policy, name) in POLICIES {
            let paper = list.counts(Choice::Commonality, policy);
            let saved = |other| {
                let (saves, error) = paper.saved_against(&list.counts(other, policy));
                format!("{saves:+.2} ± {error:.2}")
            };
            outln!(
                "| {} | {} | {} | {} |",
                list.name,
                name.replace('_', " "),
                saved(Choice::Random),
                saved(Choice::FewestValues)
            );
        }
    }
    outln!("");
}

fn print_co_processor(lists: &[List]) {
    outln!(
        "A* search for a second solution, limited to {} boards; CPU time.\n",
        Config::paper().astar_nodes
    );
    outln!(
        "| list | mean boards | mean ms | median ms | longest ms | gave up |\n|---|---:|---:|---:|---:|---:|"
    );
    for list in lists {
        let CoProcessorCounts { boards, mean_ms, median_ms, longest_ms, gave_up } =
            list.co_processor();
        let gave_up = percent(gave_up, list.puzzles.len());
        outln!(
            "| {} | {boards:.0} | {mean_ms:.2} | {median_ms:.2} | {longest_ms:.1} | {gave_up} |",
            list.name
        );
    }
    outln!("");
}

fn print_dynamics(lists: &[List]) {
    outln!(
        "A real Hopfield network: one of {PUZZLES_PER_DYNAMICS} puzzles, the cell is selected as in \
         the paper.\n"
    );
    outln!(
        "| list | puzzles | final energy of the first run | without a hint | hints | empty cells |\n\
         |---|---:|---:|---:|---:|---:|"
    );
    for list in lists {
        let DynamicsCounts { puzzles, energy, hints, empty_cells } = list.dynamics();
        outln!(
            "| {} | {puzzles} | {energy:.1} | {} | {:.2} | {empty_cells:.1} |",
            list.name,
            percent(hints.without_a_hint(), puzzles),
            hints.hints()
        );
    }
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
    match total {
        0 => "–".to_string(),
        _ => format!("{:.1} %", 100.0 * part as f64 / total as f64),
    }
}
