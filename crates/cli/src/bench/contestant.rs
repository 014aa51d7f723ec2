//! The solvers that are measured: all of `search::all()`, with adapters for their different
//! interfaces.

use clap::ValueEnum;
use cpu_time::ThreadTime;
use ninefold::grid::{Grid, Order, Position};
use ninefold::logic::{ExplainOptions, Steps, StepsOutcome};
use ninefold::search::batch::{Batch, Tally};
use ninefold::search::nine::{self, Line};
use ninefold::search::triads::Triads;
use ninefold::search::{self, Effort, Engine, Limits, Solutions, Solver, StopReason};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// Stop at the first solution
    First,
    /// Find a second solution or prove that there is none
    #[default]
    ProveUnique,
    /// Count up to 1,000 solutions
    Count,
    /// Solve with logic alone, with a proof for every step
    Explain,
}

/// The limit of [`Task::Count`].
pub const COUNT_LIMIT: u64 = 1_000;

/// The answer of a solver for one puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The number of solutions found, up to the limit of the task.
    pub count: u64,
    /// The solutions that the solver returned.
    pub solutions: Vec<Grid>,
    pub guesses: u64,
}

/// The answers of one turn.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The answers that were completed in time.
    pub answers: Vec<Answer>,
    /// The CPU time for solving, without converting puzzles and solutions.
    pub time: Duration,
}

/// A solver in a benchmark.
pub trait Contestant {
    fn name(&self) -> &'static str;

    fn supports(&self, order: Order) -> bool;

    fn can_do(&self, task: Task) -> bool {
        task != Task::Explain
    }

    /// Solves the puzzles in order until the time limit. An answer that is not complete is omitted.
    fn answer(&self, puzzles: &[Grid], task: Task, time: Duration) -> Turn;
}

/// All solvers, and the fast 9×9 solvers with each engine that this CPU supports.
pub fn all() -> Vec<Box<dyn Contestant>> {
    let mut all: Vec<Box<dyn Contestant>> = Vec::new();
    // The fastest engine comes last.
    let engines = |fastest: Engine| {
        let mut engines: Vec<Engine> = Engine::available().collect();
        engines.sort_by_key(|&engine| engine == fastest);
        engines.into_iter()
    };
    for &solver in search::all() {
        match solver.name() {
            "triads" => all.extend(
                engines(Engine::best_for_one()).filter_map(Triads::with_engine).map(triads),
            ),
            "batch" => {
                all.extend(engines(Engine::best()).filter_map(Batch::with_engine).map(batch))
            }
            _ => all.push(Box::new(SingleSolver(solver))),
        }
    }
    all.push(Box::new(Logic));
    all
}

fn triads(triads: Triads) -> Box<dyn Contestant> {
    let engine = triads.engine();
    let name = if engine == Engine::best_for_one() { "triads" } else { name_of_triads(engine) };
    let count = move |lines: &[Line], limit| {
        lines.iter().map(|line| triads.count_line(line, limit)).collect()
    };
    Box::new(LineSolver { name, count: Box::new(count) })
}

/// With the fastest engine, the name has no suffix.
fn batch(batch: Batch) -> Box<dyn Contestant> {
    let engine = batch.engine();
    let name = if engine == Engine::best() { "batch" } else { name_of_batch(engine) };
    Box::new(LineSolver {
        name,
        count: Box::new(move |lines, limit| batch.count_all(lines, limit)),
    })
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

/// The names of all solvers, including names with engine suffixes.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&'static str> = all().iter().map(|contestant| contestant.name()).collect();
    names.extend(
        Engine::available().flat_map(|engine| [name_of_triads(engine), name_of_batch(engine)]),
    );
    names.sort_unstable();
    names.dedup();
    names
}

/// A solver that processes one puzzle at a time.
struct SingleSolver(&'static dyn Solver);

impl Contestant for SingleSolver {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn supports(&self, order: Order) -> bool {
        self.0.supports(order)
    }

    fn answer(&self, puzzles: &[Grid], task: Task, time: Duration) -> Turn {
        let (clock, started) = (ThreadTime::now(), Instant::now());
        let mut answers = Vec::with_capacity(puzzles.len());
        for puzzle in puzzles {
            let limits = Limits::none().with_time(time.saturating_sub(started.elapsed()));
            let (answer, effort) = solve(self.0, puzzle, task, &limits);
            if !matches!(effort.stop, None | Some(StopReason::Enough)) {
                break;
            }
            answers.push(answer);
        }
        Turn { answers, time: clock.elapsed() }
    }
}

/// A fast 9×9 solver that counts the solutions of many lines. The solutions themselves are computed
/// outside the measured time.
struct LineSolver {
    name: &'static str,
    count: Box<Count>,
}

/// Counts the solutions of every line up to a limit.
type Count = dyn Fn(&[Line], u64) -> Vec<Tally>;

impl Contestant for LineSolver {
    fn name(&self) -> &'static str {
        self.name
    }

    fn supports(&self, order: Order) -> bool {
        order == Order::NINE
    }

    fn answer(&self, puzzles: &[Grid], task: Task, _time: Duration) -> Turn {
        let lines: Vec<Line> =
            puzzles.iter().map(|grid| nine::line(grid).expect(SUPPORTED)).collect();
        let (limit, returned) = match task {
            Task::First => (1, 1),
            Task::ProveUnique => (2, 2),
            Task::Count | Task::Explain => (COUNT_LIMIT, 0),
        };
        let clock = ThreadTime::now();
        let tallies = (self.count)(&lines, limit);
        let time = clock.elapsed();
        let mut solutions = vec![Vec::new(); lines.len()];
        Batch::BEST.solve_all(&lines, returned, &Limits::none(), &mut |puzzle, solution| {
            solutions[puzzle].push(nine::grid(solution));
            ControlFlow::Continue(())
        });
        let answers = tallies.iter().zip(solutions);
        let answers = answers.map(|(tally, solutions)| Answer {
            count: tally.solutions,
            solutions,
            guesses: tally.guesses,
        });
        Turn { answers: answers.collect(), time }
    }
}

/// The techniques in their default order. The answer is the final grid, if it is complete. If logic
/// does not solve a puzzle, that counts as one guess.
struct Logic;

impl Contestant for Logic {
    fn name(&self) -> &'static str {
        "logic"
    }

    fn supports(&self, _order: Order) -> bool {
        true
    }

    fn can_do(&self, task: Task) -> bool {
        task == Task::Explain
    }

    fn answer(&self, puzzles: &[Grid], _task: Task, time: Duration) -> Turn {
        // The search for solutions before an explanation is not part of the task.
        let has_one = |puzzle: &Grid| {
            matches!(search::prove(puzzle, &Limits::none()).solutions, Ok(Solutions::One(_)))
        };
        let one_solution: Vec<bool> = puzzles.iter().map(has_one).collect();
        let clock = ThreadTime::now();
        let mut paths = Vec::with_capacity(puzzles.len());
        for (puzzle, one_solution) in puzzles.iter().zip(one_solution) {
            let path = Position::from_puzzle(puzzle).map(|start| {
                let args = ExplainOptions::default().with_one_solution(one_solution);
                let mut steps = Steps::new(&start, &args, &Limits::none());
                steps.by_ref().for_each(drop);
                (steps.reached(), steps.outcome())
            });
            if clock.elapsed() > time {
                break;
            }
            paths.push(path.ok());
        }
        let time = clock.elapsed();
        let answers = puzzles.iter().zip(paths).map(|(puzzle, path)| {
            let Some((reached, end)) = path else {
                return Answer { count: 0, solutions: Vec::new(), guesses: 1 };
            };
            let is_solved = end == Some(StepsOutcome::Solved);
            // Return an incomplete grid if it contains a wrong digit, so that the check fails.
            let returns_grid = is_solved || !can_be_completed(puzzle, reached.grid());
            let solutions = if returns_grid { vec![reached.grid().clone()] } else { Vec::new() };
            Answer { count: solutions.len() as u64, solutions, guesses: u64::from(!is_solved) }
        });
        Turn { answers: answers.collect(), time }
    }
}

/// Returns false if the puzzle has a solution, but the reached grid has none.
fn can_be_completed(puzzle: &Grid, reached: &Grid) -> bool {
    let solver = search::default_for(puzzle);
    let has_solution =
        |grid: &Grid| solver.first(grid, &Limits::none()).expect(SUPPORTED).0.is_some();
    has_solution(reached) || !has_solution(puzzle)
}

const SUPPORTED: &str = "solvers are selected by the sizes that they support";

fn solve(solver: &dyn Solver, puzzle: &Grid, task: Task, limits: &Limits<'_>) -> (Answer, Effort) {
    let (count, solutions, effort) = match task {
        Task::First => {
            let (first, effort) = solver.first(puzzle, limits).expect(SUPPORTED);
            (u64::from(first.is_some()), first.into_iter().collect(), effort)
        }
        Task::ProveUnique => {
            let proof = solver.prove(puzzle, limits).expect(SUPPORTED);
            match proof.solutions {
                Ok(Solutions::One(only)) => (1, vec![only], proof.effort),
                Ok(Solutions::Many(first, second)) => (2, vec![first, second], proof.effort),
                Ok(Solutions::Zero) | Err(_) => (0, Vec::new(), proof.effort),
            }
        }
        Task::Count | Task::Explain => {
            let (count, effort) = solver.count(puzzle, COUNT_LIMIT, limits).expect(SUPPORTED);
            (count, Vec::new(), effort)
        }
    };
    (Answer { count, solutions, guesses: effort.guesses }, effort)
}
