//! Thinking: the network goes on until its grid keeps the rules, and begins again from another start if that takes too long.
//!
//! Nobody tells it the solution: a full grid that keeps the rules and the clues is one. So an answer costs as many iterations as the
//! puzzle needs, about eight for most, and what is still wrong in the end is known to be wrong.

use super::forward::{Forward, Weights};
use super::layout::{Frame, Layout, PuzzleNodes};
use super::parameters::Spans;
use super::reading::{Reading, keeps_the_rules};
use super::{Config, SHIPPED_WEIGHTS, noise};
use checkpoint::{CheckpointError, Metadata, Tensors};
use ninefold::grid::Order;
use ninefold::random::Random;
use serde::Deserialize;
use std::sync::{Arc, LazyLock};

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
    frame: Frame,
    patience: Patience,
}

impl Thinker {
    /// The network with the weights that come with the program, for 9×9.
    pub fn shipped() -> Thinker {
        static SHIPPED: LazyLock<Thinker> = LazyLock::new(|| {
            let thinker = Thinker::read("the weights of kaleidoscope", SHIPPED_WEIGHTS);
            thinker.expect("the weights in the program can be read").for_size(Order::NINE)
        });
        SHIPPED.clone()
    }

    /// The network of a safetensors file that goes by this name, for its own size.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Thinker, CheckpointError> {
        let (metadata, tensors) = checkpoint::read_bytes(name, bytes)?;
        metadata.expect_model("kaleidoscope")?;
        Thinker::new(&metadata, &tensors)
    }

    /// The network that a file describes, for its own size.
    pub fn new(metadata: &Metadata, tensors: &Tensors) -> Result<Thinker, CheckpointError> {
        let settings = metadata.experiment.get("model").cloned().unwrap_or_default();
        let config = Config::deserialize(settings).map_err(|error| error.to_string());
        let config = config.and_then(|config| config.check().map(|()| config));
        let config = config.map_err(|reason| {
            CheckpointError::Unfit(format!("the settings in the file: {reason}"))
        })?;
        let order = metadata
            .order()
            .ok_or_else(|| CheckpointError::Unfit("the file names no size".to_string()))?;
        let parameters = Spans::new(&config).read("", tensors)?;
        Ok(Thinker::of_parts(config, &parameters, order))
    }

    /// A network of these parts.
    pub fn of_parts(config: Config, parameters: &[f32], order: Order) -> Thinker {
        Thinker {
            weights: Arc::new(Weights::new(&config, parameters)),
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

    /// Its settings.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The size of the puzzles it takes, with their groups.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// How long it thinks.
    pub fn patience(&self) -> Patience {
        self.patience
    }

    /// Thinks about each puzzle, one after the other. A puzzle has a number for each cell, 0 for an open one.
    ///
    /// # Panics
    ///
    /// If a puzzle is not of its size.
    pub fn think(&self, puzzles: &[&[u8]]) -> Vec<Thought> {
        self.think_while(puzzles, &|| true)
    }

    /// The same, but it asks before every iteration whether to go on; if not, it leaves a puzzle as it is, and those after it.
    ///
    /// # Panics
    ///
    /// If a puzzle is not of its size.
    pub fn think_while(&self, puzzles: &[&[u8]], go_on: &dyn Fn() -> bool) -> Vec<Thought> {
        let mut forward = Forward::new(&self.weights);
        let mut thoughts = Vec::with_capacity(puzzles.len());
        for puzzle in puzzles {
            let (thought, back) = self.think_about(forward, puzzle, go_on);
            thoughts.push(thought);
            forward = back;
        }
        thoughts
    }

    /// On the way through a puzzle, to be followed iteration by iteration.
    ///
    /// # Panics
    ///
    /// If the puzzle is not of its size.
    pub fn course(&self, puzzle: &[u8]) -> Course<'_> {
        Course::new(self, Forward::new(&self.weights), puzzle)
    }

    /// The room for numbers comes back, for the next puzzle.
    fn think_about(
        &self,
        forward: Forward,
        puzzle: &[u8],
        go_on: &dyn Fn() -> bool,
    ) -> (Thought, Forward) {
        let mut course = Course::new(self, forward, puzzle);
        let mut iterations = 0;
        let mut starts = 0;
        while starts < self.patience.starts.max(1) && go_on() {
            course.begin(starts);
            starts += 1;
            for _ in (0..self.patience.iterations).take_while(|_| go_on()) {
                iterations += 1;
                course.step();
                if keeps_the_rules(course.frame, &course.digits) {
                    return (course.thought(true, iterations, starts), course.forward);
                }
            }
        }
        (course.thought(false, iterations, starts), course.forward)
    }
}

/// Where the noise of each node of a puzzle comes from, for every start but the first, which has none.
pub fn noise_of_start(start: usize) -> impl Iterator<Item = i32> {
    let mut random = Random::for_part(0x0073_7461_7274, start as u64);
    std::iter::repeat_with(move || noise::source(&mut random))
}

/// The network on its way through a puzzle.
pub struct Course<'a> {
    frame: &'a Frame,
    puzzle: Vec<u8>,
    layout: Layout,
    forward: Forward,
    digits: Vec<u8>,
}

impl<'a> Course<'a> {
    fn new(thinker: &'a Thinker, mut forward: Forward, puzzle: &[u8]) -> Course<'a> {
        let order = thinker.frame.order;
        let fits = puzzle.len() == order.cell_count()
            && puzzle.iter().all(|&digit| usize::from(digit) <= order.side());
        assert!(
            fits,
            "a puzzle has a number up to {} for each of {} cells",
            order.side(),
            order.cell_count()
        );
        let nodes = PuzzleNodes::new(&thinker.frame, thinker.config.nodes, puzzle);
        let layout = Layout::new(std::iter::once(&nodes));
        forward.set_layout(&thinker.frame, &layout);
        Course {
            frame: &thinker.frame,
            puzzle: puzzle.to_vec(),
            layout,
            forward,
            digits: puzzle.to_vec(),
        }
    }

    /// Begins anew; the first start, 0, has no noise.
    pub fn begin(&mut self, start: usize) {
        let noise = (start > 0).then(|| noise_of_start(start)).into_iter().flatten();
        self.forward.begin(noise.chain(std::iter::repeat(noise::NONE)).take(self.layout.len()));
    }

    /// One iteration.
    pub fn step(&mut self) {
        self.forward.step();
        let mut digits = std::mem::take(&mut self.digits);
        self.reading().fill(&mut digits);
        self.digits = digits;
    }

    /// The likeliest digit of every cell after the last iteration; 0 where the clues leave none.
    pub fn digits(&self) -> &[u8] {
        &self.digits
    }

    /// The log probability of each digit of each cell after the last iteration.
    pub fn log_probabilities(&self) -> Vec<f32> {
        self.reading().log_probabilities()
    }

    fn reading(&self) -> Reading<'_> {
        let (candidates, logits) = (&self.layout.candidates, self.forward.logits());
        Reading { frame: self.frame, puzzle: &self.puzzle, candidates, logits }
    }

    fn thought(&self, solved: bool, iterations: usize, starts: usize) -> Thought {
        let digits = self.digits.iter().map(|&digit| digit.max(1)).collect();
        Thought {
            digits,
            solved,
            iterations,
            starts,
            log_probabilities: self.reading().log_probabilities(),
        }
    }
}
