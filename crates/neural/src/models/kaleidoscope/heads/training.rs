//! Training of the heads: new boards for every step, on all cores, with the network below as it is.

use super::learning::{learn, lessons};
use super::{Eyes, Heads, HeadsConfig, write};
use crate::device::Device;
use crate::models::kaleidoscope::optimizer::Optimizer;
use crate::models::kaleidoscope::parameters::Spans;
use crate::models::kaleidoscope::train::read_experiment;
use crate::models::kaleidoscope::{self, Experiment, Thinker};
use crate::registry::{LoadedModel, ModelError, TrainingJob, Weights, read_weights};
use crate::training::checkpoint::{self, CheckpointError, Metadata, Progress, Tensors};
use crate::training::data::{Augmentation, DatasetConfig, Examples, Source, Split, SplitFiles};
use crate::training::experiment::ExperimentError;
use crate::training::metrics::{Line, Metrics};
use crate::training::quantise::Precision;
use crate::training::throughput::{Probe, Throughput};
use crate::training::train::{CHECKPOINT, Ending, TrainError, WEIGHTS};
use ninefold::grid::Order;
use ninefold::random::Random;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

/// The network below, as the registry knows it.
const NETWORK: &str = "kaleidoscope";
/// Steps between two lines of the metrics.
const STEPS_PER_LINE: u64 = 20;

/// All that a run depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesExperiment {
    /// The size of the boards that are learned from; the heads take all others, too.
    pub boxes: [usize; 2],
    /// What all chance in the run follows from.
    pub seed: u64,
    /// Boards in a batch; every second one is spoiled by a wrong digit.
    pub batch_size: usize,
    /// Steps of the optimizer.
    pub steps: u64,
    /// The highest learning rate.
    pub learning_rate: f64,
    /// Steps in which the learning rate rises; then it falls along a cosine.
    pub warm_up_steps: u64,
    /// The share of the learning rate that is left at the end.
    pub final_rate: f64,
    /// How the weights are stored that the run leaves behind.
    pub weights: Precision,
    /// The settings of the heads.
    pub model: HeadsConfig,
    /// The puzzles that the boards come from.
    pub data: DatasetConfig,
    /// The weights of the network below, if not those that come with the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<PathBuf>,
}

/// Boards as `rem-board` and `rem-relations` learn from them.
pub fn recipe() -> RulesExperiment {
    let list = |part: &str| vec![Path::new("data/17_clue").join(format!("{part}.txt"))];
    let lists =
        SplitFiles { train: list("train"), validation: list("validation"), test: list("test") };
    let augmentation = Some(Augmentation { givens: [17, 60], twins: true, on_solving_path: true });
    let data = DatasetConfig {
        train: 1_000_000,
        validation: 1_000,
        test: 10_000,
        ..DatasetConfig::of(Source::Lists)
    };
    RulesExperiment {
        boxes: [3, 3],
        seed: 1,
        batch_size: 64,
        steps: 2_000,
        learning_rate: 2e-3,
        warm_up_steps: 50,
        final_rate: 0.01,
        weights: Precision::F16,
        model: HeadsConfig::default(),
        data: DatasetConfig { lists, augmentation, ..data },
        network: None,
    }
}

impl RulesExperiment {
    /// The experiment with what a file changes.
    pub fn with(&self, changes: &str) -> Result<RulesExperiment, ExperimentError> {
        let experiment: RulesExperiment = kaleidoscope::experiment::changed(self, changes)?;
        experiment.order()?;
        experiment.model.check().map_err(ExperimentError::Invalid)?;
        if experiment.batch_size == 0 {
            return Err(ExperimentError::Invalid("a batch holds at least one board".to_string()));
        }
        Ok(experiment)
    }

    /// The whole experiment as a file.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("an experiment can be written as TOML")
    }

    fn order(&self) -> Result<Order, ExperimentError> {
        kaleidoscope::experiment::order_of(self.boxes)
    }

    /// How the optimizer goes.
    fn schedule(&self) -> Experiment {
        Experiment {
            steps: self.steps,
            learning_rate: self.learning_rate,
            warm_up_steps: self.warm_up_steps,
            final_rate: self.final_rate,
            mean_decay: 0.99,
            ..kaleidoscope::recipe()
        }
    }

    fn read(metadata: &Metadata) -> Result<RulesExperiment, CheckpointError> {
        serde_json::from_value(metadata.experiment.clone())
            .map_err(|error| CheckpointError::Unfit(format!("the experiment in the file: {error}")))
    }
}

/// The network below: its settings and its parameters.
fn network_of(
    experiment: &RulesExperiment,
) -> Result<(kaleidoscope::Config, Vec<f32>), ModelError> {
    let weights = experiment.network.as_deref().map_or(Weights::Shipped, Weights::File);
    let (metadata, tensors) = read_weights(NETWORK, weights)?;
    let model = read_experiment(&metadata)?.model;
    let parameters = Spans::new(&model).read("", &tensors)?;
    Ok((model, parameters))
}

/// Heads that learn.
struct Learner {
    eyes: Eyes,
    puzzles: Examples,
    augmentation: Augmentation,
    schedule: Experiment,
    optimizer: Optimizer,
    batch_size: usize,
    seed: u64,
}

impl Learner {
    fn new(experiment: &RulesExperiment, threads: usize) -> Result<Learner, ModelError> {
        let order = experiment.order()?;
        let (network, parameters) = network_of(experiment)?;
        let eyes = Eyes::new(&experiment.model, &network, &parameters, order);
        let puzzles = experiment
            .data
            .make(order, Split::Train, experiment.seed, threads)
            .map_err(TrainError::from)?;
        if puzzles.is_empty() {
            return Err(
                ExperimentError::Invalid("there are no puzzles to learn from".to_string()).into()
            );
        }
        let mut random = Random::for_part(experiment.seed, 0);
        let numbers = eyes.shapes().iter().flat_map(|shape| shape.draw(&mut random)).collect();
        let cells = order.cell_count();
        let plain =
            Augmentation { givens: [cells / 4, cells * 3 / 4], twins: true, on_solving_path: true };
        Ok(Learner {
            eyes,
            puzzles,
            augmentation: experiment.data.augmentation.unwrap_or(plain),
            schedule: experiment.schedule(),
            optimizer: Optimizer::new(numbers),
            batch_size: experiment.batch_size,
            seed: experiment.seed,
        })
    }

    /// One step; back come the losses of rules and of doubt, and the share of boards that were rightly doubted or not.
    fn step(&mut self) -> ([f64; 2], f64) {
        let mut random = Random::for_part(self.seed, 1 + self.optimizer.steps);
        let batch: Vec<usize> =
            (0..self.batch_size).map(|_| random.below(self.puzzles.len())).collect();
        let boards = self.puzzles.augmented(&batch, &self.augmentation, random.bits());
        let lessons = lessons(&self.eyes, &boards, random.bits());
        let learned = learn(&self.eyes, &self.optimizer.parameters, &lessons);
        self.optimizer.step(&learned.gradient, &self.schedule);
        (learned.losses, learned.right)
    }
}

/// Trains until all steps are taken or the time is up; a graphics card has nothing to do here.
pub(crate) fn train(
    name: &str,
    job: &TrainingJob<'_>,
    report: &mut dyn FnMut(&Line),
) -> Result<Ending, ModelError> {
    let path = job.folder.join(CHECKPOINT);
    let folder = job.folder.display().to_string();
    let old = match (job.resume, path.exists()) {
        (false, true) => return Err(TrainError::Occupied(folder).into()),
        (true, false) => return Err(TrainError::NothingToResume(folder).into()),
        (true, true) => Some(checkpoint::read(&path)?),
        (false, false) => None,
    };
    let experiment = match (job.changes, &old) {
        (Some(changes), _) => recipe().with(changes)?,
        (None, Some((metadata, _))) => RulesExperiment::read(metadata)?,
        (None, None) => recipe(),
    };
    let mut learner = Learner::new(&experiment, job.threads)?;
    let mut progress = Progress::default();
    if let Some((metadata, tensors)) = &old {
        metadata.expect_model(name)?;
        progress = metadata.progress.clone();
        learner.optimizer = resumed(&learner, metadata, tensors)?;
    }
    let failed = |error| ModelError::from(TrainError::File { path: folder.clone(), error });
    std::fs::create_dir_all(job.folder).map_err(failed)?;
    std::fs::write(job.folder.join("experiment.toml"), experiment.to_toml()).map_err(failed)?;
    let metrics = Metrics::open(job.folder, progress.lines).map_err(failed)?;
    let (begun, mut saved, mut sums) = (Instant::now(), Instant::now(), [0.0; 3]);
    let answer = Spans::new(&learner.eyes.network).answer.of(&network_of(&experiment)?.1).to_vec();
    let save = |learner: &Learner, progress: &mut Progress| -> Result<(), ModelError> {
        progress.step = learner.optimizer.steps;
        save(name, &experiment, job, learner, progress, &answer)
    };
    let mut ending = Ending::Finished;
    while learner.optimizer.steps < experiment.steps {
        let (losses, right) = learner.step();
        sums.iter_mut()
            .zip([losses[0], losses[1], right])
            .for_each(|(sum, new)| *sum += new / STEPS_PER_LINE as f64);
        let steps = learner.optimizer.steps;
        if steps.is_multiple_of(STEPS_PER_LINE) {
            let line = line(steps, &experiment, sums, begun);
            metrics.add(&line).map_err(failed)?;
            progress.lines += 1;
            report(&line);
            sums = [0.0; 3];
        }
        if job.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            ending = Ending::Stopped;
            break;
        }
        if job.time.is_some_and(|time| begun.elapsed() >= time) {
            ending = Ending::OutOfTime;
            break;
        }
        if saved.elapsed() >= job.checkpoint_every {
            save(&learner, &mut progress)?;
            saved = Instant::now();
        }
    }
    let ending =
        if learner.optimizer.steps == experiment.steps { Ending::Finished } else { ending };
    save(&learner, &mut progress)?;
    Ok(ending)
}

/// The mean loss of both heads, and the share of boards that were rightly doubted or not.
fn line(
    step: u64,
    experiment: &RulesExperiment,
    [rules, doubt, right]: [f64; 3],
    begun: Instant,
) -> Line {
    let seconds = begun.elapsed().as_secs_f64();
    Line {
        what: "steps".to_string(),
        step,
        stage: 1,
        epoch: 1,
        loss: Some(rules + doubt),
        solved: Some(right),
        seconds,
        examples_per_second: (step as usize * experiment.batch_size) as f64 / seconds,
        last_step: experiment.steps,
        ..Line::default()
    }
}

/// Leaves a checkpoint to go on from, and the weights as they would be shipped.
fn save(
    name: &str,
    experiment: &RulesExperiment,
    job: &TrainingJob<'_>,
    learner: &Learner,
    progress: &Progress,
    answer: &[f32],
) -> Result<(), ModelError> {
    let metadata = Metadata::new(name, experiment, job.commit, progress);
    let (shapes, optimizer) = (learner.eyes.shapes(), &learner.optimizer);
    let weights = write(shapes, &optimizer.averaged, answer);
    checkpoint::save(&job.folder.join(WEIGHTS), &metadata, &weights, experiment.weights)?;
    let mut all = write(shapes, &optimizer.parameters, answer);
    for (prefix, numbers) in [
        ("averaged.", &optimizer.averaged),
        ("adam.mean.", &optimizer.mean),
        ("adam.square.", &optimizer.square),
    ] {
        let parts = write(shapes, numbers, answer);
        all.extend(parts.into_iter().map(|(name, tensor)| (format!("{prefix}{name}"), tensor)));
    }
    checkpoint::save(&job.folder.join(CHECKPOINT), &metadata, &all, Precision::F32)?;
    Ok(())
}

/// The optimizer of a checkpoint.
fn resumed(
    learner: &Learner,
    metadata: &Metadata,
    tensors: &Tensors,
) -> Result<Optimizer, CheckpointError> {
    let [rules, doubt] = learner.eyes.shapes();
    let all = |prefix: &str| -> Result<Vec<f32>, CheckpointError> {
        let rules = super::read(tensors, &format!("{prefix}rules"), rules.len())?;
        Ok([rules, super::read(tensors, &format!("{prefix}doubt"), doubt.len())?].concat())
    };
    Ok(Optimizer {
        steps: metadata.progress.step,
        parameters: all("")?,
        mean: all("adam.mean.")?,
        square: all("adam.square.")?,
        averaged: all("averaged.")?,
    })
}

/// Measures how fast the heads learn.
pub(crate) fn measure(probe: &Probe<'_>) -> Result<Throughput, ModelError> {
    let mut experiment = recipe().with(probe.changes.unwrap_or_default())?;
    experiment.batch_size = probe.batch.unwrap_or(experiment.batch_size).max(1);
    let begun = Instant::now();
    let mut learner = Learner::new(&experiment, 1)?;
    learner.step();
    let seconds_to_first_step = begun.elapsed().as_secs_f64();
    let (begun, mut steps) = (Instant::now(), 0);
    while steps < probe.steps && begun.elapsed() < probe.time {
        learner.step();
        steps += 1;
    }
    let seconds = begun.elapsed().as_secs_f64();
    Ok(Throughput {
        parameters: learner.optimizer.parameters.len(),
        batch: experiment.batch_size,
        steps,
        seconds_to_first_step,
        seconds,
        examples_per_second: (steps as usize * experiment.batch_size) as f64 / seconds.max(1e-9),
    })
}

/// The heads of a file; the network below is what fills puzzles.
pub(crate) fn load(
    metadata: Metadata,
    tensors: &Tensors,
    device: Device,
) -> Result<(Heads, LoadedModel), ModelError> {
    let experiment = RulesExperiment::read(&metadata)?;
    let (network, parameters) = network_of(&experiment)?;
    let heads = Heads::new(&experiment.model, tensors, &network, &parameters, experiment.order()?)?;
    let weights = experiment.network.as_deref().map_or(Weights::Shipped, Weights::File);
    let (below, of_network) = read_weights(NETWORK, weights)?;
    let predictor = Box::new(Thinker::new(&below, &of_network, device)?);
    Ok((heads, LoadedModel { predictor, metadata }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHANGES: &str = "steps = 3\nbatch_size = 2\n[model]\nlooks = [1, 2]\nrule_units = 4\ndoubt_units = 2\n[data]\nsource = \"minimal\"\ntrain = 2\n";

    #[test]
    fn a_run_that_was_stopped_goes_on_to_the_same_weights() {
        let folder = tempfile::tempdir().unwrap();
        let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
        let job = |folder, changes, resume| TrainingJob {
            changes: Some(changes),
            resume,
            ..TrainingJob::new(folder)
        };
        train("kaleidoscope-rules", &job(&whole, CHANGES, false), &mut |_| ()).unwrap();
        let stop = std::sync::atomic::AtomicBool::new(true);
        let stopped = TrainingJob { stop: Some(&stop), ..job(&parts, CHANGES, false) };
        assert_eq!(train("kaleidoscope-rules", &stopped, &mut |_| ()).unwrap(), Ending::Stopped);
        assert_eq!(
            train("kaleidoscope-rules", &job(&parts, CHANGES, true), &mut |_| ()).unwrap(),
            Ending::Finished
        );
        let weights = |folder: &Path| checkpoint::read(&folder.join(CHECKPOINT)).unwrap().1;
        assert_eq!(weights(&whole), weights(&parts));
        let (metadata, tensors) = checkpoint::read(&whole.join(WEIGHTS)).unwrap();
        let (heads, _) = load(metadata, &tensors, Device::Cpu).unwrap();
        assert_eq!(heads.order(), Order::NINE);
    }

    #[test]
    fn settings_that_make_no_sense_are_refused() {
        for changes in [
            "wings = 2",
            "batch_size = 0",
            "[model]\nlooks = []",
            "[model]\nlooks = [2, 1]",
            "boxes = [0, 3]",
        ] {
            assert!(recipe().with(changes).is_err(), "{changes}");
        }
        assert_eq!(recipe().with(&recipe().to_toml()).unwrap(), recipe());
    }
}
