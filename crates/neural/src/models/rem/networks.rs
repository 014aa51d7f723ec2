//! The networks that predict rules, behind traits without generic parameters.
//!
//! The device and the backend types are selected here and not in each caller: every caller that
//! fixes the types compiles the tensor library again.

use super::board_report::{self, BoardReport, RuleModel};
use super::report::{self, PaperReport};
use super::{Config, board};
use crate::device::{Cpu, Device, Engine};
use crate::inference::predictor::NetworkPredictor;
use crate::models::ModelConfig;
use crate::models::kaleidoscope::{DoubtReport, Heads};
use crate::registry::{ModelError, Weights, load_heads, load_network};
use crate::training::checkpoint::Metadata;
use crate::training::data::Examples;
use ninefold::grid::Order;

/// The module of the paper, which predicts the rules of each solver step.
pub trait StepRuleModel {
    /// Supported grid size.
    fn order(&self) -> Order;

    /// Compares it with the solver's steps on a list.
    fn report(&self, list: &str, examples: &Examples) -> PaperReport;
}

/// A head that predicts which rules apply on a board.
pub trait BoardRuleModel {
    /// Supported grid size.
    fn order(&self) -> Order;

    /// The probability of each rule for each digit of each cell of each board.
    fn probabilities(&self, boards: &[&[u8]]) -> Vec<f32>;

    /// Evaluates the head on `test`. The thresholds are chosen on `validation`. Both were derived
    /// from `puzzles`.
    fn report(&self, puzzles: &Examples, test: &Examples, validation: &Examples) -> BoardReport;

    /// Evaluates how well it detects boards that cannot be completed; every second board is made
    /// invalid. Returns `None` if the head does not predict this.
    fn doubt(&self, _boards: &Examples) -> Option<DoubtReport> {
        None
    }
}

impl<B: Engine> StepRuleModel for NetworkPredictor<Config, B> {
    fn order(&self) -> Order {
        self.order
    }

    fn report(&self, list: &str, examples: &Examples) -> PaperReport {
        report::paper(self, list, examples, self.config.rrn.answer_steps)
    }
}

impl<B: Engine> BoardRuleModel for NetworkPredictor<board::Config, B> {
    fn order(&self) -> Order {
        self.order
    }

    fn probabilities(&self, boards: &[&[u8]]) -> Vec<f32> {
        RuleModel::probabilities(self, boards)
    }

    fn report(&self, puzzles: &Examples, test: &Examples, validation: &Examples) -> BoardReport {
        board_report::board(self, puzzles, test, validation)
    }
}

/// Loads the module of the paper; it processes `batch` puzzles at once.
pub fn load_step_rules(
    weights: Weights<'_>,
    device: Device,
    batch: usize,
) -> Result<(Box<dyn StepRuleModel>, Metadata), ModelError> {
    match load_on_device::<Config>("rem", weights, device, batch)? {
        LoadedNetwork::Cpu(network, metadata) => Ok((Box::new(network), metadata)),
        #[cfg(feature = "cuda")]
        LoadedNetwork::Gpu(network, metadata) => Ok((Box::new(network), metadata)),
    }
}

impl RuleModel for Heads {
    fn order(&self) -> Order {
        Heads::order(self)
    }

    fn batch(&self) -> usize {
        256
    }

    fn input(&self) -> &'static str {
        "kaleidoscope"
    }

    fn probabilities(&self, boards: &[&[u8]]) -> Vec<f32> {
        self.predict_all(boards).into_iter().flat_map(|prediction| prediction.rules).collect()
    }

    /// The solving network is fixed; `evaluate kaleidoscope` measures it.
    fn share_solved(&self, _puzzles: &Examples) -> Option<f64> {
        None
    }
}

impl BoardRuleModel for Heads {
    fn order(&self) -> Order {
        Heads::order(self)
    }

    fn probabilities(&self, boards: &[&[u8]]) -> Vec<f32> {
        RuleModel::probabilities(self, boards)
    }

    fn report(&self, puzzles: &Examples, test: &Examples, validation: &Examples) -> BoardReport {
        board_report::board(self, puzzles, test, validation)
    }

    fn doubt(&self, boards: &Examples) -> Option<DoubtReport> {
        Some(self.doubt_report(boards, 1))
    }
}

/// Loads the head `rem-board`, `rem-relations` or `kaleidoscope-rules`.
pub fn load_board_rules(
    name: &str,
    weights: Weights<'_>,
    device: Device,
    batch: usize,
) -> Result<(Box<dyn BoardRuleModel>, Metadata), ModelError> {
    if name == "kaleidoscope-rules" {
        let (heads, loaded) = load_heads(weights)?;
        return Ok((Box::new(heads), loaded.metadata));
    }
    match load_on_device::<board::Config>(name, weights, device, batch)? {
        LoadedNetwork::Cpu(network, metadata) => Ok((Box::new(network), metadata)),
        #[cfg(feature = "cuda")]
        LoadedNetwork::Gpu(network, metadata) => Ok((Box::new(network), metadata)),
    }
}

enum LoadedNetwork<C: ModelConfig> {
    Cpu(NetworkPredictor<C, Cpu>, Metadata),
    #[cfg(feature = "cuda")]
    Gpu(NetworkPredictor<C, crate::device::Gpu>, Metadata),
}

fn load_on_device<C: ModelConfig>(
    name: &str,
    weights: Weights<'_>,
    device: Device,
    batch: usize,
) -> Result<LoadedNetwork<C>, ModelError> {
    device.check()?;
    match device {
        Device::Cpu => load_network(name, weights, batch)
            .map(|(network, metadata)| LoadedNetwork::Cpu(network, metadata)),
        #[cfg(feature = "cuda")]
        Device::Gpu => load_network(name, weights, batch)
            .map(|(network, metadata)| LoadedNetwork::Gpu(network, metadata)),
        #[cfg(not(feature = "cuda"))]
        Device::Gpu => Err(crate::device::GpuError::NotBuilt.into()),
    }
}
