//! The public puzzle lists of `../shared/data`, beside the workspace: the network answers as its README says.
//!
//! The lists are not part of this repository: without them these tests are ignored, or fail under
//! `NINEFOLD_REQUIRE=shared`.

use neural::models::hopfield::{Config, Hopfield, Outcome, solve};
use ninefold::grid::Grid;
use ninefold::search::Limits;
use ninefold_test_support::{self as support, shared};

const LINES_PER_LIST: usize = 20;

fn main() {
    support::run(support::tests![
        [SharedData]
        puzzles_with_one_solution_are_solved,
        puzzles_without_a_solution_are_never_solved,
        puzzles_with_several_solutions_are_reported,
    ]);
}

fn puzzles_with_one_solution_are_solved() {
    for list in [
        "kaggle_easy_10000.txt",
        "sudoku_17_clue.txt.gz",
        "forum_hardest_1106.txt",
        "sudoku_4x4.txt",
        "sudoku_16x16_easy.txt",
        "sudoku_16x16_few_clues.txt",
    ] {
        check(list, |puzzle, outcome| matches!(outcome, Outcome::Solved(grid) if grid.solves(puzzle)));
    }
}

fn puzzles_without_a_solution_are_never_solved() {
    check("no_solution_generated.txt", |_, outcome| matches!(outcome, Outcome::NoSolution(_)));
}

fn puzzles_with_several_solutions_are_reported() {
    check("multi_solution_serg.txt", |_, outcome| matches!(outcome, Outcome::Several(..)));
}

fn check(list: &str, expected: impl Fn(&Grid, &Outcome) -> bool) {
    let lines = shared::lines(list);
    for line in lines.iter().step_by((lines.len() / LINES_PER_LIST).max(1)) {
        let puzzle: Grid = line.parse().expect(line);
        for system in Hopfield::ALL {
            let config = Config { astar_nodes: 2_000, ..system.config() };
            let outcome = solve(&puzzle, &config, &Limits::none()).outcome;
            assert!(expected(&puzzle, &outcome), "{list}, {system:?}: {line}: {outcome:?}");
        }
    }
}
