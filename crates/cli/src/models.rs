//! `ninefold models`: lists the networks and exports them.

use crate::console::{self, outln};
use crate::error::CliError;
use crate::humanize;
use crate::output::write_file;
use crate::train::model_error;
use crate::values;
use crate::verdict::Verdict;
use clap::builder::PossibleValuesParser;
use ninefold::grid::Order;
use ninefold_neural::inference::decoding::Decoding;
use ninefold_neural::registry::{self, FileFormat, ModelEntry, Weights};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// List the networks, print an experiment, or export a network
///
/// With NAME, print the default experiment: a TOML file for `ninefold train --config` with all
/// settings. With --export, write the network to a file:
/// `ninefold models --export onnx rrn rrn.onnx`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Print the default experiment of this model
    #[arg(value_name = "NAME", hide_possible_values = true, value_parser = names())]
    name: Option<String>,

    /// File to write
    #[arg(value_name = "FILE", requires = "export")]
    file: Option<PathBuf>,

    /// Write the network with its weights as onnx, for other programs, or safetensors, for ninefold
    #[arg(long, value_name = "FORMAT", requires = "name", requires = "file",
          value_parser = values::parser(FileFormat::ALL, FileFormat::name))]
    export: Option<FileFormat>,

    /// Weights, a file written by `ninefold train` or --export
    /// [default: the weights that are included in ninefold]
    #[arg(long, value_name = "FILE", requires = "export")]
    weights: Option<PathBuf>,

    /// Shape of the boxes of the grids of an ONNX file, such as 3x3; only for networks for all
    /// sizes [default: that of the weights]
    #[arg(long, value_name = "RxC", requires = "export")]
    boxes: Option<Order>,

    /// Print one JSON object per line
    #[arg(long, conflicts_with = "name")]
    json: bool,
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    if let (Some(name), Some(file), Some(format)) = (&args.name, &args.file, args.export) {
        return export(entry(name), file, format, args);
    }
    match &args.name {
        Some(name) => console::print(format_args!("{}", entry(name).recipe())),
        None if args.json => registry::all().iter().for_each(|entry| outln!("{}", json(entry))),
        None => {
            outln!(
                "{:<21} {:>10}  {:<6} {:<13} {:<8} paper",
                "name",
                "parameters",
                "sizes",
                "fills",
                "weights"
            );
            registry::all().iter().for_each(|entry| outln!("{}", line(entry)));
        }
    }
    Ok(Verdict::Yes)
}

fn export(
    entry: &ModelEntry,
    file: &Path,
    format: FileFormat,
    args: &Args,
) -> Result<Verdict, CliError> {
    if args.boxes.is_some() && format != FileFormat::Onnx {
        return Err(CliError::new("--boxes requires --export onnx"));
    }
    let weights = args.weights.as_deref().map_or(Weights::Shipped, Weights::File);
    let bytes = entry.export(weights, format, args.boxes).map_err(|error| model_error(&error))?;
    write_file(file, &bytes)?;
    outln!("{}: {}, {} bytes", file.display(), entry.name, humanize::thousands(bytes.len() as u64));
    Ok(Verdict::Yes)
}

/// A parser for the names of all models.
pub fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(registry::all().iter().map(|entry| entry.name))
}

/// A parser for the names of the models that solve puzzles.
pub fn solvers() -> PossibleValuesParser {
    PossibleValuesParser::new(registry::solvers().map(|entry| entry.name))
}

/// The model with a name that the argument parser has accepted.
pub fn entry(name: &str) -> &'static ModelEntry {
    registry::by_name(name).expect("the argument parser knows the names")
}

pub fn decoding_text(decoding: Decoding) -> &'static str {
    match decoding {
        Decoding::AtOnce => "at once",
        Decoding::CellByCell => "cell by cell",
    }
}

/// The decoding of a model, if it solves puzzles.
fn fills(entry: &ModelEntry) -> &'static str {
    if entry.solves() { decoding_text(entry.decoding()) } else { "no digits" }
}

fn line(entry: &ModelEntry) -> String {
    let parameters = humanize::thousands(entry.parameters as u64);
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
    serde_json::to_string(&line).expect("a model can be written as JSON")
}
