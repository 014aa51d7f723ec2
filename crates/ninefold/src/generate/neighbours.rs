//! Neighbours of a puzzle: the same solution from other clues, or a few clues exchanged, whatever comes of the solution.
//!
//! ```text
//! a move:  drop a clue
//!          add another digit of the solution, elsewhere, after which the solution is the only one again
//!          where there is none, drop another clue instead
//! ```
//! What has been seen is not asked again: every other solution that a failed attempt shows rules out all cells in which it agrees
//! with the right one. Neighbours of hard puzzles are often hard as well, so a network that learns from a short list of hard puzzles
//! has more to learn from.

use super::{exchange, limits};
use crate::grid::{Cell, Grid, Solutions};
use crate::random::Random;
use crate::search::{self, nine};

/// A puzzle with the same only solution in which so many clues lie elsewhere, unless a later move takes an earlier one back.
/// There is none if no clue can be moved, or if a proof took too long; 9×9 puzzles have no limit.
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

/// Minimal 9×9 puzzles that come out of this one when 1 to `reach` clues are exchanged for no more others; most have another
/// solution. Each has one, as search has proven. Of another size there are none.
#[must_use]
pub fn exchanged(puzzle: &Grid, reach: usize, random: &mut Random) -> Vec<Grid> {
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

/// The puzzle with one more digit of its solution, in one of these places, after which it has no other solution.
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
    use crate::generate::{self, Wish};
    use crate::grid::Order;

    #[test]
    fn neighbours_have_the_same_only_solution_and_other_clues() {
        for (order, moves) in
            [(Order::FOUR, 1), (Order::boxes(2, 3).unwrap(), 2), (Order::NINE, 1), (Order::NINE, 3)]
        {
            let mut seen = 0;
            for index in 0..10 {
                let wish = Wish { minimal: true, ..Wish::any(order) };
                let made = generate::make(&wish, 5, index).unwrap();
                let mut random = Random::for_part(9, index);
                let Some(found) = neighbour(&made.puzzle, &made.solution, moves, &mut random)
                else {
                    continue;
                };
                assert_eq!(found.clue_count(), made.puzzle.clue_count());
                assert_eq!(
                    search::prove(&found, &limits(order)).solutions.unwrap().only(),
                    Some(&made.solution)
                );
                let kept =
                    made.puzzle.clues().filter(|&(cell, digit)| found[cell] == Some(digit)).count();
                let moved = made.puzzle.clue_count() - kept;
                assert!((1..=moves).contains(&moved), "{moved} of {moves}");
                seen += 1;
            }
            assert!(seen > 6, "{order}: {seen}");
        }
    }

    #[test]
    fn exchanged_clues_make_puzzles_with_one_solution_each() {
        let puzzle: Grid =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        let found = exchanged(&puzzle, 2, &mut Random::new(3));
        assert!(
            found.len() > 10 && found.iter().all(|other| generate::is_unique(other) == Ok(true))
        );
        let solution = |puzzle: &Grid| {
            search::prove(puzzle, &limits(Order::NINE)).solutions.unwrap().into_only()
        };
        assert!(found.iter().any(|other| solution(other) != solution(&puzzle)));
        assert_eq!(exchanged(&"1..4..1..3..4..3".parse().unwrap(), 2, &mut Random::new(3)), []);
    }

    #[test]
    fn a_full_grid_has_no_neighbour_and_a_wrong_solution_none_either() {
        let full: Grid = "1234341223414123".parse().unwrap();
        assert_eq!(neighbour(&full, &full, 1, &mut Random::new(1)), None);
        let puzzle: Grid = "1..4..1..3..4..3".parse().unwrap();
        let wrong: Grid = "4321213434121243".parse().unwrap();
        assert_eq!(neighbour(&puzzle, &wrong, 1, &mut Random::new(1)), None);
    }
}
