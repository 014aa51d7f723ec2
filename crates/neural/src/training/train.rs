//! Training: one loop that knows no model by name.
//!
//! ```text
//! for each stage:   the examples, with as many cells deleted as the stage says
//!   for each epoch:   all examples in a new random order
//!     for each batch:   forward, loss, backward, one step of Adam (where puzzles are carried: see `carry`)
//!     validation loss; the stage ends early when it has not improved for `patience` epochs
//!   share of validation puzzles solved
//! ```
//! All chance follows from the seed and from where we are (stage, epoch, step), never from what was drawn before. So a
//! run that was stopped anywhere goes on from its checkpoint to the very same weights. There is one before the first
//! example is made, one every minute and one when the run is asked to stop.

use crate::device::Engine;
use crate::inference::evaluate;
use crate::inference::predictor::NetworkPredictor;
use crate::models::{ModelConfig, Network, RecurrentState};
use crate::training::adam::Adam;
use crate::training::carry::Carried;
use crate::training::checkpoint::{self, CheckpointError, Metadata, Progress};
use crate::training::curves;
use crate::training::data::{DataError, Examples, Split};
use crate::training::experiment::{Experiment, ExperimentError, Stage};
use crate::training::grades;
use crate::training::metrics::{self, Line, Metrics};
use crate::training::quantise::Precision;
use burn::module::AutodiffModule;
use burn::tensor::backend::AutodiffBackend;
use burn::tensor::{ElementConversion, Tensor};
use ninefold::grid::Order;
use ninefold::random::Random;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The file that a run is resumed from.
pub const CHECKPOINT: &str = "checkpoint.safetensors";
/// The file for inference: the weights when the run finished or its time was up.
pub const WEIGHTS: &str = "weights.safetensors";
/// Time between checkpoints: what a crash costs at most.
pub const CHECKPOINT_EVERY: Duration = Duration::from_secs(60);
/// Steps between two lines of the metrics.
const STEPS_PER_LINE: u64 = 100;
/// Losses fetched from the device at a time: each fetch makes it wait.
const LOSSES_PER_FETCH: usize = 50;
/// Puzzles in a batch of the validation set.
const MEASURED_TOGETHER: usize = 1000;

/// A run: what to do, and where to leave it.
pub(crate) struct Run<'a, C> {
    /// The name of the model in the registry.
    pub name: &'a str,
    /// What to do.
    pub experiment: &'a Experiment<C>,
    /// The folder for checkpoint, weights, metrics and curves.
    pub folder: &'a Path,
    /// Stop after this time, with a checkpoint.
    pub time: Option<Duration>,
    /// Resume from the checkpoint in the folder.
    pub resume: bool,
    /// Threads that make examples.
    pub threads: usize,
    /// The commit, for the metadata.
    pub commit: &'a str,
    /// Time between checkpoints.
    pub checkpoint_every: Duration,
    /// Becomes true when the run is to stop.
    pub stop: Option<&'a AtomicBool>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All stages are done.
    Finished,
    /// The time was up; it can be resumed from its checkpoint.
    OutOfTime,
    /// It was asked to stop; it can be resumed from its checkpoint.
    Stopped,
}

/// Why a run cannot begin or be resumed.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the message of each says what it is")]
pub enum TrainError {
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error("{0} already holds a run")]
    Occupied(String),
    #[error("{0} holds no run to resume")]
    NothingToResume(String),
    #[error("{path}: {error}")]
    File { path: String, error: std::io::Error },
    #[error("the loss is no longer a number after step {step}; a lower learning rate may help")]
    Diverged { step: u64 },
}

/// Trains from the beginning or from the checkpoint until all stages are done or the time is up.
pub(crate) fn run<C, B>(
    run: &Run<'_, C>,
    device: &B::Device,
    report: &mut dyn FnMut(&Line),
) -> Result<Ending, TrainError>
where
    C: ModelConfig,
    B: AutodiffBackend<InnerBackend: Engine> + Engine,
    C::Network<B>: AutodiffModule<B, InnerModule = C::Network<B::InnerBackend>>,
{
    let experiment = run.experiment;
    let mut session: Session<'_, C, B> = Session::begin(run, device)?;
    while let Some(stage) = experiment.stages.get(session.progress.stage) {
        let train_set = session.train_set(stage);
        while session.progress.epoch < stage.epochs && !session.has_waited_enough() {
            let order = session.order_of(&train_set);
            for batch in order.chunks_exact(experiment.batch_size).skip(session.progress.batch) {
                session.step(&train_set, batch, stage)?;
                session.line_every_so_often(report)?;
                if let Some(ending) = session.early_ending() {
                    session.save()?;
                    session.leave_results()?;
                    return Ok(ending);
                }
                session.save_every_so_often()?;
            }
            session.end_epoch(stage, report)?;
        }
        session.end_stage(stage, report)?;
    }
    session.save()?;
    session.leave_results()?;
    Ok(Ending::Finished)
}

/// One training step: the network after it, and the loss before it.
pub(crate) fn train_step<C, B>(
    config: &C,
    network: C::Network<B>,
    adam: &mut Adam<B>,
    train_set: &Examples,
    batch: &[usize],
    stage: &Stage,
    device: &B::Device,
) -> (C::Network<B>, Tensor<B::InnerBackend, 1>)
where
    C: ModelConfig,
    B: AutodiffBackend<InnerBackend: Engine> + Engine,
    C::Network<B>: AutodiffModule<B>,
{
    let (board, targets) = inputs_and_targets::<C, B>(config, train_set, batch, device);
    let loss = network.loss_after(board, targets, stage.recurrences);
    let gradients = loss.backward();
    (adam.step(network, &gradients, stage.learning_rate), loss.inner())
}

/// One training step on carried puzzles: the network after it, and the loss before it.
fn carried_train_step<C, B>(
    config: &C,
    network: C::Network<B>,
    adam: &mut Adam<B>,
    carried: &mut Carried<B::InnerBackend>,
    stage: &Stage,
    device: &B::Device,
) -> (C::Network<B>, Tensor<B::InnerBackend, 1>)
where
    C: ModelConfig,
    B: AutodiffBackend<InnerBackend: Engine> + Engine,
    C::Network<B>: AutodiffModule<B>,
{
    let train_set = carried.examples();
    let all: Vec<usize> = (0..train_set.len()).collect();
    let (board, targets) = inputs_and_targets::<C, B>(config, train_set, &all, device);
    let RecurrentState { states, unseen } = carried.state(device);
    let state = RecurrentState {
        states: states.map(Tensor::from_inner),
        unseen: Tensor::from_inner(unseen),
    };
    let continued = network.forward_from(board, targets.clone(), &state, stage.recurrences);
    let continued = continued.expect(
        "an experiment that carries puzzles was checked for a model with a recurrent state",
    );
    let gradients = continued.loss.backward();
    carried.update(continued.states.inner(), continued.logits.inner(), targets.inner());
    (adam.step(network, &gradients, stage.learning_rate), continued.loss.inner())
}

/// Some of the examples as inputs, `[batch, cells, planes]`, and targets, `[batch, cells, digits]`.
fn inputs_and_targets<C: ModelConfig, B: Engine>(
    config: &C,
    train_set: &Examples,
    batch: &[usize],
    device: &B::Device,
) -> (Tensor<B, 3>, Tensor<B, 3>) {
    let puzzles = batch.iter().map(|&index| train_set.puzzle(index));
    let board = config.encoding().batch(train_set.order(), puzzles, device);
    (board, config.targets(train_set.order(), train_set, batch, device))
}

/// A run on its way.
struct Session<'a, C: ModelConfig, B: AutodiffBackend<InnerBackend: Engine> + Engine> {
    run: &'a Run<'a, C>,
    device: B::Device,
    order: Order,
    network: C::Network<B>,
    adam: Adam<B>,
    progress: Progress,
    train: Examples,
    validation: Examples,
    metrics: Metrics,
    /// Training puzzles by difficulty, if a stage asks for it.
    grades: Vec<Examples>,
    /// Validation puzzles by difficulty.
    validation_grades: Vec<Examples>,
    /// The carried puzzles, in a stage that has some.
    carried: Option<Carried<B::InnerBackend>>,
    /// Losses that are still on the device.
    losses: Vec<Tensor<B::InnerBackend, 1>>,
    started: Instant,
    saved: Instant,
    steps_before: u64,
}

impl<'a, C, B> Session<'a, C, B>
where
    C: ModelConfig,
    B: AutodiffBackend<InnerBackend: Engine> + Engine,
    C::Network<B>: AutodiffModule<B, InnerModule = C::Network<B::InnerBackend>>,
{
    /// Everything is checked before the first file is written, but for the examples: without them nothing is left.
    fn begin(run: &'a Run<'a, C>, device: &B::Device) -> Result<Self, TrainError> {
        let experiment = run.experiment;
        experiment.check()?;
        let order = experiment.order()?;
        let path = run.folder.join(CHECKPOINT);
        let folder = run.folder.display().to_string();
        let mut network = experiment.model.build::<B>(
            order,
            &mut chance(experiment.seed, Purpose::Weights, 0),
            device,
        );
        let (mut adam, mut progress, mut carried) = (Adam::new(), Progress::default(), None);
        match (run.resume, path.exists()) {
            (false, true) => return Err(TrainError::Occupied(folder)),
            (true, false) => return Err(TrainError::NothingToResume(folder)),
            (false, false) => {
                if let Some(start) = &experiment.initial_weights {
                    let (_, tensors) = checkpoint::read(start)?;
                    network = checkpoint::with_known_weights(network, &tensors)?;
                }
            }
            (true, true) => {
                let (metadata, tensors) = checkpoint::read(&path)?;
                metadata.expect_model(run.name)?;
                metadata.expect_experiment(experiment)?;
                network = checkpoint::with_weights(network, &tensors)?;
                adam = checkpoint::adam_from(&tensors, metadata.progress.step, device)?;
                progress = metadata.progress;
                carried = Carried::from(&tensors, order, device)?;
            }
        }
        adam.config = experiment.optimizer;
        let failed = |error| TrainError::File { path: folder.clone(), error };
        if !run.resume {
            // Examples may take minutes to make; a run that is killed meanwhile has begun all the same.
            std::fs::create_dir_all(run.folder).map_err(failed)?;
            let metadata = Metadata::new(run.name, experiment, run.commit, &progress);
            checkpoint::save(
                &path,
                &metadata,
                &checkpoint::weights_of(&network.valid()),
                Precision::F32,
            )?;
        }
        let (train, validation) = examples_of(run, order)?;
        let graded = |examples, purpose| {
            let seed = chance(experiment.seed, purpose, 0).bits();
            grades::of(examples, experiment.grades(), seed, run.threads)
        };
        let (grades, validation_grades) =
            (graded(&train, Purpose::Grades), graded(&validation, Purpose::ValidationGrades));
        files::write(run.folder.join("experiment.toml"), experiment.to_toml()).map_err(failed)?;
        let metrics = Metrics::open(run.folder, progress.lines).map_err(failed)?;
        let steps_before = progress.step;
        let (device, started, saved) = (device.clone(), Instant::now(), Instant::now());
        let losses = Vec::new();
        Ok(Session {
            run,
            device,
            order,
            network,
            adam,
            progress,
            train,
            validation,
            metrics,
            grades,
            validation_grades,
            carried,
            losses,
            started,
            saved,
            steps_before,
        })
    }

    /// Is the run to end before all is done?
    fn early_ending(&self) -> Option<Ending> {
        let is_asked = self.run.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        let is_out_of_time = self.run.time.is_some_and(|time| self.started.elapsed() >= time);
        is_asked.then_some(Ending::Stopped).or(is_out_of_time.then_some(Ending::OutOfTime))
    }

    fn save_every_so_often(&mut self) -> Result<(), TrainError> {
        if self.saved.elapsed() >= self.run.checkpoint_every { self.save() } else { Ok(()) }
    }

    /// The training examples of this stage.
    fn train_set(&self, stage: &Stage) -> Examples {
        match (stage.grade, stage.blanks) {
            (Some(grade), _) => self.grades[grade - 1].clone(),
            (None, None) => self.train.clone(),
            (None, Some(blanks)) => self
                .train
                .with_blanks(blanks, self.seed(Purpose::Blanks, self.progress.stage as u64)),
        }
    }

    /// The validation puzzles that decide about this stage.
    fn validation_set(&self, stage: &Stage) -> Examples {
        match (stage.grade, stage.blanks) {
            _ if !self.run.experiment.staged_validation => self.validation.clone(),
            (Some(grade), _) => self.validation_grades[grade - 1].clone(),
            (None, None) => self.validation.clone(),
            (None, Some(blanks)) => {
                let seed = self.seed(Purpose::ValidationBlanks, self.progress.stage as u64);
                self.validation.with_blanks(blanks, seed)
            }
        }
    }

    /// All examples in the random order of this epoch.
    fn order_of(&self, train_set: &Examples) -> Vec<usize> {
        let mut order: Vec<usize> = (0..train_set.len()).collect();
        let epoch = (self.progress.stage as u64) << 32 | self.progress.epoch as u64;
        chance(self.run.experiment.seed, Purpose::Order, epoch).shuffle(&mut order);
        order
    }

    fn step(
        &mut self,
        train_set: &Examples,
        batch: &[usize],
        stage: &Stage,
    ) -> Result<(), TrainError> {
        let augmented = self.augmented(train_set, batch);
        let (train_set, batch) = match &augmented {
            Some((augmented, all)) => (augmented, &all[..]),
            None => (train_set, batch),
        };
        B::seed(&self.device, self.seed(Purpose::Dropout, self.progress.step));
        let (config, network, adam) =
            (&self.run.experiment.model, self.network.clone(), &mut self.adam);
        let (network, loss) = match stage.max_carry_steps {
            None => train_step(config, network, adam, train_set, batch, stage, &self.device),
            Some(max_carry_steps) => {
                let carried = self.carried.get_or_insert_with(|| Carried::new(train_set.of(batch)));
                carried
                    .places_to_fill(max_carry_steps)
                    .into_iter()
                    .for_each(|place| carried.fill(place, train_set, batch[place]));
                carried_train_step(config, network, adam, carried, stage, &self.device)
            }
        };
        self.network = network;
        self.losses.push(loss);
        self.progress.step += 1;
        self.progress.batch += 1;
        if self.losses.len() >= LOSSES_PER_FETCH { self.fetch_losses() } else { Ok(()) }
    }

    /// The examples of a batch, augmented, if the experiment wants that.
    fn augmented(&self, train_set: &Examples, batch: &[usize]) -> Option<(Examples, Vec<usize>)> {
        let augmentation = self.run.experiment.data.augmentation?;
        let seed = self.seed(Purpose::Augmentation, self.progress.step);
        let augmented = train_set.augmented(batch, &augmentation, seed);
        let all = (0..augmented.len()).collect();
        Some((augmented, all))
    }

    fn fetch_losses(&mut self) -> Result<(), TrainError> {
        if self.losses.is_empty() {
            return Ok(());
        }
        let losses = Tensor::cat(std::mem::take(&mut self.losses), 0).into_data();
        for loss in losses.iter::<f32>() {
            if !loss.is_finite() {
                return Err(TrainError::Diverged { step: self.progress.step });
            }
            self.progress.epoch_loss += f64::from(loss);
            self.progress.line_loss += f64::from(loss);
            self.progress.line_steps += 1;
        }
        Ok(())
    }

    fn line_every_so_often(&mut self, report: &mut dyn FnMut(&Line)) -> Result<(), TrainError> {
        if !self.progress.step.is_multiple_of(STEPS_PER_LINE) {
            return Ok(());
        }
        self.fetch_losses()?;
        let loss = self.progress.line_loss / self.progress.line_steps.max(1) as f64;
        (self.progress.line_loss, self.progress.line_steps) = (0.0, 0);
        self.record(Line { loss: Some(loss), ..self.line("steps") }, report)
    }

    /// Measures the validation loss and decides whether it has improved.
    fn end_epoch(
        &mut self,
        stage: &Stage,
        report: &mut dyn FnMut(&Line),
    ) -> Result<(), TrainError> {
        self.fetch_losses()?;
        let loss = self.progress.epoch_loss / self.progress.batch.max(1) as f64;
        let validation_loss =
            (!self.validation.is_empty()).then(|| self.loss_on(&self.validation_set(stage)));
        let solved = self.share_solved(self.run.experiment.solved_per_epoch);
        let line =
            Line { loss: Some(loss), validation_loss, solved, ..self.line_of(stage, "epoch") };
        if let Some(loss) = validation_loss {
            self.progress.waited =
                if loss < self.progress.best { 0 } else { self.progress.waited + 1 };
            self.progress.best = self.progress.best.min(loss);
        }
        self.progress.epoch += 1;
        (self.progress.batch, self.progress.epoch_loss) = (0, 0.0);
        self.record(line, report)
    }

    fn has_waited_enough(&self) -> bool {
        let patience = self.run.experiment.patience;
        patience > 0 && self.progress.waited >= patience
    }

    /// Fills validation puzzles, whatever the stage has deleted: this is what the network is for.
    fn end_stage(
        &mut self,
        stage: &Stage,
        report: &mut dyn FnMut(&Line),
    ) -> Result<(), TrainError> {
        let solved = self.share_solved(self.run.experiment.solved_per_stage);
        let line = Line { solved, ..self.line_of(stage, "stage") };
        // The line counts epochs from 1, and the last one is over.
        let best = Some(self.progress.best).filter(|best| best.is_finite());
        let line = Line { epoch: self.progress.epoch, validation_loss: best, ..line };
        self.progress.stage += 1;
        self.carried = None;
        (self.progress.epoch, self.progress.waited, self.progress.best) = (0, 0, f64::INFINITY);
        self.record(line, report)
    }

    /// Fills at most this many validation puzzles, as the model decodes.
    fn share_solved(&self, puzzles: usize) -> Option<f64> {
        let decoding = self.run.experiment.model.decoding();
        let measured = puzzles.min(self.validation.len());
        (measured > 0).then(|| {
            evaluate::score(&self.predictor(), &self.validation.first(measured), decoding)
                .share_solved()
        })
    }

    /// Weights in their small form, and the metrics as a table and as a picture.
    fn leave_results(&self) -> Result<(), TrainError> {
        let weights = checkpoint::weights_of(&self.network.valid());
        let experiment = self.run.experiment;
        checkpoint::save(
            &self.run.folder.join(WEIGHTS),
            &self.metadata(),
            &weights,
            experiment.weights,
        )?;
        let lines = Metrics::read(self.run.folder).map_err(|error| self.failed(error))?;
        let (table, curves) = (metrics::csv(&lines), curves::of_run(self.run.name, &lines));
        files::write(self.run.folder.join("metrics.csv"), table)
            .map_err(|error| self.failed(error))?;
        files::write(self.run.folder.join("curves.svg"), curves).map_err(|error| self.failed(error))
    }

    fn failed(&self, error: std::io::Error) -> TrainError {
        TrainError::File { path: self.run.folder.display().to_string(), error }
    }

    fn save(&mut self) -> Result<(), TrainError> {
        self.fetch_losses()?;
        let mut tensors = checkpoint::weights_of(&self.network.valid());
        checkpoint::add_adam(&self.adam, &mut tensors);
        self.carried.iter().for_each(|carried| carried.add_to(&mut tensors));
        self.metrics.sync().map_err(|error| self.failed(error))?;
        checkpoint::save(
            &self.run.folder.join(CHECKPOINT),
            &self.metadata(),
            &tensors,
            Precision::F32,
        )?;
        self.saved = Instant::now();
        Ok(())
    }

    fn metadata(&self) -> Metadata {
        Metadata::new(self.run.name, self.run.experiment, self.run.commit, &self.progress)
    }

    /// The mean loss of a cell on these examples.
    fn loss_on(&self, examples: &Examples) -> f64 {
        let network = self.network.valid();
        let indices: Vec<usize> = (0..examples.len()).collect();
        let config = &self.run.experiment.model;
        let mut sum = 0.0;
        for batch in indices.chunks(MEASURED_TOGETHER) {
            let (board, targets) =
                inputs_and_targets::<C, B::InnerBackend>(config, examples, batch, &self.device);
            let loss: f64 = network.loss(board, targets).into_scalar().elem();
            sum += loss * batch.len() as f64;
        }
        sum / examples.len().max(1) as f64
    }

    fn predictor(&self) -> NetworkPredictor<C, B::InnerBackend> {
        NetworkPredictor {
            config: self.run.experiment.model.clone(),
            order: self.order,
            network: self.network.valid(),
            device: self.device.clone(),
            batch: MEASURED_TOGETHER.min(self.validation.len()),
        }
    }

    fn line_of(&self, stage: &Stage, what: &str) -> Line {
        Line { blanks: stage.blanks, grade: stage.grade, ..self.line(what) }
    }

    fn line(&self, what: &str) -> Line {
        let seconds = self.started.elapsed().as_secs_f64();
        let examples =
            (self.progress.step - self.steps_before) as f64 * self.run.experiment.batch_size as f64;
        Line {
            what: what.to_string(),
            step: self.progress.step,
            stage: self.progress.stage + 1,
            epoch: self.progress.epoch + 1,
            seconds,
            examples_per_second: examples / seconds.max(1e-9),
            last_step: self.progress.step + self.steps_left(),
            ..Line::default()
        }
    }

    /// Steps to come if no stage ends early.
    fn steps_left(&self) -> u64 {
        let steps_per_epoch = self.train.len() / self.run.experiment.batch_size;
        let stages = self.run.experiment.stages.get(self.progress.stage..).unwrap_or_default();
        let epochs: usize = stages.iter().map(|stage| stage.epochs).sum();
        let done = self.progress.epoch * steps_per_epoch + self.progress.batch;
        (epochs * steps_per_epoch).saturating_sub(done) as u64
    }

    fn record(&mut self, line: Line, report: &mut dyn FnMut(&Line)) -> Result<(), TrainError> {
        report(&line);
        self.progress.lines += 1;
        let path = || self.run.folder.join("metrics.jsonl").display().to_string();
        self.metrics.add(&line).map_err(|error| TrainError::File { path: path(), error })
    }

    fn seed(&self, purpose: Purpose, part: u64) -> u64 {
        chance(self.run.experiment.seed, purpose, part).bits()
    }
}

/// The training and the validation examples. Without them nothing was begun, so nothing stays behind.
fn examples_of<C: ModelConfig>(
    run: &Run<'_, C>,
    order: Order,
) -> Result<(Examples, Examples), TrainError> {
    let experiment = run.experiment;
    let make = |split| experiment.data.make(order, split, experiment.seed, run.threads);
    make(Split::Train).and_then(|train| Ok((train, make(Split::Validation)?))).map_err(|error| {
        if !run.resume {
            let _ = files::remove(run.folder.join(CHECKPOINT));
            // A folder with other files in it stays.
            let _ = std::fs::remove_dir(run.folder);
        }
        error.into()
    })
}

/// What chance is asked for; each purpose has draws of its own.
#[derive(Clone, Copy)]
enum Purpose {
    Weights,
    Order,
    Blanks,
    ValidationBlanks,
    Dropout,
    Grades,
    ValidationGrades,
    Augmentation,
}

/// The random numbers of one part of one purpose.
fn chance(seed: u64, purpose: Purpose, part: u64) -> Random {
    // Examples draw from the seed itself; one more draw keeps these streams away from theirs.
    let seed = Random::for_part(!seed, purpose as u64).bits();
    Random::for_part(seed, part)
}
