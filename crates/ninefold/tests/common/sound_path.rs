//! A path that is held to the truth: the checker accepts every proof, and no digit of the solution is ever removed.

use ninefold::explain::{End, Explanation};
use ninefold::grid::{Candidates, Grid, Position, Solutions};
use ninefold::logic::Options;
use ninefold::proof::{Step, check};
use ninefold::search::{self, Limits};

/// The first solution that a search finds; it knows nothing of techniques.
pub fn solution_of(puzzle: &Grid) -> Option<Grid> {
    search::default_for(puzzle.order())
        .first(puzzle, &Limits::none())
        .expect("it takes every size")
        .0
}

/// Refuses a step that the checker or the solution speaks against.
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

/// The path that logic takes.
pub fn explain(puzzle: &Grid, solutions: Option<Solutions>, options: &Options) -> Explanation {
    Explanation::of(&Position::start(puzzle).unwrap(), solutions, options, &Limits::none())
}

/// The same, with every step checked.
pub fn check_path(puzzle: &Grid, options: &Options) -> Explanation {
    let solution = solution_of(puzzle).unwrap_or_else(|| panic!("{puzzle} has no solution"));
    let path = explain(puzzle, Some(Solutions::One(solution.clone())), options);
    assert!(!matches!(path.end, End::NotProven { .. }), "{puzzle}: {:?}", path.end);
    for (position, step) in path.positions() {
        assert_sound(step, puzzle, &position, &solution);
    }
    assert_eq!(path.end == End::Solved, path.last.grid().is_full());
    assert!(
        path.end != End::Solved || *path.last.grid() == solution,
        "{puzzle} ends in a wrong grid"
    );
    assert_ne!(path.end, End::Contradiction, "{puzzle} has a solution");
    path
}
