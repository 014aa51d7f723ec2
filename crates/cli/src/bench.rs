//! `ninefold bench`: how fast is each solver, and is it right?
//!
//! Speed is puzzles per second of CPU time, so a busy machine does little harm. Solvers take turns over small slices
//! of a list, so what harm there is hits all of them. An answer is only worth its time if it is right: every solution
//! shown is checked against the rules, and every count against the other solvers and against what is known.

use crate::console;
use crate::engine::EngineArg;
use crate::error::CliError;
use crate::output::write_file;
use crate::verdict::Verdict;
use crate::words;
use clap::Args;
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
/// Every puzzle is first rearranged by a random symmetry and the list is shuffled, so that no solver is lucky; equal
/// seeds give equal runs. The CPU time of one thread is measured. A solver that has used up its --seconds is shown as
/// capped, with the puzzles it got through.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes:
  0  yes: every answer was right
  1  no: some answer was wrong
  2  trouble: a list could not be read")]
pub struct Options {
    /// Lists with one puzzle per line (gzip is unpacked), or .toml files that define benchmarks
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,

    /// Measure this solver; may be repeated [default: all that take the sizes in the list]
    #[arg(long = "solver", value_name = "NAME", hide_possible_values = true,
          value_parser = clap::builder::PossibleValuesParser::new(contestant::names()))]
    solvers: Vec<String>,

    #[command(flatten)]
    engine: EngineArg,

    /// What to do with each puzzle [default: prove-unique]
    #[arg(long)]
    task: Option<Task>,

    /// How many solutions every puzzle has; another answer is wrong
    #[arg(long, value_name = "0|1|2+")]
    solutions: Option<Expected>,

    /// Of a .toml file, run only the benchmarks whose name contains this
    #[arg(long, value_name = "PART")]
    only: Option<String>,

    /// Seconds that each solver gets for each list
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    seconds: f64,

    /// How often to go through the list, each time rearranged anew
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    passes: u64,

    /// The seed of the rearrangement
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Shape of a box, rows x columns, where it is not the usual one
    #[arg(long, value_name = "ROWSxCOLUMNS")]
    boxes: Option<Order>,

    /// Answer with one JSON object for each list and solver
    #[arg(long)]
    json: bool,

    /// Write a record in Markdown: command, commit, compiler, processor and the raw numbers
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

/// Runs all benchmarks and prints what they show.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    options.engine.apply()?;
    let rules = race::Rules::of(options.seconds, options.passes, options.seed)?;
    let mut results = Vec::new();
    for definition in definitions(options)? {
        let puzzles = definition.puzzles(options.boxes)?;
        let (able, unable) = contestants(&definition, &puzzles);
        if able.is_empty() && unable.is_empty() {
            return Err(CliError::new(format!("{}: nobody named does this task", definition.name))
                .hint("--task explain is for logic, the other tasks are for the other solvers"));
        }
        // Nobody asked for those who only take 9×9 to run on a list of 4×4.
        let missed = unable.iter().filter(|_| !definition.solvers.is_empty());
        for (contestant, order) in missed {
            eprintln!("{}: {} does not take {order} grids", definition.name, contestant.name());
        }
        let scores = race::run(&puzzles, &able, &definition, &rules);
        let result = report::Outcome { definition, puzzles: puzzles.len(), scores };
        console::print(format_args!(
            "{}",
            if options.json { result.json(&rules) } else { result.table() }
        ));
        for wrong in result.scores.iter().flat_map(|score| &score.wrong_examples) {
            eprintln!("{}: {wrong}", result.definition.name);
        }
        results.push(result);
    }
    if let Some(file) = &options.record {
        let record = report::record(&results, &rules);
        write_file(file, record)?;
    }
    let wrong: u64 =
        results.iter().flat_map(|result| &result.scores).map(|score| score.wrong).sum();
    if wrong > 0 {
        eprintln!("{}", words::counted(wrong, "answer was wrong", "answers were wrong"));
        return Ok(Verdict::No);
    }
    Ok(Verdict::Yes)
}

/// The benchmarks in all files, as far as the options do not say otherwise.
fn definitions(options: &Options) -> Result<Vec<Definition>, CliError> {
    let mut definitions = Vec::new();
    for file in &options.files {
        definitions.extend(Definition::in_file(file)?);
    }
    if let Some(part) = &options.only {
        let names: Vec<String> =
            definitions.iter().map(|definition| definition.name.clone()).collect();
        definitions.retain(|definition| definition.name.contains(part.as_str()));
        if definitions.is_empty() {
            return Err(CliError::new(format!("no benchmark has {part:?} in its name"))
                .hint(format!("the names are {}", names.join(", "))));
        }
    }
    for definition in &mut definitions {
        definition.task = options.task.unwrap_or(definition.task);
        definition.solutions = options.solutions.or(definition.solutions);
        if !options.solvers.is_empty() {
            definition.solvers = options.solvers.clone();
        }
    }
    Ok(definitions)
}

type Unable = (Box<dyn Contestant>, Order);

/// Those who take all sizes in the list, and those who do not with the first size they do not take.
fn contestants(
    definition: &Definition,
    puzzles: &[ninefold::grid::Grid],
) -> (Vec<Box<dyn Contestant>>, Vec<Unable>) {
    let mut orders: Vec<Order> = puzzles.iter().map(|puzzle| puzzle.order()).collect();
    orders.sort_unstable();
    orders.dedup();
    let (mut able, mut unable) = (Vec::new(), Vec::new());
    for contestant in contestant::all() {
        let chosen = definition.solvers.is_empty()
            || definition.solvers.iter().any(|name| name == contestant.name());
        if !chosen || !contestant.does(definition.task) {
            continue;
        }
        match orders.iter().find(|&&order| !contestant.takes(order)) {
            Some(&order) => unable.push((contestant, order)),
            None => able.push(contestant),
        }
    }
    (able, unable)
}
