//! Symmetric images of a puzzle get the same explanation if it is computed in the canonical form.

use ninefold::explain::{ExplainOutcome, Explanation};
use ninefold::grid::{Grid, Position, Solutions, Symmetry};
use ninefold::logic::ExplainOptions;
use ninefold::proof::{Technique, check};
use ninefold::puzzles::canonical;
use ninefold::random::Random;
use ninefold::search::{self, Limits};

const PUZZLES: [&str; 4] = [
    ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2...",
    ".9....7..5...2...1..45.3........6.....2...6...1.8.523..57.1...4....6.........9.7.",
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
    "..64.2.4..........13...5.521......2.",
];

fn explained(puzzle: &Grid) -> Explanation {
    let only = search::prove(puzzle, &Limits::none()).solutions.ok();
    let (start, form) = (Position::from_puzzle(puzzle).unwrap(), canonical(puzzle));
    Explanation::with_symmetry(
        &start,
        &form.symmetry,
        only,
        &ExplainOptions::default(),
        &Limits::none(),
    )
}

#[test]
fn images_have_the_same_techniques_in_the_same_order() {
    let mut random = Random::new(16);
    for puzzle in PUZZLES {
        let puzzle: Grid = puzzle.parse().unwrap();
        let techniques = |explanation: &Explanation| -> Vec<Technique> {
            explanation.steps.iter().map(|step| step.technique).collect()
        };
        let first = explained(&puzzle);
        assert_eq!(first.outcome, ExplainOutcome::Solved, "{puzzle}");
        for _ in 0..5 {
            let image = Symmetry::random(puzzle.order(), &mut random).image(&puzzle);
            assert_eq!(techniques(&explained(&image)), techniques(&first), "{image}");
        }
    }
}

#[test]
fn steps_are_valid_in_the_original() {
    for puzzle in PUZZLES {
        let explanation = explained(&puzzle.parse().unwrap());
        for (position, step) in explanation.positions() {
            assert_eq!(
                check(step, explanation.puzzle(), &position),
                Ok(()),
                "{}",
                step.one_line(&position)
            );
        }
        assert!(explanation.is_complete());
    }
}

#[test]
fn explains_positions_during_solving() {
    let puzzle: Grid = PUZZLES[0].parse().unwrap();
    let complete = explained(&puzzle);
    let mut candidates = complete.start.candidates().clone();
    complete.steps[..20].iter().for_each(|step| step.apply_to(&mut candidates));
    let position = Position::new(puzzle.clone(), candidates).unwrap();
    let only = Some(Solutions::One(complete.last.grid().clone()));
    let symmetry = canonical(&puzzle).symmetry;
    let rest = Explanation::with_symmetry(
        &position,
        &symmetry,
        only,
        &ExplainOptions::default(),
        &Limits::none(),
    );
    assert_eq!(rest.steps, complete.steps[20..]);
}
