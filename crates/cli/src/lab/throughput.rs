//! `ninefold lab throughput`: measures training speed.

use crate::console::outln;
use crate::error::CliError;
use crate::verdict::Verdict;
use crate::{gpu, models, train};
use ninefold_neural::device::Device;
use ninefold_neural::training::throughput::{Throughput, ThroughputOptions};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;

/// Measure training speed and print it as JSON
///
/// The steps are those of `ninefold train`, on a single batch. No files are written.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Model; `ninefold models` lists the names
    #[arg(value_name = "NAME", hide_possible_values = true, value_parser = models::names())]
    name: String,

    /// TOML file with changes to the default experiment
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Number of examples in a batch [default: that of the experiment]
    #[arg(long, value_name = "N")]
    batch_size: Option<usize>,

    /// Maximum number of training steps after the first one
    #[arg(long, value_name = "N", default_value_t = 1000)]
    steps: u64,

    /// Maximum number of seconds after the first step
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    seconds: u64,

    /// Device: cpu or gpu
    #[arg(long, value_name = "DEVICE", default_value = "cpu")]
    device: Device,
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    #[derive(Serialize)]
    struct Json<'a> {
        model: &'a str,
        device: String,
        #[serde(flatten)]
        throughput: Throughput,
    }
    gpu::check(args.device)?;
    let changes = args.config.as_ref().map(train::read_config).transpose()?;
    let mut options = ThroughputOptions::default();
    options.changes = changes.as_deref();
    options.batch_size = args.batch_size;
    options.steps = args.steps;
    options.time = Duration::from_secs(args.seconds);
    let throughput = models::entry(&args.name)
        .measure(&options, args.device)
        .map_err(|error| train::model_error(&error))?;
    let line = Json { model: &args.name, device: args.device.to_string(), throughput };
    outln!("{}", serde_json::to_string(&line).expect("a result can be written as JSON"));
    Ok(Verdict::Yes)
}
