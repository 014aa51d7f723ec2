//! The answer to one puzzle: in words, in JSON and as a verdict.

use super::network::Trace;
use crate::console::Remark;
use crate::error::CliError;
use crate::source::Place;
use crate::verdict::Verdict;
use crate::words;
use ninefold::grid::Grid;
use ninefold::hybrid::Finder;
use ninefold::search::{Effort, Stop};
use serde::Serialize;
use std::time::Duration;

/// What was found.
pub enum Found {
    /// No solution at all.
    None,
    /// The only solution.
    Only(Grid),
    /// A solution; nobody asked whether it is the only one.
    Any(Grid),
    /// Two of several solutions.
    Several(Grid, Grid),
    /// A limit came first; perhaps one solution was found before.
    Undecided(Option<Grid>),
    /// So many solutions were counted.
    Count(u64),
    /// So many solutions were printed.
    All(u64),
}

impl Found {
    /// The answer to a search for any solution.
    pub fn first(first: Option<Grid>, effort: &Effort) -> Found {
        match (first, effort.stop) {
            (Some(grid), _) => Found::Any(grid),
            (None, None) => Found::None,
            (None, Some(_)) => Found::Undecided(None),
        }
    }
}

/// The answer to one puzzle and what it cost.
pub struct Answer {
    /// The puzzle.
    pub puzzle: Grid,
    /// What was found.
    pub found: Found,
    /// What it cost.
    pub effort: Effort,
    /// Who found it.
    pub method: &'static str,
    /// How it was found, step by step, if that was asked for.
    pub trace: Option<Trace>,
    /// What a network had to do with it, if one was asked.
    pub credit: Option<Credit>,
}

/// What a network had to do with an answer.
pub struct Credit {
    /// Its name.
    pub network: &'static str,
    /// How it fills, in words.
    pub way: &'static str,
    /// Who found the solution; nothing if nobody did.
    pub finder: Option<Finder>,
    /// Its time.
    pub thinking: Duration,
}

/// One line of `--json`.
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

/// The JSON line of a puzzle that could not be read.
pub fn error_json(error: &CliError, place: &Place) -> String {
    Json {
        answer: Some("error"),
        error: Some(&error.message),
        hint: error.hint.as_deref(),
        ..Json::at(place)
    }
    .line()
}

/// The JSON line of one of all solutions.
pub fn numbered_json(puzzle: &Grid, solution: &Grid, number: u64, place: &Place) -> String {
    let (puzzle, solution) = (Some(puzzle.to_string()), Some(solution.to_string()));
    Json { puzzle, number: Some(number), solution, ..Json::at(place) }.line()
}

impl Answer {
    /// Was the whole tree seen, or as much as was asked for?
    pub fn is_certain(&self) -> bool {
        matches!(self.effort.stop, None | Some(Stop::Enough))
    }

    /// Yes if what was asked for was found.
    pub fn verdict(&self) -> Verdict {
        match &self.found {
            Found::Undecided(_) => Verdict::Trouble,
            Found::Count(_) | Found::All(_) if !self.is_certain() => Verdict::Trouble,
            Found::Only(_) | Found::Any(_) => Verdict::Yes,
            Found::None | Found::Several(..) | Found::Count(0) | Found::All(0) => Verdict::No,
            Found::Count(_) | Found::All(_) => Verdict::Yes,
        }
    }

    /// What to say on stderr. In a list only what is out of the ordinary is said; alone, a puzzle also hears how it
    /// was solved.
    pub fn remark(&self, place: &Place, alone: bool) -> Option<Remark> {
        let (topic, what) = match &self.found {
            Found::Undecided(_) => ("no certain answer", self.undecided()),
            Found::Count(_) | Found::All(_) if !self.is_certain() => {
                ("no certain answer", self.undecided())
            }
            Found::None | Found::All(0) if alone => ("no solution", "this is certain".to_string()),
            Found::None | Found::All(0) => ("no solution", "no solution".to_string()),
            Found::Several(..) => {
                ("several solutions", "2 or more solutions, the first found is printed".to_string())
            }
            Found::Only(_) => ("one solution", "this is the only solution".to_string()),
            Found::Any(_) => {
                ("a solution", "a solution; whether it is the only one was not asked".to_string())
            }
            Found::Count(_) | Found::All(_) => ("a count", self.counted()),
        };
        let ordinary = matches!(
            self.found,
            Found::Only(_) | Found::Any(_) | Found::Count(_) | Found::All(1..)
        );
        let words = match alone {
            true => format!("{what} ({})", self.how()),
            false if ordinary && self.is_certain() => return None,
            false => format!("{}{what}", place.prefix()),
        };
        Some(Remark { topic, words: Ok(words) })
    }

    fn undecided(&self) -> String {
        let by = self.effort.stop.map_or(String::new(), |stop| format!(" by {stop}"));
        match &self.found {
            Found::Undecided(Some(_)) => {
                format!("stopped{by}: a solution, perhaps not the only one")
            }
            Found::Count(_) | Found::All(_) => format!("stopped{by}: there may be more solutions"),
            _ => format!("stopped{by}: no solution found so far"),
        }
    }

    fn counted(&self) -> String {
        let (Found::Count(count) | Found::All(count)) = self.found else { return String::new() };
        let solutions = words::counted(count, "solution", "solutions");
        if self.effort.stop.is_some() { format!("{solutions} or more") } else { solutions }
    }

    /// `dlx, 3 guesses, 12.3 µs`; where a network was asked, who found the solution comes first.
    fn how(&self) -> String {
        let search = self.search_in_words();
        let Some(Credit { network, way, finder, thinking }) = &self.credit else { return search };
        let by_network = || format!("found by {network}, {way}, in {}", words::time(*thinking));
        match (finder, &self.found) {
            // The network was right and no proof was asked for, so nobody has searched.
            (Some(Finder::Proposer), Found::Any(_)) => by_network(),
            (Some(Finder::Proposer), _) => format!("{}; {search}", by_network()),
            (Some(Finder::Search), _) => format!("{network} was wrong, search found it: {search}"),
            (None, _) => format!("{network} was wrong, search found nothing: {search}"),
        }
    }

    fn search_in_words(&self) -> String {
        let guesses = match self.effort.guesses {
            0 => "without a guess".to_string(),
            guesses => words::counted(guesses, "guess", "guesses"),
        };
        format!("{}, {guesses}, {}", self.method, words::time(self.effort.elapsed))
    }

    /// One line of JSON.
    pub fn json(&self, place: &Place) -> String {
        let (certain, credit) = (self.is_certain(), self.credit.as_ref());
        let (answer, solution, second, count) = match &self.found {
            Found::None => ("none", None, None, None),
            Found::Only(grid) => ("unique", Some(grid), None, None),
            Found::Any(grid) => ("found", Some(grid), None, None),
            Found::Several(first, second) => ("several", Some(first), Some(second), None),
            Found::Undecided(grid) => ("undecided", grid.as_ref(), None, None),
            Found::Count(count) | Found::All(count) => {
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
            network: credit.map(|credit| credit.network),
            fills: credit.map(|credit| credit.way),
            found_by: credit.and_then(|credit| credit.finder).map(|finder| match finder {
                Finder::Proposer => "network",
                Finder::Search => "search",
            }),
            network_seconds: credit.map(|credit| credit.thinking.as_secs_f64()),
            nodes: Some(self.effort.nodes),
            guesses: Some(self.effort.guesses),
            seconds: Some(self.effort.elapsed.as_secs_f64()),
            trace: self.trace.as_ref(),
            ..Json::at(place)
        }
        .line()
    }
}
