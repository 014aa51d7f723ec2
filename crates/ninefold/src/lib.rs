//! Solves, explains, rates and generates Sudokus of every size from 4×4 to 64×64.
//!
//! The library does no I/O and starts no threads unless asked to. The four functions [`solve`],
//! [`explain()`], [`rate()`] and [`generate()`] cover the common cases; the modules offer limits,
//! other solvers, other techniques and more options.
//!
//! ```
//! use ninefold::{ExplainOutcome, Grid, Solutions, GenerateOptions};
//!
//! let puzzle: Grid =
//!     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
//!
//! // Solve it and prove that there is no second solution.
//! let Solutions::One(solution) = ninefold::solve(&puzzle) else { panic!("expected one solution") };
//! assert!(solution.solves(&puzzle));
//!
//! // Explain it: every step contains a proof that an independent checker has verified.
//! let explanation = ninefold::explain(&puzzle)?;
//! assert_eq!(explanation.outcome, ExplainOutcome::Solved);
//! assert_eq!(explanation.steps[0].technique.to_string(), "Hidden Single");
//!
//! // Rate its difficulty.
//! assert_eq!(ninefold::rate(&puzzle)?.hardest().unwrap().to_string(), "Naked Single");
//!
//! // Generate another puzzle. The same seed always gives the same puzzle, on every machine.
//! let generated = ninefold::generate(&GenerateOptions::default(), 7)?;
//! assert_eq!(ninefold::solve(&generated.puzzle), Solutions::One(generated.solution));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(unsafe_code)]
#![warn(missing_docs)]

/// Compiles the examples of the README as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;

#[doc(hidden)]
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

pub use explain::{
    Detail, ExplainOutcome, Explanation, Hint, Language, Notation, TechniqueSummary, Wording,
};
pub use generate::{GenerateOptions, GeneratedPuzzle};
pub use grid::{
    Candidates, Cell, Conflict, Digit, Grid, House, Order, ParseGridError, Position, Solutions,
};
pub use limits::{Limits, StopReason};
pub use logic::ExplainOptions;
pub use proof::{Step, Technique};

/// Finds the solutions of a puzzle: none, the only one, or two of several. Uses the default solver
/// for its size.
///
/// The search is complete, so large puzzles with few clues may take very long. The module
/// [`search`](mod@search) offers limits, other solvers, counting and enumeration.
pub fn solve(puzzle: &Grid) -> Solutions {
    solutions_within(puzzle, &Limits::none()).expect("a search without limits is complete")
}

/// Like [`solve`], with limits. Returns `None` if a limit was reached.
#[must_use]
pub fn solutions_within(puzzle: &Grid, limits: &Limits<'_>) -> Option<Solutions> {
    search::prove(puzzle, limits).solutions.ok()
}

/// Explains the solution of a puzzle step by step. Fails if two clues break the rules.
///
/// The module [`explain`](mod@explain) offers hints, text, pictures, other techniques and limits,
/// and starts from any position.
pub fn explain(puzzle: &Grid) -> Result<Explanation, Conflict> {
    let position = Position::from_puzzle(puzzle)?;
    Ok(Explanation::new(
        &position,
        Some(solve(puzzle)),
        &ExplainOptions::default(),
        &Limits::none(),
    ))
}

/// Lists the techniques that the solution of a puzzle needs, the hardest first. Fails if two clues
/// break the rules.
///
/// The techniques are tried in a fixed order, naked singles before hidden singles, so that ratings
/// are comparable. The module [`rate`](mod@rate) offers other scales.
pub fn rate(puzzle: &Grid) -> Result<TechniqueSummary, Conflict> {
    let options = ExplainOptions::default().with_singles(logic::SinglesOrder::AsListed);
    let position = Position::from_puzzle(puzzle)?;
    Ok(Explanation::new(&position, Some(solve(puzzle)), &options, &Limits::none())
        .technique_summary(&options))
}

/// Generates a puzzle with exactly one solution.
///
/// The module [`generate`](mod@generate) offers many puzzles at once, on several threads, and
/// searches for extreme puzzles.
pub fn generate(
    options: &GenerateOptions<'_>,
    seed: u64,
) -> Result<GeneratedPuzzle, generate::GenerateError> {
    generate::generate_one(options, seed, 0)
}
