//! The public puzzle lists of `../shared/data`, beside the workspace: the network answers as its README says.
//!
//! The lists are not part of this repository; without them these tests say so and pass.

use flate2::read::GzDecoder;
use neural::models::hopfield::{Config, Hopfield, Outcome, solve};
use ninefold::grid::Grid;
use ninefold::search::Limits;
use std::io::Read;
use std::path::Path;

const LINES_PER_LIST: usize = 20;

#[test]
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

#[test]
fn puzzles_without_a_solution_are_never_solved() {
    check("no_solution_generated.txt", |_, outcome| matches!(outcome, Outcome::NoSolution(_)));
}

#[test]
fn puzzles_with_several_solutions_are_reported() {
    check("multi_solution_serg.txt", |_, outcome| matches!(outcome, Outcome::Several(..)));
}

fn check(list: &str, expected: impl Fn(&Grid, &Outcome) -> bool) {
    let Some(lines) = read(list) else { return };
    for line in lines.iter().step_by((lines.len() / LINES_PER_LIST).max(1)) {
        let puzzle: Grid = line.parse().expect(line);
        for system in Hopfield::ALL {
            let config = Config { astar_nodes: 2_000, ..system.config() };
            let outcome = solve(&puzzle, &config, &Limits::none()).outcome;
            assert!(expected(&puzzle, &outcome), "{list}, {system:?}: {line}: {outcome:?}");
        }
    }
}

fn read(list: &str) -> Option<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(list);
    let Ok(bytes) = std::fs::read(path) else {
        println!("skipped: ../shared/data is absent");
        return None;
    };
    let mut text = String::new();
    match list.ends_with(".gz") {
        true => GzDecoder::new(&bytes[..]).read_to_string(&mut text).expect("a gzip file of text"),
        false => (&bytes[..]).read_to_string(&mut text).expect("a file of text"),
    };
    Some(text.lines().map(str::to_string).collect())
}
