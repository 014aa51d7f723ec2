//! Who takes part. A new contestant is a few lines in [`all`].

use crate::lists::Line;
use ninefold::grid::{Grid, Order};
use ninefold::search::batch::{self, Batch};
use ninefold::search::triads::Triads;
use ninefold::search::{self, Engine, Limits, Solver, Stop};
use std::time::Duration;

/// What a contestant says about one puzzle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Solutions, counted up to 2.
    pub solutions: u64,
    /// Guesses, where the contestant tells.
    pub guesses: Option<u64>,
}

impl From<batch::Tally> for Tally {
    fn from(tally: batch::Tally) -> Tally {
        Tally { solutions: tally.solutions, guesses: Some(tally.guesses) }
    }
}

/// A solver's name and its door: all puzzles in, a tally for each out, in order. Fewer tallies than puzzles mean
/// that it gave up on the next one.
pub struct Contestant {
    /// The name in the table.
    pub name: String,
    /// Is it one of ours?
    pub ours: bool,
    door: Door,
}

type Door = Box<dyn FnMut(&[Line]) -> Vec<Tally>>;

/// The rival that all speeds are compared with.
pub const REFERENCE: &str = "sudoku 0.8";

/// Our plain solvers need minutes for some puzzles; nobody waits so long.
const LONGEST_PUZZLE: Duration = Duration::from_secs(3);

/// Rivals from shared libraries that whoever compares has built; each takes part where its library is given.
#[derive(Clone, Copy, Default)]
pub struct Guests {
    /// tdoku.
    pub tdoku: Option<Tdoku>,
    /// fastdoku.
    pub fastdoku: Option<Fastdoku>,
}

/// All contestants whose name contains one of `only`, and the reference first.
pub fn all(only: &[String], guests: Guests) -> Vec<Contestant> {
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
    if let Some(tdoku) = guests.tdoku {
        contestants.push(Contestant::one_by_one("tdoku", false, move |line| tdoku.count(line)));
    }
    if let Some(fastdoku) = guests.fastdoku {
        contestants
            .push(Contestant::one_by_one("fastdoku", false, move |line| fastdoku.count(line)));
    }
    for &solver in search::all().iter().filter(|solver| solver.takes(Order::NINE)) {
        contestants.push(match solver.name() {
            "triads" | "batch" => continue,
            name => Contestant::ours(name, move |lines| through_the_trait(solver, lines)),
        });
    }
    let mut engines: Vec<Engine> = Engine::available().collect();
    engines.reverse();
    for triads in engines.iter().copied().filter_map(Triads::on) {
        let name = format!("triads {}", triads.engine());
        contestants.push(Contestant::one_by_one(&name, true, move |line| {
            triads.count_line(line, 2).into()
        }));
    }
    for batch in engines.into_iter().filter_map(Batch::on) {
        let name = format!("batch {}", batch.engine());
        contestants.push(Contestant::ours(&name, move |lines| {
            batch.count_all(lines, 2).into_iter().map(Tally::from).collect()
        }));
    }
    let wanted =
        |name: &str| only.is_empty() || only.iter().any(|part| name.contains(part.as_str()));
    contestants.retain(|contestant| contestant.name == REFERENCE || wanted(&contestant.name));
    contestants
}

impl Contestant {
    /// A solver of ours that takes many puzzles at once.
    fn ours(name: &str, door: impl FnMut(&[Line]) -> Vec<Tally> + 'static) -> Contestant {
        Contestant { name: name.to_string(), ours: true, door: Box::new(door) }
    }

    /// A solver that takes one puzzle after the other.
    fn one_by_one(name: &str, ours: bool, count: impl Fn(&Line) -> Tally + 'static) -> Contestant {
        let door = move |lines: &[Line]| lines.iter().map(&count).collect();
        Contestant { name: name.to_string(), ours, door: Box::new(door) }
    }

    /// Counts to 2 for every puzzle.
    pub fn count(&mut self, puzzles: &[Line]) -> Vec<Tally> {
        (self.door)(puzzles)
    }
}

/// Crate `sudoku`. It has two doors for a line; `from_bytes` after a subtraction measured 1 to 3 % faster than
/// `from_str_line` on four lists (easy, 17-clue, forum 1106, no solution), so the rival gets that one.
fn sudoku(line: &Line) -> u64 {
    let numbers = line.map(|byte| byte.saturating_sub(b'0'));
    sudoku::Sudoku::from_bytes(numbers).map_or(0, |puzzle| puzzle.solutions_count_up_to(2) as u64)
}

/// Crate `msolve`.
fn msolve(line: &Line) -> u64 {
    let text = std::str::from_utf8(line).expect("a line is ASCII");
    text.parse::<msolve::Sudoku>().map_or(0, |puzzle| puzzle.count_solutions(2) as u64)
}

/// A function of the library at this path, as `F`.
///
/// # Safety
///
/// The library does nothing when it is loaded, and the function is one of this type.
unsafe fn function<F: Copy>(path: &str, name: &str) -> Result<F, String> {
    // SAFETY: the caller vouches for the library and for the type. It is never unloaded, so the function stays where it is.
    unsafe {
        let library =
            Box::leak(Box::new(libloading::Library::new(path).map_err(|error| error.to_string())?));
        Ok(*library.get::<F>(name).map_err(|error| error.to_string())?)
    }
}

/// fastdoku, the Rust solver of rocketbombs, which chooses between its two engines.
#[derive(Clone, Copy)]
pub struct Fastdoku(CountOfFastdoku);

/// Puzzle and limit.
type CountOfFastdoku = unsafe extern "C" fn(*const u8, u32) -> u32;

impl Fastdoku {
    /// The solver in the library at this path.
    pub fn load(path: &str) -> Result<Fastdoku, String> {
        // SAFETY: whoever built the library has given fastdoku's engines this one door.
        unsafe { function(path, "fastdoku_count").map(Fastdoku) }
    }

    fn count(self, line: &Line) -> Tally {
        // SAFETY: 81 readable bytes.
        let solutions = unsafe { (self.0)(line.as_ptr(), 2) };
        Tally { solutions: u64::from(solutions), guesses: None }
    }
}

/// tdoku, the C++ solver of Tom Dillon.
#[derive(Clone, Copy)]
pub struct Tdoku(CountOfTdoku);

/// Puzzle, limit, an option that is not used, room for a solution, room for the number of guesses.
type CountOfTdoku = unsafe extern "C" fn(*const u8, usize, u32, *mut u8, *mut usize) -> usize;

impl Tdoku {
    /// The solver in the library at this path.
    pub fn load(path: &str) -> Result<Tdoku, String> {
        // SAFETY: the library is tdoku's, and its header declares the function as above.
        unsafe { function(path, "TdokuSolverDpllTriadSimd").map(Tdoku) }
    }

    fn count(self, line: &Line) -> Tally {
        // It tells a puzzle from one with pencil marks by the byte after the last cell.
        let mut puzzle = [0; 82];
        puzzle[..81].copy_from_slice(line);
        let (mut solution, mut guesses) = ([0; 81], 0);
        // SAFETY: 82 readable bytes, and room for 81 bytes and a number.
        let solutions =
            unsafe { (self.0)(puzzle.as_ptr(), 2, 0, solution.as_mut_ptr(), &mut guesses) };
        Tally { solutions: solutions as u64, guesses: Some(guesses as u64) }
    }
}

/// The door that every solver of ours has: a grid is built, every solution found is checked and handed over.
fn through_the_trait(solver: &dyn Solver, lines: &[Line]) -> Vec<Tally> {
    let mut tallies = Vec::with_capacity(lines.len());
    for line in lines {
        let numbers = line.map(|byte| byte.saturating_sub(b'0'));
        let grid = Grid::from_numbers(Order::NINE, &numbers).expect("a line has 81 digits");
        let answer = solver.count(&grid, 2, &Limits::time(LONGEST_PUZZLE));
        let (solutions, effort) = answer.expect("the solver takes 9×9");
        if !matches!(effort.stop, None | Some(Stop::Enough)) {
            break;
        }
        tallies.push(Tally { solutions, guesses: Some(effort.guesses) });
    }
    tallies
}
