//! The training loop. It drives every model through the trait [`Learner`].
//!
//! ```text
//! repeat:
//!   evaluate, if an evaluation is due
//!   learner finished?               leave the loop
//!   take one optimizer step; write a metrics line every few steps
//!   stop request or time limit?     leave the loop, unless this was the last step
//!   write a checkpoint every minute
//! write a checkpoint and the weights
//! ```
//! A resumed run is byte-identical to an uninterrupted one: learners draw all random numbers from
//! the seed and the number of the step, never from a stream that has to be continued. The first
//! checkpoint is written before the examples are made, which may take minutes.

use crate::checkpoint::{self, CheckpointError, Metadata, Progress, Tensors};
use crate::curves;
use crate::data::DataError;
use crate::experiment::{self, ExperimentError};
use crate::metrics::{self, Line, Metrics};
use crate::stop::Stop;
use ninefold_checkpoint::quantise::Precision;
use serde::Serialize;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The file that a run is resumed from.
pub const CHECKPOINT: &str = "checkpoint.safetensors";
/// The trained weights, written when a run ends.
pub const WEIGHTS: &str = "weights.safetensors";
/// The default time between checkpoints. A crash loses at most the work of this time.
pub const CHECKPOINT_EVERY: Duration = Duration::from_secs(60);

/// Making the examples is not ended by a shorter time limit. So even a run with a very short limit
/// takes a step, if its examples are made in this time.
const MIN_LOADING_TIME: Duration = Duration::from_secs(2);

/// Options of a run, apart from its experiment.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TrainOptions<'a> {
    /// Changes to the recipe of the model, as TOML. A resumed run without changes keeps the
    /// experiment of its checkpoint.
    pub changes: Option<&'a str>,
    /// The directory of the run.
    pub directory: &'a Path,
    /// Stop after this time, with a checkpoint.
    pub time: Option<Duration>,
    /// Resume the run in the directory.
    pub resume: bool,
    /// Threads that make examples.
    pub threads: usize,
    /// The commit of the program, for the metadata of the files.
    pub commit: &'a str,
    /// Time between checkpoints.
    pub checkpoint_every: Duration,
    /// Another thread sets this to true to stop the run after the current step, with a checkpoint.
    pub stop: Option<&'a AtomicBool>,
}

impl<'a> TrainOptions<'a> {
    /// Options of a new run of the recipe: no time limit, and one thread that makes examples.
    pub fn new(directory: &'a Path) -> TrainOptions<'a> {
        TrainOptions {
            changes: None,
            directory,
            time: None,
            resume: false,
            threads: 1,
            commit: "",
            checkpoint_every: CHECKPOINT_EVERY,
            stop: None,
        }
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrainOutcome {
    /// Training is complete.
    Finished,
    /// The time limit was reached; the run can be resumed.
    TimeLimit,
    /// The run was asked to stop; it can be resumed.
    Stopped,
}

/// Why a run cannot start, resume or continue.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    /// The experiment cannot be run.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// The examples cannot be made or read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A checkpoint or a file of weights cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A new run was started in the directory of another one.
    #[error("{0} already contains a run")]
    Occupied(String),
    /// There is no checkpoint to resume from.
    #[error("{0} contains no run to resume")]
    NothingToResume(String),
    /// A file of the run cannot be written.
    #[error("{path}: {error}")]
    File {
        /// The file or directory.
        path: String,
        /// The error of the system.
        error: io::Error,
    },
    /// The loss or the gradient is not finite.
    #[error("the loss is not a number after step {step}; a lower learning rate may help")]
    Diverged {
        /// Steps taken.
        step: u64,
    },
}

/// A checkpoint to resume from.
#[derive(Clone, Debug)]
pub struct Saved {
    /// The model, the experiment and the progress of the run.
    pub metadata: Metadata,
    /// Weights and optimizer state.
    pub tensors: Tensors,
    /// The directory of the run.
    pub directory: PathBuf,
}

/// A model in training, with its optimizer and its examples.
pub trait Learner {
    /// The settings of a run, which all its files contain.
    type Experiment: Serialize;

    /// Steps between two lines of the metrics.
    const STEPS_PER_LINE: u64;

    /// The settings of this run.
    fn experiment(&self) -> &Self::Experiment;

    /// The precision of the trained weights. Checkpoints are always exact.
    fn precision(&self) -> Precision;

    /// Makes or reads the examples. Called once, before the first step. When the run has to stop
    /// meanwhile, the error is [`DataError::Stopped`].
    fn load_data(&mut self, threads: usize, stop: Stop<'_>) -> Result<(), TrainError>;

    /// Whether training is complete.
    fn is_finished(&self) -> bool;

    /// Takes one optimizer step.
    fn step(&mut self) -> Result<(), TrainError>;

    /// The measurements since the last line.
    fn line(&mut self) -> Result<Line, TrainError>;

    /// Called before every step and after the last one: evaluates, and ends epochs and stages,
    /// where that is due.
    fn evaluate_if_due(&mut self, log: &mut Log<'_>) -> Result<(), TrainError>;

    /// Called when the time limit ends the run.
    fn at_time_limit(&mut self, _log: &mut Log<'_>) -> Result<(), TrainError> {
        Ok(())
    }

    /// Everything to resume from, except [`Learner::progress`].
    fn checkpoint(&mut self) -> Result<Tensors, TrainError>;

    /// The progress of the run, except the number of metrics lines, which the loop counts.
    fn progress(&self) -> Progress;

    /// The trained weights.
    fn weights(&self) -> Tensors;

    /// A file to write with every checkpoint: its name and its tensors.
    fn extra_file(&self) -> Option<(&'static str, Tensors)> {
        None
    }
}

/// The log of a run: its metrics and the results of its evaluations.
pub struct Log<'a> {
    directory: &'a Path,
    /// None until the examples are loaded.
    metrics: Option<Metrics>,
    lines: usize,
    report: &'a mut dyn FnMut(&Line),
}

impl Log<'_> {
    /// Adds a line to the metrics and reports it.
    pub fn record(&mut self, line: &Line) -> Result<(), TrainError> {
        (self.report)(line);
        self.lines += 1;
        let Some(metrics) = &self.metrics else { return Ok(()) };
        metrics.add(line).map_err(|error| self.file_error(metrics::FILE, error))
    }

    /// Appends a line of JSON to another file of the run.
    pub fn append_json(&mut self, file: &str, line: &impl Serialize) -> Result<(), TrainError> {
        let line = serde_json::to_string(line).expect("a log line is plain JSON");
        let path = self.directory.join(file);
        let opened = OpenOptions::new().create(true).append(true).open(path);
        opened
            .and_then(|mut file| writeln!(file, "{line}"))
            .map_err(|error| self.file_error(file, error))
    }

    fn file_error(&self, file: &str, error: io::Error) -> TrainError {
        TrainError::File { path: self.directory.join(file).display().to_string(), error }
    }
}

/// The checkpoint to resume from, or none for a new run in an empty directory.
pub fn saved(model: &str, options: &TrainOptions<'_>) -> Result<Option<Saved>, TrainError> {
    let path = options.directory.join(CHECKPOINT);
    let directory = || options.directory.display().to_string();
    match (options.resume, path.exists()) {
        (false, false) => Ok(None),
        (false, true) => Err(TrainError::Occupied(directory())),
        (true, false) => Err(TrainError::NothingToResume(directory())),
        (true, true) => {
            let (metadata, tensors) = checkpoint::read(&path)?;
            metadata.expect_model(model)?;
            Ok(Some(Saved { metadata, tensors, directory: options.directory.to_path_buf() }))
        }
    }
}

/// Trains until the learner is finished, the time limit is reached or the run is asked to stop.
/// The learner is new or made from [`saved`]; `model` is its name in the metadata.
pub fn run<L: Learner>(
    model: &str,
    options: &TrainOptions<'_>,
    learner: &mut L,
    report: &mut dyn FnMut(&Line),
) -> Result<TrainOutcome, TrainError> {
    let lines = learner.progress().lines;
    let log = Log { directory: options.directory, metrics: None, lines, report };
    let stop = Stop::new(options.stop, options.time);
    let mut run = Run { model, options, stop, learner, log };
    if let Some(outcome) = run.begin()? {
        return Ok(outcome);
    }
    let outcome = run.train()?;
    run.save()?;
    run.write_results()?;
    Ok(outcome)
}

struct Run<'a, L> {
    model: &'a str,
    options: &'a TrainOptions<'a>,
    stop: Stop<'a>,
    learner: &'a mut L,
    log: Log<'a>,
}

impl<L: Learner> Run<'_, L> {
    /// Returns an outcome if the run stops before the examples are made. A new run has its first
    /// checkpoint then, from which it can be resumed.
    fn begin(&mut self) -> Result<Option<TrainOutcome>, TrainError> {
        let directory = self.options.directory;
        let failed = |error| TrainError::File { path: directory.display().to_string(), error };
        if !self.options.resume {
            std::fs::create_dir_all(directory).map_err(failed)?;
            self.save()?;
        }
        let time = self.options.time.map(|time| time.max(MIN_LOADING_TIME));
        let stop = Stop::new(self.options.stop, time);
        let loaded = self.learner.load_data(self.options.threads, stop);
        if let Err(TrainError::Data(DataError::Stopped)) = loaded {
            return Ok(Some(match self.stop.is_requested() {
                true => TrainOutcome::Stopped,
                false => TrainOutcome::TimeLimit,
            }));
        }
        if let Err(error) = loaded {
            if !self.options.resume {
                self.remove_new_run();
            }
            return Err(error);
        }
        let experiment = experiment::to_toml(self.learner.experiment());
        ninefold_files::write(directory.join("experiment.toml"), experiment).map_err(failed)?;
        self.log.metrics = Some(Metrics::open(directory, self.log.lines).map_err(failed)?);
        Ok(None)
    }

    fn train(&mut self) -> Result<TrainOutcome, TrainError> {
        let mut saved = Instant::now();
        loop {
            self.learner.evaluate_if_due(&mut self.log)?;
            if self.learner.is_finished() {
                return Ok(TrainOutcome::Finished);
            }
            self.learner.step()?;
            if self.learner.progress().step.is_multiple_of(L::STEPS_PER_LINE) {
                let line = self.learner.line()?;
                self.log.record(&line)?;
            }
            if self.learner.is_finished() {
                continue;
            }
            if self.stop.is_requested() {
                return Ok(TrainOutcome::Stopped);
            }
            if self.stop.is_time_up() {
                self.learner.at_time_limit(&mut self.log)?;
                return Ok(TrainOutcome::TimeLimit);
            }
            if saved.elapsed() >= self.options.checkpoint_every {
                self.save()?;
                saved = Instant::now();
            }
        }
    }

    fn metadata(&self) -> Metadata {
        let progress = Progress { lines: self.log.lines, ..self.learner.progress() };
        Metadata::new(self.model, self.learner.experiment(), self.options.commit, &progress)
    }

    fn save(&mut self) -> Result<(), TrainError> {
        let directory = self.options.directory;
        let tensors = self.learner.checkpoint()?;
        // The checkpoint contains the number of lines, so they are synced to disk first.
        if let Some(metrics) = &self.log.metrics {
            metrics.sync().map_err(|error| self.log.file_error(metrics::FILE, error))?;
        }
        let metadata = self.metadata();
        checkpoint::save(&directory.join(CHECKPOINT), &metadata, &tensors, Precision::F32)?;
        if let Some((name, tensors)) = self.learner.extra_file() {
            checkpoint::save(&directory.join(name), &metadata, &tensors, Precision::F32)?;
        }
        Ok(())
    }

    /// Writes the weights, and the metrics as a table and as a picture.
    fn write_results(&self) -> Result<(), TrainError> {
        let directory = self.options.directory;
        let (metadata, weights) = (self.metadata(), self.learner.weights());
        checkpoint::save(&directory.join(WEIGHTS), &metadata, &weights, self.learner.precision())?;
        let lines =
            Metrics::read(directory).map_err(|error| self.log.file_error(metrics::FILE, error))?;
        let results = [
            ("metrics.csv", metrics::csv(&lines)),
            ("curves.svg", curves::of_run(self.model, &lines)),
        ];
        for (name, text) in results {
            ninefold_files::write(directory.join(name), text)
                .map_err(|error| self.log.file_error(name, error))?;
        }
        Ok(())
    }

    /// Removes the files of a run that has not started. A directory with other files remains.
    fn remove_new_run(&self) {
        let directory = self.options.directory;
        let extra = self.learner.extra_file().map(|(name, _)| name);
        for name in std::iter::once(CHECKPOINT).chain(extra) {
            let _ = ninefold_files::remove(directory.join(name));
        }
        let _ = std::fs::remove_dir(directory);
    }
}
