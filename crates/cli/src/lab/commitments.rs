//! `ninefold lab commitments`: compares the decisions of a network with the six rules.

use crate::console::{self, outln};
use crate::error::CliError;
use crate::verdict::Verdict;
use crate::{evaluate, models, train};
use ninefold_neural::device::Device;
use ninefold_neural::models::rem::commitments;
use ninefold_neural::registry::Weights;
use std::path::PathBuf;

/// Compare the iterations of a network with the six rules of Cheewaprakobkit et al.
///
/// A digit counts as eliminated when its probability falls below --threshold. Prints how many of
/// these eliminations one of the six rules explains, given the state of the network before the
/// iteration, and the share among all possible eliminations.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// List of puzzles in any format
    list: PathBuf,

    /// Network; `ninefold models` lists the names
    #[arg(long, value_name = "NAME", hide_possible_values = true, default_value = "rrn", value_parser = models::solvers())]
    model: String,

    /// Weights, a file written by `ninefold train`
    /// [default: the weights that are included in ninefold]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    /// Maximum number of iterations for each puzzle
    #[arg(long, value_name = "N", default_value_t = 32)]
    iterations: usize,

    /// Read only the first N puzzles
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,

    /// Probability below which a digit counts as eliminated
    #[arg(long, value_name = "P", default_value_t = 0.01, value_parser = parse_probability)]
    threshold: f32,

    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

fn parse_probability(text: &str) -> Result<f32, String> {
    let number: f32 = text.parse().map_err(|_| format!("{text:?} is not a number"))?;
    if number > 0.0 && number < 1.0 {
        Ok(number)
    } else {
        Err("expected a number between 0 and 1".to_string())
    }
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    let weights = args.weights.as_deref().map_or(Weights::Shipped, Weights::File);
    let loaded = models::entry(&args.model)
        .load(weights, Device::Cpu)
        .map_err(|error| train::model_error(&error))?;
    let predictor = loaded.predictor.as_ref();
    let examples = evaluate::read(&args.list, predictor.order())?.first(args.limit);
    let report = commitments::measure(predictor, &examples, args.iterations, args.threshold);
    match args.json {
        true => {
            outln!("{}", serde_json::to_string(&report).expect("numbers can be written as JSON"))
        }
        false => console::print(format_args!("{}", report.table())),
    }
    Ok(Verdict::Yes)
}
