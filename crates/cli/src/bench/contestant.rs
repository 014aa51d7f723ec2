//! Who takes part: every solver of `search::all()`, asked through the door it has.

use clap::ValueEnum;
use cpu_time::ThreadTime;
use ninefold::grid::{Grid, Order, Position};
use ninefold::logic::{End, Options, Steps};
use ninefold::search::batch::{Batch, Tally};
use ninefold::search::nine::{self, Line};
use ninefold::search::triads::Triads;
use ninefold::search::{self, Effort, Engine, Limits, Solutions, Solver, Stop};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
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
    /// Solve by logic alone, with a proof for every step
    Explain,
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

/// The answers of one turn and what they cost.
#[derive(Clone, Debug)]
pub struct Turn {
    /// As many as were finished in time.
    pub answers: Vec<Answer>,
    /// CPU time for solving alone: puzzles are brought into a solver's own form before, grids are drawn up after.
    pub time: Duration,
}

/// Someone who solves many puzzles.
pub trait Contestant {
    /// The name in the table.
    fn name(&self) -> &'static str;

    /// Can it take grids of this size?
    fn takes(&self, order: Order) -> bool;

    /// Is this a task for it? Searchers search, and explaining is for logic.
    fn does(&self, task: Task) -> bool {
        task != Task::Explain
    }

    /// Answers the puzzles in order, until all are answered or the time is up; an answer that was not finished in
    /// time is left out.
    fn answer(&self, puzzles: &[Grid], task: Task, time: Duration) -> Turn;
}

/// All contestants: every solver through the door that suits it best, and the fast 9×9 solvers on each engine that this
/// processor can run.
pub fn all() -> Vec<Box<dyn Contestant>> {
    let mut all: Vec<Box<dyn Contestant>> = Vec::new();
    let mut engines: Vec<Engine> = Engine::available().collect();
    // The best comes last, after those it is compared with.
    engines.sort_by_key(|&engine| engine == Engine::best());
    for &solver in search::all() {
        match solver.name() {
            "triads" => all.extend(engines.iter().copied().filter_map(Triads::on).map(triads)),
            "batch" => all.extend(engines.iter().copied().filter_map(Batch::on).map(batch)),
            _ => all.push(Box::new(OneByOne(solver))),
        }
    }
    all.push(Box::new(Logic));
    all
}

fn triads(triads: Triads) -> Box<dyn Contestant> {
    let engine = triads.engine();
    let name = if engine == Engine::best() { "triads" } else { name_of_triads(engine) };
    let one_after_the_other = move |lines: &[Line], limit| {
        lines.iter().map(|line| triads.count_line(line, limit)).collect()
    };
    Box::new(Lines { name, count: Box::new(one_after_the_other) })
}

/// The solver on the best engine has the plain name.
fn batch(batch: Batch) -> Box<dyn Contestant> {
    let engine = batch.engine();
    let name = if engine == Engine::best() { "batch" } else { name_of_batch(engine) };
    Box::new(Lines { name, count: Box::new(move |lines, limit| batch.count_all(lines, limit)) })
}

const fn name_of_triads(engine: Engine) -> &'static str {
    match engine {
        Engine::Avx512 => "triads-avx512",
        Engine::Avx2 => "triads-avx2",
        Engine::Neon => "triads-neon",
        Engine::Simd128 => "triads-simd128",
        Engine::Portable => "triads-portable",
    }
}

const fn name_of_batch(engine: Engine) -> &'static str {
    match engine {
        Engine::Avx512 => "batch-avx512",
        Engine::Avx2 => "batch-avx2",
        Engine::Neon => "batch-neon",
        Engine::Simd128 => "batch-simd128",
        Engine::Portable => "batch-portable",
    }
}

/// The names of all contestants, whichever engine is the best.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&'static str> = all().iter().map(|contestant| contestant.name()).collect();
    names.extend(
        Engine::available().flat_map(|engine| [name_of_triads(engine), name_of_batch(engine)]),
    );
    names.sort_unstable();
    names.dedup();
    names
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

    fn answer(&self, puzzles: &[Grid], task: Task, time: Duration) -> Turn {
        let (clock, started) = (ThreadTime::now(), Instant::now());
        let mut answers = Vec::with_capacity(puzzles.len());
        for puzzle in puzzles {
            let limits = Limits::time(time.saturating_sub(started.elapsed()));
            let (answer, effort) = ask(self.0, puzzle, task, &limits);
            if !matches!(effort.stop, None | Some(Stop::Enough)) {
                break;
            }
            answers.push(answer);
        }
        Turn { answers, time: clock.elapsed() }
    }
}

/// A fast 9×9 solver that takes lines and counts. The solutions themselves are asked for when the clock is stopped.
struct Lines {
    name: &'static str,
    count: Box<Count>,
}

/// Counts the solutions of every line up to a limit.
type Count = dyn Fn(&[Line], u64) -> Vec<Tally>;

impl Contestant for Lines {
    fn name(&self) -> &'static str {
        self.name
    }

    fn takes(&self, order: Order) -> bool {
        order == Order::NINE
    }

    fn answer(&self, puzzles: &[Grid], task: Task, _time: Duration) -> Turn {
        let lines: Vec<Line> = puzzles.iter().map(|grid| nine::line(grid).expect(CHOSEN)).collect();
        let (limit, shown) = match task {
            Task::First => (1, 1),
            Task::ProveUnique => (2, 2),
            Task::Count | Task::Explain => (COUNT_LIMIT, 0),
        };
        let clock = ThreadTime::now();
        let tallies = (self.count)(&lines, limit);
        let time = clock.elapsed();
        let mut witnesses = vec![Vec::new(); lines.len()];
        Batch::BEST.solve_all(&lines, shown, &Limits::none(), &mut |puzzle, solution| {
            witnesses[puzzle].push(nine::grid(solution));
            ControlFlow::Continue(())
        });
        let answers = tallies.iter().zip(witnesses);
        let answers = answers.map(|(tally, witnesses)| Answer {
            count: tally.solutions,
            witnesses,
            guesses: tally.guesses,
        });
        Turn { answers: answers.collect(), time }
    }
}

/// The techniques in their default order. Its answer is the grid at the end of its path, if that is full. Where logic gets
/// stuck somebody would have to guess: that counts as one guess.
struct Logic;

impl Contestant for Logic {
    fn name(&self) -> &'static str {
        "logic"
    }

    fn takes(&self, _order: Order) -> bool {
        true
    }

    fn does(&self, task: Task) -> bool {
        task == Task::Explain
    }

    fn answer(&self, puzzles: &[Grid], _task: Task, time: Duration) -> Turn {
        // Whoever asks for an explanation has searched for the solutions; that is not part of the task.
        let has_one = |puzzle: &Grid| {
            matches!(search::prove(puzzle, &Limits::none()).solutions, Ok(Solutions::One(_)))
        };
        let one_solution: Vec<bool> = puzzles.iter().map(has_one).collect();
        let clock = ThreadTime::now();
        let mut paths = Vec::with_capacity(puzzles.len());
        for (puzzle, one_solution) in puzzles.iter().zip(one_solution) {
            let path = Position::start(puzzle).map(|start| {
                let options = Options { one_solution, ..Options::default() };
                let mut steps = Steps::new(&start, &options, &Limits::none());
                steps.by_ref().for_each(drop);
                (steps.reached(), steps.end())
            });
            if clock.elapsed() > time {
                break;
            }
            paths.push(path.ok());
        }
        let time = clock.elapsed();
        let answers = puzzles.iter().zip(paths).map(|(puzzle, path)| {
            let Some((reached, end)) = path else {
                return Answer { count: 0, witnesses: Vec::new(), guesses: 1 };
            };
            let is_solved = end == Some(End::Solved);
            // A digit that the solution does not have is shown as well, so that the judge sees it.
            let shows = is_solved || !leads_to_a_solution(puzzle, reached.grid());
            let witnesses = if shows { vec![reached.grid().clone()] } else { Vec::new() };
            Answer { count: witnesses.len() as u64, witnesses, guesses: u64::from(!is_solved) }
        });
        Turn { answers: answers.collect(), time }
    }
}

/// Can the digits reached still be filled up, if those of the puzzle can?
fn leads_to_a_solution(puzzle: &Grid, reached: &Grid) -> bool {
    let solver = search::default_for(puzzle.order());
    let has_solution = |grid: &Grid| solver.first(grid, &Limits::none()).expect(CHOSEN).0.is_some();
    has_solution(reached) || !has_solution(puzzle)
}

const CHOSEN: &str = "contestants are chosen by the sizes they take";

fn ask(solver: &dyn Solver, puzzle: &Grid, task: Task, limits: &Limits<'_>) -> (Answer, Effort) {
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
        Task::Count | Task::Explain => {
            let (count, effort) = solver.count(puzzle, COUNT_LIMIT, limits).expect(CHOSEN);
            (count, Vec::new(), effort)
        }
    };
    (Answer { count, witnesses, guesses: effort.guesses }, effort)
}
