//! Compares every solver with the oracle, the slow and obvious backtracking, on random puzzles and
//! their symmetric images.
//!
//! `NINEFOLD_CASES=1000 cargo test --test solvers_agree` tests 1000 puzzles of each size.

#[path = "common/amount.rs"]
mod amount;
#[path = "common/puzzles.rs"]
mod puzzles;
#[path = "common/twins.rs"]
mod twins;

use ninefold::grid::{Grid, Order};
use ninefold::random::Random;
use ninefold::search::backtrack::Backtrack;
use ninefold::search::{self, Limits, Solutions, Solver, StopReason, Walk};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use twins::Twin;

/// Up to this number, all solutions are compared.
const MAX_SOLUTIONS: usize = 300;

#[test]
fn solvers_agree_on_4x4() {
    agree(Order::FOUR, 300);
}

#[test]
fn solvers_agree_on_6x6_with_wide_boxes() {
    agree(Order::new(2, 3).unwrap(), 100);
}

#[test]
fn solvers_agree_on_6x6_with_high_boxes() {
    agree(Order::new(3, 2).unwrap(), 100);
}

#[test]
fn solvers_agree_on_9x9() {
    agree(Order::NINE, 30);
}

fn agree(order: Order, default_cases: usize) {
    let mut seen = Seen::default();
    let cases = amount::cases(default_cases);
    for index in 0..cases {
        let random = &mut Random::for_part(20_261_115, index as u64);
        let unique = puzzles::unique(order, random);
        let removed = 1 + random.below(3);
        let puzzles = [
            puzzles::with_clues_removed(&unique, removed, random),
            puzzles::with_clue_altered(&unique, random),
            puzzles::with_clue_altered(
                &puzzles::with_clues_removed(&unique, removed, random),
                random,
            ),
            unique,
        ];
        for puzzle in puzzles {
            if let Some(expected) = oracle(&puzzle) {
                seen.count(&expected);
                check(&puzzle, &expected, &Twin::random(order, random));
            }
        }
    }
    println!("{order}: {seen:?}");
    let of_every_kind = seen.none > 0 && seen.one > 0 && seen.several > 0;
    assert!(
        of_every_kind || cases < default_cases,
        "{order}: some kind of puzzle did not occur: {seen:?}"
    );
}

/// The number of puzzles of each kind.
#[derive(Debug, Default)]
struct Seen {
    none: usize,
    one: usize,
    several: usize,
    too_many: usize,
}

impl Seen {
    fn count(&mut self, expected: &BTreeSet<String>) {
        match expected.len() {
            0 => self.none += 1,
            1 => self.one += 1,
            MAX_SOLUTIONS => self.too_many += 1,
            _ => self.several += 1,
        }
    }
}

/// All solutions up to the limit; `None` if the oracle runs out of nodes.
fn oracle(puzzle: &Grid) -> Option<BTreeSet<String>> {
    let (solutions, stop) = solutions(&Backtrack, puzzle);
    (stop != Some(StopReason::Nodes)).then_some(solutions)
}

fn check(puzzle: &Grid, expected: &BTreeSet<String>, twin: &Twin) {
    let twin_puzzle = twin.image(puzzle);
    let twin_expected: BTreeSet<String> = expected
        .iter()
        .map(|solution| {
            let solution = ninefold::grid::text::parse(solution, Some(puzzle.order()))
                .expect("a solution is a valid grid");
            twin.image(&solution).to_string()
        })
        .collect();
    for solver in search::all() {
        if solver.supports(puzzle.order()) {
            check_one(*solver, puzzle, expected);
        }
        if solver.supports(twin.order()) {
            check_one(*solver, &twin_puzzle, &twin_expected);
        }
    }
}

fn check_one(solver: &dyn Solver, puzzle: &Grid, expected: &BTreeSet<String>) {
    let who = format!("{} on {puzzle:?}", solver.name());
    let (found, stop) = solutions(solver, puzzle);
    if solver.name() == Backtrack.name() && stop == Some(StopReason::Nodes) {
        return; // The reading order of the image may be much slower for backtracking.
    }
    assert_ne!(stop, Some(StopReason::Nodes), "{who} exceeded the node limit");
    if expected.len() < MAX_SOLUTIONS {
        assert_eq!(&found, expected, "{who}");
    } else {
        assert_eq!(found.len(), MAX_SOLUTIONS, "{who}");
    }
    let proof = solver.prove(puzzle, &Limits::none()).expect(&who);
    match proof.solutions.expect(&who) {
        Solutions::Zero => assert_eq!(expected.len(), 0, "{who}"),
        Solutions::One(only) => assert_eq!(expected, &BTreeSet::from([only.to_string()]), "{who}"),
        Solutions::Many(one, other) => {
            assert!(expected.len() > 1, "{who}");
            assert!(one != other && one.solves(puzzle) && other.solves(puzzle), "{who}");
        }
    }
}

/// The solutions up to the limit, and the stop reason.
fn solutions(solver: &dyn Solver, puzzle: &Grid) -> (BTreeSet<String>, Option<StopReason>) {
    let mut found = BTreeSet::new();
    let effort = solver.search(
        puzzle,
        &Limits::none().with_nodes(10 * puzzles::ORACLE_NODES),
        &mut |solution| {
            assert!(found.insert(solution.to_string()), "{} found {solution} twice", solver.name());
            if found.len() == MAX_SOLUTIONS {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        },
    );
    (found, effort.expect("the solver supports this size").stop)
}

#[test]
fn image_of_a_solution_is_a_solution() {
    let random = &mut Random::new(5);
    for order in [Order::FOUR, Order::new(2, 3).unwrap(), Order::NINE, Order::new(3, 4).unwrap()] {
        let solution = puzzles::full(order, random);
        for _ in 0..20 {
            let twin = Twin::random(order, random);
            assert!(twin.image(&solution).is_solved(), "{twin:?} of {solution}");
        }
    }
}
