//! `ninefold lab throughput`: how fast does a network learn?

use crate::console::tell;
use crate::error::CliError;
use crate::verdict::Verdict;
use crate::{models, train};
use clap::Args;
use neural::device::Device;
use neural::training::throughput::{Probe, Throughput};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;

/// Measure how fast a network learns, and print it as JSON
///
/// The steps are those of `train`, on one batch that is learned again and again. Nothing is written.
#[derive(Args, Debug)]
pub struct Options {
    /// The model; `ninefold models` lists them
    #[arg(value_name = "NAME", hide_possible_values = true, value_parser = models::names())]
    name: String,

    /// What differs from the model's default experiment, as TOML
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Examples for one step [default: as in the experiment]
    #[arg(long, value_name = "N")]
    batch: Option<usize>,

    /// Steps to measure at most, after the first
    #[arg(long, value_name = "N", default_value_t = 1000)]
    steps: u64,

    /// Seconds to measure at most, after the first step
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    seconds: u64,

    /// Where to compute: cpu or gpu
    #[arg(long, value_name = "WHERE", default_value = "cpu")]
    device: Device,
}

/// Measures one model.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    #[derive(Serialize)]
    struct Json<'a> {
        model: &'a str,
        device: String,
        #[serde(flatten)]
        found: Throughput,
    }
    let changes = options.config.as_ref().map(train::read_config).transpose()?;
    let probe = Probe {
        changes: changes.as_deref(),
        batch: options.batch,
        steps: options.steps,
        time: Duration::from_secs(options.seconds),
        device: options.device,
    };
    let found =
        models::entry(&options.name).measure(&probe).map_err(|error| train::explained(&error))?;
    let line = Json { model: &options.name, device: options.device.to_string(), found };
    tell!("{}", serde_json::to_string(&line).expect("words and numbers can be written as JSON"));
    Ok(Verdict::Yes)
}
