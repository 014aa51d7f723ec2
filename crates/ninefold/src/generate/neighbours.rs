//! Neighbours of a puzzle: puzzles that differ from it in a few clues.
//!
//! [`neighbour`] keeps the solution:
//!
//! ```text
//! a move:  remove a clue
//!          add a digit of the solution in another cell that makes the solution unique again
//!          if there is none, try to remove another clue
//! ```
//! If a digit does not make the solution unique, the check finds a second solution. All cells in
//! which both solutions agree are then skipped, because their digits would not exclude it either.
//!
//! [`exchange_neighbours`] usually changes the solution. Neighbours of hard puzzles are often hard,
//! too, so both functions can extend short lists of hard puzzles for training networks.

use super::{exchange, limits};
use crate::grid::{Cell, Grid, Solutions};
use crate::random::Random;
use crate::search::{self, nine};

/// Returns a puzzle with the same unique solution in which up to `moves` clues have moved to other
/// cells.
///
/// Returns `None` if no clue can be moved or if a proof reached its limit. Proofs for 9×9 have no
/// limit.
///
/// ```
/// use ninefold::generate::{self, neighbour};
/// use ninefold::grid::Grid;
/// use ninefold::random::Random;
///
/// let puzzle: Grid = "1..4..1..3..4..3".parse()?;
/// let solution: Grid = "1234341223414123".parse()?;
/// let other = neighbour(&puzzle, &solution, 1, &mut Random::new(1)).unwrap();
/// assert_eq!(other.clue_count(), puzzle.clue_count());
/// assert!(other != puzzle && solution.solves(&other) && generate::is_unique(&other) == Ok(true));
/// # Ok::<(), ninefold::grid::ParseGridError>(())
/// ```
#[must_use]
pub fn neighbour(
    puzzle: &Grid,
    solution: &Grid,
    moves: usize,
    random: &mut Random,
) -> Option<Grid> {
    let mut found = puzzle.clone();
    for _ in 0..moves {
        found = with_a_clue_moved(&found, solution, random)?;
    }
    (found != *puzzle).then_some(found)
}

/// Returns minimal 9×9 puzzles in which 1 to `reach` clues are replaced by the same number of clues
/// or fewer.
///
/// Each result is proven to have one solution, usually another one than `puzzle`. The result is
/// empty for other sizes.
#[must_use]
pub fn exchange_neighbours(puzzle: &Grid, reach: usize, random: &mut Random) -> Vec<Grid> {
    let line = nine::line(puzzle);
    line.map_or_else(Vec::new, |line| {
        exchange::neighbours(&line, reach, random).iter().map(nine::grid).collect()
    })
}

fn with_a_clue_moved(puzzle: &Grid, solution: &Grid, random: &mut Random) -> Option<Grid> {
    let mut clues: Vec<Cell> = puzzle.clues().map(|(cell, _)| cell).collect();
    random.shuffle(&mut clues);
    clues.into_iter().find_map(|dropped| {
        let mut places: Vec<Cell> = puzzle.empty_cells().collect();
        random.shuffle(&mut places);
        closed(&puzzle.without(dropped), solution, places)
    })
}

/// Adds a digit of the solution in one of these cells such that the solution becomes unique.
fn closed(open: &Grid, solution: &Grid, mut places: Vec<Cell>) -> Option<Grid> {
    while let Some(place) = places.pop() {
        let closed = open.with(place, solution[place]?);
        match search::prove(&closed, &limits(open.order())).solutions.ok()? {
            Solutions::Zero => return None,
            Solutions::One(_) => return Some(closed),
            Solutions::Many(one, other) => {
                let wrong = if one == *solution { other } else { one };
                places.retain(|&place| wrong[place] != solution[place]);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{self, GenerateOptions, generate_one};
    use crate::grid::Order;

    #[test]
    fn neighbours_have_the_same_solution_and_other_clues() {
        for (order, moves) in
            [(Order::FOUR, 1), (Order::new(2, 3).unwrap(), 2), (Order::NINE, 1), (Order::NINE, 3)]
        {
            let mut seen = 0;
            for index in 0..10 {
                let options = GenerateOptions::new(order).with_minimal(true);
                let start = generate_one(&options, 5, index).unwrap();
                let mut random = Random::for_part(9, index);
                let Some(found) = neighbour(&start.puzzle, &start.solution, moves, &mut random)
                else {
                    continue;
                };
                assert_eq!(found.clue_count(), start.puzzle.clue_count());
                assert_eq!(
                    search::prove(&found, &limits(order)).solutions.unwrap().only(),
                    Some(&start.solution)
                );
                let kept = start
                    .puzzle
                    .clues()
                    .filter(|&(cell, digit)| found[cell] == Some(digit))
                    .count();
                let moved = start.puzzle.clue_count() - kept;
                assert!((1..=moves).contains(&moved), "{moved} of {moves}");
                seen += 1;
            }
            assert!(seen > 6, "{order}: {seen}");
        }
    }

    #[test]
    fn exchange_neighbours_have_one_solution() {
        let puzzle: Grid =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        let found = exchange_neighbours(&puzzle, 2, &mut Random::new(3));
        assert!(
            found.len() > 10 && found.iter().all(|other| generate::is_unique(other) == Ok(true))
        );
        let solution = |puzzle: &Grid| {
            search::prove(puzzle, &limits(Order::NINE)).solutions.unwrap().into_only()
        };
        assert!(found.iter().any(|other| solution(other) != solution(&puzzle)));
        assert_eq!(
            exchange_neighbours(&"1..4..1..3..4..3".parse().unwrap(), 2, &mut Random::new(3)),
            []
        );
    }

    #[test]
    fn complete_grids_and_wrong_solutions_have_no_neighbour() {
        let full: Grid = "1234341223414123".parse().unwrap();
        assert_eq!(neighbour(&full, &full, 1, &mut Random::new(1)), None);
        let puzzle: Grid = "1..4..1..3..4..3".parse().unwrap();
        let wrong: Grid = "4321213434121243".parse().unwrap();
        assert_eq!(neighbour(&puzzle, &wrong, 1, &mut Random::new(1)), None);
    }
}
