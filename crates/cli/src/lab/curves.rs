//! `ninefold lab curves`: several runs in one picture.

use crate::console;
use crate::error::CliError;
use crate::verdict::Verdict;
use clap::{Args, ValueEnum};
use neural::training::curves::{self, Over, What};
use neural::training::metrics::Metrics;
use std::path::{Path, PathBuf};

/// Draw the curves of several runs in one picture
///
/// The picture is SVG and goes to stdout. Each run is a folder of `ninefold train`; its name in the legend is that of
/// the folder.
#[derive(Args, Debug)]
pub struct Options {
    /// Folders of runs
    #[arg(value_name = "DIR", required = true)]
    runs: Vec<PathBuf>,

    /// What to draw: loss, validation-loss, solved or epochs; several with commas
    #[arg(
        long,
        value_name = "WHAT",
        value_delimiter = ',',
        default_value = "loss,validation-loss",
        hide_possible_values = true
    )]
    what: Vec<WhatWord>,

    /// What to draw it over: steps, seconds, stages or blanks
    #[arg(long, value_name = "AXIS", default_value = "steps", hide_possible_values = true)]
    over: OverWord,

    /// The title
    #[arg(long, value_name = "WORDS", default_value = "")]
    title: String,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum WhatWord {
    Loss,
    ValidationLoss,
    Solved,
    Epochs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum OverWord {
    Steps,
    Seconds,
    Stages,
    Blanks,
}

/// Reads all runs and draws them.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    let mut runs = Vec::new();
    for folder in &options.runs {
        let failed = |error| CliError::new(format!("{} cannot be read: {error}", folder.display()));
        let lines = Metrics::read(folder).map_err(failed)?;
        if lines.is_empty() {
            return Err(CliError::new(format!(
                "{} holds no measurements of a run",
                folder.display()
            ))
            .hint("name folders that `ninefold train --out` has filled"));
        }
        runs.push((name_of(folder), lines));
    }
    let whats: Vec<What> = options.what.iter().map(|word| word.meaning()).collect();
    console::print(format_args!(
        "{}",
        curves::of_runs(&options.title, &runs, &whats, options.over.meaning())
    ));
    Ok(Verdict::Yes)
}

fn name_of(folder: &Path) -> String {
    folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned()
}

impl WhatWord {
    fn meaning(self) -> What {
        match self {
            WhatWord::Loss => What::Loss,
            WhatWord::ValidationLoss => What::ValidationLoss,
            WhatWord::Solved => What::Solved,
            WhatWord::Epochs => What::Epochs,
        }
    }
}

impl OverWord {
    fn meaning(self) -> Over {
        match self {
            OverWord::Steps => Over::Steps,
            OverWord::Seconds => Over::Seconds,
            OverWord::Stages => Over::Stages,
            OverWord::Blanks => Over::Blanks,
        }
    }
}
