//! `ninefold evaluate kaleidoscope`: what one start finds, what several starts find, and what is left for a search.
//!
//! Nobody tells the network the solution: it stops when its grid keeps the rules. So "one start" and "several starts" are
//! verified answers, and the search begins where the network knows that it has none. Its branches are ordered by the network's
//! probabilities; beside it stands the same search for all puzzles, without a network.

use super::{Options, Sorted, grid_of, read};
use crate::console::tell;
use crate::error::CliError;
use crate::verdict::Verdict;
use crate::{stream, train, words};
use neural::models::kaleidoscope::{Patience, Thinker};
use neural::registry::{self, Weights};
use neural::training::data::Examples;
use ninefold::grid::Grid;
use ninefold::hybrid;
use ninefold::search::guided::Guided;
use ninefold::search::{Limits, Solver};
use serde::Serialize;
use std::path::Path;
use std::time::Instant;

/// Is this the model that is measured here?
pub fn is_for(name: &str) -> bool {
    name == "kaleidoscope"
}

/// What came of a list.
#[derive(Serialize)]
struct Measured<'a> {
    list: &'a str,
    puzzles: usize,
    iterations: usize,
    starts: usize,
    /// Puzzles solved from the first start, from any of them, and with the search.
    one_start: usize,
    several_starts: usize,
    with_search: usize,
    /// Iterations from all starts for each puzzle that the network solved.
    iterations_per_solution: f64,
    puzzles_per_second: f64,
    /// Nodes of the search for what the network left, and of the same search without a network for all puzzles.
    nodes: u64,
    nodes_without_network: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    marked: Option<Marked>,
}

/// What one start has after exactly so many iterations.
#[derive(Serialize)]
struct Marked {
    iterations: Vec<usize>,
    /// Puzzles that are right after each of them.
    right: Vec<usize>,
    /// Puzzles that were right and are not any more after a later one.
    lost: usize,
}

/// Measures, and prints a table.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    if options.kernels {
        return kernels();
    }
    let weights = options.weights.as_deref().map_or(Weights::Shipped, Weights::File);
    let (thinker, loaded) = registry::load_thinker(weights, options.device)
        .map_err(|error| train::explained(&error))?;
    let patience = Patience { iterations: options.iterations, starts: options.starts };
    let thinker = thinker.with_patience(patience);
    let mut lists: Vec<(String, Examples)> = Vec::new();
    for path in &options.lists {
        lists.push((path.display().to_string(), examples_of(path)?));
    }
    if lists.is_empty() {
        let own = loaded
            .own_test_set(stream::all_cores())
            .map_err(|error| CliError::new(error.to_string()))?;
        lists.push(("own test set".to_string(), own));
    }
    if !options.json {
        tell!(
            "puzzles  one start  any of {:<2}  with search  iterations  per second  nodes  alone  list",
            options.starts
        );
    }
    let mut verdict = Verdict::Yes;
    let mut sorted = Sorted::new(options);
    for (name, examples) in &lists {
        let examples = options.limit.map_or(examples.clone(), |limit| examples.first(limit));
        let thinker = thinker.for_size(examples.order());
        let (measured, solved) = measure(&thinker, patience, name, &examples);
        let measured = Measured { marked: mark(&thinker, &options.marks, &examples), ..measured };
        sorted.add(&examples, |index| solved[index]);
        verdict = verdict.max(if measured.with_search < measured.puzzles {
            Verdict::No
        } else {
            Verdict::Yes
        });
        tell!("{}", if options.json { measured.json() } else { measured.line() });
    }
    sorted.write()?;
    Ok(verdict)
}

/// Every kernel of the graphics card beside the loops of the processor, with a network of the shipped shape, a narrow one and a wide one.
#[cfg(feature = "cuda")]
fn kernels() -> Result<Verdict, CliError> {
    use neural::models::kaleidoscope::{Config, deviations};
    neural::device::Device::Gpu.check().map_err(|error| CliError::new(error.to_string()))?;
    let mut verdict = Verdict::Yes;
    let narrow = Config { width: 48, ..Config::default() };
    let wide = Config { width: 96, heads: 6, ..Config::default() };
    for config in [Config::default(), narrow, wide] {
        for deviation in deviations(&config) {
            verdict = verdict.max(if deviation.is_wrong() { Verdict::No } else { Verdict::Yes });
            let mark = if deviation.is_wrong() { "wrong " } else { "" };
            tell!(
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
fn kernels() -> Result<Verdict, CliError> {
    Err(CliError::new(neural::device::NoGpu::NotBuilt.to_string()))
}

/// A list of puzzles of whatever size the first of them has.
fn examples_of(path: &Path) -> Result<Examples, CliError> {
    let failed = |error: std::io::Error| {
        CliError::new(format!("{} cannot be read: {error}", path.display()))
    };
    let file = std::io::BufReader::new(std::fs::File::open(path).map_err(failed)?);
    let first =
        formats::read_any(file, None).ok().and_then(|(_, records)| records.entries().next()?.ok());
    let order = first.map(|entry| entry.puzzle.order());
    read(path, order.ok_or_else(|| CliError::new(format!("{} holds no puzzle", path.display())))?)
}

/// What came of a list, and which of its puzzles the network solved.
fn measure<'a>(
    thinker: &Thinker,
    patience: Patience,
    list: &'a str,
    examples: &Examples,
) -> (Measured<'a>, Vec<bool>) {
    let puzzles: Vec<&[u8]> = (0..examples.len()).map(|index| examples.puzzle(index)).collect();
    let started = Instant::now();
    let thoughts = thinker.answer(&puzzles);
    let seconds = started.elapsed().as_secs_f64();
    let solved = || thoughts.iter().filter(|thought| thought.solved);
    let several_starts = solved().count();
    let iterations: usize = solved().map(|thought| thought.iterations).sum();
    let limits = Limits::time(hybrid::INTERACTIVE_LIMIT);
    let (mut with_search, mut nodes, mut nodes_without_network) = (several_starts, 0, 0);
    let knows_nothing = vec![0.0; examples.order().cell_count() * examples.order().side()];
    for (index, thought) in thoughts.iter().enumerate() {
        let puzzle = grid_of(examples, index);
        nodes_without_network += search(&puzzle, &knows_nothing, &limits).1;
        if !thought.solved {
            let (found, visited) = search(&puzzle, &thought.log_probabilities, &limits);
            nodes += visited;
            with_search += usize::from(found);
        }
    }
    let measured = Measured {
        list,
        puzzles: examples.len(),
        iterations: patience.iterations,
        starts: patience.starts,
        one_start: solved().filter(|thought| thought.starts == 1).count(),
        several_starts,
        with_search,
        iterations_per_solution: iterations as f64 / several_starts.max(1) as f64,
        puzzles_per_second: examples.len() as f64 / seconds.max(1e-9),
        nodes,
        nodes_without_network,
        marked: None,
    };
    (measured, thoughts.iter().map(|thought| thought.solved).collect())
}

/// Looks after exactly so many iterations, if that is wanted.
fn mark(thinker: &Thinker, iterations: &[usize], examples: &Examples) -> Option<Marked> {
    let mut iterations = iterations.to_vec();
    iterations.sort_unstable();
    iterations.dedup();
    if iterations.is_empty() {
        return None;
    }
    let right = thinker.right_after(examples, &iterations);
    let is_lost = |index: &usize| right.windows(2).any(|pair| pair[0][*index] && !pair[1][*index]);
    let lost = (0..examples.len()).filter(is_lost).count();
    let count = |right: &Vec<bool>| right.iter().filter(|right| **right).count();
    Some(Marked { right: right.iter().map(count).collect(), iterations, lost })
}

/// Does the search find a solution, and with how many nodes?
fn search(puzzle: &Grid, likelihoods: &[f32], limits: &Limits<'_>) -> (bool, u64) {
    let guided = Guided::new(puzzle.order(), likelihoods);
    let (solution, effort) = guided.first(puzzle, limits).expect("it is made for this size");
    (solution.is_some(), effort.nodes)
}

impl Measured<'_> {
    fn line(&self) -> String {
        let share = |count: usize| 100.0 * count as f64 / self.puzzles.max(1) as f64;
        let marked = self.marked.as_ref().map_or(String::new(), |marked| {
            let right = marked.iterations.iter().zip(&marked.right);
            let right =
                right.map(|(iterations, &right)| format!("{iterations}: {:.3} %", share(right)));
            format!(
                "\n         right after {}; lost {}",
                right.collect::<Vec<String>>().join(", "),
                marked.lost
            )
        });
        format!(
            "{:>7}  {:>7.3} %  {:>7.3} %  {:>9.3} %  {:>10.2}  {:>10.1}  {:>5}  {:>5}  {}{marked}",
            words::thousands(self.puzzles as u64),
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
        serde_json::to_string(self).expect("words and numbers can be written as JSON")
    }
}
