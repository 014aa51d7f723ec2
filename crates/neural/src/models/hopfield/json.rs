//! JSON representation of a trace, printed by `--json`.
//!
//! Grids are single lines, cells are names such as `r2c9`, digits are numbers.

use super::{
    Choice, Convergence, HintPolicy, Kind, NoSolutionReason, Outcome, Readout, SearchRun, Step,
    Trace,
};
use ninefold::grid::{Cell, Digit, DigitSet, Order};
use ninefold::search::Solutions;
use serde::{Serialize, Serializer};

impl Serialize for Trace {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        TraceFields::new(self).serialize(serializer)
    }
}

#[derive(Serialize)]
struct TraceFields {
    size: String,
    puzzle: String,
    network: &'static str,
    choice: &'static str,
    #[serde(rename = "asking")]
    hint_policy: &'static str,
    steps: Vec<StepFields>,
    runs: usize,
    hints: usize,
    #[serde(flatten)]
    outcome: OutcomeFields,
}

#[derive(Serialize)]
#[serde(tag = "step", rename_all = "kebab-case")]
enum StepFields {
    Run {
        number: usize,
        #[serde(flatten)]
        convergence: Option<Convergence>,
        certain: Vec<CellDigit>,
        uncertain: Vec<CellDigits>,
        impossible: Vec<String>,
        board: String,
    },
    Choice {
        cell: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        index: Option<usize>,
    },
    CoProcessor {
        solver: &'static str,
        nodes: u64,
        answer: String,
    },
    Hint(CellDigit),
}

#[derive(Serialize)]
struct CellDigit {
    cell: String,
    digit: u8,
}

#[derive(Serialize)]
struct CellDigits {
    cell: String,
    digits: Vec<u8>,
}

#[derive(Default, Serialize)]
struct OutcomeFields {
    answer: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    solution: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    second_solution: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped_by: Option<String>,
}

impl TraceFields {
    fn new(trace: &Trace) -> TraceFields {
        let order = trace.puzzle.order();
        TraceFields {
            size: order.to_string(),
            puzzle: trace.puzzle.to_string(),
            network: match trace.config.kind {
                Kind::TwoUpdates => "two-updates",
                Kind::Dynamics => "dynamics",
            },
            choice: match trace.config.choice {
                Choice::Commonality => "commonality",
                Choice::CommonalityOfPeers => "commonality-of-peers",
                Choice::SharedValues => "shared-values",
                Choice::FewestValues => "fewest-values",
                Choice::Random => "random",
            },
            hint_policy: match trace.config.hint_policy {
                HintPolicy::AfterEveryRun => "after-every-run",
                HintPolicy::WhenStuck => "when-stuck",
            },
            steps: trace.steps.iter().map(|step| StepFields::new(step, order)).collect(),
            runs: trace.runs(),
            hints: trace.hints(),
            outcome: OutcomeFields::new(&trace.outcome, order),
        }
    }
}

impl StepFields {
    fn new(step: &Step, order: Order) -> StepFields {
        match step {
            Step::Run { number, readout, board, convergence } => {
                let Readout { certain, uncertain, impossible } = readout;
                StepFields::Run {
                    number: *number,
                    convergence: *convergence,
                    certain: certain
                        .iter()
                        .map(|&(cell, digit)| CellDigit::new(cell, digit, order))
                        .collect(),
                    uncertain: uncertain
                        .iter()
                        .map(|&(cell, digits)| CellDigits::new(cell, digits, order))
                        .collect(),
                    impossible: impossible.iter().map(|&cell| order.name_of(cell)).collect(),
                    board: board.to_string(),
                }
            }
            Step::Choice { cell, index } => {
                StepFields::Choice { cell: order.name_of(*cell), index: *index }
            }
            Step::CoProcessor(search) => StepFields::CoProcessor {
                solver: search.solver,
                nodes: search.effort.nodes,
                answer: answer(search),
            },
            Step::Hint { cell, digit } => StepFields::Hint(CellDigit::new(*cell, *digit, order)),
        }
    }
}

impl CellDigit {
    fn new(cell: Cell, digit: Digit, order: Order) -> CellDigit {
        CellDigit { cell: order.name_of(cell), digit: digit.number() }
    }
}

impl CellDigits {
    fn new(cell: Cell, digits: DigitSet, order: Order) -> CellDigits {
        CellDigits { cell: order.name_of(cell), digits: digits.map(Digit::number).collect() }
    }
}

impl OutcomeFields {
    fn new(outcome: &Outcome, order: Order) -> OutcomeFields {
        let fields = OutcomeFields::default();
        match outcome {
            Outcome::Solved(grid) => {
                OutcomeFields { answer: "unique", solution: Some(grid.to_string()), ..fields }
            }
            Outcome::Several(first, second) => OutcomeFields {
                answer: "several",
                solution: Some(first.to_string()),
                second_solution: Some(second.to_string()),
                ..fields
            },
            Outcome::NoSolution(reason) => OutcomeFields {
                answer: "none",
                because: Some(reason_text(reason, order)),
                ..fields
            },
            Outcome::Unfinished { found, stop } => OutcomeFields {
                answer: "undecided",
                solution: found.as_ref().map(|grid| grid.to_string()),
                stopped_by: Some(stop.to_string()),
                ..fields
            },
        }
    }
}

fn reason_text(reason: &NoSolutionReason, order: Order) -> String {
    match reason {
        NoSolutionReason::Conflict(conflict) => conflict.to_string(),
        NoSolutionReason::NoValueFor(cell) => {
            format!("{} cannot take any digit", order.name_of(*cell))
        }
        NoSolutionReason::Searched => "the search has ruled out every board".to_string(),
    }
}

fn answer(search: &SearchRun) -> String {
    match &search.answer {
        Ok(Solutions::Zero) => "none".to_string(),
        Ok(Solutions::One(_)) => "unique".to_string(),
        Ok(Solutions::Many(..)) => "several".to_string(),
        Err(unfinished) => format!("stopped by {}", unfinished.stop),
    }
}
