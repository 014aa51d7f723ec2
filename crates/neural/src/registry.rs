//! The registry: which models there are, how each is trained and how each answers.

use crate::device::{Cpu, Device, Engine, NoGpu, TrainingCpu};
use crate::inference::evaluate::{Answering, Judge, Way};
use crate::models::Design;
use crate::models::cnn::Cnn;
use crate::models::multiverse::Multiverse;
use crate::models::recurrent_transformer::RecurrentTransformer;
use crate::models::rem::Rem;
use crate::models::rem::board::BoardRules;
use crate::models::rrn::Rrn;
use crate::models::staged::{Body, Staged, TABLE_V};
use crate::training::adam::Restraint;
use crate::training::checkpoint::{self, Card, CheckpointError};
use crate::training::data::{DataError, Examples, Fresh, Lists, Part, Plan, Recipe};
use crate::training::experiment::{BadExperiment, Experiment, Stage};
use crate::training::metrics::Line;
use crate::training::quantise::Precision;
use crate::training::throughput::{self, Probe, Throughput};
use crate::training::train::{self, Ending, Run, TrainError};
use ninefold::grid::Order;
use ninefold::random::Random;
use std::path::Path;
use std::time::Duration;

/// A model that can be asked for by name.
pub struct Entry {
    /// The name to ask for it by.
    pub name: &'static str,
    /// Where it comes from.
    pub paper: &'static str,
    /// The sizes it can be built for.
    pub orders: &'static str,
    /// Its parameters, for the size of its paper.
    pub parameters: usize,
    /// The weights that come with the program, as a file of `train`.
    pub shipped: Option<&'static [u8]>,
    way: fn() -> Way,
    solves: fn() -> bool,
    /// Its experiment as a file.
    default: fn() -> String,
    train: Trainer,
    measure: fn(&Probe<'_>) -> Result<Throughput, JobError>,
    load: fn(&str, Weights<'_>, Device) -> Result<Loaded, JobError>,
}

type Trainer = fn(&str, &Job<'_>, &mut dyn FnMut(&Line)) -> Result<Ending, JobError>;

/// Where the weights of a network come from.
#[derive(Clone, Copy, Debug)]
pub enum Weights<'a> {
    /// A file of `train`.
    File(&'a Path),
    /// Those that come with the program.
    Shipped,
}

/// What to train, and how.
pub struct Job<'a> {
    /// What differs from the default experiment; when a run goes on, nothing means "as it began".
    pub changes: Option<&'a str>,
    /// The folder of the run.
    pub folder: &'a Path,
    /// Stop after this time.
    pub time: Option<Duration>,
    /// Go on with the run in the folder.
    pub resume: bool,
    /// Where to run.
    pub device: Device,
    /// Threads that make examples.
    pub threads: usize,
    /// The commit, for the card.
    pub commit: &'a str,
}

/// A network that has been read from a file.
pub struct Loaded {
    /// The network.
    pub judge: Box<dyn Judge>,
    /// What its file says about it.
    pub card: Card,
}

/// Why a model cannot be trained or loaded.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the message of each says what it is")]
pub enum JobError {
    #[error(transparent)]
    NoGpu(#[from] NoGpu),
    #[error("no weights of {0} come with this program")]
    NotShipped(String),
    #[error(transparent)]
    Experiment(#[from] BadExperiment),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error(transparent)]
    Train(#[from] TrainError),
}

/// All models.
pub fn all() -> &'static [Entry] {
    &ENTRIES
}

/// The models that fill puzzles.
pub fn solvers() -> impl Iterator<Item = &'static Entry> {
    ENTRIES.iter().filter(|entry| entry.solves())
}

/// The model with this name.
pub fn by_name(name: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.name == name)
}

impl Entry {
    /// The whole default experiment as TOML.
    pub fn default_experiment(&self) -> String {
        (self.default)()
    }

    /// Trains it.
    pub fn train(&self, job: &Job<'_>, tell: &mut dyn FnMut(&Line)) -> Result<Ending, JobError> {
        job.device.check()?;
        (self.train)(self.name, job, tell)
    }

    /// Measures how fast it learns.
    pub fn measure(&self, probe: &Probe<'_>) -> Result<Throughput, JobError> {
        probe.device.check()?;
        (self.measure)(probe)
    }

    /// How it fills a puzzle.
    pub fn way(&self) -> Way {
        (self.way)()
    }

    /// Does it fill puzzles? Others can be trained and measured, and are no solvers.
    pub fn solves(&self) -> bool {
        (self.solves)()
    }

    /// Reads its weights.
    pub fn load(&self, weights: Weights<'_>, device: Device) -> Result<Loaded, JobError> {
        device.check()?;
        (self.load)(self.name, weights, device)
    }
}

impl Loaded {
    /// The test set of the experiment the weights come from.
    pub fn own_test_set(&self, threads: usize) -> Result<Examples, DataError> {
        let value = |name: &str| self.card.experiment.get(name).cloned().unwrap_or_default();
        let plan: Plan = serde_json::from_value(value("data")).expect("the experiment was read when it was loaded");
        plan.make(self.judge.order(), Part::Test, value("seed").as_u64().unwrap_or_default(), threads)
    }
}

/// An entry for one design; the macro writes out the types of each device, which a function cannot be told.
macro_rules! entry {
    ($name:literal, $paper:literal, $parameters:literal, $design:ty, $default:expr, $shipped:expr) => {
        Entry {
            name: $name,
            paper: $paper,
            orders: "any",
            parameters: $parameters,
            shipped: $shipped,
            way: || $default.model.way(),
            solves: || $default.model.solves(),
            default: || $default.to_toml(),
            train: |name, job, tell| {
                let experiment = experiment_of::<$design>(name, $default, job)?;
                let run = Run {
                    name,
                    experiment: &experiment,
                    folder: job.folder,
                    time: job.time,
                    resume: job.resume,
                    threads: job.threads,
                    commit: job.commit,
                };
                Ok(match job.device {
                    Device::Cpu => train::run::<$design, TrainingCpu>(&run, &Default::default(), tell)?,
                    #[cfg(feature = "cuda")]
                    Device::Gpu => train::run::<$design, burn::backend::Autodiff<crate::device::Gpu>>(
                        &run,
                        &Default::default(),
                        tell,
                    )?,
                    #[cfg(not(feature = "cuda"))]
                    Device::Gpu => return Err(NoGpu::NotBuilt.into()),
                })
            },
            measure: |probe| {
                let experiment = match probe.changes {
                    Some(changes) => $default.with(changes)?,
                    None => $default,
                };
                Ok(match probe.device {
                    Device::Cpu => throughput::measure::<$design, TrainingCpu>(&experiment, probe)?,
                    #[cfg(feature = "cuda")]
                    Device::Gpu => {
                        throughput::measure::<$design, burn::backend::Autodiff<crate::device::Gpu>>(&experiment, probe)?
                    }
                    #[cfg(not(feature = "cuda"))]
                    Device::Gpu => return Err(NoGpu::NotBuilt.into()),
                })
            },
            load: |name, weights, device| match device {
                Device::Cpu => load::<$design, Cpu>(name, weights, 100),
                #[cfg(feature = "cuda")]
                Device::Gpu => load::<$design, crate::device::Gpu>(name, weights, 2000),
                #[cfg(not(feature = "cuda"))]
                Device::Gpu => Err(NoGpu::NotBuilt.into()),
            },
        }
    };
}

static ENTRIES: [Entry; 13] = [
    entry!(
        "cnn",
        "2, Kocherzhenko 2020",
        7_605_401,
        Cnn,
        cnn_paper(),
        Some(include_bytes!("../weights/cnn.safetensors"))
    ),
    entry!("dense", "4, Tran and Manley", 3_784_729, Staged, staged_paper(Body::Dense, false), None),
    entry!(
        "dense-val",
        "4, Tran and Manley",
        3_784_729,
        Staged,
        staged_paper(Body::Dense, true),
        Some(include_bytes!("../weights/dense-val.safetensors"))
    ),
    entry!("conv", "4, Tran and Manley", 3_822_617, Staged, staged_paper(Body::Convolutional, false), None),
    entry!("conv-val", "4, Tran and Manley", 3_822_617, Staged, staged_paper(Body::Convolutional, true), None),
    entry!("dense-difficulty", "4, what it proposes", 3_784_729, Staged, staged_by_difficulty(), None),
    entry!(
        "multiverse",
        "3, Schendowich, Ben Isaac and Azoulay 2024",
        91_685,
        Multiverse,
        multiverse_paper(),
        Some(include_bytes!("../weights/multiverse.safetensors"))
    ),
    entry!(
        "recurrent-transformer",
        "3, its baseline: Yang, Ishay and Lee 2023",
        211_328,
        RecurrentTransformer,
        recurrent_transformer_paper(),
        None
    ),
    entry!(
        "rrn",
        "1, Cheewaprakobkit and others 2023",
        191_114,
        Rrn,
        rrn_paper(Rrn::paper()),
        Some(include_bytes!("../weights/rrn.safetensors"))
    ),
    entry!("rrn-palm", "Palm and others 2018", 201_194, Rrn, rrn_paper(Rrn::palm()), None),
    entry!(
        "rem",
        "1, Cheewaprakobkit and others 2023",
        518_006,
        Rem,
        rem_paper(),
        Some(include_bytes!("../weights/rem.safetensors"))
    ),
    entry!(
        "rem-board",
        "1, asked about boards",
        507_200,
        BoardRules,
        board_rules(),
        Some(include_bytes!("../weights/rem-board.safetensors"))
    ),
    entry!(
        "rem-relations",
        "1, asked about boards, without its network",
        57_542,
        BoardRules,
        relations_rules(),
        Some(include_bytes!("../weights/rem-relations.safetensors"))
    ),
];

/// Paper 2: 400,000 puzzles of its own kind, batches of 32, one epoch at 0.001 and one at 0.0001.
///
/// The paper does not say when its generator stops emptying cells; `generate::paper_two_redrawn` says what we read.
pub fn cnn_paper() -> Experiment<Cnn> {
    Experiment {
        boxes: [3, 3],
        seed: 1,
        batch: 32,
        steps_per_checkpoint: 5_000,
        patience: 0,
        staged_validation: false,
        solved_per_stage: 200,
        solved_per_epoch: 0,
        weights: Precision::I8,
        model: Cnn::paper(),
        data: Plan { refusals: 5, train: 400_000, validation: 1_000, test: 1_000, ..Plan::of(Recipe::PaperTwoRedrawn) },
        stages: vec![Stage::new(1, 1e-3), Stage::new(1, 1e-4)],
        restraint: Restraint::default(),
        start: None,
    }
}

/// Paper 4: 32,000 + 8,000 + 10,000 Kaggle-like puzzles, the stages of Table V, patience 2.
///
/// Optimiser, rate and batch are not in the paper; Adam at 0.001 and 128 are those of the notebook it builds on.
pub fn staged_paper(body: Body, staged_validation: bool) -> Experiment<Staged> {
    let stage = |&(blanks, epochs): &(usize, usize)| Stage { blanks: Some(blanks), ..Stage::new(epochs, 1e-3) };
    Experiment {
        boxes: [3, 3],
        seed: 1,
        batch: 128,
        steps_per_checkpoint: 5_000,
        patience: 2,
        staged_validation,
        solved_per_stage: 1_000,
        solved_per_epoch: 0,
        weights: Precision::F16,
        model: Staged::paper(body),
        data: Plan { train: 32_000, validation: 8_000, test: 10_000, ..Plan::of(Recipe::Kaggle) },
        stages: TABLE_V.iter().map(stage).collect(),
        restraint: Restraint::default(),
        start: None,
    }
}

/// Paper 1's network with Palm's recipe: 17-clue puzzles with up to 34 givens, batches of 256, Adam at 0.0002, L2 of
/// 0.0001 (paper 1 says only that it used batches of 128 and a rate of 0.00002, and took five days).
///
/// The lists are the parts that `ninefold dataset split --by solution` makes of the 17-clue puzzles.
pub fn rrn_paper(model: Rrn) -> Experiment<Rrn> {
    let list = |part: &str| vec![Path::new("data/17_clue").join(format!("{part}.txt"))];
    let lists = Lists { train: list("train"), validation: list("validation"), test: list("test") };
    let fresh = Some(Fresh { givens: [17, 34], twins: true, on_the_way: false });
    Experiment {
        boxes: [3, 3],
        seed: 1,
        batch: 256,
        steps_per_checkpoint: 1_000,
        patience: 0,
        staged_validation: false,
        solved_per_stage: 1_000,
        solved_per_epoch: 0,
        weights: Precision::F16,
        model,
        data: Plan { train: 1_000_000, validation: 1_000, test: 10_000, lists, fresh, ..Plan::of(Recipe::Lists) },
        stages: vec![Stage::new(300, 2e-4)],
        restraint: Restraint { decay: 1e-4, longest: 0.0 },
        start: None,
    }
}

/// Paper 1: both networks on 17-clue puzzles as they are, batches of 128, Adam at 0.00002, 32 steps.
pub fn rem_paper() -> Experiment<Rem> {
    let rrn = rrn_paper(Rrn::paper());
    Experiment {
        batch: 128,
        data: Plan { fresh: None, ..rrn.data.clone() },
        stages: vec![Stage::new(300, 2e-5)],
        ..rrn.of(Rem::paper())
    }
}

/// The head for boards on the recurrent relational network: positions on the way that the six rules take, and puzzles
/// with random cells revealed.
///
/// Gradients are cut to a length of 1. The rate rises and falls in stages; how long each takes depends on the hardware.
pub fn board_rules() -> Experiment<BoardRules> {
    let rrn = rrn_paper(Rrn::paper());
    let fresh = Some(Fresh { givens: [17, 60], twins: true, on_the_way: true });
    let pace = [(1, 1e-4), (70, 8e-4), (11, 3e-4), (8, 1e-4), (13, 3e-5)];
    Experiment {
        solved_per_stage: 0,
        data: Plan { fresh, ..rrn.data.clone() },
        stages: pace.map(|(epochs, rate)| Stage::new(epochs, rate)).to_vec(),
        restraint: Restraint { decay: 0.0, longest: 1.0 },
        ..rrn.of(BoardRules::paper())
    }
}

/// The head for boards on states of candidates.
pub fn relations_rules() -> Experiment<BoardRules> {
    Experiment {
        batch: 512,
        stages: vec![Stage::new(2, 5e-4), Stage::new(40, 2e-3), Stage::new(12, 5e-4), Stage::new(6, 1e-4)],
        ..board_rules().of(BoardRules::relations())
    }
}

/// What paper 4 proposes for the future: stages by the actual difficulty of puzzles instead of their number of blanks.
///
/// Grades of [`grades`](crate::training::grades) stand in for the blanks of Table V; solutions, epochs and all else are those of
/// `dense-val`.
pub fn staged_by_difficulty() -> Experiment<Staged> {
    let paper = staged_paper(Body::Dense, true);
    let stages =
        (1..).zip(&paper.stages).map(|(grade, stage)| Stage { blanks: None, grade: Some(grade), ..stage.clone() });
    Experiment { stages: stages.collect(), ..paper }
}

/// Paper 3: M12 for 22 epochs on the first of nine folds of all 4×4 puzzles that need every clue, and how many validation
/// puzzles one look solves after each of them.
///
/// Optimiser, rate and batch are not in the paper; Adam at 0.001 and 32 are what Keras does when it is not told.
pub fn multiverse_paper() -> Experiment<Multiverse> {
    Experiment {
        boxes: [2, 2],
        seed: 1,
        batch: 32,
        steps_per_checkpoint: 10_000,
        patience: 0,
        staged_validation: false,
        solved_per_stage: 0,
        solved_per_epoch: 10_000,
        weights: Precision::F16,
        model: Multiverse::paper(),
        data: Plan { train: 68_506, validation: 8_564, test: 8_563, ..Plan::of(Recipe::Multiverse { fold: 0 }) },
        stages: vec![Stage::new(22, 1e-3)],
        restraint: Restraint::default(),
        start: None,
    }
}

/// The baseline of paper 3: embedding 128, 4 heads, 2 rounds, on the same puzzles for 15 epochs.
pub fn recurrent_transformer_paper() -> Experiment<RecurrentTransformer> {
    let experiment = multiverse_paper().of(RecurrentTransformer::paper_three());
    Experiment { stages: vec![Stage::new(15, 1e-3)], ..experiment }
}

/// The experiment of a job. A run that goes on without changes goes on as it began.
fn experiment_of<D: Design>(name: &str, default: Experiment<D>, job: &Job<'_>) -> Result<Experiment<D>, JobError> {
    let path = job.folder.join(train::CHECKPOINT);
    match job.changes {
        Some(changes) => Ok(default.with(changes)?),
        None if job.resume && path.exists() => {
            let (card, _) = checkpoint::read(&path)?;
            card.expect_model(name)?;
            Ok(read_experiment(&card)?)
        }
        None => Ok(default),
    }
}

fn read_experiment<D: Design>(card: &Card) -> Result<Experiment<D>, BadExperiment> {
    let experiment: Experiment<D> = serde_json::from_value(card.experiment.clone())
        .map_err(|error| BadExperiment::Unreadable(format!("the experiment in the file: {error}")))?;
    experiment.check()?;
    Ok(experiment)
}

fn load<D: Design + 'static, B: Engine>(name: &str, weights: Weights<'_>, batch: usize) -> Result<Loaded, JobError> {
    let (judge, card) = answering::<D, B>(name, weights, batch)?;
    Ok(Loaded { judge: Box::new(judge), card })
}

/// A network of a known design with its weights, and what their file says.
pub fn answering<D: Design, B: Engine>(
    name: &str,
    weights: Weights<'_>,
    batch: usize,
) -> Result<(Answering<D, B>, Card), JobError> {
    let (card, tensors) = match (weights, by_name(name).and_then(|entry| entry.shipped)) {
        (Weights::File(path), _) => checkpoint::read(path)?,
        (Weights::Shipped, Some(bytes)) => checkpoint::read_bytes(&format!("the weights of {name}"), bytes)?,
        (Weights::Shipped, None) => return Err(JobError::NotShipped(name.to_string())),
    };
    card.expect_model(name)?;
    let experiment: Experiment<D> = read_experiment(&card)?;
    let order: Order = experiment.order()?;
    let device: B::Device = Default::default();
    let network = experiment.model.build::<B>(order, &mut Random::new(0), &device);
    let network = checkpoint::with_weights(network, &tensors)?;
    Ok((Answering { design: experiment.model, order, network, device, batch }, card))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_an_experiment_that_can_be_run_and_read_back() {
        for entry in all() {
            let text = entry.default_experiment();
            assert!(by_name(entry.name).is_some());
            let read_back = match entry.name {
                "cnn" => cnn_paper().with(&text).map(|experiment| experiment.to_toml()),
                "multiverse" => multiverse_paper().with(&text).map(|experiment| experiment.to_toml()),
                "recurrent-transformer" => {
                    recurrent_transformer_paper().with(&text).map(|experiment| experiment.to_toml())
                }
                "rrn" | "rrn-palm" => rrn_paper(Rrn::paper()).with(&text).map(|experiment| experiment.to_toml()),
                "rem" => rem_paper().with(&text).map(|experiment| experiment.to_toml()),
                "rem-board" => board_rules().with(&text).map(|experiment| experiment.to_toml()),
                "rem-relations" => relations_rules().with(&text).map(|experiment| experiment.to_toml()),
                _ => staged_paper(Body::Dense, false).with(&text).map(|experiment| experiment.to_toml()),
            };
            assert_eq!(read_back, Ok(text));
        }
        assert!(by_name("oracle").is_none());
        let others: Vec<&str> = all().iter().filter(|entry| !entry.solves()).map(|entry| entry.name).collect();
        assert_eq!((others, solvers().count()), (vec!["rem-board", "rem-relations"], all().len() - 2));
    }
}
