//! The rule base: the loop that runs the network, selects an uncertain cell and gets its digit (the
//! hint) from the coprocessor.

use super::coprocessor::remaining;
use super::dynamics::Dynamics;
use super::network::{self, Readout};
use super::{
    CoProcessor, Config, Convergence, HintPolicy, Kind, NoSolutionReason, Outcome, Step, Trace,
};
use ninefold::grid::{Cell, Digit, Grid};
use ninefold::random::Random;
use ninefold::search::{Effort, Limits, Solutions, StopReason};
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Solves a puzzle of any size and returns the trace.
///
/// Every hint fills a cell permanently, so there are at most as many hints as empty cells. Each run
/// of the network counts as one node, in addition to the nodes of the coprocessor.
pub fn solve(puzzle: &Grid, config: &Config, limits: &Limits<'_>) -> Trace {
    solve_with(&mut CoProcessor::new(puzzle, config.astar_nodes), config, limits)
}

/// Solves the puzzle of a coprocessor. If it has already searched, the search is not repeated, and
/// the trace contains its original effort.
pub fn solve_with(co_processor: &mut CoProcessor, config: &Config, limits: &Limits<'_>) -> Trace {
    let puzzle = &co_processor.puzzle().clone();
    let network = match config.kind {
        Kind::TwoUpdates => ActiveNetwork::TwoUpdates,
        Kind::Dynamics => ActiveNetwork::Dynamics(Box::new(Dynamics::new(puzzle, config.seed))),
    };
    let mut rules = RuleBase {
        puzzle,
        config,
        limits,
        co_processor,
        network,
        random: Random::new(config.seed),
        steps: Vec::new(),
        runs: 0,
        effort: Effort::none(None),
        started: Instant::now(),
        has_searched: false,
    };
    let outcome = rules.run();
    if let Outcome::Solved(grid) = &outcome {
        assert!(
            grid.solves(puzzle),
            "this is a bug in Ninefold: hopfield returned {grid} as a solution of {puzzle}"
        );
    }
    let stop = match outcome {
        Outcome::Unfinished { stop, .. } => Some(stop),
        _ => None,
    };
    let mut effort = rules.effort;
    effort.elapsed = rules.started.elapsed();
    effort.stop = stop;
    Trace { puzzle: puzzle.clone(), config: config.clone(), steps: rules.steps, outcome, effort }
}

/// The selected network and its state.
enum ActiveNetwork {
    TwoUpdates,
    Dynamics(Box<Dynamics>),
}

impl ActiveNetwork {
    fn run(&mut self, board: &Grid) -> (Readout, Option<Convergence>) {
        match self {
            ActiveNetwork::TwoUpdates => (network::run(board), None),
            ActiveNetwork::Dynamics(dynamics) => {
                let energy_before = dynamics.energy();
                let updates = dynamics.settle().len();
                (
                    dynamics.readout(),
                    Some(Convergence { updates, energy_before, energy_after: dynamics.energy() }),
                )
            }
        }
    }

    fn clamp(&mut self, cell: Cell, digit: Digit) {
        if let ActiveNetwork::Dynamics(dynamics) = self {
            dynamics.clamp(cell, digit);
        }
    }

    /// Whether certain cells are proven.
    fn is_sound(&self) -> bool {
        matches!(self, ActiveNetwork::TwoUpdates)
    }
}

struct RuleBase<'a> {
    puzzle: &'a Grid,
    config: &'a Config,
    limits: &'a Limits<'a>,
    co_processor: &'a mut CoProcessor,
    network: ActiveNetwork,
    random: Random,
    steps: Vec<Step>,
    runs: usize,
    effort: Effort,
    started: Instant,
    has_searched: bool,
}

impl RuleBase<'_> {
    fn run(&mut self) -> Outcome {
        if let Some(conflict) = self.puzzle.conflict() {
            return Outcome::NoSolution(NoSolutionReason::Conflict(conflict));
        }
        let mut board = self.puzzle.clone();
        loop {
            if let Some(stop) = self.limit_reached() {
                return Outcome::Unfinished { found: None, stop };
            }
            let (readout, filled) = self.run_network(&board);
            if let Some(&cell) = readout.impossible.first() {
                return Outcome::NoSolution(NoSolutionReason::NoValueFor(cell));
            }
            if let Some(conflict) = filled.conflict() {
                return Outcome::NoSolution(NoSolutionReason::Conflict(conflict));
            }
            if readout.uncertain.is_empty() {
                return self.finish(filled);
            }
            let filled_some = !readout.certain.is_empty() && self.network.is_sound();
            if self.network.is_sound() {
                board = filled;
            }
            if self.config.hint_policy == HintPolicy::WhenStuck && filled_some {
                continue;
            }
            match self.hint(&readout) {
                Ok((cell, digit)) => {
                    board.set(cell, Some(digit));
                    self.network.clamp(cell, digit);
                }
                Err(outcome) => return outcome,
            }
        }
    }

    /// Runs the network; returns the readout and the board with all certain cells filled.
    fn run_network(&mut self, board: &Grid) -> (Readout, Grid) {
        let (readout, convergence) = self.network.run(board);
        let mut filled = board.clone();
        for &(cell, digit) in &readout.certain {
            filled.set(cell, Some(digit));
        }
        self.runs += 1;
        self.effort.nodes += 1;
        self.steps.push(Step::Run {
            number: self.runs,
            readout: readout.clone(),
            board: filled.clone(),
            convergence,
        });
        (readout, filled)
    }

    /// The digit for the selected cell, or the outcome if the solution is not unique.
    fn hint(&mut self, readout: &Readout) -> Result<(Cell, Digit), Outcome> {
        let picked =
            self.config.choice.pick(&readout.uncertain, self.puzzle.order(), &mut self.random);
        let (cell, index) = picked.expect("hints are requested only if a cell is uncertain");
        self.steps.push(Step::Choice { cell, index });
        let solution = self.only_solution()?;
        let digit = solution[cell].expect("a solution fills every cell");
        self.steps.push(Step::Hint { cell, digit });
        Ok((cell, digit))
    }

    /// Handles a full board without conflicts. It is the solution if all digits were forced or came
    /// from the unique solution.
    fn finish(&mut self, board: Grid) -> Outcome {
        if self.network.is_sound() || self.has_searched {
            return Outcome::Solved(board);
        }
        match self.only_solution() {
            Ok(_) => Outcome::Solved(board),
            Err(Outcome::Unfinished { stop, .. }) => {
                Outcome::Unfinished { found: Some(board), stop }
            }
            Err(other) => other,
        }
    }

    /// The solution of the coprocessor. Its searches are added to the trace the first time.
    fn only_solution(&mut self) -> Result<Grid, Outcome> {
        let mut effort = self.effort;
        effort.elapsed = self.started.elapsed();
        let limits = remaining(self.limits, &effort);
        let searches = self.co_processor.search_once(&limits);
        if !self.has_searched {
            self.has_searched = true;
            for search in searches {
                self.effort.nodes += search.effort.nodes;
                self.effort.guesses += search.effort.guesses;
                self.steps.push(Step::CoProcessor(search.clone()));
            }
        }
        match searches
            .last()
            .map(|search| search.answer.clone())
            .expect("there is at least one search")
        {
            Ok(Solutions::One(grid)) => Ok(grid),
            Ok(Solutions::Zero) => Err(Outcome::NoSolution(NoSolutionReason::Searched)),
            Ok(Solutions::Many(first, second)) => Err(Outcome::Several(first, second)),
            Err(unfinished) => {
                Err(Outcome::Unfinished { found: unfinished.found, stop: unfinished.stop })
            }
        }
    }

    /// Checks the limits for runs of the network; the coprocessor checks them itself.
    fn limit_reached(&self) -> Option<StopReason> {
        if self.limits.nodes.is_some_and(|nodes| self.effort.nodes >= nodes) {
            Some(StopReason::Nodes)
        } else if self.limits.time.is_some_and(|time| self.started.elapsed() >= time) {
            Some(StopReason::Time)
        } else if self.limits.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            Some(StopReason::Cancelled)
        } else {
            None
        }
    }
}
