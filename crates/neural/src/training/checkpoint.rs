//! Checkpoints of tensor networks: weights and optimizer state as named tensors, and back.
//!
//! A file contains the weights by name; a checkpoint also contains the optimizer's moments
//! (`adam.mean.…`, `adam.square.…`).

use crate::training::adam::{Adam, Moments};
use burn::module::{Module, ModuleMapper, ModuleVisitor, Param};
use burn::tensor::backend::{AutodiffBackend, Backend};
use burn::tensor::{Tensor, TensorData};
pub use ninefold_checkpoint::{
    CheckpointError, HostTensor, Metadata, Progress, Tensors, read_metadata,
};
pub(crate) use ninefold_checkpoint::{read_bytes, to_bytes};
pub use ninefold_training::checkpoint::{read, save};

const MEAN: &str = "adam.mean.";
const SQUARE: &str = "adam.square.";

/// The weights of a network by name.
pub(crate) fn weights_of<B: Backend, M: Module<B>>(network: &M) -> Tensors {
    let mut reader = Reader { path: Vec::new(), tensors: Tensors::new() };
    network.visit(&mut reader);
    reader.tensors
}

/// The network with these weights. It is an error if a weight is missing or has another shape.
pub(crate) fn with_weights<B: Backend, M: Module<B>>(
    network: M,
    tensors: &Tensors,
) -> Result<M, CheckpointError> {
    let mut writer = Writer { path: Vec::new(), tensors, problem: None };
    let network = network.map(&mut writer);
    writer.problem.map_or(Ok(network), |problem| Err(CheckpointError::Unfit(problem)))
}

/// The network with those of these weights that it has, by name; either side may have the prefix
/// `rrn.`. Other weights are unchanged. It is an error if no weight matches.
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
            "the file of initial weights contains no weight of this network".to_string(),
        ));
    }
    with_weights(network, &weights)
}

/// Adds the moments of the optimizer.
pub(super) fn add_adam<B: AutodiffBackend>(adam: &Adam<B>, tensors: &mut Tensors) {
    for (name, moments) in &adam.moments {
        tensors.insert(format!("{MEAN}{name}"), host_tensor(&moments.mean));
        tensors.insert(format!("{SQUARE}{name}"), host_tensor(&moments.square));
    }
}

/// The optimizer after this many steps. A weight has both moments or none.
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
            "the file contains trained weights, not a checkpoint".to_string(),
        ));
    }
    Ok(adam)
}

/// A copy of a tensor in main memory.
pub(super) fn host_tensor<B: Backend, const D: usize>(tensor: &Tensor<B, D>) -> HostTensor {
    let values = tensor.to_data().convert::<f32>().into_vec().expect("the data is f32");
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
    problem: Option<String>,
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
                let problem = match other {
                    None => format!("{name} is missing"),
                    Some(tensor) => {
                        format!(
                            "{name} has shape {:?} in the file and {shape:?} in the model",
                            tensor.shape
                        )
                    }
                };
                self.problem.get_or_insert(problem);
                old
            }
        };
        Param::from_mapped_value(id, new, mapper)
    }
}
