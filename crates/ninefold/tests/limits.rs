//! Every solver keeps its limits and says which one stopped it.

use ninefold::grid::{Grid, Order};
use ninefold::search::{self, Effort, Limits, Solutions, Solver, Stop};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A solver that ignores a limit would walk through an empty grid for ever; one of these ends it, and the test fails.
const SAFETY_NODES: u64 = 2_000_000;
const SAFETY_SOLUTIONS: u64 = 100_000;

/// Asks each solver about an empty grid with more solutions than anyone can walk through.
fn for_each_solver(check: impl Fn(&dyn Solver, &Grid)) {
    for solver in search::all() {
        let order = [Order::NINE, Order::SIXTEEN].into_iter().find(|order| solver.takes(*order));
        let order =
            order.unwrap_or_else(|| panic!("{} takes neither 9×9 nor 16×16", solver.name()));
        check(*solver, &Grid::empty(order));
    }
}

/// Walks through all solutions under some limits.
fn walk(
    solver: &dyn Solver,
    puzzle: &Grid,
    limits: &Limits<'_>,
    mut each: impl FnMut(),
) -> (u64, Effort) {
    let mut count = 0;
    let effort = solver.search(puzzle, limits, &mut |_| {
        count += 1;
        each();
        if count == SAFETY_SOLUTIONS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    (count, effort.expect("the size was asked for"))
}

#[test]
fn no_nodes_means_no_answer() {
    for_each_solver(|solver, empty| {
        let (count, effort) = walk(solver, empty, &Limits::nodes(0), || ());
        assert_eq!((count, effort.stop), (0, Some(Stop::Nodes)), "{}", solver.name());
    });
}

#[test]
fn no_time_means_no_answer() {
    for_each_solver(|solver, empty| {
        let limits = Limits { nodes: Some(SAFETY_NODES), ..Limits::time(Duration::ZERO) };
        let (count, effort) = walk(solver, empty, &limits, || ());
        assert_eq!((count, effort.stop), (0, Some(Stop::Time)), "{}", solver.name());
    });
}

#[test]
fn a_node_limit_ends_a_walk_that_would_never_end() {
    for_each_solver(|solver, empty| {
        let (_, effort) = walk(solver, empty, &Limits::nodes(2_000), || ());
        assert_eq!(effort.stop, Some(Stop::Nodes), "{}", solver.name());
        assert!(effort.nodes > 2_000, "{}: {effort:?}", solver.name());
    });
}

#[test]
fn a_search_cancelled_before_it_starts_finds_nothing() {
    for_each_solver(|solver, empty| {
        let cancel = AtomicBool::new(true);
        let limits = Limits { nodes: Some(SAFETY_NODES), ..Limits::cancelled_by(&cancel) };
        let (count, effort) = walk(solver, empty, &limits, || ());
        assert_eq!((count, effort.stop), (0, Some(Stop::Cancelled)), "{}", solver.name());
    });
}

#[test]
fn a_search_cancelled_on_its_way_ends_soon() {
    for_each_solver(|solver, empty| {
        let cancel = AtomicBool::new(false);
        let limits = Limits { nodes: Some(SAFETY_NODES), ..Limits::cancelled_by(&cancel) };
        let (count, effort) =
            walk(solver, empty, &limits, || cancel.store(true, Ordering::Relaxed));
        assert!(count > 0, "{} found nothing", solver.name());
        assert_eq!(effort.stop, Some(Stop::Cancelled), "{}", solver.name());
    });
}

#[test]
fn a_caller_who_has_seen_enough_ends_the_walk() {
    for_each_solver(|solver, empty| {
        let (count, effort) = solver.count(empty, 5, &Limits::nodes(SAFETY_NODES)).unwrap();
        assert_eq!((count, effort.stop), (5, Some(Stop::Enough)), "{}", solver.name());
        let (first, effort) = solver.first(empty, &Limits::nodes(SAFETY_NODES)).unwrap();
        assert!(first.is_some_and(|grid| grid.is_solved()), "{}", solver.name());
        assert_eq!(effort.stop, Some(Stop::Enough), "{}", solver.name());
        assert_eq!(solver.count(empty, 0, &Limits::none()).unwrap().0, 0, "{}", solver.name());
    });
}

#[test]
fn just_enough_nodes_are_enough_and_one_less_is_not() {
    let puzzle: Grid =
        "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..41.....7..7...3.."
            .parse()
            .unwrap();
    for solver in search::all().iter().filter(|solver| solver.takes(puzzle.order())) {
        let free = solver.prove(&puzzle, &Limits::none()).unwrap();
        let Ok(Solutions::One(solution)) = free.solutions else {
            panic!("{} says {:?}", solver.name(), free.solutions);
        };
        let enough = solver.prove(&puzzle, &Limits::nodes(free.effort.nodes)).unwrap();
        assert_eq!(enough.solutions, Ok(Solutions::One(solution.clone())), "{}", solver.name());
        let short = solver.prove(&puzzle, &Limits::nodes(free.effort.nodes - 1)).unwrap();
        let unfinished = short.solutions.expect_err(solver.name());
        assert_eq!(unfinished.stop, Stop::Nodes, "{}", solver.name());
        assert!(unfinished.found.is_none_or(|found| found == solution), "{}", solver.name());
    }
}

#[test]
fn a_size_that_a_solver_does_not_take_is_refused() {
    for solver in search::all() {
        for shape in [(2, 2), (2, 3), (3, 2), (3, 3), (4, 4), (5, 5)] {
            let order = Order::boxes(shape.0, shape.1).unwrap();
            let answer = solver.first(&Grid::empty(order), &Limits::nodes(0));
            assert_eq!(answer.is_ok(), solver.takes(order), "{} on {order}", solver.name());
        }
    }
}

#[test]
fn the_largest_grid_needs_no_deeper_stack() {
    let order = Order::boxes(8, 8).unwrap();
    let shifted = |row: usize, column: usize| ((row * 8 + row / 8 + column) % 64 + 1) as u8;
    let numbers: Vec<u8> =
        (0..64).flat_map(|row| (0..64).map(move |column| shifted(row, column))).collect();
    let solved = Grid::from_numbers(order, &numbers).unwrap();
    let mut third = solved.clone();
    for cell in order.cells().filter(|cell| cell.index() % 3 == 0) {
        third.set(cell, None);
    }
    for solver in search::all().iter().filter(|solver| solver.takes(order)) {
        let (found, effort) = solver.first(&solved, &Limits::nodes(1)).unwrap();
        assert!(found.as_ref() == Some(&solved), "{}: {effort:?}", solver.name());
        for puzzle in [&third, &Grid::empty(order)] {
            let (found, effort) = solver.first(puzzle, &Limits::nodes(5_000)).unwrap();
            assert!(
                found.is_some() || effort.stop == Some(Stop::Nodes),
                "{}: {effort:?}",
                solver.name()
            );
        }
    }
}
