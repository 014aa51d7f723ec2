//! The networks that name rules, as the rest of the program meets them.
//!
//! Which device computes, and with which types, is decided here once. Code that is generic over the device is compiled
//! wherever its types are fixed: left to the callers, the tensor library would be compiled again for each of them.

use super::board_report::{self, BoardReport, NamesRules};
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

/// The paper's module, which names the rules of each step of a solver.
pub trait StepRules {
    /// The size it knows.
    fn order(&self) -> Order;

    /// Holds it to the solver's steps on a list of this name.
    fn report(&self, list: &str, examples: &Examples) -> PaperReport;
}

/// A head that names the rules which apply on a board.
pub trait BoardRules {
    /// The size it knows.
    fn order(&self) -> Order;

    /// The probability of each rule for each digit of each cell of some boards.
    fn probabilities(&self, boards: &[&[u8]]) -> Vec<f32>;

    /// Asks about boards; thresholds are chosen on other boards. The puzzles are those that the boards come from.
    fn report(&self, puzzles: &Examples, test: &Examples, validation: &Examples) -> BoardReport;

    /// Asks which of these boards cannot be completed when every second one is spoiled, if it knows such a question.
    fn doubt(&self, _boards: &Examples) -> Option<DoubtReport> {
        None
    }
}

impl<B: Engine> StepRules for NetworkPredictor<Config, B> {
    fn order(&self) -> Order {
        self.order
    }

    fn report(&self, list: &str, examples: &Examples) -> PaperReport {
        report::paper(self, list, examples, self.config.rrn.answer_steps)
    }
}

impl<B: Engine> BoardRules for NetworkPredictor<board::Config, B> {
    fn order(&self) -> Order {
        self.order
    }

    fn probabilities(&self, boards: &[&[u8]]) -> Vec<f32> {
        NamesRules::probabilities(self, boards)
    }

    fn report(&self, puzzles: &Examples, test: &Examples, validation: &Examples) -> BoardReport {
        board_report::board(self, puzzles, test, validation)
    }
}

/// The module of the paper with its weights, and what their file says; it looks at this many puzzles together.
pub fn load_step_rules(
    weights: Weights<'_>,
    device: Device,
    batch: usize,
) -> Result<(Box<dyn StepRules>, Metadata), ModelError> {
    match on_device::<Config>("rem", weights, device, batch)? {
        Loaded::Cpu(network, metadata) => Ok((Box::new(network), metadata)),
        #[cfg(feature = "cuda")]
        Loaded::Gpu(network, metadata) => Ok((Box::new(network), metadata)),
    }
}

impl NamesRules for Heads {
    fn order(&self) -> Order {
        Heads::order(self)
    }

    fn batch(&self) -> usize {
        256
    }

    fn sees(&self) -> &'static str {
        "kaleidoscope"
    }

    fn probabilities(&self, boards: &[&[u8]]) -> Vec<f32> {
        self.look(boards).into_iter().flat_map(|insight| insight.rules).collect()
    }

    /// The network below stays as it is; `evaluate kaleidoscope` measures it.
    fn share_solved(&self, _puzzles: &Examples) -> Option<f64> {
        None
    }
}

impl BoardRules for Heads {
    fn order(&self) -> Order {
        Heads::order(self)
    }

    fn probabilities(&self, boards: &[&[u8]]) -> Vec<f32> {
        NamesRules::probabilities(self, boards)
    }

    fn report(&self, puzzles: &Examples, test: &Examples, validation: &Examples) -> BoardReport {
        board_report::board(self, puzzles, test, validation)
    }

    fn doubt(&self, boards: &Examples) -> Option<DoubtReport> {
        Some(self.doubt_report(boards, 1))
    }
}

/// The head of this name, `rem-board`, `rem-relations` or `kaleidoscope-rules`, with its weights, and what their file says.
pub fn load_board_rules(
    name: &str,
    weights: Weights<'_>,
    device: Device,
    batch: usize,
) -> Result<(Box<dyn BoardRules>, Metadata), ModelError> {
    if name == "kaleidoscope-rules" {
        let (heads, loaded) = load_heads(weights)?;
        return Ok((Box::new(heads), loaded.metadata));
    }
    match on_device::<board::Config>(name, weights, device, batch)? {
        Loaded::Cpu(network, metadata) => Ok((Box::new(network), metadata)),
        #[cfg(feature = "cuda")]
        Loaded::Gpu(network, metadata) => Ok((Box::new(network), metadata)),
    }
}

enum Loaded<C: ModelConfig> {
    Cpu(NetworkPredictor<C, Cpu>, Metadata),
    #[cfg(feature = "cuda")]
    Gpu(NetworkPredictor<C, crate::device::Gpu>, Metadata),
}

fn on_device<C: ModelConfig>(
    name: &str,
    weights: Weights<'_>,
    device: Device,
    batch: usize,
) -> Result<Loaded<C>, ModelError> {
    device.check()?;
    match device {
        Device::Cpu => load_network(name, weights, batch)
            .map(|(network, metadata)| Loaded::Cpu(network, metadata)),
        #[cfg(feature = "cuda")]
        Device::Gpu => load_network(name, weights, batch)
            .map(|(network, metadata)| Loaded::Gpu(network, metadata)),
        #[cfg(not(feature = "cuda"))]
        Device::Gpu => Err(crate::device::NoGpu::NotBuilt.into()),
    }
}
