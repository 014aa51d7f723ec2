//! `ninefold bench`: measures the speed of solvers and checks their answers.
//!
//! Speed is measured in puzzles per second of CPU time, which depends little on other load. The
//! solvers take turns on small parts of a list, so that disturbances affect all of them. Every
//! solution is checked against the rules, and every count is compared with the other solvers and
//! with the expected number of solutions.

use crate::console;
use crate::engine::EngineArgs;
use crate::error::CliError;
use crate::humanize;
use crate::output::write_file;
use crate::verdict::Verdict;
use ninefold::grid::Order;
use std::path::PathBuf;

mod contestant;
mod definition;
mod race;
mod report;

use contestant::{Contestant, Task};
use definition::{Definition, Expected};

/// Measure solvers on lists of puzzles
///
/// Every puzzle is first transformed by a random symmetry and the list is shuffled, so that no
/// solver profits from the order. Equal seeds give equal runs. The time is the CPU time of one
/// thread. A solver that reaches its limit of --seconds is marked as capped, and only its completed
/// puzzles count.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Exit codes:
  0  all answers were correct
  1  an answer was wrong
  2  a list could not be read")]
pub struct Args {
    /// Lists of puzzles, or .toml files that define benchmarks
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,

    /// Measure this solver; may be repeated [default: all that support the sizes in the list]
    #[arg(long = "solver", value_name = "NAME", hide_possible_values = true,
          value_parser = clap::builder::PossibleValuesParser::new(contestant::names()))]
    solvers: Vec<String>,

    #[command(flatten)]
    engine: EngineArgs,

    /// Task for each puzzle [default: prove-unique]
    #[arg(long)]
    task: Option<Task>,

    /// Expected number of solutions of every puzzle; any other number counts as a wrong answer
    #[arg(long, value_name = "0|1|2+")]
    expect: Option<Expected>,

    /// Run only benchmarks whose name contains this text
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,

    /// Limit in seconds for each solver and list
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    seconds: f64,

    /// Number of passes over the list, each with new transformations
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    passes: u64,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Shape of a box as rows x columns, if it differs from the default
    #[arg(long, value_name = "ROWSxCOLUMNS")]
    boxes: Option<Order>,

    /// Print one JSON object for each list and solver
    #[arg(long)]
    json: bool,

    /// Write a record as Markdown: command, commit, compiler, CPU and raw numbers
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    args.engine.apply()?;
    let settings = race::Settings::new(args.seconds, args.passes, args.seed)?;
    let mut results = Vec::new();
    for definition in definitions(args)? {
        let puzzles = definition.puzzles(args.boxes)?;
        let (supported, unsupported) = contestants(&definition, &puzzles);
        if supported.is_empty() && unsupported.is_empty() {
            return Err(CliError::new(format!(
                "{}: no selected solver supports this task",
                definition.name
            ))
            .hint("--task explain needs the solver logic; the other tasks need other solvers"));
        }
        // Solvers that were not named explicitly are skipped silently.
        let skipped = unsupported.iter().filter(|_| !definition.solvers.is_empty());
        for (contestant, order) in skipped {
            eprintln!("{}: {} does not support {order} grids", definition.name, contestant.name());
        }
        let scores = race::run(&puzzles, &supported, &definition, &settings);
        let result = report::BenchResult { definition, puzzles: puzzles.len(), scores };
        console::print(format_args!(
            "{}",
            if args.json { result.json(&settings) } else { result.table() }
        ));
        for wrong in result.scores.iter().flat_map(|score| &score.wrong_examples) {
            eprintln!("{}: {wrong}", result.definition.name);
        }
        results.push(result);
    }
    if let Some(file) = &args.record {
        let record = report::record(&results, &settings);
        write_file(file, record)?;
    }
    let wrong: u64 =
        results.iter().flat_map(|result| &result.scores).map(|score| score.wrong).sum();
    if wrong > 0 {
        eprintln!("{}", humanize::count(wrong, "answer was wrong", "answers were wrong"));
        return Ok(Verdict::No);
    }
    Ok(Verdict::Yes)
}

/// The benchmarks in all files. Options override their settings.
fn definitions(args: &Args) -> Result<Vec<Definition>, CliError> {
    let mut definitions = Vec::new();
    for file in &args.files {
        definitions.extend(Definition::from_file(file)?);
    }
    if let Some(text) = &args.filter {
        let names: Vec<String> =
            definitions.iter().map(|definition| definition.name.clone()).collect();
        definitions.retain(|definition| definition.name.contains(text.as_str()));
        if definitions.is_empty() {
            return Err(CliError::new(format!("no benchmark name contains {text:?}"))
                .hint(format!("the names are {}", names.join(", "))));
        }
    }
    for definition in &mut definitions {
        definition.task = args.task.unwrap_or(definition.task);
        definition.solutions = args.expect.or(definition.solutions);
        if !args.solvers.is_empty() {
            definition.solvers = args.solvers.clone();
        }
    }
    Ok(definitions)
}

/// A solver that does not support a size in the list.
type Unsupported = (Box<dyn Contestant>, Order);

/// The selected solvers that support all sizes in the list, and the others.
fn contestants(
    definition: &Definition,
    puzzles: &[ninefold::grid::Grid],
) -> (Vec<Box<dyn Contestant>>, Vec<Unsupported>) {
    let mut orders: Vec<Order> = puzzles.iter().map(|puzzle| puzzle.order()).collect();
    orders.sort_unstable();
    orders.dedup();
    let (mut supported, mut unsupported) = (Vec::new(), Vec::new());
    for contestant in contestant::all() {
        let chosen = definition.solvers.is_empty()
            || definition.solvers.iter().any(|name| name == contestant.name());
        if !chosen || !contestant.can_do(definition.task) {
            continue;
        }
        match orders.iter().find(|&&order| !contestant.supports(order)) {
            Some(&order) => unsupported.push((contestant, order)),
            None => supported.push(contestant),
        }
    }
    (supported, unsupported)
}
