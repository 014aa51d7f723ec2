//! `ninefold check`: is it valid, has it one solution, and is every clue needed?

use crate::console;
use crate::console::{Console, Part, Remark, Total};
use crate::error::CliError;
use crate::input::{Input, Puzzles, Question};
use crate::search_args::{SearchArgs, list_of_methods};
use crate::source::Place;
use crate::stream::{self, Told};
use crate::verdict::{self, Verdict};
use crate::words;
use clap::Args;
use ninefold::grid::{Cell, Conflict, Grid, text};
use ninefold::search::{Limits, Solutions, Solver, Stop, Unfinished};
use serde::Serialize;

mod plain;

/// Say whether puzzles are valid, unique and minimal
///
/// A puzzle is valid if no house holds a digit twice, unique if it has exactly one solution, and minimal if it has
/// no other clues than it needs: without any one of them there would be a second solution. Where there are several
/// solutions, two of them are shown with the cells in which they differ.
#[derive(Args, Debug)]
#[command(after_help = verdict::HELP_CHECK)]
pub struct Options {
    #[command(flatten)]
    input: Input,

    /// Answer no if there is a clue that is not needed
    #[arg(long)]
    minimal: bool,

    #[command(flatten)]
    search: SearchArgs,
}

/// Checks everything and prints what was found.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    if options.search.methods {
        console::print(format_args!("{}", list_of_methods()));
        return Ok(Verdict::Yes);
    }
    #[cfg(feature = "networks")]
    if let Some(network) = options.search.network() {
        return Err(CliError::new(format!(
            "{} is a network; it proposes solutions and proves nothing",
            network.name
        ))
        .hint("leave --method out, or take one that --methods lists"));
    }
    options.search.engine.apply()?;
    let puzzles = Puzzles::of_input(&options.input)?;
    let total = Total::Bytes(puzzles.reading.clone());
    let mut console = Console::open(options.search.quiet, options.search.strict).counting_to(total);
    stream::run(
        puzzles,
        options.search.threads(),
        |questions, send| {
            // The ordinary way finds the right words for whatever the quick one leaves open.
            let quick =
                if options.search.is_unbounded() { plain::check(&questions) } else { Vec::new() };
            let quick = quick.into_iter().chain(std::iter::repeat_with(|| None));
            for (question, quick) in questions.into_iter().zip(quick) {
                send(answer(options, question, quick));
            }
        },
        |told| match told {
            Told::Part(part) => console.print(part),
            Told::Idle => console.flush(),
        },
    );
    console.finish();
    if console.puzzles == 0 && console.verdict == Verdict::Yes {
        return Err(
            CliError::new("there is no puzzle in the input").hint("write one puzzle per line")
        );
    }
    Ok(console.verdict)
}

fn answer(options: &Options, question: Question, quick: Option<Findings>) -> Part {
    let bad = |error| {
        let remark = Remark { topic: "such an error", words: Err(error) };
        Part { remarks: vec![remark], verdict: Verdict::Trouble, puzzles: 1, ..Part::default() }
    };
    let found = question.map_err(CliError::from).and_then(|found| {
        let place = found.place();
        if let Some(findings) = quick {
            return Ok((findings, place));
        }
        let puzzle = found.entry_that_may_break_rules()?.puzzle;
        let solver = options.search.solver(puzzle.order()).map_err(|error| error.at(&place))?;
        Ok((Findings::of(puzzle, solver, &options.search.limits()), place))
    });
    match found {
        Ok((findings, place)) => Part {
            data: if options.search.json {
                findings.json(&place)
            } else {
                findings.in_words(&place)
            },
            remarks: Vec::new(),
            verdict: findings.verdict(options.minimal),
            puzzles: 1,
        },
        Err(error) => bad(error),
    }
}

/// What is known about one puzzle.
struct Findings {
    puzzle: Grid,
    conflict: Option<Conflict>,
    /// Not asked if there is a conflict.
    solutions: Option<Result<Solutions, Unfinished>>,
    /// The clues that can each be left out; only asked if there is one solution.
    redundant: Option<Result<Vec<Cell>, Stop>>,
}

impl Findings {
    fn of(puzzle: Grid, solver: &dyn Solver, limits: &Limits<'_>) -> Findings {
        let conflict = puzzle.conflict();
        let prove = |puzzle: &Grid| {
            solver.prove(puzzle, limits).expect("the solver was chosen for this size").solutions
        };
        let solutions = conflict.is_none().then(|| prove(&puzzle));
        let redundant = matches!(solutions, Some(Ok(Solutions::One(_)))).then(|| {
            let mut redundant = Vec::new();
            for (cell, _) in puzzle.clues() {
                match prove(&puzzle.without(cell)) {
                    Ok(Solutions::One(_)) => redundant.push(cell),
                    Ok(_) => {}
                    Err(unfinished) => return Err(unfinished.stop),
                }
            }
            Ok(redundant)
        });
        Findings { puzzle, conflict, solutions, redundant }
    }

    fn verdict(&self, must_be_minimal: bool) -> Verdict {
        match (&self.solutions, &self.redundant) {
            (Some(Err(_)), _) => Verdict::Trouble,
            (Some(Ok(Solutions::One(_))), Some(Err(_))) if must_be_minimal => Verdict::Trouble,
            (Some(Ok(Solutions::One(_))), Some(Ok(cells)))
                if must_be_minimal && !cells.is_empty() =>
            {
                Verdict::No
            }
            (Some(Ok(Solutions::One(_))), _) => Verdict::Yes,
            _ => Verdict::No,
        }
    }

    fn in_words(&self, place: &Place) -> String {
        let clues = words::counted(self.puzzle.clue_count() as u64, "clue", "clues");
        let mut lines = vec![format!("{}{} grid, {clues}", place.prefix(), self.puzzle.order())];
        lines.push(match &self.conflict {
            None => "valid    yes".to_string(),
            Some(conflict) => format!("valid    no, {conflict}"),
        });
        match &self.solutions {
            None => {}
            Some(Ok(Solutions::Zero)) => {
                lines.push("unique   no, there is no solution".to_string())
            }
            Some(Ok(Solutions::One(only))) => {
                lines.push("unique   yes".to_string());
                lines.push(format!("         {only}"));
            }
            Some(Ok(Solutions::Many(first, second))) => {
                let cells = differing(first, second);
                let count = words::counted(cells.len() as u64, "cell", "cells");
                lines.push(format!(
                    "unique   no, two of its solutions differ in {count}: {}",
                    cells.join(" ")
                ));
                lines.push(format!("         {first}"));
                lines.push(format!("         {second}"));
            }
            Some(Err(unfinished)) => lines.push(format!("unique   unknown, {unfinished}")),
        }
        match &self.redundant {
            None => {}
            Some(Ok(cells)) if cells.is_empty() => lines.push("minimal  yes".to_string()),
            Some(Ok(cells)) => lines.push(format!("minimal  no, {}", self.too_many(cells))),
            Some(Err(stop)) => lines.push(format!("minimal  unknown, stopped by {stop}")),
        }
        // Findings have several lines, so in a list an empty line keeps them apart.
        lines.join("\n") + if place.source.is_empty() { "\n" } else { "\n\n" }
    }

    fn too_many(&self, cells: &[Cell]) -> String {
        let order = self.puzzle.order();
        let clue = |&cell: &Cell| {
            let digit = self.puzzle[cell].map_or(String::new(), |digit| text::symbol(order, digit));
            format!("{} = {digit}", order.name_of(cell))
        };
        let clues: Vec<String> = cells.iter().map(clue).collect();
        match clues.as_slice() {
            [only] => format!("{only} can be left out"),
            _ => format!(
                "any one of these {} clues can be left out: {}",
                clues.len(),
                clues.join(", ")
            ),
        }
    }

    fn json(&self, place: &Place) -> String {
        let (answer, solution, second) = match &self.solutions {
            None => (None, None, None),
            Some(Ok(Solutions::Zero)) => (Some("none"), None, None),
            Some(Ok(Solutions::One(only))) => (Some("one"), Some(only), None),
            Some(Ok(Solutions::Many(first, second))) => {
                (Some("several"), Some(first), Some(second))
            }
            Some(Err(unfinished)) => (Some("unknown"), unfinished.found.as_ref(), None),
        };
        let redundant = self.redundant.as_ref().and_then(|redundant| redundant.as_ref().ok());
        let line = Json {
            source: &place.source,
            line: place.line,
            size: self.puzzle.order().to_string(),
            puzzle: self.puzzle.to_string(),
            clues: self.puzzle.clue_count(),
            valid: self.conflict.is_none(),
            conflict: self.conflict.map(|conflict| conflict.to_string()),
            solutions: answer,
            solution: solution.map(Grid::to_string),
            second_solution: second.map(Grid::to_string),
            differing_cells: solution.zip(second).map(|(first, second)| differing(first, second)),
            minimal: redundant.map(Vec::is_empty),
            redundant_clues: redundant
                .map(|cells| cells.iter().map(|&cell| self.puzzle.order().name_of(cell)).collect()),
        };
        serde_json::to_string(&line).expect("strings and numbers can be written as JSON") + "\n"
    }
}

/// One line of `--json`.
#[derive(Serialize)]
struct Json<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    size: String,
    puzzle: String,
    clues: usize,
    valid: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    conflict: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solution: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    second_solution: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    differing_cells: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimal: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    redundant_clues: Option<Vec<String>>,
}

/// The cells in which two grids of one size differ, by name.
fn differing(first: &Grid, second: &Grid) -> Vec<String> {
    let order = first.order();
    order
        .cells()
        .filter(|&cell| first[cell] != second[cell])
        .map(|cell| order.name_of(cell))
        .collect()
}
