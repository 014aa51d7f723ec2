//! `ninefold train`: trains a network. A run can be interrupted and resumed at any time.

use crate::console::outln;
use crate::error::CliError;
use crate::verdict::Verdict;
use crate::{gpu, models, provenance, stream};
use ninefold_neural::device::Device;
use ninefold_neural::registry::ModelError;
use ninefold_neural::training::data::DataError;
use ninefold_neural::training::metrics::Line;
use ninefold_neural::training::run::WEIGHTS;
use ninefold_neural::training::{TrainError, TrainOptions, TrainOutcome};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

mod progress;

use progress::ProgressDisplay;

/// Train a network
///
/// The directory of a run contains the checkpoint, the experiment with all settings, and the
/// metrics as JSON lines. When the run finishes or stops, the weights, the metrics as CSV and the
/// learning curves are added. A checkpoint is written at the start, every minute, and when the run
/// is stopped by --minutes, Ctrl+C or SIGTERM. --resume continues a stopped or crashed run, and the
/// result is the same as without interruption.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Model; `ninefold models` lists the names
    #[arg(value_name = "NAME", hide_possible_values = true, value_parser = models::names())]
    name: String,

    /// TOML file with changes to the default experiment, which `ninefold models NAME` prints
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Write a checkpoint and stop after this many minutes
    #[arg(long, value_name = "MINUTES", value_parser = parse_minutes)]
    minutes: Option<Duration>,

    /// Directory of the run [default: runs/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Continue the run in the directory
    #[arg(long)]
    resume: bool,

    /// Device: cpu or gpu
    #[arg(long, value_name = "DEVICE", default_value = "cpu")]
    device: Device,

    /// Print only errors to stderr
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    let directory = args.out.clone().unwrap_or_else(|| PathBuf::from("runs").join(&args.name));
    gpu::check(args.device)?;
    let changes = args.config.as_ref().map(read_config).transpose()?;
    let commit = provenance::commit();
    let mut options = TrainOptions::new(&directory);
    options.changes = changes.as_deref();
    options.time = args.minutes;
    options.resume = args.resume;
    options.threads = stream::all_cores();
    options.commit = &commit;
    options.stop = Some(&STOP);
    handle_signals(args.quiet)?;
    let mut progress = ProgressDisplay::new(args.quiet, args.minutes);
    let outcome = models::entry(&args.name)
        .train(&options, args.device, &mut |line: &Line| progress.show(line));
    progress.clear();
    match outcome.map_err(|error| model_error(&error))? {
        TrainOutcome::Finished => outln!("{}", directory.join(WEIGHTS).display()),
        TrainOutcome::TimeLimit => {
            if !args.quiet {
                eprintln!("time limit reached; continue {} with --resume", directory.display());
            }
        }
        TrainOutcome::Stopped => {
            let text = format!("the run was stopped; its checkpoint is in {}", directory.display());
            return Err(CliError::new(text).hint("continue it with --resume"));
        }
    }
    Ok(Verdict::Yes)
}

/// True after the first stop signal.
static STOP: AtomicBool = AtomicBool::new(false);

/// Ctrl+C and SIGTERM stop the run with a checkpoint. A second signal ends the process immediately.
fn handle_signals(quiet: bool) -> Result<(), CliError> {
    let handler = move || {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(Verdict::Error as i32);
        }
        if !quiet {
            eprintln!("\nstopping with a checkpoint after this step; repeat to stop immediately");
        }
    };
    ctrlc::set_handler(handler)
        .map_err(|error| CliError::new(format!("cannot install a signal handler: {error}")))
}

/// Reads the file of `--config`.
pub fn read_config(path: &PathBuf) -> Result<String, CliError> {
    std::fs::read_to_string(path).map_err(|error| {
        CliError::cannot_read(path.display(), error)
            .hint("leave out --config to use the settings of the paper")
    })
}

/// Converts an error of the neural crate.
pub fn model_error(error: &ModelError) -> CliError {
    let shown = CliError::new(error.to_string());
    match error {
        ModelError::Gpu(_) => shown.hint("use --device cpu"),
        ModelError::Experiment(_) | ModelError::Train(TrainError::Experiment(_)) => {
            shown.hint("`ninefold models NAME` prints an experiment with all settings")
        }
        ModelError::Train(TrainError::Occupied(_)) => {
            shown.hint("continue it with --resume, or use another --out")
        }
        ModelError::Train(TrainError::NothingToResume(_)) => {
            shown.hint("leave out --resume to start a new run")
        }
        ModelError::Train(TrainError::Data(DataError::NotNine(_) | DataError::NotFour(_))) => {
            shown.hint("the sources kocherzhenko and minimal generate puzzles of every size")
        }
        ModelError::Train(TrainError::Data(DataError::List { .. })) => shown.hint(SPLIT_HINT),
        ModelError::NotShipped(_) => {
            shown.hint("train weights with `ninefold train` and pass them with --weights FILE")
        }
        ModelError::Checkpoint(_) | ModelError::Train(TrainError::Checkpoint(_)) => {
            shown.hint("train new weights with `ninefold train`; no file was changed")
        }
        ModelError::NotExportable(_) => {
            shown.hint("use --export safetensors, which supports every network")
        }
        _ => shown,
    }
}

/// How to create the lists of an experiment.
pub const SPLIT_HINT: &str = "create these lists with `ninefold dataset split --by solution LIST --out data/17_clue \
                              --parts train=80,validation=10,test=10`, or set `lists` in the experiment";

fn parse_minutes(text: &str) -> Result<Duration, String> {
    let minutes: f64 =
        text.parse().map_err(|_| "expected a number of minutes, for example 2.5".to_string())?;
    Duration::try_from_secs_f64(60.0 * minutes)
        .map_err(|_| "the number of minutes cannot be negative".to_string())
}
