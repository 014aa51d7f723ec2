//! Every solver respects its limits and reports which one stopped it.

use ninefold::grid::{Grid, Order};
use ninefold::search::{self, Effort, Limits, Solutions, Solver, StopReason};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Bounds for a solver that ignores a limit. Without them it would never finish an empty grid.
const SAFETY_NODES: u64 = 2_000_000;
const SAFETY_SOLUTIONS: u64 = 100_000;

/// Runs a check with each solver and an empty grid, which has too many solutions to visit them all.
fn for_each_solver(check: impl Fn(&dyn Solver, &Grid)) {
    for solver in search::all() {
        let order = [Order::NINE, Order::SIXTEEN].into_iter().find(|order| solver.supports(*order));
        let order =
            order.unwrap_or_else(|| panic!("{} supports neither 9×9 nor 16×16", solver.name()));
        check(*solver, &Grid::empty(order));
    }
}

/// Visits all solutions within limits.
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
    (count, effort.expect("the size is supported"))
}

#[test]
fn node_limit_of_zero_stops_at_once() {
    for_each_solver(|solver, empty| {
        let (count, effort) = walk(solver, empty, &Limits::none().with_nodes(0), || ());
        assert_eq!((count, effort.stop), (0, Some(StopReason::Nodes)), "{}", solver.name());
    });
}

#[test]
fn time_limit_of_zero_stops_at_once() {
    for_each_solver(|solver, empty| {
        let limits = Limits::none().with_time(Duration::ZERO).with_nodes(SAFETY_NODES);
        let (count, effort) = walk(solver, empty, &limits, || ());
        assert_eq!((count, effort.stop), (0, Some(StopReason::Time)), "{}", solver.name());
    });
}

#[test]
fn node_limit_stops_an_endless_walk() {
    for_each_solver(|solver, empty| {
        let (_, effort) = walk(solver, empty, &Limits::none().with_nodes(2_000), || ());
        assert_eq!(effort.stop, Some(StopReason::Nodes), "{}", solver.name());
        assert!(effort.nodes > 2_000, "{}: {effort:?}", solver.name());
    });
}

#[test]
fn cancelling_before_the_start_finds_nothing() {
    for_each_solver(|solver, empty| {
        let cancel = AtomicBool::new(true);
        let limits = Limits::none().with_cancel(&cancel).with_nodes(SAFETY_NODES);
        let (count, effort) = walk(solver, empty, &limits, || ());
        assert_eq!((count, effort.stop), (0, Some(StopReason::Cancelled)), "{}", solver.name());
    });
}

#[test]
fn cancelling_during_a_search_stops_it() {
    for_each_solver(|solver, empty| {
        let cancel = AtomicBool::new(false);
        let limits = Limits::none().with_cancel(&cancel).with_nodes(SAFETY_NODES);
        let (count, effort) =
            walk(solver, empty, &limits, || cancel.store(true, Ordering::Relaxed));
        assert!(count > 0, "{} found nothing", solver.name());
        assert_eq!(effort.stop, Some(StopReason::Cancelled), "{}", solver.name());
    });
}

#[test]
fn caller_can_stop_the_walk() {
    for_each_solver(|solver, empty| {
        let (count, effort) =
            solver.count(empty, 5, &Limits::none().with_nodes(SAFETY_NODES)).unwrap();
        assert_eq!((count, effort.stop), (5, Some(StopReason::Enough)), "{}", solver.name());
        let (first, effort) =
            solver.first(empty, &Limits::none().with_nodes(SAFETY_NODES)).unwrap();
        assert!(first.is_some_and(|grid| grid.is_solved()), "{}", solver.name());
        assert_eq!(effort.stop, Some(StopReason::Enough), "{}", solver.name());
        assert_eq!(solver.count(empty, 0, &Limits::none()).unwrap().0, 0, "{}", solver.name());
    });
}

#[test]
fn node_limit_is_exact() {
    let puzzle: Grid =
        "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..41.....7..7...3.."
            .parse()
            .unwrap();
    for solver in search::all().iter().filter(|solver| solver.supports(puzzle.order())) {
        let free = solver.prove(&puzzle, &Limits::none()).unwrap();
        let Ok(Solutions::One(solution)) = free.solutions else {
            panic!("{} returned {:?}", solver.name(), free.solutions);
        };
        let enough = solver.prove(&puzzle, &Limits::none().with_nodes(free.effort.nodes)).unwrap();
        assert_eq!(enough.solutions, Ok(Solutions::One(solution.clone())), "{}", solver.name());
        let short =
            solver.prove(&puzzle, &Limits::none().with_nodes(free.effort.nodes - 1)).unwrap();
        let unfinished = short.solutions.expect_err(solver.name());
        assert_eq!(unfinished.stop, StopReason::Nodes, "{}", solver.name());
        assert!(unfinished.found.is_none_or(|found| found == solution), "{}", solver.name());
    }
}

#[test]
fn rejects_unsupported_sizes() {
    for solver in search::all() {
        for shape in [(2, 2), (2, 3), (3, 2), (3, 3), (4, 4), (5, 5)] {
            let order = Order::new(shape.0, shape.1).unwrap();
            let answer = solver.first(&Grid::empty(order), &Limits::none().with_nodes(0));
            assert_eq!(answer.is_ok(), solver.supports(order), "{} on {order}", solver.name());
        }
    }
}

#[test]
fn largest_grid_does_not_overflow_the_stack() {
    let order = Order::new(8, 8).unwrap();
    let shifted = |row: usize, column: usize| ((row * 8 + row / 8 + column) % 64 + 1) as u8;
    let numbers: Vec<u8> =
        (0..64).flat_map(|row| (0..64).map(move |column| shifted(row, column))).collect();
    let solved = Grid::from_numbers(order, &numbers).unwrap();
    let mut third = solved.clone();
    for cell in order.cells().filter(|cell| cell.index() % 3 == 0) {
        third.set(cell, None);
    }
    for solver in search::all().iter().filter(|solver| solver.supports(order)) {
        let (found, effort) = solver.first(&solved, &Limits::none().with_nodes(1)).unwrap();
        assert!(found.as_ref() == Some(&solved), "{}: {effort:?}", solver.name());
        for puzzle in [&third, &Grid::empty(order)] {
            let (found, effort) = solver.first(puzzle, &Limits::none().with_nodes(5_000)).unwrap();
            assert!(
                found.is_some() || effort.stop == Some(StopReason::Nodes),
                "{}: {effort:?}",
                solver.name()
            );
        }
    }
}
