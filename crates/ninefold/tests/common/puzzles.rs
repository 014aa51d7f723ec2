//! Random puzzles that the oracle can solve. The oracle is the slow and obvious backtracking solver
//! that the tests compare all other solvers with.

use ninefold::grid::{Candidates, Cell, Grid, Order};
use ninefold::random::Random;
use ninefold::search::backtrack::Backtrack;
use ninefold::search::{Limits, Solver};

/// The node limit of the oracle. Puzzles are generated so that it suffices.
pub const ORACLE_NODES: u64 = 30_000;

/// A random full grid.
pub fn full(order: Order, random: &mut Random) -> Grid {
    let empty = Candidates::new(&Grid::empty(order)).expect("an empty grid has no conflict");
    filled(&empty, random).expect("an empty grid has a solution")
}

fn filled(candidates: &Candidates, random: &mut Random) -> Option<Grid> {
    let fewest = candidates.grid().empty_cells().min_by_key(|&cell| candidates.at(cell).count());
    let Some(cell) = fewest else {
        return Some(candidates.grid().clone());
    };
    let mut digits: Vec<_> = candidates.at(cell).collect();
    random.shuffle(&mut digits);
    digits.into_iter().find_map(|digit| {
        let mut next = candidates.clone();
        next.place(cell, digit);
        filled(&next, random)
    })
}

/// A puzzle with one solution. Clues are removed in random order while the oracle proves
/// uniqueness.
pub fn unique(order: Order, random: &mut Random) -> Grid {
    let mut puzzle = full(order, random);
    let mut cells: Vec<Cell> = order.cells().collect();
    random.shuffle(&mut cells);
    for cell in cells {
        let fewer = puzzle.without(cell);
        let (count, effort) = Backtrack
            .count(&fewer, 2, &Limits::none().with_nodes(ORACLE_NODES))
            .expect("it supports every size");
        if count == 1 && effort.stop.is_none() {
            puzzle = fewer;
        }
    }
    puzzle
}

/// A puzzle without some clues, so that it usually has several solutions.
pub fn with_clues_removed(puzzle: &Grid, count: usize, random: &mut Random) -> Grid {
    let mut puzzle = puzzle.clone();
    for _ in 0..count {
        let clues: Vec<Cell> = puzzle.clues().map(|(cell, _)| cell).collect();
        if let Some(&cell) = random.pick(&clues) {
            puzzle.set(cell, None);
        }
    }
    puzzle
}

/// A puzzle with one clue replaced by a random digit, so that it usually has no solution and often
/// breaks the rules.
pub fn with_clue_altered(puzzle: &Grid, random: &mut Random) -> Grid {
    let clues: Vec<Cell> = puzzle.clues().map(|(cell, _)| cell).collect();
    let digits: Vec<_> = puzzle.order().digits().collect();
    match (random.pick(&clues), random.pick(&digits)) {
        (Some(&cell), Some(&digit)) => puzzle.with(cell, digit),
        _ => puzzle.clone(),
    }
}
