//! Fills a partial grid with a random solution.
//!
//! The search propagates singles, picks a cell with the fewest digits, and tries its digits in
//! random order. It is separate from the solvers in [`search::all`](crate::search::all): those use
//! no random numbers and may be improved at any time, while the random choices of this search must
//! not change, because the same seed must always give the same grid. The result is checked.

use crate::grid::{Digit, Grid};
use crate::random::Random;
use crate::search::singles::Board;

/// Returns a random solution, or `None` if none was found within `most_nodes`.
pub(super) fn at_random(puzzle: &Grid, random: &mut Random, most_nodes: u64) -> Option<Grid> {
    let mut nodes_left = most_nodes.checked_sub(1)?;
    let board = Board::new(puzzle).ok()?;
    let solution = search(board, random, &mut nodes_left).ok().flatten()?;
    assert!(solution.solves(puzzle), "bug in Ninefold: {solution} does not solve {puzzle}");
    Some(solution)
}

struct OutOfNodes;

fn search(
    board: Board,
    random: &mut Random,
    nodes_left: &mut u64,
) -> Result<Option<Grid>, OutOfNodes> {
    let Some(cell) = board.cell_with_fewest_digits() else { return Ok(Some(board.grid())) };
    let mut digits: Vec<Digit> = board.at(cell).collect();
    random.shuffle(&mut digits);
    for digit in digits {
        *nodes_left = nodes_left.checked_sub(1).ok_or(OutOfNodes)?;
        let mut next = board.clone();
        if next.assign(cell, digit).is_ok()
            && let Some(solution) = search(next, random, nodes_left)?
        {
            return Ok(Some(solution));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Order;

    #[test]
    fn equal_seeds_give_equal_grids() {
        let empty = Grid::empty(Order::SIXTEEN);
        let filled = |seed| at_random(&empty, &mut Random::new(seed), 10_000).unwrap();
        assert!(filled(1).is_solved());
        assert_eq!(filled(1), filled(1));
        assert_ne!(filled(1), filled(2));
    }

    #[test]
    fn returns_none_without_solution_or_nodes() {
        let mut random = Random::new(1);
        assert_eq!(at_random(&"123....4........".parse().unwrap(), &mut random, 1_000), None);
        assert_eq!(at_random(&Grid::empty(Order::FOUR), &mut random, 0), None);
        assert_eq!(at_random(&Grid::empty(Order::FOUR), &mut random, 2), None);
        assert!(at_random(&Grid::empty(Order::FOUR), &mut random, 100).is_some());
    }
}
