//! `ninefold check`: checks that puzzles are valid, unique and minimal.

use crate::console::{self, Console, Part, Total};
use crate::error::CliError;
use crate::humanize;
use crate::input::{InputArgs, InputResult, Puzzles, RulesArgs};
use crate::search_args::{SearchArgs, method_list};
use crate::source::Place;
use crate::stream::{self, Event};
use crate::verdict::{self, Verdict};
use ninefold::grid::{Cell, Grid, Violation, text};
use ninefold::search::redundancy::{self, Part as PuzzlePart};
use ninefold::search::{Limits, Solutions, Solver, StopReason, UnfinishedError};
use serde::Serialize;

mod plain;

/// Check that puzzles are valid, unique and minimal
///
/// A puzzle is valid if no house contains a digit twice, unique if it has exactly one solution, and
/// minimal if it has no redundant clue: removing any clue would allow a second solution. With
/// --minimal, rules that are not needed are listed as well. For a
/// puzzle with several solutions, two of them are printed with the cells in which they differ.
#[derive(clap::Args, Debug)]
#[command(after_help = verdict::HELP_CHECK)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    rules: RulesArgs,

    /// Exit with 1 if a puzzle has a redundant clue or a redundant rule
    #[arg(long)]
    minimal: bool,

    #[command(flatten)]
    search: SearchArgs,
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    if args.search.methods {
        console::print(format_args!("{}", method_list()));
        return Ok(Verdict::Yes);
    }
    #[cfg(feature = "networks")]
    if let Some(network) = args.search.network() {
        return Err(CliError::new(format!(
            "{} is a network, and networks cannot prove that a solution is unique",
            network.name
        ))
        .hint("leave --method out, or use a method that --methods lists"));
    }
    args.search.apply_engine()?;
    let puzzles = Puzzles::from_input(&args.input)?;
    let total = Total::Bytes(puzzles.progress.clone());
    let mut console = Console::open(args.search.quiet, args.search.strict).with_total(total);
    stream::run(
        puzzles,
        args.search.threads(),
        |records, send| {
            let fast = if args.search.is_default() { plain::check(&records) } else { Vec::new() };
            let fast = fast.into_iter().chain(std::iter::repeat_with(|| None));
            for (record, findings) in records.into_iter().zip(fast) {
                send(check(args, record, findings));
            }
        },
        |event| match event {
            Event::Part(part) => console.print(part),
            Event::Idle => console.flush(),
        },
    );
    console.finish();
    if console.puzzles == 0 && console.verdict == Verdict::Yes {
        return Err(CliError::empty_input());
    }
    Ok(console.verdict)
}

/// Checks a puzzle, unless the fast path has already produced its findings.
fn check(args: &Args, record: InputResult, findings: Option<Findings>) -> Part {
    let result = record.map_err(CliError::from).and_then(|record| {
        let place = record.place();
        if let Some(findings) = findings {
            return Ok((findings, place, None));
        }
        let entry = record.entry_with_rules_allowing_conflicts()?;
        let judgement = args.rules.judge(&entry, &place);
        let puzzle = entry.puzzle;
        let solver = args.search.solver(&puzzle).map_err(|error| error.at(&place))?;
        let findings = Findings::new(puzzle, solver, &args.search.limits(), args.minimal);
        Ok((findings, place, judgement))
    });
    match result {
        Ok((findings, place, judgement)) => {
            let (message, verdict) = judgement.unzip();
            Part {
                data: match args.search.json {
                    true => findings.json(&place),
                    false => findings.to_text(&place),
                },
                messages: message.into_iter().collect(),
                verdict: findings.verdict(args.minimal).max(verdict.unwrap_or_default()),
                puzzles: 1,
            }
        }
        Err(error) => Part::error(error, 1),
    }
}

/// The node limit of each search for rules that contradict each other.
const NODES_PER_CONFLICT: u64 = 20_000;

/// The findings about a puzzle.
struct Findings {
    puzzle: Grid,
    conflict: Option<Violation>,
    /// `None` if there is a conflict.
    solutions: Option<Result<Solutions, UnfinishedError>>,
    /// Rules and clues that contradict each other, if there is no solution.
    contradiction: Option<String>,
    /// The redundant clues. `None` unless the solution is unique.
    redundant: Option<Result<Vec<Cell>, StopReason>>,
    /// The redundant rules of a puzzle with rules of its own. `None` without `--minimal`.
    redundant_rules: Option<Result<Vec<String>, StopReason>>,
}

impl Findings {
    fn new(puzzle: Grid, solver: &dyn Solver, limits: &Limits<'_>, tests_rules: bool) -> Findings {
        let conflict = puzzle.violation();
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
        let rules = puzzle.rules();
        let givens: Vec<_> = puzzle.order().cells().map(|cell| puzzle[cell]).collect();
        // Other explanations of the same contradiction may take very long to find.
        let short = limits.with_nodes(limits.nodes.unwrap_or(u64::MAX).min(NODES_PER_CONFLICT));
        let contradiction = rules
            .filter(|_| matches!(solutions, Some(Ok(Solutions::Zero))))
            .and_then(|rules| redundancy::contradiction(rules, &givens, &short).ok().flatten())
            .zip(rules)
            .map(|(contradiction, rules)| contradiction.describe(rules, &givens));
        let redundant_rules = rules.filter(|_| tests_rules && redundant.is_some()).map(|rules| {
            let redundancy = redundancy::redundant(rules, &givens, limits);
            let rules_only = |part: &&PuzzlePart| matches!(part, PuzzlePart::Constraint(_));
            let name = |part: &PuzzlePart| part.describe(rules, &givens);
            match redundancy.stop {
                Some(stop) => Err(stop),
                None => Ok(redundancy.parts.iter().filter(rules_only).map(name).collect()),
            }
        });
        Findings { puzzle, conflict, solutions, contradiction, redundant, redundant_rules }
    }

    fn verdict(&self, must_be_minimal: bool) -> Verdict {
        match (&self.solutions, &self.redundant) {
            (Some(Err(_)), _) => Verdict::Error,
            _ if matches!(self.redundant_rules, Some(Err(_))) => Verdict::Error,
            _ if matches!(&self.redundant_rules, Some(Ok(rules)) if !rules.is_empty()) => {
                Verdict::No
            }
            (Some(Ok(Solutions::One(_))), Some(Err(_))) if must_be_minimal => Verdict::Error,
            (Some(Ok(Solutions::One(_))), Some(Ok(cells)))
                if must_be_minimal && !cells.is_empty() =>
            {
                Verdict::No
            }
            (Some(Ok(Solutions::One(_))), _) => Verdict::Yes,
            _ => Verdict::No,
        }
    }

    fn to_text(&self, place: &Place) -> String {
        let clues = humanize::count(self.puzzle.clue_count() as u64, "clue", "clues");
        let mut lines = vec![format!("{}{} grid, {clues}", place.prefix(), self.puzzle.order())];
        lines.push(match &self.conflict {
            None => "valid    yes".to_string(),
            Some(conflict) => format!("valid    no, {conflict}"),
        });
        match &self.solutions {
            None => {}
            Some(Ok(Solutions::Zero)) => {
                lines.push("unique   no, there is no solution".to_string());
                lines.extend(self.contradiction.iter().map(|text| format!("         {text}")));
            }
            Some(Ok(Solutions::One(only))) => {
                lines.push("unique   yes".to_string());
                lines.push(format!("         {only}"));
            }
            Some(Ok(Solutions::Many(first, second))) => {
                let cells = differing(first, second);
                let count = humanize::count(cells.len() as u64, "cell", "cells");
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
            Some(Ok(cells)) => lines.push(format!("minimal  no, {}", self.redundant_text(cells))),
            Some(Err(stop)) => lines.push(format!("minimal  unknown, stopped by {stop}")),
        }
        match &self.redundant_rules {
            None => {}
            Some(Ok(rules)) if rules.is_empty() => {
                lines.push("rules    all are needed".to_string())
            }
            Some(Ok(rules)) if rules.len() == 1 => {
                lines.push(format!("rules    the {} can be left out", rules[0]));
            }
            Some(Ok(rules)) => {
                let count = rules.len();
                lines.push(format!("rules    any one of these {count} can be left out:"));
                lines.extend(rules.iter().map(|rule| format!("         {rule}")));
            }
            Some(Err(stop)) => lines.push(format!("rules    unknown, stopped by {stop}")),
        }
        // In a list, an empty line separates the puzzles.
        lines.join("\n") + if place.source.is_empty() { "\n" } else { "\n\n" }
    }

    fn redundant_text(&self, cells: &[Cell]) -> String {
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
            conflict: self.conflict.as_ref().map(Violation::to_string),
            solutions: answer,
            solution: solution.map(Grid::to_string),
            second_solution: second.map(Grid::to_string),
            differing_cells: solution.zip(second).map(|(first, second)| differing(first, second)),
            contradiction: self.contradiction.as_deref(),
            redundant_rules: self.redundant_rules.as_ref().and_then(|rules| rules.as_deref().ok()),
            minimal: redundant.map(Vec::is_empty),
            redundant_clues: redundant
                .map(|cells| cells.iter().map(|&cell| self.puzzle.order().name_of(cell)).collect()),
        };
        serde_json::to_string(&line).expect("strings and numbers can be written as JSON") + "\n"
    }
}

/// A line of `--json` output.
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
    contradiction: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    redundant_rules: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimal: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    redundant_clues: Option<Vec<String>>,
}

/// The names of the cells in which two grids of the same size differ.
fn differing(first: &Grid, second: &Grid) -> Vec<String> {
    let order = first.order();
    order
        .cells()
        .filter(|&cell| first[cell] != second[cell])
        .map(|cell| order.name_of(cell))
        .collect()
}
