//! The neural networks of the server, with embedded weights or weights from files.
//!
//! A network is loaded when it is first used and stays in memory. Predicting does not change it, so
//! requests use it concurrently without waiting for each other, and a cancelled request has no
//! effect on later ones.

use ninefold::grid::Order;
use ninefold_neural::device::Device;
use ninefold_neural::models::kaleidoscope::Heads;
use ninefold_neural::registry::{self, LoadedModel, ModelEntry, Weights};
use ninefold_neural::training::checkpoint::{self, Metadata};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// The networks that can be watched.
#[derive(Clone, Default)]
pub struct Networks(Vec<Arc<Network>>);

/// A network with weights.
pub(crate) struct Network {
    pub entry: &'static ModelEntry,
    /// The grid size it was trained for.
    pub order: Order,
    /// The file with the weights; `None` for embedded weights.
    file: Option<PathBuf>,
    loaded: OnceLock<Result<LoadedModel, String>>,
    heads: OnceLock<Option<Heads>>,
}

/// Why weights cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightsError(String);

impl std::error::Error for WeightsError {}

impl std::fmt::Display for WeightsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Networks {
    /// The networks whose weights are embedded in the program.
    pub fn shipped() -> Networks {
        let with_weights =
            registry::solvers().filter_map(|entry| Some((entry, entry.shipped_weights?)));
        let network = |(entry, bytes): (&'static ModelEntry, &[u8])| {
            let metadata = checkpoint::read_metadata(entry.name, bytes)
                .expect("the embedded weights are valid");
            Arc::new(
                Network::new(entry, &metadata, None)
                    .expect("the embedded weights contain their grid size"),
            )
        };
        Networks(with_weights.map(network).collect())
    }

    /// Uses the weights from a file for the network with this name.
    pub fn with_weights(mut self, name: &str, file: PathBuf) -> Result<Networks, WeightsError> {
        let entry = registry::by_name(name)
            .ok_or_else(|| WeightsError(format!("unknown network {name:?}")))?;
        if !entry.solves() {
            return Err(WeightsError(format!(
                "{name} does not solve puzzles; it can only be trained and evaluated"
            )));
        }
        let shown = file.display().to_string();
        let bytes = std::fs::read(&file)
            .map_err(|error| WeightsError(format!("{shown} cannot be read: {error}")))?;
        let bad = |error: checkpoint::CheckpointError| WeightsError(error.to_string());
        let metadata = checkpoint::read_metadata(&shown, &bytes).map_err(bad)?;
        metadata.expect_model(name).map_err(bad)?;
        let network = Network::new(entry, &metadata, Some(file));
        let network = network
            .ok_or_else(|| WeightsError(format!("{shown} does not contain its grid size")))?;
        self.0.retain(|other| other.entry.name != name);
        self.0.push(Arc::new(network));
        Ok(self)
    }

    pub(crate) fn by_name(&self, name: &str) -> Option<Arc<Network>> {
        self.0.iter().find(|network| network.entry.name == name).cloned()
    }
}

impl Network {
    fn new(
        entry: &'static ModelEntry,
        metadata: &Metadata,
        file: Option<PathBuf>,
    ) -> Option<Network> {
        Some(Network {
            entry,
            order: metadata.order()?,
            file,
            loaded: OnceLock::new(),
            heads: OnceLock::new(),
        })
    }

    /// The source of the weights: `shipped` or `file`.
    pub fn weights(&self) -> &'static str {
        if self.file.is_some() { "file" } else { "shipped" }
    }

    /// Whether it supports puzzles of this size.
    pub fn supports(&self, order: Order) -> bool {
        self.entry.for_all_sizes || self.order == order
    }

    /// The heads, adapted to this size: small networks that predict which rule justifies a digit.
    /// Only Kaleidoscope with its embedded weights has them.
    pub fn heads(&self, order: Order) -> Option<Heads> {
        let has_heads = self.entry.name == "kaleidoscope" && self.file.is_none();
        let load = || {
            has_heads
                .then(|| registry::load_heads(Weights::Shipped).ok())
                .flatten()
                .map(|(heads, _)| heads)
        };
        Some(self.heads.get_or_init(load).as_ref()?.for_size(order))
    }

    /// The network with its weights. An error if they cannot be used.
    pub fn loaded(&self) -> Result<&LoadedModel, String> {
        let weights = self.file.as_deref().map_or(Weights::Shipped, Weights::File);
        let load = || self.entry.load(weights, Device::Cpu).map_err(|error| error.to_string());
        self.loaded.get_or_init(load).as_ref().map_err(Clone::clone)
    }
}
