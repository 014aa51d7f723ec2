//! Exocets of every kind on some of the hardest puzzles: each step is proved and keeps the solution, and a damaged proof is
//! refused.

#[path = "common/sound_path.rs"]
mod sound_path;

use ninefold::grid::{Candidates, Grid, Position, Solutions};
use ninefold::logic::{Options, all_steps};
use ninefold::proof::{Because, Ending, Step, Technique, Tree, check};
use sound_path::{assert_sound, check_path, explain, solution_of};

const KINDS: [Technique; 4] = [
    Technique::JuniorExocet,
    Technique::DoubleExocet,
    Technique::ExocetMirror,
    Technique::ExocetLink,
];

/// Three of the forum's list of 2019 and Golden Nugget; together they have every kind.
const PUZZLES: [&str; 4] = [
    "98.7..6..7..6..5......4....6..8..9...98....3...2..1...2.......5.5.2...69.....72..",
    "........1.....2.3...4.5.6.....3...7...8.674...7...1..2..5......69..84...84....9..",
    "98.7..6..7...5..9...4.....73..2.5......39..5.......1..1...3..2..7....8....6.....4",
    ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....",
];

/// Every exocet that can be found along the way, with the position it stands in.
fn each_exocet(mut visit: impl FnMut(&Grid, &Candidates, &Grid, Step)) {
    for puzzle in PUZZLES {
        let puzzle: Grid = puzzle.parse().unwrap();
        let solution = solution_of(&puzzle).unwrap();
        let path = explain(&puzzle, Some(Solutions::One(solution.clone())), &Options::default());
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
fn every_exocet_is_proved_and_keeps_the_solution() {
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
            check_path(&puzzle.parse().unwrap(), &Options::default())
                .steps
                .iter()
                .map(|step| step.technique),
        );
    }
    assert!(KINDS.iter().all(|kind| used.contains(kind)), "{used:?}");
}

/// The room that a tree lacks is the heart of an exocet: with one more house to go to, nothing follows.
#[test]
fn an_exocet_whose_cross_lines_have_room_is_refused() {
    let mut refused = 0;
    each_exocet(|puzzle, candidates, _, step| {
        let because = match &step.because {
            Because::Together(parts) => Because::Together(parts.iter().map(with_room).collect()),
            only => with_room(only),
        };
        let damaged = Step { because, ..step };
        assert!(check(&damaged, puzzle, candidates).is_err(), "{damaged:?}");
        refused += 1;
    });
    assert!(refused > 20, "only {refused} steps were damaged");
}

/// A tree must try every digit of a cell: with one choice less nothing follows.
#[test]
fn an_exocet_with_a_choice_that_is_not_tried_is_refused() {
    let mut refused = 0;
    each_exocet(|puzzle, candidates, _, step| {
        let Because::Tree(mut tree) = step.because.clone() else { return };
        let Ending::Split(_, branches) = &mut tree.end else { return };
        branches.pop();
        let damaged = Step { because: Because::Tree(tree), ..step };
        assert!(check(&damaged, puzzle, candidates).is_err(), "{damaged:?}");
        refused += usize::from(damaged.technique == Technique::ExocetLink);
    });
    assert!(refused > 0, "no link was damaged");
}

/// The same proof with a truth less in every count.
fn with_room(because: &Because) -> Because {
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
            end @ Ending::Nothing(_) => end.clone(),
        };
        Tree { end, ..tree.clone() }
    }
    match because {
        Because::Tree(tree) => Because::Tree(in_tree(tree)),
        Because::Count(count) => {
            let mut count = count.clone();
            count.truths.pop();
            Because::Count(count)
        }
        other => panic!("{other:?} is no proof of an exocet"),
    }
}
