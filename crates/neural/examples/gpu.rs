//! Trains and measures on a graphics card without the command line crate around it; its arguments are those of
//! `ninefold train` and `ninefold evaluate`. It links little besides the tensor library, so it builds quickly.
//!
//! `cargo run --release --features cuda -p ninefold-neural --example gpu -- train cnn --device gpu --out runs/cnn`

use neural::data::Examples;
use neural::device::Device;
use neural::evaluate::{self, Guesser, Way};
use neural::registry::{self, Entry, Job};
use neural::train::Ending;
use ninefold::grid::Grid;
use ninefold::hybrid::{self, Finder};
use ninefold::search::{self, Limits};
use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::read(std::env::args().skip(1))?;
    let entry = registry::by_name(&arguments.name).ok_or("there is no such model")?;
    match arguments.verb.as_str() {
        "train" => train(entry, &arguments),
        "evaluate" => measure(entry, &arguments),
        other => Err(format!("{other} is neither train nor evaluate").into()),
    }
}

fn train(entry: &Entry, arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let changes = arguments.config.as_ref().map(std::fs::read_to_string).transpose()?;
    let job = Job {
        changes: changes.as_deref(),
        folder: &arguments.out,
        time: arguments.time,
        resume: arguments.resume,
        device: arguments.device,
        threads: threads(),
        commit: option_env!("NINEFOLD_COMMIT").unwrap_or("unknown"),
    };
    let ending = entry.train(&job, &mut |line| {
        if !arguments.quiet || line.what != "steps" {
            eprintln!("{}", serde_json::to_string(line).expect("a line can be written as JSON"));
        }
    })?;
    match ending {
        Ending::Finished => println!("finished {}", arguments.out.display()),
        Ending::OutOfTime => println!("out of time, --resume goes on with {}", arguments.out.display()),
    }
    Ok(())
}

fn measure(entry: &Entry, arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let loaded = entry.load(&arguments.weights, arguments.device)?;
    let judge = loaded.judge.as_ref();
    let mut lists: Vec<(String, Examples)> = Vec::new();
    for path in &arguments.lists {
        lists.push((path.display().to_string(), Examples::read(BufReader::new(File::open(path)?), judge.order())?));
    }
    if lists.is_empty() {
        lists.push(("own test set".to_string(), loaded.own_test_set(threads())?));
    }
    for (list, examples) in lists {
        let examples = examples.first(arguments.limit);
        for &way in &arguments.ways {
            let started = Instant::now();
            let score = evaluate::score(judge, &examples, way);
            let line = serde_json::json!({
                "model": entry.name, "weights": arguments.weights, "list": list, "way": way,
                "share_solved": score.share_solved(), "share_of_cells": score.share_of_cells(),
                "seconds": started.elapsed().as_secs_f64(), "score": score,
            });
            println!("{line}");
        }
        if let Some(method) = &arguments.repair {
            repair(judge, &examples, method, &list)?;
        }
    }
    Ok(())
}

/// Network and search together, beside the search alone.
fn repair(judge: &dyn evaluate::Judge, examples: &Examples, method: &str, list: &str) -> Result<(), Box<dyn Error>> {
    let solver = search::by_name(method).ok_or("there is no such method")?;
    let limits = Limits::time(hybrid::INTERACTIVE_LIMIT);
    let grid = |index| Grid::from_numbers(judge.order(), examples.puzzle(index)).expect("examples hold grids");
    let puzzles: Vec<Grid> = (0..examples.len()).map(grid).collect();
    let report = hybrid::solve(&puzzles, &Guesser { judge, way: Way::CellByCell }, solver, &limits)?;
    let started = Instant::now();
    puzzles.iter().for_each(|puzzle| _ = solver.first(puzzle, &limits));
    let line = serde_json::json!({
        "list": list, "method": method, "puzzles": puzzles.len(),
        "by_network": report.found_by(Finder::Proposer), "by_search": report.found_by(Finder::Search),
        "network_seconds": report.proposing.as_secs_f64(), "check_seconds": report.checking.as_secs_f64(),
        "search_seconds": report.searching.as_secs_f64(), "search_alone_seconds": started.elapsed().as_secs_f64(),
    });
    println!("{line}");
    Ok(())
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// What was typed.
struct Arguments {
    verb: String,
    name: String,
    config: Option<PathBuf>,
    out: PathBuf,
    weights: PathBuf,
    time: Option<Duration>,
    device: Device,
    repair: Option<String>,
    limit: usize,
    ways: Vec<Way>,
    resume: bool,
    quiet: bool,
    lists: Vec<PathBuf>,
}

impl Arguments {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Arguments, Box<dyn Error>> {
        let mut arguments = Arguments {
            verb: words.next().ok_or("train or evaluate?")?,
            name: words.next().ok_or("which model?")?,
            config: None,
            out: Path::new("run").to_path_buf(),
            weights: PathBuf::new(),
            time: None,
            device: Device::Cpu,
            repair: None,
            limit: usize::MAX,
            ways: vec![Way::AtOnce, Way::CellByCell],
            resume: false,
            quiet: false,
            lists: Vec::new(),
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            match word.as_str() {
                "--config" => arguments.config = Some(value()?.into()),
                "--out" => arguments.out = value()?.into(),
                "--weights" => arguments.weights = value()?.into(),
                "--minutes" => arguments.time = Some(Duration::try_from_secs_f64(60.0 * value()?.parse::<f64>()?)?),
                "--device" => arguments.device = value()?.parse()?,
                "--repair" => arguments.repair = Some(value()?),
                "--limit" => arguments.limit = value()?.parse()?,
                "--way" => {
                    arguments.ways = match value()?.as_str() {
                        "at-once" => vec![Way::AtOnce],
                        "cell-by-cell" => vec![Way::CellByCell],
                        _ => arguments.ways,
                    }
                }
                "--resume" => arguments.resume = true,
                "--quiet" => arguments.quiet = true,
                _ if word.starts_with('-') => return Err(format!("{word} is no option").into()),
                _ => arguments.lists.push(word.into()),
            }
        }
        Ok(arguments)
    }
}
