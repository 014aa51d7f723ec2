//! Trial-and-error depth: how many assumptions must be made at once, after Denis Berthier.
//!
//! T&E(0) is singles alone. In T&E(1) a candidate goes if assuming it and following singles leads to a contradiction; in
//! T&E(2) the same is done inside an assumption, and so on, each until nothing goes any more. So the depth does not depend
//! on any order, and is the same for every turned, mirrored or relabelled puzzle. Nearly all puzzles have depth 0 or 1; a few
//! of those rated 11 and more by Sudoku Explainer have 3. It takes grids of every size.

use crate::grid::{Grid, Solutions};
use crate::limits::{Deadline, Limits, Stop};
use crate::search::{self, singles::Board};

/// No puzzle is known that needs more.
pub const DEEPEST: u8 = 3;

/// Why a puzzle has no depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoDepth {
    /// Assumptions leave nothing.
    #[error("the puzzle has no solution, so it has no depth")]
    NoSolution,
    /// As many assumptions as are tried do not solve it, as with every puzzle that has several solutions.
    #[error("trial and error of depth {DEEPEST} does not solve the puzzle")]
    Beyond,
    /// A limit was reached.
    #[error("stopped by {stop}")]
    Stopped {
        /// Which one.
        stop: Stop,
        /// The depth is at least this.
        at_least: u8,
    },
}

/// The smallest n for which T&E(n) solves a puzzle.
///
/// ```
/// use ninefold::rate::trial;
///
/// let puzzle = ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2...".parse()?;
/// assert_eq!(trial::depth(&puzzle), Ok(1));
/// # Ok::<(), ninefold::grid::ParseGridError>(())
/// ```
pub fn depth(puzzle: &Grid) -> Result<u8, NoDepth> {
    depth_within(puzzle, &Limits::none())
}

/// The same within some limits; nodes do not count.
pub fn depth_within(puzzle: &Grid, limits: &Limits<'_>) -> Result<u8, NoDepth> {
    if puzzle.conflict().is_some() {
        return Err(NoDepth::NoSolution);
    }
    let mut board = Board::of(puzzle).map_err(|_| NoDepth::NoSolution)?;
    let deadline = Deadline::of(limits);
    for depth in 0..=DEEPEST {
        // Deep trials take very long where there are several solutions, and cannot solve the puzzle.
        if depth == 2 && matches!(search::prove(puzzle, limits).solutions, Ok(Solutions::Many(..)))
        {
            return Err(NoDepth::Beyond);
        }
        match reduce(&mut board, depth, &deadline) {
            Ok(()) if board.is_full() => return Ok(depth),
            Ok(()) => {}
            Err(Ended::Contradiction) => return Err(NoDepth::NoSolution),
            Err(Ended::Stopped(stop)) => return Err(NoDepth::Stopped { stop, at_least: depth }),
        }
    }
    Err(NoDepth::Beyond)
}

enum Ended {
    Contradiction,
    Stopped(Stop),
}

/// Removes every candidate whose assumption contradicts itself, until none does.
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

    fn check(puzzle: &str, expected: Result<u8, NoDepth>) {
        assert_eq!(depth(&puzzle.parse().unwrap()), expected, "{puzzle}");
    }

    #[test]
    fn singles_alone_are_depth_zero_and_a_hard_puzzle_needs_two() {
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
    fn several_solutions_stay_open_and_none_is_found_out() {
        check(&".".repeat(16), Err(NoDepth::Beyond));
        // Row 1 wants a 4 in its last cell, and column 4 already has one.
        check("123....4........", Err(NoDepth::NoSolution));
    }

    #[test]
    fn a_limit_says_how_deep_it_is_at_least() {
        let puzzle =
            "98.7.....6.....87...7.....5.4..3.5....65...9......2..1..86...5.....1.3.......4..2"
                .parse()
                .unwrap();
        let stopped = depth_within(&puzzle, &Limits::time(Duration::ZERO));
        assert_eq!(stopped, Err(NoDepth::Stopped { stop: Stop::Time, at_least: 1 }));
    }
}
