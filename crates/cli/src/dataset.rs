//! `ninefold dataset`: collections made ready for training, with symmetry in mind.

use crate::error::CliError;
use crate::verdict::Verdict;
use clap::{Args, Subcommand};

mod canonical;
mod multiverse;
mod neighbours;
mod split;

/// Make collections ready for training: splits by symmetry class, canonical forms, neighbours
#[derive(Args, Debug)]
pub struct Options {
    /// What to do.
    #[command(subcommand)]
    verb: DatasetVerb,
}

/// The verbs; what each does stands with its options, in its own file.
#[derive(Subcommand, Debug)]
enum DatasetVerb {
    Split(split::Split),
    Canonical(canonical::Canonical),
    Multiverse(multiverse::Multiverse),
    Neighbours(neighbours::Neighbours),
}

/// Does what was asked.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    match &options.verb {
        DatasetVerb::Split(options) => split::run(options),
        DatasetVerb::Canonical(options) => canonical::run(options),
        DatasetVerb::Multiverse(options) => multiverse::run(options),
        DatasetVerb::Neighbours(options) => neighbours::run(options),
    }
}
