//! The answer for one puzzle: as text, as JSON and as a verdict.

use super::network::Trace;
use crate::console::Message;
use crate::error::CliError;
use crate::humanize;
use crate::source::Place;
use crate::verdict::Verdict;
use ninefold::grid::Grid;
use ninefold::hybrid::Source;
use ninefold::search::{Effort, StopReason};
use serde::Serialize;
use std::time::Duration;

pub enum Outcome {
    /// There is no solution.
    None,
    /// The unique solution.
    Only(Grid),
    /// A solution, with `--first`.
    Any(Grid),
    /// Two of several solutions.
    Several(Grid, Grid),
    /// A limit was reached. Contains the solution that was found before, if any.
    Undecided(Option<Grid>),
    /// The number of solutions, with `--count-solutions`.
    Count(u64),
    /// The number of printed solutions, with `--all`.
    All(u64),
}

impl Outcome {
    /// The outcome of a search for any solution.
    pub fn first(first: Option<Grid>, effort: &Effort) -> Outcome {
        match (first, effort.stop) {
            (Some(grid), _) => Outcome::Any(grid),
            (None, None) => Outcome::None,
            (None, Some(_)) => Outcome::Undecided(None),
        }
    }
}

pub struct Answer {
    pub puzzle: Grid,
    pub outcome: Outcome,
    pub effort: Effort,
    /// The name of the search solver.
    pub method: &'static str,
    /// The steps of the solver, with `--trace`.
    pub trace: Option<Trace>,
    /// The contribution of the network, if the method is one.
    pub network: Option<NetworkReport>,
}

/// The contribution of a network to an answer.
pub struct NetworkReport {
    pub name: &'static str,
    /// The decoding as text, for example `cell by cell`.
    pub decoding: &'static str,
    /// Who found the solution, if there is one.
    pub finder: Option<Source>,
    /// The time of the network.
    pub elapsed: Duration,
}

/// Topics of messages.
const UNCERTAIN: &str = "puzzles without a certain answer";
const UNSOLVABLE: &str = "puzzles without a solution";

/// A line of `--json` output.
#[derive(Serialize, Default)]
struct Json<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    puzzle: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solution: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    second_solution: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count_is_complete: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    network: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fills: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    found_by: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    network_seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    guesses: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<&'a Trace>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
}

impl<'a> Json<'a> {
    fn at(place: &'a Place) -> Json<'a> {
        Json { source: &place.source, line: place.line, ..Json::default() }
    }

    fn line(&self) -> String {
        serde_json::to_string(self).expect("strings and numbers can be written as JSON") + "\n"
    }
}

/// The JSON line for a record that is not a puzzle.
pub fn error_json(error: &CliError, place: &Place) -> String {
    Json {
        answer: Some("error"),
        error: Some(&error.message),
        hint: error.hint.as_deref(),
        ..Json::at(place)
    }
    .line()
}

/// The JSON line for one of several solutions.
pub fn numbered_json(puzzle: &Grid, solution: &Grid, number: u64, place: &Place) -> String {
    let (puzzle, solution) = (Some(puzzle.to_string()), Some(solution.to_string()));
    Json { puzzle, number: Some(number), solution, ..Json::at(place) }.line()
}

impl Answer {
    /// True if no limit stopped the search.
    pub fn is_certain(&self) -> bool {
        matches!(self.effort.stop, None | Some(StopReason::Enough))
    }

    pub fn verdict(&self) -> Verdict {
        match &self.outcome {
            Outcome::Undecided(_) => Verdict::Error,
            Outcome::Count(_) | Outcome::All(_) if !self.is_certain() => Verdict::Error,
            Outcome::Only(_) | Outcome::Any(_) => Verdict::Yes,
            Outcome::None | Outcome::Several(..) | Outcome::Count(0) | Outcome::All(0) => {
                Verdict::No
            }
            Outcome::Count(_) | Outcome::All(_) => Verdict::Yes,
        }
    }

    /// The message for stderr. Puzzles in a list have one only if their outcome is unusual. The
    /// message for a single puzzle also contains the method, the number of guesses and the time.
    pub fn message(&self, place: &Place, is_single: bool) -> Option<Message> {
        let (topic, what) = match &self.outcome {
            Outcome::Undecided(_) => (UNCERTAIN, self.undecided()),
            Outcome::Count(_) | Outcome::All(_) if !self.is_certain() => {
                (UNCERTAIN, self.undecided())
            }
            Outcome::None | Outcome::All(0) if is_single => {
                (UNSOLVABLE, "there is no solution".to_string())
            }
            Outcome::None | Outcome::All(0) => (UNSOLVABLE, "there is no solution".to_string()),
            Outcome::Several(..) => (
                "puzzles with several solutions",
                "there are several solutions; one is printed".to_string(),
            ),
            Outcome::Only(_) => {
                ("puzzles with one solution", "this is the only solution".to_string())
            }
            Outcome::Any(_) => {
                ("puzzles with a solution", "there may be other solutions".to_string())
            }
            Outcome::Count(_) | Outcome::All(_) => ("puzzles with a count", self.count()),
        };
        let is_usual = matches!(
            self.outcome,
            Outcome::Only(_) | Outcome::Any(_) | Outcome::Count(_) | Outcome::All(1..)
        );
        let text = match is_single {
            true => format!("{what} ({})", self.effort_text()),
            false if is_usual && self.is_certain() => return None,
            false => format!("{}{what}", place.prefix()),
        };
        Some(Message { topic, text: Ok(text) })
    }

    fn undecided(&self) -> String {
        let by = self.effort.stop.map_or(String::new(), |stop| format!(" by {stop}"));
        match &self.outcome {
            Outcome::Undecided(Some(_)) => {
                format!("stopped{by}: one solution found, there may be others")
            }
            Outcome::Count(_) | Outcome::All(_) => {
                format!("stopped{by}: there may be more solutions")
            }
            _ => format!("stopped{by}: no solution found so far"),
        }
    }

    fn count(&self) -> String {
        let (Outcome::Count(count) | Outcome::All(count)) = self.outcome else {
            return String::new();
        };
        let solutions = humanize::count(count, "solution", "solutions");
        if self.effort.stop.is_some() { format!("{solutions} or more") } else { solutions }
    }

    /// `dlx, 3 guesses, 12.3 µs`, preceded by the contribution of the network.
    fn effort_text(&self) -> String {
        let search = self.search_text();
        let Some(NetworkReport { name, decoding, finder, elapsed }) = &self.network else {
            return search;
        };
        let by_network = || format!("found by {name}, {decoding}, in {}", humanize::time(*elapsed));
        match (finder, &self.outcome) {
            // With --first, a correct proposal needs no search.
            (Some(Source::Proposer), Outcome::Any(_)) => by_network(),
            (Some(Source::Proposer), _) => format!("{}; {search}", by_network()),
            (Some(Source::Search), _) => format!("{name} was wrong, found by search: {search}"),
            (None, _) => format!("{name} was wrong, search found nothing: {search}"),
        }
    }

    fn search_text(&self) -> String {
        let guesses = match self.effort.guesses {
            0 => "without a guess".to_string(),
            guesses => humanize::count(guesses, "guess", "guesses"),
        };
        format!("{}, {guesses}, {}", self.method, humanize::time(self.effort.elapsed))
    }

    pub fn json(&self, place: &Place) -> String {
        let (certain, network) = (self.is_certain(), self.network.as_ref());
        let (answer, solution, second, count) = match &self.outcome {
            Outcome::None => ("none", None, None, None),
            Outcome::Only(grid) => ("unique", Some(grid), None, None),
            Outcome::Any(grid) => ("found", Some(grid), None, None),
            Outcome::Several(first, second) => ("several", Some(first), Some(second), None),
            Outcome::Undecided(grid) => ("undecided", grid.as_ref(), None, None),
            Outcome::Count(count) | Outcome::All(count) => {
                (if certain { "counted" } else { "undecided" }, None, None, Some(*count))
            }
        };
        Json {
            size: Some(self.puzzle.order().to_string()),
            puzzle: Some(self.puzzle.to_string()),
            answer: Some(answer),
            solution: solution.map(Grid::to_string),
            second_solution: second.map(Grid::to_string),
            count,
            count_is_complete: count.map(|_| self.effort.stop.is_none()),
            stopped_by: self.effort.stop.filter(|_| !certain).map(|stop| stop.to_string()),
            method: Some(self.method),
            network: network.map(|network| network.name),
            fills: network.map(|network| network.decoding),
            found_by: network.and_then(|network| network.finder).map(|finder| match finder {
                Source::Proposer => "network",
                Source::Search => "search",
            }),
            network_seconds: network.map(|network| network.elapsed.as_secs_f64()),
            nodes: Some(self.effort.nodes),
            guesses: Some(self.effort.guesses),
            seconds: Some(self.effort.elapsed.as_secs_f64()),
            trace: self.trace.as_ref(),
            ..Json::at(place)
        }
        .line()
    }
}
