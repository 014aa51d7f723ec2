//! Filling at random: this is where a grid with gaps gets one of its solutions by chance.
//!
//! The search carries singles to their end and tries the digits of a cell with the fewest left in random order. What it
//! draws from the random stream defines the grids that a seed makes, so it is a search of its own rather than one of
//! [`search::all`](crate::search::all), which never draw. It proves nothing, and what it returns has been checked.

use crate::grid::{Digit, Grid};
use crate::random::Random;
use crate::search::singles::Board;

/// A solution met by trying digits in random order, or `None` if none was met within `most_nodes`: there may be none, or
/// it may be out of reach.
pub(super) fn at_random(puzzle: &Grid, random: &mut Random, most_nodes: u64) -> Option<Grid> {
    let mut nodes_left = most_nodes.checked_sub(1)?;
    let board = Board::of(puzzle).ok()?;
    let solution = walk(board, random, &mut nodes_left).ok().flatten()?;
    assert!(
        solution.solves(puzzle),
        "this is a bug in Ninefold: {solution} was filled in for {puzzle}"
    );
    Some(solution)
}

struct OutOfNodes;

fn walk(
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
            && let Some(solution) = walk(next, random, nodes_left)?
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
    fn equal_seeds_fill_alike_and_others_differently() {
        let empty = Grid::empty(Order::SIXTEEN);
        let filled = |seed| at_random(&empty, &mut Random::new(seed), 10_000).unwrap();
        assert!(filled(1).is_solved());
        assert_eq!(filled(1), filled(1));
        assert_ne!(filled(1), filled(2));
    }

    #[test]
    fn without_a_solution_or_without_nodes_there_is_nothing() {
        let mut random = Random::new(1);
        assert_eq!(at_random(&"123....4........".parse().unwrap(), &mut random, 1_000), None);
        assert_eq!(at_random(&Grid::empty(Order::FOUR), &mut random, 0), None);
        assert_eq!(at_random(&Grid::empty(Order::FOUR), &mut random, 2), None);
        assert!(at_random(&Grid::empty(Order::FOUR), &mut random, 100).is_some());
    }
}
