//! `ninefold evaluate`: how many puzzles does a network fill rightly?

use crate::console::{Console, Total, tell};
use crate::error::CliError;
use crate::output::write_file;
use crate::verdict::Verdict;
use crate::{models, stream, train, words};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use neural::device::Device;
use neural::inference::decoding::{Decoding, NetworkProposer};
use neural::inference::evaluate::{self, Score};
use neural::inference::predictor::Predictor;
use neural::registry::Weights;
use neural::training::data::Examples;
use ninefold::grid::{Grid, Order};
use ninefold::hybrid::{self, Finder};
use ninefold::search::{self, Limits};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

mod kaleidoscope;
mod rem;

/// Measure a network on lists of puzzles
///
/// The network works alone: nothing checks or repairs what it fills in. A puzzle counts as solved if every cell is
/// filled and no rule is broken. With --repair the rules check the network and a search solves what it got wrong.
#[derive(Args, Debug)]
pub struct Options {
    /// The model; `ninefold models` lists them
    #[arg(value_name = "NAME", hide_possible_values = true, value_parser = models::names())]
    name: String,

    /// Its weights: a file of `ninefold train` [default: those that come with ninefold]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    /// Lists of puzzles in any format; without any, the test set of the run that made the weights
    #[arg(value_name = "LIST")]
    lists: Vec<PathBuf>,

    /// How to fill: at-once, cell-by-cell or both [default: as the network does; `ninefold models` says how]
    #[arg(long, value_name = "WAY", value_enum, hide_possible_values = true)]
    way: Option<Ways>,

    /// Take only the first N puzzles of each list
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Check the rules and let this method solve what the network got wrong; shows the time of each part
    #[arg(long, value_name = "METHOD", hide_possible_values = true,
          value_parser = PossibleValuesParser::new(search::all().iter().map(|solver| solver.name())))]
    repair: Option<String>,

    /// Write the puzzles that came out right to this file, one per line; of several ways any will do
    #[arg(long, value_name = "FILE", conflicts_with = "repair")]
    solved: Option<PathBuf>,

    /// Write the others to this file: what a next run could learn from
    #[arg(long, value_name = "FILE", conflicts_with = "repair")]
    unsolved: Option<PathBuf>,

    /// For kaleidoscope: iterations from each start, if the grid does not keep the rules before
    #[arg(long, value_name = "N", default_value = "64")]
    iterations: usize,

    /// For kaleidoscope: starts, the first of them without noise
    #[arg(long, value_name = "N", default_value = "8")]
    starts: usize,

    /// For kaleidoscope: the puzzles that are right after exactly these numbers of iterations from one start, and those that
    /// were right and are no longer; 16,64,256,1024 shows whether a solution stays one
    #[arg(long, value_name = "N,…", value_delimiter = ',')]
    marks: Vec<usize>,

    /// Where to compute: cpu or gpu
    #[arg(long, value_name = "WHERE", default_value = "cpu")]
    device: Device,

    /// For kaleidoscope, on a graphics card: hold every kernel to the loops of the processor, and say how far apart they are
    #[arg(long, conflicts_with_all = ["lists", "weights", "repair"])]
    kernels: bool,

    /// Answer with one JSON object per line
    #[arg(long)]
    json: bool,

    /// For rem, rem-board, rem-relations and kaleidoscope-rules: leave the tables as JSON and the figures as SVG in this folder
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Ways {
    AtOnce,
    CellByCell,
    Both,
}

/// Measures, and prints a table.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    if rem::is_for(&options.name) {
        return rem::run(options);
    }
    if kaleidoscope::is_for(&options.name) && options.repair.is_none() {
        return kaleidoscope::run(options);
    }
    let entry = models::entry(&options.name);
    let loaded = entry
        .load(options.weights.as_deref().map_or(Weights::Shipped, Weights::File), options.device)
        .map_err(|error| train::explained(&error))?;
    let order = loaded.predictor.order();
    let mut lists: Vec<(String, Examples)> = Vec::new();
    for path in &options.lists {
        lists.push((path.display().to_string(), read(path, order)?));
    }
    if lists.is_empty() {
        let own = loaded
            .own_test_set(stream::all_cores())
            .map_err(|error| CliError::new(error.to_string()))?;
        lists.push(("own test set".to_string(), own));
    }
    let ways = ways(options.way, entry.decoding());
    if let Some(method) = &options.repair {
        return repair(options, loaded.predictor.as_ref(), &lists, method, &ways);
    }
    if !options.json {
        tell!("puzzles solved  cells right  puzzles  seconds  filled        list");
    }
    let mut sorted = Sorted::new(options);
    for (name, examples) in lists {
        let examples = options.limit.map_or(examples.clone(), |limit| examples.first(limit));
        let mut right = BTreeSet::new();
        for way in &ways {
            let started = Instant::now();
            let total = Total::Puzzles(examples.len() as u64);
            let mut console = Console::open(false, false).silent_until_the_end().counting_to(total);
            let score =
                evaluate::score_with(loaded.predictor.as_ref(), &examples, *way, &mut |seen| {
                    console.count(seen.puzzles as u64 - console.puzzles);
                });
            console.finish();
            drop(console);
            let measured =
                Measured { name: &name, way: *way, score: &score, time: started.elapsed() };
            tell!("{}", if options.json { measured.json(options) } else { measured.line() });
            right.extend(score.solved_indices);
        }
        sorted.add(&examples, |index| right.contains(&index));
    }
    sorted.write()?;
    Ok(Verdict::Yes)
}

/// The puzzles that came out right, and the others, one per line, as far as somebody asked for them.
struct Sorted<'a> {
    solved: Option<(&'a Path, String)>,
    unsolved: Option<(&'a Path, String)>,
}

impl Sorted<'_> {
    fn new(options: &Options) -> Sorted<'_> {
        let [solved, unsolved] = [&options.solved, &options.unsolved]
            .map(|path| path.as_deref().map(|path| (path, String::new())));
        Sorted { solved, unsolved }
    }

    fn add(&mut self, examples: &Examples, is_solved: impl Fn(usize) -> bool) {
        for index in 0..examples.len() {
            let list = if is_solved(index) { &mut self.solved } else { &mut self.unsolved };
            if let Some((_, lines)) = list {
                *lines += &format!("{}\n", grid_of(examples, index));
            }
        }
    }

    /// Writes the files.
    fn write(self) -> Result<(), CliError> {
        let mut lists = [self.solved, self.unsolved].into_iter().flatten();
        lists.try_for_each(|(path, lines)| write_file(path, lines))
    }
}

/// The ways that are measured: those asked for, or the network's own.
fn ways(asked: Option<Ways>, own: Decoding) -> Vec<Decoding> {
    match asked {
        None => vec![own],
        Some(Ways::AtOnce) => vec![Decoding::AtOnce],
        Some(Ways::CellByCell) => vec![Decoding::CellByCell],
        Some(Ways::Both) => vec![Decoding::AtOnce, Decoding::CellByCell],
    }
}

/// Network and search together, and the search alone for comparison: Kocherzhenko's way to solve.
fn repair(
    options: &Options,
    predictor: &dyn Predictor,
    lists: &[(String, Examples)],
    method: &str,
    ways: &[Decoding],
) -> Result<Verdict, CliError> {
    let solver = search::by_name(method).expect("the argument parser knows the names");
    let limits = Limits::time(hybrid::INTERACTIVE_LIMIT);
    let mut verdict = Verdict::Yes;
    if !options.json {
        tell!(
            "puzzles  by network  by search  unsolved  network s  check s  search s  search alone s  list"
        );
    }
    for (name, examples) in lists {
        let count = options.limit.unwrap_or(usize::MAX).min(examples.len());
        let puzzles: Vec<Grid> = (0..count).map(|index| grid_of(examples, index)).collect();
        // Filling at once is one look; the last way of the list is the better one.
        let way = *ways.last().expect("there is at least one way");
        let report =
            hybrid::solve(&puzzles, &NetworkProposer { predictor, decoding: way }, solver, &limits)
                .map_err(|refusal| CliError::new(refusal.to_string()))?;
        let started = Instant::now();
        puzzles.iter().for_each(|puzzle| _ = solver.first(puzzle, &limits));
        let alone = started.elapsed();
        let (by_network, by_search) =
            (report.found_by(Finder::Proposer), report.found_by(Finder::Search));
        let unsolved = puzzles.len() - by_network - by_search;
        let repaired = Repaired {
            model: &options.name,
            list: name,
            way,
            repaired_by: method,
            puzzles: puzzles.len(),
            by_network,
            by_search,
            unsolved,
            network_seconds: report.proposing.as_secs_f64(),
            check_seconds: report.checking.as_secs_f64(),
            search_seconds: report.searching.as_secs_f64(),
            search_alone_seconds: alone.as_secs_f64(),
            device: options.device.to_string(),
        };
        tell!("{}", if options.json { repaired.json() } else { repaired.line() });
        verdict = verdict.max(if unsolved > 0 { Verdict::No } else { Verdict::Yes });
    }
    Ok(verdict)
}

/// What network and search did together.
#[derive(Serialize)]
struct Repaired<'a> {
    model: &'a str,
    list: &'a str,
    way: Decoding,
    repaired_by: &'a str,
    puzzles: usize,
    by_network: usize,
    by_search: usize,
    unsolved: usize,
    network_seconds: f64,
    check_seconds: f64,
    search_seconds: f64,
    search_alone_seconds: f64,
    device: String,
}

impl Repaired<'_> {
    fn line(&self) -> String {
        format!(
            "{:>7}  {:>10}  {:>9}  {:>8}  {:>9.3}  {:>7.4}  {:>8.3}  {:>14.3}  {}",
            self.puzzles,
            self.by_network,
            self.by_search,
            self.unsolved,
            self.network_seconds,
            self.check_seconds,
            self.search_seconds,
            self.search_alone_seconds,
            self.list
        )
    }

    fn json(&self) -> String {
        serde_json::to_string(self).expect("words and numbers can be written as JSON")
    }
}

fn grid_of(examples: &Examples, index: usize) -> Grid {
    Grid::from_numbers(examples.order(), examples.puzzle(index)).expect("examples hold grids")
}

/// Reads a list, in which there must be puzzles; packed files are unpacked.
pub fn read(path: &Path, order: Order) -> Result<Examples, CliError> {
    let name = path.display();
    let failed = |error| CliError::new(format!("{name} cannot be read: {error}"));
    let file = BufReader::new(File::open(path).map_err(failed)?);
    let examples =
        Examples::read(file, order).map_err(|error| CliError::new(format!("{name}: {error}")))?;
    match examples.is_empty() {
        true => Err(CliError::new(format!("there is no puzzle in {name}"))
            .hint("a list has one puzzle on each line")),
        false => Ok(examples),
    }
}

/// One line of the table.
struct Measured<'a> {
    name: &'a str,
    way: Decoding,
    score: &'a Score,
    time: Duration,
}

impl Measured<'_> {
    fn line(&self) -> String {
        format!(
            "{:>12.3} %  {:>9.3} %  {:>7}  {:>7.1}  {:<12}  {}",
            100.0 * self.score.share_solved(),
            100.0 * self.score.share_of_cells(),
            words::thousands(self.score.puzzles as u64),
            self.time.as_secs_f64(),
            models::way(self.way),
            self.name
        )
    }

    fn json(&self, options: &Options) -> String {
        #[derive(Serialize)]
        struct Json<'a> {
            model: &'a str,
            weights: String,
            list: &'a str,
            way: Decoding,
            #[serde(flatten)]
            score: &'a Score,
            share_solved: f64,
            share_of_cells: f64,
            seconds: f64,
            device: String,
        }
        let line = Json {
            model: &options.name,
            weights: options
                .weights
                .as_ref()
                .map_or("shipped".to_string(), |path| path.display().to_string()),
            list: self.name,
            way: self.way,
            score: self.score,
            share_solved: self.score.share_solved(),
            share_of_cells: self.score.share_of_cells(),
            seconds: self.time.as_secs_f64(),
            device: options.device.to_string(),
        };
        serde_json::to_string(&line).expect("words and numbers can be written as JSON")
    }
}
