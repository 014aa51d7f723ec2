//! `ninefold models`: which networks there are.

use crate::console;
use crate::console::tell;
use crate::error::CliError;
use crate::verdict::Verdict;
use crate::words;
use clap::Args;
use clap::builder::PossibleValuesParser;
use neural::inference::decoding::Decoding;
use neural::registry::{self, ModelEntry};
use serde::Serialize;

/// List the networks that can be trained and asked
///
/// With a name, print the experiment that trains it: a TOML file for `ninefold train --config` that holds all settings.
#[derive(Args, Debug)]
pub struct Options {
    /// Print the default experiment of this model
    #[arg(value_name = "NAME", hide_possible_values = true, value_parser = names())]
    name: Option<String>,

    /// Answer with one JSON object per line
    #[arg(long)]
    json: bool,
}

/// Prints the list, or one experiment.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    match &options.name {
        Some(name) => console::print(format_args!("{}", entry(name).recipe())),
        None if options.json => registry::all().iter().for_each(|entry| tell!("{}", json(entry))),
        None => {
            tell!("{:<21} {:>10}  {:<6} {:<13} {:<8} paper", "name", "parameters", "sizes", "fills", "weights");
            registry::all().iter().for_each(|entry| tell!("{}", line(entry)));
        }
    }
    Ok(Verdict::Yes)
}

/// The names of all models, for an argument.
pub fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(registry::all().iter().map(|entry| entry.name))
}

/// The names of the models that fill puzzles, for an argument.
pub fn solvers() -> PossibleValuesParser {
    PossibleValuesParser::new(registry::solvers().map(|entry| entry.name))
}

/// The model with a name that the argument parser has let through.
pub fn entry(name: &str) -> &'static ModelEntry {
    registry::by_name(name).expect("the argument parser knows the names")
}

/// The words for a way to fill a puzzle.
pub fn way(way: Decoding) -> &'static str {
    match way {
        Decoding::AtOnce => "at once",
        Decoding::CellByCell => "cell by cell",
    }
}

/// How a model fills a puzzle, if that is what it learns.
fn fills(entry: &ModelEntry) -> &'static str {
    if entry.solves() { way(entry.decoding()) } else { "no digits" }
}

fn line(entry: &ModelEntry) -> String {
    let parameters = words::thousands(entry.parameters as u64);
    let shipped = if entry.shipped_weights.is_some() { "shipped" } else { "train it" };
    format!(
        "{:<21} {parameters:>10}  {:<6} {:<13} {shipped:<8} {}",
        entry.name,
        entry.sizes,
        fills(entry),
        entry.authors
    )
}

fn json(entry: &ModelEntry) -> String {
    #[derive(Serialize)]
    struct Json<'a> {
        name: &'a str,
        paper: &'a str,
        sizes: &'a str,
        parameters: usize,
        fills: &'a str,
        weights_shipped: bool,
    }
    let line = Json {
        name: entry.name,
        paper: entry.authors,
        sizes: entry.sizes,
        parameters: entry.parameters,
        fills: fills(entry),
        weights_shipped: entry.shipped_weights.is_some(),
    };
    serde_json::to_string(&line).expect("words and numbers can be written as JSON")
}
