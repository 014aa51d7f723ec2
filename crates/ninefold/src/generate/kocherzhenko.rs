//! Kocherzhenko's generator (2020, `sudoku_generator.py`): backtracking fill, then removal.
//!
//! The grid is filled in reading order, each cell with the first of its digits, in random order, that lets the rest be
//! filled. Then random cells are emptied as long as the solution stays the only one; a cell stays filled when that could
//! not be proven. The paper does not say when removal ends; here it ends after a number of cells, `refusals`, that could
//! not be emptied.
//!
//! The names of its functions (`checkGrid`, `fillSolveGrid` with `counter`) are those of a script that was passed around
//! at the time. That script draws a random clue each time, also one that it could not take before, and ends when five
//! draws have failed: [`kocherzhenko_redrawn`] with 5. That the paper used it is our inference. The only measurement it
//! gives is that backtracking took 32 times longer for its own puzzles than for Kaggle's; of the endings of
//! [`kocherzhenko`] that we timed, five refusals come nearest (29 times).

use super::{Made, is_unique};
use crate::grid::{Cell, Digit, Grid, Order};
use crate::random::Random;

/// Puzzle number `index` of the ones that `seed` makes by Kocherzhenko's method.
#[must_use]
pub fn kocherzhenko(order: Order, refusals: usize, seed: u64, index: u64) -> Made {
    let mut random = Random::for_part(seed, index);
    let solution = fill(order, &mut random);
    let mut puzzle = solution.clone();
    let mut refused = 0;
    let mut cells: Vec<Cell> = order.cells().collect();
    random.shuffle(&mut cells);
    for cell in cells {
        let fewer = puzzle.without(cell);
        if is_unique(&fewer) == Ok(true) {
            puzzle = fewer;
        } else {
            refused += 1;
            if refused == refusals {
                break;
            }
        }
    }
    Made { puzzle, solution }
}

/// The same, but a cell that could not be emptied may be drawn again, and is then refused again.
#[must_use]
pub fn kocherzhenko_redrawn(order: Order, refusals: usize, seed: u64, index: u64) -> Made {
    let mut random = Random::for_part(seed, index);
    let solution = fill(order, &mut random);
    let mut puzzle = solution.clone();
    let mut clues: Vec<Cell> = order.cells().collect();
    let mut refused = 0;
    while refused < refusals && !clues.is_empty() {
        let drawn = random.below(clues.len());
        let fewer = puzzle.without(clues[drawn]);
        if is_unique(&fewer) == Ok(true) {
            puzzle = fewer;
            clues.swap_remove(drawn);
        } else {
            refused += 1;
        }
    }
    Made { puzzle, solution }
}

/// The paper's fill, begun again with fresh digits when it loses itself; a plain walk can take minutes on 16×16.
fn fill(order: Order, random: &mut Random) -> Grid {
    let mut steps = 200 * order.cell_count() as u64;
    loop {
        let mut grid = Grid::empty(order);
        if fill_from(&mut grid, 0, random, &mut steps.clone()) {
            return grid;
        }
        // Some orders are beyond plain backtracking; then the fast fill stands in for it.
        if steps > 2_000 * order.cell_count() as u64 {
            return super::full::random(order, random);
        }
        steps *= 2;
    }
}

fn fill_from(grid: &mut Grid, index: usize, random: &mut Random, steps_left: &mut u64) -> bool {
    let order = grid.order();
    if index == order.cell_count() {
        return true;
    }
    let cell = Cell::new(index);
    let mut digits: Vec<Digit> = order.digits().collect();
    random.shuffle(&mut digits);
    for digit in digits {
        if order.peers_of(cell).iter().any(|&peer| grid[peer] == Some(digit)) {
            continue;
        }
        if *steps_left == 0 {
            return false;
        }
        *steps_left -= 1;
        grid.set(cell, Some(digit));
        if fill_from(grid, index + 1, random, steps_left) {
            return true;
        }
        grid.set(cell, None);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puzzles_have_one_solution_and_are_the_same_for_the_same_seed() {
        for index in 0..10 {
            let made = kocherzhenko(Order::NINE, 5, 1, index);
            assert_eq!(is_unique(&made.puzzle), Ok(true));
            assert!(made.solution.solves(&made.puzzle));
            assert_eq!(kocherzhenko(Order::NINE, 5, 1, index), made);
        }
        assert_ne!(kocherzhenko(Order::NINE, 5, 1, 0), kocherzhenko(Order::NINE, 5, 2, 0));
    }

    #[test]
    fn a_cell_that_is_refused_twice_ends_the_removal_sooner() {
        let clues = |make: fn(Order, usize, u64, u64) -> Made| -> usize {
            (0..40)
                .map(|index| make(Order::NINE, 5, 1, index))
                .inspect(|made| {
                    assert!(
                        is_unique(&made.puzzle) == Ok(true) && made.solution.solves(&made.puzzle)
                    )
                })
                .map(|made| made.puzzle.clue_count())
                .sum()
        };
        assert!(clues(kocherzhenko_redrawn) > clues(kocherzhenko));
        assert_eq!(kocherzhenko_redrawn(Order::FOUR, 0, 1, 0).puzzle.clue_count(), 16);
    }

    #[test]
    fn a_minimal_puzzle_comes_out_when_every_cell_may_be_refused() {
        for order in [Order::FOUR, Order::NINE, Order::boxes(2, 3).unwrap()] {
            let made = kocherzhenko(order, usize::MAX, 3, 0);
            assert_eq!(super::super::is_minimal(&made.puzzle), Ok(true), "{}", made.puzzle);
        }
    }
}
