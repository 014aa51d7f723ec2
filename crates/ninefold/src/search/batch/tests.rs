//! Tests of the batch solver: every engine against the other solvers.

use super::*;
use crate::random::Random;
use crate::search::{Solver, backtrack::Backtrack};

const EASY: Line =
    *b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const HARD: Line =
    *b"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

fn all_by_bands(puzzle: &Line) -> Vec<Line> {
    let mut found = Vec::new();
    let visit = &mut |solution: Grid| {
        found.extend(nine::line(&solution));
        ControlFlow::Continue(())
    };
    crate::search::bands::Bands.search(&nine::grid(puzzle), &Limits::none(), visit).unwrap();
    found
}

fn engines() -> impl Iterator<Item = Batch> {
    Engine::available().filter_map(Batch::with_engine)
}

#[test]
fn tallies_are_in_the_order_of_the_puzzles() {
    let mut impossible = EASY;
    impossible[2] = b'5';
    let mut few = EASY;
    few[..40].fill(b'.');
    let puzzles: Vec<Line> =
        [EASY, HARD, impossible, few, [b'.'; 81]].into_iter().cycle().take(333).collect();
    for batch in engines() {
        let tallies = batch.count_all(&puzzles, 2);
        for (tally, expected) in tallies.iter().zip([1, 1, 0, 2, 2].into_iter().cycle()) {
            assert_eq!(tally.solutions, expected, "{:?}", batch.engine());
        }
        assert_eq!(tallies[0].guesses, 0);
        assert!(tallies[1].guesses > 0);
    }
}

#[test]
fn engines_visit_the_same_search_trees() {
    let puzzles: Vec<Line> = [EASY, HARD].into_iter().cycle().take(100).collect();
    let tallies: Vec<_> = engines().map(|batch| batch.count_all(&puzzles, 2)).collect();
    for other in &tallies[1..] {
        assert_eq!(other[..32], tallies[0][..32]);
    }
}

#[test]
fn every_solution_is_visited_once() {
    let mut puzzle =
        *b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    puzzle[..30].fill(b'.');
    let grid = nine::grid(&puzzle);
    let (expected, _) = Backtrack.count(&grid, u64::MAX, &Limits::none()).unwrap();
    assert!(expected > 1);
    for batch in engines() {
        let mut seen = std::collections::HashSet::new();
        let (tallies, effort) =
            batch.solve_all(&[puzzle], u64::MAX, &Limits::none(), &mut |_, solution| {
                assert!(seen.insert(*solution), "the same solution twice");
                ControlFlow::Continue(())
            });
        assert_eq!((seen.len() as u64, tallies[0].solutions), (expected, expected));
        assert_eq!(effort.stop, None);
    }
}

#[test]
fn several_guesses_at_once_find_every_solution_once() {
    // Four boxes are nearly empty, so that a lane guesses many times before its first dead end
    // or solution.
    let puzzle =
        *b"8.........95.......76.........426798...571243...893165......916....3.487....1.532";
    let mut expected = 0;
    for line in all_by_bands(&puzzle) {
        assert!(nine::solves(&line, &puzzle));
        expected += 1;
    }
    assert!(expected > 500, "{expected}");
    for batch in engines() {
        let mut seen = std::collections::HashSet::new();
        let (tallies, _) =
            batch.solve_all(&[puzzle], u64::MAX, &Limits::none(), &mut |_, solution| {
                assert!(seen.insert(*solution), "the same solution twice");
                ControlFlow::Continue(())
            });
        assert_eq!(
            (seen.len(), tallies[0].solutions),
            (expected, expected as u64),
            "{:?}",
            batch.engine()
        );
    }
}

#[test]
fn count_more_continues_from_the_given_tallies() {
    let solution =
        *b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    let mut open = nine::marks_of(&EASY);
    let mut excluded = open;
    // Excluding the digit of r1c1 in `excluded` leaves exactly the solutions that differ from
    // the known one.
    open[0] = ANY;
    excluded[0] = ANY ^ BITS_OF_BYTE[usize::from(solution[0])];
    for batch in engines() {
        let all = batch.count_all_marks(&[open], 2)[0].solutions;
        let mut tallies = [Tally::new(1, 0), Tally::new(0, 0), Tally::new(1, 0)];
        batch.count_more(&[excluded, open, nine::marks_of(&EASY)], 2, &mut tallies);
        assert_eq!(tallies.map(|tally| tally.solutions), [all, all, 2], "{:?}", batch.engine());
    }
}

#[test]
fn lanes_that_share_a_puzzle_respect_the_limit() {
    for batch in engines() {
        let mut seen = 0;
        batch.solve_all(&[[b'.'; 81]], 5, &Limits::none(), &mut |_, _| {
            seen += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(seen, 5);
    }
}

#[test]
fn every_engine_agrees_with_the_oracle_on_random_puzzles() {
    let mut random = Random::new(5);
    let solution =
        *b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    let mut puzzles = Vec::new();
    for _ in 0..200 {
        let mut puzzle = solution;
        for _ in 0..random.below(60) {
            puzzle[random.below(81)] = b'.';
        }
        if random.chance(0.3) {
            puzzle[random.below(81)] = b'1' + random.below(9) as u8;
        }
        puzzles.push(puzzle);
    }
    let expected: Vec<u64> = puzzles
        .iter()
        .map(|puzzle| Backtrack.count(&nine::grid(puzzle), 3, &Limits::none()).unwrap().0)
        .collect();
    for batch in engines() {
        let counted: Vec<u64> =
            batch.count_all(&puzzles, 3).iter().map(|tally| tally.solutions).collect();
        assert_eq!(counted, expected, "{:?}", batch.engine());
    }
}

#[test]
fn prefetched_puzzles_are_assigned_to_the_right_lanes() {
    // All solutions differ, so that a cell in a wrong lane is detected. Bytes other than digits
    // are empty cells.
    let mut random = Random::new(8);
    let blanks = [b'.', b'0', b':', b'/', b' ', b'x', 0, 255];
    let puzzles: Vec<Line> = (0..200)
        .map(|_| {
            let mut puzzle =
                nine::line(&crate::generate::full::random(Order::NINE, &mut random)).unwrap();
            (0..30).for_each(|_| puzzle[random.below(81)] = blanks[random.below(8)]);
            puzzle
        })
        .collect();
    for batch in engines() {
        let mut found = vec![Vec::new(); puzzles.len()];
        let (tallies, _) =
            batch.solve_all(&puzzles, 3, &Limits::none(), &mut |puzzle, solution| {
                found[puzzle].push(*solution);
                ControlFlow::Continue(())
            });
        for ((puzzle, tally), mut found) in puzzles.iter().zip(&tallies).zip(found) {
            let alone = batch.count_all(&[*puzzle], 3)[0];
            assert_eq!((tally.solutions, found.len() as u64), (alone.solutions, alone.solutions));
            assert!(found.iter().all(|solution| nine::solves(solution, puzzle)));
            found.dedup();
            assert_eq!(found.len() as u64, tally.solutions, "{:?}", batch.engine());
        }
    }
}

#[test]
fn empty_batch_and_limit_of_zero_return_at_once() {
    assert_eq!(Batch::BEST.count_all(&[], 2), []);
    assert_eq!(Batch::BEST.count_all(&[EASY], 0), [Tally::default()]);
}
