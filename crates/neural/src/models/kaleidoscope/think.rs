//! Thinking: the network goes on until its grid keeps the rules, and begins again from another start if that takes too long.
//!
//! Nobody tells it the solution: a full grid that keeps the rules and the clues is one. So an answer costs as many iterations as the
//! puzzle needs, about eight for most, and what is still wrong in the end is known to be wrong.

use super::host::Host;
use super::kernels::Kernels;
use super::layout::{Frame, Layout, PuzzleNodes};
use super::segment::Network;
use super::train::read_experiment;
use super::{Config, noise};
use crate::device::{Device, NoGpu};
use crate::inference::predictor::Predictor;
use crate::models::StepOutputs;
use crate::parallel;
use crate::registry::{LoadedModel, ModelError};
use crate::training::checkpoint::{CheckpointError, Metadata, Tensors};
use ninefold::grid::Order;
use ninefold::random::Random;

/// How long it thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Iterations from each start.
    pub iterations: usize,
    /// Starts.
    pub starts: usize,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience { iterations: 64, starts: 4 }
    }
}

/// What came of thinking about a puzzle.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought {
    /// The likeliest digit of every cell at the end; a solution if `solved`.
    pub digits: Vec<u8>,
    /// Do the digits keep the rules and the clues?
    pub solved: bool,
    /// Iterations from all starts.
    pub iterations: usize,
    /// Starts that were needed.
    pub starts: usize,
    /// The log probability of each digit of each cell at the end.
    pub log_probabilities: Vec<f32>,
}

/// What a digit gets that a clue excludes: as good as never.
const NEVER: f32 = -30.0;

/// The network on the processor, for puzzles of one size.
#[derive(Clone, Debug)]
pub struct Thinker {
    config: Config,
    parameters: Vec<f32>,
    frame: Frame,
    patience: Patience,
}

impl Thinker {
    /// The network of a file, for its own size.
    pub fn new(metadata: &Metadata, tensors: &Tensors) -> Result<Thinker, CheckpointError> {
        let experiment = read_experiment(metadata)?;
        let order = metadata.order().ok_or_else(|| CheckpointError::Unfit("the file names no size".to_string()))?;
        let parameters = super::parameters::Spans::new(&experiment.model).read("", tensors)?;
        Ok(Thinker { config: experiment.model, parameters, frame: Frame::new(order), patience: Patience::default() })
    }

    /// A network of these parts.
    #[cfg(test)]
    pub(super) fn of_parts(config: Config, parameters: Vec<f32>, order: Order) -> Thinker {
        Thinker { config, parameters, frame: Frame::new(order), patience: Patience::default() }
    }

    /// The same network for puzzles of this size.
    #[must_use]
    pub fn for_size(&self, order: Order) -> Thinker {
        Thinker { frame: Frame::new(order), ..self.clone() }
    }

    /// The same network with more or less patience.
    #[must_use]
    pub fn with_patience(&self, patience: Patience) -> Thinker {
        Thinker { patience, ..self.clone() }
    }

    /// Thinks about each puzzle, on all cores.
    pub fn think(&self, puzzles: &[&[u8]]) -> Vec<Thought> {
        // A few puzzles at a time: a thread is done with its share when all of them are.
        let shares: Vec<&[&[u8]]> = puzzles.chunks(4).collect();
        let thoughts = parallel::map(&shares, |share| {
            let mut network = self.network();
            share.iter().map(|puzzle| self.think_about(&mut network, puzzle)).collect::<Vec<Thought>>()
        });
        thoughts.into_iter().flatten().collect()
    }

    fn network(&self) -> Network<Host> {
        let mut network = Network::new(&self.config, Host::new(&self.config));
        network.kernels.set_parameters(&self.parameters);
        network
    }

    fn think_about(&self, network: &mut Network<Host>, puzzle: &[u8]) -> Thought {
        let mut course = Course::new(self, network, puzzle);
        let mut iterations = 0;
        for start in 0..self.patience.starts.max(1) {
            course.begin(network, start);
            for _ in 0..self.patience.iterations {
                iterations += 1;
                course.step(network);
                if course.keeps_the_rules() {
                    return course.thought(true, iterations, start + 1);
                }
            }
        }
        course.thought(false, iterations, self.patience.starts)
    }
}

/// The network on its way through a puzzle.
struct Course<'a> {
    frame: &'a Frame,
    puzzle: &'a [u8],
    layout: Layout,
    states: <Host as Kernels>::Rows,
    logits: Vec<f32>,
    digits: Vec<u8>,
}

impl<'a> Course<'a> {
    fn new(thinker: &'a Thinker, network: &mut Network<Host>, puzzle: &'a [u8]) -> Course<'a> {
        let nodes = PuzzleNodes::new(&thinker.frame, thinker.config.nodes, puzzle);
        let layout = Layout::new(std::iter::once(&nodes));
        network.kernels.set_layout(&thinker.frame, &layout);
        let states = network.kernels.write_rows(&[], thinker.config.width);
        let digits = puzzle.to_vec();
        Course { frame: &thinker.frame, puzzle, layout, states, logits: Vec::new(), digits }
    }

    /// Begins anew; the first start has no noise.
    fn begin(&mut self, network: &mut Network<Host>, start: usize) {
        let mut random = Random::for_part(0x0073_7461_7274, start as u64);
        let source = |_| if start == 0 { noise::NONE } else { noise::source(&mut random) };
        let sources: Vec<i32> = (0..self.layout.len()).map(source).collect();
        self.states = network.kernels.states(None, &sources, network.spans.start);
    }

    fn step(&mut self, network: &Network<Host>) {
        self.states = network.step(&self.states);
        self.logits = network.logits(&self.states);
        let side = self.frame.order.side();
        let mut best = vec![f32::NEG_INFINITY; self.puzzle.len()];
        for (&candidate, &logit) in self.layout.candidates.iter().zip(&self.logits) {
            let (cell, digit) = (candidate as usize / side, candidate as usize % side);
            if self.puzzle[cell] == 0 && logit > best[cell] {
                best[cell] = logit;
                self.digits[cell] = digit as u8 + 1;
            }
        }
    }

    fn keeps_the_rules(&self) -> bool {
        let order = self.frame.order;
        let all = (1u64 << order.side()) - 1;
        let digits_in = |house| {
            let cells = order.cells_in(house).iter();
            cells.fold(0u64, |seen, cell| seen | 1u64.wrapping_shl(u32::from(self.digits[cell.index()])))
        };
        order.houses().all(|house| digits_in(house) >> 1 == all)
    }

    fn log_probabilities(&self) -> Vec<f32> {
        let side = self.frame.order.side();
        let mut found = vec![f32::NEG_INFINITY; self.frame.candidates()];
        for (&candidate, &logit) in self.layout.candidates.iter().zip(&self.logits) {
            found[candidate as usize] = logit;
        }
        for (cell, logits) in found.chunks_mut(side).enumerate() {
            let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            if self.puzzle[cell] > 0 {
                logits.fill(NEVER);
                logits[usize::from(self.puzzle[cell]) - 1] = 0.0;
            } else if highest == f32::NEG_INFINITY {
                // The clues leave it no digit: the puzzle has no solution, and any is as good as another.
                logits.fill(-(side as f32).ln());
            } else {
                let sum: f32 = logits.iter().map(|logit| (logit - highest).exp()).sum();
                logits.iter_mut().for_each(|logit| *logit = (*logit - highest - sum.ln()).max(NEVER));
            }
        }
        found
    }

    fn thought(&self, solved: bool, iterations: usize, starts: usize) -> Thought {
        let digits = self.digits.iter().map(|&digit| digit.max(1)).collect();
        Thought { digits, solved, iterations, starts, log_probabilities: self.log_probabilities() }
    }
}

impl Predictor for Thinker {
    fn order(&self) -> Order {
        self.frame.order
    }

    fn batch(&self) -> usize {
        64
    }

    fn takes(&self, _order: Order) -> bool {
        true
    }

    fn for_order(&self, order: Order) -> Option<Box<dyn Predictor>> {
        Some(Box::new(self.for_size(order)))
    }

    fn log_probabilities(&self, puzzles: &[&[u8]]) -> Vec<f32> {
        self.think(puzzles).into_iter().flat_map(|thought| thought.log_probabilities).collect()
    }

    /// As many steps as it takes from the first start until the rules are kept, or all of its patience.
    fn log_probabilities_each_step(&self, puzzle: &[u8]) -> StepOutputs<'_, Vec<f32>> {
        let once = self.with_patience(Patience { starts: 1, ..self.patience });
        let steps = once.think_about(&mut once.network(), puzzle).iterations;
        let puzzle = puzzle.to_vec();
        let mut network = self.network();
        let mut states = None;
        Box::new((0..steps).map(move |_| {
            let mut course = Course::new(self, &mut network, &puzzle);
            match states.take() {
                None => course.begin(&mut network, 0),
                Some(before) => course.states = before,
            }
            course.step(&network);
            let found = course.log_probabilities();
            states = Some(course.states);
            found
        }))
    }
}

/// Reads the weights of a file for the device.
pub(crate) fn load(metadata: Metadata, tensors: &Tensors, device: Device) -> Result<LoadedModel, ModelError> {
    match device {
        Device::Cpu => Ok(LoadedModel { predictor: Box::new(Thinker::new(&metadata, tensors)?), metadata }),
        Device::Gpu => {
            Err(NoGpu::NotFound("kaleidoscope answers on the processor; a card trains it".to_string()).into())
        }
    }
}
