//! `ninefold evaluate rem`, `rem-board`, `rem-relations` and `kaleidoscope-rules`: what a head knows about rules, beside what one
//! gets for always saying no.

use super::{Options, read};
use crate::console;
use crate::error::CliError;
use crate::verdict::Verdict;
use crate::{stream, train};
use neural::models::rem::networks;
use neural::registry::Weights;
use neural::training::data::{Augmentation, DatasetConfig, Examples, Split};
use std::path::Path;

/// Puzzles a network looks at together.
const TOGETHER: usize = 100;
/// Boards that thresholds are chosen by, and boards that are asked about, if there is no limit.
const BOARDS: usize = 2_000;
/// The seed of the boards.
const SEED: u64 = 1;

/// Is this a model that is measured here?
pub fn is_for(name: &str) -> bool {
    matches!(name, "rem" | "rem-board" | "rem-relations" | "kaleidoscope-rules")
}

/// Measures, prints tables, and leaves JSON and figures in the folder.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    if let Some(folder) = &options.report {
        std::fs::create_dir_all(folder).map_err(|error| {
            CliError::new(format!("{} cannot be made: {error}", folder.display()))
        })?;
    }
    if options.name == "rem" { papers_tables(options) } else { boards(options) }
}

fn papers_tables(options: &Options) -> Result<Verdict, CliError> {
    let weights = options.weights.as_deref().map_or(Weights::Shipped, Weights::File);
    let (rem, metadata) = networks::load_step_rules(weights, options.device, TOGETHER)
        .map_err(|e| train::explained(&e))?;
    let mut lists: Vec<(String, Examples)> = Vec::new();
    for path in &options.lists {
        lists.push((path.display().to_string(), read(path, rem.order())?));
    }
    if lists.is_empty() {
        lists.push((
            "own test set".to_string(),
            own_part(&metadata.experiment, rem.order(), Split::Test)?,
        ));
    }
    for (number, (name, examples)) in (1..).zip(lists) {
        let examples = options.limit.map_or(examples.clone(), |limit| examples.first(limit));
        let report = rem.report(&name, &examples);
        console::print(format_args!("{}", report.table()));
        if let Some(folder) = &options.report {
            let json = serde_json::to_string_pretty(&report)
                .expect("numbers and words can be written as JSON");
            write(&folder.join(format!("rem-{number}.json")), &json)?;
            write(&folder.join(format!("rem-{number}-solving.svg")), &report.solving_figure())?;
            write(&folder.join(format!("rem-{number}-rules.svg")), &report.rules_figure())?;
        }
    }
    Ok(Verdict::Yes)
}

/// Boards on the way of the six rules and boards with random cells revealed, as the head was trained on; thresholds
/// are chosen on the validation part, and the test part, or each list, is asked about.
fn boards(options: &Options) -> Result<Verdict, CliError> {
    let weights = options.weights.as_deref().map_or(Weights::Shipped, Weights::File);
    let (head, metadata) =
        networks::load_board_rules(&options.name, weights, options.device, TOGETHER)
            .map_err(|e| train::explained(&e))?;
    let data: DatasetConfig = dataset_of(&metadata.experiment)?;
    let augmentation = data.augmentation.unwrap_or(Augmentation {
        givens: [17, 60],
        twins: true,
        on_solving_path: true,
    });
    let seen = |puzzles: &Examples| {
        let count = options.limit.unwrap_or(BOARDS);
        let indices: Vec<usize> =
            (0..puzzles.len()).cycle().take(if puzzles.is_empty() { 0 } else { count }).collect();
        puzzles.augmented(&indices, &augmentation, SEED)
    };
    let validation = seen(&own_part(&metadata.experiment, head.order(), Split::Validation)?);
    let mut lists: Vec<(String, Examples)> = Vec::new();
    for path in &options.lists {
        lists.push((path.display().to_string(), read(path, head.order())?));
    }
    if lists.is_empty() {
        lists.push((
            "own test set".to_string(),
            own_part(&metadata.experiment, head.order(), Split::Test)?,
        ));
    }
    for (number, (name, examples)) in (1..).zip(lists) {
        let puzzles = options.limit.map_or(examples.clone(), |limit| examples.first(limit));
        let report = head.report(&puzzles, &seen(&examples), &validation);
        console::print(format_args!("{name}\n{}", report.table()));
        if let Some(folder) = &options.report {
            let json = serde_json::to_string_pretty(&report)
                .expect("numbers and words can be written as JSON");
            write(&folder.join(format!("{}-{number}.json", options.name)), &json)?;
        }
        if let Some(doubt) = head.doubt(&seen(&examples)) {
            console::print(format_args!("{}", doubt.table()));
        }
    }
    Ok(Verdict::Yes)
}

fn dataset_of(experiment: &serde_json::Value) -> Result<DatasetConfig, CliError> {
    serde_json::from_value(experiment["data"].clone()).map_err(|error| {
        CliError::new(format!("the experiment of the weights cannot be read: {error}"))
    })
}

fn own_part(
    experiment: &serde_json::Value,
    order: ninefold::grid::Order,
    part: Split,
) -> Result<Examples, CliError> {
    let seed = experiment["seed"].as_u64().unwrap_or_default();
    let made = dataset_of(experiment)?.make(order, part, seed, stream::all_cores());
    made.map_err(|error| {
        let hint = match part {
            Split::Validation => train::SPLIT,
            Split::Train | Split::Test => "name a list of puzzles to measure on",
        };
        CliError::new(error.to_string()).hint(hint)
    })
}

fn write(path: &Path, text: &str) -> Result<(), CliError> {
    crate::output::write_file(path, text)
}
