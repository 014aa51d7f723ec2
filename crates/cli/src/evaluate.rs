//! `ninefold evaluate`: measures how many puzzles a network solves.

use crate::console::{Console, Total, outln};
use crate::error::CliError;
use crate::output::write_file;
use crate::verdict::Verdict;
use crate::{gpu, humanize, models, stream, train, values};
use clap::builder::PossibleValuesParser;
use ninefold::grid::{Grid, Order};
use ninefold::hybrid::{self, Source};
use ninefold::search::{self, Limits};
use ninefold_neural::device::Device;
use ninefold_neural::inference::decoding::{Decoding, NetworkProposer};
use ninefold_neural::inference::evaluate::{self, Score};
use ninefold_neural::inference::predictor::Predictor;
use ninefold_neural::registry::{self, Weights};
use ninefold_neural::training::data::Examples;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

mod kaleidoscope;
mod rem;
#[cfg(feature = "photos")]
mod vision;

/// Measure how many puzzles a network solves
///
/// The output of the network is not corrected. A puzzle is solved if all cells are filled and no
/// rule is broken. With --repair, search solves the puzzles that the network did not solve.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Model; `ninefold models` lists the names. `vision` is the reader of photos; its lists are
    /// CSV files with the columns file and puzzle
    #[arg(value_name = "NAME", hide_possible_values = true, value_parser = names())]
    name: String,

    /// Weights, a file written by `ninefold train`
    /// [default: the weights that are included in ninefold]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    /// Lists of puzzles in any format [default: the test set of the training run]
    #[arg(value_name = "LIST")]
    lists: Vec<PathBuf>,

    /// Decoding: at-once, cell-by-cell, or both separated by a comma [default: that of the network;
    /// `ninefold models` lists it]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', hide_possible_values = true,
          value_parser = values::parser(Decoding::ALL, Decoding::name))]
    decoding: Vec<Decoding>,

    /// Read only the first N puzzles of each list
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Solve puzzles that the network did not solve with this method, and print the time of each
    /// part
    #[arg(long, value_name = "METHOD", hide_possible_values = true,
          value_parser = PossibleValuesParser::new(search::all().iter().map(|solver| solver.name())))]
    repair: Option<String>,

    /// Write the solved puzzles to this file, one per line; with several decodings, those that any
    /// of them solves
    #[arg(long, value_name = "FILE", conflicts_with = "repair")]
    write_solved: Option<PathBuf>,

    /// Write the unsolved puzzles to this file
    #[arg(long, value_name = "FILE", conflicts_with = "repair")]
    write_unsolved: Option<PathBuf>,

    /// Only for kaleidoscope: maximum number of iterations from each start [default: 256]
    #[arg(long, value_name = "N")]
    iterations: Option<usize>,

    /// Only for kaleidoscope: number of starts, the first of them without noise [default: 8]
    #[arg(long, value_name = "N")]
    starts: Option<usize>,

    /// Only for kaleidoscope: count the puzzles that are solved after exactly these numbers of
    /// iterations from one start, and those that are solved and lost again, for example
    /// 16,64,256,1024
    #[arg(long, value_name = "N,…", value_delimiter = ',')]
    at_iterations: Vec<usize>,

    /// Device: cpu or gpu
    #[arg(long, value_name = "DEVICE", default_value = "cpu")]
    device: Device,

    /// Only for kaleidoscope: compare every GPU kernel with the CPU implementation and print the
    /// differences
    #[arg(long)]
    check_kernels: bool,

    /// Print one JSON object per line
    #[arg(long)]
    json: bool,

    /// Only for rem, rem-board, rem-relations and kaleidoscope-rules: write the tables as JSON and
    /// the figures as SVG to this directory
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
}

impl Args {
    /// Rejects options that this model cannot use.
    fn reject_unused_options(&self) -> Result<(), CliError> {
        let decoding = ("--decoding", !self.decoding.is_empty());
        let report = ("--report", self.report.is_some());
        let kaleidoscope = [
            ("--iterations", self.iterations.is_some()),
            ("--starts", self.starts.is_some()),
            ("--at-iterations", !self.at_iterations.is_empty()),
            ("--check-kernels", self.check_kernels),
        ];
        let lists = [
            ("--repair", self.repair.is_some()),
            ("--write-solved", self.write_solved.is_some()),
            ("--write-unsolved", self.write_unsolved.is_some()),
            ("--json", self.json),
        ];
        let is_kaleidoscope = kaleidoscope::is_for(&self.name);
        #[cfg(feature = "photos")]
        if vision::is_for(&self.name) {
            let all = [&[decoding, report], &kaleidoscope[..], &lists].concat();
            let unused = all.into_iter().find(|&(option, is_given)| is_given && option != "--json");
            return unused.map_or(Ok(()), |(option, _)| {
                Err(CliError::unsupported_option(option, vision::NAME))
            });
        }
        let (mode, unused) = if rem::is_for(&self.name) {
            (self.name.as_str(), [&[decoding], &kaleidoscope[..], &lists].concat())
        } else if is_kaleidoscope && self.check_kernels {
            let inputs = [
                ("--weights", self.weights.is_some()),
                ("LIST", !self.lists.is_empty()),
                ("--limit", self.limit.is_some()),
            ];
            ("--check-kernels", [&[decoding, report], &kaleidoscope[..3], &lists, &inputs].concat())
        } else if is_kaleidoscope && self.repair.is_none() {
            (self.name.as_str(), vec![decoding, report])
        } else if is_kaleidoscope {
            ("--repair", [&[report], &kaleidoscope[..]].concat())
        } else {
            (self.name.as_str(), [&[report], &kaleidoscope[..]].concat())
        };
        if let Some((option, _)) = unused.into_iter().find(|&(_, is_given)| is_given) {
            return Err(CliError::unsupported_option(option, mode));
        }
        if self.repair.is_some() && self.decoding.len() > 1 {
            return Err(CliError::new("--repair supports only one decoding")
                .hint("use --decoding at-once or --decoding cell-by-cell"));
        }
        Ok(())
    }
}

/// The names of all models, and of the reader of photos.
fn names() -> PossibleValuesParser {
    let models = registry::all().iter().map(|entry| entry.name);
    #[cfg(feature = "photos")]
    let models = models.chain([vision::NAME]);
    PossibleValuesParser::new(models)
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    args.reject_unused_options()?;
    gpu::check(args.device)?;
    #[cfg(feature = "photos")]
    if vision::is_for(&args.name) {
        return vision::run(args);
    }
    if rem::is_for(&args.name) {
        return rem::run(args);
    }
    if kaleidoscope::is_for(&args.name) && args.repair.is_none() {
        return kaleidoscope::run(args);
    }
    let entry = models::entry(&args.name);
    let loaded = entry
        .load(args.weights.as_deref().map_or(Weights::Shipped, Weights::File), args.device)
        .map_err(|error| train::model_error(&error))?;
    let order = loaded.predictor.order();
    let mut lists: Vec<(String, Examples)> = Vec::new();
    for path in &args.lists {
        lists.push((path.display().to_string(), read(path, order)?));
    }
    if lists.is_empty() {
        let own = loaded
            .own_test_set(stream::all_cores())
            .map_err(|error| CliError::new(error.to_string()))?;
        lists.push(("own test set".to_string(), own));
    }
    let decodings = match args.decoding.is_empty() {
        true => vec![entry.decoding()],
        false => args.decoding.clone(),
    };
    if let Some(method) = &args.repair {
        return repair(args, loaded.predictor.as_ref(), &lists, method, decodings[0]);
    }
    if !args.json {
        outln!("puzzles solved  cells right  puzzles  seconds  filled        list");
    }
    let mut solved_lists = SolvedLists::new(args);
    for (name, examples) in lists {
        let examples = args.limit.map_or(examples.clone(), |limit| examples.first(limit));
        let mut right = BTreeSet::new();
        for &decoding in &decodings {
            let started = Instant::now();
            let total = Total::Puzzles(examples.len() as u64);
            let mut console =
                Console::open(false, false).with_progress_on_terminal().with_total(total);
            let score =
                evaluate::score_with(loaded.predictor.as_ref(), &examples, decoding, &mut |seen| {
                    console.count(seen.puzzles as u64 - console.puzzles);
                });
            console.finish();
            drop(console);
            let measured =
                Measurement { name: &name, decoding, score: &score, time: started.elapsed() };
            outln!("{}", if args.json { measured.json(args) } else { measured.line() });
            right.extend(score.solved_indices);
        }
        solved_lists.add(&examples, |index| right.contains(&index));
    }
    solved_lists.write()?;
    Ok(Verdict::Yes)
}

/// The files for solved and unsolved puzzles, one puzzle per line.
struct SolvedLists<'a> {
    solved: Option<(&'a Path, String)>,
    unsolved: Option<(&'a Path, String)>,
}

impl SolvedLists<'_> {
    fn new(args: &Args) -> SolvedLists<'_> {
        let [solved, unsolved] = [&args.write_solved, &args.write_unsolved]
            .map(|path| path.as_deref().map(|path| (path, String::new())));
        SolvedLists { solved, unsolved }
    }

    fn add(&mut self, examples: &Examples, is_solved: impl Fn(usize) -> bool) {
        for index in 0..examples.len() {
            let list = if is_solved(index) { &mut self.solved } else { &mut self.unsolved };
            if let Some((_, lines)) = list {
                *lines += &format!("{}\n", grid_of(examples, index));
            }
        }
    }

    fn write(self) -> Result<(), CliError> {
        let mut lists = [self.solved, self.unsolved].into_iter().flatten();
        lists.try_for_each(|(path, lines)| write_file(path, lines))
    }
}

/// Measures network and search together, and search alone for comparison, as in Kocherzhenko's
/// paper.
fn repair(
    args: &Args,
    predictor: &dyn Predictor,
    lists: &[(String, Examples)],
    method: &str,
    decoding: Decoding,
) -> Result<Verdict, CliError> {
    let solver = search::by_name(method).expect("the argument parser knows the names");
    let limits = Limits::none().with_time(hybrid::INTERACTIVE_LIMIT);
    let mut verdict = Verdict::Yes;
    if !args.json {
        outln!(
            "puzzles  by network  by search  unsolved  network s  check s  search s  search alone s  list"
        );
    }
    for (name, examples) in lists {
        let count = args.limit.unwrap_or(usize::MAX).min(examples.len());
        let puzzles: Vec<Grid> = (0..count).map(|index| grid_of(examples, index)).collect();
        let report =
            hybrid::solve(&puzzles, &NetworkProposer { predictor, decoding }, solver, &limits)
                .map_err(|error| CliError::new(error.to_string()))?;
        let started = Instant::now();
        puzzles.iter().for_each(|puzzle| _ = solver.first(puzzle, &limits));
        let alone = started.elapsed();
        let (by_network, by_search) =
            (report.solved_by(Source::Proposer), report.solved_by(Source::Search));
        let unsolved = puzzles.len() - by_network - by_search;
        let repaired = RepairReport {
            model: &args.name,
            list: name,
            decoding,
            repaired_by: method,
            puzzles: puzzles.len(),
            by_network,
            by_search,
            unsolved,
            network_seconds: report.proposing.as_secs_f64(),
            check_seconds: report.checking.as_secs_f64(),
            search_seconds: report.searching.as_secs_f64(),
            search_alone_seconds: alone.as_secs_f64(),
            device: args.device.to_string(),
        };
        outln!("{}", if args.json { repaired.json() } else { repaired.line() });
        verdict = verdict.max(if unsolved > 0 { Verdict::No } else { Verdict::Yes });
    }
    Ok(verdict)
}

/// The result of network and search for a list.
#[derive(Serialize)]
struct RepairReport<'a> {
    model: &'a str,
    list: &'a str,
    #[serde(rename = "way")]
    decoding: Decoding,
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

impl RepairReport<'_> {
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
        serde_json::to_string(self).expect("a result can be written as JSON")
    }
}

fn grid_of(examples: &Examples, index: usize) -> Grid {
    Grid::from_numbers(examples.order(), examples.puzzle(index))
        .expect("examples contain valid numbers")
}

/// Reads a list of puzzles, which may be compressed. An empty list is an error.
pub fn read(path: &Path, order: Order) -> Result<Examples, CliError> {
    let name = path.display();
    let failed = |error| CliError::cannot_read(&name, error);
    let file = BufReader::new(File::open(path).map_err(failed)?);
    let examples =
        Examples::read(file, order).map_err(|error| CliError::new(format!("{name}: {error}")))?;
    match examples.is_empty() {
        true => {
            Err(CliError::new(format!("{name} contains no puzzle"))
                .hint("write one puzzle per line"))
        }
        false => Ok(examples),
    }
}

/// The result of a network for a list.
struct Measurement<'a> {
    name: &'a str,
    decoding: Decoding,
    score: &'a Score,
    time: Duration,
}

impl Measurement<'_> {
    fn line(&self) -> String {
        format!(
            "{:>12.3} %  {:>9.3} %  {:>7}  {:>7.1}  {:<12}  {}",
            100.0 * self.score.share_solved(),
            100.0 * self.score.share_of_cells(),
            humanize::thousands(self.score.puzzles as u64),
            self.time.as_secs_f64(),
            models::decoding_text(self.decoding),
            self.name
        )
    }

    fn json(&self, args: &Args) -> String {
        #[derive(Serialize)]
        struct Json<'a> {
            model: &'a str,
            weights: String,
            list: &'a str,
            #[serde(rename = "way")]
            decoding: Decoding,
            #[serde(flatten)]
            score: &'a Score,
            share_solved: f64,
            share_of_cells: f64,
            seconds: f64,
            device: String,
        }
        let line = Json {
            model: &args.name,
            weights: args
                .weights
                .as_ref()
                .map_or("shipped".to_string(), |path| path.display().to_string()),
            list: self.name,
            decoding: self.decoding,
            score: self.score,
            share_solved: self.score.share_solved(),
            share_of_cells: self.score.share_of_cells(),
            seconds: self.time.as_secs_f64(),
            device: args.device.to_string(),
        };
        serde_json::to_string(&line).expect("a result can be written as JSON")
    }
}
