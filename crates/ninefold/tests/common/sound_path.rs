//! Checks explanations: the checker accepts every proof, and no step removes a digit of the
//! solution.

use ninefold::explain::{ExplainOutcome, Explanation};
use ninefold::grid::{Candidates, Grid, Position, Solutions};
use ninefold::logic::ExplainOptions;
use ninefold::proof::{Step, check};
use ninefold::search::{self, Limits};

/// The first solution that a search finds, independently of all techniques.
pub fn solution_of(puzzle: &Grid) -> Option<Grid> {
    search::default_for(puzzle).first(puzzle, &Limits::none()).expect("it supports every size").0
}

/// Panics if the checker or the solution contradicts a step.
pub fn assert_sound(step: &Step, givens: &Grid, position: &Candidates, solution: &Grid) {
    let name = format!("{} {}", step.technique, step.conclusion(givens.order()));
    assert_eq!(check(step, givens, position), Ok(()), "{name} in {}: {step:?}", position.grid());
    for place in &step.places {
        assert_eq!(solution[place.cell], Some(place.digit), "{name} in {givens}");
    }
    for candidate in &step.removes {
        assert_ne!(solution[candidate.cell], Some(candidate.digit), "{name} in {givens}");
    }
}

pub fn explain(
    puzzle: &Grid,
    solutions: Option<Solutions>,
    options: &ExplainOptions,
) -> Explanation {
    Explanation::new(&Position::from_puzzle(puzzle).unwrap(), solutions, options, &Limits::none())
}

/// Explains a puzzle and checks every step.
pub fn check_path(puzzle: &Grid, options: &ExplainOptions) -> Explanation {
    let solution = solution_of(puzzle).unwrap_or_else(|| panic!("{puzzle} has no solution"));
    let path = explain(puzzle, Some(Solutions::One(solution.clone())), options);
    assert!(
        !matches!(path.outcome, ExplainOutcome::NotProven { .. }),
        "{puzzle}: {:?}",
        path.outcome
    );
    for (position, step) in path.positions() {
        assert_sound(step, puzzle, &position, &solution);
    }
    assert_eq!(path.outcome == ExplainOutcome::Solved, path.last.grid().is_full());
    assert!(
        path.outcome != ExplainOutcome::Solved || *path.last.grid() == solution,
        "{puzzle} ends with a wrong grid"
    );
    assert_ne!(path.outcome, ExplainOutcome::Contradiction, "{puzzle} has a solution");
    path
}
