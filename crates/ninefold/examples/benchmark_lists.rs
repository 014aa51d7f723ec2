//! Generates the small lists in `benchmarks/lists`:
//! `cargo run --release --example benchmark_lists -- benchmarks/lists`.
//!
//! The lists are small enough for the repository and hard enough to detect an incorrect solver.
//! Every run writes the same lists: the seed is fixed, and no result depends on which solver
//! Ninefold uses by default.

use ninefold::grid::{Cell, Grid, House, Order, Symmetry};
use ninefold::random::Random;
use ninefold::search::backtrack::Backtrack;
use ninefold::search::{self, Limits, Solutions, Solver};
use std::path::Path;

fn main() -> std::io::Result<()> {
    let directory = std::env::args().nth(1).expect("usage: benchmark_lists DIRECTORY");
    let mut random = Random::new(2026);
    let mut many = |count: usize, make: &dyn Fn(&mut Random) -> Grid| -> Vec<Grid> {
        (0..count).map(|_| make(&mut random)).collect()
    };
    let nine = Order::NINE;
    let small = [
        Order::FOUR,
        Order::new(2, 3).expect("6×6 is a size"),
        Order::new(2, 4).expect("8×8 is a size"),
    ];
    let lists = [
        ("minimal.txt", many(300, &|random| minimal(nine, random))),
        ("easy.txt", many(300, &|random| with_clues(36, random))),
        ("several.txt", many(200, &|random| several(&minimal(nine, random), random))),
        ("none.txt", many(200, &|random| none(random))),
        (
            "small.txt",
            many(300, &|random| minimal(*random.pick(&small).expect("three sizes"), random)),
        ),
    ];
    for (name, puzzles) in lists {
        let text: String = puzzles.iter().map(|puzzle| format!("{puzzle}\n")).collect();
        std::fs::write(Path::new(&directory).join(name), text)?;
    }
    Ok(())
}

/// A random complete grid. The boxes on the diagonal are filled at random, then the backtracking
/// solver completes the grid. If that is impossible, other boxes are tried.
fn full(order: Order, random: &mut Random) -> Grid {
    let boxes_in_a_row = order.side() / order.box_columns();
    loop {
        let mut grid = Grid::empty(order);
        for at in 0..boxes_in_a_row.min(order.side() / order.box_rows()) {
            let mut digits: Vec<_> = order.digits().collect();
            random.shuffle(&mut digits);
            let diagonal = House::Box((at * boxes_in_a_row + at) as u8);
            for (&cell, digit) in order.cells_in(diagonal).iter().zip(digits) {
                grid.set(cell, Some(digit));
            }
        }
        let (solution, _) =
            Backtrack.first(&grid, &Limits::none()).expect("the plain solver supports every size");
        if let Some(solution) = solution {
            return Symmetry::random(order, random).image(&solution);
        }
    }
}

fn solutions(puzzle: &Grid) -> Solutions {
    let proof = search::default_for(puzzle).prove(puzzle, &Limits::none());
    proof.expect("the default solver supports every size").solutions.expect("there is no limit")
}

/// Removes clues in random order as long as the solution stays unique and more than `keep` clues
/// are left.
fn with_at_least(mut grid: Grid, keep: usize, random: &mut Random) -> Grid {
    let mut cells: Vec<Cell> = grid.order().cells().collect();
    random.shuffle(&mut cells);
    for cell in cells {
        if grid.clue_count() <= keep {
            break;
        }
        let fewer = grid.without(cell);
        if matches!(solutions(&fewer), Solutions::One(_)) {
            grid = fewer;
        }
    }
    grid
}

fn minimal(order: Order, random: &mut Random) -> Grid {
    with_at_least(full(order, random), 0, random)
}

fn with_clues(keep: usize, random: &mut Random) -> Grid {
    with_at_least(full(Order::NINE, random), keep, random)
}

/// A puzzle with several solutions: a minimal puzzle without one of its clues.
fn several(minimal: &Grid, random: &mut Random) -> Grid {
    let clues: Vec<Cell> = minimal.clues().map(|(cell, _)| cell).collect();
    minimal.without(*random.pick(&clues).expect("a minimal puzzle has clues"))
}

/// A puzzle without a solution, in which no two clues conflict: a minimal puzzle with one clue
/// changed.
fn none(random: &mut Random) -> Grid {
    loop {
        let puzzle = minimal(Order::NINE, random);
        let clues: Vec<Cell> = puzzle.clues().map(|(cell, _)| cell).collect();
        let digits: Vec<_> = Order::NINE.digits().collect();
        let cell = *random.pick(&clues).expect("a minimal puzzle has clues");
        let changed = puzzle.with(cell, *random.pick(&digits).expect("nine digits"));
        if changed.conflict().is_none() && matches!(solutions(&changed), Solutions::Zero) {
            return changed;
        }
    }
}
