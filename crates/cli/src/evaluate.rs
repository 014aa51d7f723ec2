//! `ninefold evaluate`: how many puzzles does a network fill rightly?

use crate::trouble::Trouble;
use crate::verdict::Verdict;
use crate::{models, stream, train, words};
use clap::{Args, ValueEnum};
use flate2::bufread::MultiGzDecoder;
use neural::data::Examples;
use neural::device::Device;
use neural::evaluate::{self, Score, Way};
use ninefold::grid::Order;
use serde::Serialize;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Measure a network on lists of puzzles
///
/// The network works alone: nothing checks or repairs what it fills in. A puzzle counts as solved if every cell is
/// filled and no rule is broken.
#[derive(Args, Debug)]
pub struct Options {
    /// The model; `ninefold models` lists them
    #[arg(value_name = "NAME", hide_possible_values = true, value_parser = models::names())]
    name: String,

    /// Its weights: a file of `ninefold train`
    #[arg(long, value_name = "FILE")]
    weights: PathBuf,

    /// Lists of puzzles in any format; without any, the test set of the run that made the weights
    #[arg(value_name = "LIST")]
    lists: Vec<PathBuf>,

    /// How to fill: at-once, cell-by-cell or both
    #[arg(long, value_name = "WAY", value_enum, default_value = "both", hide_possible_values = true)]
    way: Ways,

    /// Take only the first N puzzles of each list
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Where to compute: cpu or gpu
    #[arg(long, value_name = "WHERE", default_value = "cpu")]
    device: Device,

    /// Answer with one JSON object per line
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Ways {
    AtOnce,
    CellByCell,
    Both,
}

/// Measures, and prints a table.
pub fn run(options: &Options) -> Result<Verdict, Trouble> {
    let entry = models::entry(&options.name);
    let loaded = entry.load(&options.weights, options.device).map_err(|error| train::explained(&error))?;
    let order = loaded.judge.order();
    let mut lists: Vec<(String, Examples)> = Vec::new();
    for path in &options.lists {
        lists.push((path.display().to_string(), read(path, order)?));
    }
    if lists.is_empty() {
        let own = loaded.own_test_set(stream::all_cores()).map_err(|error| Trouble::new(error.to_string()))?;
        lists.push(("own test set".to_string(), own));
    }
    if !options.json {
        println!("puzzles solved  cells right  puzzles  seconds  filled        list");
    }
    for (name, examples) in lists {
        let examples = options.limit.map_or(examples.clone(), |limit| examples.first(limit));
        for way in options.way.list() {
            let started = Instant::now();
            let score = evaluate::score(loaded.judge.as_ref(), &examples, *way);
            let measured = Measured { name: &name, way: *way, score: &score, time: started.elapsed() };
            println!("{}", if options.json { measured.json(options) } else { measured.line() });
        }
    }
    Ok(Verdict::Yes)
}

impl Ways {
    fn list(self) -> &'static [Way] {
        match self {
            Ways::AtOnce => &[Way::AtOnce],
            Ways::CellByCell => &[Way::CellByCell],
            Ways::Both => &[Way::AtOnce, Way::CellByCell],
        }
    }
}

/// Reads a list; packed files are unpacked.
fn read(path: &Path, order: Order) -> Result<Examples, Trouble> {
    let name = path.display();
    let failed = |error| Trouble::new(format!("{name} cannot be read: {error}"));
    let mut file = BufReader::new(File::open(path).map_err(failed)?);
    let is_packed = file.fill_buf().map_err(failed)?.starts_with(&[0x1f, 0x8b]);
    let examples = match is_packed {
        true => Examples::read(BufReader::new(MultiGzDecoder::new(file)), order),
        false => Examples::read(file, order),
    };
    examples.map_err(|error| Trouble::new(format!("{name}: {error}")))
}

/// One line of the table.
struct Measured<'a> {
    name: &'a str,
    way: Way,
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
            way: Way,
            #[serde(flatten)]
            score: &'a Score,
            share_solved: f64,
            share_of_cells: f64,
            seconds: f64,
            device: String,
        }
        let line = Json {
            model: &options.name,
            weights: options.weights.display().to_string(),
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
