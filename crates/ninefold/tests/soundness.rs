//! All techniques are sound: the checker accepts every proof, and no step removes a digit of the
//! solution.
//!
//! `shared/soundness.rs` tests the same on long lists.

#[path = "common/sound_path.rs"]
mod sound_path;

use ninefold::explain::ExplainOutcome;
use ninefold::grid::{Digit, Grid, Order, Position, Solutions};
use ninefold::logic::{self, ExplainOptions};
use ninefold::proof::{FishSize, Shape, Technique, all_techniques};
use sound_path::{assert_sound, check_path, explain, solution_of};

/// An easy puzzle, four random minimal ones that need chains, and one that the default techniques
/// do not solve.
const PUZZLES: [&str; 6] = [
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2...",
    ".9....7..5...2...1..45.3........6.....2...6...1.8.523..57.1...4....6.........9.7.",
    ".6.3..4..2....4.1.....723..6.5..9....874.6..2........4........3..1..5..752....6..",
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
    "39..26........76..1..9......83............7.897.3...41...5.9...6........51...48.7",
];

/// Checks every step that any technique finds on the path, not only the steps of the explanation.
fn check_all_steps(puzzle: &Grid) {
    let solution = solution_of(puzzle).unwrap();
    let path = explain(puzzle, Some(Solutions::One(solution.clone())), &ExplainOptions::default());
    for (position, _) in
        path.positions().filter(|(_, step)| step.places.is_empty()).step_by(4).take(4)
    {
        for technique in all_techniques().into_iter().filter(|technique| is_fast(*technique)) {
            let here = Position::new(puzzle.clone(), position.clone()).unwrap();
            for step in logic::all_steps(technique, &here) {
                assert_sound(&step, puzzle, &position, &solution);
            }
        }
    }
}

fn is_fast(technique: Technique) -> bool {
    let Technique::Fish(fish) = technique else { return true };
    let largest = if fish.shape() == Shape::Mutant { FishSize::XWing } else { FishSize::Jellyfish };
    fish.size() <= largest
}

#[test]
fn explanations_are_sound() {
    for puzzle in PUZZLES {
        check_path(&puzzle.parse().unwrap(), &ExplainOptions::default());
    }
}

#[test]
fn every_technique_is_sound() {
    for puzzle in PUZZLES.iter().take(4) {
        check_all_steps(&puzzle.parse().unwrap());
    }
}

#[test]
fn every_technique_is_sound_on_small_grids() {
    for puzzle in ["1..4..1..3..4..3", "..64.2.4..........13...5.521......2."] {
        let puzzle: Grid = puzzle.parse().unwrap();
        let (start, solution) =
            (Position::from_puzzle(&puzzle).unwrap(), solution_of(&puzzle).unwrap());
        for technique in all_techniques() {
            for step in logic::all_steps(technique, &start) {
                assert_sound(&step, &puzzle, start.candidates(), &solution);
            }
        }
    }
}

#[test]
fn explanation_of_a_grid_with_wide_boxes_is_sound() {
    let six: Grid = "..64.2.4..........13...5.521......2.".parse().unwrap();
    assert_eq!(Some(six.order()), Order::new(2, 3).ok());
    check_path(&six, &ExplainOptions::default());
}

#[test]
fn without_uniqueness_steps_are_sound_for_several_solutions() {
    let options = ExplainOptions::default().with_uniqueness(false);
    // The first puzzle without two clues has several solutions. No step may remove a digit of any
    // of them.
    let many: Grid =
        ".3..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8...9"
            .parse()
            .unwrap();
    let solution = solution_of(&many).unwrap();
    let path = explain(&many, Some(Solutions::One(solution.clone())), &options);
    for (position, step) in path.positions() {
        assert!(!step.technique.needs_uniqueness());
        assert_sound(step, &many, &position, &solution);
    }
}

#[test]
fn puzzle_without_a_solution_is_never_solved() {
    let mut none: Grid = PUZZLES[0].parse().unwrap();
    none.set(none.order().cell(0, 2), Digit::new(1));
    none.set(none.order().cell(1, 1), Digit::new(2));
    let path = explain(&none, Some(Solutions::Zero), &ExplainOptions::default());
    assert_ne!(path.outcome, ExplainOutcome::Solved);
}
