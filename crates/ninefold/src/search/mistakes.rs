//! Mistakes: which of the digits that a player has placed keep a puzzle from being solved.
//!
//! More digits never make more solutions, so the first one that leaves none is found by halving the list.

use super::{Limits, Solutions, Stop, Unfinished, default_for, prove};
use crate::clock::Instant;
use crate::grid::{Cell, Digit, Grid};

/// Why a position has no solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The puzzle has no solution even without any placed digit.
    InPuzzle,
    /// The puzzle has one solution; these digits differ from it.
    Wrong(Vec<(Cell, Digit)>),
    /// The puzzle has several solutions; with this digit and the ones placed before it none is left.
    First((Cell, Digit)),
}

/// Finds out which placed digits leave a puzzle without a solution; `None` if they leave one. They are listed in the order
/// in which they were placed; the limits hold for all searches together.
///
/// ```
/// use ninefold::grid::{Digit, Grid, Order};
/// use ninefold::search::{Limits, mistakes::{self, Cause}};
///
/// let puzzle: Grid = "1..4..1..3..4..3".parse()?;
/// let wrong = (Order::FOUR.cell(0, 1), Digit::new(3).unwrap());
/// assert_eq!(mistakes::find(&puzzle, &[wrong], &Limits::none())?, Some(Cause::Wrong(vec![wrong])));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn find(
    puzzle: &Grid,
    placed: &[(Cell, Digit)],
    limits: &Limits<'_>,
) -> Result<Option<Cause>, Unfinished> {
    let mut left = Left { limits: *limits, started: Instant::now(), nodes: 0 };
    if left.has_solution(&with_placed(puzzle, placed))? {
        return Ok(None);
    }
    let proof = prove(puzzle, &left.limits());
    left.nodes += proof.effort.nodes;
    match proof.solutions? {
        Solutions::Zero => return Ok(Some(Cause::InPuzzle)),
        Solutions::One(solution) => {
            let differs = |&&(cell, digit): &&(Cell, Digit)| solution[cell] != Some(digit);
            return Ok(Some(Cause::Wrong(placed.iter().filter(differs).copied().collect())));
        }
        Solutions::Many(..) => {}
    }
    // Invariant: the first `good` digits leave a solution, the first `bad` leave none.
    let (mut good, mut bad) = (0, placed.len());
    while bad - good > 1 {
        let middle = good.midpoint(bad);
        if left.has_solution(&with_placed(puzzle, &placed[..middle]))? {
            good = middle
        } else {
            bad = middle
        }
    }
    Ok(Some(Cause::First(placed[good])))
}

/// The puzzle with the placed digits written into it.
#[must_use]
pub fn with_placed(puzzle: &Grid, placed: &[(Cell, Digit)]) -> Grid {
    let mut grid = puzzle.clone();
    for &(cell, digit) in placed {
        grid.set(cell, Some(digit));
    }
    grid
}

/// What is left of the limits after some searches.
struct Left<'a> {
    limits: Limits<'a>,
    started: Instant,
    nodes: u64,
}

impl<'a> Left<'a> {
    fn limits(&self) -> Limits<'a> {
        Limits {
            time: self.limits.time.map(|time| time.saturating_sub(self.started.elapsed())),
            nodes: self.limits.nodes.map(|nodes| nodes.saturating_sub(self.nodes)),
            cancel: self.limits.cancel,
        }
    }

    fn has_solution(&mut self, grid: &Grid) -> Result<bool, Unfinished> {
        let solver = default_for(grid.order());
        let (found, effort) =
            solver.first(grid, &self.limits()).expect("the default solver takes every size");
        self.nodes += effort.nodes;
        match (found, effort.stop) {
            (Some(_), _) => Ok(true),
            (None, None | Some(Stop::Enough)) => Ok(false),
            (None, Some(stop)) => Err(Unfinished { found: None, stop }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Order;

    fn placed(row: usize, column: usize, digit: u8) -> (Cell, Digit) {
        (Order::FOUR.cell(row - 1, column - 1), Digit::new(digit).unwrap())
    }

    fn check(puzzle: &str, digits: &[(Cell, Digit)], expected: Option<Cause>) {
        let puzzle: Grid = puzzle.parse().unwrap();
        assert_eq!(find(&puzzle, digits, &Limits::none()), Ok(expected));
    }

    #[test]
    fn digits_that_leave_a_solution_are_no_mistake() {
        check("1..4..1..3..4..3", &[placed(1, 2, 2)], None);
        check("................", &[], None);
    }

    #[test]
    fn with_one_solution_every_wrong_digit_is_named() {
        let (right, wrong) = (placed(1, 2, 2), [placed(1, 3, 2), placed(2, 2, 2)]);
        check("1..4..1..3..4..3", &[wrong[0], right, wrong[1]], Some(Cause::Wrong(wrong.to_vec())));
    }

    #[test]
    fn with_several_solutions_the_digit_that_leaves_none_is_named() {
        // Row 1 lacks 3 and 4 in box 2; the third digit puts a 3 into that box, so row 1 has no place for its own.
        let written =
            [placed(1, 1, 1), placed(1, 2, 2), placed(2, 4, 3), placed(4, 4, 4), placed(4, 1, 2)];
        check("................", &written, Some(Cause::First(written[2])));
    }

    #[test]
    fn a_puzzle_without_a_solution_is_the_mistake_itself() {
        check("123....4........", &[placed(4, 4, 1)], Some(Cause::InPuzzle));
    }

    #[test]
    fn the_limits_hold_for_all_searches_together() {
        let (puzzle, wrong) = ("1..4..1..3..4..3".parse().unwrap(), placed(1, 2, 3));
        let found = |nodes| find(&puzzle, &[wrong], &Limits::nodes(nodes));
        let enough = (1..1_000).find(|&nodes| found(nodes).is_ok()).unwrap();
        let (_, first) = default_for(Order::FOUR)
            .first(&with_placed(&puzzle, &[wrong]), &Limits::none())
            .unwrap();
        assert_eq!(enough, first.nodes + prove(&puzzle, &Limits::none()).effort.nodes);
        assert_eq!(found(enough - 1).unwrap_err().stop, Stop::Nodes);
    }
}
