//! The table of all models: finds a model by name, and trains, measures, loads or exports it.
//!
//! An entry refers to the declarations in the file of the model: authors, parameter count, settings
//! and recipe. To add a model, write its file in `models` and an entry in `MODELS`.

use crate::device::{Cpu, Device, Engine, GpuError, TrainingCpu};
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
use crate::training::throughput::{self, Throughput, ThroughputOptions};
use crate::training::{TrainError, TrainOptions, TrainOutcome, train};
use ninefold::grid::Order;
use ninefold::random::Random;
use ninefold_training::experiment::from_metadata;
use std::path::Path;

/// Exports weights with this name and metadata for one grid size, or for that of the weights.
type ExportOnnx = fn(&str, &Metadata, &Tensors, Option<Order>) -> Result<Vec<u8>, ModelError>;

/// A model of the registry.
pub struct ModelEntry {
    /// Name, for example on the command line.
    pub name: &'static str,
    /// Authors and year of publication.
    pub authors: &'static str,
    /// Supported grid sizes.
    pub sizes: &'static str,
    /// Parameter count at the grid size of the paper.
    pub parameters: usize,
    /// Whether one set of weights supports all grid sizes.
    pub for_all_sizes: bool,
    /// The weights that are included in this crate, in the file format of `train`.
    pub shipped_weights: Option<&'static [u8]>,
    decoding: fn() -> Decoding,
    solves: fn() -> bool,
    /// The training recipe as TOML.
    recipe: fn() -> String,
    train: Trainer,
    measure: fn(&ThroughputOptions<'_>, Device) -> Result<Throughput, ModelError>,
    load: fn(&str, Weights<'_>, Device) -> Result<LoadedModel, ModelError>,
    /// Exports it to ONNX with the weights of a file.
    export_onnx: ExportOnnx,
}

type Trainer =
    fn(&TrainOptions<'_>, Device, &mut dyn FnMut(&Line)) -> Result<TrainOutcome, ModelError>;

/// File formats for exported networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// ONNX, for onnxruntime and other programs: operators, weights and metadata.
    Onnx,
    /// Safetensors: the weights in full precision, and metadata.
    Safetensors,
}

impl FileFormat {
    /// Both formats.
    pub const ALL: [FileFormat; 2] = [FileFormat::Onnx, FileFormat::Safetensors];

    /// The name in options, for example `onnx`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            FileFormat::Onnx => "onnx",
            FileFormat::Safetensors => "safetensors",
        }
    }
}

/// The source of the weights of a network.
#[derive(Clone, Copy, Debug)]
pub enum Weights<'a> {
    /// A file written by `train` or [`ModelEntry::export`].
    File(&'a Path),
    /// The weights included in this crate.
    Shipped,
}

/// A network loaded from a file.
pub struct LoadedModel {
    /// The network.
    pub predictor: Box<dyn Predictor>,
    /// Metadata of the file.
    pub metadata: Metadata,
}

/// Why a model cannot be trained, loaded or exported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the error messages describe the variants")]
pub enum ModelError {
    #[error(transparent)]
    Gpu(#[from] GpuError),
    #[error("no weights of {0} are included in this program")]
    NotShipped(String),
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error(transparent)]
    Train(#[from] TrainError),
    #[error("{0} cannot be exported to ONNX: it has no fixed graph")]
    NotExportable(String),
    /// The weights are for another grid size.
    #[error("the weights of {name} are for {trained} grids")]
    OtherSize {
        /// The model.
        name: String,
        /// The size of its weights.
        trained: Order,
    },
}

/// Creates an entry for models with these settings. It is a macro because a function cannot name
/// the types of each device.
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
            train: |options, device, report| {
                Ok(match device {
                    Device::Cpu => {
                        train::train::<$config, TrainingCpu>($name, $recipe, options, report)?
                    }
                    #[cfg(feature = "cuda")]
                    Device::Gpu => {
                        train::train::<$config, TrainingGpu>($name, $recipe, options, report)?
                    }
                    #[cfg(not(feature = "cuda"))]
                    Device::Gpu => return Err(GpuError::NotBuilt.into()),
                })
            },
            measure: |options, device| {
                let experiment = $recipe.with(options.changes.unwrap_or_default())?;
                Ok(match device {
                    Device::Cpu => {
                        throughput::measure::<$config, TrainingCpu>(&experiment, options)?
                    }
                    #[cfg(feature = "cuda")]
                    Device::Gpu => {
                        throughput::measure::<$config, TrainingGpu>(&experiment, options)?
                    }
                    #[cfg(not(feature = "cuda"))]
                    Device::Gpu => return Err(GpuError::NotBuilt.into()),
                })
            },
            load: |name, weights, device| match device {
                Device::Cpu => load::<$config, Cpu>(name, weights, 100),
                #[cfg(feature = "cuda")]
                Device::Gpu => load::<$config, crate::device::Gpu>(name, weights, 2000),
                #[cfg(not(feature = "cuda"))]
                Device::Gpu => Err(GpuError::NotBuilt.into()),
            },
            export_onnx: export_onnx::<$config>,
        }
    };
}

/// The weights with this name that are included in this crate. Larger ones are in
/// `ninefold-weights`, because crates.io limits the size of a package.
macro_rules! shipped {
    ($name:literal) => {
        Some(include_bytes!(concat!("../weights/", $name, ".safetensors")))
    };
}

/// The GPU backend with gradients.
#[cfg(feature = "cuda")]
type TrainingGpu = burn::backend::Autodiff<crate::device::Gpu>;

/// The entry of Kaleidoscope, which has its own inference and training code.
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
        let solver = kaleidoscope::load(&metadata, &tensors, device)?;
        let predictor = Box::new(with_shipped_variants(solver, weights));
        Ok(LoadedModel { predictor, metadata })
    },
    export_onnx: export_kaleidoscope,
};

/// The entry of the heads of Kaleidoscope that predict rules.
const KALEIDOSCOPE_RULES: ModelEntry = ModelEntry {
    name: "kaleidoscope-rules",
    authors: kaleidoscope::heads::AUTHORS,
    parameters: kaleidoscope::heads::PARAMETERS,
    shipped_weights: Some(kaleidoscope::heads::SHIPPED_WEIGHTS),
    solves: || false,
    recipe: || kaleidoscope::heads::recipe().to_toml(),
    // The heads are small and always use the CPU.
    train: |options, _, report| Ok(kaleidoscope::heads::train(options, report)?),
    measure: |options, _| Ok(kaleidoscope::heads::measure(options)?),
    load: |name, weights, _| {
        let (metadata, tensors) = read_weights(name, weights)?;
        Ok(kaleidoscope::load_heads(metadata, &tensors)?.1)
    },
    export_onnx: |name, _, _, _| Err(ModelError::NotExportable(name.to_string())),
    ..KALEIDOSCOPE
};

#[rustfmt::skip]
static MODELS: [ModelEntry; 15] = [
    model!("cnn", cnn::AUTHORS, cnn::PARAMETERS, cnn::Config, cnn::recipe(), Some(ninefold_weights::CNN)),
    model!("dense", staged::AUTHORS, staged::DENSE_PARAMETERS, staged::Config, staged::recipe(Body::Dense, false), None),
    model!("dense-val", staged::AUTHORS, staged::DENSE_PARAMETERS, staged::Config, staged::recipe(Body::Dense, true), Some(ninefold_weights::DENSE_VAL)),
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
    /// The complete recipe as TOML.
    pub fn recipe(&self) -> String {
        (self.recipe)()
    }

    /// Trains it, and reports every measurement immediately.
    pub fn train(
        &self,
        options: &TrainOptions<'_>,
        device: Device,
        report: &mut dyn FnMut(&Line),
    ) -> Result<TrainOutcome, ModelError> {
        device.check()?;
        (self.train)(options, device, report)
    }

    /// Measures its training speed.
    pub fn measure(
        &self,
        options: &ThroughputOptions<'_>,
        device: Device,
    ) -> Result<Throughput, ModelError> {
        device.check()?;
        (self.measure)(options, device)
    }

    /// How it fills puzzles.
    pub fn decoding(&self) -> Decoding {
        (self.decoding)()
    }

    /// Whether it fills puzzles. Other models can be trained and measured, but are not solvers.
    pub fn solves(&self) -> bool {
        (self.solves)()
    }

    /// Loads its weights.
    pub fn load(&self, weights: Weights<'_>, device: Device) -> Result<LoadedModel, ModelError> {
        device.check()?;
        (self.load)(self.name, weights, device)
    }

    /// Exports the network as the bytes of a file. An ONNX graph is for one grid size: `order`, or
    /// that of the weights. Only networks [for all sizes](ModelEntry::for_all_sizes) can be exported
    /// for another size.
    pub fn export(
        &self,
        weights: Weights<'_>,
        format: FileFormat,
        order: Option<Order>,
    ) -> Result<Vec<u8>, ModelError> {
        let (metadata, tensors) = read_weights(self.name, weights)?;
        if let (Some(order), Some(trained)) = (order, metadata.order())
            && order != trained
            && !self.for_all_sizes
        {
            return Err(ModelError::OtherSize { name: self.name.to_string(), trained });
        }
        match format {
            FileFormat::Onnx => (self.export_onnx)(self.name, &metadata, &tensors, order),
            FileFormat::Safetensors => {
                Ok(checkpoint::to_bytes(&metadata, &tensors, Precision::F32))
            }
        }
    }
}

impl LoadedModel {
    /// The test set of the experiment that produced the weights.
    pub fn own_test_set(&self, threads: usize) -> Result<Examples, DataError> {
        let value = |name: &str| self.metadata.experiment.get(name).cloned().unwrap_or_default();
        let dataset: DatasetConfig = serde_json::from_value(value("data"))
            .expect("the experiment was checked when the network was loaded");
        dataset.load(
            self.predictor.order(),
            Split::Test,
            value("seed").as_u64().unwrap_or_default(),
            threads,
        )
    }
}

fn read_experiment<C: ModelConfig>(metadata: &Metadata) -> Result<Experiment<C>, ExperimentError> {
    let experiment: Experiment<C> = from_metadata(metadata).map_err(|error| {
        ExperimentError::Unreadable(format!("invalid experiment in the file: {error}"))
    })?;
    experiment.check()?;
    Ok(experiment)
}

/// Reads the weights of this model.
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

fn export_onnx<C: ModelConfig>(
    name: &str,
    metadata: &Metadata,
    tensors: &Tensors,
    _: Option<Order>,
) -> Result<Vec<u8>, ModelError> {
    let experiment: Experiment<C> = read_experiment(metadata)?;
    let order = experiment.order()?;
    let mut graph = onnx::GraphBuilder::new(tensors);
    let logits = experiment
        .model
        .add_to_graph(order, &mut graph)
        .ok_or_else(|| ModelError::NotExportable(name.to_string()))?;
    graph.finish(&logits);
    match graph.missing_weight() {
        Some(missing) => Err(CheckpointError::Unfit(format!("{missing} is missing")).into()),
        None => Ok(onnx::write(&graph, order, experiment.model.decoding(), metadata)),
    }
}

fn export_kaleidoscope(
    name: &str,
    metadata: &Metadata,
    tensors: &Tensors,
    order: Option<Order>,
) -> Result<Vec<u8>, ModelError> {
    // Checks the settings and the shapes of the weights.
    let solver = kaleidoscope::Solver::new(metadata, tensors)?;
    let order = order.unwrap_or(solver.frame().order);
    let mut graph = onnx::GraphBuilder::new(tensors);
    let iterations = kaleidoscope::onnx::ITERATIONS;
    let logits = kaleidoscope::onnx::logits(solver.config(), order, iterations, &mut graph)
        .ok_or_else(|| ModelError::NotExportable(name.to_string()))?;
    graph.finish(&logits);
    Ok(onnx::write(&graph, order, Decoding::AtOnce, metadata))
}

fn load<C: ModelConfig + 'static, B: Engine>(
    name: &str,
    weights: Weights<'_>,
    batch: usize,
) -> Result<LoadedModel, ModelError> {
    let (predictor, metadata) = load_network::<C, B>(name, weights, batch)?;
    Ok(LoadedModel { predictor: Box::new(predictor), metadata })
}

/// Loads Kaleidoscope as a solver, and as a predictor like any other network.
pub fn load_kaleidoscope(
    weights: Weights<'_>,
    device: Device,
) -> Result<(kaleidoscope::BatchSolver, LoadedModel), ModelError> {
    device.check()?;
    let (metadata, tensors) = read_weights(KALEIDOSCOPE.name, weights)?;
    let solver = with_shipped_variants(kaleidoscope::load(&metadata, &tensors, device)?, weights);
    Ok((solver.clone(), LoadedModel { predictor: Box::new(solver), metadata }))
}

/// Adds the included weights for variants to the included weights for classic puzzles.
fn with_shipped_variants(
    solver: kaleidoscope::BatchSolver,
    weights: Weights<'_>,
) -> kaleidoscope::BatchSolver {
    match weights {
        Weights::Shipped => solver.with_variants(kaleidoscope::Solver::shipped_for_variants()),
        Weights::File(_) => solver,
    }
}

/// Loads the heads of Kaleidoscope that predict rules, and the metadata of their file.
pub fn load_heads(weights: Weights<'_>) -> Result<(kaleidoscope::Heads, LoadedModel), ModelError> {
    let (metadata, tensors) = read_weights(KALEIDOSCOPE_RULES.name, weights)?;
    kaleidoscope::load_heads(metadata, &tensors)
}

/// Loads a network of a known type with its weights and metadata.
pub(crate) fn load_network<C: ModelConfig, B: Engine>(
    name: &str,
    weights: Weights<'_>,
    batch: usize,
) -> Result<(NetworkPredictor<C, B>, Metadata), ModelError> {
    let (metadata, tensors) = read_weights(name, weights)?;
    let experiment: Experiment<C> = read_experiment(&metadata)?;
    let order: Order = experiment.order()?;
    // Building a network allocates its parameters, so a file must contain about as many.
    let stored: usize = tensors.values().map(|tensor| tensor.values.len()).sum();
    if experiment.model.size(order, None).parameters > stored as f64 {
        return Err(CheckpointError::Unfit(format!(
            "the settings in the file describe a network with more than its {stored} parameters"
        ))
        .into());
    }
    let device: B::Device = Default::default();
    let network = experiment.model.build::<B>(order, &mut Random::new(0), &device);
    let network = checkpoint::with_weights(network, &tensors)?;
    Ok((NetworkPredictor { config: experiment.model, order, network, device, batch }, metadata))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recipes_round_trip_through_toml() {
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
                    kaleidoscope::heads::recipe().with(&text).map(|experiment| experiment.to_toml())
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
    fn shipped_weights_with_old_setting_names_load() {
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
