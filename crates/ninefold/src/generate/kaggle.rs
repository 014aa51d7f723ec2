//! Generates puzzles like those of the Kaggle dataset "1 million Sudoku games", which Park
//! generated in 2016 and on which most networks are trained.
//!
//! Park used a script by Cordero that was widely used at the time:
//!
//! ```text
//! ten times:  for each cell of a random complete grid, in random order:
//!                 if its digit is impossible in all other cells of its row, of its column,
//!                 or of a box:  empty the cell, otherwise keep the clue
//! return the one of the ten puzzles with the fewest clues
//! ```
//!
//! Every removed digit is a hidden single, so hidden singles solve the puzzle. The script is meant
//! to check the box of the cell, but a bug makes it check the box whose number is the row number of
//! the cell. In a wrong box, the condition is hardly ever true. With this bug, the generated
//! puzzles have as many clues as Park's; without it, they have half a clue less on average.

use super::{GeneratedPuzzle, full};
use crate::grid::{Cell, Grid, Order};
use crate::random::Random;

/// The number of tries, of which the puzzle with the fewest clues is returned.
const TRIES: usize = 10;

/// Generates a puzzle with Park's method.
///
/// ```
/// use ninefold::generate::{self, GenerateOptions};
///
/// let generated = generate::generate_one(&GenerateOptions::kaggle(), 3, 0)?;
/// assert!((29..=38).contains(&generated.puzzle.clue_count()));
/// # Ok::<(), generate::GenerateError>(())
/// ```
#[must_use]
pub fn generate(random: &mut Random) -> GeneratedPuzzle {
    let tries = (0..TRIES).map(|_| {
        let solution = full::random(Order::NINE, random);
        GeneratedPuzzle { puzzle: without_hidden_singles(&solution, random), solution }
    });
    tries.min_by_key(|generated| generated.puzzle.clue_count()).expect("there are ten tries")
}

/// Visits every cell once, in random order, and empties it if its digit is a hidden single.
fn without_hidden_singles(solution: &Grid, random: &mut Random) -> Grid {
    let order = solution.order();
    let mut puzzle = solution.clone();
    let mut cells: Vec<Cell> = order.cells().collect();
    random.shuffle(&mut cells);
    for cell in cells {
        let (row, column) = (order.row_of(cell), order.column_of(cell));
        let row_cells = (0..9).map(|other| order.cell(row, other));
        let column_cells = (0..9).map(|other| order.cell(other, column));
        // The bug of the script: this is the box with the number of the row.
        let box_cells =
            (0..9).map(|place| order.cell(row / 3 * 3 + place / 3, row % 3 * 3 + place % 3));
        if is_only_place(&puzzle, cell, row_cells)
            || is_only_place(&puzzle, cell, column_cells)
            || is_only_place(&puzzle, cell, box_cells)
        {
            puzzle.set(cell, None);
        }
    }
    puzzle
}

/// Whether the digit of `cell` is impossible in all other cells of this list.
fn is_only_place(puzzle: &Grid, cell: Cell, mut others: impl Iterator<Item = Cell>) -> bool {
    let digit = puzzle[cell];
    let takes = |other: Cell| match puzzle[other] {
        None => {
            puzzle.order().peers_of(other).iter().all(|&peer| peer == cell || puzzle[peer] != digit)
        }
        found => found == digit,
    };
    others.all(|other| other == cell || !takes(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::singles;

    #[test]
    fn singles_solve_every_puzzle_and_clue_counts_match_kaggle() {
        let puzzles: Vec<GeneratedPuzzle> =
            (0..200).map(|index| generate(&mut Random::for_part(1, index))).collect();
        assert!(puzzles.iter().all(|generated| singles::solve(&generated.puzzle)
            && generated.solution.solves(&generated.puzzle)));
        let clues: usize = puzzles.iter().map(|generated| generated.puzzle.clue_count()).sum();
        let average = clues as f64 / puzzles.len() as f64;
        assert!((33.5..34.2).contains(&average), "{average}; Park's have 33.8");
    }
}
