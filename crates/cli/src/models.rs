//! `ninefold models`: which networks there are, and one of them as a file for other programs.

use crate::console;
use crate::console::tell;
use crate::error::CliError;
use crate::output::write_file;
use crate::train::explained;
use crate::verdict::Verdict;
use crate::words;
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use neural::inference::decoding::Decoding;
use neural::registry::{self, FileFormat, ModelEntry, Weights};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// List the networks that can be trained and asked
///
/// With a name, print the experiment that trains it: a TOML file for `ninefold train --config` that holds all settings. With
/// --export, write the network into a file: `ninefold models --export onnx rrn rrn.onnx`.
#[derive(Args, Debug)]
pub struct Options {
    /// Print the default experiment of this model
    #[arg(value_name = "NAME", hide_possible_values = true, value_parser = names())]
    name: Option<String>,

    /// The file to write
    #[arg(value_name = "FILE", requires = "export")]
    file: Option<PathBuf>,

    /// Write the network with its weights: `onnx` for other programs, `safetensors` for this one
    #[arg(long, value_name = "FORMAT", requires = "name", requires = "file")]
    export: Option<ExportFormat>,

    /// Take the weights from a file of `train` or of --export, instead of those that come with the program
    #[arg(long, value_name = "FILE", requires = "export")]
    weights: Option<PathBuf>,

    /// Answer with one JSON object per line
    #[arg(long)]
    json: bool,
}

/// What --export writes.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ExportFormat {
    Onnx,
    Safetensors,
}

/// Prints the list or one experiment, or writes a network into a file.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    if let (Some(name), Some(file), Some(format)) = (&options.name, &options.file, options.export) {
        return export(entry(name), file, format, options.weights.as_deref());
    }
    match &options.name {
        Some(name) => console::print(format_args!("{}", entry(name).recipe())),
        None if options.json => registry::all().iter().for_each(|entry| tell!("{}", json(entry))),
        None => {
            tell!(
                "{:<21} {:>10}  {:<6} {:<13} {:<8} paper",
                "name",
                "parameters",
                "sizes",
                "fills",
                "weights"
            );
            registry::all().iter().for_each(|entry| tell!("{}", line(entry)));
        }
    }
    Ok(Verdict::Yes)
}

fn export(
    entry: &ModelEntry,
    file: &Path,
    format: ExportFormat,
    weights: Option<&Path>,
) -> Result<Verdict, CliError> {
    let format = match format {
        ExportFormat::Onnx => FileFormat::Onnx,
        ExportFormat::Safetensors => FileFormat::Safetensors,
    };
    let weights = weights.map_or(Weights::Shipped, Weights::File);
    let bytes = entry.export(weights, format).map_err(|error| explained(&error))?;
    write_file(file, &bytes)?;
    tell!("{}: {}, {} bytes", file.display(), entry.name, words::thousands(bytes.len() as u64));
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
