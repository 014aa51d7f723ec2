//! Checkpoints: this is where a network is written down and read back.
//!
//! One safetensors file holds everything, so it is whole or it is not there: the weights by name, while a run goes on
//! also the optimizer's moments (`adam.mean.…`, `adam.square.…`), and in its header a [`Metadata`] as JSON with the model,
//! the experiment, the commit and how far the run has come. A file is written beside its place and then moved there.

use crate::training::adam::{Adam, Moments};
use crate::training::quantise::Precision;
use burn::module::{Module, ModuleMapper, ModuleVisitor, Param};
use burn::tensor::backend::{AutodiffBackend, Backend};
use burn::tensor::{Tensor, TensorData};
pub use checkpoint::{CheckpointError, HostTensor, Metadata, Progress, Tensors, read_metadata};
pub(crate) use checkpoint::{read_bytes, to_bytes};
use std::path::Path;

const MEAN: &str = "adam.mean.";
const SQUARE: &str = "adam.square.";

/// Writes a file; the old one stays whole until the new one is.
pub fn save(
    path: &Path,
    metadata: &Metadata,
    tensors: &Tensors,
    precision: Precision,
) -> Result<(), CheckpointError> {
    let failed = |error| CheckpointError::File { path: path.display().to_string(), error };
    files::write(path, to_bytes(metadata, tensors, precision)).map_err(failed)
}

/// Reads a file.
pub fn read(path: &Path) -> Result<(Metadata, Tensors), CheckpointError> {
    let name = path.display().to_string();
    let bytes =
        std::fs::read(path).map_err(|error| CheckpointError::File { path: name.clone(), error })?;
    read_bytes(&name, &bytes)
}

/// The weights of a network by name.
pub(crate) fn weights_of<B: Backend, M: Module<B>>(network: &M) -> Tensors {
    let mut reader = Reader { path: Vec::new(), tensors: Tensors::new() };
    network.visit(&mut reader);
    reader.tensors
}

/// The network with these weights; every weight must be there, in its shape.
pub(crate) fn with_weights<B: Backend, M: Module<B>>(
    network: M,
    tensors: &Tensors,
) -> Result<M, CheckpointError> {
    let mut writer = Writer { path: Vec::new(), tensors, complaint: None };
    let network = network.map(&mut writer);
    writer.complaint.map_or(Ok(network), |complaint| Err(CheckpointError::Unfit(complaint)))
}

/// The network with as many of these weights as it has, under their own name or under that name inside the part `rrn` of
/// either; the others stay as they are. It is an error if there is none.
pub(super) fn with_known_weights<B: Backend, M: Module<B>>(
    network: M,
    tensors: &Tensors,
) -> Result<M, CheckpointError> {
    let mut weights = weights_of(&network);
    let mut known = 0;
    for (name, weight) in &mut weights {
        let inner = name.strip_prefix("rrn.").unwrap_or(name);
        let found =
            [name, inner, &format!("rrn.{name}")].into_iter().find_map(|name| tensors.get(name));
        if let Some(tensor) = found.filter(|tensor| tensor.shape == weight.shape) {
            *weight = tensor.clone();
            known += 1;
        }
    }
    if known == 0 {
        return Err(CheckpointError::Unfit(
            "no weight of this network is in the file it should start from".to_string(),
        ));
    }
    with_weights(network, &weights)
}

/// Adds the optimizer's moments.
pub(super) fn add_adam<B: AutodiffBackend>(adam: &Adam<B>, tensors: &mut Tensors) {
    for (name, moments) in &adam.moments {
        tensors.insert(format!("{MEAN}{name}"), host_tensor(&moments.mean));
        tensors.insert(format!("{SQUARE}{name}"), host_tensor(&moments.square));
    }
}

/// The optimizer's moments after this many steps; a weight has both moments or none.
pub(super) fn adam_from<B: AutodiffBackend>(
    tensors: &Tensors,
    steps: u64,
    device: &B::Device,
) -> Result<Adam<B>, CheckpointError> {
    let mut adam = Adam { steps, ..Adam::new() };
    let row = |tensor: &HostTensor| {
        Tensor::from_data(TensorData::new(tensor.values.clone(), [tensor.values.len()]), device)
    };
    for (name, mean) in
        tensors.iter().filter_map(|(key, tensor)| Some((key.strip_prefix(MEAN)?, tensor)))
    {
        let fits = |square: &&HostTensor| square.shape == mean.shape;
        let square = tensors.get(&format!("{SQUARE}{name}")).filter(fits);
        let square =
            square.ok_or_else(|| CheckpointError::Unfit(format!("{SQUARE}{name} is missing")))?;
        adam.moments.insert(name.to_string(), Moments { mean: row(mean), square: row(square) });
    }
    if steps > 0 && adam.moments.is_empty() {
        return Err(CheckpointError::Unfit(
            "these are the weights of a finished run, not a checkpoint".to_string(),
        ));
    }
    Ok(adam)
}

/// A copy of a tensor on the host.
pub(super) fn host_tensor<B: Backend, const D: usize>(tensor: &Tensor<B, D>) -> HostTensor {
    let values = tensor.to_data().convert::<f32>().into_vec().expect("the data was just made f32");
    HostTensor { shape: tensor.dims().to_vec(), values }
}

struct Reader {
    path: Vec<String>,
    tensors: Tensors,
}

impl<B: Backend> ModuleVisitor<B> for Reader {
    fn enter_module(&mut self, name: &str, _container: &str) {
        self.path.push(name.to_string());
    }

    fn exit_module(&mut self, _name: &str, _container: &str) {
        self.path.pop();
    }

    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<B, D>>) {
        self.tensors.insert(self.path.join("."), host_tensor(&param.val()));
    }
}

struct Writer<'a> {
    path: Vec<String>,
    tensors: &'a Tensors,
    complaint: Option<String>,
}

impl<B: Backend> ModuleMapper<B> for Writer<'_> {
    fn enter_module(&mut self, name: &str, _container: &str) {
        self.path.push(name.to_string());
    }

    fn exit_module(&mut self, _name: &str, _container: &str) {
        self.path.pop();
    }

    fn map_float<const D: usize>(&mut self, param: Param<Tensor<B, D>>) -> Param<Tensor<B, D>> {
        let name = self.path.join(".");
        let (id, old, mapper) = param.consume();
        let shape = old.dims();
        let new = match self.tensors.get(&name) {
            Some(tensor) if tensor.shape == shape => {
                let new =
                    Tensor::from_data(TensorData::new(tensor.values.clone(), shape), &old.device());
                new.set_require_grad(old.is_require_grad())
            }
            other => {
                let words = match other {
                    None => format!("{name} is missing"),
                    Some(tensor) => {
                        format!("{name} has the shape {:?} there and {shape:?} here", tensor.shape)
                    }
                };
                self.complaint.get_or_insert(words);
                old
            }
        };
        Param::from_mapped_value(id, new, mapper)
    }
}
