//! `ninefold evaluate kaleidoscope`: measures the network with one start, with several starts, and
//! with search.
//!
//! The network stops when its grid obeys the rules, so solved puzzles are verified without knowing
//! the solution. Search solves the remaining puzzles and orders its branches by the probabilities
//! of the network. For comparison, the same search without a network solves all puzzles.

use super::{Args, SolvedLists, grid_of, read};
use crate::console::outln;
use crate::error::CliError;
use crate::verdict::Verdict;
use crate::{humanize, stream, train};
use ninefold::grid::Grid;
use ninefold::hybrid;
use ninefold::search::guided::Guided;
use ninefold::search::{self, Limits, Solver};
use ninefold_neural::models::kaleidoscope::{BatchSolver, Budget, Prediction};
use ninefold_neural::registry::{self, Weights};
use ninefold_neural::training::data::{Examples, VariantExamples};
use ninefold_neural::training::stop::Stop;
use serde::Serialize;
use std::path::Path;
use std::time::Instant;

pub fn is_for(name: &str) -> bool {
    name == "kaleidoscope"
}

/// The result for a list.
#[derive(Serialize)]
struct Measurement<'a> {
    list: &'a str,
    puzzles: usize,
    iterations: usize,
    starts: usize,
    /// Puzzles solved from the first start, from any start, and with search.
    one_start: usize,
    several_starts: usize,
    with_search: usize,
    /// The same as shares of all puzzles.
    share_one_start: f64,
    share_several_starts: f64,
    /// The mean number of iterations over all starts, for puzzles that the network solved.
    iterations_per_solution: f64,
    puzzles_per_second: f64,
    /// Search nodes for the puzzles that the network did not solve, and for all puzzles without a
    /// network.
    nodes: u64,
    nodes_without_network: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(rename = "marked")]
    at_iterations: Option<IterationCounts>,
}

/// The puzzles that are solved after exact numbers of iterations from one start.
#[derive(Serialize)]
struct IterationCounts {
    iterations: Vec<usize>,
    /// The number of solved puzzles after each number of iterations.
    right: Vec<usize>,
    /// The same as shares of all puzzles.
    share_right: Vec<f64>,
    /// The number of puzzles that were solved and are not solved later.
    lost: usize,
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    if args.check_kernels {
        return check_kernels();
    }
    let weights = args.weights.as_deref().map_or(Weights::Shipped, Weights::File);
    let (solver, loaded) = registry::load_kaleidoscope(weights, args.device)
        .map_err(|error| train::model_error(&error))?;
    let budget =
        Budget { iterations: args.iterations.unwrap_or(256), starts: args.starts.unwrap_or(8) };
    let solver = solver.with_budget(budget);
    let mut lists: Vec<(String, List)> = Vec::new();
    for path in &args.lists {
        lists.push((path.display().to_string(), List::read(path)?));
    }
    let has_variants = lists.iter().any(|(_, list)| matches!(list, List::Variants(_)));
    if has_variants {
        check_variants(args, &solver)?;
    }
    if lists.is_empty() {
        let own = loaded
            .own_test_set(stream::all_cores())
            .map_err(|error| CliError::new(error.to_string()))?;
        lists.push(("own test set".to_string(), List::Classic(own)));
    }
    if !args.json {
        outln!(
            "puzzles  one start  any of {:<2}  with search  iterations  per second  nodes  alone  list",
            budget.starts
        );
    }
    let mut verdict = Verdict::Yes;
    let mut solved_lists = SolvedLists::new(args);
    for (name, list) in lists {
        let examples = match list {
            List::Classic(examples) => examples,
            List::Variants(examples) => {
                let examples = args.limit.map_or(examples.clone(), |limit| examples.first(limit));
                let measured = measure_variants(&solver, budget, &name, &examples);
                verdict = verdict.max(measured.verdict());
                outln!("{}", if args.json { measured.json() } else { measured.line() });
                continue;
            }
        };
        let examples = args.limit.map_or(examples.clone(), |limit| examples.first(limit));
        let solver = solver.for_size(examples.order());
        let (measured, solved) = measure(&solver, budget, &name, &examples);
        let measured = Measurement {
            at_iterations: count_at_iterations(&solver, &args.at_iterations, &examples),
            ..measured
        };
        solved_lists.add(&examples, |index| solved[index]);
        verdict = verdict.max(measured.verdict());
        outln!("{}", if args.json { measured.json() } else { measured.line() });
    }
    solved_lists.write()?;
    Ok(verdict)
}

/// Compares every GPU kernel with the CPU implementation, for the shipped configurations, a narrow
/// one and a wide one.
#[cfg(feature = "cuda")]
fn check_kernels() -> Result<Verdict, CliError> {
    use ninefold_neural::models::kaleidoscope::{Config, compare_with_cpu};
    crate::gpu::check(ninefold_neural::device::Device::Gpu)?;
    let mut verdict = Verdict::Yes;
    let narrow = Config { width: 48, ..Config::default() };
    let wide = Config { width: 96, heads: 6, ..Config::default() };
    let rules = Config { rules: true, ..Config::default() };
    for config in [Config::default(), rules, narrow, wide] {
        for deviation in compare_with_cpu(&config) {
            verdict = verdict.max(if deviation.is_wrong() { Verdict::No } else { Verdict::Yes });
            let mark = if deviation.is_wrong() { "wrong " } else { "" };
            outln!(
                "{:>9.5} %  {mark}{}, width {}",
                100.0 * deviation.share,
                deviation.what,
                config.width
            );
        }
    }
    Ok(verdict)
}

#[cfg(not(feature = "cuda"))]
fn check_kernels() -> Result<Verdict, CliError> {
    Err(CliError::new(ninefold_neural::device::GpuError::NotBuilt.to_string()))
}

/// A list of puzzles.
enum List {
    /// Classic puzzles of one size.
    Classic(Examples),
    /// Puzzles with any rules and of any size.
    Variants(VariantExamples),
}

impl List {
    /// Reads a list. The first puzzle determines whether it contains variants, and the size of
    /// classic puzzles.
    fn read(path: &Path) -> Result<List, CliError> {
        let first = first_puzzle(path)?;
        if first.rules().is_none() {
            return read(path, first.order()).map(List::Classic);
        }
        VariantExamples::read_file_until(path, Stop::default())
            .map(List::Variants)
            .map_err(|error| CliError::new(error.to_string()))
    }
}

/// Rejects options and networks that variants do not support.
fn check_variants(args: &Args, solver: &BatchSolver) -> Result<(), CliError> {
    if solver.is_on_gpu() {
        return Err(CliError::new("--device gpu supports classic puzzles only")
            .hint("leave --device out to evaluate variants on the CPU"));
    }
    if !solver.supports_rules() {
        return Err(CliError::new("these weights solve classic puzzles only")
            .hint("leave --weights out, or train a network with `rules = true`"));
    }
    let options = [
        ("--at-iterations", !args.at_iterations.is_empty()),
        ("--write-solved", args.write_solved.is_some()),
        ("--write-unsolved", args.write_unsolved.is_some()),
    ];
    match options.into_iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => Err(CliError::new(format!("{option} supports classic puzzles only"))),
        None => Ok(()),
    }
}

fn first_puzzle(path: &Path) -> Result<Grid, CliError> {
    let failed = |error: std::io::Error| CliError::cannot_read(path.display(), error);
    let file = std::io::BufReader::new(std::fs::File::open(path).map_err(failed)?);
    let first = ninefold_formats::read_any(file, None)
        .ok()
        .and_then(|(_, records)| records.entries().next()?.ok());
    let first = first.map(|entry| entry.puzzle);
    first.ok_or_else(|| CliError::new(format!("{} contains no puzzle", path.display())))
}

/// Measures a list of variants. The nodes are those of the default search.
fn measure_variants<'a>(
    solver: &BatchSolver,
    budget: Budget,
    list: &'a str,
    examples: &VariantExamples,
) -> Measurement<'a> {
    let puzzles: Vec<Grid> = examples.list.iter().map(|example| example.puzzle.clone()).collect();
    let started = Instant::now();
    let predictions = solver.solve_grids(&puzzles);
    let seconds = started.elapsed().as_secs_f64();
    let mut counts = Counts::default();
    let limits = Limits::none().with_time(hybrid::INTERACTIVE_LIMIT);
    for (puzzle, prediction) in puzzles.iter().zip(&predictions) {
        let (solution, effort) = search::default_for(puzzle)
            .first(puzzle, &limits)
            .expect("the default solver supports the puzzle");
        counts.add(prediction, solution.is_some(), effort.nodes, effort.nodes);
    }
    counts.measurement(list, budget, puzzles.len(), seconds)
}

/// Sums over the puzzles of a list.
#[derive(Default)]
struct Counts {
    one_start: usize,
    several_starts: usize,
    with_search: usize,
    iterations: usize,
    nodes: u64,
    nodes_without_network: u64,
}

impl Counts {
    /// Adds a puzzle: its prediction, whether search solves it, and the nodes of that search and of
    /// a search without a network.
    fn add(&mut self, prediction: &Prediction, is_found: bool, nodes: u64, without_network: u64) {
        self.nodes_without_network += without_network;
        if prediction.solved {
            self.one_start += usize::from(prediction.starts == 1);
            self.several_starts += 1;
            self.with_search += 1;
            self.iterations += prediction.iterations;
        } else {
            self.with_search += usize::from(is_found);
            self.nodes += nodes;
        }
    }

    fn measurement(
        self,
        list: &str,
        budget: Budget,
        puzzles: usize,
        seconds: f64,
    ) -> Measurement<'_> {
        Measurement {
            list,
            puzzles,
            iterations: budget.iterations,
            starts: budget.starts,
            one_start: self.one_start,
            several_starts: self.several_starts,
            with_search: self.with_search,
            share_one_start: share(self.one_start, puzzles),
            share_several_starts: share(self.several_starts, puzzles),
            iterations_per_solution: self.iterations as f64 / self.several_starts.max(1) as f64,
            puzzles_per_second: puzzles as f64 / seconds.max(1e-9),
            nodes: self.nodes,
            nodes_without_network: self.nodes_without_network,
            at_iterations: None,
        }
    }
}

/// Measures a list. Also returns which puzzles the network solved.
fn measure<'a>(
    solver: &BatchSolver,
    budget: Budget,
    list: &'a str,
    examples: &Examples,
) -> (Measurement<'a>, Vec<bool>) {
    let puzzles: Vec<&[u8]> = (0..examples.len()).map(|index| examples.puzzle(index)).collect();
    let started = Instant::now();
    let predictions = solver.solve_without_probabilities(&puzzles);
    let seconds = started.elapsed().as_secs_f64();
    let limits = Limits::none().with_time(hybrid::INTERACTIVE_LIMIT);
    let mut counts = Counts::default();
    let uniform = vec![0.0; examples.order().cell_count() * examples.order().side()];
    for (index, prediction) in predictions.iter().enumerate() {
        let puzzle = grid_of(examples, index);
        let without_network = guided_search(&puzzle, &uniform, &limits).1;
        let (is_found, nodes) = match prediction.solved {
            true => (true, 0),
            false => guided_search(&puzzle, &prediction.log_probabilities, &limits),
        };
        counts.add(prediction, is_found, nodes, without_network);
    }
    let measured = counts.measurement(list, budget, examples.len(), seconds);
    (measured, predictions.iter().map(|prediction| prediction.solved).collect())
}

/// Counts solved puzzles after exact numbers of iterations, for `--at-iterations`.
fn count_at_iterations(
    solver: &BatchSolver,
    iterations: &[usize],
    examples: &Examples,
) -> Option<IterationCounts> {
    let mut iterations = iterations.to_vec();
    iterations.sort_unstable();
    iterations.dedup();
    if iterations.is_empty() {
        return None;
    }
    let right = solver.correct_after(examples, &iterations);
    let is_lost = |index: &usize| right.windows(2).any(|pair| pair[0][*index] && !pair[1][*index]);
    let lost = (0..examples.len()).filter(is_lost).count();
    let count = |right: &Vec<bool>| right.iter().filter(|right| **right).count();
    let right: Vec<usize> = right.iter().map(count).collect();
    let share_right = right.iter().map(|&right| share(right, examples.len())).collect();
    Some(IterationCounts { right, share_right, iterations, lost })
}

fn share(part: usize, all: usize) -> f64 {
    part as f64 / all.max(1) as f64
}

/// Returns whether a guided search finds a solution, and the number of nodes.
fn guided_search(puzzle: &Grid, likelihoods: &[f32], limits: &Limits<'_>) -> (bool, u64) {
    let guided = Guided::new(puzzle.order(), likelihoods);
    let (solution, effort) =
        guided.first(puzzle, limits).expect("the solver was created for this size");
    (solution.is_some(), effort.nodes)
}

impl Measurement<'_> {
    fn verdict(&self) -> Verdict {
        if self.with_search < self.puzzles { Verdict::No } else { Verdict::Yes }
    }

    fn line(&self) -> String {
        let share = |count: usize| 100.0 * count as f64 / self.puzzles.max(1) as f64;
        let at_iterations = self.at_iterations.as_ref().map_or(String::new(), |counts| {
            let right = counts.iterations.iter().zip(&counts.right);
            let right =
                right.map(|(iterations, &right)| format!("{iterations}: {:.3} %", share(right)));
            format!(
                "\n         solved after {}; lost {}",
                right.collect::<Vec<String>>().join(", "),
                counts.lost
            )
        });
        format!(
            "{:>7}  {:>7.3} %  {:>7.3} %  {:>9.3} %  {:>10.2}  {:>10.1}  {:>5}  {:>5}  {}{at_iterations}",
            humanize::thousands(self.puzzles as u64),
            share(self.one_start),
            share(self.several_starts),
            share(self.with_search),
            self.iterations_per_solution,
            self.puzzles_per_second,
            self.nodes,
            self.nodes_without_network,
            self.list
        )
    }

    fn json(&self) -> String {
        serde_json::to_string(self).expect("a result can be written as JSON")
    }
}
