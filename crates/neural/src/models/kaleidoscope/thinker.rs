//! The network as a predictor: on all cores, or on a graphics card.
//!
//! How it answers on the processor is the crate `kaleidoscope`; here it reads the files of `train`, shares its puzzles among threads
//! and lets a card think instead where there is one.

use super::train::read_experiment;
use super::{Patience, Thought};
#[cfg(feature = "cuda")]
use super::{kernels::Kernels, segment::Network};
use crate::device::Device;
#[cfg(not(feature = "cuda"))]
use crate::device::NoGpu;
use crate::inference::predictor::Predictor;
use crate::models::StepOutputs;
use crate::parallel;
use crate::registry::{LoadedModel, ModelError};
use crate::training::checkpoint::{Metadata, Tensors};
use crate::training::data::Examples;
use ninefold::grid::Order;
#[cfg(feature = "cuda")]
use std::sync::Arc;

/// The network, for puzzles of one size.
#[derive(Clone, Debug)]
pub struct Thinker {
    on_processor: ::kaleidoscope::Thinker,
    /// If a graphics card thinks.
    #[cfg(feature = "cuda")]
    parameters: Option<Arc<[f32]>>,
}

impl Thinker {
    /// The network of a file, for its own size.
    pub fn new(
        metadata: &Metadata,
        tensors: &Tensors,
        device: Device,
    ) -> Result<Thinker, ModelError> {
        read_experiment(metadata)?;
        let on_processor = ::kaleidoscope::Thinker::new(metadata, tensors)?;
        match device {
            Device::Cpu => Ok(Thinker::from(on_processor)),
            #[cfg(feature = "cuda")]
            Device::Gpu => {
                super::card::Card::check(on_processor.config())?;
                let parameters =
                    super::parameters::Spans::new(on_processor.config()).read("", tensors)?;
                Ok(Thinker { on_processor, parameters: Some(parameters.into()) })
            }
            #[cfg(not(feature = "cuda"))]
            Device::Gpu => Err(NoGpu::NotBuilt.into()),
        }
    }

    /// A network of these parts, on the processor.
    #[cfg(test)]
    pub(super) fn of_parts(config: super::Config, parameters: &[f32], order: Order) -> Thinker {
        Thinker::from(::kaleidoscope::Thinker::of_parts(config, parameters, order))
    }

    fn with(&self, on_processor: ::kaleidoscope::Thinker) -> Thinker {
        let mut thinker = self.clone();
        thinker.on_processor = on_processor;
        thinker
    }

    /// The same network for puzzles of this size.
    #[must_use]
    pub fn for_size(&self, order: Order) -> Thinker {
        self.with(self.on_processor.for_size(order))
    }

    /// The same network with more or less patience.
    #[must_use]
    pub fn with_patience(&self, patience: Patience) -> Thinker {
        self.with(self.on_processor.with_patience(patience))
    }

    /// Thinks about each puzzle, on all cores or on a graphics card.
    pub fn think(&self, puzzles: &[&[u8]]) -> Vec<Thought> {
        #[cfg(feature = "cuda")]
        if let Some(thoughts) = self.think_on_card(puzzles, true) {
            return thoughts;
        }
        self.think_on_processor(puzzles)
    }

    /// The same for whoever wants solutions: of puzzles that are solved there may be no probabilities, which would have to be fetched
    /// from a graphics card.
    pub fn answer(&self, puzzles: &[&[u8]]) -> Vec<Thought> {
        #[cfg(feature = "cuda")]
        if let Some(thoughts) = self.think_on_card(puzzles, false) {
            return thoughts;
        }
        self.think_on_processor(puzzles)
    }

    #[cfg(feature = "cuda")]
    fn think_on_card(&self, puzzles: &[&[u8]], explains_solutions: bool) -> Option<Vec<Thought>> {
        let thinker = &self.on_processor;
        let (config, frame, patience) = (thinker.config(), thinker.frame(), thinker.patience());
        let parameters = self.parameters.as_ref()?;
        let card = super::card::thinker::CardThinker {
            config,
            parameters,
            frame,
            patience,
            explains_solutions,
        };
        Some(card.think(puzzles))
    }

    fn think_on_processor(&self, puzzles: &[&[u8]]) -> Vec<Thought> {
        // A few puzzles at a time: a thread is done with its share when all of them are.
        let shares: Vec<&[&[u8]]> =
            puzzles.chunks(puzzles.len().div_ceil(16).clamp(1, 32)).collect();
        parallel::map(&shares, |share| self.on_processor.think(share))
            .into_iter()
            .flatten()
            .collect()
    }

    /// Which examples have the digits of their solution after exactly so many iterations from one start, for each of these numbers,
    /// which rise.
    pub fn right_after(&self, examples: &Examples, iterations: &[usize]) -> Vec<Vec<bool>> {
        #[cfg(feature = "cuda")]
        if let Some(parameters) = &self.parameters {
            let config = self.on_processor.config();
            let mut network = Network::new(config, super::card::Card::to_answer(config));
            network.kernels.set_parameters(parameters);
            return super::exam::first_start(&mut network, config, examples, iterations).right;
        }
        let all: Vec<usize> = (0..examples.len()).collect();
        let right = parallel::map(&all, |&index| {
            let mut course = self.on_processor.course(examples.puzzle(index));
            course.begin(0);
            let mut done = 0;
            let mut is_right_after = |&wanted: &usize| {
                (done..wanted).for_each(|_| course.step());
                done = done.max(wanted);
                course.digits() == examples.solution(index)
            };
            iterations.iter().map(&mut is_right_after).collect::<Vec<bool>>()
        });
        (0..iterations.len()).map(|mark| right.iter().map(|right| right[mark]).collect()).collect()
    }
}

/// On all cores.
impl From<::kaleidoscope::Thinker> for Thinker {
    fn from(on_processor: ::kaleidoscope::Thinker) -> Thinker {
        Thinker {
            on_processor,
            #[cfg(feature = "cuda")]
            parameters: None,
        }
    }
}

impl Predictor for Thinker {
    fn order(&self) -> Order {
        self.on_processor.frame().order
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
        let once = Patience { starts: 1, ..self.on_processor.patience() };
        let iterations = self.on_processor.with_patience(once).think(&[puzzle])[0].iterations;
        let mut course = self.on_processor.course(puzzle);
        course.begin(0);
        Box::new((0..iterations).map(move |_| {
            course.step();
            course.log_probabilities()
        }))
    }
}

/// Reads the weights of a file for the device.
pub(crate) fn load(
    metadata: Metadata,
    tensors: &Tensors,
    device: Device,
) -> Result<LoadedModel, ModelError> {
    Ok(LoadedModel { predictor: Box::new(Thinker::new(&metadata, tensors, device)?), metadata })
}
