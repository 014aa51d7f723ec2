//! Produces the row of each puzzle.

use crate::error::CliError;
use crate::input::{InputRecord, InputResult};
use crate::solve::plain::{self, PlainSolution};
use ninefold::explain::{Explanation, Language};
use ninefold::grid::{Grid, Position};
use ninefold::rate::scale::{Reach, Scale};
use ninefold::{Limits, Solutions};

/// The limit of each search, so that no puzzle blocks the whole list. A time limit would make the
/// output depend on the machine.
const NODES: u64 = 1_000_000;

pub enum Task {
    Solve,
    Rate(Vec<Scale>),
    Explain,
}

pub enum Rows {
    /// Lines of the output, each with a line feed.
    Lines(String),
    /// An error that ends the input.
    Failed(CliError),
}

impl Task {
    /// The name in the manifest.
    pub fn name(&self) -> &'static str {
        match self {
            Task::Solve => "solve",
            Task::Rate(_) => "rate",
            Task::Explain => "explain",
        }
    }

    /// The header line; empty for JSON lines.
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

    pub fn process_chunk(&self, records: Vec<InputResult>, send: &mut dyn FnMut(Rows)) {
        let fast =
            if matches!(self, Task::Solve) { plain::solve(&records, None) } else { Vec::new() };
        let fast = fast.into_iter().chain(std::iter::repeat_with(|| None));
        // Rows of the fast path are sent together, because memory for each row, and its way to the
        // writer, would take longer than its solution.
        let mut lines = String::new();
        for (record, solution) in records.into_iter().zip(fast) {
            match (record, solution) {
                (Ok(_), Some(solved)) => {
                    push_solved(&solved, &mut lines);
                    continue;
                }
                (Ok(record), None) => lines += &self.process(&record),
                (Err(error), _) if error.ends_source => {
                    send(Rows::Lines(std::mem::take(&mut lines)));
                    send(Rows::Failed(error.into()));
                }
                (Err(error), _) => lines += &self.error(error.into()),
            }
            send(Rows::Lines(std::mem::take(&mut lines)));
        }
        send(Rows::Lines(lines));
    }

    fn process(&self, record: &InputRecord) -> String {
        let puzzle = match record.entry_with_rules() {
            Ok(entry) if !entry.unknown_rules.is_empty() => {
                return self.error(CliError::new(format!(
                    "this board has rules that Ninefold does not know: {}",
                    entry.unknown_rules.join("; ")
                )));
            }
            Ok(entry) => entry.puzzle,
            Err(error) => return self.error(error.into()),
        };
        match self {
            Task::Solve => solve(&puzzle),
            Task::Rate(scales) => rate(&puzzle, scales),
            Task::Explain => explain(&puzzle),
        }
    }

    /// The row for a record that is not a puzzle.
    fn error(&self, error: CliError) -> String {
        match self {
            Task::Explain => serde_json::json!({ "error": error.message }).to_string() + "\n",
            _ => {
                let empty = ",".repeat(self.columns().matches(',').count());
                format!("{empty}{}\n", field(&error.message))
            }
        }
    }
}

fn push_solved(solved: &PlainSolution, lines: &mut String) {
    let is_clue = |byte: u8| matches!(byte, b'1'..=b'9');
    let puzzle = solved.puzzle.map(|byte| if is_clue(byte) { byte } else { b'.' });
    for text in [plain::text(&puzzle), ",", plain::text(&solved.solution), ",\n"] {
        lines.push_str(text);
    }
}

fn solve(puzzle: &Grid) -> String {
    let why = match ninefold::solutions_within(puzzle, &Limits::none().with_nodes(NODES)) {
        Some(Solutions::One(only)) => return format!("{puzzle},{only},\n"),
        Some(Solutions::Zero) => "there is no solution".to_string(),
        Some(Solutions::Many(..)) => "there is more than one solution".to_string(),
        None => format!("the search was given up after {NODES} nodes"),
    };
    format!("{puzzle},,{why}\n")
}

fn rate(puzzle: &Grid, scales: &[Scale]) -> String {
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

fn explain(puzzle: &Grid) -> String {
    let solutions = ninefold::solutions_within(puzzle, &Limits::none().with_nodes(NODES));
    let position = Position::from_puzzle(puzzle).expect("an entry contains no conflict");
    let explanation = Explanation::new(
        &position,
        solutions,
        &ninefold::ExplainOptions::default(),
        &Limits::none(),
    );
    let view = explanation.view(Language::English);
    serde_json::to_string(&view).expect("an explanation can be written as JSON") + "\n"
}

/// A CSV field, on one line and quoted if necessary.
fn field(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    match text.contains([',', '"']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}
