//! `ninefold evaluate rem`, `rem-board`, `rem-relations` and `kaleidoscope-rules`: measures how
//! well a head names rules, compared with a baseline that always answers no.

use super::{Args, read};
use crate::console;
use crate::error::CliError;
use crate::verdict::Verdict;
use crate::{stream, train};
use ninefold_neural::models::rem::networks;
use ninefold_neural::registry::Weights;
use ninefold_neural::training::data::{Augmentation, DatasetConfig, Examples, Split};
use std::path::Path;

/// The batch size of the network.
const BATCH_SIZE: usize = 100;
/// The default number of boards for choosing thresholds, and for measuring.
const BOARDS: usize = 2_000;
/// The seed of the boards.
const SEED: u64 = 1;

pub fn is_for(name: &str) -> bool {
    matches!(name, "rem" | "rem-board" | "rem-relations" | "kaleidoscope-rules")
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    if let Some(directory) = &args.report {
        std::fs::create_dir_all(directory)
            .map_err(|error| CliError::cannot_write(directory.display(), error))?;
    }
    if args.name == "rem" { paper_tables(args) } else { boards(args) }
}

fn paper_tables(args: &Args) -> Result<Verdict, CliError> {
    let weights = args.weights.as_deref().map_or(Weights::Shipped, Weights::File);
    let (rem, metadata) = networks::load_step_rules(weights, args.device, BATCH_SIZE)
        .map_err(|e| train::model_error(&e))?;
    let mut lists: Vec<(String, Examples)> = Vec::new();
    for path in &args.lists {
        lists.push((path.display().to_string(), read(path, rem.order())?));
    }
    if lists.is_empty() {
        lists.push((
            "own test set".to_string(),
            own_part(&metadata.experiment, rem.order(), Split::Test)?,
        ));
    }
    for (number, (name, examples)) in (1..).zip(lists) {
        let examples = args.limit.map_or(examples.clone(), |limit| examples.first(limit));
        let report = rem.report(&name, &examples);
        console::print(format_args!("{}", report.table()));
        if let Some(directory) = &args.report {
            let json =
                serde_json::to_string_pretty(&report).expect("a report can be written as JSON");
            write(&directory.join(format!("rem-{number}.json")), &json)?;
            write(&directory.join(format!("rem-{number}-solving.svg")), &report.solving_figure())?;
            write(&directory.join(format!("rem-{number}-rules.svg")), &report.rules_figure())?;
        }
    }
    Ok(Verdict::Yes)
}

/// Measures on boards of the solution path of the six rules and on boards with random cells
/// revealed, as in training. The thresholds are chosen on the validation part.
fn boards(args: &Args) -> Result<Verdict, CliError> {
    let weights = args.weights.as_deref().map_or(Weights::Shipped, Weights::File);
    let (head, metadata) = networks::load_board_rules(&args.name, weights, args.device, BATCH_SIZE)
        .map_err(|e| train::model_error(&e))?;
    let data: DatasetConfig = dataset_of(&metadata.experiment)?;
    let augmentation = data.augmentation.unwrap_or(Augmentation {
        givens: [17, 60],
        symmetries: true,
        on_solving_path: true,
    });
    let seen = |puzzles: &Examples| {
        let count = args.limit.unwrap_or(BOARDS);
        let indices: Vec<usize> =
            (0..puzzles.len()).cycle().take(if puzzles.is_empty() { 0 } else { count }).collect();
        puzzles.augmented(&indices, &augmentation, SEED)
    };
    let validation = seen(&own_part(&metadata.experiment, head.order(), Split::Validation)?);
    let mut lists: Vec<(String, Examples)> = Vec::new();
    for path in &args.lists {
        lists.push((path.display().to_string(), read(path, head.order())?));
    }
    if lists.is_empty() {
        lists.push((
            "own test set".to_string(),
            own_part(&metadata.experiment, head.order(), Split::Test)?,
        ));
    }
    for (number, (name, examples)) in (1..).zip(lists) {
        let puzzles = args.limit.map_or(examples.clone(), |limit| examples.first(limit));
        let report = head.report(&puzzles, &seen(&examples), &validation);
        console::print(format_args!("{name}\n{}", report.table()));
        if let Some(directory) = &args.report {
            let json =
                serde_json::to_string_pretty(&report).expect("a report can be written as JSON");
            write(&directory.join(format!("{}-{number}.json", args.name)), &json)?;
        }
        if let Some(doubt) = head.doubt(&seen(&examples)) {
            console::print(format_args!("{}", doubt.table()));
        }
    }
    Ok(Verdict::Yes)
}

fn dataset_of(experiment: &serde_json::Value) -> Result<DatasetConfig, CliError> {
    serde_json::from_value(experiment["data"].clone()).map_err(|error| {
        CliError::new(format!("cannot read the experiment of the weights: {error}"))
    })
}

fn own_part(
    experiment: &serde_json::Value,
    order: ninefold::grid::Order,
    part: Split,
) -> Result<Examples, CliError> {
    let seed = experiment["seed"].as_u64().unwrap_or_default();
    let examples = dataset_of(experiment)?.load(order, part, seed, stream::all_cores());
    examples.map_err(|error| {
        let hint = match part {
            Split::Validation => train::SPLIT_HINT,
            Split::Train | Split::Test => "pass a list of puzzles",
        };
        CliError::new(error.to_string()).hint(hint)
    })
}

fn write(path: &Path, text: &str) -> Result<(), CliError> {
    crate::output::write_file(path, text)
}
