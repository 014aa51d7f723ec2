//! One row for each puzzle: this is where a batch answers, a chunk at a time.

use crate::error::CliError;
use crate::input::{Found, Question};
use crate::solve::plain;
use ninefold::explain::{Explanation, Language};
use ninefold::grid::{Grid, Position};
use ninefold::rate::scale::{Reach, Scale};
use ninefold::search::nine;
use ninefold::{Limits, Solutions};

/// Searches of grids that are not 9×9 end after so many nodes: a row must not hold up a million others, and a clock would give
/// another answer on another day.
const NODES: u64 = 1_000_000;

/// What to find out about each puzzle.
pub enum Task {
    /// Its solution.
    Solve,
    /// Its ratings.
    Rate(Vec<Scale>),
    /// Its steps.
    Explain,
}

/// What came of a puzzle.
pub enum Row {
    /// A line of the table, with its end.
    Answer(String),
    /// The input ends here, too early.
    Broken(CliError),
}

impl Task {
    /// Its name in the manifest.
    pub fn name(&self) -> &'static str {
        match self {
            Task::Solve => "solve",
            Task::Rate(_) => "rate",
            Task::Explain => "explain",
        }
    }

    /// The line of column names; nothing for lines of JSON.
    pub fn columns(&self) -> String {
        match self {
            Task::Solve => "puzzle,solution,why\n".to_string(),
            Task::Rate(scales) => {
                let columns: Vec<&str> =
                    scales.iter().flat_map(|scale| scale.columns()).copied().collect();
                format!("puzzle,{},why\n", columns.join(","))
            }
            Task::Explain => String::new(),
        }
    }

    /// Answers a chunk, row by row.
    pub fn answer_all(&self, questions: Vec<Question>, send: &mut dyn FnMut(Row)) {
        let quickly =
            if matches!(self, Task::Solve) { plain::solve(&questions, None) } else { Vec::new() };
        let quickly = quickly.into_iter().chain(std::iter::repeat_with(|| None));
        for (question, solved) in questions.into_iter().zip(quickly) {
            let row = match (question, solved) {
                (Ok(found), Some(solved)) => {
                    let line = found.plain_nine().expect("it was solved as a plain line");
                    let puzzle = nine::grid(line).to_string();
                    Row::Answer(format!("{puzzle},{},\n", solved.data.trim_end()))
                }
                (Ok(found), None) => self.answer(&found),
                (Err(unreadable), _) if unreadable.ends_source => Row::Broken(unreadable.into()),
                (Err(unreadable), _) => self.unreadable(unreadable.into()),
            };
            send(row);
        }
    }

    fn answer(&self, found: &Found) -> Row {
        let puzzle = match found.entry() {
            Ok(entry) => entry.puzzle,
            Err(unreadable) => return self.unreadable(unreadable.into()),
        };
        Row::Answer(match self {
            Task::Solve => solved(&puzzle),
            Task::Rate(scales) => rated(&puzzle, scales),
            Task::Explain => explained(&puzzle),
        })
    }

    /// A row without a puzzle: the reason names its place.
    fn unreadable(&self, error: CliError) -> Row {
        Row::Answer(match self {
            Task::Explain => serde_json::json!({ "error": error.message }).to_string() + "\n",
            _ => {
                let empty = ",".repeat(self.columns().matches(',').count());
                format!("{empty}{}\n", field(&error.message))
            }
        })
    }
}

fn solved(puzzle: &Grid) -> String {
    let why = match ninefold::solutions_within(puzzle, &Limits::nodes(NODES)) {
        Some(Solutions::One(only)) => return format!("{puzzle},{only},\n"),
        Some(Solutions::Zero) => "there is no solution".to_string(),
        Some(Solutions::Many(..)) => "there is more than one solution".to_string(),
        None => format!("the search was given up after {NODES} nodes"),
    };
    format!("{puzzle},,{why}\n")
}

fn rated(puzzle: &Grid, scales: &[Scale]) -> String {
    let mut fields = vec![puzzle.to_string()];
    let mut reasons = Vec::new();
    for scale in scales {
        match scale.rate(puzzle, &Limits::none(), Reach::Full) {
            Ok(rating) => fields.extend(rating.fields.iter().map(|text| field(text))),
            Err(unrated) => {
                fields.extend(scale.columns().iter().map(|_| String::new()));
                reasons.push(format!("{}: {unrated}", scale.name()));
            }
        }
    }
    fields.push(field(&reasons.join("; ")));
    fields.join(",") + "\n"
}

fn explained(puzzle: &Grid) -> String {
    let solutions = ninefold::solutions_within(puzzle, &Limits::nodes(NODES));
    let position = Position::start(puzzle).expect("an entry keeps the rules");
    let explanation =
        Explanation::of(&position, solutions, &ninefold::Options::default(), &Limits::none());
    let view = explanation.view(Language::English);
    serde_json::to_string(&view).expect("words and numbers can be written as JSON") + "\n"
}

/// A value of a table, on one line, in quotes where that is needed.
fn field(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    match text.contains([',', '"']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}
