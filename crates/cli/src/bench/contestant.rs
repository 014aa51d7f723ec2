//! Who takes part: every solver of `search::all()`, asked through the door it has.

use clap::ValueEnum;
use ninefold::grid::{Grid, Order};
use ninefold::search::{self, Effort, Limits, Solutions, Solver, Stop};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// What to do with each puzzle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// Stop at the first solution
    First,
    /// Search on until a second solution is found or ruled out
    #[default]
    ProveUnique,
    /// Count the solutions, up to a thousand
    Count,
}

/// Counting ends here.
pub const COUNT_LIMIT: u64 = 1_000;

/// What a contestant says about one puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// How many solutions it found; the task says when it stopped looking.
    pub count: u64,
    /// The solutions it shows.
    pub witnesses: Vec<Grid>,
    /// How many guesses it needed.
    pub guesses: u64,
}

/// Someone who solves many puzzles. A solver that works on many at once has a door of its own: it implements this
/// and is added to [`all`].
pub trait Contestant {
    /// The name in the table.
    fn name(&self) -> &'static str;

    /// Can it take grids of this size?
    fn takes(&self, order: Order) -> bool;

    /// Answers the puzzles in order, until all are answered or the time is up; an answer that was not finished in
    /// time is left out.
    fn answer(&self, puzzles: &[Grid], task: Task, time: Duration) -> Vec<Answer>;
}

/// All contestants.
pub fn all() -> Vec<Box<dyn Contestant>> {
    search::all().iter().map(|&solver| Box::new(OneByOne(solver)) as Box<dyn Contestant>).collect()
}

/// The names of all contestants.
pub fn names() -> Vec<&'static str> {
    all().iter().map(|contestant| contestant.name()).collect()
}

/// A solver that takes one puzzle after the other.
struct OneByOne(&'static dyn Solver);

impl Contestant for OneByOne {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn takes(&self, order: Order) -> bool {
        self.0.takes(order)
    }

    fn answer(&self, puzzles: &[Grid], task: Task, time: Duration) -> Vec<Answer> {
        let started = Instant::now();
        let mut answers = Vec::with_capacity(puzzles.len());
        for puzzle in puzzles {
            let limits = Limits::time(time.saturating_sub(started.elapsed()));
            let (answer, effort) = ask(self.0, puzzle, task, &limits);
            if !matches!(effort.stop, None | Some(Stop::Enough)) {
                break;
            }
            answers.push(answer);
        }
        answers
    }
}

fn ask(solver: &dyn Solver, puzzle: &Grid, task: Task, limits: &Limits<'_>) -> (Answer, Effort) {
    const CHOSEN: &str = "contestants are chosen by the sizes they take";
    let (count, witnesses, effort) = match task {
        Task::First => {
            let (first, effort) = solver.first(puzzle, limits).expect(CHOSEN);
            (u64::from(first.is_some()), first.into_iter().collect(), effort)
        }
        Task::ProveUnique => {
            let proof = solver.prove(puzzle, limits).expect(CHOSEN);
            match proof.solutions {
                Ok(Solutions::One(only)) => (1, vec![only], proof.effort),
                Ok(Solutions::Many(first, second)) => (2, vec![first, second], proof.effort),
                Ok(Solutions::Zero) | Err(_) => (0, Vec::new(), proof.effort),
            }
        }
        Task::Count => {
            let (count, effort) = solver.count(puzzle, COUNT_LIMIT, limits).expect(CHOSEN);
            (count, Vec::new(), effort)
        }
    };
    (Answer { count, witnesses, guesses: effort.guesses }, effort)
}
