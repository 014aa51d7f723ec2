//! Finds out which of a player's digits make a puzzle unsolvable.
//!
//! Placing more digits never adds solutions, so the first wrong digit is found by binary search.

use super::{Limits, Solutions, StopReason, UnfinishedError, default_for, prove};
use crate::grid::{Cell, Digit, Grid};
use crate::limits::Stopwatch;

/// Why a position has no solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The puzzle has no solution, even without the placed digits.
    InPuzzle,
    /// The puzzle has one solution, and these digits differ from it.
    Wrong(Vec<(Cell, Digit)>),
    /// The puzzle has several solutions, but none with this digit and the ones placed before it.
    First((Cell, Digit)),
}

/// Finds out why the placed digits leave a puzzle without a solution. Returns `None` if there is
/// still a solution.
///
/// `placed` lists the digits in the order in which they were placed. The limits apply to all
/// searches together.
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
) -> Result<Option<Cause>, UnfinishedError> {
    let mut shared =
        SharedLimits { limits: *limits, stopwatch: Stopwatch::start(limits.pause), nodes: 0 };
    if shared.has_solution(&with_placed(puzzle, placed))? {
        return Ok(None);
    }
    let proof = prove(puzzle, &shared.limits());
    shared.nodes += proof.effort.nodes;
    match proof.solutions? {
        Solutions::Zero => return Ok(Some(Cause::InPuzzle)),
        Solutions::One(solution) => {
            let differs = |&&(cell, digit): &&(Cell, Digit)| solution[cell] != Some(digit);
            return Ok(Some(Cause::Wrong(placed.iter().filter(differs).copied().collect())));
        }
        Solutions::Many(..) => {}
    }
    // Invariant: there is a solution with the first `good` digits, but none with the first `bad`.
    let (mut good, mut bad) = (0, placed.len());
    while bad - good > 1 {
        let middle = good.midpoint(bad);
        if shared.has_solution(&with_placed(puzzle, &placed[..middle]))? {
            good = middle
        } else {
            bad = middle
        }
    }
    Ok(Some(Cause::First(placed[good])))
}

/// The puzzle together with the placed digits.
#[must_use]
pub fn with_placed(puzzle: &Grid, placed: &[(Cell, Digit)]) -> Grid {
    let mut grid = puzzle.clone();
    for &(cell, digit) in placed {
        grid.set(cell, Some(digit));
    }
    grid
}

/// The limits for several searches together.
struct SharedLimits<'a> {
    limits: Limits<'a>,
    stopwatch: Stopwatch<'a>,
    nodes: u64,
}

impl<'a> SharedLimits<'a> {
    fn limits(&self) -> Limits<'a> {
        Limits {
            time: self.limits.time.map(|time| time.saturating_sub(self.stopwatch.elapsed())),
            nodes: self.limits.nodes.map(|nodes| nodes.saturating_sub(self.nodes)),
            cancel: self.limits.cancel,
            pause: self.limits.pause,
        }
    }

    fn has_solution(&mut self, grid: &Grid) -> Result<bool, UnfinishedError> {
        let solver = default_for(grid);
        let (found, effort) =
            solver.first(grid, &self.limits()).expect("the default solver supports every size");
        self.nodes += effort.nodes;
        match (found, effort.stop) {
            (Some(_), _) => Ok(true),
            (None, None | Some(StopReason::Enough)) => Ok(false),
            (None, Some(stop)) => Err(UnfinishedError { found: None, stop }),
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
    fn accepts_digits_that_leave_a_solution() {
        check("1..4..1..3..4..3", &[placed(1, 2, 2)], None);
        check("................", &[], None);
    }

    #[test]
    fn reports_every_wrong_digit_of_a_unique_puzzle() {
        let (right, wrong) = (placed(1, 2, 2), [placed(1, 3, 2), placed(2, 2, 2)]);
        check("1..4..1..3..4..3", &[wrong[0], right, wrong[1]], Some(Cause::Wrong(wrong.to_vec())));
    }

    #[test]
    fn reports_the_first_digit_that_leaves_no_solution() {
        // Row 1 still needs 3 and 4, both in box 2. The third digit is a 3 in that box, so row 1
        // has no place for 3.
        let written =
            [placed(1, 1, 1), placed(1, 2, 2), placed(2, 4, 3), placed(4, 4, 4), placed(4, 1, 2)];
        check("................", &written, Some(Cause::First(written[2])));
    }

    #[test]
    fn reports_a_puzzle_without_a_solution() {
        check("123....4........", &[placed(4, 4, 1)], Some(Cause::InPuzzle));
    }

    #[test]
    fn limits_apply_to_all_searches_together() {
        let (puzzle, wrong) = ("1..4..1..3..4..3".parse().unwrap(), placed(1, 2, 3));
        let found = |nodes| find(&puzzle, &[wrong], &Limits::none().with_nodes(nodes));
        let enough = (1..1_000).find(|&nodes| found(nodes).is_ok()).unwrap();
        let (_, first) = crate::search::default_for_order(Order::FOUR)
            .first(&with_placed(&puzzle, &[wrong]), &Limits::none())
            .unwrap();
        assert_eq!(enough, first.nodes + prove(&puzzle, &Limits::none()).effort.nodes);
        assert_eq!(found(enough - 1).unwrap_err().stop, StopReason::Nodes);
    }
}
