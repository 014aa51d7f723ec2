//! `ninefold dataset`: prepares collections of puzzles for training.

use crate::error::CliError;
use crate::verdict::Verdict;
use clap::Subcommand;

mod canonical;
mod multiverse;
mod neighbours;
mod split;

/// Prepare datasets: splits by symmetry class, canonical forms, neighbours
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    verb: DatasetVerb,
}

#[derive(Subcommand, Debug)]
enum DatasetVerb {
    Split(split::Args),
    Canonical(canonical::Args),
    Multiverse(multiverse::Args),
    Neighbours(neighbours::Args),
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    match &args.verb {
        DatasetVerb::Split(args) => split::run(args),
        DatasetVerb::Canonical(args) => canonical::run(args),
        DatasetVerb::Multiverse(args) => multiverse::run(args),
        DatasetVerb::Neighbours(args) => neighbours::run(args),
    }
}
