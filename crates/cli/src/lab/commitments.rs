//! `ninefold lab commitments`: does a network think in rules?

use crate::console::{self, tell};
use crate::error::CliError;
use crate::verdict::Verdict;
use crate::{evaluate, models, train};
use clap::Args;
use neural::device::Device;
use neural::models::rem::commitments;
use neural::registry::Weights;
use std::path::PathBuf;

/// Hold each step of a network's thinking to the six rules of Cheewaprakobkit et al.
///
/// After each step a digit counts as struck out where its probability has fallen low. Prints how many of these decisions
/// one of the six rules explains, given what the network believed before the step, and how many of all that could be
/// struck out.
#[derive(Args, Debug)]
pub struct Options {
    /// The list, in any format; packed files are unpacked
    list: PathBuf,

    /// The network; `ninefold models` lists them
    #[arg(long, value_name = "NAME", hide_possible_values = true, default_value = "rrn", value_parser = models::solvers())]
    model: String,

    /// Its weights [default: those that come with the program]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    /// Steps to watch at most
    #[arg(long, value_name = "N", default_value_t = 32)]
    steps: usize,

    /// Puzzles to think about at most
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,

    /// A digit is struck out when its probability falls below this
    #[arg(long, value_name = "P", default_value_t = 0.01, value_parser = a_probability)]
    least: f32,

    /// Answer with a JSON object
    #[arg(long)]
    json: bool,
}

fn a_probability(text: &str) -> Result<f32, String> {
    let number: f32 = text.parse().map_err(|_| format!("{text} is not a number"))?;
    if number > 0.0 && number < 1.0 {
        Ok(number)
    } else {
        Err("a probability is between 0 and 1".to_string())
    }
}

/// Watches one network.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    let weights = options.weights.as_deref().map_or(Weights::Shipped, Weights::File);
    let loaded = models::entry(&options.model)
        .load(weights, Device::Cpu)
        .map_err(|error| train::explained(&error))?;
    let predictor = loaded.predictor.as_ref();
    let examples = evaluate::read(&options.list, predictor.order())?.first(options.limit);
    let found = commitments::of(predictor, &examples, options.steps, options.least);
    match options.json {
        true => tell!("{}", serde_json::to_string(&found).expect("numbers can be written as JSON")),
        false => console::print(format_args!("{}", found.table())),
    }
    Ok(Verdict::Yes)
}
