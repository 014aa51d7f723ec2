//! A player's entries: which of them keep a puzzle from being solved.
//!
//! More entries never make more solutions, so the first entry that leaves none is found by halving the list.

use super::{Limits, Solutions, Stop, Unfinished, default_for};
use crate::grid::{Cell, Digit, Grid};
use std::time::Instant;

/// Who is to blame for a position without a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blame {
    /// The puzzle has no solution even without any entry.
    Puzzle,
    /// The puzzle has one solution; these entries differ from it.
    Wrong(Vec<(Cell, Digit)>),
    /// The puzzle has several solutions; with this entry and the ones before it none is left.
    First((Cell, Digit)),
}

/// Finds out which entries leave a puzzle without a solution; `None` if they leave one. Entries are listed in the order
/// in which they were written; the limits hold for all searches together.
///
/// ```
/// use ninefold::grid::{Digit, Grid, Order};
/// use ninefold::search::{Limits, entries::{self, Blame}};
///
/// let puzzle: Grid = "1..4..1..3..4..3".parse()?;
/// let wrong = (Order::FOUR.cell(0, 1), Digit::new(3).unwrap());
/// assert_eq!(entries::blame(&puzzle, &[wrong], &Limits::none())?, Some(Blame::Wrong(vec![wrong])));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn blame(puzzle: &Grid, entries: &[(Cell, Digit)], limits: &Limits<'_>) -> Result<Option<Blame>, Unfinished> {
    let started = Instant::now();
    let left = || Limits { time: limits.time.map(|time| time.saturating_sub(started.elapsed())), ..*limits };
    let has_solution = |count: usize| first_solution(&with_entries(puzzle, &entries[..count]), &left());
    if has_solution(entries.len())? {
        return Ok(None);
    }
    let proof = default_for(puzzle.order()).prove(puzzle, &left()).expect("the default solver takes every size");
    match proof.solutions? {
        Solutions::Zero => return Ok(Some(Blame::Puzzle)),
        Solutions::One(solution) => {
            let differs = |&&(cell, digit): &&(Cell, Digit)| solution[cell] != Some(digit);
            return Ok(Some(Blame::Wrong(entries.iter().filter(differs).copied().collect())));
        }
        Solutions::Many(..) => {}
    }
    // Invariant: the first `good` entries leave a solution, the first `bad` leave none.
    let (mut good, mut bad) = (0, entries.len());
    while bad - good > 1 {
        let middle = good.midpoint(bad);
        if has_solution(middle)? { good = middle } else { bad = middle }
    }
    Ok(Some(Blame::First(entries[good])))
}

/// The puzzle with the entries written into it.
pub fn with_entries(puzzle: &Grid, entries: &[(Cell, Digit)]) -> Grid {
    let mut grid = puzzle.clone();
    for &(cell, digit) in entries {
        grid.set(cell, Some(digit));
    }
    grid
}

fn first_solution(grid: &Grid, limits: &Limits<'_>) -> Result<bool, Unfinished> {
    let (found, effort) = default_for(grid.order()).first(grid, limits).expect("the default solver takes every size");
    match (found, effort.stop) {
        (Some(_), _) => Ok(true),
        (None, None | Some(Stop::Enough)) => Ok(false),
        (None, Some(stop)) => Err(Unfinished { found: None, stop }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Order;

    fn entry(row: usize, column: usize, digit: u8) -> (Cell, Digit) {
        (Order::FOUR.cell(row - 1, column - 1), Digit::new(digit).unwrap())
    }

    fn check(puzzle: &str, entries: &[(Cell, Digit)], expected: Option<Blame>) {
        let puzzle: Grid = puzzle.parse().unwrap();
        assert_eq!(blame(&puzzle, entries, &Limits::none()), Ok(expected));
    }

    #[test]
    fn entries_that_leave_a_solution_are_not_blamed() {
        check("1..4..1..3..4..3", &[entry(1, 2, 2)], None);
        check("................", &[], None);
    }

    #[test]
    fn with_one_solution_every_wrong_entry_is_named() {
        let (right, wrong) = (entry(1, 2, 2), [entry(1, 3, 2), entry(2, 2, 2)]);
        check("1..4..1..3..4..3", &[wrong[0], right, wrong[1]], Some(Blame::Wrong(wrong.to_vec())));
    }

    #[test]
    fn with_several_solutions_the_entry_that_leaves_none_is_named() {
        // Row 1 lacks 3 and 4 in box 2; the third entry puts a 3 into that box, so row 1 has no place for its own.
        let written = [entry(1, 1, 1), entry(1, 2, 2), entry(2, 4, 3), entry(4, 4, 4), entry(4, 1, 2)];
        check("................", &written, Some(Blame::First(written[2])));
    }

    #[test]
    fn a_puzzle_without_a_solution_is_blamed_itself() {
        check("123....4........", &[entry(4, 4, 1)], Some(Blame::Puzzle));
    }
}
