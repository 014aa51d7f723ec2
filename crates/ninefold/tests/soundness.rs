//! No step of any technique is wrong: the checker accepts every proof, and no digit of the solution is ever removed.
//!
//! The same on long lists is `shared/soundness.rs`.

#[path = "common/sound_path.rs"]
mod sound_path;

use ninefold::explain::End;
use ninefold::grid::{Digit, Grid, Order, Position, Solutions};
use ninefold::logic::{self, Options};
use ninefold::proof::{FishSize, Shape, Technique, all_techniques};
use sound_path::{assert_sound, check_path, explain, solution_of};

/// An easy puzzle, four random minimal ones of our own that need chains, and one that no technique here finishes.
const OWN: [&str; 6] = [
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2...",
    ".9....7..5...2...1..45.3........6.....2...6...1.8.523..57.1...4....6.........9.7.",
    ".6.3..4..2....4.1.....723..6.5..9....874.6..2........4........3..1..5..752....6..",
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
    "39..26........76..1..9......83............7.897.3...41...5.9...6........51...48.7",
];

/// Every step that any technique finds along the way, not only the one that is taken.
fn check_all_steps(puzzle: &Grid) {
    let solution = solution_of(puzzle).unwrap();
    let path = explain(puzzle, Some(Solutions::One(solution.clone())), &Options::default());
    for (position, _) in
        path.positions().filter(|(_, step)| step.places.is_empty()).step_by(4).take(4)
    {
        for technique in all_techniques().into_iter().filter(|technique| is_quick(*technique)) {
            let here = Position::new(puzzle.clone(), position.clone()).unwrap();
            for step in logic::all_steps(technique, &here) {
                assert_sound(&step, puzzle, &position, &solution);
            }
        }
    }
}

fn is_quick(technique: Technique) -> bool {
    let Technique::Fish(fish) = technique else { return true };
    let largest = if fish.shape() == Shape::Mutant { FishSize::XWing } else { FishSize::Jellyfish };
    fish.size() <= largest
}

#[test]
fn our_own_puzzles_are_explained_without_a_wrong_step() {
    for puzzle in OWN {
        check_path(&puzzle.parse().unwrap(), &Options::default());
    }
}

#[test]
fn every_step_of_every_technique_is_sound() {
    for puzzle in OWN.iter().take(4) {
        check_all_steps(&puzzle.parse().unwrap());
    }
}

#[test]
fn every_technique_is_sound_on_small_grids_too() {
    for puzzle in ["1..4..1..3..4..3", "..64.2.4..........13...5.521......2."] {
        let puzzle: Grid = puzzle.parse().unwrap();
        let (start, solution) = (Position::start(&puzzle).unwrap(), solution_of(&puzzle).unwrap());
        for technique in all_techniques() {
            for step in logic::all_steps(technique, &start) {
                assert_sound(&step, &puzzle, start.candidates(), &solution);
            }
        }
    }
}

#[test]
fn a_grid_with_wide_boxes_is_explained_without_a_wrong_step() {
    let six: Grid = "..64.2.4..........13...5.521......2.".parse().unwrap();
    assert_eq!(Some(six.order()), Order::boxes(2, 3).ok());
    check_path(&six, &Options::default());
}

#[test]
fn without_uniqueness_no_step_rests_on_it_and_puzzles_with_two_solutions_are_safe() {
    let options = Options { uniqueness: false, ..Options::default() };
    // Two clues fewer than the first puzzle above, and several solutions; no step may remove a digit of any of them.
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
fn a_puzzle_without_a_solution_is_never_called_solved() {
    let mut none: Grid = OWN[0].parse().unwrap();
    none.set(none.order().cell(0, 2), Digit::new(1));
    none.set(none.order().cell(1, 1), Digit::new(2));
    let path = explain(&none, Some(Solutions::Zero), &Options::default());
    assert_ne!(path.end, End::Solved);
}
