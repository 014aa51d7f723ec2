//! The rule base: it runs the network, picks the cell for a hint and fires the co-processor.

use super::coprocessor::less;
use super::dynamics::Dynamics;
use super::network::{self, Reading};
use super::{Asking, CoProcessor, Config, Kind, Outcome, Settled, Step, Trace, Why};
use ninefold::grid::{Cell, Digit, Grid};
use ninefold::random::Random;
use ninefold::search::{Effort, Limits, Solutions, Stop};
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Solves a puzzle of any size and tells how.
///
/// Every hint fills a cell for good, so there are never more hints than empty cells. A run of the network counts as
/// one node, beside the nodes of the co-processor.
pub fn solve(puzzle: &Grid, config: &Config, limits: &Limits<'_>) -> Trace {
    solve_with(&mut CoProcessor::new(puzzle, config.astar_nodes), config, limits)
}

/// Solves the puzzle of a co-processor. If that has been asked before, nothing is searched again, and the trace tells
/// what the search cost at that time.
pub fn solve_with(co_processor: &mut CoProcessor, config: &Config, limits: &Limits<'_>) -> Trace {
    let puzzle = &co_processor.puzzle().clone();
    let network = match config.kind {
        Kind::TwoUpdates => Running::TwoUpdates,
        Kind::Dynamics => Running::Dynamics(Box::new(Dynamics::silent(puzzle, config.seed))),
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
        asked: false,
    };
    let outcome = rules.run();
    if let Outcome::Solved(grid) = &outcome {
        assert!(
            grid.solves(puzzle),
            "this is a bug in Ninefold: hopfield calls {grid} a solution of {puzzle}"
        );
    }
    let stop = match outcome {
        Outcome::Unfinished { stop, .. } => Some(stop),
        _ => None,
    };
    let effort = Effort { elapsed: rules.started.elapsed(), stop, ..rules.effort };
    Trace { puzzle: puzzle.clone(), config: config.clone(), steps: rules.steps, outcome, effort }
}

/// The network at work.
enum Running {
    TwoUpdates,
    Dynamics(Box<Dynamics>),
}

impl Running {
    fn run(&mut self, board: &Grid) -> (Reading, Option<Settled>) {
        match self {
            Running::TwoUpdates => (network::run(board), None),
            Running::Dynamics(dynamics) => {
                let energy_before = dynamics.energy();
                let updates = dynamics.settle().len();
                (
                    dynamics.read_off(),
                    Some(Settled { updates, energy_before, energy_after: dynamics.energy() }),
                )
            }
        }
    }

    fn clamp(&mut self, cell: Cell, digit: Digit) {
        if let Running::Dynamics(dynamics) = self {
            dynamics.clamp(cell, digit);
        }
    }

    /// Is what the network calls certain also proven?
    fn is_sound(&self) -> bool {
        matches!(self, Running::TwoUpdates)
    }
}

struct RuleBase<'a> {
    puzzle: &'a Grid,
    config: &'a Config,
    limits: &'a Limits<'a>,
    co_processor: &'a mut CoProcessor,
    network: Running,
    random: Random,
    steps: Vec<Step>,
    runs: usize,
    effort: Effort,
    started: Instant,
    asked: bool,
}

impl RuleBase<'_> {
    fn run(&mut self) -> Outcome {
        if let Some(conflict) = self.puzzle.conflict() {
            return Outcome::NoSolution(Why::Conflict(conflict));
        }
        let mut board = self.puzzle.clone();
        loop {
            if let Some(stop) = self.limit_reached() {
                return Outcome::Unfinished { found: None, stop };
            }
            let (reading, fuller) = self.run_network(&board);
            if let Some(&cell) = reading.impossible.first() {
                return Outcome::NoSolution(Why::NoValueFor(cell));
            }
            if let Some(conflict) = fuller.conflict() {
                return Outcome::NoSolution(Why::Conflict(conflict));
            }
            if reading.uncertain.is_empty() {
                return self.finish(fuller);
            }
            let filled_some = !reading.certain.is_empty() && self.network.is_sound();
            if self.network.is_sound() {
                board = fuller;
            }
            if self.config.asking == Asking::WhenStuck && filled_some {
                continue;
            }
            match self.hint(&reading) {
                Ok((cell, digit)) => {
                    board.set(cell, Some(digit));
                    self.network.clamp(cell, digit);
                }
                Err(outcome) => return outcome,
            }
        }
    }

    /// One run, and the board with all cells it is certain of.
    fn run_network(&mut self, board: &Grid) -> (Reading, Grid) {
        let (reading, settled) = self.network.run(board);
        let mut fuller = board.clone();
        for &(cell, digit) in &reading.certain {
            fuller.set(cell, Some(digit));
        }
        self.runs += 1;
        self.effort.nodes += 1;
        self.steps.push(Step::Run {
            number: self.runs,
            reading: reading.clone(),
            board: fuller.clone(),
            settled,
        });
        (reading, fuller)
    }

    /// The digit for the cell that the rule picks; the outcome if there is no single solution to take it from.
    fn hint(&mut self, reading: &Reading) -> Result<(Cell, Digit), Outcome> {
        let picked =
            self.config.choice.pick(&reading.uncertain, self.puzzle.order(), &mut self.random);
        let (cell, index) = picked.expect("a hint is asked for where a cell is uncertain");
        self.steps.push(Step::Choice { cell, index });
        let solution = self.only_solution()?;
        let digit = solution[cell].expect("a solution fills every cell");
        self.steps.push(Step::Hint { cell, digit });
        Ok((cell, digit))
    }

    /// A full board without conflicts. If all its digits were forced or came from the only solution, so is the whole.
    fn finish(&mut self, board: Grid) -> Outcome {
        if self.network.is_sound() || self.asked {
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

    /// What the co-processor knows; it tells its story only the first time.
    fn only_solution(&mut self) -> Result<Grid, Outcome> {
        let limits = less(self.limits, &Effort { elapsed: self.started.elapsed(), ..self.effort });
        let asked = self.co_processor.ask(&limits);
        if !self.asked {
            self.asked = true;
            for question in asked {
                self.effort.nodes += question.effort.nodes;
                self.effort.guesses += question.effort.guesses;
                self.steps.push(Step::CoProcessor(question.clone()));
            }
        }
        match asked.last().map(|question| question.answer.clone()).expect("it was asked") {
            Ok(Solutions::One(grid)) => Ok(grid),
            Ok(Solutions::Zero) => Err(Outcome::NoSolution(Why::Searched)),
            Ok(Solutions::Many(first, second)) => Err(Outcome::Several(first, second)),
            Err(unfinished) => {
                Err(Outcome::Unfinished { found: unfinished.found, stop: unfinished.stop })
            }
        }
    }

    /// The co-processor watches the limits by itself; this is for the runs of the network.
    fn limit_reached(&self) -> Option<Stop> {
        if self.limits.nodes.is_some_and(|nodes| self.effort.nodes >= nodes) {
            Some(Stop::Nodes)
        } else if self.limits.time.is_some_and(|time| self.started.elapsed() >= time) {
            Some(Stop::Time)
        } else if self.limits.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            Some(Stop::Cancelled)
        } else {
            None
        }
    }
}
