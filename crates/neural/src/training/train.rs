//! The optimizer steps, epochs and stages of every network that computes with tensors. The loop
//! that calls them is [`ninefold_training::run`]. Together they do this:
//!
//! ```text
//! for each stage:   delete as many cells of the examples as the stage says
//!   for each epoch:   put all examples in a new random order
//!     for each batch:   forward, loss, backward, one step of Adam (carried puzzles: see `carry`)
//!     measure the validation loss; end the stage if it has not improved for `patience` epochs
//!   measure the share of validation puzzles solved
//! ```
//! All random numbers follow from the seed and from the stage, epoch and step. So a resumed run
//! ends with exactly the weights of an uninterrupted one.

use crate::device::Engine;
use crate::inference::evaluate;
use crate::inference::predictor::NetworkPredictor;
use crate::models::{ModelConfig, Network, RecurrentState};
use crate::training::adam::Adam;
use crate::training::carry::Carried;
use crate::training::checkpoint::{self, Progress, Tensors};
use crate::training::data::{Examples, Split};
use crate::training::experiment::{Experiment, Stage};
use crate::training::grades;
use crate::training::metrics::Line;
use crate::training::quantise::Precision;
use burn::module::AutodiffModule;
use burn::tensor::backend::AutodiffBackend;
use burn::tensor::{ElementConversion, Tensor};
use ninefold::grid::Order;
use ninefold::random::Random;
use ninefold_training::run::{self, Learner, Log, Saved};
use ninefold_training::stop::Stop;
use ninefold_training::{TrainError, TrainOptions, TrainOutcome, experiment, memory};
use std::time::Instant;

/// Losses fetched from the device at a time. Each fetch waits for the device.
const LOSSES_PER_FETCH: usize = 50;
/// Puzzles per batch in evaluation.
const EVALUATION_BATCH: usize = 1000;

/// Trains a model with this recipe, from the beginning or from the checkpoint.
pub(crate) fn train<C, B>(
    model: &str,
    recipe: Experiment<C>,
    options: &TrainOptions<'_>,
    report: &mut dyn FnMut(&Line),
) -> Result<TrainOutcome, TrainError>
where
    C: ModelConfig,
    B: AutodiffBackend<InnerBackend: Engine> + Engine,
    C::Network<B>: AutodiffModule<B, InnerModule = C::Network<B::InnerBackend>>,
{
    let saved = run::saved(model, options)?;
    let experiment = experiment::for_run(recipe, options.changes, saved.as_ref())?;
    let mut learner: NetworkLearner<C, B> = NetworkLearner::new(experiment, saved.as_ref())?;
    run::run(model, options, &mut learner, report)
}

/// Takes one training step. Returns the network after it and the loss before it.
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

/// Takes one training step on carried puzzles. Returns the network after it and the loss before it.
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
    let RecurrentState { states, is_new } = carried.state(device);
    let state = RecurrentState {
        states: states.map(Tensor::from_inner),
        is_new: Tensor::from_inner(is_new),
    };
    let continued = network.forward_from(board, targets.clone(), &state, stage.recurrences);
    let continued = continued.expect("only models with a recurrent state may carry puzzles");
    let gradients = continued.loss.backward();
    carried.update(continued.states.inner(), continued.logits.inner(), targets.inner());
    (adam.step(network, &gradients, stage.learning_rate), continued.loss.inner())
}

/// Examples as inputs, `[batch, cells, planes]`, and targets, `[batch, cells, digits]`.
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

/// A network in training.
struct NetworkLearner<C: ModelConfig, B: AutodiffBackend<InnerBackend: Engine> + Engine> {
    experiment: Experiment<C>,
    device: B::Device,
    order: Order,
    network: C::Network<B>,
    adam: Adam<B>,
    progress: Progress,
    train: Examples,
    validation: Examples,
    /// Training puzzles by difficulty, if a stage uses them.
    grades: Vec<Examples>,
    /// Validation puzzles by difficulty.
    validation_grades: Vec<Examples>,
    /// The examples of the current stage, from its first step on.
    stage_set: Option<Examples>,
    /// The order of the examples in the current epoch, from its first step on.
    epoch_order: Option<Vec<usize>>,
    /// The carried puzzles, in a stage that carries some.
    carried: Option<Carried<B::InnerBackend>>,
    /// Losses that are still on the device.
    losses: Vec<Tensor<B::InnerBackend, 1>>,
    started: Instant,
    steps_before: u64,
}

impl<C, B> NetworkLearner<C, B>
where
    C: ModelConfig,
    B: AutodiffBackend<InnerBackend: Engine> + Engine,
    C::Network<B>: AutodiffModule<B, InnerModule = C::Network<B::InnerBackend>>,
{
    fn new(experiment: Experiment<C>, saved: Option<&Saved>) -> Result<Self, TrainError> {
        experiment.check()?;
        let order = experiment.order()?;
        memory::check(experiment.bytes(order))?;
        let device: B::Device = Default::default();
        let mut network = experiment.model.build::<B>(
            order,
            &mut stream(experiment.seed, Purpose::Weights, 0),
            &device,
        );
        let (mut adam, mut progress, mut carried) = (Adam::new(), Progress::default(), None);
        if let Some(Saved { metadata, tensors, .. }) = saved {
            metadata.expect_experiment(&experiment)?;
            network = checkpoint::with_weights(network, tensors)?;
            adam = checkpoint::adam_from(tensors, metadata.progress.step, &device)?;
            progress = metadata.progress.clone();
            carried = Carried::from(tensors, order, &device)?;
        } else if let Some(file) = &experiment.initial_weights {
            let (_, tensors) = checkpoint::read(file)?;
            network = checkpoint::with_known_weights(network, &tensors)?;
        }
        adam.config = experiment.optimizer;
        let none = || Examples::new(order);
        Ok(NetworkLearner {
            experiment,
            device,
            order,
            network,
            adam,
            steps_before: progress.step,
            progress,
            train: none(),
            validation: none(),
            grades: Vec::new(),
            validation_grades: Vec::new(),
            stage_set: None,
            epoch_order: None,
            carried,
            losses: Vec::new(),
            started: Instant::now(),
        })
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

    /// The validation examples of this stage.
    fn validation_set(&self, stage: &Stage) -> Examples {
        match (stage.grade, stage.blanks) {
            _ if !self.experiment.staged_validation => self.validation.clone(),
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
        stream(self.experiment.seed, Purpose::Order, epoch).shuffle(&mut order);
        order
    }

    fn batches_per_epoch(&self) -> usize {
        self.train.len() / self.experiment.batch_size
    }

    fn train_on(
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
            (&self.experiment.model, self.network.clone(), &mut self.adam);
        let (network, loss) = match stage.max_carry_steps {
            None => train_step(config, network, adam, train_set, batch, stage, &self.device),
            Some(max_carry_steps) => {
                let carried =
                    self.carried.get_or_insert_with(|| Carried::new(train_set.select(batch)));
                carried
                    .finished_slots(max_carry_steps)
                    .into_iter()
                    .for_each(|slot| carried.replace(slot, train_set, batch[slot]));
                carried_train_step(config, network, adam, carried, stage, &self.device)
            }
        };
        self.network = network;
        self.losses.push(loss);
        self.progress.step += 1;
        self.progress.batch += 1;
        if self.losses.len() >= LOSSES_PER_FETCH { self.fetch_losses() } else { Ok(()) }
    }

    /// The examples of a batch, augmented, if the experiment has an augmentation.
    fn augmented(&self, train_set: &Examples, batch: &[usize]) -> Option<(Examples, Vec<usize>)> {
        let augmentation = self.experiment.data.augmentation?;
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

    /// Measures the validation loss and whether it has improved.
    fn end_epoch(&mut self, stage: &Stage, log: &mut Log<'_>) -> Result<(), TrainError> {
        self.fetch_losses()?;
        let loss = self.progress.epoch_loss / self.progress.batch.max(1) as f64;
        let validation_loss =
            (!self.validation.is_empty()).then(|| self.loss_on(&self.validation_set(stage)));
        let solved = self.share_solved(self.experiment.solved_per_epoch);
        let line =
            Line { loss: Some(loss), validation_loss, solved, ..self.line_of(stage, "epoch") };
        if let Some(loss) = validation_loss {
            self.progress.waited =
                if loss < self.progress.best { 0 } else { self.progress.waited + 1 };
            self.progress.best = self.progress.best.min(loss);
        }
        self.progress.epoch += 1;
        (self.progress.batch, self.progress.epoch_loss) = (0, 0.0);
        self.epoch_order = None;
        log.record(&line)
    }

    fn stops_early(&self) -> bool {
        let patience = self.experiment.patience;
        patience > 0 && self.progress.waited >= patience
    }

    /// Solves validation puzzles, which have no deleted cells, whatever the stage trains on.
    fn end_stage(&mut self, stage: &Stage, log: &mut Log<'_>) -> Result<(), TrainError> {
        let solved = self.share_solved(self.experiment.solved_per_stage);
        let line = Line { solved, ..self.line_of(stage, "stage") };
        // Lines count epochs from 1, and the last epoch is complete.
        let best = Some(self.progress.best).filter(|best| best.is_finite());
        let line = Line { epoch: self.progress.epoch, validation_loss: best, ..line };
        self.progress.stage += 1;
        (self.carried, self.stage_set) = (None, None);
        (self.progress.epoch, self.progress.waited, self.progress.best) = (0, 0, f64::INFINITY);
        log.record(&line)
    }

    /// The share solved of at most this many validation puzzles.
    fn share_solved(&self, puzzles: usize) -> Option<f64> {
        let decoding = self.experiment.model.decoding();
        let count = puzzles.min(self.validation.len());
        (count > 0).then(|| {
            evaluate::score(&self.predictor(), &self.validation.first(count), decoding)
                .share_solved()
        })
    }

    /// The mean loss per cell on these examples.
    fn loss_on(&self, examples: &Examples) -> f64 {
        let network = self.network.valid();
        let indices: Vec<usize> = (0..examples.len()).collect();
        let config = &self.experiment.model;
        let mut sum = 0.0;
        for batch in indices.chunks(EVALUATION_BATCH) {
            let (board, targets) =
                inputs_and_targets::<C, B::InnerBackend>(config, examples, batch, &self.device);
            let loss: f64 = network.loss(board, targets).into_scalar().elem();
            sum += loss * batch.len() as f64;
        }
        sum / examples.len().max(1) as f64
    }

    fn predictor(&self) -> NetworkPredictor<C, B::InnerBackend> {
        NetworkPredictor {
            config: self.experiment.model.clone(),
            order: self.order,
            network: self.network.valid(),
            device: self.device.clone(),
            batch: EVALUATION_BATCH.min(self.validation.len()),
        }
    }

    fn line_of(&self, stage: &Stage, what: &str) -> Line {
        Line { blanks: stage.blanks, grade: stage.grade, ..self.base_line(what) }
    }

    fn base_line(&self, what: &str) -> Line {
        let seconds = self.started.elapsed().as_secs_f64();
        let examples =
            (self.progress.step - self.steps_before) as f64 * self.experiment.batch_size as f64;
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

    /// The remaining steps if no stage ends early.
    fn steps_left(&self) -> u64 {
        let steps_per_epoch = self.batches_per_epoch();
        let stages = self.experiment.stages.get(self.progress.stage..).unwrap_or_default();
        let epochs: usize = stages.iter().map(|stage| stage.epochs).sum();
        let done = self.progress.epoch * steps_per_epoch + self.progress.batch;
        (epochs * steps_per_epoch).saturating_sub(done) as u64
    }

    fn seed(&self, purpose: Purpose, part: u64) -> u64 {
        stream(self.experiment.seed, purpose, part).bits()
    }
}

impl<C, B> Learner for NetworkLearner<C, B>
where
    C: ModelConfig,
    B: AutodiffBackend<InnerBackend: Engine> + Engine,
    C::Network<B>: AutodiffModule<B, InnerModule = C::Network<B::InnerBackend>>,
{
    type Experiment = Experiment<C>;

    const STEPS_PER_LINE: u64 = 100;

    fn experiment(&self) -> &Experiment<C> {
        &self.experiment
    }

    fn precision(&self) -> Precision {
        self.experiment.weights
    }

    fn load_data(&mut self, threads: usize, stop: Stop<'_>) -> Result<(), TrainError> {
        let Experiment { data, seed, .. } = &self.experiment;
        self.train = data.load_until(self.order, Split::Train, *seed, threads, stop)?;
        self.validation = data.load_until(self.order, Split::Validation, *seed, threads, stop)?;
        let graded = |examples, purpose| {
            let seed = self.seed(purpose, 0);
            grades::by_difficulty(examples, self.experiment.grades(), seed, threads)
        };
        let (grades, validation_grades) = (
            graded(&self.train, Purpose::Grades),
            graded(&self.validation, Purpose::ValidationGrades),
        );
        (self.grades, self.validation_grades) = (grades, validation_grades);
        self.started = Instant::now();
        Ok(())
    }

    fn is_finished(&self) -> bool {
        self.progress.stage >= self.experiment.stages.len()
    }

    fn step(&mut self) -> Result<(), TrainError> {
        let stage = self.experiment.stages[self.progress.stage].clone();
        let train_set = self.stage_set.take().unwrap_or_else(|| self.train_set(&stage));
        let order = self.epoch_order.take().unwrap_or_else(|| self.order_of(&train_set));
        let size = self.experiment.batch_size;
        let batch = &order[self.progress.batch * size..][..size];
        let result = self.train_on(&train_set, batch, &stage);
        (self.stage_set, self.epoch_order) = (Some(train_set), Some(order));
        result
    }

    fn line(&mut self) -> Result<Line, TrainError> {
        self.fetch_losses()?;
        let loss = self.progress.line_loss / self.progress.line_steps.max(1) as f64;
        (self.progress.line_loss, self.progress.line_steps) = (0.0, 0);
        Ok(Line { loss: Some(loss), ..self.base_line("steps") })
    }

    fn evaluate_if_due(&mut self, log: &mut Log<'_>) -> Result<(), TrainError> {
        while let Some(stage) = self.experiment.stages.get(self.progress.stage).cloned() {
            if self.progress.epoch >= stage.epochs || self.stops_early() {
                self.end_stage(&stage, log)?;
            } else if self.progress.batch >= self.batches_per_epoch() {
                self.end_epoch(&stage, log)?;
            } else {
                break;
            }
        }
        Ok(())
    }

    fn checkpoint(&mut self) -> Result<Tensors, TrainError> {
        self.fetch_losses()?;
        let mut tensors = self.weights();
        checkpoint::add_adam(&self.adam, &mut tensors);
        self.carried.iter().for_each(|carried| carried.add_to(&mut tensors));
        Ok(tensors)
    }

    fn progress(&self) -> Progress {
        self.progress.clone()
    }

    fn weights(&self) -> Tensors {
        checkpoint::weights_of(&self.network.valid())
    }
}

/// The purpose of random numbers. Each purpose has its own streams.
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

/// The random numbers of one part of a purpose.
fn stream(seed: u64, purpose: Purpose, part: u64) -> Random {
    // Examples use the seed itself; the complement keeps these streams apart from theirs.
    let seed = Random::for_part(!seed, purpose as u64).bits();
    Random::for_part(seed, part)
}
