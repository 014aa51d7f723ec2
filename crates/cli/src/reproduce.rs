//! `ninefold reproduce`: repeats a result of the papers by one command, from the puzzle lists to a
//! table that shows the paper, our record and this run side by side.

mod lists;
mod recipe;
mod report;
mod runner;

use crate::console::outln;
use crate::error::CliError;
use crate::gpu;
use crate::verdict::Verdict;
use ninefold_neural::device::Device;
use recipe::{Mode, Recipe};
use std::path::PathBuf;

/// Reproduce a result of the papers by one command
///
/// Without a name, the command lists the results. Each one has a recipe: it prepares the puzzle
/// lists, trains the networks in order, measures them, and prints the numbers of the paper, of
/// Ninefold's record and of this run side by side. Data, runs and outputs are in the directory of
/// --out. A recipe that was interrupted continues when the same command is given again.
#[derive(clap::Args, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    /// Result; without it, the command lists all
    #[arg(value_name = "NAME")]
    name: Option<String>,

    /// Directory with the puzzle lists that cannot be generated quickly
    #[arg(long, value_name = "DIR")]
    lists: Option<PathBuf>,

    /// Generate every list that is not in the directory of --lists, which can take hours
    #[arg(long)]
    generate_lists: bool,

    /// Directory for data, runs and outputs [default: reproduce/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Measure the weights that are included in ninefold, without training
    #[arg(long, conflicts_with = "tiny")]
    shipped: bool,

    /// Take every step with few puzzles, small networks and generated lists; the numbers have no
    /// meaning
    #[arg(long)]
    tiny: bool,

    /// Device for training and measuring: cpu or gpu
    #[arg(long, value_name = "DEVICE", default_value = "cpu")]
    device: Device,

    /// Print the commands instead of running them
    #[arg(long)]
    dry_run: bool,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

const HELP: &str = "\
Exit codes:
  0  everything was measured, and numbers that must be exact are equal to our record
  1  a number that must be exact differs
  2  a list is missing, or a step failed";

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    let Some(name) = &args.name else {
        report::print_recipes(args.json);
        return Ok(Verdict::Yes);
    };
    let recipe = Recipe::named(name)?;
    gpu::check(args.device)?;
    let mode = match (args.tiny, args.shipped) {
        (true, _) => Mode::Tiny,
        (_, true) => Mode::Shipped,
        _ => Mode::Full,
    };
    let steps = recipe.commands(mode, args.device)?;
    if args.dry_run {
        for step in &steps {
            outln!("{}", step.shown());
        }
        return Ok(Verdict::Yes);
    }
    let directory = args
        .out
        .clone()
        .unwrap_or_else(|| PathBuf::from("reproduce").join(format!("{name}{}", mode.suffix())));
    let lists = lists::Lists { directory: args.lists.as_deref(), generate: args.generate_lists };
    runner::run(&recipe, &steps, mode, &lists, &directory)?;
    let results = report::results(&recipe, mode, &directory)?;
    report::write(&recipe, mode, &results, &directory, args.json)
}
