//! Puzzles like those on Kaggle: the million that Park made in 2016, which most networks are trained on.
//!
//! They were made with a script of Cordero's that was passed around at the time:
//!
//! ```text
//! ten times:  a random complete grid; each of its cells once, in random order:
//!             empty it, unless its digit could stand in another cell of its row, and in another of its column, and in
//!             another of a box
//! the puzzle with the fewest clues of the ten
//! ```
//!
//! So each digit is a hidden single at the moment it is taken away, and the puzzle falls to hidden singles. The script means the
//! cell's own box, but looks into the one that the cell's row names; where that is another box, hardly any digit passes. With that
//! slip our puzzles have the clue counts of Park's, without it half a clue less.

use super::{Made, full};
use crate::grid::{Cell, Grid, Order};
use crate::random::Random;

/// Puzzles of which the one with the fewest clues is taken.
const TRIES: usize = 10;

/// A puzzle made in this way.
///
/// ```
/// use ninefold::generate::{self, Wish};
///
/// let made = generate::make(&Wish::kaggle(), 3, 0)?;
/// assert!((29..=38).contains(&made.puzzle.clue_count()));
/// # Ok::<(), generate::Refusal>(())
/// ```
#[must_use]
pub fn drawn(random: &mut Random) -> Made {
    let tries = (0..TRIES).map(|_| {
        let solution = full::random(Order::NINE, random);
        Made { puzzle: plucked(&solution, random), solution }
    });
    tries.min_by_key(|made| made.puzzle.clue_count()).expect("there are some tries")
}

/// Every cell is looked at once, in random order, and emptied where the script would.
fn plucked(solution: &Grid, random: &mut Random) -> Grid {
    let order = solution.order();
    let mut puzzle = solution.clone();
    let mut cells: Vec<Cell> = order.cells().collect();
    random.shuffle(&mut cells);
    for cell in cells {
        let (row, column) = (order.row_of(cell), order.column_of(cell));
        let row_cells = (0..9).map(|other| order.cell(row, other));
        let column_cells = (0..9).map(|other| order.cell(other, column));
        // The box that the row names; see the header.
        let box_cells =
            (0..9).map(|place| order.cell(row / 3 * 3 + place / 3, row % 3 * 3 + place % 3));
        if none_takes(&puzzle, cell, row_cells)
            || none_takes(&puzzle, cell, column_cells)
            || none_takes(&puzzle, cell, box_cells)
        {
            puzzle.set(cell, None);
        }
    }
    puzzle
}

/// Can none of these cells, but `cell` itself, take its digit?
fn none_takes(puzzle: &Grid, cell: Cell, mut others: impl Iterator<Item = Cell>) -> bool {
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
    fn every_puzzle_falls_to_singles_and_shows_the_clue_counts_of_kaggle() {
        let puzzles: Vec<Made> =
            (0..200).map(|index| drawn(&mut Random::for_part(1, index))).collect();
        assert!(
            puzzles
                .iter()
                .all(|made| singles::solve(&made.puzzle) && made.solution.solves(&made.puzzle))
        );
        let clues: usize = puzzles.iter().map(|made| made.puzzle.clue_count()).sum();
        let average = clues as f64 / puzzles.len() as f64;
        assert!((33.5..34.2).contains(&average), "{average}; Park's have 33.8");
    }
}
