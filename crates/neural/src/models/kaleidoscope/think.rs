//! Thinking: the network goes on until its grid keeps the rules, and begins again from another start if that takes too long.
//!
//! Nobody tells it the solution: a full grid that keeps the rules and the clues is one. So an answer costs as many iterations as the
//! puzzle needs, about eight for most, and what is still wrong in the end is known to be wrong.

use super::forward::{Forward, Weights};
use super::layout::{Frame, Layout, PuzzleNodes};
use super::parameters::Spans;
use super::reading::{Reading, keeps_the_rules};
use super::train::read_experiment;
use super::{Config, noise};
#[cfg(feature = "cuda")]
use super::{kernels::Kernels, segment::Network};
use crate::device::Device;
#[cfg(not(feature = "cuda"))]
use crate::device::NoGpu;
use crate::inference::predictor::Predictor;
use crate::models::StepOutputs;
use crate::parallel;
use crate::registry::{LoadedModel, ModelError};
use crate::training::checkpoint::{CheckpointError, Metadata, Tensors};
use crate::training::data::Examples;
use ninefold::grid::Order;
use ninefold::random::Random;
use std::sync::Arc;

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

/// The network, for puzzles of one size.
#[derive(Clone, Debug)]
pub struct Thinker {
    config: Config,
    weights: Arc<Weights>,
    /// If a graphics card thinks.
    #[cfg(feature = "cuda")]
    parameters: Option<Arc<[f32]>>,
    frame: Frame,
    patience: Patience,
}

impl Thinker {
    /// The network of a file, for its own size.
    pub fn new(metadata: &Metadata, tensors: &Tensors, device: Device) -> Result<Thinker, ModelError> {
        let experiment = read_experiment(metadata)?;
        let order = metadata.order().ok_or_else(|| CheckpointError::Unfit("the file names no size".to_string()))?;
        let parameters = Spans::new(&experiment.model).read("", tensors)?;
        #[allow(unused_mut, reason = "without a graphics card nothing changes")]
        let mut thinker = Thinker::of_parts(experiment.model, &parameters, order);
        match device {
            Device::Cpu => {}
            #[cfg(feature = "cuda")]
            Device::Gpu => thinker.parameters = Some(parameters.into()),
            #[cfg(not(feature = "cuda"))]
            Device::Gpu => return Err(NoGpu::NotBuilt.into()),
        }
        Ok(thinker)
    }

    /// A network of these parts, on the processor.
    pub(super) fn of_parts(config: Config, parameters: &[f32], order: Order) -> Thinker {
        Thinker {
            weights: Arc::new(Weights::new(&config, parameters)),
            #[cfg(feature = "cuda")]
            parameters: None,
            config,
            frame: Frame::new(order),
            patience: Patience::default(),
        }
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

    /// Thinks about each puzzle, on all cores or on a graphics card.
    pub fn think(&self, puzzles: &[&[u8]]) -> Vec<Thought> {
        #[cfg(feature = "cuda")]
        if let Some(parameters) = &self.parameters {
            let (config, frame, patience) = (&self.config, &self.frame, self.patience);
            return super::card::thinker::CardThinker { config, parameters, frame, patience }.think(puzzles);
        }
        // A few puzzles at a time: a thread is done with its share when all of them are.
        let shares: Vec<&[&[u8]]> = puzzles.chunks(puzzles.len().div_ceil(16).clamp(1, 32)).collect();
        let thoughts = parallel::map(&shares, |share| {
            let mut forward = Forward::new(&self.weights);
            let mut thoughts = Vec::with_capacity(share.len());
            for puzzle in *share {
                let (thought, back) = self.think_about(forward, puzzle);
                thoughts.push(thought);
                forward = back;
            }
            thoughts
        });
        thoughts.into_iter().flatten().collect()
    }

    /// Which examples have the digits of their solution after exactly so many iterations from one start, for each of these numbers,
    /// which rise.
    pub fn right_after(&self, examples: &Examples, iterations: &[usize]) -> Vec<Vec<bool>> {
        #[cfg(feature = "cuda")]
        if let Some(parameters) = &self.parameters {
            let mut network = Network::new(&self.config, super::card::Card::to_answer(&self.config));
            network.kernels.set_parameters(parameters);
            return super::exam::first_start(&mut network, &self.config, examples, iterations).right;
        }
        let all: Vec<usize> = (0..examples.len()).collect();
        let right = parallel::map(&all, |&index| {
            let mut course = Course::new(self, Forward::new(&self.weights), examples.puzzle(index));
            course.begin(0);
            let mut done = 0;
            let mut is_right_after = |&wanted: &usize| {
                (done..wanted).for_each(|_| course.step());
                done = done.max(wanted);
                course.digits == examples.solution(index)
            };
            iterations.iter().map(&mut is_right_after).collect::<Vec<bool>>()
        });
        (0..iterations.len()).map(|mark| right.iter().map(|right| right[mark]).collect()).collect()
    }

    /// The room for numbers comes back, for the next puzzle.
    fn think_about(&self, forward: Forward, puzzle: &[u8]) -> (Thought, Forward) {
        let mut course = Course::new(self, forward, puzzle);
        let mut iterations = 0;
        for start in 0..self.patience.starts.max(1) {
            course.begin(start);
            for _ in 0..self.patience.iterations {
                iterations += 1;
                course.step();
                if keeps_the_rules(course.frame, &course.digits) {
                    return (course.thought(true, iterations, start + 1), course.forward);
                }
            }
        }
        (course.thought(false, iterations, self.patience.starts), course.forward)
    }
}

/// Where the noise of each node of a puzzle comes from, for every start but the first, which has none.
pub(super) fn noise_of_start(start: usize) -> impl Iterator<Item = i32> {
    let mut random = Random::for_part(0x0073_7461_7274, start as u64);
    std::iter::repeat_with(move || noise::source(&mut random))
}

/// The network on its way through a puzzle.
struct Course<'a> {
    frame: &'a Frame,
    puzzle: Vec<u8>,
    layout: Layout,
    forward: Forward,
    digits: Vec<u8>,
}

impl<'a> Course<'a> {
    fn new(thinker: &'a Thinker, mut forward: Forward, puzzle: &[u8]) -> Course<'a> {
        let nodes = PuzzleNodes::new(&thinker.frame, thinker.config.nodes, puzzle);
        let layout = Layout::new(std::iter::once(&nodes));
        forward.set_layout(&thinker.frame, &layout);
        Course { frame: &thinker.frame, puzzle: puzzle.to_vec(), layout, forward, digits: puzzle.to_vec() }
    }

    /// Begins anew; the first start has no noise.
    fn begin(&mut self, start: usize) {
        let noise = (start > 0).then(|| noise_of_start(start)).into_iter().flatten();
        self.forward.begin(noise.chain(std::iter::repeat(noise::NONE)).take(self.layout.len()));
    }

    fn step(&mut self) {
        self.forward.step();
        let mut digits = std::mem::take(&mut self.digits);
        self.reading().fill(&mut digits);
        self.digits = digits;
    }

    fn reading(&self) -> Reading<'_> {
        let (candidates, logits) = (&self.layout.candidates, self.forward.logits());
        Reading { frame: self.frame, puzzle: &self.puzzle, candidates, logits }
    }

    fn thought(&self, solved: bool, iterations: usize, starts: usize) -> Thought {
        let digits = self.digits.iter().map(|&digit| digit.max(1)).collect();
        Thought { digits, solved, iterations, starts, log_probabilities: self.reading().log_probabilities() }
    }
}

impl Predictor for Thinker {
    fn order(&self) -> Order {
        self.frame.order
    }

    fn batch(&self) -> usize {
        #[cfg(feature = "cuda")]
        if self.parameters.is_some() {
            return 65_536;
        }
        64
    }

    fn takes(&self, _order: Order) -> bool {
        true
    }

    fn for_order(&self, order: Order) -> Option<Box<dyn Predictor>> {
        Some(Box::new(self.for_size(order)))
    }

    fn guides_search(&self) -> bool {
        true
    }

    fn log_probabilities(&self, puzzles: &[&[u8]]) -> Vec<f32> {
        self.think(puzzles).into_iter().flat_map(|thought| thought.log_probabilities).collect()
    }

    /// As many steps as it takes from the first start until the rules are kept, or all of its patience.
    fn log_probabilities_each_step(&self, puzzle: &[u8]) -> StepOutputs<'_, Vec<f32>> {
        let once = self.with_patience(Patience { starts: 1, ..self.patience });
        let (thought, forward) = once.think_about(Forward::new(&self.weights), puzzle);
        let mut course = Course::new(self, forward, puzzle);
        course.begin(0);
        Box::new((0..thought.iterations).map(move |_| {
            course.step();
            course.reading().log_probabilities()
        }))
    }
}

/// Reads the weights of a file for the device.
pub(crate) fn load(metadata: Metadata, tensors: &Tensors, device: Device) -> Result<LoadedModel, ModelError> {
    Ok(LoadedModel { predictor: Box::new(Thinker::new(&metadata, tensors, device)?), metadata })
}
