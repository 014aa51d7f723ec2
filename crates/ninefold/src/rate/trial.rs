//! Trial-and-error depth: the number of nested assumptions needed, after Denis Berthier.
//!
//! T&E(0) uses singles only. T&E(1) removes a candidate if assuming it and following singles leads
//! to a contradiction. T&E(2) applies T&E(1) inside an assumption, and so on. Each is repeated
//! until nothing changes. The depth is the smallest n for which T&E(n) solves the puzzle. It does
//! not depend on any order, so it is the same for all symmetric images of a puzzle. Nearly all
//! puzzles have depth 0 or 1. A few of the puzzles that Sudoku Explainer rates 11 or more have
//! depth 3. All grid sizes are supported.

use crate::grid::{ClassicOnlyError, Grid, Solutions};
use crate::limits::{Deadline, Limits, StopReason};
use crate::search::{self, singles::Board};

/// The maximum depth. No puzzle is known that needs more.
pub const DEEPEST: u8 = 3;

/// Why a puzzle has no depth.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DepthError {
    /// The puzzle has no solution.
    #[error("the puzzle has no solution, so it has no depth")]
    NoSolution,
    /// The maximum depth does not solve the puzzle. This includes all puzzles with several
    /// solutions.
    #[error("trial and error of depth {DEEPEST} does not solve the puzzle")]
    Beyond,
    /// A limit was reached.
    #[error("stopped by {stop}")]
    Stopped {
        /// The limit that was reached.
        stop: StopReason,
        /// A lower bound for the depth.
        at_least: u8,
    },
    /// The puzzle has rules of its own.
    #[error(transparent)]
    Rules(#[from] ClassicOnlyError),
}

/// Returns the smallest n for which T&E(n) solves the puzzle.
///
/// ```
/// use ninefold::rate::trial;
///
/// let puzzle = ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2...".parse()?;
/// assert_eq!(trial::depth(&puzzle), Ok(1));
/// # Ok::<(), ninefold::grid::ParseGridError>(())
/// ```
pub fn depth(puzzle: &Grid) -> Result<u8, DepthError> {
    depth_within(puzzle, &Limits::none())
}

/// Like [`depth`], with limits. The node limit is ignored.
pub fn depth_within(puzzle: &Grid, limits: &Limits<'_>) -> Result<u8, DepthError> {
    puzzle.require_classic("the depth of trial and error is")?;
    if puzzle.conflict().is_some() {
        return Err(DepthError::NoSolution);
    }
    let mut board = Board::new(puzzle).map_err(|_| DepthError::NoSolution)?;
    let deadline = Deadline::new(limits);
    for depth in 0..=DEEPEST {
        // Deep trials take very long on puzzles with several solutions and cannot solve them.
        if depth == 2 && matches!(search::prove(puzzle, limits).solutions, Ok(Solutions::Many(..)))
        {
            return Err(DepthError::Beyond);
        }
        match reduce(&mut board, depth, &deadline) {
            Ok(()) if board.is_full() => return Ok(depth),
            Ok(()) => {}
            Err(Ended::Contradiction) => return Err(DepthError::NoSolution),
            Err(Ended::Stopped(stop)) => return Err(DepthError::Stopped { stop, at_least: depth }),
        }
    }
    Err(DepthError::Beyond)
}

enum Ended {
    Contradiction,
    Stopped(StopReason),
}

/// Removes every candidate whose assumption leads to a contradiction, until nothing changes.
fn reduce(board: &mut Board, depth: u8, deadline: &Deadline<'_>) -> Result<(), Ended> {
    if depth == 0 {
        return Ok(());
    }
    let mut changed = true;
    while changed && !board.is_full() {
        changed = false;
        for cell in board.order().cells() {
            deadline.reached().map_or(Ok(()), |stop| Err(Ended::Stopped(stop)))?;
            for digit in board.at(cell) {
                if board.at(cell).count() == 1 || !board.at(cell).contains(digit) {
                    continue;
                }
                let mut trial = board.clone();
                let assumed = trial.assign(cell, digit).map_err(|_| Ended::Contradiction);
                match assumed.and_then(|()| reduce(&mut trial, depth - 1, deadline)) {
                    Ok(()) => {}
                    Err(Ended::Contradiction) => {
                        board.remove(cell, digit).map_err(|_| Ended::Contradiction)?;
                        changed = true;
                    }
                    Err(stopped) => return Err(stopped),
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn check(puzzle: &str, expected: Result<u8, DepthError>) {
        assert_eq!(depth(&puzzle.parse().unwrap()), expected, "{puzzle}");
    }

    #[test]
    fn computes_depths_zero_to_two() {
        check(
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
            Ok(0),
        );
        check(
            ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2...",
            Ok(1),
        );
        check(
            "98.7.....6.....87...7.....5.4..3.5....65...9......2..1..86...5.....1.3.......4..2",
            Ok(2),
        );
    }

    #[test]
    fn rejects_puzzles_without_a_unique_solution() {
        check(&".".repeat(16), Err(DepthError::Beyond));
        // Row 1 needs a 4 in its last cell, but column 4 already contains one.
        check("123....4........", Err(DepthError::NoSolution));
    }

    #[test]
    fn a_time_limit_returns_a_lower_bound() {
        let puzzle =
            "98.7.....6.....87...7.....5.4..3.5....65...9......2..1..86...5.....1.3.......4..2"
                .parse()
                .unwrap();
        let stopped = depth_within(&puzzle, &Limits::none().with_time(Duration::ZERO));
        assert_eq!(stopped, Err(DepthError::Stopped { stop: StopReason::Time, at_least: 1 }));
    }
}
