//! Checkpoints as bytes: this is where the weights of a network and what is known about them become a file, and come back.
//!
//! One safetensors file holds everything: the weights by name, exact, half or a byte each ([`quantise`]), and in its header a
//! [`Metadata`] as JSON with the model, the experiment, the commit and how far the run has come. Settings that were renamed
//! since are read under their old names, too ([`renamed`]).
#![deny(unsafe_code)]

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
/// Grows when files of today could not be read any more.
const VERSION: u32 = 1;
const SCALES: &str = ".scales";

/// What a file says about itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metadata {
    /// The version of this form.
    pub version: u32,
    /// The name of the model in the registry.
    pub model: String,
    /// The experiment it comes from, with its seed and the split of its data.
    pub experiment: Value,
    /// The commit that made it.
    pub commit: String,
    /// How far the run has come.
    pub progress: Progress,
}

/// How far a run has come; with the weights and the optimizer's moments it is all that is needed to go on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Steps taken in all.
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
    /// Epochs since then.
    pub waited: usize,
    /// Lines of the metrics.
    pub lines: usize,
}

/// The beginning.
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

/// Numbers as their bits in hexadecimal digits: decimal ones may come back a little different, infinite ones not at all.
mod exact {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("{:016x}", number.to_bits()))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        let text = String::deserialize(deserializer)?;
        u64::from_str_radix(&text, 16)
            .map(f64::from_bits)
            .map_err(|_| D::Error::custom("16 hexadecimal digits are needed"))
    }
}

/// Tensors by name.
pub type Tensors = BTreeMap<String, HostTensor>;

/// A tensor on the host.
#[derive(Clone, Debug, PartialEq)]
pub struct HostTensor {
    /// The length of each axis.
    pub shape: Vec<usize>,
    /// The numbers, row by row.
    pub values: Vec<f32>,
}

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file cannot be opened or written.
    #[error("{path}: {error}")]
    File {
        /// Which file.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// The bytes are not a safetensors file, or not all of one.
    #[error("{path} is damaged or not a safetensors file: {reason}")]
    Damaged {
        /// Which file.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The bytes are not an ONNX file, or not all of one.
    #[error("{path} is damaged or not an ONNX file")]
    DamagedOnnx {
        /// Which file.
        path: String,
    },
    /// Another program wrote it.
    #[error("{path} was not written by ninefold: its header has no metadata that we can read")]
    Foreign {
        /// Which file.
        path: String,
    },
    /// Another model.
    #[error("these are weights of the model {found}, not of {expected}")]
    OtherModel {
        /// The model of the file.
        found: String,
        /// The model that was asked for.
        expected: String,
    },
    /// Another experiment.
    #[error("the checkpoint comes from another experiment: {0}")]
    OtherExperiment(String),
    /// The weights do not fit the model.
    #[error("the weights do not fit the model: {0}")]
    Unfit(String),
}

/// Everything as the bytes of a file.
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
            TensorView::new(*dtype, shape.clone(), bytes).expect("as many bytes as its shape says");
        (name.as_str(), view)
    });
    let words = serde_json::to_string(metadata).expect("metadata can be written as JSON");
    safetensors::serialize(views, Some(HashMap::from([(METADATA.to_string(), words)])))
        .expect("views were checked when they were made")
}

/// Reads the metadata alone, which stands at the head of the file; the weights are not looked at.
pub fn read_metadata(name: &str, bytes: &[u8]) -> Result<Metadata, CheckpointError> {
    let damaged = |reason: String| CheckpointError::Damaged { path: name.to_string(), reason };
    let (_, header) =
        SafeTensors::read_metadata(bytes).map_err(|error| damaged(error.to_string()))?;
    let words = header.metadata().as_ref().and_then(|notes| notes.get(METADATA));
    let metadata: Option<Metadata> = words.and_then(|words| serde_json::from_str(words).ok());
    let metadata = metadata.map(|mut metadata| {
        renamed::to_current_names(&mut metadata.experiment);
        metadata
    });
    metadata
        .filter(|metadata| metadata.version == VERSION)
        .ok_or(CheckpointError::Foreign { path: name.to_string() })
}

/// Reads the bytes of a file that goes by this name.
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
            .ok_or_else(|| damaged(format!("{tensor} holds numbers of an unknown kind")))?;
        if values.iter().any(|value| !value.is_finite()) {
            return Err(damaged(format!("{tensor} holds something that is not a number")));
        }
        tensors.insert(tensor, HostTensor { shape: view.shape().to_vec(), values });
    }
    Ok((metadata, tensors))
}

impl Metadata {
    /// The size of the puzzles that the network takes.
    pub fn order(&self) -> Option<Order> {
        let boxes: [usize; 2] =
            serde_json::from_value(self.experiment.get("boxes")?.clone()).ok()?;
        Order::boxes(boxes[0], boxes[1]).ok()
    }

    /// Metadata of today's form.
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

    /// Is this a file of this model?
    pub fn expect_model(&self, expected: &str) -> Result<(), CheckpointError> {
        if self.model == expected {
            return Ok(());
        }
        Err(CheckpointError::OtherModel {
            found: self.model.clone(),
            expected: expected.to_string(),
        })
    }

    /// Is this a file of this experiment? If not, the error names each difference.
    pub fn expect_experiment(&self, expected: &impl Serialize) -> Result<(), CheckpointError> {
        let expected =
            serde_json::to_value(expected).expect("an experiment can be written as JSON");
        let (mut here, mut there) = (BTreeMap::new(), BTreeMap::new());
        flatten("", &self.experiment, &mut here);
        flatten("", &expected, &mut there);
        let names: std::collections::BTreeSet<&String> = here.keys().chain(there.keys()).collect();
        let word = |side: &BTreeMap<String, String>, name| {
            side.get(name).cloned().unwrap_or_else(|| "nothing".into())
        };
        let differences: Vec<String> = names
            .into_iter()
            .filter(|name| here.get(*name) != there.get(*name))
            .map(|name| {
                format!("{name} is {} there and {} here", word(&here, name), word(&there, name))
            })
            .collect();
        if differences.is_empty() {
            Ok(())
        } else {
            Err(CheckpointError::OtherExperiment(differences.join("; ")))
        }
    }
}

/// Every value of nested settings with its dotted name.
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
