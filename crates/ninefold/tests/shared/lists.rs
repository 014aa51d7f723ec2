//! Runs every solver on the public puzzle lists and compares the results with their README.
//!
//! A few evenly spread lines of each list are tested;
//! `NINEFOLD_CASES=1000 cargo test --test shared lists` tests about 1000 of each.

use crate::amount;
use ninefold::grid::{Grid, House, text};
use ninefold::search::{self, Limits, Solutions, Solver};
use ninefold_test_support::shared;

/// Solvers that are too slow for the hard lists. They run with a node limit, and their results must
/// be correct if they finish.
const SLOW: [&str; 2] = ["backtrack", "astar"];
const NODES_FOR_SLOW: u64 = 20_000;

/// The expected result for every line of a list.
#[derive(Clone, Copy)]
enum Expected {
    One,
    Many,
    Zero,
    /// One or many; all solvers must agree.
    OneOrMany,
}

pub fn puzzles_with_one_solution() {
    for list in [
        "sudoku_17_clue.txt.gz",
        "forum_hardest_1905_er11plus.txt.gz",
        "forum_hardest_1106.txt",
        "magictour_top1465.txt",
        "unbiased_minimal.txt",
        "random_minimal_generated.txt.gz",
        "kaggle_easy_10000.txt",
        "norvig_top95.txt",
        "norvig_hardest.txt",
        "norvig_easy50.txt",
        "sudoku_4x4.txt",
        "sudoku_16x16_easy.txt",
        "sudoku_16x16_few_clues.txt",
    ] {
        check(list, Expected::One, None);
    }
}

pub fn puzzles_with_many_solutions() {
    check("multi_solution_serg.txt", Expected::Many, None);
}

pub fn puzzles_without_a_solution() {
    check("no_solution_generated.txt", Expected::Zero, None);
}

pub fn half_filled_grids_of_9x9() {
    check("quasi_completion_9x9_acs.txt", Expected::OneOrMany, None);
}

pub fn half_filled_grids_of_16x16_and_25x25() {
    // Some of them are too hard for every solver, so all solvers have a node limit here.
    check("quasi_completion_16x16_acs.txt", Expected::OneOrMany, Some(2_000));
    check("quasi_completion_25x25_acs.txt", Expected::OneOrMany, Some(500));
}

pub fn all_half_filled_grids_of_9x9_are_counted_as_the_readme_says() {
    let lines = shared::lines("quasi_completion_9x9_acs.txt");
    let mut unique = 0;
    for line in &lines {
        let puzzle = text::parse(line, None).expect(line);
        let (count, _) =
            search::dlx::Dlx.count(&puzzle, 2, &Limits::none()).expect("it supports every size");
        assert!(count > 0, "{line}");
        unique += usize::from(count == 1);
    }
    assert_eq!((unique, lines.len() - unique), (877, 1_023));
}

pub fn named_puzzles() {
    let lines = shared::lines("named_hard_9x9_acs.txt");
    for line in &lines {
        let expected = if line.ends_with("sabuncu3") { Expected::Many } else { Expected::One };
        check_line(line, expected, None);
    }
}

pub fn invalid_puzzles_are_invalid_in_the_way_their_label_says() {
    let lines = shared::lines("invalid_cases_labelled.txt");
    for line in &lines {
        check_line(line, Expected::Zero, None);
        let house = puzzle_of(line).conflict().map(|conflict| conflict.house);
        let is_as_labelled = match line.split_once(' ').map(|(_, label)| label) {
            Some("row duplicate") => matches!(house, Some(House::Row(_))),
            Some("column duplicate") => matches!(house, Some(House::Column(_))),
            Some("box duplicate") => matches!(house, Some(House::Box(_))),
            _ => house.is_none(),
        };
        assert!(is_as_labelled, "{line}: the conflict is in {house:?}");
    }
}

/// Runs every solver on some lines of a list.
fn check(list: &str, expected: Expected, nodes: Option<u64>) {
    let lines = shared::lines(list);
    let step = lines.len().div_ceil(amount::cases(20).max(1));
    let sample: Vec<&String> = lines.iter().step_by(step.max(1)).collect();
    for line in &sample {
        check_line(line, expected, nodes);
    }
    println!("{list}: {} of {} lines", sample.len(), lines.len());
}

fn check_line(line: &str, expected: Expected, nodes: Option<u64>) {
    let puzzle = puzzle_of(line);
    let mut answers: Vec<(&str, usize)> = Vec::new();
    for solver in search::all().iter().filter(|solver| solver.supports(puzzle.order())) {
        if let Some(count) = answer(*solver, &puzzle, nodes) {
            let is_right = match expected {
                Expected::Zero => count == 0,
                Expected::One => count == 1,
                Expected::Many => count == 2,
                Expected::OneOrMany => count > 0,
            };
            assert!(
                is_right,
                "{} finds {count} solutions (2 means two or more) of {line}",
                solver.name()
            );
            answers.push((solver.name(), count));
        }
    }
    assert!(answers.windows(2).all(|pair| pair[0].1 == pair[1].1), "{answers:?} on {line}");
}

/// 0, 1 or 2 solutions; `None` if the solver ran out of nodes.
fn answer(solver: &dyn Solver, puzzle: &Grid, nodes: Option<u64>) -> Option<usize> {
    let nodes =
        if SLOW.contains(&solver.name()) { Some(nodes.unwrap_or(NODES_FOR_SLOW)) } else { nodes };
    let limits = Limits::none().with_nodes(nodes);
    match solver.prove(puzzle, &limits).expect("the size is supported").solutions {
        Ok(Solutions::Zero) => Some(0),
        Ok(Solutions::One(_)) => Some(1),
        Ok(Solutions::Many(one, other)) => {
            assert_ne!(one, other, "{}", solver.name());
            Some(2)
        }
        Err(_ran_out) => None,
    }
}

/// The puzzle of a line, which may be followed by a label.
fn puzzle_of(line: &str) -> Grid {
    let puzzle = line.split(' ').next().unwrap_or(line);
    text::parse_position(puzzle, None).unwrap_or_else(|error| panic!("{line}: {error}"))
}
