//! `ninefold train`: a network learns, and can be stopped and sent on at any time.

use crate::console::tell;
use crate::error::CliError;
use crate::verdict::Verdict;
use crate::{models, provenance, stream};
use clap::Args;
use neural::device::Device;
use neural::registry::{ModelError, TrainingJob};
use neural::training::data::DataError;
use neural::training::metrics::Line;
use neural::training::train::{CHECKPOINT_EVERY, Ending, TrainError, WEIGHTS};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

mod live;

use live::Live;

/// Train a network
///
/// The folder of a run holds its checkpoint, the experiment with all settings, one line of JSON for each measurement
/// and, when it has finished or was stopped, the weights, the measurements as CSV and the curves. A checkpoint is made at
/// the start, every minute, and when the run is stopped by --minutes, Ctrl+C or SIGTERM. A run that was stopped, in one
/// of these ways or by a crash, goes on with --resume as if nothing had happened.
#[derive(Args, Debug)]
pub struct Options {
    /// The model; `ninefold models` lists them
    #[arg(value_name = "NAME", hide_possible_values = true, value_parser = models::names())]
    name: String,

    /// What differs from the model's default experiment, as TOML; `ninefold models NAME` prints the default
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Stop after this many minutes, with a checkpoint
    #[arg(long, value_name = "M", value_parser = minutes)]
    minutes: Option<Duration>,

    /// The folder of the run [default: runs/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Go on with the run in the folder
    #[arg(long)]
    resume: bool,

    /// Where to compute: cpu or gpu
    #[arg(long, value_name = "WHERE", default_value = "cpu")]
    device: Device,

    /// Print nothing to stderr but errors
    #[arg(long, short)]
    quiet: bool,
}

/// Trains, says how it goes, and where the result lies.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    let folder = options.out.clone().unwrap_or_else(|| PathBuf::from("runs").join(&options.name));
    let changes = options.config.as_ref().map(read_config).transpose()?;
    let job = TrainingJob {
        changes: changes.as_deref(),
        folder: &folder,
        time: options.minutes,
        resume: options.resume,
        device: options.device,
        threads: stream::all_cores(),
        commit: &provenance::commit(),
        checkpoint_every: CHECKPOINT_EVERY,
        stop: Some(&STOP),
    };
    stop_when_asked(options.quiet)?;
    let mut live = Live::new(options.quiet, options.minutes);
    let ending = models::entry(&options.name).train(&job, &mut |line: &Line| live.tell(line));
    live.clear();
    match ending.map_err(|error| explained(&error))? {
        Ending::Finished => tell!("{}", folder.join(WEIGHTS).display()),
        Ending::OutOfTime => {
            if !options.quiet {
                eprintln!("the time is up; --resume goes on with {}", folder.display());
            }
        }
        Ending::Stopped => {
            let words = format!("the run was stopped; {} holds its checkpoint", folder.display());
            return Err(CliError::new(words).hint("--resume goes on with it"));
        }
    }
    Ok(Verdict::Yes)
}

/// Becomes true when somebody asks us to stop.
static STOP: AtomicBool = AtomicBool::new(false);

/// Lets Ctrl+C and SIGTERM stop the run with a checkpoint; a second one ends it at once.
fn stop_when_asked(quiet: bool) -> Result<(), CliError> {
    let asked = move || {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(Verdict::Trouble as i32);
        }
        if !quiet {
            eprintln!("\nstopping after this step, with a checkpoint; once more stops at once");
        }
    };
    ctrlc::set_handler(asked)
        .map_err(|error| CliError::new(format!("signals cannot be caught: {error}")))
}

/// The text of a file that says what differs from the default experiment.
pub fn read_config(path: &PathBuf) -> Result<String, CliError> {
    std::fs::read_to_string(path).map_err(|error| {
        CliError::new(format!("{} cannot be read: {error}", path.display()))
            .hint("leave --config out to train as the paper did")
    })
}

/// An error of the neural crate with a way on.
pub fn explained(error: &ModelError) -> CliError {
    let shown = CliError::new(error.to_string());
    match error {
        ModelError::NoGpu(_) => shown.hint("--device cpu computes on the processor"),
        ModelError::Experiment(_) | ModelError::Train(TrainError::Experiment(_)) => {
            shown.hint("`ninefold models NAME` prints an experiment with all its settings")
        }
        ModelError::Train(TrainError::Occupied(_)) => {
            shown.hint("go on with it by --resume, or choose another --out")
        }
        ModelError::Train(TrainError::NothingToResume(_)) => {
            shown.hint("leave --resume out to begin a new run")
        }
        ModelError::Train(TrainError::Data(DataError::WrongOrder(_) | DataError::NotFour(_))) => {
            shown.hint("the sources kocherzhenko and minimal make puzzles of every size")
        }
        ModelError::Train(TrainError::Data(DataError::List { .. })) => shown.hint(SPLIT),
        ModelError::NotShipped(_) => {
            shown.hint("`ninefold train` makes weights; --weights FILE reads them")
        }
        ModelError::Checkpoint(_) | ModelError::Train(TrainError::Checkpoint(_)) => {
            shown.hint("`ninefold train` makes new weights; nothing was changed")
        }
        ModelError::NotDrawn(_) => shown.hint("--export safetensors writes every network"),
        ModelError::Train(_) => shown,
    }
}

/// Where the lists of an experiment come from.
pub const SPLIT: &str = "`ninefold dataset split --by solution LIST --into data/17_clue --parts train=80,validation=10,test=10` makes \
                         these lists; `lists` in the experiment names others";

fn minutes(text: &str) -> Result<Duration, String> {
    let minutes: f64 =
        text.parse().map_err(|_| "a number of minutes is needed, for example 2.5".to_string())?;
    Duration::try_from_secs_f64(60.0 * minutes)
        .map_err(|_| "a number of minutes is 0 or more".to_string())
}
