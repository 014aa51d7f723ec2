//! The trace of the solver on one puzzle: the steps of the network, the rule base and the
//! coprocessor.

use super::{Choice, Config, Kind, Readout, SearchRun};
use ninefold::grid::{Cell, Conflict, Digit, DigitSet, Grid, Order, text};
use ninefold::search::astar::Astar;
use ninefold::search::{Effort, Solutions, StopReason, Walk};
use std::fmt;

/// The steps of the solver on one puzzle. `Display` writes them as text; it can also be serialised,
/// for example as JSON.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The puzzle.
    pub puzzle: Grid,
    /// Settings of the solver.
    pub config: Config,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The result.
    pub outcome: Outcome,
    /// Effort: one node for each run of the network, plus the nodes of the coprocessor.
    pub effort: Effort,
}

/// One step of the solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A run of the network.
    Run {
        /// Number of the run, from 1.
        number: usize,
        /// The result of the run.
        readout: Readout,
        /// The board with the certain cells filled.
        board: Grid,
        /// How it settled; only for [`Kind::Dynamics`].
        convergence: Option<Convergence>,
    },
    /// The rule base selected a cell.
    Choice {
        /// The cell.
        cell: Cell,
        /// Its index, for example the commonality index; `None` for a random choice.
        index: Option<usize>,
    },
    /// The coprocessor searched.
    CoProcessor(SearchRun),
    /// The rule base filled the selected cell.
    Hint {
        /// The cell.
        cell: Cell,
        /// Its digit in the solution.
        digit: Digit,
    },
}

/// How a Hopfield network settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Convergence {
    /// Number of updates of neurons.
    pub updates: usize,
    /// Energy at the start.
    pub energy_before: i64,
    /// Energy of the final state; 0 means a solution.
    pub energy_after: i64,
}

/// The result of the solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The unique solution.
    Solved(Grid),
    /// The puzzle has no solution.
    NoSolution(NoSolutionReason),
    /// There are at least two solutions, such as these.
    Several(Grid, Grid),
    /// A limit was reached.
    Unfinished {
        /// A solution, if one was found; it may not be unique.
        found: Option<Grid>,
        /// The limit.
        stop: StopReason,
    },
}

/// Why a puzzle has no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoSolutionReason {
    /// Two digits break the rules: two clues, or two forced digits.
    Conflict(Conflict),
    /// This cell cannot take any digit.
    NoValueFor(Cell),
    /// The coprocessor excluded every board.
    Searched,
}

impl Trace {
    /// Number of runs of the network.
    pub fn runs(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step, Step::Run { .. })).count()
    }

    /// Number of hints.
    pub fn hints(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step, Step::Hint { .. })).count()
    }

    fn order(&self) -> Order {
        self.puzzle.order()
    }

    fn name(&self, cell: Cell) -> String {
        self.order().name_of(cell)
    }

    fn symbols(&self, digits: DigitSet) -> String {
        digits.map(|digit| text::symbol(self.order(), digit)).collect::<Vec<_>>().join(" ")
    }

    fn write_step(&self, step: &Step, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match step {
            Step::Run { number, readout, board, convergence } => {
                writeln!(
                    f,
                    "Network run {number}: {}",
                    counted(readout.certain.len(), "certain cell")
                )?;
                self.write_convergence(*convergence, f)?;
                self.write_readout(readout, board, f)
            }
            Step::Choice { cell, index } => {
                writeln!(f, "Chosen: {}, {}", self.name(*cell), self.reason(*index))
            }
            Step::CoProcessor(search) => writeln!(f, "{}", search_text(search)),
            Step::Hint { cell, digit } => {
                writeln!(
                    f,
                    "Hint: {} goes into {}",
                    text::symbol(self.order(), *digit),
                    self.name(*cell)
                )
            }
        }
    }

    fn write_convergence(
        &self,
        convergence: Option<Convergence>,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let Some(Convergence { updates, energy_before, energy_after }) = convergence else {
            return Ok(());
        };
        writeln!(f, "  energy {energy_before} → {energy_after} in {}", counted(updates, "update"))
    }

    fn write_readout(
        &self,
        readout: &Readout,
        board: &Grid,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        for line in format!("{board:#}").lines() {
            writeln!(f, "  {line}")?;
        }
        for &cell in &readout.impossible {
            writeln!(f, "  {} has no possible value", self.name(cell))?;
        }
        for &(cell, values) in &readout.uncertain {
            writeln!(f, "  {} could be {}", self.name(cell), self.symbols(values))?;
        }
        Ok(())
    }

    fn reason(&self, index: Option<usize>) -> String {
        let choice = self.config.choice;
        match index {
            Some(index) if choice == Choice::FewestValues => {
                format!("it has the lowest {}, {index}", choice.name())
            }
            Some(index) => format!("it has the highest {}, {index}", choice.name()),
            None => format!("by {}", choice.name()),
        }
    }

    fn outcome_text(&self) -> String {
        let hints = self.hints();
        match &self.outcome {
            Outcome::Solved(_) if hints == 0 && self.config.kind == Kind::TwoUpdates => {
                format!(
                    "Solved in {} without a hint; every digit was forced",
                    counted(self.runs(), "network run")
                )
            }
            Outcome::Solved(_) => format!(
                "Solved in {} with {}; this is the only solution",
                counted(self.runs(), "network run"),
                counted(hints, "hint")
            ),
            Outcome::NoSolution(NoSolutionReason::Conflict(conflict)) => match self.runs() {
                0 => format!("No solution: {conflict}"),
                _ => format!("No solution: the certain cells clash, {conflict}"),
            },
            Outcome::NoSolution(NoSolutionReason::NoValueFor(cell)) => {
                format!("No solution: {} cannot take any digit", self.name(*cell))
            }
            Outcome::NoSolution(NoSolutionReason::Searched) => {
                "No solution: the search has ruled out every board".to_string()
            }
            Outcome::Several(..) => {
                "2 or more solutions: no hint can be given, for the cell may take several digits"
                    .to_string()
            }
            Outcome::Unfinished { stop, .. } => {
                format!("Stopped by {stop} before the answer was certain")
            }
        }
    }
}

/// One or more lines per step.
impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let empty = self.puzzle.empty_cells().count();
        writeln!(f, "Puzzle: {} with {}", self.order(), counted(empty, "empty cell"))?;
        for step in &self.steps {
            self.write_step(step, f)?;
        }
        writeln!(f, "{}", self.outcome_text())
    }
}

fn search_text(search: &SearchRun) -> String {
    let boards = counted(search.effort.nodes as usize, "board");
    let answer = match &search.answer {
        Ok(Solutions::Zero) => "no solution".to_string(),
        Ok(Solutions::One(_)) => "one solution, which is kept".to_string(),
        Ok(Solutions::Many(..)) => "two solutions".to_string(),
        Err(unfinished) => format!("stopped by {}", unfinished.stop),
    };
    let in_its_place = if search.solver == Astar.name() { "" } else { ", in its place" };
    format!("Co-processor {}{in_its_place}: {boards}, {answer}", search.solver)
}

/// `1 hint`, `3 hints`, `0 hints`.
fn counted(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}
