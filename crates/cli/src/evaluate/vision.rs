//! `ninefold evaluate vision`: measures the reader of photos on labelled photos.

use super::Args;
use crate::console::{self, Console, Total, outln};
use crate::error::CliError;
use crate::verdict::Verdict;
use ninefold_vision::evaluate::{PhotoResult, evaluate, report};
use ninefold_vision::labels;
use ninefold_vision::network::{Network, Weights};
use ninefold_vision::reading::Reader;
use serde::Serialize;

pub const NAME: &str = "vision";

pub fn is_for(name: &str) -> bool {
    name == NAME
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    let reader = match &args.weights {
        None => Reader::default(),
        Some(path) => {
            let bytes = std::fs::read(path)
                .map_err(|error| CliError::cannot_read(path.display(), error))?;
            let weights = Weights::from_bytes(&bytes)
                .map_err(|error| CliError::cannot_read(path.display(), error))?;
            Reader { network: Network::new(weights) }
        }
    };
    if args.lists.is_empty() {
        return Err(CliError::new("evaluate vision needs a list of labelled photos")
            .hint("pass a CSV file with the columns file and puzzle"));
    }
    for list in &args.lists {
        let mut labels =
            labels::read(list).map_err(|error| CliError::cannot_read(list.display(), error))?;
        labels.truncate(args.limit.unwrap_or(usize::MAX));
        let mut console = Console::open(false, false)
            .with_progress_on_terminal()
            .with_total(Total::Puzzles(labels.len() as u64));
        let mut results = Vec::new();
        for label in &labels {
            let result = evaluate(&reader, label);
            if let Some(error) = &result.error {
                console.error(CliError::cannot_read(label.path().display(), error));
            }
            console.count(1);
            results.push(result);
        }
        console.finish();
        drop(console);
        if args.json {
            results.iter().for_each(|result| outln!("{}", json(result)));
        } else {
            console::print(format_args!("{}", report(&results)));
        }
    }
    Ok(Verdict::Yes)
}

fn json(result: &PhotoResult) -> String {
    #[derive(Serialize)]
    struct Json<'a> {
        file: &'a str,
        set: &'a str,
        grid_found: bool,
        raw_exact: bool,
        exact: bool,
        outcome: &'a str,
        confidence: f32,
        wrong_cells: usize,
        seconds: [f64; 5],
    }
    let line = Json {
        file: &result.file,
        set: &result.set,
        grid_found: result.is_found,
        raw_exact: result.is_raw_exact,
        exact: result.is_exact,
        outcome: result.outcome.map_or("no grid", |outcome| outcome.name()),
        confidence: result.confidence,
        wrong_cells: result.cells.iter().filter(|(_, is_right)| !is_right).count(),
        seconds: result.seconds,
    };
    serde_json::to_string(&line).expect("a result can be written as JSON")
}
