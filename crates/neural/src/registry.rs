//! The registry: the table of all models, and what can be done with each of them by name.
//!
//! A row points at what the model's own file declares: authors, parameters, settings and recipe. To add a model, write its
//! file in `models` and a row in `MODELS`.

use crate::device::{Cpu, Device, Engine, NoGpu, TrainingCpu};
use crate::inference::decoding::Decoding;
use crate::inference::predictor::{NetworkPredictor, Predictor};
use crate::models::rem::{self, board};
use crate::models::staged::Body;
use crate::models::{
    ModelConfig, cnn, kaleidoscope, multiverse, recurrent_transformer, rrn, staged,
};
use crate::onnx;
use crate::training::checkpoint::{self, CheckpointError, Metadata, Tensors};
use crate::training::data::{DataError, DatasetConfig, Examples, Split};
use crate::training::experiment::{Experiment, ExperimentError};
use crate::training::metrics::Line;
use crate::training::quantise::Precision;
use crate::training::throughput::{self, Probe, Throughput};
use crate::training::train::{self, Ending, Run, TrainError};
use ninefold::grid::Order;
use ninefold::random::Random;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A model that can be asked for by name.
pub struct ModelEntry {
    /// The name to ask for it by.
    pub name: &'static str,
    /// Who published it, and when.
    pub authors: &'static str,
    /// The sizes it can be built for.
    pub sizes: &'static str,
    /// Its parameters, for the size of its paper.
    pub parameters: usize,
    /// Are the weights for all sizes, whatever they were trained on?
    pub for_all_sizes: bool,
    /// The weights that come with the program, as a file of `train`.
    pub shipped_weights: Option<&'static [u8]>,
    decoding: fn() -> Decoding,
    solves: fn() -> bool,
    /// Its recipe as a file.
    recipe: fn() -> String,
    train: Trainer,
    measure: fn(&Probe<'_>) -> Result<Throughput, ModelError>,
    load: fn(&str, Weights<'_>, Device) -> Result<LoadedModel, ModelError>,
    /// Draws it for ONNX, with weights of its file.
    draw: fn(&str, &Metadata, &Tensors) -> Result<Vec<u8>, ModelError>,
}

type Trainer = fn(&str, &TrainingJob<'_>, &mut dyn FnMut(&Line)) -> Result<Ending, ModelError>;

/// A file in which a network can be handed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// For onnxruntime and others: the operators, the weights and our metadata.
    Onnx,
    /// Our own: the weights and our metadata, every number as it is.
    Safetensors,
}

/// Where the weights of a network come from.
#[derive(Clone, Copy, Debug)]
pub enum Weights<'a> {
    /// A file of `train`, or one of [`ModelEntry::export`].
    File(&'a Path),
    /// Those that come with the program.
    Shipped,
}

/// What to train, and how.
pub struct TrainingJob<'a> {
    /// What differs from the model's recipe; when a run is resumed, nothing means "as it began".
    pub changes: Option<&'a str>,
    /// The folder of the run.
    pub folder: &'a Path,
    /// Stop after this time.
    pub time: Option<Duration>,
    /// Resume the run in the folder.
    pub resume: bool,
    /// Where to run.
    pub device: Device,
    /// Threads that make examples.
    pub threads: usize,
    /// The commit, for the metadata.
    pub commit: &'a str,
    /// Time between checkpoints.
    pub checkpoint_every: Duration,
    /// Another thread sets this to true to stop the run after the step it is at, with a checkpoint.
    pub stop: Option<&'a AtomicBool>,
}

impl<'a> TrainingJob<'a> {
    /// The model's recipe from its beginning to its end, on one thread of the processor.
    pub fn new(folder: &'a Path) -> TrainingJob<'a> {
        TrainingJob {
            changes: None,
            folder,
            time: None,
            resume: false,
            device: Device::Cpu,
            threads: 1,
            commit: "",
            checkpoint_every: train::CHECKPOINT_EVERY,
            stop: None,
        }
    }
}

/// A network that has been read from a file.
pub struct LoadedModel {
    /// The network.
    pub predictor: Box<dyn Predictor>,
    /// What its file says about it.
    pub metadata: Metadata,
}

/// Why a model cannot be trained or loaded.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the message of each says what it is")]
pub enum ModelError {
    #[error(transparent)]
    NoGpu(#[from] NoGpu),
    #[error("no weights of {0} come with this program")]
    NotShipped(String),
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error(transparent)]
    Train(#[from] TrainError),
    #[error("{0} cannot be written as ONNX: its operators are not those of a fixed graph")]
    NotDrawn(String),
}

/// A row for models with these settings; a macro, because a function cannot name the types of each device.
macro_rules! model {
    ($name:literal, $authors:expr, $parameters:expr, $config:ty, $recipe:expr, $weights:expr) => {
        ModelEntry {
            name: $name,
            authors: $authors,
            sizes: "any",
            parameters: $parameters,
            for_all_sizes: false,
            shipped_weights: $weights,
            decoding: || $recipe.model.decoding(),
            solves: || $recipe.model.solves(),
            recipe: || $recipe.to_toml(),
            train: |name, job, report| {
                let experiment = experiment_of::<$config>(name, $recipe, job)?;
                let (run, device) = (run_of(name, &experiment, job), Default::default());
                Ok(match job.device {
                    Device::Cpu => train::run::<$config, TrainingCpu>(&run, &device, report)?,
                    #[cfg(feature = "cuda")]
                    Device::Gpu => {
                        train::run::<$config, TrainingGpu>(&run, &Default::default(), report)?
                    }
                    #[cfg(not(feature = "cuda"))]
                    Device::Gpu => return Err(NoGpu::NotBuilt.into()),
                })
            },
            measure: |probe| {
                let experiment = $recipe.with(probe.changes.unwrap_or_default())?;
                Ok(match probe.device {
                    Device::Cpu => throughput::measure::<$config, TrainingCpu>(&experiment, probe)?,
                    #[cfg(feature = "cuda")]
                    Device::Gpu => throughput::measure::<$config, TrainingGpu>(&experiment, probe)?,
                    #[cfg(not(feature = "cuda"))]
                    Device::Gpu => return Err(NoGpu::NotBuilt.into()),
                })
            },
            load: |name, weights, device| match device {
                Device::Cpu => load::<$config, Cpu>(name, weights, 100),
                #[cfg(feature = "cuda")]
                Device::Gpu => load::<$config, crate::device::Gpu>(name, weights, 2000),
                #[cfg(not(feature = "cuda"))]
                Device::Gpu => Err(NoGpu::NotBuilt.into()),
            },
            draw: draw::<$config>,
        }
    };
}

/// The weights of this name that come with the program.
macro_rules! shipped {
    ($name:literal) => {
        Some(include_bytes!(concat!("../weights/", $name, ".safetensors")))
    };
}

/// Numbers on a graphics card, with gradients.
#[cfg(feature = "cuda")]
type TrainingGpu = burn::backend::Autodiff<crate::device::Gpu>;

/// The row of a network that trains and answers in its own way.
const KALEIDOSCOPE: ModelEntry = ModelEntry {
    name: "kaleidoscope",
    authors: kaleidoscope::AUTHORS,
    sizes: "any",
    parameters: kaleidoscope::PARAMETERS,
    for_all_sizes: true,
    shipped_weights: Some(kaleidoscope::SHIPPED_WEIGHTS),
    decoding: || Decoding::AtOnce,
    solves: || true,
    recipe: || kaleidoscope::recipe().to_toml(),
    train: kaleidoscope::train,
    measure: kaleidoscope::measure,
    load: |name, weights, device| {
        let (metadata, tensors) = read_weights(name, weights)?;
        kaleidoscope::load(metadata, &tensors, device)
    },
    draw: |name, _, _| Err(ModelError::NotDrawn(name.to_string())),
};

/// Heads on that network, which name rules.
const KALEIDOSCOPE_RULES: ModelEntry = ModelEntry {
    name: "kaleidoscope-rules",
    authors: kaleidoscope::RULES_AUTHORS,
    parameters: kaleidoscope::RULES_PARAMETERS,
    shipped_weights: shipped!("kaleidoscope-rules"),
    solves: || false,
    recipe: || kaleidoscope::rules_recipe().to_toml(),
    train: kaleidoscope::train_rules,
    measure: kaleidoscope::measure_rules,
    load: |name, weights, device| {
        let (metadata, tensors) = read_weights(name, weights)?;
        Ok(kaleidoscope::load_rules(metadata, &tensors, device)?.1)
    },
    ..KALEIDOSCOPE
};

#[rustfmt::skip]
static MODELS: [ModelEntry; 15] = [
    model!("cnn", cnn::AUTHORS, cnn::PARAMETERS, cnn::Config, cnn::recipe(), shipped!("cnn")),
    model!("dense", staged::AUTHORS, staged::DENSE_PARAMETERS, staged::Config, staged::recipe(Body::Dense, false), None),
    model!("dense-val", staged::AUTHORS, staged::DENSE_PARAMETERS, staged::Config, staged::recipe(Body::Dense, true), shipped!("dense-val")),
    model!("conv", staged::AUTHORS, staged::CONVOLUTIONAL_PARAMETERS, staged::Config, staged::recipe(Body::Convolutional, false), None),
    model!("conv-val", staged::AUTHORS, staged::CONVOLUTIONAL_PARAMETERS, staged::Config, staged::recipe(Body::Convolutional, true), None),
    model!("dense-difficulty", staged::PROPOSAL, staged::DENSE_PARAMETERS, staged::Config, staged::recipe_by_difficulty(), None),
    model!("multiverse", multiverse::AUTHORS, multiverse::PARAMETERS, multiverse::Config, multiverse::recipe(), shipped!("multiverse")),
    model!("recurrent-transformer", recurrent_transformer::AUTHORS, recurrent_transformer::PARAMETERS, recurrent_transformer::Config, recurrent_transformer::recipe(), None),
    model!("rrn", rrn::AUTHORS, rrn::PARAMETERS, rrn::Config, rrn::recipe(rrn::Config::paper()), shipped!("rrn")),
    model!("rrn-palm", rrn::PALM_AUTHORS, rrn::PALM_PARAMETERS, rrn::Config, rrn::recipe(rrn::Config::palm()), None),
    model!("rem", rem::AUTHORS, rem::PARAMETERS, rem::Config, rem::recipe(), shipped!("rem")),
    model!("rem-board", board::AUTHORS, board::PARAMETERS, board::Config, board::recipe(), shipped!("rem-board")),
    model!("rem-relations", board::RELATIONS_AUTHORS, board::RELATIONS_PARAMETERS, board::Config, board::relations_recipe(), shipped!("rem-relations")),
    KALEIDOSCOPE,
    KALEIDOSCOPE_RULES,
];

/// All models.
pub fn all() -> &'static [ModelEntry] {
    &MODELS
}

/// The models that fill puzzles.
pub fn solvers() -> impl Iterator<Item = &'static ModelEntry> {
    MODELS.iter().filter(|model| model.solves())
}

/// The model with this name.
pub fn by_name(name: &str) -> Option<&'static ModelEntry> {
    MODELS.iter().find(|model| model.name == name)
}

impl ModelEntry {
    /// The whole recipe as TOML.
    pub fn recipe(&self) -> String {
        (self.recipe)()
    }

    /// Trains it; every measurement is reported as soon as it is made.
    pub fn train(
        &self,
        job: &TrainingJob<'_>,
        report: &mut dyn FnMut(&Line),
    ) -> Result<Ending, ModelError> {
        job.device.check()?;
        (self.train)(self.name, job, report)
    }

    /// Measures how fast it learns.
    pub fn measure(&self, probe: &Probe<'_>) -> Result<Throughput, ModelError> {
        probe.device.check()?;
        (self.measure)(probe)
    }

    /// How it fills a puzzle.
    pub fn decoding(&self) -> Decoding {
        (self.decoding)()
    }

    /// Does it fill puzzles? Others can be trained and measured, but are not solvers.
    pub fn solves(&self) -> bool {
        (self.solves)()
    }

    /// Reads its weights.
    pub fn load(&self, weights: Weights<'_>, device: Device) -> Result<LoadedModel, ModelError> {
        device.check()?;
        (self.load)(self.name, weights, device)
    }

    /// The network as the bytes of a file.
    pub fn export(&self, weights: Weights<'_>, format: FileFormat) -> Result<Vec<u8>, ModelError> {
        let (metadata, tensors) = read_weights(self.name, weights)?;
        match format {
            FileFormat::Onnx => (self.draw)(self.name, &metadata, &tensors),
            FileFormat::Safetensors => {
                Ok(checkpoint::to_bytes(&metadata, &tensors, Precision::F32))
            }
        }
    }
}

impl LoadedModel {
    /// The test set of the experiment the weights come from.
    pub fn own_test_set(&self, threads: usize) -> Result<Examples, DataError> {
        let value = |name: &str| self.metadata.experiment.get(name).cloned().unwrap_or_default();
        let dataset: DatasetConfig = serde_json::from_value(value("data"))
            .expect("the experiment was read when it was loaded");
        dataset.make(
            self.predictor.order(),
            Split::Test,
            value("seed").as_u64().unwrap_or_default(),
            threads,
        )
    }
}

/// The experiment of a job. A run that is resumed without changes goes on as it began.
fn experiment_of<C: ModelConfig>(
    name: &str,
    recipe: Experiment<C>,
    job: &TrainingJob<'_>,
) -> Result<Experiment<C>, ModelError> {
    let path = job.folder.join(train::CHECKPOINT);
    match job.changes {
        Some(changes) => Ok(recipe.with(changes)?),
        None if job.resume && path.exists() => {
            let (metadata, _) = checkpoint::read(&path)?;
            metadata.expect_model(name)?;
            Ok(read_experiment(&metadata)?)
        }
        None => Ok(recipe),
    }
}

fn run_of<'a, C>(
    name: &'a str,
    experiment: &'a Experiment<C>,
    job: &TrainingJob<'a>,
) -> Run<'a, C> {
    Run {
        name,
        experiment,
        folder: job.folder,
        time: job.time,
        resume: job.resume,
        threads: job.threads,
        commit: job.commit,
        checkpoint_every: job.checkpoint_every,
        stop: job.stop,
    }
}

fn read_experiment<C: ModelConfig>(metadata: &Metadata) -> Result<Experiment<C>, ExperimentError> {
    let experiment: Experiment<C> =
        serde_json::from_value(metadata.experiment.clone()).map_err(|error| {
            ExperimentError::Unreadable(format!("the experiment in the file: {error}"))
        })?;
    experiment.check()?;
    Ok(experiment)
}

/// What stands in a file of weights for this model.
pub(crate) fn read_weights(
    name: &str,
    weights: Weights<'_>,
) -> Result<(Metadata, Tensors), ModelError> {
    let (metadata, tensors) = match (weights, by_name(name).and_then(|model| model.shipped_weights))
    {
        (Weights::File(path), _) if path.extension().is_some_and(|ending| ending == "onnx") => {
            let name = path.display().to_string();
            let bytes = std::fs::read(path)
                .map_err(|error| CheckpointError::File { path: name.clone(), error })?;
            onnx::read(&name, &bytes)?
        }
        (Weights::File(path), _) => checkpoint::read(path)?,
        (Weights::Shipped, Some(bytes)) => {
            checkpoint::read_bytes(&format!("the weights of {name}"), bytes)?
        }
        (Weights::Shipped, None) => return Err(ModelError::NotShipped(name.to_string())),
    };
    metadata.expect_model(name)?;
    Ok((metadata, tensors))
}

fn draw<C: ModelConfig>(
    name: &str,
    metadata: &Metadata,
    tensors: &Tensors,
) -> Result<Vec<u8>, ModelError> {
    let experiment: Experiment<C> = read_experiment(metadata)?;
    let order = experiment.order()?;
    let mut drawing = onnx::Drawing::new(tensors);
    let logits = experiment
        .model
        .draw(order, &mut drawing)
        .ok_or_else(|| ModelError::NotDrawn(name.to_string()))?;
    drawing.finish(&logits);
    match drawing.missing_weight() {
        Some(missing) => Err(CheckpointError::Unfit(format!("{missing} is missing")).into()),
        None => Ok(onnx::write(&drawing, order, experiment.model.decoding(), metadata)),
    }
}

fn load<C: ModelConfig + 'static, B: Engine>(
    name: &str,
    weights: Weights<'_>,
    batch: usize,
) -> Result<LoadedModel, ModelError> {
    let (predictor, metadata) = load_network::<C, B>(name, weights, batch)?;
    Ok(LoadedModel { predictor: Box::new(predictor), metadata })
}

/// The network of our own with its weights, and the same as any other network is loaded.
pub fn load_thinker(
    weights: Weights<'_>,
    device: Device,
) -> Result<(kaleidoscope::Thinker, LoadedModel), ModelError> {
    device.check()?;
    let (metadata, tensors) = read_weights(KALEIDOSCOPE.name, weights)?;
    let thinker = kaleidoscope::Thinker::new(&metadata, &tensors, device)?;
    Ok((thinker, kaleidoscope::load(metadata, &tensors, device)?))
}

/// The heads on that network with their weights, and what their file says.
pub fn load_heads(weights: Weights<'_>) -> Result<(kaleidoscope::Heads, LoadedModel), ModelError> {
    let (metadata, tensors) = read_weights(KALEIDOSCOPE_RULES.name, weights)?;
    kaleidoscope::load_rules(metadata, &tensors, Device::Cpu)
}

/// A network of a known type with its weights, and what their file says.
pub(crate) fn load_network<C: ModelConfig, B: Engine>(
    name: &str,
    weights: Weights<'_>,
    batch: usize,
) -> Result<(NetworkPredictor<C, B>, Metadata), ModelError> {
    let (metadata, tensors) = read_weights(name, weights)?;
    let experiment: Experiment<C> = read_experiment(&metadata)?;
    let order: Order = experiment.order()?;
    let device: B::Device = Default::default();
    let network = experiment.model.build::<B>(order, &mut Random::new(0), &device);
    let network = checkpoint::with_weights(network, &tensors)?;
    Ok((NetworkPredictor { config: experiment.model, order, network, device, batch }, metadata))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_recipe_can_be_run_and_read_back() {
        fn read_back<C: ModelConfig>(
            recipe: Experiment<C>,
            text: &str,
        ) -> Result<String, ExperimentError> {
            recipe.with(text).map(|experiment| experiment.to_toml())
        }
        for model in all() {
            let text = model.recipe();
            let found = match model.name {
                "cnn" => read_back(cnn::recipe(), &text),
                "multiverse" => read_back(multiverse::recipe(), &text),
                "recurrent-transformer" => read_back(recurrent_transformer::recipe(), &text),
                "rrn" | "rrn-palm" => read_back(rrn::recipe(rrn::Config::paper()), &text),
                "rem" => read_back(rem::recipe(), &text),
                "rem-board" => read_back(board::recipe(), &text),
                "rem-relations" => read_back(board::relations_recipe(), &text),
                "kaleidoscope" => {
                    kaleidoscope::recipe().with(&text).map(|experiment| experiment.to_toml())
                }
                "kaleidoscope-rules" => {
                    kaleidoscope::rules_recipe().with(&text).map(|experiment| experiment.to_toml())
                }
                _ => read_back(staged::recipe(Body::Dense, false), &text),
            };
            assert_eq!(found, Ok(text));
            assert!(by_name(model.name).is_some());
        }
        assert!(by_name("oracle").is_none());
        let others: Vec<&str> =
            all().iter().filter(|model| !model.solves()).map(|model| model.name).collect();
        assert_eq!(
            (others, solvers().count()),
            (vec!["rem-board", "rem-relations", "kaleidoscope-rules"], all().len() - 3)
        );
    }

    #[test]
    fn shipped_weights_load_whatever_their_settings_were_called_when_they_were_made() {
        let of_papers = all().iter().filter(|model| !model.name.starts_with("kaleidoscope"));
        for model in of_papers.filter(|model| model.shipped_weights.is_some()) {
            let loaded = model.load(Weights::Shipped, Device::Cpu).unwrap();
            let experiment = &loaded.metadata.experiment;
            assert!(
                experiment.get("batch_size").is_some() && experiment.get("batch").is_none(),
                "{}",
                model.name
            );
            assert!(experiment["stages"][0]["learning_rate"].is_f64(), "{}", model.name);
        }
    }
}
