//! Checkpoints: the weights of a network with their metadata, as the bytes of a safetensors file.
//!
//! A file contains the weights by name, with 4, 2 or 1 bytes each ([`quantise`]). Its header
//! contains [`Metadata`] as JSON: the model, the experiment, the commit and the progress of the
//! run. Old names of settings are accepted ([`renamed`]).
#![deny(unsafe_code)]
#![warn(missing_docs)]

/// Compiles the examples of the README as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;

pub mod quantise;
pub mod renamed;

use ninefold::grid::Order;
use quantise::Precision;
use safetensors::SafeTensors;
use safetensors::tensor::TensorView;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

/// The key of our metadata in the header of a file.
const METADATA: &str = "ninefold";
/// Incremented when old files cannot be read any more.
const VERSION: u32 = 1;
const SCALES: &str = ".scales";

/// The metadata of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metadata {
    /// The version of the format.
    pub version: u32,
    /// The name of the model in the registry.
    pub model: String,
    /// The experiment that produced the file, with its seed and its datasets.
    pub experiment: Value,
    /// The commit of the program that wrote the file.
    pub commit: String,
    /// The progress of the run.
    pub progress: Progress,
}

/// The progress of a run. Together with the weights and the optimizer state it is enough to resume.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Steps taken since the start of the run.
    pub step: u64,
    /// Stages finished.
    pub stage: usize,
    /// Epochs finished in this stage.
    pub epoch: usize,
    /// Batches finished in this epoch.
    pub batch: usize,
    /// The sum of the losses in this epoch.
    #[serde(with = "exact")]
    pub epoch_loss: f64,
    /// The sum of the losses since the last line of the metrics.
    #[serde(with = "exact")]
    pub line_loss: f64,
    /// The number of losses since the last line of the metrics.
    pub line_steps: u64,
    /// The lowest validation loss in this stage; infinite before the first one.
    #[serde(with = "exact")]
    pub best: f64,
    /// Epochs since the lowest validation loss.
    pub waited: usize,
    /// Lines written to the metrics.
    pub lines: usize,
}

/// The start of a run.
impl Default for Progress {
    fn default() -> Progress {
        Progress {
            step: 0,
            stage: 0,
            epoch: 0,
            batch: 0,
            epoch_loss: 0.0,
            line_loss: 0.0,
            line_steps: 0,
            best: f64::INFINITY,
            waited: 0,
            lines: 0,
        }
    }
}

/// Numbers as hexadecimal bits. JSON decimals may be rounded and cannot be infinite.
mod exact {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("{:016x}", number.to_bits()))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        let text = String::deserialize(deserializer)?;
        u64::from_str_radix(&text, 16)
            .map(f64::from_bits)
            .map_err(|_| D::Error::custom("expected 16 hexadecimal digits"))
    }
}

/// Tensors by name.
pub type Tensors = BTreeMap<String, HostTensor>;

/// A tensor in main memory.
#[derive(Clone, Debug, PartialEq)]
pub struct HostTensor {
    /// The length of each axis.
    pub shape: Vec<usize>,
    /// The numbers in row-major order.
    pub values: Vec<f32>,
}

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The file cannot be read or written.
    #[error("{path}: {error}")]
    File {
        /// The name of the file.
        path: String,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The bytes are not a complete safetensors file.
    #[error("{path} is damaged or not a safetensors file: {reason}")]
    Damaged {
        /// The name of the file.
        path: String,
        /// The reason.
        reason: String,
    },
    /// The bytes are not a complete ONNX file.
    #[error("{path} is damaged or not an ONNX file")]
    DamagedOnnx {
        /// The name of the file.
        path: String,
    },
    /// The file was written by another program.
    #[error("{path} was not written by ninefold: its header has no readable metadata")]
    Foreign {
        /// The name of the file.
        path: String,
    },
    /// The file belongs to another model.
    #[error("these are weights of the model {found}, not of {expected}")]
    OtherModel {
        /// The model of the file.
        found: String,
        /// The requested model.
        expected: String,
    },
    /// The file belongs to another experiment.
    #[error("the checkpoint comes from another experiment: {0}")]
    OtherExperiment(String),
    /// The weights do not fit the model.
    #[error("the weights do not fit the model: {0}")]
    Unfit(String),
}

/// Serializes metadata and tensors as the bytes of a file.
pub fn to_bytes(metadata: &Metadata, tensors: &Tensors, precision: Precision) -> Vec<u8> {
    let mut stored: BTreeMap<String, (safetensors::Dtype, Vec<usize>, Vec<u8>)> = BTreeMap::new();
    for (name, tensor) in tensors {
        let columns = tensor.shape.last().copied().unwrap_or(1).max(1);
        let one = quantise::store(&tensor.values, columns, tensor.shape.len() > 1, precision);
        if let Some(scales) = one.scales {
            let bytes = scales.iter().flat_map(|scale| scale.to_le_bytes()).collect();
            stored.insert(
                format!("{name}{SCALES}"),
                (safetensors::Dtype::F32, vec![scales.len()], bytes),
            );
        }
        stored.insert(name.clone(), (one.dtype, tensor.shape.clone(), one.bytes));
    }
    let views = stored.iter().map(|(name, (dtype, shape, bytes))| {
        let view =
            TensorView::new(*dtype, shape.clone(), bytes).expect("the bytes match the shape");
        (name.as_str(), view)
    });
    let json = serde_json::to_string(metadata).expect("metadata can be written as JSON");
    safetensors::serialize(views, Some(HashMap::from([(METADATA.to_string(), json)])))
        .expect("views are valid tensors")
}

/// Reads the metadata only. Errors mention `name`.
pub fn read_metadata(name: &str, bytes: &[u8]) -> Result<Metadata, CheckpointError> {
    let damaged = |reason: String| CheckpointError::Damaged { path: name.to_string(), reason };
    let (_, header) =
        SafeTensors::read_metadata(bytes).map_err(|error| damaged(error.to_string()))?;
    let json = header.metadata().as_ref().and_then(|notes| notes.get(METADATA));
    let metadata: Option<Metadata> = json.and_then(|json| serde_json::from_str(json).ok());
    let metadata = metadata.map(|mut metadata| {
        renamed::to_current_names(&mut metadata.experiment);
        metadata
    });
    metadata
        .filter(|metadata| metadata.version == VERSION)
        .ok_or(CheckpointError::Foreign { path: name.to_string() })
}

/// Reads the bytes of a file. Errors mention `name`.
pub fn read_bytes(name: &str, bytes: &[u8]) -> Result<(Metadata, Tensors), CheckpointError> {
    let damaged = |reason: String| CheckpointError::Damaged { path: name.to_string(), reason };
    let metadata = read_metadata(name, bytes)?;
    let file = SafeTensors::deserialize(bytes).map_err(|error| damaged(error.to_string()))?;
    let mut tensors = Tensors::new();
    for (tensor, view) in file.tensors() {
        if tensor.ends_with(SCALES) {
            continue;
        }
        let scales = file.tensor(&format!("{tensor}{SCALES}")).ok();
        let scales = scales.and_then(|scales| quantise::load(scales.dtype(), scales.data(), None));
        let values = quantise::load(view.dtype(), view.data(), scales.as_deref())
            .filter(|values| values.len() == view.shape().iter().product::<usize>())
            .ok_or_else(|| damaged(format!("{tensor} has an unsupported number format")))?;
        if values.iter().any(|value| !value.is_finite()) {
            return Err(damaged(format!("{tensor} contains a number that is not finite")));
        }
        tensors.insert(tensor, HostTensor { shape: view.shape().to_vec(), values });
    }
    Ok((metadata, tensors))
}

impl Metadata {
    /// The grid size of the experiment.
    pub fn order(&self) -> Option<Order> {
        let boxes: [usize; 2] =
            serde_json::from_value(self.experiment.get("boxes")?.clone()).ok()?;
        Order::new(boxes[0], boxes[1]).ok()
    }

    /// Metadata of the current version.
    pub fn new(
        model: &str,
        experiment: &impl Serialize,
        commit: &str,
        progress: &Progress,
    ) -> Metadata {
        Metadata {
            version: VERSION,
            model: model.to_string(),
            experiment: serde_json::to_value(experiment)
                .expect("an experiment can be written as JSON"),
            commit: commit.to_string(),
            progress: progress.clone(),
        }
    }

    /// Checks the model.
    pub fn expect_model(&self, expected: &str) -> Result<(), CheckpointError> {
        if self.model == expected {
            return Ok(());
        }
        Err(CheckpointError::OtherModel {
            found: self.model.clone(),
            expected: expected.to_string(),
        })
    }

    /// Checks the experiment. The error lists all differences.
    pub fn expect_experiment(&self, expected: &impl Serialize) -> Result<(), CheckpointError> {
        let expected =
            serde_json::to_value(expected).expect("an experiment can be written as JSON");
        let (mut found, mut wanted) = (BTreeMap::new(), BTreeMap::new());
        flatten("", &self.experiment, &mut found);
        flatten("", &expected, &mut wanted);
        let names: std::collections::BTreeSet<&String> =
            found.keys().chain(wanted.keys()).collect();
        let value = |side: &BTreeMap<String, String>, name| {
            side.get(name).cloned().unwrap_or_else(|| "unset".into())
        };
        let differences: Vec<String> = names
            .into_iter()
            .filter(|name| found.get(*name) != wanted.get(*name))
            .map(|name| {
                let (found, wanted) = (value(&found, name), value(&wanted, name));
                format!("{name} is {found} in the checkpoint and {wanted} in the experiment")
            })
            .collect();
        if differences.is_empty() {
            Ok(())
        } else {
            Err(CheckpointError::OtherExperiment(differences.join("; ")))
        }
    }
}

/// All values of nested settings with their dotted names.
fn flatten(name: &str, value: &Value, into: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(inner) => {
            for (key, value) in inner {
                let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                flatten(&name, value, into);
            }
        }
        other => _ = into.insert(name.to_string(), other.to_string()),
    }
}
