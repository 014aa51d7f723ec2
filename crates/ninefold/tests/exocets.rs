//! Tests exocets of every kind on some of the hardest puzzles. Each step has a valid proof and
//! removes no digit of the solution, and the checker rejects damaged proofs.

#[path = "common/sound_path.rs"]
mod sound_path;

use ninefold::grid::{Candidates, Grid, Position, Solutions};
use ninefold::logic::{ExplainOptions, all_steps};
use ninefold::proof::{Ending, Reason, Step, Technique, Tree, check};
use sound_path::{assert_sound, check_path, explain, solution_of};

const KINDS: [Technique; 4] = [
    Technique::JuniorExocet,
    Technique::DoubleExocet,
    Technique::ExocetMirror,
    Technique::ExocetLink,
];

/// Three puzzles of the forum list of 2019, and Golden Nugget. Together they contain every kind.
const PUZZLES: [&str; 4] = [
    "98.7..6..7..6..5......4....6..8..9...98....3...2..1...2.......5.5.2...69.....72..",
    "........1.....2.3...4.5.6.....3...7...8.674...7...1..2..5......69..84...84....9..",
    "98.7..6..7...5..9...4.....73..2.5......39..5.......1..1...3..2..7....8....6.....4",
    ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....",
];

/// Calls `visit` with every exocet along the solution path and its position.
fn each_exocet(mut visit: impl FnMut(&Grid, &Candidates, &Grid, Step)) {
    for puzzle in PUZZLES {
        let puzzle: Grid = puzzle.parse().unwrap();
        let solution = solution_of(&puzzle).unwrap();
        let path =
            explain(&puzzle, Some(Solutions::One(solution.clone())), &ExplainOptions::default());
        let is_hard = |step: &Step| step.technique.tier() == 6;
        for (candidates, _) in path.positions().filter(|(_, step)| is_hard(step)) {
            let position = Position::new(puzzle.clone(), candidates.clone()).unwrap();
            for step in KINDS.into_iter().flat_map(|kind| all_steps(kind, &position)) {
                visit(&puzzle, &candidates, &solution, step);
            }
        }
    }
}

#[test]
fn every_exocet_has_a_valid_proof_and_keeps_the_solution() {
    let mut found = [0; KINDS.len()];
    each_exocet(|puzzle, candidates, solution, step| {
        assert_sound(&step, puzzle, candidates, solution);
        found[KINDS.iter().position(|kind| *kind == step.technique).unwrap()] += 1;
    });
    assert!(found.iter().all(|&found| found > 0), "{KINDS:?}: {found:?}");
}

#[test]
fn explanations_use_every_kind() {
    let mut used: Vec<Technique> = Vec::new();
    for puzzle in PUZZLES {
        used.extend(
            check_path(&puzzle.parse().unwrap(), &ExplainOptions::default())
                .steps
                .iter()
                .map(|step| step.technique),
        );
    }
    assert!(KINDS.iter().all(|kind| used.contains(kind)), "{used:?}");
}

/// The proof of an exocet counts digits that must be placed in the cross-lines (the *truths*) and
/// shows that there are too few places for them. With one truth less, the proof is invalid.
#[test]
fn rejects_an_exocet_whose_cross_lines_have_room() {
    let mut rejected = 0;
    each_exocet(|puzzle, candidates, _, step| {
        let reason = match &step.reason {
            Reason::Together(parts) => Reason::Together(parts.iter().map(with_room).collect()),
            only => with_room(only),
        };
        let damaged = Step { reason, ..step };
        assert!(check(&damaged, puzzle, candidates).is_err(), "{damaged:?}");
        rejected += 1;
    });
    assert!(rejected > 20, "only {rejected} steps were damaged");
}

/// A tree must try every digit of a cell.
#[test]
fn rejects_an_exocet_with_a_missing_choice() {
    let mut rejected = 0;
    each_exocet(|puzzle, candidates, _, step| {
        let Reason::Tree(mut tree) = step.reason.clone() else { return };
        let Ending::Split(_, branches) = &mut tree.end else { return };
        branches.pop();
        let damaged = Step { reason: Reason::Tree(tree), ..step };
        assert!(check(&damaged, puzzle, candidates).is_err(), "{damaged:?}");
        rejected += usize::from(damaged.technique == Technique::ExocetLink);
    });
    assert!(rejected > 0, "no link was damaged");
}

/// Removes one truth from every count of a proof.
fn with_room(reason: &Reason) -> Reason {
    fn in_tree(tree: &Tree) -> Tree {
        let end = match &tree.end {
            Ending::NoRoom(count) => {
                let mut count = count.clone();
                count.truths.pop();
                Ending::NoRoom(count)
            }
            Ending::Split(of, branches) => {
                Ending::Split(*of, branches.iter().map(in_tree).collect())
            }
            end @ (Ending::Nothing(_) | Ending::NoFilling(_)) => end.clone(),
        };
        Tree { end, ..tree.clone() }
    }
    match reason {
        Reason::Tree(tree) => Reason::Tree(in_tree(tree)),
        Reason::Count(count) => {
            let mut count = count.clone();
            count.truths.pop();
            Reason::Count(count)
        }
        other => panic!("unexpected exocet proof {other:?}"),
    }
}
