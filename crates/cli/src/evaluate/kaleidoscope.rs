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
use ninefold::search::{Limits, Solver};
use ninefold_neural::models::kaleidoscope::{BatchSolver, Budget};
use ninefold_neural::registry::{self, Weights};
use ninefold_neural::training::data::Examples;
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
        Budget { iterations: args.iterations.unwrap_or(64), starts: args.starts.unwrap_or(8) };
    let solver = solver.with_budget(budget);
    let mut lists: Vec<(String, Examples)> = Vec::new();
    for path in &args.lists {
        lists.push((path.display().to_string(), examples_of(path)?));
    }
    if lists.is_empty() {
        let own = loaded
            .own_test_set(stream::all_cores())
            .map_err(|error| CliError::new(error.to_string()))?;
        lists.push(("own test set".to_string(), own));
    }
    if !args.json {
        outln!(
            "puzzles  one start  any of {:<2}  with search  iterations  per second  nodes  alone  list",
            budget.starts
        );
    }
    let mut verdict = Verdict::Yes;
    let mut solved_lists = SolvedLists::new(args);
    for (name, examples) in &lists {
        let examples = args.limit.map_or(examples.clone(), |limit| examples.first(limit));
        let solver = solver.for_size(examples.order());
        let (measured, solved) = measure(&solver, budget, name, &examples);
        let measured = Measurement {
            at_iterations: count_at_iterations(&solver, &args.at_iterations, &examples),
            ..measured
        };
        solved_lists.add(&examples, |index| solved[index]);
        verdict = verdict.max(if measured.with_search < measured.puzzles {
            Verdict::No
        } else {
            Verdict::Yes
        });
        outln!("{}", if args.json { measured.json() } else { measured.line() });
    }
    solved_lists.write()?;
    Ok(verdict)
}

/// Compares every GPU kernel with the CPU implementation, for the shipped configuration, a narrow
/// one and a wide one.
#[cfg(feature = "cuda")]
fn check_kernels() -> Result<Verdict, CliError> {
    use ninefold_neural::models::kaleidoscope::{Config, compare_with_cpu};
    crate::gpu::check(ninefold_neural::device::Device::Gpu)?;
    let mut verdict = Verdict::Yes;
    let narrow = Config { width: 48, ..Config::default() };
    let wide = Config { width: 96, heads: 6, ..Config::default() };
    for config in [Config::default(), narrow, wide] {
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

/// Reads a list. The first puzzle determines the size.
fn examples_of(path: &Path) -> Result<Examples, CliError> {
    let failed = |error: std::io::Error| CliError::cannot_read(path.display(), error);
    let file = std::io::BufReader::new(std::fs::File::open(path).map_err(failed)?);
    let first = ninefold_formats::read_any(file, None)
        .ok()
        .and_then(|(_, records)| records.entries().next()?.ok());
    let order = first.map(|entry| entry.puzzle.order());
    read(
        path,
        order.ok_or_else(|| CliError::new(format!("{} contains no puzzle", path.display())))?,
    )
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
    let solved = || predictions.iter().filter(|prediction| prediction.solved);
    let several_starts = solved().count();
    let iterations: usize = solved().map(|prediction| prediction.iterations).sum();
    let limits = Limits::none().with_time(hybrid::INTERACTIVE_LIMIT);
    let (mut with_search, mut nodes, mut nodes_without_network) = (several_starts, 0, 0);
    let uniform = vec![0.0; examples.order().cell_count() * examples.order().side()];
    for (index, prediction) in predictions.iter().enumerate() {
        let puzzle = grid_of(examples, index);
        nodes_without_network += search(&puzzle, &uniform, &limits).1;
        if !prediction.solved {
            let (found, visited) = search(&puzzle, &prediction.log_probabilities, &limits);
            nodes += visited;
            with_search += usize::from(found);
        }
    }
    let measured = Measurement {
        list,
        puzzles: examples.len(),
        iterations: budget.iterations,
        starts: budget.starts,
        one_start: solved().filter(|prediction| prediction.starts == 1).count(),
        several_starts,
        with_search,
        iterations_per_solution: iterations as f64 / several_starts.max(1) as f64,
        puzzles_per_second: examples.len() as f64 / seconds.max(1e-9),
        nodes,
        nodes_without_network,
        at_iterations: None,
    };
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
    Some(IterationCounts { right: right.iter().map(count).collect(), iterations, lost })
}

/// Returns whether search finds a solution, and the number of nodes.
fn search(puzzle: &Grid, likelihoods: &[f32], limits: &Limits<'_>) -> (bool, u64) {
    let guided = Guided::new(puzzle.order(), likelihoods);
    let (solution, effort) =
        guided.first(puzzle, limits).expect("the solver was created for this size");
    (solution.is_some(), effort.nodes)
}

impl Measurement<'_> {
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
