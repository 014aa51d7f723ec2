//! The networks of this server: those whose weights come with the program, and those read from files.
//!
//! A network takes its memory when it is first asked and keeps it. It answers several questions at once: nobody waits for
//! another's answer, so whoever goes away leaves nothing behind that still waits for its turn.

use neural::device::Device;
use neural::models::kaleidoscope::Heads;
use neural::registry::{self, LoadedModel, ModelEntry, Weights};
use neural::training::checkpoint::{self, Metadata};
use ninefold::grid::Order;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// All networks that can be asked.
#[derive(Clone, Default)]
pub struct Networks(Vec<Arc<Network>>);

/// A network with weights.
pub(crate) struct Network {
    /// What it is.
    pub entry: &'static ModelEntry,
    /// The size of the puzzles it takes.
    pub order: Order,
    /// The weights in a file, where they do not come with the program.
    file: Option<PathBuf>,
    loaded: OnceLock<Result<LoadedModel, String>>,
    heads: OnceLock<Option<Heads>>,
}

/// Why weights cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadWeights(String);

impl std::error::Error for BadWeights {}

impl std::fmt::Display for BadWeights {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Networks {
    /// The networks whose weights come with the program.
    pub fn shipped() -> Networks {
        let with_weights =
            registry::solvers().filter_map(|entry| Some((entry, entry.shipped_weights?)));
        let network = |(entry, bytes): (&'static ModelEntry, &[u8])| {
            let metadata = checkpoint::read_metadata(entry.name, bytes)
                .expect("the weights in the program can be read");
            Arc::new(
                Network::new(entry, &metadata, None)
                    .expect("the weights in the program say their size"),
            )
        };
        Networks(with_weights.map(network).collect())
    }

    /// The same with weights from a file for the network of this name, in place of its own if it has any.
    pub fn with(mut self, name: &str, file: PathBuf) -> Result<Networks, BadWeights> {
        let entry = registry::by_name(name)
            .ok_or_else(|| BadWeights(format!("there is no network {name}")))?;
        if !entry.solves() {
            return Err(BadWeights(format!(
                "{name} fills no puzzles; it can be trained and measured only"
            )));
        }
        let shown = file.display().to_string();
        let bytes = std::fs::read(&file)
            .map_err(|error| BadWeights(format!("{shown} cannot be read: {error}")))?;
        let bad = |error: checkpoint::CheckpointError| BadWeights(error.to_string());
        let metadata = checkpoint::read_metadata(&shown, &bytes).map_err(bad)?;
        metadata.expect_model(name).map_err(bad)?;
        let network = Network::new(entry, &metadata, Some(file));
        let network = network
            .ok_or_else(|| BadWeights(format!("{shown} does not say for which size it is")))?;
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

    /// Where its weights come from: `shipped` or `file`.
    pub fn weights(&self) -> &'static str {
        if self.file.is_some() { "file" } else { "shipped" }
    }

    /// Does it take puzzles of this size?
    pub fn takes(&self, order: Order) -> bool {
        self.entry.for_all_sizes || self.order == order
    }

    /// What names rules on its states for puzzles of this size, if there is such a thing for these weights.
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

    /// The network with its weights; an error if they cannot be used after all.
    pub fn loaded(&self) -> Result<&LoadedModel, String> {
        let weights = self.file.as_deref().map_or(Weights::Shipped, Weights::File);
        let load = || self.entry.load(weights, Device::Cpu).map_err(|error| error.to_string());
        self.loaded.get_or_init(load).as_ref().map_err(Clone::clone)
    }
}
