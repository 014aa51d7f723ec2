//! Solving: iterates the network until its grid is a solution, and restarts it from another initial
//! state if that takes too long.
//!
//! A complete grid that satisfies the rules and the clues is a solution, so no reference solution
//! is needed. A puzzle takes as many iterations as it needs, about eight for most, and an unsolved
//! puzzle is reported as unsolved.

use super::decoding::{NodeLogits, is_complete};
use super::forward::{Forward, Weights};
use super::layout::{Frame, Layout, PuzzleNodes, Role};
use super::parameters::Spans;
use super::{Config, SHIPPED_VARIANT_WEIGHTS, SHIPPED_WEIGHTS, noise};
use ninefold::grid::{Grid, Order};
use ninefold::random::Random;
use ninefold_checkpoint::{CheckpointError, Metadata, Tensors};
use serde::Deserialize;
use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

/// How many iterations to spend on a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The maximum number of iterations from each start.
    pub iterations: usize,
    /// The maximum number of starts. A start is a run from an initial state; the first has no
    /// noise, each later one has other noise.
    pub starts: usize,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { iterations: 64, starts: 4 }
    }
}

/// The prediction for a puzzle.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// The likeliest digit of every cell after the last iteration; a solution if `solved`.
    pub digits: Vec<u8>,
    /// Whether the digits satisfy the rules and the clues.
    pub solved: bool,
    /// Iterations of all starts together.
    pub iterations: usize,
    /// Starts used.
    pub starts: usize,
    /// The log probability of each digit of each cell after the last iteration.
    pub log_probabilities: Vec<f32>,
}

/// The network with its weights, for puzzles of one size.
#[derive(Clone, Debug)]
pub struct Solver {
    config: Config,
    weights: Arc<Weights>,
    frame: Frame,
    budget: Budget,
}

impl Solver {
    /// The network with the included weights, for 9×9.
    pub fn shipped() -> Solver {
        static SHIPPED: LazyLock<Solver> = LazyLock::new(|| {
            let solver = Solver::from_bytes("the weights of kaleidoscope", SHIPPED_WEIGHTS);
            solver.expect("the included weights are valid").for_size(Order::NINE)
        });
        SHIPPED.clone()
    }

    /// The network with the included weights for puzzles with any rules.
    ///
    /// ```
    /// use ninefold::grid::rules::{Constraint, Rules};
    /// use ninefold::grid::{Grid, Order};
    /// use ninefold_kaleidoscope::Solver;
    /// use std::sync::Arc;
    ///
    /// let cell = |row, column| Order::FOUR.cell(row, column);
    /// let cage = Constraint::Cage { cells: vec![cell(0, 0), cell(0, 1)], sum: Some(3) };
    /// let rules = Rules::classic(Order::FOUR).with(cage)?;
    /// let puzzle: Grid = "......1.3......2".parse::<Grid>()?.with_rules(Arc::new(rules));
    /// let prediction = Solver::shipped_for_variants().solve_grids(&[puzzle]).remove(0);
    /// assert_eq!(prediction.digits.len(), 16);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shipped_for_variants() -> Solver {
        static SHIPPED: LazyLock<Solver> = LazyLock::new(|| {
            let name = "the weights of kaleidoscope for variants";
            let solver = Solver::from_bytes(name, SHIPPED_VARIANT_WEIGHTS);
            solver.expect("the included weights are valid").for_size(Order::NINE)
        });
        SHIPPED.clone()
    }

    /// Creates a solver with the network of a safetensors file, for the grid size in its metadata.
    /// `name` is the file name for error messages.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Solver, CheckpointError> {
        let (metadata, tensors) = ninefold_checkpoint::read_bytes(name, bytes)?;
        metadata.expect_model("kaleidoscope")?;
        Solver::new(&metadata, &tensors)
    }

    /// Creates a solver with the network of a file, for the grid size in its metadata.
    pub fn new(metadata: &Metadata, tensors: &Tensors) -> Result<Solver, CheckpointError> {
        let settings = metadata.experiment.get("model").cloned().unwrap_or_default();
        let config = Config::deserialize(settings).map_err(|error| error.to_string());
        let config = config.and_then(|config| config.check().map(|()| config));
        let config = config.map_err(|reason| {
            CheckpointError::Unfit(format!("the settings in the file: {reason}"))
        })?;
        let order = metadata.order().ok_or_else(|| {
            CheckpointError::Unfit("the metadata contains no grid size".to_string())
        })?;
        let parameters = Spans::new(&config).read("", tensors)?;
        Ok(Solver::from_parts(config, &parameters, order))
    }

    /// A network with these parameters.
    pub fn from_parts(config: Config, parameters: &[f32], order: Order) -> Solver {
        Solver {
            weights: Arc::new(Weights::new(&config, parameters)),
            config,
            frame: Frame::new(order),
            budget: Budget::default(),
        }
    }

    /// Solves puzzles with any rules and of any sizes one after the other.
    ///
    /// # Panics
    ///
    /// If the network is not one for [rules](Config::rules).
    pub fn solve_grids(&self, puzzles: &[Grid]) -> Vec<Prediction> {
        self.solve_grids_while(puzzles, &|| true)
    }

    /// Like [`solve_grids`](Solver::solve_grids), but calls `keep_running` before every iteration.
    /// If it returns false, this puzzle and all later ones are left unsolved.
    ///
    /// # Panics
    ///
    /// If the network is not one for [rules](Config::rules).
    pub fn solve_grids_while(
        &self,
        puzzles: &[Grid],
        keep_running: &dyn Fn() -> bool,
    ) -> Vec<Prediction> {
        let mut forward = Forward::new(&self.weights);
        let mut predictions = Vec::with_capacity(puzzles.len());
        for puzzle in puzzles {
            let run = Run::of_grid(self, forward, puzzle);
            let (prediction, buffers) = self.solve_run(run, keep_running);
            predictions.push(prediction);
            forward = buffers;
        }
        predictions
    }

    /// Starts a run on one puzzle with any rules.
    ///
    /// # Panics
    ///
    /// If the network is not one for [rules](Config::rules).
    pub fn run_grid(&self, puzzle: &Grid) -> Run<'_> {
        Run::of_grid(self, Forward::new(&self.weights), puzzle)
    }

    /// The same network for puzzles of this size.
    #[must_use]
    pub fn for_size(&self, order: Order) -> Solver {
        Solver { frame: Frame::new(order), ..self.clone() }
    }

    /// The same network with another budget.
    #[must_use]
    pub fn with_budget(&self, budget: Budget) -> Solver {
        Solver { budget, ..self.clone() }
    }

    /// The settings of the network.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The grid size, with its attention groups.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// How many iterations it spends on a puzzle.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// Solves puzzles one after the other. A puzzle has a number per cell, 0 for an empty one.
    ///
    /// # Panics
    ///
    /// If a puzzle has another size.
    pub fn solve(&self, puzzles: &[&[u8]]) -> Vec<Prediction> {
        self.solve_while(puzzles, &|| true)
    }

    /// Like [`solve`](Solver::solve), but calls `keep_running` before every iteration. If it
    /// returns false, this puzzle and all later ones are left unsolved.
    ///
    /// # Panics
    ///
    /// If a puzzle has another size.
    pub fn solve_while(
        &self,
        puzzles: &[&[u8]],
        keep_running: &dyn Fn() -> bool,
    ) -> Vec<Prediction> {
        let mut forward = Forward::new(&self.weights);
        let mut predictions = Vec::with_capacity(puzzles.len());
        for puzzle in puzzles {
            let run = Run::new(self, forward, puzzle);
            let (prediction, buffers) = self.solve_run(run, keep_running);
            predictions.push(prediction);
            forward = buffers;
        }
        predictions
    }

    /// Starts a run on one puzzle. The caller runs it iteration by iteration with [`Run::step`].
    ///
    /// # Panics
    ///
    /// If the puzzle has another size.
    pub fn run(&self, puzzle: &[u8]) -> Run<'_> {
        Run::new(self, Forward::new(&self.weights), puzzle)
    }

    /// Returns the buffers of the run as well, so that the next puzzle uses them.
    fn solve_run(
        &self,
        mut run: Run<'_>,
        keep_running: &dyn Fn() -> bool,
    ) -> (Prediction, Forward) {
        let mut iterations = 0;
        let mut starts = 0;
        while starts < self.budget.starts.max(1) && keep_running() {
            run.begin(starts);
            starts += 1;
            for _ in (0..self.budget.iterations).take_while(|_| keep_running()) {
                iterations += 1;
                run.step();
                if run.is_solved() {
                    return (run.prediction(true, iterations, starts), run.forward);
                }
            }
        }
        (run.prediction(false, iterations, starts), run.forward)
    }
}

/// The noise source of each node of a puzzle, for every start except the first, which has no noise.
pub fn noise_of_start(start: usize) -> impl Iterator<Item = i32> {
    let mut random = Random::for_part(0x0073_7461_7274, start as u64);
    std::iter::repeat_with(move || noise::source(&mut random))
}

/// A run of the network on one puzzle.
pub struct Run<'a> {
    frame: Cow<'a, Frame>,
    /// The puzzle, if its rules are not those of the frame.
    grid: Option<Grid>,
    /// The known digits, 0 for an open cell.
    puzzle: Vec<u8>,
    layout: Layout,
    forward: Forward,
    digits: Vec<u8>,
}

impl<'a> Run<'a> {
    fn new(solver: &'a Solver, mut forward: Forward, puzzle: &[u8]) -> Run<'a> {
        let order = solver.frame.order;
        let fits = puzzle.len() == order.cell_count()
            && puzzle.iter().all(|&digit| usize::from(digit) <= order.side());
        assert!(
            fits,
            "a puzzle has a number up to {} for each of {} cells",
            order.side(),
            order.cell_count()
        );
        let nodes = PuzzleNodes::new(&solver.frame, solver.config.nodes, puzzle);
        let layout = Layout::new(std::iter::once(&nodes));
        forward.set_layout(&solver.frame, &layout);
        Run {
            frame: Cow::Borrowed(&solver.frame),
            grid: None,
            puzzle: puzzle.to_vec(),
            layout,
            forward,
            digits: puzzle.to_vec(),
        }
    }

    fn of_grid(solver: &'a Solver, mut forward: Forward, grid: &Grid) -> Run<'a> {
        assert!(solver.config.rules, "the network is for classic puzzles only");
        let frame = Frame::without_groups(grid.order());
        // If the clues contradict the rules, there is nothing to iterate on.
        let (nodes, known) = PuzzleNodes::with_rules(grid)
            .unwrap_or_else(|| (PuzzleNodes::default(), grid.numbers().collect()));
        let layout = Layout::new(std::iter::once(&nodes));
        forward.set_layout(&frame, &layout);
        let digits = known.clone();
        let grid = Some(grid.clone());
        Run { frame: Cow::Owned(frame), grid, puzzle: known, layout, forward, digits }
    }

    /// Whether the digits after the last iteration are a solution.
    pub fn is_solved(&self) -> bool {
        let Some(puzzle) = &self.grid else { return is_complete(self.frame.order, &self.digits) };
        let Some(digits) = Grid::from_numbers(puzzle.order(), &self.digits) else { return false };
        let digits = match puzzle.rules() {
            Some(rules) => digits.with_rules(Arc::clone(rules)),
            None => digits,
        };
        digits.is_full() && digits.solves(puzzle)
    }

    /// Resets the state. Start 0 has no noise.
    pub fn begin(&mut self, start: usize) {
        let noise = (start > 0).then(|| noise_of_start(start)).into_iter().flatten();
        self.forward.begin(noise.chain(std::iter::repeat(noise::NONE)).take(self.layout.len()));
    }

    /// Runs one iteration.
    pub fn step(&mut self) {
        self.forward.step();
        let mut digits = std::mem::take(&mut self.digits);
        self.node_logits().fill(&mut digits);
        self.digits = digits;
    }

    /// The likeliest digit of every cell after the last iteration; 0 where the clues leave none.
    pub fn digits(&self) -> &[u8] {
        &self.digits
    }

    /// The log probability of each digit of each cell after the last iteration.
    pub fn log_probabilities(&self) -> Vec<f32> {
        self.node_logits().log_probabilities()
    }

    fn node_logits(&self) -> NodeLogits<'_> {
        // Hidden candidates come last.
        let hidden = |role: &&i32| self.grid.is_some() && **role != Role::Open as i32;
        let hidden = self.layout.roles.iter().rev().take_while(hidden).count();
        let visible = self.layout.len() - hidden;
        let logits = self.forward.logits();
        let candidates = &self.layout.candidates[..visible.min(logits.len())];
        let logits = &logits[..candidates.len()];
        NodeLogits { frame: &self.frame, puzzle: &self.puzzle, candidates, logits }
    }

    fn prediction(&self, solved: bool, iterations: usize, starts: usize) -> Prediction {
        let digits = self.digits.iter().map(|&digit| digit.max(1)).collect();
        Prediction {
            digits,
            solved,
            iterations,
            starts,
            log_probabilities: self.node_logits().log_probabilities(),
        }
    }
}
