//! `ninefold lab curves`: draws the learning curves of several training runs.

use crate::console;
use crate::error::CliError;
use crate::values;
use crate::verdict::Verdict;
use ninefold_neural::training::curves::{self, Over, What};
use ninefold_neural::training::metrics::Metrics;
use std::path::{Path, PathBuf};

/// Draw the learning curves of several training runs
///
/// Prints an SVG picture to stdout. Each run is a directory written by `ninefold train`. The legend
/// contains the names of the directories.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Directories of training runs
    #[arg(value_name = "DIR", required = true)]
    runs: Vec<PathBuf>,

    /// Metrics to draw, separated by commas: loss, validation-loss, solved, epochs
    #[arg(
        long = "metric",
        value_name = "NAME,…",
        value_delimiter = ',',
        default_value = "loss,validation-loss",
        hide_possible_values = true,
        value_parser = values::parser(What::ALL, What::name)
    )]
    metrics: Vec<What>,

    /// Quantity of the x axis: steps, seconds, stages or blanks
    #[arg(long, value_name = "NAME", default_value = "steps", hide_possible_values = true,
          value_parser = values::parser(Over::ALL, Over::name))]
    x_axis: Over,

    /// Title of the picture
    #[arg(long, value_name = "TEXT", default_value = "")]
    title: String,
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    let mut runs = Vec::new();
    for directory in &args.runs {
        let failed = |error| CliError::cannot_read(directory.display(), error);
        let lines = Metrics::read(directory).map_err(failed)?;
        if lines.is_empty() {
            return Err(CliError::new(format!(
                "{} contains no metrics of a training run",
                directory.display()
            ))
            .hint("pass directories written by `ninefold train --out`"));
        }
        runs.push((name_of(directory), lines));
    }
    console::print(format_args!(
        "{}",
        curves::of_runs(&args.title, &runs, &args.metrics, args.x_axis)
    ));
    Ok(Verdict::Yes)
}

fn name_of(directory: &Path) -> String {
    directory.file_name().unwrap_or(directory.as_os_str()).to_string_lossy().into_owned()
}
