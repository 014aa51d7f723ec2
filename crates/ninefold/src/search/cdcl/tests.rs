//! Compares the clause learning solver with the backtracking solver and with generated grids.

use super::{Cdcl, luby};
use crate::grid::{Grid, Order};
use crate::random::Random;
use crate::search::backtrack::Backtrack;
use crate::search::{Limits, Solutions, Solver, StopReason};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A random full grid: the cyclic pattern with shuffled digits, lines and bands.
fn full_grid(order: Order, random: &mut Random) -> Grid {
    let (rows, columns, side) = (order.box_rows(), order.box_columns(), order.side());
    let mut shuffled = |count: usize| {
        let mut all: Vec<usize> = (0..count).collect();
        random.shuffle(&mut all);
        all
    };
    let digits = shuffled(side);
    let mut lines = |bands: usize, size: usize| -> Vec<usize> {
        shuffled(bands)
            .into_iter()
            .flat_map(|band| shuffled(size).into_iter().map(move |at| band * size + at))
            .collect()
    };
    let (row_order, column_order) = (lines(side / rows, rows), lines(side / columns, columns));
    let digit_at = |row: usize, column: usize| {
        digits[(columns * (row % rows) + row / rows + column) % side] as u8 + 1
    };
    let numbers: Vec<u8> = row_order
        .iter()
        .flat_map(|&row| column_order.iter().map(move |&column| digit_at(row, column)))
        .collect();
    Grid::from_numbers(order, &numbers).expect("the pattern contains only digits of this size")
}

/// A copy of the grid that keeps each digit with this probability.
fn with_fill(full: &Grid, fill: f64, random: &mut Random) -> Grid {
    assert!(full.is_solved(), "{full:#}");
    let numbers: Vec<u8> =
        full.numbers().map(|number| if random.chance(fill) { number } else { 0 }).collect();
    Grid::from_numbers(full.order(), &numbers).expect("the numbers are from a full grid")
}

fn puzzle(order: Order, fill: f64, random: &mut Random) -> Grid {
    with_fill(&full_grid(order, random), fill, random)
}

fn square(n: usize) -> Order {
    Order::square(n).expect("a valid size")
}

fn count(puzzle: &Grid, limit: u64) -> u64 {
    let (count, effort) = Cdcl.count(puzzle, limit, &Limits::none()).unwrap();
    assert_eq!(effort.stop, (count == limit).then_some(StopReason::Enough));
    count
}

#[test]
fn finds_288_grids_of_4x4_once_each() {
    let mut seen = HashSet::new();
    let effort = Cdcl
        .search(&Grid::empty(Order::FOUR), &Limits::none(), &mut |solution| {
            assert!(seen.insert(solution), "a solution was found twice");
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!((seen.len(), effort.stop), (288, None));
}

#[test]
fn count_stops_at_the_limit() {
    assert_eq!(count(&Grid::empty(Order::NINE), 5_000), 5_000);
    assert_eq!(count(&Grid::empty(square(5)), 100), 100);
}

#[test]
fn finds_both_of_two_solutions() {
    // The four 1s and 2s of rows 1 and 3 can be exchanged.
    let puzzle: Grid = "..34 3412 ..43 4321".parse().unwrap();
    match Cdcl.prove(&puzzle, &Limits::none()).unwrap().solutions {
        Ok(Solutions::Many(first, second)) => {
            assert_ne!(first, second);
            assert!(first.solves(&puzzle) && second.solves(&puzzle));
        }
        other => panic!("expected two solutions, found {other:?}"),
    }
    assert_eq!(count(&puzzle, 10), 2);
}

#[test]
fn equal_clues_in_one_house_have_no_solution() {
    let puzzle = crate::grid::text::parse_position("11..............", None).unwrap();
    assert_eq!(count(&puzzle, 10), 0);
}

#[test]
fn digit_without_a_place_has_no_solution() {
    assert_eq!(count(&"123. ...4 .... ....".parse().unwrap(), 10), 0);
}

#[test]
fn full_grid_is_its_own_solution() {
    let full = full_grid(Order::SIXTEEN, &mut Random::new(1));
    assert_eq!(Cdcl.prove(&full, &Limits::none()).unwrap().solutions, Ok(Solutions::One(full)));
}

#[test]
fn agrees_with_backtracking_on_random_9x9_puzzles() {
    let mut random = Random::new(9);
    let mut counts = HashSet::new();
    for number in 0..150 {
        let mut puzzle = puzzle(Order::NINE, 0.38, &mut random);
        if number % 3 == 0 {
            // A wrong digit usually makes the puzzle unsolvable.
            let cell = Order::NINE.cell(random.below(9), random.below(9));
            puzzle.set(cell, Some(crate::grid::Digit::from_index(random.below(9))));
        }
        let all = |solver: &dyn Solver| {
            let mut all = HashSet::new();
            let mut found = 0;
            solver
                .search(&puzzle, &Limits::none(), &mut |solution| {
                    all.insert(solution);
                    found += 1;
                    if found == 300 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                })
                .unwrap();
            assert_eq!(all.len(), found, "{} found a solution twice", solver.name());
            all
        };
        let (ours, theirs) = (all(&Cdcl), all(&Backtrack));
        assert_eq!(ours.len(), theirs.len(), "{puzzle}");
        assert!(ours.len() == 300 || ours == theirs, "{puzzle}");
        counts.insert(ours.len());
    }
    assert!(
        counts.contains(&0) && counts.contains(&1) && counts.len() > 5,
        "too little variety: {counts:?}"
    );
}

#[test]
fn agrees_with_backtracking_on_rectangular_boxes() {
    let mut random = Random::new(23);
    for (rows, columns) in [(2, 3), (3, 2), (2, 4), (5, 2)] {
        for _ in 0..10 {
            let puzzle = puzzle(Order::new(rows, columns).unwrap(), 0.5, &mut random);
            let theirs = Backtrack.count(&puzzle, 500, &Limits::none()).unwrap().0;
            assert_eq!(Cdcl.count(&puzzle, 500, &Limits::none()).unwrap().0, theirs, "{puzzle:?}");
        }
    }
}

#[test]
fn proves_uniqueness_of_a_16x16_puzzle() {
    let order = Order::SIXTEEN;
    let mut random = Random::new(16);
    let full = full_grid(order, &mut random);
    let mut puzzle = with_fill(&full, 0.4, &mut random);
    // Add a clue where two solutions differ until only one is left.
    loop {
        match Cdcl.prove(&puzzle, &Limits::none()).unwrap().solutions {
            Ok(Solutions::Many(first, second)) => {
                let cell = order
                    .cells()
                    .find(|&cell| first[cell] != second[cell])
                    .expect("two different grids");
                puzzle.set(cell, full[cell]);
            }
            Ok(Solutions::One(only)) => {
                assert_eq!(only, full);
                break;
            }
            other => panic!("expected at least one solution, found {other:?}"),
        }
    }
}

#[test]
fn fills_large_grids() {
    for (n, fill) in [(5, 0.0), (5, 0.3), (5, 0.42), (6, 0.3), (7, 0.1)] {
        let puzzle = puzzle(square(n), fill, &mut Random::new(5));
        let (solution, _) = Cdcl.first(&puzzle, &Limits::none()).unwrap();
        assert!(solution.is_some_and(|solution| solution.solves(&puzzle)), "{puzzle:?}");
    }
}

#[test]
fn search_is_deterministic() {
    let puzzle = puzzle(square(5), 0.42, &mut Random::new(8));
    let effort = || Cdcl.prove(&puzzle, &Limits::none()).unwrap().effort;
    let (once, again) = (effort(), effort());
    assert!(once.nodes > 1_000, "the puzzle is too easy for this test");
    assert_eq!((once.nodes, once.guesses), (again.nodes, again.guesses));
}

#[test]
fn limits_stop_the_search() {
    // An empty 16×16 grid has too many solutions to finish, so only a limit stops this walk.
    let endless = |limits: &Limits<'_>| {
        Cdcl.search(&Grid::empty(Order::SIXTEEN), limits, &mut |_| ControlFlow::Continue(()))
            .unwrap()
            .stop
    };
    assert_eq!(
        endless(&Limits::none().with_time(Duration::from_millis(20))),
        Some(StopReason::Time)
    );
    assert_eq!(endless(&Limits::none().with_nodes(5_000)), Some(StopReason::Nodes));
    let cancel = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let run = scope.spawn(|| endless(&Limits::none().with_cancel(&cancel)));
        std::thread::sleep(Duration::from_millis(20));
        cancel.store(true, Ordering::Relaxed);
        assert_eq!(run.join().expect("the search ends"), Some(StopReason::Cancelled));
    });
}

#[test]
fn restarts_follow_the_luby_sequence() {
    assert_eq!(
        (1..=15).map(luby).collect::<Vec<_>>(),
        [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]
    );
}
