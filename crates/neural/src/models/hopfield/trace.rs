//! The story of a solution, step by step: this is where we tell what the network, the rule base and A* did.

use super::{Asked, Choice, Config, Kind, Reading};
use ninefold::grid::{Cell, Conflict, Digit, DigitSet, Grid, Order, text};
use ninefold::search::astar::Astar;
use ninefold::search::{Effort, Solutions, Stop, Walk};
use std::fmt;

/// All that happened to one puzzle. Its text is the story; it can also be serialised, for example as JSON.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The puzzle.
    pub puzzle: Grid,
    /// How it was solved.
    pub config: Config,
    /// What happened, in order.
    pub steps: Vec<Step>,
    /// How it ended.
    pub outcome: Outcome,
    /// What it cost: one node for each run of the network, and the nodes of the co-processor.
    pub effort: Effort,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The network ran.
    Run {
        /// The number of the run, counted from 1.
        number: usize,
        /// What it read off.
        reading: Reading,
        /// The board with the cells that are certain.
        board: Grid,
        /// How it settled, if it was one that settles.
        settled: Option<Settled>,
    },
    /// The rule base picked a cell.
    Choice {
        /// The cell.
        cell: Cell,
        /// What speaks for it, for example its commonality index; nothing if it was drawn.
        index: Option<usize>,
    },
    /// The co-processor searched.
    CoProcessor(Asked),
    /// The rule base filled the cell it had picked.
    Hint {
        /// The cell.
        cell: Cell,
        /// Its digit in the solution.
        digit: Digit,
    },
}

/// How a Hopfield network came to rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Settled {
    /// How many neurons were updated, counting each time.
    pub updates: usize,
    /// The energy at the start.
    pub energy_before: i64,
    /// The energy at rest; 0 is a solution.
    pub energy_after: i64,
}

/// How it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This is the only solution.
    Solved(Grid),
    /// There is no solution.
    NoSolution(Why),
    /// There are at least two solutions; here are two.
    Several(Grid, Grid),
    /// A limit came first.
    Unfinished {
        /// A solution, if one was found; whether it is the only one is not known.
        found: Option<Grid>,
        /// The limit.
        stop: Stop,
    },
}

/// Why there is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Two digits break the rules: two of the puzzle, or two that are both forced.
    Conflict(Conflict),
    /// This cell cannot take any digit.
    NoValueFor(Cell),
    /// The co-processor has ruled out every board.
    Searched,
}

impl Trace {
    /// How often the network ran.
    pub fn runs(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step, Step::Run { .. })).count()
    }

    /// How many hints the rule base gave.
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

    fn step_in_words(&self, step: &Step, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match step {
            Step::Run { number, reading, board, settled } => {
                writeln!(
                    f,
                    "Network run {number}: {}",
                    counted(reading.certain.len(), "certain cell")
                )?;
                self.settling_in_words(*settled, f)?;
                self.reading_in_words(reading, board, f)
            }
            Step::Choice { cell, index } => {
                writeln!(f, "Chosen: {}, {}", self.name(*cell), self.reason(*index))
            }
            Step::CoProcessor(asked) => writeln!(f, "{}", in_words(asked)),
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

    fn settling_in_words(
        &self,
        settled: Option<Settled>,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let Some(Settled { updates, energy_before, energy_after }) = settled else { return Ok(()) };
        writeln!(f, "  energy {energy_before} → {energy_after} in {}", counted(updates, "update"))
    }

    fn reading_in_words(
        &self,
        reading: &Reading,
        board: &Grid,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        for line in format!("{board:#}").lines() {
            writeln!(f, "  {line}")?;
        }
        for &cell in &reading.impossible {
            writeln!(f, "  {} has no possible value", self.name(cell))?;
        }
        for &(cell, values) in &reading.uncertain {
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

    fn ending_in_words(&self) -> String {
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
            Outcome::NoSolution(Why::Conflict(conflict)) => match self.runs() {
                0 => format!("No solution: {conflict}"),
                _ => format!("No solution: the certain cells clash, {conflict}"),
            },
            Outcome::NoSolution(Why::NoValueFor(cell)) => {
                format!("No solution: {} cannot take any digit", self.name(*cell))
            }
            Outcome::NoSolution(Why::Searched) => {
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

/// The story, one line or more for each step.
impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let empty = self.puzzle.empty_cells().count();
        writeln!(f, "Puzzle: {} with {}", self.order(), counted(empty, "empty cell"))?;
        for step in &self.steps {
            self.step_in_words(step, f)?;
        }
        writeln!(f, "{}", self.ending_in_words())
    }
}

fn in_words(asked: &Asked) -> String {
    let boards = counted(asked.effort.nodes as usize, "board");
    let answer = match &asked.answer {
        Ok(Solutions::Zero) => "no solution".to_string(),
        Ok(Solutions::One(_)) => "one solution, which is kept".to_string(),
        Ok(Solutions::Many(..)) => "two solutions".to_string(),
        Err(unfinished) => format!("stopped by {}", unfinished.stop),
    };
    let in_its_place = if asked.solver == Astar.name() { "" } else { ", in its place" };
    format!("Co-processor {}{in_its_place}: {boards}, {answer}", asked.solver)
}

/// `1 hint`, `3 hints`, `0 hints`.
fn counted(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}
