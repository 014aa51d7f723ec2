//! Training of the heads: new boards for every step, on all cores. Kaleidoscope itself is not
//! trained.

use super::gradient::{batch_gradient, labelled_boards};
use super::{FeatureExtractor, Heads, HeadsConfig, read, write};
use crate::parameters::Spans;
use crate::train::optimizer::Optimizer;
use crate::train::{self, BatchSolver, Experiment};
use crate::{CheckpointError, Config, SHIPPED_WEIGHTS, Solver};
use ninefold::grid::Order;
use ninefold::random::Random;
use ninefold_checkpoint::quantise::Precision;
use ninefold_training::checkpoint::{self, Metadata, Progress, Tensors};
use ninefold_training::data::{Augmentation, DatasetConfig, Examples, Source, Split, SplitFiles};
use ninefold_training::experiment::{from_metadata, order_of, to_toml, with_changes};
use ninefold_training::metrics::Line;
use ninefold_training::run::{self, Learner, Log, Saved};
use ninefold_training::stop::Stop;
use ninefold_training::throughput::{self, Throughput, ThroughputOptions};
use ninefold_training::{ExperimentError, TrainError, TrainOptions, TrainOutcome, memory};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The name of the heads in the metadata of their files.
pub const MODEL: &str = "kaleidoscope-rules";

/// All settings of a run. The same settings always give the same weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesExperiment {
    /// Rows and columns of a box, for the training boards. The heads support all sizes.
    pub boxes: [usize; 2],
    /// The seed of all random numbers.
    pub seed: u64,
    /// Boards in a batch. Every second one gets a wrong digit.
    pub batch_size: usize,
    /// Optimizer steps.
    pub steps: u64,
    /// The maximum learning rate.
    pub learning_rate: f64,
    /// Steps in which the learning rate increases linearly; then it follows a cosine.
    pub warm_up_steps: u64,
    /// The final learning rate, as a fraction of the maximum.
    pub final_learning_rate: f64,
    /// The precision of the trained weights.
    pub weights: Precision,
    /// The settings of the heads.
    pub model: HeadsConfig,
    /// The puzzles that the boards are made from.
    pub data: DatasetConfig,
    /// The weights of Kaleidoscope, if not the included ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<PathBuf>,
}

/// The recipe: the same boards as those of `rem-board` and `rem-relations`.
pub fn recipe() -> RulesExperiment {
    let list = |part: &str| vec![Path::new("data/17_clue").join(format!("{part}.txt"))];
    let lists =
        SplitFiles { train: list("train"), validation: list("validation"), test: list("test") };
    let augmentation =
        Some(Augmentation { givens: [17, 60], symmetries: true, on_solving_path: true });
    let data = DatasetConfig {
        train: 1_000_000,
        validation: 1_000,
        test: 10_000,
        ..DatasetConfig::new(Source::Lists)
    };
    RulesExperiment {
        boxes: [3, 3],
        seed: 1,
        batch_size: 64,
        steps: 2_000,
        learning_rate: 2e-3,
        warm_up_steps: 50,
        final_learning_rate: 0.01,
        weights: Precision::F16,
        model: HeadsConfig::default(),
        data: DatasetConfig { lists, augmentation, ..data },
        network: None,
    }
}

impl RulesExperiment {
    /// This experiment with the changes of a TOML text.
    pub fn with(&self, changes: &str) -> Result<RulesExperiment, ExperimentError> {
        let experiment: RulesExperiment = with_changes(self, changes)?;
        experiment.check()?;
        Ok(experiment)
    }

    /// The complete experiment as TOML.
    pub fn to_toml(&self) -> String {
        to_toml(self)
    }

    fn check(&self) -> Result<(), ExperimentError> {
        let order = self.order()?;
        self.model.check().map_err(ExperimentError::Invalid)?;
        if self.batch_size == 0 {
            return Err(ExperimentError::Invalid("batch_size must be at least 1".to_string()));
        }
        self.data.check().map_err(ExperimentError::Invalid)?;
        // The inputs of the heads: states of every readout iteration, for each candidate.
        let states = (self.model.readout_iterations.len() * order.cell_count()) as f64;
        memory::check(4.0 * 32.0 * states * self.batch_size as f64 + self.data.bytes(order))
    }

    fn order(&self) -> Result<Order, ExperimentError> {
        order_of(self.boxes)
    }

    /// The settings of the optimizer.
    fn schedule(&self) -> Experiment {
        Experiment {
            steps: self.steps,
            learning_rate: self.learning_rate,
            warm_up_steps: self.warm_up_steps,
            final_learning_rate: self.final_learning_rate,
            ema_decay: 0.99,
            ..train::recipe()
        }
    }
}

/// Kaleidoscope with the weights that the heads use.
struct Network {
    metadata: Metadata,
    tensors: Tensors,
    config: Config,
    parameters: Vec<f32>,
}

impl Network {
    fn load(experiment: &RulesExperiment) -> Result<Network, CheckpointError> {
        let (metadata, tensors) = match &experiment.network {
            Some(path) => checkpoint::read(path)?,
            None => {
                let name = format!("the weights of {}", train::MODEL);
                ninefold_checkpoint::read_bytes(&name, SHIPPED_WEIGHTS)?
            }
        };
        metadata.expect_model(train::MODEL)?;
        let config = from_metadata::<Experiment>(&metadata)?.model;
        let parameters = Spans::new(&config).read("", &tensors)?;
        Ok(Network { metadata, tensors, config, parameters })
    }
}

/// Heads in training.
struct HeadsLearner {
    experiment: RulesExperiment,
    extractor: FeatureExtractor,
    /// The last weight of the network, which identifies it in files of heads.
    answer: Vec<f32>,
    puzzles: Examples,
    augmentation: Augmentation,
    schedule: Experiment,
    optimizer: Optimizer,
    /// Losses of rules and doubt, and the accuracy of doubt, summed since the last metrics line.
    sums: [f64; 3],
    /// Metrics lines of the checkpoint that the run was resumed from.
    lines: usize,
    started: Instant,
}

impl HeadsLearner {
    fn new(experiment: RulesExperiment, saved: Option<&Saved>) -> Result<HeadsLearner, TrainError> {
        let order = experiment.order()?;
        let Network { config, parameters, .. } = Network::load(&experiment)?;
        let extractor = FeatureExtractor::new(&experiment.model, &config, &parameters, order);
        let optimizer = match saved {
            Some(saved) => saved_optimizer(&extractor, saved)?,
            None => {
                let mut random = Random::for_part(experiment.seed, 0);
                let shapes = extractor.shapes();
                let parameters = shapes.iter().flat_map(|shape| shape.draw(&mut random));
                Optimizer::new(parameters.collect())
            }
        };
        let cells = order.cell_count();
        let default = Augmentation {
            givens: [cells / 4, cells * 3 / 4],
            symmetries: true,
            on_solving_path: true,
        };
        Ok(HeadsLearner {
            answer: Spans::new(&config).answer.of(&parameters).to_vec(),
            puzzles: Examples::new(order),
            augmentation: experiment.data.augmentation.unwrap_or(default),
            schedule: experiment.schedule(),
            optimizer,
            extractor,
            sums: [0.0; 3],
            lines: saved.map_or(0, |saved| saved.metadata.progress.lines),
            started: Instant::now(),
            experiment,
        })
    }

    fn tensors(&self, parameters: &[f32]) -> Tensors {
        write(self.extractor.shapes(), parameters, &self.answer)
    }
}

impl Learner for HeadsLearner {
    type Experiment = RulesExperiment;

    const STEPS_PER_LINE: u64 = 20;

    fn experiment(&self) -> &RulesExperiment {
        &self.experiment
    }

    fn precision(&self) -> Precision {
        self.experiment.weights
    }

    fn load_data(&mut self, threads: usize, stop: Stop<'_>) -> Result<(), TrainError> {
        let RulesExperiment { data, seed, .. } = &self.experiment;
        self.puzzles =
            data.load_until(self.experiment.order()?, Split::Train, *seed, threads, stop)?;
        if self.puzzles.is_empty() {
            let reason = "data: there are no training puzzles".to_string();
            return Err(ExperimentError::Invalid(reason).into());
        }
        self.started = Instant::now();
        Ok(())
    }

    fn is_finished(&self) -> bool {
        self.optimizer.steps >= self.experiment.steps
    }

    fn step(&mut self) -> Result<(), TrainError> {
        let mut random = Random::for_part(self.experiment.seed, 1 + self.optimizer.steps);
        let batch: Vec<usize> =
            (0..self.experiment.batch_size).map(|_| random.below(self.puzzles.len())).collect();
        let boards = self.puzzles.augmented(&batch, &self.augmentation, random.bits());
        let boards = labelled_boards(&self.extractor, &boards, random.bits());
        let result = batch_gradient(&self.extractor, &self.optimizer.parameters, &boards);
        if !self.optimizer.step(&result.gradient, &self.schedule).is_finite() {
            return Err(TrainError::Diverged { step: self.optimizer.steps });
        }
        self.sums
            .iter_mut()
            .zip([result.losses[0], result.losses[1], result.accuracy])
            .for_each(|(sum, new)| *sum += new / Self::STEPS_PER_LINE as f64);
        Ok(())
    }

    fn line(&mut self) -> Result<Line, TrainError> {
        let [rules, doubt, accuracy] = std::mem::take(&mut self.sums);
        let (step, seconds) = (self.optimizer.steps, self.started.elapsed().as_secs_f64());
        Ok(Line {
            what: "steps".to_string(),
            step,
            stage: 1,
            epoch: 1,
            loss: Some(rules + doubt),
            solved: Some(accuracy),
            seconds,
            examples_per_second: (step as usize * self.experiment.batch_size) as f64 / seconds,
            last_step: self.experiment.steps,
            ..Line::default()
        })
    }

    fn evaluate_if_due(&mut self, _log: &mut Log<'_>) -> Result<(), TrainError> {
        Ok(())
    }

    fn checkpoint(&mut self) -> Result<Tensors, TrainError> {
        let Optimizer { parameters, mean, square, averaged, .. } = &self.optimizer;
        let mut all = self.tensors(parameters);
        for (prefix, numbers) in
            [("averaged.", averaged), ("adam.mean.", mean), ("adam.square.", square)]
        {
            let tensors = self.tensors(numbers).into_iter();
            all.extend(tensors.map(|(name, tensor)| (format!("{prefix}{name}"), tensor)));
        }
        Ok(all)
    }

    fn progress(&self) -> Progress {
        Progress { step: self.optimizer.steps, lines: self.lines, ..Progress::default() }
    }

    fn weights(&self) -> Tensors {
        self.tensors(&self.optimizer.averaged)
    }
}

/// The optimizer of a checkpoint.
fn saved_optimizer(
    extractor: &FeatureExtractor,
    saved: &Saved,
) -> Result<Optimizer, CheckpointError> {
    let [rules, doubt] = extractor.shapes();
    let all = |prefix: &str| -> Result<Vec<f32>, CheckpointError> {
        let rules = read(&saved.tensors, &format!("{prefix}rules"), rules.len())?;
        Ok([rules, read(&saved.tensors, &format!("{prefix}doubt"), doubt.len())?].concat())
    };
    Ok(Optimizer {
        steps: saved.metadata.progress.step,
        parameters: all("")?,
        mean: all("adam.mean.")?,
        square: all("adam.square.")?,
        averaged: all("averaged.")?,
    })
}

/// Trains the heads on the CPU.
pub fn train(
    options: &TrainOptions<'_>,
    report: &mut dyn FnMut(&Line),
) -> Result<TrainOutcome, TrainError> {
    let saved = run::saved(MODEL, options)?;
    let experiment =
        ninefold_training::experiment::for_run(recipe(), options.changes, saved.as_ref())?;
    experiment.check()?;
    let mut learner = HeadsLearner::new(experiment, saved.as_ref())?;
    run::run(MODEL, options, &mut learner, report)
}

/// Measures the speed of training.
pub fn measure(options: &ThroughputOptions<'_>) -> Result<Throughput, TrainError> {
    let mut experiment = recipe().with(options.changes.unwrap_or_default())?;
    experiment.batch_size = options.batch_size.unwrap_or(experiment.batch_size).max(1);
    let batch = experiment.batch_size;
    let mut learner = HeadsLearner::new(experiment, None)?;
    learner.load_data(1, Stop::default())?;
    let parameters = learner.optimizer.parameters.len();
    throughput::measure(options, parameters, batch, 1, |_| learner.step().map(|()| batch as u64))
}

/// The heads of a file, and the network that they are trained for.
pub fn load(
    metadata: &Metadata,
    tensors: &Tensors,
) -> Result<(Heads, BatchSolver), CheckpointError> {
    let experiment: RulesExperiment = from_metadata(metadata)?;
    let order = experiment.order().map_err(|error| CheckpointError::Unfit(error.to_string()))?;
    let network = Network::load(&experiment)?;
    let heads =
        Heads::new(&experiment.model, tensors, &network.config, &network.parameters, order)?;
    let solver = Solver::new(&network.metadata, &network.tensors)?;
    Ok((heads, BatchSolver::from(solver)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ninefold_training::run::{CHECKPOINT, WEIGHTS};
    use std::sync::atomic::AtomicBool;

    const CHANGES: &str = "steps = 3\nbatch_size = 2\n\
        [model]\nreadout_iterations = [1, 2]\nrule_units = 4\ndoubt_units = 2\n\
        [data]\nsource = \"minimal\"\ntrain = 2\n";

    #[test]
    fn a_resumed_run_ends_with_the_weights_of_an_uninterrupted_one() {
        let directory = tempfile::tempdir().unwrap();
        let (complete, resumed) =
            (directory.path().join("complete"), directory.path().join("resumed"));
        let train = |directory: &Path, stop: Option<&AtomicBool>, resume| {
            let mut options = TrainOptions::new(directory);
            options.changes = Some(CHANGES);
            options.resume = resume;
            options.stop = stop;
            super::train(&options, &mut |_| ()).unwrap()
        };
        assert_eq!(train(&complete, None, false), TrainOutcome::Finished);
        let stop = AtomicBool::new(true);
        assert_eq!(train(&resumed, Some(&stop), false), TrainOutcome::Stopped);
        assert_eq!(train(&resumed, None, true), TrainOutcome::Finished);
        let weights = |directory: &Path| checkpoint::read(&directory.join(CHECKPOINT)).unwrap().1;
        assert_eq!(weights(&complete), weights(&resumed));
        let (metadata, tensors) = checkpoint::read(&complete.join(WEIGHTS)).unwrap();
        let (heads, _) = load(&metadata, &tensors).unwrap();
        assert_eq!(heads.order(), Order::NINE);
    }

    #[test]
    fn invalid_settings_are_rejected() {
        for changes in [
            "wings = 2",
            "batch_size = 0",
            "[model]\nreadout_iterations = []",
            "[model]\nreadout_iterations = [2, 1]",
            "boxes = [0, 3]",
        ] {
            assert!(recipe().with(changes).is_err(), "{changes}");
        }
        assert_eq!(recipe().with(&recipe().to_toml()).unwrap(), recipe());
    }

    #[test]
    fn old_names_of_settings_are_accepted() {
        let experiment = recipe().with("final_rate = 0.5\n[model]\nlooks = [1, 3]\n").unwrap();
        assert_eq!(experiment.final_learning_rate, 0.5);
        assert_eq!(experiment.model.readout_iterations, [1, 3]);
    }
}
