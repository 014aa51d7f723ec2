//! The solvers to compare. Add a new one in [`all`].

use crate::lists::Line;
use ninefold::grid::{Grid, Order};
use ninefold::search::batch::{self, Batch};
use ninefold::search::triads::Triads;
use ninefold::search::{self, Engine, Limits, Solver, StopReason};
use std::time::Duration;

/// The result of a solver for one puzzle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of solutions, up to 2.
    pub solutions: u64,
    /// The number of guesses, if the solver reports it.
    pub guesses: Option<u64>,
}

impl From<batch::Tally> for Tally {
    fn from(tally: batch::Tally) -> Tally {
        Tally { solutions: tally.solutions, guesses: Some(tally.guesses) }
    }
}

/// A solver. Its function returns one tally per puzzle, in order. Fewer tallies than puzzles mean
/// that it exceeded the time limit on the next one.
pub struct Contestant {
    /// The name in the table.
    pub name: String,
    /// Whether it is part of Ninefold.
    pub ours: bool,
    count_all: CountAll,
}

type CountAll = Box<dyn FnMut(&[Line]) -> Vec<Tally>>;

/// The solver that all speeds are compared with.
pub const REFERENCE: &str = "sudoku 0.8";

/// The time limit per puzzle, because the slow solvers of Ninefold need minutes for some puzzles.
const TIME_LIMIT: Duration = Duration::from_secs(3);

/// Solvers in shared libraries, which the user builds and passes on the command line.
#[derive(Clone, Copy, Default)]
pub struct LibrarySolvers {
    pub tdoku: Option<Tdoku>,
    pub fastdoku: Option<Fastdoku>,
}

/// The reference, and all solvers whose name contains one of `only`.
pub fn all(only: &[String], libraries: LibrarySolvers) -> Vec<Contestant> {
    let mut contestants = vec![
        Contestant::one_by_one(REFERENCE, false, |line| Tally {
            solutions: sudoku(line),
            guesses: None,
        }),
        Contestant::one_by_one("msolve 0.6", false, |line| Tally {
            solutions: msolve(line),
            guesses: None,
        }),
    ];
    if let Some(tdoku) = libraries.tdoku {
        contestants.push(Contestant::one_by_one("tdoku", false, move |line| tdoku.count(line)));
    }
    if let Some(fastdoku) = libraries.fastdoku {
        contestants
            .push(Contestant::one_by_one("fastdoku", false, move |line| fastdoku.count(line)));
    }
    for &solver in search::all().iter().filter(|solver| solver.supports(Order::NINE)) {
        contestants.push(match solver.name() {
            "triads" | "batch" => continue,
            name => Contestant::ours(name, move |lines| count_with_trait(solver, lines)),
        });
    }
    let mut engines: Vec<Engine> = Engine::available().collect();
    engines.reverse();
    for triads in engines.iter().copied().filter_map(Triads::with_engine) {
        let name = format!("triads {}", triads.engine());
        contestants.push(Contestant::one_by_one(&name, true, move |line| {
            triads.count_line(line, 2).into()
        }));
    }
    for batch in engines.into_iter().filter_map(Batch::with_engine) {
        let name = format!("batch {}", batch.engine());
        contestants.push(Contestant::ours(&name, move |lines| {
            batch.count_all(lines, 2).into_iter().map(Tally::from).collect()
        }));
    }
    let is_selected =
        |name: &str| only.is_empty() || only.iter().any(|part| name.contains(part.as_str()));
    contestants.retain(|contestant| contestant.name == REFERENCE || is_selected(&contestant.name));
    contestants
}

impl Contestant {
    /// A Ninefold solver that processes many puzzles at once.
    fn ours(name: &str, count_all: impl FnMut(&[Line]) -> Vec<Tally> + 'static) -> Contestant {
        Contestant { name: name.to_string(), ours: true, count_all: Box::new(count_all) }
    }

    /// A solver that processes one puzzle at a time.
    fn one_by_one(name: &str, ours: bool, count: impl Fn(&Line) -> Tally + 'static) -> Contestant {
        let count_all = move |lines: &[Line]| lines.iter().map(&count).collect();
        Contestant { name: name.to_string(), ours, count_all: Box::new(count_all) }
    }

    /// Counts the solutions of every puzzle up to 2.
    pub fn count(&mut self, puzzles: &[Line]) -> Vec<Tally> {
        (self.count_all)(puzzles)
    }
}

/// Crate `sudoku`. It has two functions that read a puzzle. `from_bytes`, including the conversion
/// of characters to numbers, is 1 to 3 % faster than `from_str_line` on four lists (easy, 17-clue,
/// forum 1106, no solution), so it is used here.
fn sudoku(line: &Line) -> u64 {
    let numbers = line.map(|byte| byte.saturating_sub(b'0'));
    sudoku::Sudoku::from_bytes(numbers).map_or(0, |puzzle| puzzle.solutions_count_up_to(2) as u64)
}

/// Crate `msolve`.
fn msolve(line: &Line) -> u64 {
    let text = std::str::from_utf8(line).expect("a line is ASCII");
    text.parse::<msolve::Sudoku>().map_or(0, |puzzle| puzzle.count_solutions(2) as u64)
}

/// Loads a function of type `F` from the library at this path.
///
/// # Safety
///
/// Loading the library must be safe, and the function must have the type `F`.
unsafe fn function<F: Copy>(path: &str, name: &str) -> Result<F, String> {
    // SAFETY: the caller guarantees both. The library is leaked, so the function pointer stays
    // valid.
    unsafe {
        let library =
            Box::leak(Box::new(libloading::Library::new(path).map_err(|error| error.to_string())?));
        Ok(*library.get::<F>(name).map_err(|error| error.to_string())?)
    }
}

/// fastdoku, the Rust solver of rocketbombs, with its engine `auto`.
#[derive(Clone, Copy)]
pub struct Fastdoku(CountOfFastdoku);

/// Parameters: puzzle, limit.
type CountOfFastdoku = unsafe extern "C" fn(*const u8, u32) -> u32;

impl Fastdoku {
    /// Loads the solver from the library at this path.
    pub fn load(path: &str) -> Result<Fastdoku, String> {
        // SAFETY: the help of `--fastdoku` requires a library with this function; loading it has no
        // side effects.
        unsafe { function(path, "fastdoku_count").map(Fastdoku) }
    }

    fn count(self, line: &Line) -> Tally {
        // SAFETY: `line` has 81 readable bytes, which is all that the function reads.
        let solutions = unsafe { (self.0)(line.as_ptr(), 2) };
        Tally { solutions: u64::from(solutions), guesses: None }
    }
}

/// tdoku, the C++ solver of Tom Dillon.
#[derive(Clone, Copy)]
pub struct Tdoku(CountOfTdoku);

/// Parameters: puzzle, limit, an unused option, output for a solution, output for the number of
/// guesses.
type CountOfTdoku = unsafe extern "C" fn(*const u8, usize, u32, *mut u8, *mut usize) -> usize;

impl Tdoku {
    /// Loads the solver from the library at this path.
    pub fn load(path: &str) -> Result<Tdoku, String> {
        // SAFETY: the help of `--tdoku` requires the library of tdoku, whose header declares the
        // function with this type.
        unsafe { function(path, "TdokuSolverDpllTriadSimd").map(Tdoku) }
    }

    fn count(self, line: &Line) -> Tally {
        // The byte after the last cell distinguishes puzzles from pencil marks.
        let mut puzzle = [0; 82];
        puzzle[..81].copy_from_slice(line);
        let (mut solution, mut guesses) = ([0; 81], 0);
        // SAFETY: `puzzle` has 82 readable bytes, `solution` 81 writable bytes, and `guesses` is a
        // writable `usize`.
        let solutions =
            unsafe { (self.0)(puzzle.as_ptr(), 2, 0, solution.as_mut_ptr(), &mut guesses) };
        Tally { solutions: solutions as u64, guesses: Some(guesses as u64) }
    }
}

/// Counts through the trait [`Solver`]: it builds a grid and checks every solution.
fn count_with_trait(solver: &dyn Solver, lines: &[Line]) -> Vec<Tally> {
    let mut tallies = Vec::with_capacity(lines.len());
    for line in lines {
        let numbers = line.map(|byte| byte.saturating_sub(b'0'));
        let grid = Grid::from_numbers(Order::NINE, &numbers).expect("a line is a 9×9 grid");
        let answer = solver.count(&grid, 2, &Limits::none().with_time(TIME_LIMIT));
        let (solutions, effort) = answer.expect("the solver supports 9×9");
        if !matches!(effort.stop, None | Some(StopReason::Enough)) {
            break;
        }
        tallies.push(Tally { solutions, guesses: Some(effort.guesses) });
    }
    tallies
}
