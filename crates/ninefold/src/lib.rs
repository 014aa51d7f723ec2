//! Ninefold: solves, explains, rates and makes Sudokus of every size.
//!
//! This is the pure library: it opens no files, no sockets and no windows, and it needs no tensors. Four functions do
//! what most callers want; the modules behind them have every choice.
//!
//! ```
//! use ninefold::{End, Grid, Solutions, Wish};
//!
//! let puzzle: Grid =
//!     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
//!
//! // Solve it, and know that there is no second solution.
//! let Solutions::One(solution) = ninefold::solve(&puzzle) else { panic!("this puzzle has one solution") };
//! assert!(solution.solves(&puzzle));
//!
//! // Explain it: steps with their reasons, each replayed by a checker that does not know who found it.
//! let explanation = ninefold::explain(&puzzle)?;
//! assert_eq!(explanation.end, End::Solved);
//! assert_eq!(explanation.steps[0].technique.to_string(), "Hidden Single");
//!
//! // Say how hard it is.
//! assert_eq!(ninefold::rate(&puzzle)?.hardest().unwrap().to_string(), "Naked Single");
//!
//! // Make another one. Equal seeds give equal puzzles, on any machine.
//! let made = ninefold::generate(&Wish::default(), 7)?;
//! assert_eq!(ninefold::solve(&made.puzzle), Solutions::One(made.solution));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(unsafe_code)]

pub mod chart;
pub mod clock;
pub mod explain;
pub mod generate;
pub mod grid;
pub mod hybrid;
pub mod limits;
pub mod logic;
pub mod proof;
pub mod puzzles;
pub mod random;
pub mod rate;
pub mod search;

pub use explain::{Detail, End, Explanation, Hint, Language, Notation, Uses, Wording};
pub use generate::{Made, Wish};
pub use grid::{
    Candidates, Cell, Conflict, Digit, Grid, House, Order, ParseGridError, Position, Solutions,
};
pub use limits::{Limits, Stop};
pub use logic::Options;
pub use proof::{Step, Technique};

/// Finds the solution of a puzzle and proves that there is no other, with the solver we would choose for its size.
///
/// Without limits this ends for every puzzle, though a large one with few clues may take very long;
/// [`search`](mod@search) has limits, other solvers, counting and enumeration.
pub fn solve(puzzle: &Grid) -> Solutions {
    solutions_within(puzzle, &Limits::none()).expect("a search without limits ends by itself")
}

/// What a search within these limits finds out about the solutions of a puzzle; `None` if it did not finish.
#[must_use]
pub fn solutions_within(puzzle: &Grid, limits: &Limits<'_>) -> Option<Solutions> {
    search::prove(puzzle, limits).solutions.ok()
}

/// Explains a puzzle step by step, or names the two clues that break the rules.
///
/// [`explain`](mod@explain) has positions on the way, other techniques, limits, hints, words and pictures.
pub fn explain(puzzle: &Grid) -> Result<Explanation, Conflict> {
    let position = Position::start(puzzle)?;
    Ok(Explanation::of(&position, Some(solve(puzzle)), &Options::default(), &Limits::none()))
}

/// Says how hard a puzzle is: which techniques its explanation uses, the hardest first; or names the two clues that break
/// the rules.
///
/// Singles are tried as the techniques are listed, naked ones first, so that ratings stay comparable; [`rate`](mod@rate)
/// has other scales.
pub fn rate(puzzle: &Grid) -> Result<Uses, Conflict> {
    let options = Options { singles: logic::SinglesOrder::AsListed, ..Options::default() };
    let position = Position::start(puzzle)?;
    Ok(Explanation::of(&position, Some(solve(puzzle)), &options, &Limits::none()).uses(&options))
}

/// Makes a puzzle with one solution.
///
/// [`generate`](mod@generate) makes many of them at once, and has climbs and every other wish.
pub fn generate(wish: &Wish<'_>, seed: u64) -> Result<Made, generate::Refusal> {
    generate::make(wish, seed, 0)
}
