//! Kocherzhenko's generator (2020, `sudoku_generator.py`): fills a grid by backtracking, then
//! removes clues.
//!
//! The grid is filled in reading order. The digits of a cell are tried in random order. Then random
//! cells are emptied. A cell stays filled if there would be a second solution without it, or if the
//! uniqueness proof reaches its limit. The paper does not say when removal ends. Here it ends after
//! `max_failures` cells that could not be emptied.
//!
//! The function names in the paper (`checkGrid`, `fillSolveGrid` with `counter`) are those of a
//! script that was widely used at the time, so the paper probably used that script. It may draw a
//! clue again that it could not remove before, and it ends after five failed draws;
//! [`kocherzhenko_with_redraws`] with `max_failures` = 5 does the same. The only measurement in the
//! paper is that backtracking took 32 times longer for its puzzles than for Kaggle's. Of the values
//! of `max_failures` that were timed with [`kocherzhenko`], 5 comes closest (29 times longer).

use super::{GeneratedPuzzle, is_unique};
use crate::grid::{Cell, Digit, Grid, Order};
use crate::random::Random;

/// Generates puzzle number `index` of a seed by Kocherzhenko's method. Removal ends after
/// `max_failures` cells that could not be emptied.
#[must_use]
pub fn kocherzhenko(order: Order, max_failures: usize, seed: u64, index: u64) -> GeneratedPuzzle {
    let mut random = Random::for_part(seed, index);
    let solution = fill(order, &mut random);
    let mut puzzle = solution.clone();
    let mut failures = 0;
    let mut cells: Vec<Cell> = order.cells().collect();
    random.shuffle(&mut cells);
    for cell in cells {
        let fewer = puzzle.without(cell);
        if is_unique(&fewer) == Ok(true) {
            puzzle = fewer;
        } else {
            failures += 1;
            if failures == max_failures {
                break;
            }
        }
    }
    GeneratedPuzzle { puzzle, solution }
}

/// Like [`kocherzhenko`], but a cell that could not be emptied may be drawn again and then counts
/// as another failure.
#[must_use]
pub fn kocherzhenko_with_redraws(
    order: Order,
    max_failures: usize,
    seed: u64,
    index: u64,
) -> GeneratedPuzzle {
    let mut random = Random::for_part(seed, index);
    let solution = fill(order, &mut random);
    let mut puzzle = solution.clone();
    let mut clues: Vec<Cell> = order.cells().collect();
    let mut failures = 0;
    while failures < max_failures && !clues.is_empty() {
        let drawn = random.below(clues.len());
        let fewer = puzzle.without(clues[drawn]);
        if is_unique(&fewer) == Ok(true) {
            puzzle = fewer;
            clues.swap_remove(drawn);
        } else {
            failures += 1;
        }
    }
    GeneratedPuzzle { puzzle, solution }
}

/// The fill of the paper, restarted if it takes too long: plain backtracking can take minutes on
/// 16×16.
fn fill(order: Order, random: &mut Random) -> Grid {
    let mut steps = 200 * order.cell_count() as u64;
    loop {
        let mut grid = Grid::empty(order);
        if fill_from(&mut grid, 0, random, &mut steps.clone()) {
            return grid;
        }
        // Plain backtracking never finishes for some sizes; use the fast fill for them.
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
    fn puzzles_are_unique_and_reproducible() {
        for index in 0..10 {
            let generated = kocherzhenko(Order::NINE, 5, 1, index);
            assert_eq!(is_unique(&generated.puzzle), Ok(true));
            assert!(generated.solution.solves(&generated.puzzle));
            assert_eq!(kocherzhenko(Order::NINE, 5, 1, index), generated);
        }
        assert_ne!(kocherzhenko(Order::NINE, 5, 1, 0), kocherzhenko(Order::NINE, 5, 2, 0));
    }

    #[test]
    fn redraws_end_removal_sooner() {
        let clues = |generate: fn(Order, usize, u64, u64) -> GeneratedPuzzle| -> usize {
            (0..40)
                .map(|index| generate(Order::NINE, 5, 1, index))
                .inspect(|generated| {
                    assert!(
                        is_unique(&generated.puzzle) == Ok(true)
                            && generated.solution.solves(&generated.puzzle)
                    )
                })
                .map(|generated| generated.puzzle.clue_count())
                .sum()
        };
        assert!(clues(kocherzhenko_with_redraws) > clues(kocherzhenko));
        assert_eq!(kocherzhenko_with_redraws(Order::FOUR, 0, 1, 0).puzzle.clue_count(), 16);
    }

    #[test]
    fn puzzles_are_minimal_without_a_limit_on_failures() {
        for order in [Order::FOUR, Order::NINE, Order::new(2, 3).unwrap()] {
            let generated = kocherzhenko(order, usize::MAX, 3, 0);
            assert_eq!(
                super::super::is_minimal(&generated.puzzle),
                Ok(true),
                "{}",
                generated.puzzle
            );
        }
    }
}
